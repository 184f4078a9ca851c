"""Make the README's picture anew: the real comment on the demo's real results, in GitHub's light and dark colours.

    PYTHONPATH=tests python tests/browser/readme_picture.py

Writes docs/images/comment.md, comment-light.png and comment-dark.png. A test fails when the demo's comment is no longer
the one in the picture.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from browser import Browser
from picture import ROOT, take

IMAGES = ROOT / "docs" / "images"
DEMO = ROOT / "examples" / "cranfield"
WIDTH = 880


def demo_comment() -> str:
    """Return the comment that the command line writes for the demo."""
    with tempfile.TemporaryDirectory() as folder:
        files = [str(DEMO / name) for name in ("bm25_stem.csv", "lsa200.csv")]
        terms = ["--policy", str(DEMO / "clearband.yml"), "--pr-body", str(DEMO / "pull_request.md")]
        command = [sys.executable, "-m", "clearband", "compare", *files, *terms, "--out", folder]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return (Path(folder) / "comment.md").read_text(encoding="utf-8")


def main() -> None:
    """Write the comment and its two pictures."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    comment = demo_comment()
    (IMAGES / "comment.md").write_text(comment, encoding="utf-8", newline="\n")
    with Browser.start() as browser:
        for theme in ("light", "dark"):
            picture = take(browser, comment, theme=theme, width=WIDTH, scale=2)
            (IMAGES / f"comment-{theme}.png").write_bytes(picture)


if __name__ == "__main__":
    main()
