"""Test reports, retrieval scores, SWE-bench and segment scores after damage: a run, or one `UnusableResults`."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit.results.test_junit import SAMPLES as JUNIT
from unit.results.test_mt import SIGNATURE
from unit.results.tracker_files import SAMPLES

from fuzz.test_results_fuzz import _check

_SETTINGS = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_SEEDS = [
    *((JUNIT / name).read_bytes() for name in ("pytest.xml", "jest.xml", "vitest.xml")),
    (JUNIT / "vitest.xml").read_text(encoding="utf-8").replace("UTF-8", "UTF-16").encode("utf-16"),
    (SAMPLES / "pytest-json-report" / "report.json").read_bytes(),
    *((SAMPLES / "ir_measures" / f"ir_measures.{kind}").read_bytes() for kind in ("tsv", "jsonl")),
    (SAMPLES / "ranx" / "scores.json").read_bytes(),
    (SAMPLES / "swe-bench" / "model.5.0.2.json").read_bytes(),
    json.dumps({"a__b-1": True, "a__b-2": None, "instance_a__b": False}).encode(),
    json.dumps(
        {"a__b-1": {"resolved": True, "cost": 0.5}, "a__b-2": {"resolved": False, "infra_failure": True}}
    ).encode(),
    (SAMPLES / "sacrebleu" / "bleu-2.4.3.txt").read_bytes(),
    f"{SIGNATURE} = 57.3\n{SIGNATURE} = -1\n".encode(),
    json.dumps(
        {"h": [{"src": "a", "mt": "b", "ref": ["c"], "COMET": 0.5}, {"src": "a", "mt": "c", "COMET": None}]}
    ).encode(),
    b"h\tSegment 0\tscore: 0.5000\nh\tSegment 1\tscore: 0.2500\nh\tscore: 0.3750\n",
    b"sys\t0.5\nsys\tNone\nsys\t-1e-3\n",
    b"num_rel               \t1\t3\nmap                   \t1\t0.5000\nmap                   \tall\t0.5000\n",
]
_TOKENS = [
    b"NaN", b"1e999", b"9" * 400, b"\\ud800", b"\0", b"\xff", b"\xef\xbb\xbf", b'"', b"{", b"}", b"[", b",", b"\t", b"\n", b"\r",
    b"null", b"all", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"&#0;", b"<", b">", b"/>", b"<!--", b"<![CDATA[", b"<?", b"<testcase",
    b"<testsuite>" * 70, b"</testsuite>", b"<flakyFailure/>", b"<properties><property name='x' value='1e400'/></properties>",
    b' name=""', b"encoding='gbk'", b"encoding='utf-7'", b"resolved", b"score", b"= ", b"|v:1",
]  # fmt: skip


@given(data=st.data(), seed=st.sampled_from(_SEEDS))
@_SETTINGS
def test_damaged_files(data: st.DataObject, seed: bytes) -> None:
    damaged = bytearray(seed[: data.draw(st.sampled_from([len(seed), 300, 1_200]))])
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        end = start + data.draw(st.integers(0, 12))
        damaged[start:end] = data.draw(st.sampled_from(_TOKENS) | st.binary(max_size=3))
    _check(bytes(damaged), id_field=data.draw(st.sampled_from([None, "name", "score", "x.y"])))


_NAMES = st.text(st.characters(codec="utf-8", exclude_characters="<&\"'\0"), max_size=8)
_CHILDREN = st.sampled_from([
    "", "<failure/>", "<error>x</error>", "<skipped/>", "<flakyFailure/>", "<rerunError/>", "<system-out><error/></system-out>",
    "<properties><property name='m' value='0.5'/><property name='n' value='x'/></properties>",
    "<properties><property name='m' value='many'/><property/></properties>", "<testcase name='inner'/>",
])  # fmt: skip


@given(
    cases=st.lists(st.tuples(_NAMES, _NAMES, _CHILDREN, st.sampled_from(["0.5", "", "1,5", "-1", "1e99"])), max_size=6)
)
@_SETTINGS
def test_well_formed_reports(cases: list[tuple[str, str, str, str]]) -> None:
    body = "".join(
        f'<testcase classname="{classname}" name="{name}" time="{time}">{children}</testcase>'
        for classname, name, children, time in cases
    )
    _check(f"<testsuites><testsuite name='s'>{body}</testsuite></testsuites>".encode())


_MEASURES = ["map", "P_10", "nDCG@10", "all", "q1", "1", "num_rel", "runid", "", " "]


@given(
    rows=st.lists(
        st.lists(st.sampled_from([*_MEASURES, "0.5", "nan", "None", "tag"]), min_size=1, max_size=4), max_size=8
    )
)
@_SETTINGS
def test_lines_of_cells(rows: list[list[str]]) -> None:
    for line in ("\t".join, "      \t".join):
        _check("\n".join(map(line, rows)).encode())
