"""A test run of DeepEval of any version, whichever way it was kept: its cases and their metrics, without traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from clearband.results import lenient_json
from clearband.results.outline import Shape, outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.results.outline import Outline
    from clearband.results.result_file import ResultFile

TOOL = "DeepEval"
PRODUCE = (
    "`DEEPEVAL_RESULTS_FOLDER=results deepeval test run ...` (or `evaluate()`), or `.deepeval/.latest_run_full.json`"
)


class Metric(msgspec.Struct):
    """One metric of a case; DeepEval's Python objects spell some fields otherwise than its files."""

    name: object = None
    metric: object = None
    score: object = None
    threshold: object = None
    least: object = msgspec.field(default=None, name="minimumScore")
    success: object = None
    flaky: object = None
    error: object = None
    strict: object = msgspec.field(default=None, name="strictMode")
    strict_mode: object = None
    model: object = msgspec.field(default=None, name="evaluationModel")
    evaluation_model: object = None

    @property
    def called(self) -> str | None:
        """The name; None where there is none."""
        name = self.name if self.name is not None else self.metric
        return name if isinstance(name, str) and name.strip() else None

    @property
    def limit(self) -> object:
        """The threshold, under whichever name."""
        return self.threshold if self.threshold is not None else self.least

    @property
    def judge(self) -> object:
        """The model that judged."""
        return self.model if self.model is not None else self.evaluation_model

    @property
    def is_strict(self) -> bool:
        """Whether only a perfect score passes."""
        return self.strict is True or self.strict_mode is True


class Span(msgspec.Struct):
    """A step of the evaluated system that has metrics of its own."""

    name: object = None
    data: list[Metric] | None = msgspec.field(default=None, name="metricsData")


class Trace(msgspec.Struct):
    """The steps of the evaluated system, by kind."""

    agents: list[Span] | None = msgspec.field(default=None, name="agentSpans")
    tools: list[Span] | None = msgspec.field(default=None, name="toolSpans")
    retrievers: list[Span] | None = msgspec.field(default=None, name="retrieverSpans")
    models: list[Span] | None = msgspec.field(default=None, name="llmSpans")
    others: list[Span] | None = msgspec.field(default=None, name="baseSpans")
    data: list[Metric] | None = msgspec.field(default=None, name="metricsData")

    @property
    def spans(self) -> Iterator[Span]:
        """All steps."""
        for kind in (self.agents, self.tools, self.retrievers, self.models, self.others):
            yield from kind or ()


class Case(msgspec.Struct):
    """One test case: a question, or a conversation."""

    name: object = None
    input: object = None
    scenario: object = None
    turns: object = None
    expected: object = msgspec.field(default=None, name="expectedOutput")
    expected_output: object = None
    outcome: object = msgspec.field(default=None, name="expectedOutcome")
    success: object = None
    data: list[Metric] | None = msgspec.field(default=None, name="metricsData")
    older: list[Metric] | None = msgspec.field(default=None, name="metricsMetadata")
    metrics_data: list[Metric] | None = None
    trace: Trace | None = None
    tags: object = None
    metadata: object = None
    further: object = msgspec.field(default=None, name="additionalMetadata")

    @property
    def metrics(self) -> list[Metric]:
        """The case's own metrics, under whichever name; those of its trace where it has none."""
        return self.data or self.older or self.metrics_data or (self.trace.data if self.trace else None) or []

    @property
    def asked(self) -> object:
        """The input; of a conversation its scenario, else what the user said in it."""
        return next((part for part in (self.input, self.scenario, _said(self.turns)) if part is not None), None)

    @property
    def answer(self) -> object:
        """What was expected."""
        return next((part for part in (self.expected, self.expected_output, self.outcome) if part is not None), None)


def _said(turns: object) -> object:
    """Return what the user said, and nothing of the system's: its words differ from run to run."""
    spoken = [turn for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []
    return [turn["content"] for turn in spoken if turn.get("role") == "user" and turn.get("content")] or None


class Prompt(msgspec.Struct):
    """A prompt among the hyperparameters."""

    alias: object = None
    version: object = None
    hash: object = None
    template: object = msgspec.field(default=None, name="text_template")


class TestRun(msgspec.Struct):
    """A run with all that tells how it was measured."""

    cases: list[Case] | None = msgspec.field(default=None, name="testCases")
    conversations: list[Case] | None = msgspec.field(default=None, name="conversationalTestCases")
    hyperparameters: object = None
    prompts: list[Prompt] | None = None
    dataset: object = msgspec.field(default=None, name="datasetAlias")
    test_file: object = msgspec.field(default=None, name="testFile")


class _Latest(msgspec.Struct):
    run: TestRun | None = msgspec.field(default=None, name="testRunData")


class _Returned(msgspec.Struct):
    cases: list[Case] | None = msgspec.field(default=None, name="test_results")


def is_test_run(seen: Outline) -> bool:
    """Whether these are the keys of a run, of what DeepEval keeps of one, or of what `evaluate` returned."""
    if seen.shape is not Shape.OBJECT:
        return False
    if any(seen.has(key) for key in ("testRunData", "testRunLink", "test_cases_lookup_map")):
        return True
    if seen.has("test_results"):
        return "metrics_data" in seen.inside("test_results")
    first = seen.inside("testCases") or seen.inside("conversationalTestCases")
    return seen.has("testCases") and (
        seen.has("metricsScores") or bool({"metricsData", "metricsMetadata"} & first.keys())
    )


def load(file: ResultFile) -> TestRun:
    """Read the run, or say which of DeepEval's files to take instead."""
    seen = outline(file)
    if seen.has("testRunLink") and not seen.has("testRunData"):
        raise file.problem(
            "the file holds a link to Confident AI and no data",
            remedy=f"Take the file of {PRODUCE}; it is written whether or not you are logged in.",
        )
    if seen.has("test_cases_lookup_map"):
        raise file.problem(
            "the file is DeepEval's cache of single metrics and no test run", remedy=f"Take the file of {PRODUCE}."
        )
    if seen.has("testRunData"):
        return lenient_json.document(file, _Latest, tool=TOOL).run or TestRun()
    if seen.has("test_results"):
        return TestRun(cases=lenient_json.document(file, _Returned, tool=TOOL).cases)
    return lenient_json.document(file, TestRun, tool=TOOL)
