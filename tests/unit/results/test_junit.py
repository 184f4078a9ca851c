"""JUnit XML: one question a test, from whichever runner wrote it."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clearband.results import ReadOptions, read, read_folder
from clearband.stats.trials import retried_until_pass
from clearband.vocabulary import Direction, MeasurementField

from .shapes import refused, score

if TYPE_CHECKING:
    from clearband.results.run import Run

SAMPLES = Path(__file__).parent / "samples" / "junit"


def case(name: str = "t", body: str = "", *, classname: str = "c", **attributes: str) -> str:
    extra = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f'<testcase classname="{classname}" name="{name}"{extra}>{body}</testcase>'


def xml(*cases: str, head: str = "", suite: str = "s") -> bytes:
    return f'{head}<testsuites><testsuite name="{suite}">{"".join(cases)}</testsuite></testsuites>'.encode()


def prop(name: str, value: str) -> str:
    return f'<property name="{name}" value="{value}"/>'


def props(**values: str) -> str:
    return f"<properties>{''.join(prop(name, value) for name, value in values.items())}</properties>"


def run_of(*cases: str, **options: str) -> Run:
    return read("r.xml", xml(*cases), ReadOptions(id_field=options.get("id_field")))


def attempts(run: Run, question: str, metric: str = "passed") -> list[float]:
    trials = run.trials_of[metric]
    return list(map(float, trials.values[trials.question == run.ids.index(question)]))


class TestSamples:
    def test_pytest(self) -> None:
        run = read("pytest.xml", (SAMPLES / "pytest.xml").read_bytes())

        assert run.format == "junit/xml"
        assert len(run.ids) == 16
        assert score(run, "passed") == {
            "test_broken": 0,
            "test_app::test_score[0]": 1,
            "test_app::test_score[1]": 0,
            "test_app::test_score[2]": 1,
            "test_app::test_score[3]": 1,
            "test_app::test_flaky": 1,
            "test_app::test_never": 0,
            "test_app::test_error": 0,
            "test_app::test_teardown": 0,
            "test_app::test_both": 0,
            "test_app::test_skip": None,
            "test_app::test_xfail": None,
            "test_app::test_xpass": 1,
            "test_app::test_xpass_strict": 0,
            "test_app::test_metadata": 1,
            "test_app.TestMore::test_inside": 1,
        }
        assert score(run, "score")["test_app::test_score[3]"] == 0.75
        assert score(run, "score")["test_app::test_flaky"] == 0.5  # recorded by both attempts: the last one counts
        assert set(run.metrics) == {"passed", "time", "score"}
        assert run.measurement == {MeasurementField.MODEL: "m-1"}
        assert run.directions == {"time": Direction.LOWER}
        assert run.trials == 1
        assert not run.errored.any()
        assert run.notes == ()

    def test_jest(self) -> None:
        run = read("jest.xml", (SAMPLES / "jest.xml").read_bytes())

        assert run.ids == (
            "outer score 0", "outer score 1", "outer score 2", "outer inner same", "outer later", "outer todo", "flaky",
            "other score 0",
        )  # fmt: skip
        assert attempts(run, "outer inner same") == [1, 0]
        assert score(run, "passed")["outer later"] is None

    def test_vitest(self) -> None:
        run = read("vitest.xml", (SAMPLES / "vitest.xml").read_bytes())

        assert list(score(run, "passed").values()) == [1, 0, 1, None, 1, 0]
        assert run.ids[0] == "a.test.ts::outer > score 0"

    @pytest.mark.shared
    @pytest.mark.parametrize(("arm", "passed", "failed"), [("base", 18, 11), ("cand", 23, 6)])
    def test_a_newer_pytest(self, shared: Path, arm: str, passed: int, failed: int) -> None:
        run = read(f"{arm}.xml", (shared / "junit" / f"{arm}.xml").read_bytes())
        values = run.metrics["passed"].tolist()

        assert len(run.ids) == 31
        assert (values.count(1.0), values.count(0.0), sum(map(math.isnan, values))) == (passed, failed, 2)


class TestResults:
    @pytest.mark.parametrize(
        ("body", "value"),
        [
            ("", 1),
            ("<system-out>text</system-out>", 1),
            ("<failure/>", 0),
            ("<error message='x'>trace</error>", 0),
            ("<skipped/>", None),
            ("<skipped/><failure/>", 0),
            ("<failure/><failure/>", 0),
            ("<system-out><failure/></system-out>", 1),
            ("<properties><error/></properties>", 1),
        ],
    )
    def test_what_the_children_say(self, body: str, value: float | None) -> None:
        assert score(run_of(case(body=body)), "passed") == {"c::t": value}

    @pytest.mark.parametrize(
        ("attributes", "value"),
        [
            ({"status": "run", "result": "completed"}, 1),
            ({"status": "notrun", "result": "suppressed"}, None),
            ({"result": "skipped"}, None),
            ({"status": "disabled"}, None),
        ],
    )
    def test_googletest_says_in_attributes_what_was_not_run(self, attributes: dict[str, str], value: float) -> None:
        assert score(run_of(case(**attributes)), "passed") == {"c::t": value}

    @pytest.mark.parametrize(
        ("text", "seconds"),
        [("0.5", 0.5), ("1,234.5", 1234.5), ("12,345,678.25", 12345678.25), ("0,5", None), ("1,234", None), ("", None),
         ("NaN", None), ("1e999", None)],
    )  # fmt: skip
    def test_durations(self, text: str, seconds: float | None) -> None:
        run = run_of(case(time=text), case("u", time="1"))

        assert score(run, "time")["c::t"] == seconds
        assert run.notes == (() if seconds else ("Tests whose `time` is missing or no plain number: 1.",))

    def test_a_skipped_test_took_no_time(self) -> None:
        assert score(run_of(case(body="<skipped/>", time="0"), case("u", time="1")), "time")["c::t"] is None

    def test_without_any_time_there_is_no_such_metric(self) -> None:
        run = run_of(case())

        assert list(run.metrics) == ["passed"]
        assert run.directions == {}

    def test_a_bare_testsuite(self) -> None:
        run = read("r.xml", b'<testsuite name="s" tests="1"><testcase name="t"/></testsuite>')

        assert score(run, "passed") == {"t": 1}

    def test_no_test_at_all(self) -> None:
        assert "holds no question" in refused(b"<testsuites/>", name="r.xml").what


class TestNames:
    def test_suites_and_files_tell_tests_of_one_name_apart_and_nothing_else_is_renamed(self) -> None:
        data = (
            "<testsuites><testsuite name='chromium'><testcase classname='c' name='t'/><testcase name='only'/></testsuite>"
            "<testsuite name='firefox'><testcase classname='c' name='t'><failure/></testcase></testsuite></testsuites>"
        )
        run = read("r.xml", data.encode())

        assert score(run, "passed") == {"c::t | chromium": 1, "only": 1, "c::t | firefox": 0}
        assert run.notes == ("Tests that share class and name with another, and are told apart by suite and file: 2.",)
        assert run.trials == 1

    def test_suites_inside_suites(self) -> None:
        data = (
            "<testsuites><testsuite name='a'><testsuite name='b'><testcase name='t'/></testsuite>"
            "<testcase name='t'/></testsuite></testsuites>"
        )

        assert read("r.xml", data.encode()).ids == ("t | a/b", "t | a")

    @pytest.mark.parametrize("name", ["x" * 201, "a&#10;b"])
    def test_a_long_name_stays_readable(self, name: str) -> None:
        (question,) = run_of(case(name)).ids

        assert question.startswith("c::")
        assert "… sha256:" in question
        assert len(question) < 100

    def test_a_test_without_a_name_is_refused(self) -> None:
        error = refused(b"<testsuite>\n<testcase classname=' '/></testsuite>", name="r.xml")

        assert (error.what, error.where) == ("r.xml: a test case has no name", "line 2")

    def test_a_property_can_name_the_question(self) -> None:
        run = run_of(case(body=props(case_id="7")), case("u", props(case_id="8")), id_field="case_id")

        assert run.ids == ("7", "8")
        assert run.key == "case_id"

    def test_a_property_that_some_tests_lack_cannot(self) -> None:
        data = xml(case(body=props(case_id="7")), case("u"))
        error = refused(data, name="r.xml", id_field="case_id")

        assert error.what == "r.xml: test c::u has no `case_id`"
        assert "`classname`" in str(error.remedy)
        assert "no test has a `qid`" in refused(data, name="r.xml", id_field="qid").what


class TestAttempts:
    def test_several_results_of_one_test_are_attempts_in_the_order_of_the_file(self) -> None:
        run = run_of(case(body="<failure/>"), case("u"), case())

        assert run.ids == ("c::t", "c::u")
        assert attempts(run, "c::t") == [0, 1]
        assert run.trials_of["passed"].ordered
        assert run.notes == ("Tests with several results, which are read as attempts in the order of the file: 1.",)

    def test_surefires_reruns_are_seen_as_attempts_until_one_passes(self) -> None:
        run = run_of(
            case("stable"),
            case("flaky", "<flakyFailure/><flakyError/>", time="2"),
            case("never", "<failure/><rerunFailure/><rerunError/>"),
        )
        trials = run.trials_of["passed"]

        assert attempts(run, "c::flaky") == [0, 0, 1]
        assert attempts(run, "c::never") == [0, 0, 0]
        assert retried_until_pass(trials.question, trials.values) == 3
        assert run.measurement == {MeasurementField.TRIALS: "attempts until one passes"}
        assert score(run, "time")["c::flaky"] == 2

    def test_a_failure_with_an_error_in_tidying_up_is_one_result(self) -> None:
        run = run_of(case(body="<failure/>"), case(body="<error/>"))

        assert score(run, "passed") == {"c::t": 0}
        assert run.trials == 1


class TestProperties:
    def test_numbers_and_yes_or_no_are_metrics(self) -> None:
        run = run_of(
            case(body=props(recall="0.5", cited="True")), case("u", props(recall="1", cited="False")), case("v")
        )

        assert score(run, "recall") == {"c::t": 0.5, "c::u": 1, "c::v": None}
        assert score(run, "cited") == {"c::t": 1, "c::u": 0, "c::v": None}

    @pytest.mark.parametrize("name", ["worker_id", "seed", "category"])
    def test_numbers_that_are_none_by_their_name(self, name: str) -> None:
        assert list(run_of(case(body=props(**{name: "1"}))).metrics) == ["passed"]

    def test_a_text_among_numbers_is_left_out_and_said(self) -> None:
        run = run_of(case(body=props(m="1")), case("u", props(m="2")), case("v", props(m="timeout")))

        assert list(run.metrics) == ["passed"]
        assert run.notes == ("The property `m` holds timeout among its numbers and was not read as a metric.",)

    def test_what_a_skipped_test_recorded_does_not_count(self) -> None:
        assert score(run_of(case(body=f"{props(m='1')}<skipped/>"), case("u", props(m="2"))), "m")["c::t"] is None

    def test_a_property_called_like_a_metric_of_the_format(self) -> None:
        run = run_of(case(body=props(passed="0.25")))

        assert score(run, "passed") == {"c::t": 1}
        assert score(run, "property.passed") == {"c::t": 0.25}

    def test_labels(self) -> None:
        data = xml(case(body=props(topic="a"), file="f.py"), case("u"), suite="nightly")
        run = read("r.xml", data, ReadOptions(labels=("topic", "file", "suite", "classname", "nothing")))

        assert run.labels == {
            "topic": ("a", None),
            "file": ("f.py", None),
            "suite": ("nightly", "nightly"),
            "classname": ("c", "c"),
        }

    def test_properties_of_the_suite_tell_how_it_was_measured(self) -> None:
        data = xml(props(judge="j", model="m", hostname="h"), case(), props(model="n"))

        assert read("r.xml", data).measurement == {MeasurementField.JUDGE: "j", MeasurementField.MODEL: "m, n"}


class TestFolders:
    def test_one_report_in_many_files(self) -> None:
        files = {f"TEST-{name}.xml": xml(case(name)) for name in "ab"}
        run = read_folder("surefire-reports", files)

        assert set(run.ids) == {"c::a", "c::b"}
        assert list(run.metrics) == ["passed"]
