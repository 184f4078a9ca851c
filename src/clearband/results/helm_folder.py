"""What HELM writes beside ``per_instance_stats.json``: the run's settings, and the questions themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import msgspec

from clearband.errors import UnusableResults
from clearband.results import lenient_json
from clearband.results.identity import text_key
from clearband.results.question_keys import canonical
from clearband.results.table import hashed
from clearband.vocabulary import MeasurementField

if TYPE_CHECKING:
    from clearband.results.result_file import ResultFile

T = TypeVar("T")

_SETTINGS, _STATE, _INSTANCES = "run_spec.json", "scenario_state.json", "instances.json"
_SAMPLING = ("temperature", "max_tokens", "stop_sequences", "num_outputs")
_NO_PROMPT = frozenset(
    {"model", "model_deployment", "max_eval_instances", "num_train_trials", "num_trials", *_SAMPLING}
)


class _Spec(msgspec.Struct):
    """``scenario_spec`` or a metric's."""

    class_name: str = ""
    args: object = None


class _Settings(msgspec.Struct):
    scenario_spec: _Spec = msgspec.field(default_factory=_Spec)
    adapter_spec: dict[str, object] = msgspec.field(default_factory=dict)
    metric_specs: list[_Spec] = msgspec.field(default_factory=list)


class _Text(msgspec.Struct):
    text: str = ""


class _Reference(msgspec.Struct):
    output: _Text = msgspec.field(default_factory=_Text)
    tags: list[str] = msgspec.field(default_factory=list)


class _Instance(msgspec.Struct):
    id: str | None = None
    input: _Text = msgspec.field(default_factory=_Text)
    references: list[_Reference] = msgspec.field(default_factory=list)
    perturbation: object = None


class _Request(msgspec.Struct):
    instance: _Instance = msgspec.field(default_factory=_Instance)


class _State(msgspec.Struct):
    request_states: list[_Request] = msgspec.field(default_factory=list)


def measurement_of(file: ResultFile) -> dict[MeasurementField, str]:
    """Return with what the run was measured, as far as ``run_spec.json`` tells."""
    told = _beside(file, _SETTINGS, _Settings)
    if told is None:
        return {}
    adapter = told.adapter_spec
    sampling = {name: adapter[name] for name in _SAMPLING if adapter.get(name) is not None}
    prompt = {name: value for name, value in adapter.items() if name not in _NO_PROMPT}
    model = adapter.get("model") or adapter.get("model_deployment")
    metrics = canonical([[one.class_name, one.args] for one in told.metric_specs])
    scenario = told.scenario_spec
    found = {
        MeasurementField.MODEL: f"{model} {canonical(sampling)}" if isinstance(model, str) else "",
        MeasurementField.PROMPT: f"sha256:{hashed(canonical(prompt))}" if prompt else "",
        MeasurementField.SCORER: f"{', '.join(_short(one.class_name) for one in told.metric_specs)} "
        f"sha256:{hashed(metrics)}" if told.metric_specs else "",
        MeasurementField.DATASET: f"{_short(scenario.class_name)} {canonical(scenario.args)}"
        if scenario.class_name
        else "",
    }  # fmt: skip
    return {field: text_key(text) for field, text in found.items() if text}


def content_of(file: ResultFile) -> dict[str, str]:
    """Return a hash of input and references for each instance id, where a file beside it holds the questions."""
    found = _beside(file, _INSTANCES, list[_Instance])
    if found is None:
        state = _beside(file, _STATE, _State)
        found = [] if state is None else [request.instance for request in state.request_states]
    return {
        one.id: hashed(one.input.text, canonical([[each.output.text, each.tags] for each in one.references]))
        for one in found
        if one.id is not None and one.perturbation is None
    }


def _beside(file: ResultFile, wanted: str, kind: type[T]) -> T | None:
    if wanted not in file.beside:  # a suite has many runs, each with settings of its own
        return None
    try:
        return lenient_json.part(replace(file, name=wanted), file.beside[wanted], kind, tool="HELM")
    except UnusableResults:  # the scores can be read without it
        return None


def _short(class_name: str) -> str:
    return class_name.rpartition(".")[2]
