"""Take a picture of a comment as GitHub shows it.

    PYTHONPATH=tests python tests/browser/picture.py COMMENT.md PICTURE.png [--theme light|dark] [--width 880] [--open] [--scale 2]

Needs Chromium (`CHROMIUM` names another one) and npm, which fetches GitHub's style sheet once into `.cache`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import npm_packages
from browser import Browser
from github_page import document

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "github-markdown-css"
MANIFEST = '{"private": true, "dependencies": {"github-markdown-css": "5.9.0"}}\n'


def style_sheet(theme: str) -> str:
    """Return GitHub's style sheet for Markdown, fetched once; raise `npm_packages.NotAvailable`."""
    file = f"node_modules/github-markdown-css/github-markdown-{theme}.css"
    return (npm_packages.install(CACHE, MANIFEST, file) / file).read_text(encoding="utf-8")


def take(browser: Browser, markdown: str, *, theme: str = "light", width: int = 880, scale: int = 1) -> bytes:
    """Return the picture of a comment, as high as the comment is."""
    page = browser.open(document(markdown, css=style_sheet(theme), theme=theme), width=width)
    return page.picture(scale=scale)


def main() -> None:
    """Read the command line and take the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("comment", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--width", type=int, default=880)
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--open", action="store_true", help="with the details unfolded")
    given = parser.parse_args()
    text = given.comment.read_text(encoding="utf-8")
    text = text.replace("<details>", "<details open>") if given.open else text
    with Browser.start() as browser:
        given.picture.write_bytes(take(browser, text, theme=given.theme, width=given.width, scale=given.scale))


if __name__ == "__main__":
    main()
