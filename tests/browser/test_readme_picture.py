"""The README shows what the demo says today."""

from __future__ import annotations

from readme_picture import IMAGES, demo_comment


def test_the_picture_shows_the_demos_comment() -> None:
    shown = (IMAGES / "comment.md").read_text(encoding="utf-8")
    assert demo_comment() == shown, "make it anew: PYTHONPATH=tests python tests/browser/readme_picture.py"


def test_both_pictures_are_there() -> None:
    for theme in ("light", "dark"):
        assert (IMAGES / f"comment-{theme}.png").read_bytes().startswith(b"\x89PNG")
