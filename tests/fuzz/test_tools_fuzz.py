"""promptfoo, DeepEval, Ragas and OpenAI evals after damage: a run, or one `UnusableResults`."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from unit.results.tracker_files import SAMPLES

from fuzz.test_results_fuzz import _check

_SEEDS = [
    b"\n".join((SAMPLES / "promptfoo" / "base.jsonl").read_bytes().split(b"\n")[:3]),
    (SAMPLES / "promptfoo" / "matrix.json").read_bytes(),
    (SAMPLES / "deepeval" / "base_test_run.json").read_bytes(),
    (SAMPLES / "ragas" / "base.csv").read_bytes(),
    (SAMPLES / "ragas" / "base.jsonl").read_bytes(),
    (SAMPLES / "openai-evals" / "base.jsonl").read_bytes(),
]
_TOKENS = [
    b"NaN", b"Infinity", b"1e999", b"9" * 400, b"\\ud800", b"\0", b"\xff", b'"', b"{", b"}", b"[", b"]", b",", b":", b"\n", b"null",
    b"true", b'"score"', b'"vars"', b'"name"', b"[" * 2_000, b'{"a":' * 600, b"-0", b'""', b"[]", b"{}",
]  # fmt: skip


@given(data=st.data(), seed=st.sampled_from(_SEEDS))
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_damaged_files(data: st.DataObject, seed: bytes) -> None:
    damaged = bytearray(seed[: data.draw(st.sampled_from([len(seed), 400, 1_500]))])
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        end = start + data.draw(st.integers(0, 12))
        damaged[start:end] = data.draw(st.sampled_from(_TOKENS) | st.binary(max_size=3))
    _check(bytes(damaged), id_field=data.draw(st.sampled_from([None, "name", "vars.q", "x.y"])))
