"""Every link inside the repository leads somewhere, and to the heading it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .pages import PAGES, ROOT, anchors, links, name

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_inside_the_repository_leads_somewhere(page: Path) -> None:
    wrong = []
    for link in links(page):
        target, _, anchor = link.partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        path = page if not target else (page.parent / target).resolve()
        if (
            not path.exists()
            or not path.is_relative_to(ROOT)
            or (anchor and path.suffix == ".md" and anchor not in anchors(path))
        ):
            wrong.append(link)
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_to_other_places_are_encrypted(page: Path) -> None:
    assert [link for link in links(page) if link.startswith("http://")] == []


def test_every_page_of_the_documentation_is_reached_from_the_readme() -> None:
    reached, todo = set(), [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        if page in reached:
            continue
        reached.add(page)
        for link in links(page):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target.exists():
                todo.append(target)
    assert [name(page) for page in PAGES if page not in reached and page.parent != ROOT] == []
