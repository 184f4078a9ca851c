"""With what an Inspect AI log was measured, as far as it tells."""

from __future__ import annotations

import msgspec

from clearband.results.identity import text_key
from clearband.results.inspect_ai_log import Header, Scorer
from clearband.results.table import hashed
from clearband.vocabulary import MeasurementField

_SAMPLING = ("temperature", "top_p", "top_k", "max_tokens", "reasoning_effort", "reasoning_tokens", "seed", "stop_seqs")
_JUDGED = "model_graded"
_JUDGE_PROMPT = ("template", "instructions", "grade_pattern")


def scorers_of(header: Header) -> list[Scorer]:
    """Return the scorers with their options; older logs name them beside their results only."""
    if header.eval.scorers:
        return header.eval.scorers
    results = header.results.scores if header.results else None
    return [Scorer(name=one.scorer, options=one.params) for one in results or ()]


def measurement_of(header: Header) -> dict[MeasurementField, str]:
    """Return every field that the log tells."""
    found = {
        MeasurementField.MODEL: _model(header),
        MeasurementField.PROMPT: _prompt(header),
        MeasurementField.COMMIT: _commit(header.eval.revision),
        MeasurementField.JUDGE: _judge(header),
        MeasurementField.JUDGE_PROMPT: _judge_prompt(header),
        MeasurementField.SCORER: "; ".join(sorted({_scorer(one) for one in scorers_of(header)})),
        MeasurementField.DATASET: _dataset(header),
        MeasurementField.TRIALS: _trials(header),
        MeasurementField.TOOL: _tool(header.eval.packages),
    }
    return {field: text_key(text) for field, text in found.items() if text}


def _model(header: Header) -> str:
    """Name the model and whatever is set about its sampling."""
    planned = header.plan.config if header.plan else None
    config = _dict(planned) | _dict(header.eval.model_generate_config)
    sampling = {name: config[name] for name in _SAMPLING if config.get(name) is not None}
    return _text(header.eval.model) + (f" {_json(sampling)}" if sampling else "")


def _prompt(header: Header) -> str:
    """Hash the solvers, in which prompts and templates lie."""
    steps = header.plan.steps if header.plan else None
    if not isinstance(steps, list) or not steps:
        return ""
    told = [{name: value for name, value in _dict(step).items() if name != "params_passed"} for step in steps]
    return f"sha256:{hashed(_json(told))}"


def _commit(revision: object) -> str:
    commit = _text(_dict(revision).get("commit"))
    return f"{commit} with changes" if commit and _dict(revision).get("dirty") is True else commit


def _judge(header: Header) -> str:
    """Name the grading model: a scorer's own, else the role ``grader``, else the evaluated model itself."""
    judged = [_dict(one.options) for one in scorers_of(header) if one.name.rpartition("/")[2].startswith(_JUDGED)]
    grader = _dict(header.eval.model_roles).get("grader")
    role = _text(grader) or _text(_dict(grader).get("model"))
    own = [_text(options.get("model")) or _plain(options.get("model")) for options in judged]
    return "; ".join(dict.fromkeys(one or role or _text(header.eval.model) for one in own)) or role


def _judge_prompt(header: Header) -> str:
    told = [
        {name: options[name] for name in _JUDGE_PROMPT if options.get(name) is not None}
        for options in (_dict(one.options) for one in scorers_of(header))
    ]
    return f"sha256:{hashed(_json(told))}" if any(told) else ""


def _scorer(scorer: Scorer) -> str:
    options = {name: value for name, value in _dict(scorer.options).items() if name not in {"model", *_JUDGE_PROMPT}}
    return f"{scorer.name} {_json(options)}" if options else scorer.name


def _dataset(header: Header) -> str:
    name = _text(header.eval.dataset.name) or _text(header.eval.task)
    version = header.eval.task_version
    return f"{name}, task version {_plain(version)}" if name and version not in {None, 0, "0"} else name


def _trials(header: Header) -> str:
    """Say how a question's attempts come about; how many there are is counted."""
    retries = header.eval.config.retry_on_error
    again = f", up to {retries} retries after an error" if isinstance(retries, int) and retries else ""
    return f"epochs, mean{again}"


def _tool(packages: object) -> str:
    version = _text(_dict(packages).get("inspect_ai"))
    return f"Inspect AI {version}" if version else ""


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _plain(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else _json(value)


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()
