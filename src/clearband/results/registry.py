"""The formats, each a module that is imported when a file may be its own: start-up does not pay for the other twenty.

A format is a module of this package with `ABOUT`, `sniff` (is it mine? by content, never by name) and `read`, and where
its tool writes several files, `task_of`. Registering it takes one line here.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, cast

from clearband.results import member_names
from clearband.results.outline import Shape

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clearband.results.about import About
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

_HEADER: Final = 2**16
_EVERY: Final = frozenset(Shape)


class Format(Protocol):
    """What a module of this package offers."""

    @property
    def ABOUT(self) -> About:  # noqa: N802  a module's constant
        """What the format says of itself."""

    def sniff(self, file: ResultFile, outline: Outline) -> bool:
        """Whether the file, unpacked and not empty, is in this format."""

    def read(self, file: ResultFile, options: ReadOptions) -> Run:
        """Read `file`, or raise `UnusableResults`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A format by its module's name, and by what its files cannot do without."""

    module: str
    shapes: frozenset[Shape] = _EVERY
    keys: tuple[str, ...] = ()
    """One of them is part of a key of the JSON object or first row; empty: ask always."""
    words: tuple[str, ...] = ()
    """One of them stands in the first line of a file that is no JSON; empty: ask always."""
    starts: bytes = b""
    """What a file that is no JSON begins with."""

    @property
    def ABOUT(self) -> About:  # noqa: N802  a module's constant
        """What the format says of itself."""
        return self._loaded().ABOUT

    def sniff(self, file: ResultFile, outline: Outline) -> bool:
        """Whether the file is in this format; the module is asked only where it may be."""
        return self._may_be(file, outline) and self._loaded().sniff(file, outline)

    def read(self, file: ResultFile, options: ReadOptions) -> Run:
        """Read `file`, or raise `UnusableResults`."""
        return self._loaded().read(file, options)

    def task_of(self, path: str) -> str | None:
        """Return the task that a file's path in a folder tells, None for a file that is no result of its own."""
        own = getattr(self._loaded(), "task_of", member_names.untimed)
        return cast("str | None", own(path))

    def _may_be(self, file: ResultFile, outline: Outline) -> bool:
        if outline.shape not in self.shapes:
            return False
        if outline.shape is Shape.OTHER:
            return file.head(len(self.starts)) == self.starts and _any_in(self.words, [_header(file)])
        return _any_in(self.keys, outline.keys)

    def _loaded(self) -> Format:
        return cast("Format", import_module(f"clearband.results.{self.module}"))


def _any_in(parts: tuple[str, ...], texts: Iterable[str]) -> bool:
    return not parts or any(part in text for text in texts for part in parts)


def _header(file: ResultFile) -> str:
    """Return the first line, as far as it may be a table's header."""
    return file.head(_HEADER).lstrip().partition(b"\n")[0].decode(errors="replace")


_OBJECT: Final = frozenset({Shape.OBJECT})
_LINES: Final = frozenset({Shape.LINES})
_LIST: Final = frozenset({Shape.LIST})
_OTHER: Final = frozenset({Shape.OTHER})

GENERIC: tuple[Registered, ...] = (
    Registered(module="parquet", shapes=_OTHER, starts=b"PAR1"),
    Registered(module="jsonl", shapes=_EVERY - _OTHER),
    Registered(module="json_document", shapes=_EVERY - _OTHER),
    Registered(module="delimited"),
)
"""Those that are no tool's own; the last one takes everything that is left and explains itself."""

FORMATS: tuple[Registered, ...] = (
    Registered(module="inspect_ai", shapes=_OBJECT | _OTHER, keys=("eval",), starts=b"PK"),
    Registered(module="lighteval", shapes=_OTHER, starts=b"PAR1"),
    Registered(module="promptfoo", keys=("results", "gradingResult", "namedScores"), words=("Named Scores",)),
    Registered(
        module="deepeval", shapes=_OBJECT, keys=("testRun", "testCases", "test_results", "test_cases_lookup_map")
    ),
    Registered(module="openai_evals", shapes=_LINES, keys=("spec", "run_id")),
    Registered(module="junit", shapes=_OTHER, words=("<",)),
    Registered(module="swe_bench", shapes=_OBJECT),
    Registered(module="pytest_json", shapes=_OBJECT, keys=("exitcode",)),
    Registered(module="mt_comet", shapes=_OBJECT | _OTHER, words=("Segment",)),
    Registered(module="ranx", shapes=_OBJECT),
    Registered(module="ir_measures", shapes=_LINES | _OTHER, keys=("measure",), words=("\t", " ")),
    Registered(module="trec_eval", shapes=_OTHER, words=("\t", " ")),
    Registered(module="mt_sacrebleu", shapes=_EVERY - _LINES, keys=("signature",), words=(" = ",)),
    Registered(module="mt_seg_score", shapes=_OTHER, words=("\t",)),
    Registered(module="azure_ai", shapes=_OBJECT, keys=("metrics",)),
    Registered(module="pydantic_evals", shapes=_OBJECT, keys=("cases",)),
    Registered(module="mlflow", keys=("/", "columns"), words=("/",)),
    Registered(module="phoenix", keys=("example_id",), words=("example_id",)),
    Registered(module="langsmith", keys=("example_id", "columns"), words=("example_id",)),
    Registered(module="braintrust", shapes=_EVERY - _OTHER, keys=("scores", "events", "data", "results")),
    Registered(
        module="ragas", keys=("user_input", "ground_truth", "columns"), words=("user_input", "ground_truth", "PAR1")
    ),
    Registered(module="helm", shapes=_LIST, keys=("instance_id",)),
    Registered(module="lm_eval", shapes=_EVERY - _OTHER, keys=("doc_id",)),
    *GENERIC,
)
"""Asked in this order: specific before generic."""
