"""SWE-bench: lists of instances, maps of instances, and what counts as lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from clearband.errors import UnusableResults
from clearband.results import read, read_folder, swe_bench
from clearband.results.outline import outline
from clearband.results.result_file import open_file

from .shapes import jsonl, refused, score

if TYPE_CHECKING:
    from clearband.results.run import Run

SAMPLES = Path(__file__).parent / "samples" / "swe-bench"


def one(number: int) -> str:
    return f"org__repo-{number}"


def ids(*numbers: int) -> list[str]:
    return list(map(one, numbers))


def document(**fields: object) -> bytes:
    return json.dumps(fields).encode()


def run_of(**fields: object) -> Run:
    return read("model.run.json", document(**fields))


def lost(run: Run) -> list[str]:
    return [run.ids[row] for row in np.flatnonzero(run.errored)]


class TestSamples:
    def test_an_older_report(self) -> None:
        run = read("r.json", (SAMPLES / "model.4.0.4.json").read_bytes())

        assert run.format == "swe-bench/lists"
        assert score(run, "resolved") == {one(n): float(n in {0, 1, 3}) for n in (0, 1, 3, 2, 4, 5, 6, 9, 7, 8)}
        assert run.notes == (
            "Instances in error, by the patch or by the harness, which count as not resolved: 2.",
            "Instances without a prediction, which count as not resolved: 1.",
        )

    def test_a_newer_report_says_when_its_environment_failed(self) -> None:
        run = read("r.json", (SAMPLES / "model.5.0.2.json").read_bytes())

        assert len(run.ids) == 10
        assert lost(run) == [one(5)]
        assert score(run, "resolved")[one(5)] is None
        assert score(run, "resolved")[one(6)] == 0  # its tests timed out, for which the patch may be to blame
        assert "Instances that are lost because the harness's own environment failed: 1." in run.notes

    def test_the_report_of_one_instance(self) -> None:
        run = read("report.json", (SAMPLES / "report.json").read_bytes())

        assert run.format == "swe-bench/instances"
        assert score(run, "resolved") == {one(0): 1}
        assert score(run, "patch_successfully_applied") == {one(0): 1}

    @pytest.mark.shared
    @pytest.mark.parametrize(
        ("name", "count", "resolved"),
        [
            ("claude-45sonnet-10132025.eval_results.json", 730, 319),
            ("claude-45sonnet.report.json", 730, 319),
            ("gpt-5-250-turns-10132025.eval_results.json", 729, 265),
            ("gpt-5.report.json", 730, 265),
            ("claude-4sonnet-10132025.eval_results.json", 562, 240),
        ],
    )
    def test_real_files(self, shared: Path, name: str, count: int, resolved: int) -> None:
        run = read(name, (shared / "swe-bench" / name).read_bytes())

        assert len(run.ids) == count
        assert list(run.metrics) == ["resolved"]
        assert run.metrics["resolved"].sum() == resolved
        assert not run.errored.any()

    @pytest.mark.shared
    def test_a_report_and_a_map_of_one_run_agree(self, shared: Path) -> None:
        names = ("claude-45sonnet.report.json", "claude-45sonnet-10132025.eval_results.json")
        report, outcomes = (read(name, (shared / "swe-bench" / name).read_bytes()) for name in names)

        assert score(report, "resolved") == score(outcomes, "resolved")


class TestReports:
    def test_the_whole_is_every_part(self) -> None:
        run = run_of(
            resolved_ids=ids(1), unresolved_ids=ids(2), error_ids=ids(3), empty_patch_ids=ids(4), incomplete_ids=ids(5)
        )

        assert score(run, "resolved") == {one(n): float(n == 1) for n in (1, 2, 3, 4, 5)}

    def test_predictions_outside_the_evaluated_set_are_no_results(self) -> None:
        run = run_of(resolved_ids=ids(1), unresolved_ids=ids(2), submitted_ids=ids(1, 2, 9), completed_ids=ids(1, 2))

        assert run.ids == tuple(ids(1, 2))

    def test_everything_resolved(self) -> None:
        assert score(run_of(resolved_ids=ids(1, 2), unresolved_ids=[]), "resolved") == {one(1): 1, one(2): 1}

    def test_a_resolved_instance_is_never_lost(self) -> None:
        run = run_of(resolved_ids=ids(1), unresolved_ids=ids(2), infra_failure_ids=ids(1, 2))

        assert score(run, "resolved") == {one(1): 1, one(2): None}

    def test_a_report_that_names_fewer_than_it_counts(self) -> None:
        run = run_of(resolved_ids=ids(1), unresolved_ids=ids(2), total_instances=500)

        assert run.notes == ("The report counts 500 instances and names 2; the others are lost.",)

    def test_lists_of_an_old_report(self) -> None:
        run = run_of(
            none=[], generated=ids(1, 2, 3, 4), with_logs=ids(1, 2), install_fail=ids(3), reset_failed=[], no_apply=ids(4),
            applied=ids(1, 2), test_errored=[], test_timeout=ids(2), resolved=ids(1),
        )  # fmt: skip

        assert score(run, "resolved") == {one(1): 1, one(2): 0, one(3): None, one(4): 0}
        assert lost(run) == [one(3)]

    def test_null_for_an_empty_list(self) -> None:
        assert run_of(resolved_ids=ids(1), unresolved_ids=ids(2), error_ids=None, total_instances=None).notes == ()

    @pytest.mark.parametrize("bad", [[1], ["a", None], "text"])
    def test_a_list_of_something_else(self, bad: object) -> None:
        data = (
            document(resolved_ids=ids(1), unresolved_ids=bad) if isinstance(bad, list) else document(resolved_ids=bad)
        )

        assert "r.json: " in refused(data, name="r.json").what


EXPERIMENT = {"no_generation": ids(3), "no_logs": ids(4), "resolved": ids(1)}


class TestExperiments:
    def test_instances_that_are_nowhere_are_not_guessed(self) -> None:
        error = refused(document(**EXPERIMENT), name="results.json")

        assert "not those that were tried" in error.what
        assert "all_preds.jsonl" in str(error.remedy)

    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("all_preds.jsonl", jsonl([{"instance_id": one(n), "model_patch": "diff"} for n in (1, 2, 3, 4)])),
            ("preds.json", document(**{one(n): {"instance_id": one(n), "model_patch": ""} for n in (1, 2, 3, 4)})),
            ("all_preds.json", json.dumps([{"instance_id": one(n)} for n in (1, 2, 3, 4)]).encode()),
        ],
    )
    @pytest.mark.parametrize("home", ["", "results/"])
    def test_the_predictions_beside_it_say_what_was_tried(self, name: str, data: bytes, home: str) -> None:
        run = read_folder("submission", {f"{home}results.json": document(**EXPERIMENT), name: data})

        assert score(run, "resolved") == {one(n): float(n == 1) for n in (1, 3, 4, 2)}
        assert "Instances in error, by the patch or by the harness, which count as not resolved: 1." in run.notes

    def test_predictions_that_cannot_be_read_are_no_help(self) -> None:
        data = jsonl([{"model": 1}, {"model": 2}])

        assert "not those that were tried" in refused_folder(
            {"results.json": document(**EXPERIMENT), "preds.jsonl": data}
        )


def refused_folder(members: dict[str, bytes]) -> str:
    with pytest.raises(UnusableResults) as caught:
        read_folder("submission", members)
    return caught.value.what


class TestMaps:
    def test_outcomes_by_instance(self) -> None:
        run = run_of(**{"instance_a__b-1": True, "instance_a__b-2": False, "a__c-3": None})

        assert run.format == "swe-bench/outcomes"
        assert score(run, "resolved") == {"instance_a__b-1": 1, "instance_a__b-2": 0, "a__c-3": None}

    def test_details_of_an_agent(self) -> None:
        run = read(
            "per_instance_details.json",
            document(
                **{one(1): {"cost": 0.5, "api_calls": 32, "resolved": True}, one(2): {"cost": 0.25, "resolved": False}}
            ),
        )

        assert score(run, "resolved") == {one(1): 1, one(2): 0}
        assert score(run, "cost") == {one(1): 0.5, one(2): 0.25}
        assert score(run, "api_calls") == {one(1): 32, one(2): None}
        assert run.directions == {}

    def test_the_reports_of_single_instances_as_a_folder(self) -> None:
        details = {"patch_exists": True, "patch_successfully_applied": True}
        run = read_folder(
            "logs",
            {
                f"run/model/{one(n)}/report.json": document(
                    **{one(n): details | {"resolved": n == 1, "infra_failure": n == 3}}
                )
                for n in (1, 2, 3)
            },
        )

        assert score(run, "resolved") == {one(1): 1, one(2): 0, one(3): None}
        assert lost(run) == [one(3)]

    @pytest.mark.parametrize(
        "document_",
        [
            {"q1": True, "q2": False},
            {"a__b": True, "q2": False},
            {"q1": {"resolved": True}, "q2": {"resolved": False}},
            {"a__b": 1, "a__c": 0},
            {"resolved": True, "a__b": True},
            {"resolved": [1, 2], "id": "q1"},
        ],
    )
    def test_other_objects_are_not_taken(self, document_: dict[str, object]) -> None:
        data = document(**document_)

        assert not swe_bench.sniff(open_file("x.json", data), outline(open_file("x", data)))

    def test_an_id_field_that_instances_cannot_have(self) -> None:
        assert (
            "no field is called `topic`"
            in refused(document(a__b=True, a__c=True), name="x.json", id_field="topic").what
        )
