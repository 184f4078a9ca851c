"""Small Inspect AI logs, made to order in both of their forms, and a way to look at what was read of them."""

from __future__ import annotations

import io
import json
import math
import zipfile
from typing import TYPE_CHECKING

import numpy as np
from backports.zstd import zipfile as zstd_zipfile

from clearband.results import ReadOptions, read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clearband.results.run import Run

Json = dict[str, object]

ZSTD = 93
DEFAULTS = ReadOptions()


def sample(name: object = "q1", value: object = "C", *, epoch: int = 1, scorer: str = "match", **more: object) -> Json:
    return {
        "id": name,
        "epoch": epoch,
        "input": f"Question {name}?",
        "target": "yes",
        "messages": [{"role": "user", "content": "long"}],
        "scores": {scorer: {"value": value}},
        "metadata": {"topic": "sums", "qid": f"own-{name}"},
        **more,
    }


def failed(name: object = "q1", **more: object) -> Json:
    return sample(name, **{"scores": {}, "error": {"message": "RateLimitError", "traceback": "..."}, **more})


def log(
    *samples: Json,
    status: str = "success",
    spec: Mapping[str, object] | None = None,
    config: Mapping[str, object] | None = None,
    **more: object,
) -> Json:
    return {
        "version": 2,
        "status": status,
        "eval": {
            "task": "sums",
            "model": "openai/gpt-4o",
            "dataset": {"name": "sums"},
            "config": {"epochs": 1, **(config or {})},
            "scorers": [{"name": "match", "options": {}}],
            **(spec or {}),
        },
        "plan": {"steps": [{"solver": "generate", "params": {}}]},
        **more,
        "samples": list(samples),
    }


def as_json(made: Json) -> bytes:
    return json.dumps(made).encode()


def summary(one: Json) -> Json:
    """What Inspect keeps of a sample for a list of samples."""
    error = one.get("error")
    kept = {name: value for name, value in one.items() if name not in {"messages", "invalidation"}}
    return kept | ({"error": error["message"]} if isinstance(error, dict) else {})


def as_archive(
    made: Json,
    *,
    method: int = zipfile.ZIP_DEFLATED,
    summaries: Sequence[Json] | None = None,
    final: bool = True,
    header_only: bool = False,
) -> bytes:
    """The log as ``.eval``; without `final` as a run leaves it that died: a journal, and no header."""
    samples = made["samples"]
    assert isinstance(samples, list)
    header = {name: value for name, value in made.items() if name != "samples"}
    listed = [summary(one) for one in samples] if summaries is None else list(summaries)
    file = io.BytesIO()
    with zstd_zipfile.ZipFile(file, "w", method) as archive:
        start = {name: header[name] for name in ("version", "eval", "plan")}
        archive.writestr("_journal/start.json", json.dumps(start))
        if not header_only:
            for one in samples:
                name = f"samples/{one['id']}_epoch_{one['epoch']}.json".encode("utf-8", "replace").decode()
                archive.writestr(name, json.dumps(one))
            middle = len(listed) // 2
            archive.writestr("_journal/summaries/1.json", json.dumps(listed[:middle]))
            archive.writestr("_journal/summaries/2.json", json.dumps(listed[middle:]))
        if final:
            if not header_only:
                archive.writestr("summaries.json", json.dumps(listed))
            archive.writestr("header.json", json.dumps(header))
    return file.getvalue()


def values(run: Run, metric: str = "match") -> dict[str, float | None]:
    cells = run.metrics[metric].tolist()
    return {name: None if math.isnan(cell) else cell for name, cell in zip(run.ids, cells, strict=True)}


def lost(run: Run) -> set[str]:
    return {name for name, is_lost in zip(run.ids, run.errored.tolist(), strict=True) if is_lost}


def of(*samples: dict[str, object], options: ReadOptions = DEFAULTS, **header: object) -> Run:
    """The run of a log, which is the same whether it is read as JSON, deflated or packed with zstd."""
    made = log(*samples, **header)
    one, *others = (
        read("log", data, options) for data in (as_json(made), as_archive(made), as_archive(made, method=ZSTD))
    )
    for other in others:
        assert (one.ids, one.content, one.notes, one.labels, one.measurement, one.trials) == (
            other.ids, other.content, other.notes, other.labels, other.measurement, other.trials
        )  # fmt: skip
        assert one.metrics.keys() == other.metrics.keys()
        for name in one.metrics:
            np.testing.assert_array_equal(one.metrics[name], other.metrics[name])
        np.testing.assert_array_equal(one.errored, other.errored)
    return one
