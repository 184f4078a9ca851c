"""A comment as GitHub shows it: GitHub's own Markdown parser, its allow-list as a sanitiser, its style sheet.

Hard breaks are on, as in comments. The sanitiser knows GitHub's published list of tags and attributes; what it takes
away from a comment of ours is a defect of the comment.
"""

from __future__ import annotations

import re
from collections import Counter

import cmarkgfm
import nh3
from cmarkgfm.cmark import Options


def _words(text: str) -> set[str]:
    return set(text.split())


_TAGS = _words(
    "a b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img input ins kbd li ol p picture pre q rp"
    " rt ruby s samp section source span strike strong sub summary sup table tbody td tfoot th thead tr tt ul var"
)
_EVERYWHERE = _words("align alt border cellpadding cellspacing cols colspan dir height hspace id lang name open rowspan rules"
                  " scope size span start summary title type valign value width")  # fmt: skip
_ATTRIBUTES = {
    "*": _EVERYWHERE,
    "a": {"href"},
    "blockquote": {"cite"},
    "code": {"class"},
    "del": {"cite"},
    "img": {"src", "longdesc"},
    "input": {"checked", "disabled"},
    "ins": {"cite"},
    "pre": {"lang"},
    "q": {"cite"},
    "source": {"srcset"},
}


def unsanitised(markdown: str) -> str:
    """Return the HTML that GitHub's parser makes of a comment."""
    options = Options.CMARK_OPT_HARDBREAKS | Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    return cmarkgfm.github_flavored_markdown_to_html(markdown, options=options)


def sanitised(page: str) -> str:
    """Return what the allow-list leaves of it."""
    return nh3.clean(
        page,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        clean_content_tags={"script"},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow",
    )


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name == "class" and not (tag == "code" and re.fullmatch(r"language-[\w+-]+", value)):
        return None
    return f"user-content-{value}" if name in {"id", "name"} else value


def removed(markdown: str) -> list[str]:
    """Return the tags and attributes that the sanitiser takes away from a comment."""
    page = re.sub("<!--.*?-->", "", unsanitised(markdown), flags=re.DOTALL)
    return sorted((_markup(page) - _markup(sanitised(page))).elements())


def _markup(page: str) -> Counter[str]:
    tags = re.findall(r"<([a-zA-Z][\w-]*)((?:\s[^<>]*)?)>", page)
    found = Counter(tag.lower() for tag, _ in tags)
    found.update(
        f"{tag.lower()} {name.lower()}" for tag, rest in tags for name in re.findall(r"\s([a-zA-Z_:][\w:.-]*)=", rest)
    )
    return found


def document(markdown: str, *, css: str, theme: str) -> str:
    """Return a page that shows a comment alone, in GitHub's light or dark colours."""
    back = {"light": "#ffffff", "dark": "#0d1117"}[theme]
    line = {"light": "#d1d9e0", "dark": "#3d444d"}[theme]
    return f"""<!doctype html>
<html data-theme="{theme}"><meta charset="utf-8"><title>Comment</title>
<style>{css}
body {{ margin: 0; padding: 12px; background: {back}; }}
.markdown-body {{ padding: 16px; border: 1px solid {line}; border-radius: 6px; font-size: 14px; }}
</style>
<article class="markdown-body">{sanitised(unsanitised(markdown))}</article>
</html>"""
