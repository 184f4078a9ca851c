"""The totals that lighteval writes beside its details: directions and settings."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from clearband.results import member_names
from clearband.results.beside import decoded, named, settings, spoken, steady
from clearband.results.identity import text_key
from clearband.results.question_keys import canonical
from clearband.results.table import hashed
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clearband.results.result_file import ResultFile

_TOTALS = "results*.json"
_PROMPT = (
    "prompt_function", "generation_size", "generation_grammar", "stop_sequence", "num_fewshots", "few_shots_split",
    "few_shots_select", "num_samples",
)  # fmt: skip
_DATASET = ("hf_repo", "hf_subset", "hf_revision", "evaluation_splits")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_SEPARATORS = re.compile(r"[|:]")
_SHOTS = re.compile(r"_\d+$")


class _Document(msgspec.Struct):
    config_general: dict[str, object] = {}
    config_tasks: dict[str, object] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What a results file says of one task; empty where there is no such file."""

    general: Mapping[str, object] = field(default_factory=dict)
    task: Mapping[str, object] = field(default_factory=dict)

    def directions(self, names: Iterable[str]) -> dict[str, Direction]:
        """Return which way is better for each metric of which the tool says so."""
        said: dict[str, object] = {}
        for metric in self._metrics():
            name, better = metric.get("metric_name"), metric.get("higher_is_better")
            if isinstance(better, dict):
                said |= better
            elif isinstance(name, str):
                said[name] = better
        return {
            name: Direction.HIGHER if said[name] else Direction.LOWER
            for name in names
            if isinstance(said.get(name), bool)
        }

    def measurement(self) -> dict[MeasurementField, str]:
        """Return with what the task was measured."""
        sha = self.general.get("lighteval_sha")
        found = {
            MeasurementField.MODEL: self._model(),
            MeasurementField.PROMPT: self._prompt(),
            MeasurementField.SCORER: self._scorer(),
            MeasurementField.DATASET: " ".join(spoken(self.task[name]) for name in _DATASET if self.task.get(name)),
            MeasurementField.TOOL: f"lighteval {sha}" if isinstance(sha, str) and _COMMIT.fullmatch(sha) else "",
        }
        return {name: text_key(text) for name, text in found.items() if text}

    def _metrics(self) -> list[dict[str, object]]:
        listed = self.task.get("metrics", self.task.get("metric"))
        return [metric for metric in listed if isinstance(metric, dict)] if isinstance(listed, list) else []

    def _model(self) -> str:
        config = settings(self.general.get("model_config"))
        known = [self.general.get("model_name"), self.general.get("model_sha") or config.get("revision")]
        sampling = _told(settings(config.get("generation_parameters") or self.general.get("generation_parameters")))
        return " ".join(
            [*(one for one in known if isinstance(one, str) and one), *([canonical(sampling)] if sampling else [])]
        )

    def _prompt(self) -> str:
        told = _told({name: self.task.get(name) for name in _PROMPT})
        system = settings(self.general.get("model_config")).get("system_prompt")
        return f"sha256:{hashed(steady(told), steady(system))}" if told else ""

    def _scorer(self) -> str:
        names = [metric.get("metric_name") for metric in self._metrics()]
        version = self.task.get("version")
        told = ", ".join(spoken(name) for name in names)
        rule = f"sha256:{hashed(steady(self._metrics()))}"
        return f"{told}, task version {version}, {rule}" if names else ""


def beside(file: ResultFile, task: str) -> Totals:
    """Return what the results file of the same run says of `task`.

    Parameters
    ----------
    file
        The details; their name may carry the time of the run.
    task
        As the details or their name call it: ``arith|0``, or ``arith_0`` where the sign had to go.

    """
    own = member_names.stamp(file.name)
    found = [
        (member_names.stamp(name) == own, Totals(general=told.config_general, task=config))
        for name in named(file, _TOTALS)
        if (told := decoded(file, name, _Document, tool="lighteval")) is not None
        and (config := _task(told, task)) is not None
    ]
    fitting = [totals for same, totals in found if same] or [totals for _, totals in found]
    return fitting[0] if len(fitting) == 1 else Totals()


def _task(told: _Document, task: str) -> dict[str, object] | None:
    """Return a task's settings; its name may lack the suite in front, the shots behind, or the signs between."""
    wanted = _SEPARATORS.sub("_", task)
    names = {name: _SEPARATORS.sub("_", name) for name in told.config_tasks}
    for fitting in (
        [name for name, plain in names.items() if plain == wanted],
        [name for name, plain in names.items() if plain == _SHOTS.sub("", wanted) or _SHOTS.sub("", plain) == wanted],
        [name for name, plain in names.items() if _SHOTS.sub("", plain).endswith(f"_{_SHOTS.sub('', wanted)}")],
    ):
        if fitting:
            return settings(told.config_tasks[fitting[0]]) if len(fitting) == 1 else None
    return None


def _told(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}
