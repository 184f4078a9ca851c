"""Segment scores of ``sacrebleu -sl``: a signature and a score on each line."""

from __future__ import annotations

import io
import re
from array import array
from typing import TYPE_CHECKING

from clearband.results import mt_segments
from clearband.results.about import About
from clearband.results.outline import Shape
from clearband.results.result_file import shown
from clearband.results.table import column
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

ABOUT = About(
    name="sacrebleu",
    versions="1.5.1, 2.4.3 and 2.6.0 (run for this project)",
    produce="`sacrebleu REF -i HYP -m chrf -sl -w 4 > scores.txt`, once for each metric",
    key="the line, which is the place of the segment",
    metrics="the name that sacrebleu prints: `BLEU`, `chrF2`, `TER` ...; one file may hold several calls",
    direction="none",
    errors="every segment is scored",
    measurement="scorer (the signature) and version of sacrebleu",
    traps=(
        "The mean of sentence scores is not the corpus score, for BLEU least of all.",
        "Without `-w 4` scores have one decimal.",
        "chrF of sacrebleu 1.x goes to 1, of 2.x to 100; the version keeps the two apart.",
        "TER is an error rate; the file does not say so, declare `lower`.",
    ),
)

_LINE = re.compile(
    rb"(?P<name>[A-Za-z]+\d*(?:\+\+)?)(?P<signature>[|+]\S*?[|+](?:version|v)[:.](?P<version>\d[\w.]*)\S*)"
    rb" = (?P<score>-?\d+(?:\.\d+)?)(?: .*)?\s*"
)
_SCORE = re.compile(rb"(-?\d+(?:\.\d+)?)(?: .*)?\s*")
_LINE_BYTES = 4_096
_SEGMENTS = "Run sacrebleu with -sl (and -w 4), which writes a line for each segment."
_CORPUS = ("name", "score", "signature")


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the first line is a score behind a signature; also the corpus score as JSON, to say what to do."""
    if outline.shape in {Shape.OBJECT, Shape.LIST}:
        return outline.has(*_CORPUS, "version")
    return outline.shape is Shape.OTHER and _LINE.fullmatch(mt_segments.first_line(file.data)) is not None


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a question for each segment."""
    mt_segments.refuse_id(file, options)
    if file.head(4096).lstrip().startswith((b"{", b"[")):
        raise file.problem("the file holds the score of the whole corpus", remedy=_SEGMENTS)
    found, versions = _scores(file)
    count = _count(file, found)
    return mt_segments.to_run(
        file,
        "sacrebleu/text",
        count,
        [column(name.decode(), scores) for (name, _), scores in found.items()],
        measurement={
            MeasurementField.SCORER: "; ".join(sorted((name + signature).decode() for name, signature in found)),
            MeasurementField.TOOL: f"sacrebleu {', '.join(sorted(map(bytes.decode, versions)))}",
        },
        notes=("The mean of sentence scores is not the score of the corpus.",),
    )


def _scores(file: ResultFile) -> tuple[dict[tuple[bytes, bytes], array[float]], set[bytes]]:
    """Return the scores by name and signature, and the versions."""
    found: dict[tuple[bytes, bytes], array[float]] = {}
    versions: set[bytes] = set()
    heads: dict[bytes, array[float]] = {}
    for line, text in enumerate(io.BytesIO(file.data), 1):
        head, _, tail = text.partition(b" = ")
        score = _SCORE.fullmatch(tail)
        if head not in heads:
            parts = _LINE.fullmatch(text) if len(text) <= _LINE_BYTES else None
            if parts is not None:
                heads[head] = found.setdefault((parts["name"], parts["signature"]), array("d"))
                versions.add(parts["version"])
        if score is not None and head in heads:
            mt_segments.refuse_too_many(file, line, len(heads))
            heads[head].append(float(score[1]))
        elif not text.isspace():
            raise mt_segments.odd_line(file, line, text)
    return found, versions


def _count(file: ResultFile, found: dict[tuple[bytes, bytes], array[float]]) -> int:
    """Return the number of segments, which every metric must share."""
    counts = {len(scores) for scores in found.values()}
    if counts == {1}:
        raise file.problem("the file holds one score, of the whole corpus", remedy=_SEGMENTS)
    names = [name for name, _ in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None or len(counts) > 1:
        what = f"`{shown(twice.decode())}` has two signatures" if twice else "its metrics do not have as many segments"
        raise file.problem(what, remedy="Write each system, and each way of scoring, into a file of its own.")
    return counts.pop()
