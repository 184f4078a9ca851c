"""Inspect AI logs: ``.eval`` archives and ``.json``, samples and epochs."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from clearband.results import inspect_ai_log, inspect_ai_scores, lookup, member_names, table
from clearband.results.about import About
from clearband.results.inspect_ai_measurement import measurement_of, scorers_of
from clearband.results.outline import Shape
from clearband.results.question_keys import decoded
from clearband.results.result_file import shown
from clearband.results.table import Table, hashed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import msgspec
    from numpy.typing import NDArray

    from clearband.results.columns import Columns
    from clearband.results.inspect_ai_log import Header, Log, Sample
    from clearband.results.options import ReadOptions
    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile
    from clearband.results.run import Run

ABOUT = About(
    name="Inspect AI",
    versions="logs of 0.3.41, 0.3.58, 0.3.95 (public), 0.3.60, 0.3.180 and 0.3.285 (run for this project); version 2",
    produce="`inspect eval` writes the log into `logs/`, as `.eval` or with `--log-format json`; "
    "`inspect score LOG --scorer NAME` adds scores to a log without",
    key="sample id; the numbers that Inspect gives where a dataset has no ids are checked by a hash of the input",
    metrics="one for each scorer, or `scorer.key` where a scorer gives a dict; C, P, I and N are 1, 0.5, 0 and 0; "
    "yes, no, true, false and numbers in text are read too",
    direction="none",
    errors="a sample with an error is lost (also where a rate limit or the harness failed), unless the log says "
    "`score_on_error`; NaN is unscored; a sample that met its own limit of time, tokens or messages has been scored "
    "and keeps the score; invalidated samples are lost; samples that a cancelled or failed run never reached are lost",
    measurement="model with its sampling, solvers (hash), commit, grading model and template, scorers with options, "
    "dataset name and task version, attempt rule, version of Inspect",
    traps=(
        "Epochs are averaged, whatever reducer the log uses; the policy chooses another one.",
        "A word that is no score (such as a grade `B`) makes its scorer no metric; Inspect itself reads it as 0.",
        "A sample that was logged twice for one epoch (a repeated attempt) counts with both attempts.",
        "Choices that are shuffled without a seed move the target's letter, which looks like an edited question.",
        "Inputs are compared by their first 5,120 characters, which is what an `.eval` summary keeps.",
    ),
)

_KEY = "sample id"
_KEPT = 5_120
_RANDOM_ID = re.compile(r"_[A-Za-z0-9]{22}$")
_ROW_FIELDS = ("id", "epoch", "input", "target", "metadata")


def sniff(file: ResultFile, outline: Outline) -> bool:
    """Whether the file is a log: an archive with Inspect's header or journal, or the same object as JSON."""
    if outline.shape is Shape.OTHER:
        return inspect_ai_log.is_archived_log(file)
    return outline.has("version", "status", "eval") and {"task", "model"} <= outline.inside("eval").keys()


def task_of(path: str) -> str:
    """Return the task that the name of a log tells, which is written as time, task and a random id."""
    return _RANDOM_ID.sub("", member_names.untimed(path)) or path


def read(file: ResultFile, options: ReadOptions) -> Run:
    """Read `file` into a run: a row for each sample and epoch."""
    needs_metadata = bool(options.labels) or options.id_field is not None
    is_json = not inspect_ai_log.is_archived_log(file)
    log = inspect_ai_log.from_document(file) if is_json else inspect_ai_log.from_archive(file, metadata=needs_metadata)
    if not log.samples:
        raise file.problem(
            f"the log ({shown(log.header.status)}) holds no samples",
            remedy="It is a header only, or nothing was run. Hand in the whole log; run without `--no-log-samples`.",
        )
    rows = [_row(sample) for sample in log.samples] if needs_metadata else []
    ids, key = _ids(file, log.samples, rows, options.id_field)
    scored_errors = log.header.eval.config.score_on_error is True
    errored = [_failed(sample, scored_errors=scored_errors) for sample in log.samples]
    scores = _scores(file, log, errored)
    missing = _never_run(log.header, ids) if options.id_field is None else []
    count = len(log.samples) + len(missing)
    blank = [None] * len(missing)
    return table.to_run(
        Table(
            file=file,
            format=f"inspect-ai/{'json' if is_json else 'eval'}",
            ids=[*ids, *missing],
            series=scores.series(count),
            errored=np.array([*errored, *([True] * len(missing))], dtype=np.bool_),
            trial=_epochs(log.samples, len(missing)),
            content=[*map(_content, log.samples), *blank],
            labels={name: [*cells, *blank] for name, cells in lookup.labels(rows, options.labels).items()},
            measurement=measurement_of(log.header),
            key=key,
            notes=(*_notes(log, ids, missing), *scores.left_out()),
        )
    )


def _ids(
    file: ResultFile, samples: Sequence[Sample], rows: Sequence[dict[str, object]], field: str | None
) -> tuple[list[str], str]:
    cells: list[object] = [one.id for one in samples] if field is None else [lookup.inside(row, field) for row in rows]
    texts = [lookup.id_text(cell) for cell in cells]
    if field is not None and not any(texts):
        raise file.problem(
            f"no sample has a field `{shown(field)}`",
            remedy=f"A sample has {', '.join(f'`{name}`' for name in _ROW_FIELDS)}; name one, such as metadata.qid.",
        )
    ids = [text for text in texts if text is not None]
    if len(ids) < len(texts):
        row = texts.index(None)
        raise file.problem(
            f"`{shown(field or 'id')}` is {shown(cells[row])}, which is no id",
            where=f"sample {row + 1}",
            remedy="Every sample needs an id, as text or as a whole number.",
        )
    if len(set(ids)) < len({(type(cell), cell) for cell in cells if isinstance(cell, int | str)}):
        raise file.problem(
            "one id stands there as a number and as a text", remedy="Write all ids of the dataset the same way."
        )
    return ids, _KEY if field is None else field


def _row(sample: Sample) -> dict[str, object]:
    """Return what labels and ids are looked up in."""
    return {"id": sample.id, "epoch": sample.epoch} | {
        name: decoded(raw)
        for name, raw in (("input", sample.input), ("target", sample.target), ("metadata", sample.metadata))
    }


def _failed(sample: Sample, *, scored_errors: bool) -> bool:
    if _is_there(sample.invalidation):
        return True
    return _is_there(sample.error) and not (scored_errors and sample.scores)


def _is_there(raw: msgspec.Raw) -> bool:
    return bytes(raw) not in {b"", b"null"}


def _scores(file: ResultFile, log: Log, failed: Sequence[bool]) -> Columns:
    scorers = scorers_of(log.header)
    found = inspect_ai_scores.collect(file, log.samples, failed, scorers[0].name if len(scorers) == 1 else None)
    if not found.cells and all(failed):
        found = inspect_ai_scores.unscored(file, scorers)
    if not found.cells.keys() - found.faults.keys():
        raise file.problem(
            "the log holds no scores that are numbers" if found.faults else "the log holds no scores",
            where=" ".join(found.left_out()) or None,
            remedy="Run without `--no-score`, or score the log now: inspect score LOG --scorer match. "
            "A scorer that returns a list can return a dict of named numbers instead.",
        )
    return found


def _never_run(header: Header, ids: Sequence[str]) -> list[str]:
    """Return the dataset's questions that a run that ended early did not reach."""
    planned = header.eval.dataset.sample_ids
    if header.status == "success" or not isinstance(planned, list):
        return []
    known = set(ids)
    return [text for text in dict.fromkeys(map(lookup.id_text, planned)) if text is not None and text not in known]


def _epochs(samples: Sequence[Sample], missing: int) -> NDArray[np.float64] | None:
    epochs = [one.epoch for one in samples]
    if not all(isinstance(epoch, int) and abs(epoch) < 2**53 for epoch in epochs):
        return None
    return np.array([*epochs, *([1] * missing)], dtype=np.float64)


def _content(sample: Sample) -> str | None:
    """Hash the input and the target; long texts by what a summary keeps of them."""
    question, target = decoded(sample.input), decoded(sample.target)
    if question is None:
        return None
    messages = question if isinstance(question, list) else [question]
    return hashed(*map(_message, messages), "target", *map(_message, target if isinstance(target, list) else [target]))


def _message(message: object) -> str:
    """Return a message's role and text, without its random id."""
    if not isinstance(message, dict):
        return message[:_KEPT] if isinstance(message, str) else repr(message)
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    return f"{message.get('role')}: {' '.join(map(_part, parts))}"


def _part(part: object) -> str:
    if not isinstance(part, dict):
        return _message(part)
    kind = str(part.get("type"))
    return _message(part.get("text")) if kind == "text" else f"({kind.capitalize()})"


def _notes(log: Log, ids: Sequence[str], missing: Sequence[str]) -> list[str]:
    header, notes = log.header, []
    if header.status != "success":
        never = f"; {len(missing)} questions were never run and count as lost" if missing else ""
        notes.append(f"The log's status is `{shown(header.status)}`, not success: it may be partial{never}.")
    if not {type(one.id) for one in log.samples} - {int}:
        notes.append(
            "The sample ids are numbers, which Inspect gives by position; the inputs' hashes are compared too."
        )
    often = Counter((name, str(one.epoch)) for name, one in zip(ids, log.samples, strict=True))
    again = sum(1 for count in often.values() if count > 1)
    if again:
        notes.append(f"{again} samples were logged more than once for the same epoch; every attempt counts.")
    invalid = sum(1 for one in log.samples if _is_there(one.invalidation))
    if invalid:
        notes.append(f"{invalid} samples are invalidated and count as lost.")
    if header.eval.config.score_on_error is True:
        kept = sum(1 for one in log.samples if _is_there(one.error) and one.scores)
        notes.append(f"{kept} samples ended in an error and were scored, as the log's `score_on_error` asks.")
    reducers = header.eval.config.epochs_reducer
    if isinstance(reducers, list) and any(name != "mean" for name in reducers):
        listed = ", ".join(f"`{shown(name)}`" for name in reducers[:5])
        notes.append(f"The log reduces epochs by {listed}; here they are averaged, or as the policy says.")
    return notes
