"""Several runs made into one: nothing that a single run told is lost or claimed for the others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from clearband.comparability import comparability
from clearband.policy import Policy
from clearband.results import joined
from clearband.results.result_file import ResultFile
from clearband.vocabulary import Direction, MeasurementField
from unit.factories import run as make_run

if TYPE_CHECKING:
    from typing import Any

    from clearband.results.run import Run

FILE = ResultFile(name="out", sha256="f" * 64, content=b"")
HIGHER, LOWER = Direction.HIGHER, Direction.LOWER


def one(**changes: Any) -> Run:
    return replace(make_run({"acc": [1, 0]}), **changes)


def test_directions_carry_the_tasks_name_and_parts_that_disagree_tell_none() -> None:
    parts = [one(directions={"acc": HIGHER}), one(directions={"acc": LOWER})]
    assert joined.tasks(FILE, {"a": parts[0], "b": parts[1]}).directions == {"a/acc": HIGHER, "b/acc": LOWER}
    assert joined.shards(FILE, parts).directions == {}
    assert joined.shards(FILE, parts[:1] * 2).directions == {"acc": HIGHER}


def test_labels_and_content_stay_with_their_questions() -> None:
    first = one(labels={"topic": ("law", "art")}, content=("aa", "bb"))
    run = joined.tasks(FILE, {"a": first, "b": one()})
    assert run.labels == {"topic": ("law", "art", None, None)}
    assert run.content == ("aa", "bb", None, None)
    assert joined.tasks(FILE, {"a": one(), "b": one()}).content is None


def test_the_model_is_said_once_and_what_belongs_to_a_task_task_by_task() -> None:
    model, dataset, judge = MeasurementField.MODEL, MeasurementField.DATASET, MeasurementField.JUDGE
    run = joined.tasks(
        FILE,
        {
            "a": one(measurement={model: "m", dataset: "v1", judge: "j; k"}),
            "b": one(measurement={model: "m", dataset: "v1"}),
        },
    )
    assert run.measurement == {model: "m", dataset: "a: v1; b: v1", judge: "a: j, k"}


@pytest.mark.parametrize(("dataset", "comparable"), [("v1", True), ("v2", False)])
def test_a_task_more_makes_two_runs_no_less_comparable(dataset: str, comparable: bool) -> None:
    before, after = {MeasurementField.DATASET: "v1"}, {MeasurementField.DATASET: dataset}
    baseline = joined.tasks(FILE, {"a": one(measurement=before), "b": one(measurement=before)})
    candidate = joined.tasks(
        FILE, {"a": one(measurement=after), "b": one(measurement=before), "c": one(measurement=after)}
    )
    (line,) = comparability(baseline, candidate, Policy())
    assert line.differs is not comparable


def test_parts_of_one_task_do_not_depend_on_their_order() -> None:
    parts = [one(measurement={MeasurementField.MODEL: name}) for name in ("x", "y")]
    assert joined.shards(FILE, parts).measurement == joined.shards(FILE, parts[::-1]).measurement


def test_a_long_value_is_told_by_its_beginning_and_its_hash() -> None:
    dataset = MeasurementField.DATASET
    first, second = (
        joined.tasks(FILE, {"a": one(measurement={dataset: "x" * 200 + end}), "b": one()}).measurement[dataset]
        for end in "yz"
    )
    assert first.startswith("a: xxx")
    assert len(first) < 100
    assert first != second


def test_notes_are_said_once_with_the_tasks_that_they_are_about() -> None:
    run = joined.tasks(FILE, {"a": one(notes=("Both.", "Mine.")), "b": one(notes=("Both.",))})
    assert run.notes == ("Both.", "a: Mine.")


def test_what_holds_for_one_holds_for_the_whole_where_it_must() -> None:
    run = joined.tasks(FILE, {"a": one(by_position=True, key="line"), "b": one(series=("x", "y"))})
    assert run.by_position
    assert run.key == "line; id"
    assert run.series == ()
