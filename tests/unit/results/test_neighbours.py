"""What a reader sees beside its file: paths from its own folder, its own folder's files first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clearband.results.neighbours import Neighbours

MEMBERS = {
    "details/m/t1/details_x.parquet": b"x",
    "details/m/t1/results.json": b"own",
    "details/m/t2/results.json": b"other",
    "results/m/results_t1.json": b"totals",
    "preds.jsonl": b"top",
}


def test_paths_lead_from_the_files_own_folder() -> None:
    seen = Neighbours(MEMBERS, "details/m/t1/details_x.parquet")
    assert dict(seen) == {
        "results.json": b"own",
        "../t2/results.json": b"other",
        "../../../results/m/results_t1.json": b"totals",
        "../../../preds.jsonl": b"top",
    }
    assert next(iter(seen)) == "results.json"
    assert len(seen) == 4


def test_what_is_not_there_is_not_there() -> None:
    seen = Neighbours(MEMBERS, "details/m/t1/details_x.parquet")
    assert "run_spec.json" not in seen
    assert seen.get("../preds.jsonl") is None
    assert Neighbours(MEMBERS, "preds.jsonl").get("../../results/m/results_t1.json") == b"totals"


_PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)


@given(st.dictionaries(_PATHS, st.binary(max_size=3), min_size=1), st.data())
def test_every_name_that_is_listed_leads_to_its_file(members: dict[str, bytes], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(members)))
    seen = Neighbours(members, path)
    assert len(list(seen)) == len(set(seen)) == len(members) - 1
    assert sorted(seen.values()) == sorted(content for name, content in members.items() if name != path)
