"""What is measured, a module each; every one runs its commands side by side and returns rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bench.parts import computing, container, growth, large, process, readers, startup

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bench.context import Context
    from bench.timing import Row

PARTS: Final[Mapping[str, Callable[[Context], list[Row]]]] = {
    "startup": startup.measure,
    "process": process.measure,
    "computing": computing.measure,
    "growth": growth.measure,
    "large": large.measure,
    "readers": readers.measure,
    "container": container.measure,
}
"""By the name that PART= takes, in the order of the page."""
