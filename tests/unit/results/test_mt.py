"""Machine translation: scores of segments, which have no ids."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from clearband.errors import UnusableResults
from clearband.results import ReadOptions, mt_seg_score, read
from clearband.results.outline import outline
from clearband.results.result_file import open_file
from clearband.vocabulary import MeasurementField

from .shapes import refused, score

SAMPLES = Path(__file__).parent / "samples" / "sacrebleu"
SIGNATURE = "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0"
PLACE = "Segments have no ids: they are told apart by their place, and both files need as many, in the same order."


def mean(values: np.ndarray) -> float:
    return round(float(np.nanmean(values)), 6)


class TestSacrebleu:
    @pytest.mark.parametrize(
        ("name", "metric", "expected", "version"),
        [
            ("bleu-2.4.3", "BLEU", 48.1, "2.4.3"),
            ("chrf-2.4.3", "chrF2", 76.166667, "2.4.3"),
            ("chrf-short-2.4.3", "chrF2", 76.162333, "2.4.3"),
            ("ter-2.4.3", "TER", 45.566667, "2.4.3"),
            ("bleu-1.5.1", "BLEU", 48.1, "1.5.1"),
            ("chrf-1.5.1", "chrF2", 0.76, "1.5.1"),
        ],
    )
    def test_files_of_older_versions(self, name: str, metric: str, expected: float, version: str) -> None:
        run = read(f"{name}.txt", (SAMPLES / f"{name}.txt").read_bytes())

        assert run.format == "sacrebleu/text"
        assert {metric: mean(values) for metric, values in run.metrics.items()} == {metric: expected}
        assert run.ids == ("1", "2", "3")
        assert run.by_position
        assert run.measurement[MeasurementField.TOOL] == f"sacrebleu {version}"
        assert run.measurement[MeasurementField.SCORER].startswith(metric)
        assert run.directions == {}
        assert run.notes == (PLACE, "The mean of sentence scores is not the score of the corpus.")

    @pytest.mark.shared
    @pytest.mark.parametrize("system", ["LIUM-NMT", "uedin-nmt"])
    def test_a_newer_version(self, shared: Path, system: str) -> None:
        """The first segments, rounded by sacrebleu to one decimal, against the unrounded scores of the same segments."""
        run = read("x.txt", (shared / "mt" / f"{system}.sacrebleu_sl.txt").read_bytes())
        other = read("x.score", (shared / "mt" / "chrF-refA.seg.score").read_bytes(), ReadOptions(series=system))

        assert len(run.ids) == 20
        assert run.metrics["chrF2"] == pytest.approx(other.metrics["score"][:20], abs=0.0501)
        assert run.measurement[MeasurementField.SCORER] == SIGNATURE

    def test_several_metrics_in_one_file(self) -> None:
        data = b"".join((SAMPLES / f"{name}-2.4.3.txt").read_bytes() for name in ("bleu", "ter"))

        run = read("x.txt", data)

        assert {name: mean(values) for name, values in run.metrics.items()} == {"BLEU": 48.1, "TER": 45.566667}
        assert len(run.ids) == 3

    @pytest.mark.parametrize(
        "data",
        [
            (SAMPLES / "corpus-2.4.3.json").read_bytes(),
            b"[" + (SAMPLES / "corpus-2.4.3.json").read_bytes() + b"]",
            f"{SIGNATURE} = 57.3\n".encode(),
        ],
    )
    def test_the_score_of_the_corpus_is_refused_with_the_option(self, data: bytes) -> None:
        error = refused(data, name="x")

        assert "the whole corpus" in error.what
        assert "-sl" in str(error.remedy)

    @pytest.mark.parametrize(
        ("more", "what"),
        [
            (SIGNATURE.replace("chrF2", "TER") + " = 1.0", "its metrics do not have as many segments"),
            (SIGNATURE.replace("2.6.0", "2.4.3") + " = 1.0", "`chrF2` has two signatures"),
            ("sacreBLEU: warning", 'this line is no segment\'s score: "sacreBLEU: warning"'),
            (f"{SIGNATURE} = high", f'this line is no segment\'s score: "{SIGNATURE} = high"'),
        ],
    )
    def test_lines_that_do_not_belong(self, more: str, what: str) -> None:
        assert refused(f"{SIGNATURE} = 57.3\n{SIGNATURE} = 1.0\n{more}\n".encode(), name="x").what == f"x: {what}"

    def test_a_line_made_to_be_slow(self) -> None:
        line = "BLEU" + "|v:1" * 200_000

        assert "no segment's score" in refused(f"{SIGNATURE} = 1\n{line}\n".encode(), name="x").what


class TestComet:
    @pytest.mark.shared
    @pytest.mark.parametrize(("system", "expected"), [("LIUM-NMT", 0.5838266), ("uedin-nmt", 0.58890634)])
    def test_the_shape_of_its_file(self, shared: Path, system: str, expected: float) -> None:
        run = read("comet.json", (shared / "mt" / "comet_shape.json").read_bytes(), ReadOptions(series=system))

        assert (run.format, len(run.ids)) == ("comet/json", 100)
        assert float(run.metrics["COMET"].mean()) == pytest.approx(expected, abs=5e-7)
        assert run.by_position  # its texts were taken out, so that they all are the same
        assert run.series[0] == f"{system}.txt"

    def test_a_segment_is_named_by_its_source(self) -> None:
        run = read("x.json", comet(("Hallo.", "Hello.", 0.5), ("Welt " * 60, "World", 0.75)))

        assert run.ids[0] == "Hallo."
        assert run.ids[1].startswith("Welt Welt")
        assert run.key == "source"
        assert not run.by_position

    def test_an_edited_reference_is_seen(self) -> None:
        before, after = (read("x.json", comet(("Hallo.", text, 0.5), ("b", "b", 1))) for text in ("Hello.", "Hi."))

        assert before.content is not None
        assert after.content is not None
        assert before.content[0] != after.content[0]
        assert before.content[1] == after.content[1]

    def test_the_reference_tells_equal_sources_apart(self) -> None:
        run = read("x.json", comet(("Ja.", "Yes.", 0.5), ("Ja.", "Yeah.", 0.75), ("Nein.", "No.", 1)))

        assert run.ids == ("Ja. | Yes.", "Ja. | Yeah.", "Nein.")

    def test_a_segment_that_repeats_makes_the_place_the_key(self) -> None:
        run = read("x.json", comet(("Ja.", "Yes.", 0.5), ("Ja.", "Yes.", 0.75)))

        assert score(run, "COMET") == {"1": 0.5, "2": 0.75}
        assert run.by_position
        assert run.notes == (PLACE,)

    def test_without_a_reference_and_without_a_score(self) -> None:
        data = b'{"hyp.txt": [{"src": "a", "mt": "b", "COMET": NaN}, {"src": "c", "mt": "d", "COMET": 1}]}'

        assert score(read("x.json", data), "COMET") == {"a": None, "c": 1}

    def test_two_systems_need_a_choice(self) -> None:
        data = json.dumps({name: [{"src": "a", "mt": "b", "COMET": 1}] for name in ("one.txt", "two.txt")}).encode()

        assert refused(data, name="x.json").what == "x.json: the file holds 2 series"
        assert read("x.json", data, ReadOptions(series="two")).series == ("two.txt", "one.txt")

    def test_printed_lines(self) -> None:
        lines = [f"{name}\tSegment {n}\tscore: 0.{n}5" for n in range(2) for name in ("a.txt", "b.txt")]
        text = "\n".join([*lines, "a.txt\tscore: 0.1000", "b.txt\tscore: 0.1000", "Predictions saved in: x.json."])

        run = read("x.txt", text.encode(), ReadOptions(series="b.txt"))

        assert score(run, "COMET") == {"1": 0.05, "2": 0.15}
        assert run.format == "comet/text"

    @pytest.mark.parametrize(
        ("line", "what"),
        [
            ("a\tSegment 0\tscore: 0.5", "segment 0 of a stands where segment 1 belongs"),
            ("Error", "no segment's score"),
        ],
    )
    def test_printed_lines_that_do_not_belong(self, line: str, what: str) -> None:
        error = refused(f"a\tSegment 0\tscore: 0.5\tvariance: 0.1\n{line}\n".encode(), name="x")

        assert what in error.what
        assert error.where == "line 2"


def comet(*segments: tuple[str, str, float]) -> bytes:
    rows = [{"src": source, "mt": "x", "ref": reference, "COMET": value} for source, reference, value in segments]
    return json.dumps({"hyp.txt": rows}).encode()


class TestSegScore:
    @pytest.mark.shared
    @pytest.mark.parametrize(("system", "expected"), [("LIUM-NMT", 58.38266), ("uedin-nmt", 58.890634)])
    def test_the_shape_of_its_file(self, shared: Path, system: str, expected: float) -> None:
        run = read("chrF.seg.score", (shared / "mt" / "chrF-refA.seg.score").read_bytes(), ReadOptions(series=system))

        assert (run.format, len(run.ids)) == ("wmt/seg-score", 100)
        assert mean(run.metrics["score"]) == expected
        assert run.by_position

    def test_none_is_no_value(self) -> None:
        assert score(read("x", b"a\tNone\na\t-0.5\na\tnan\na\t1e-2\n")) == {"1": None, "2": -0.5, "3": None, "4": 0.01}

    @pytest.mark.parametrize(
        ("data", "what"),
        [
            (b"a\t1\na\t2\nb\t1\nb\t2\nb\t3\n", "its systems do not have as many segments"),
            (b"a\t1\n" * 9_000 + b"b\t1\n" * 9_000 + b"a\t1\n", "the segments of a stand in two places"),
            (b"a\t1\n" * 20_000 + b"Traceback\n", 'this line is no segment\'s score: "Traceback"'),
        ],
    )
    def test_files_that_are_damaged(self, data: bytes, what: str) -> None:
        with_choice = read_refused(data)

        assert with_choice == f"x: {what}"

    @pytest.mark.parametrize(
        "data",
        [
            b"id\tscore\nq1\t0.5\nq1\t0.25\n",
            b"q1\t0.5\nq2\t0.25\n",
            b"q1\t0.5\n",
            b"q1\t0.5\nq2\t0.25\nq1\t1\nq2\t1\n",
            b"a,1\na,2\n",
            b"a\t1\t2\na\t1\t2\n",
        ],
    )
    def test_other_tables_are_not_taken(self, data: bytes) -> None:
        assert not mt_seg_score.sniff(open_file("x", data), outline(open_file("x", data)))


def read_refused(data: bytes) -> str:
    with pytest.raises(UnusableResults) as caught:
        read("x", data, ReadOptions(series="a"))
    return caught.value.what


@pytest.mark.parametrize(
    "data", [f"{SIGNATURE} = 1.0\n{SIGNATURE} = 2.0\n".encode(), b"a\t1\na\t2\n", comet(("a", "b", 1))]
)
def test_an_id_field_that_segments_cannot_have(data: bytes) -> None:
    assert "no field is called `topic`" in refused(data, name="x", id_field="topic").what
