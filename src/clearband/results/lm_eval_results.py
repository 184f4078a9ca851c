"""The totals that lm-evaluation-harness writes beside its samples: directions, settings, how many there should be."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from clearband.errors import UnusableResults
from clearband.results import lenient_json, lm_eval_values, member_names
from clearband.results.identity import text_key
from clearband.results.question_keys import canonical
from clearband.results.table import hashed
from clearband.vocabulary import Direction, MeasurementField

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from clearband.results.result_file import ResultFile

_TOTALS = "results*.json"
_PROMPT = (
    "doc_to_text", "doc_to_target", "doc_to_choice", "description", "target_delimiter", "fewshot_delimiter",
    "fewshot_config", "num_fewshot", "gen_prefix", "generation_kwargs",
)  # fmt: skip
_SCORING = ("metric_list", "filter_list", "output_type", "process_results")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_COMMIT = re.compile(r"[\w.-]*[0-9a-f]{7,40}[\w.-]*")


class _Document(msgspec.Struct):
    results: dict[str, object] = {}
    configs: dict[str, object] = {}
    versions: dict[str, object] = {}
    higher_is_better: dict[str, object] = {}
    n_samples: dict[str, object] = msgspec.field(default_factory=dict, name="n-samples")
    config: object = None
    git_hash: object = None
    lm_eval_version: object = None
    model_name: object = None
    system_instruction: object = None
    chat_template_sha: object = None
    fewshot_as_multiturn: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What a results file says of one task."""

    task: str
    told: _Document

    def directions(self, names: Iterable[str]) -> dict[str, Direction]:
        """Return which way is better for each metric of which the tool says so."""
        higher = _dict(self.told.higher_is_better.get(self.task))
        tool_names = {derived: metric for metric, (derived, _) in lm_eval_values.DERIVED.items()}
        said = {name: higher.get(tool_names.get(_base(name), _base(name))) for name in names}
        return {
            name: Direction.HIGHER if better else Direction.LOWER
            for name, better in said.items()
            if isinstance(better, bool)
        }

    @property
    def expected(self) -> int | None:
        """How many questions the tool says there were."""
        count = _dict(self.told.n_samples.get(self.task)).get("effective")
        return count if isinstance(count, int) else None

    def measurement(self) -> dict[MeasurementField, str]:
        """Return with what the task was measured."""
        config = _dict(self.told.configs.get(self.task))
        version = self.told.versions.get(self.task)
        found = {
            MeasurementField.MODEL: self._model(),
            MeasurementField.PROMPT: self._prompt(config),
            MeasurementField.COMMIT: _matching(_COMMIT, self.told.git_hash),
            MeasurementField.SCORER: _scorer(config),
            MeasurementField.DATASET: self.task if version is None else f"{self.task}, version {version}",
            MeasurementField.TOOL: _prefixed("lm-evaluation-harness ", self.told.lm_eval_version),
        }
        return {field: text_key(text) for field, text in found.items() if text}

    def _model(self) -> str:
        run = _dict(self.told.config)
        named = [self.told.model_name] if self.told.model_name else [run.get("model"), run.get("model_args")]
        return " ".join(_spoken(one) for one in (*named, run.get("gen_kwargs")) if one)

    def _prompt(self, config: dict[str, object]) -> str:
        told = {name: config[name] for name in _PROMPT if config.get(name) is not None}
        around = (self.told.system_instruction, self.told.chat_template_sha, self.told.fewshot_as_multiturn)
        return f"sha256:{hashed(_steady(told), _steady(around))}" if told else ""


def beside(file: ResultFile, metrics: Collection[str], questions: int) -> Totals | None:
    """Return what the results file of the same run says of this file's task; None where there is none.

    Parameters
    ----------
    file
        The samples. Their name says the task, or, renamed, the metrics and the number of questions do.
    metrics
        The metrics in it, as the tool calls them.
    questions
        How many there are.

    """
    own = member_names.stamp(file.name)
    names = [name for name in file.beside if fnmatch.fnmatch(member_names.basename(name), _TOTALS)]
    names.sort(key=lambda name: (member_names.stamp(name) == own, name), reverse=True)
    for name in names:
        told = _decoded(file, name)
        task = None if told is None else _task(file.name, told, metrics, questions)
        if told is not None and task is not None:
            return Totals(task=task, told=told)
    return None


def _decoded(file: ResultFile, name: str) -> _Document | None:
    try:
        return lenient_json.part(replace(file, name=name), file.beside[name], _Document, tool="lm-evaluation-harness")
    except UnusableResults:  # the samples can be read without it
        return None


def _task(name: str, told: _Document, metrics: Collection[str], questions: int) -> str | None:
    stem = member_names.untimed(name)
    named = [task for task in told.results if stem in {task, f"samples_{task}"} or stem.endswith(f"_{task}")]
    fitting = named or [task for task in told.results if _fits(told, task, metrics, questions)]
    longest = max(fitting, key=len, default=None)
    return longest if named or len(fitting) == 1 else None


def _fits(told: _Document, task: str, metrics: Collection[str], questions: int) -> bool:
    count = _dict(told.n_samples.get(task)).get("effective")
    derived = {name: lm_eval_values.DERIVED.get(name, (name, 1.0))[0] for name in map(_base, _metrics_of(told, task))}
    return count == questions and set(metrics) == set(derived.values())


def _metrics_of(told: _Document, task: str) -> Iterator[str]:
    return (name for name in _dict(told.results.get(task)) if "," in name and "_stderr," not in name)


def _base(name: str) -> str:
    return name.partition(",")[0]


def _scorer(config: dict[str, object]) -> str:
    told = {name: config[name] for name in _SCORING if config.get(name) is not None}
    listed = config.get("metric_list")
    names = [_spoken(_dict(one).get("metric")) for one in listed] if isinstance(listed, list) else []
    return f"{', '.join(names)} sha256:{hashed(_steady(told))}".strip() if told else ""


def _steady(value: object) -> str:
    """Spell settings the same way in every process: without the addresses of functions."""
    return _ADDRESS.sub("", canonical(value))


def _prefixed(prefix: str, value: object) -> str:
    return f"{prefix}{value}" if isinstance(value, str) and value else ""


def _matching(pattern: re.Pattern[str], value: object) -> str:
    return value if isinstance(value, str) and pattern.fullmatch(value) else ""


def _spoken(value: object) -> str:
    return value if isinstance(value, str) else canonical(value)


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
