"""A repository's own comment template, rendered in a process of its own, with an end to its time and its memory.

The template comes from the base branch, so it is the repository's; Jinja's sandbox keeps it from files and functions.
What the sandbox does not limit is how long a loop runs and how much a text grows: the process does.
"""

from __future__ import annotations

import multiprocessing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clearband.report import render_suites
from clearband.report.essential import missing
from clearband.report.render import COMMENT_BYTES

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from clearband.several import Several

SIZE_CAP: Final = 32 * 1024
"""Bytes of a template; the built-in one has 4 KiB."""
SECONDS: Final = 10.0
MEMORY: Final = 1024 * 1024 * 1024
"""Bytes of address space: Python, numpy and Jinja take a quarter of it."""
_WORDS: Final = 300


@dataclass(frozen=True, slots=True)
class NotUsed:
    """The template cannot be used; the built-in one stands in."""

    why: str


def comment(several: Several, source: str) -> str | NotUsed:
    """Return the comment as the template `source` words it, or why it is not used.

    Parameters
    ----------
    several
        What is to be said.
    source
        The template: it extends `base` and replaces blocks of it.

    """
    if len(source.encode()) > SIZE_CAP:
        return NotUsed(f"it has more than {SIZE_CAP:,} bytes")
    text = _rendered(several, source)
    if isinstance(text, NotUsed):
        return text
    if len(text.encode()) > COMMENT_BYTES:
        return NotUsed(f"its comment has more than {COMMENT_BYTES:,} bytes, even without the finer numbers")
    left_out = missing(text, several, built_in=render_suites.comment(several))
    return text if left_out is None else NotUsed(f"it leaves out {left_out}")


def _rendered(several: Several, source: str) -> str | NotUsed:
    # `spawn`: the child starts clean, without this process's connections, and the same on every system.
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(there, several, source), daemon=True)
    try:
        child.start()
        there.close()
        if not here.poll(SECONDS + 2.0):
            return NotUsed(f"it was not done after {SECONDS:.0f} seconds")
        # The first byte says which it is; raw bytes, as nothing that a template made is to be unpacked here.
        data = here.recv_bytes(maxlength=4 * COMMENT_BYTES)
    except EOFError:
        return NotUsed(f"it took more than {SECONDS:.0f} seconds or {MEMORY // 2**20:,} MiB")
    except OSError:
        return NotUsed("its comment is far too long")
    finally:
        child.kill()
        child.join()
        here.close()
    text = data[1:].decode()
    return text if data[:1] == b"+" else NotUsed(text)


def _child(there: Connection, several: Several, source: str) -> None:
    """Render, and send the text or what was wrong; in a process that ends here."""
    _limit()
    try:
        data = b"+" + render_suites.comment(several, custom=source).encode()
    except MemoryError:
        return
    except Exception as problem:  # noqa: BLE001  whatever a template does wrong, its author is told in one line
        line = getattr(problem, "lineno", None)
        place = f" (line {line})" if isinstance(line, int) else ""
        data = b"-" + f"{type(problem).__name__}{place}: {problem}"[:_WORDS].encode("utf-8", "replace")
    there.send_bytes(data)


def _limit() -> None:
    try:
        import resource  # noqa: PLC0415  not on Windows, where the time limit alone holds
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS), int(SECONDS)))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
