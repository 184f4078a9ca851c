"""Registration: every order of declarations, edits and results, and what can be shown about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from clearband.declaration import Declaration, parse
from clearband.policy import MetricPolicy, Policy
from clearband.registration import (
    Earlier,
    Evidence,
    FirstResult,
    History,
    Registrar,
    Registration,
    Revision,
    Standing,
    register,
)
from clearband.vocabulary import Direction

POLICY = Policy(metrics={"recall": MetricPolicy(effect=0.05), "mrr": MetricPolicy(), "cost": MetricPolicy(direction=Direction.NEUTRAL)})  # fmt: skip
DEFAULTED = Policy(primary="recall", metrics=POLICY.metrics)


def at(minute: int) -> str:
    return f"2026-03-01T12:{minute:02}:00Z"


def block(metric: str = "recall", **more: str) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in {"primary_metric": metric, **more}.items())
    return f"Some words.\n\n```clearband\n{lines}```\n"


TYPO = block("recal")
RECALL, MRR = block("recall"), block("mrr")
PROSE = "Only prose.\n"


@dataclass
class Story:
    """A description's versions by minute, and the minute of the first result."""

    versions: dict[int, str | None]
    result: int | None = 30
    policy: Policy = field(default_factory=lambda: POLICY)
    earlier: tuple[Earlier, ...] = ()
    complete: bool = True
    suite: str = "default"

    def told(self, **more: Any) -> Registration:
        revisions = tuple(Revision(at=at(minute), body=body) for minute, body in self.versions.items())
        last = self.versions[max(self.versions)]
        edited = at(max(self.versions)) if len(self.versions) > 1 else None
        evidence = None if self.result is None else Evidence(at=at(self.result), what="uploaded", source="artifact 1")
        return register(
            suite=self.suite,
            policy=self.policy,
            current=parse(more.pop("now", last), suite=self.suite),
            history=History(revisions=revisions, complete=self.complete, last_edited_at=edited),
            first_result=FirstResult(evidence=evidence, why_not=None if evidence else "actions: read is missing"),
            earlier=self.earlier,
        )


CASES = [
    pytest.param(Story({0: RECALL}), Standing.BEFORE, "recall", id="declared when opened"),
    pytest.param(Story({0: PROSE, 10: RECALL}), Standing.BEFORE, "recall", id="declared later, before the result"),
    pytest.param(Story({0: RECALL, 30: MRR}), Standing.BEFORE, "mrr", id="changed in the very second of the result"),
    pytest.param(Story({0: RECALL, 20: MRR}), Standing.BEFORE, "mrr", id="changed before the result"),
    pytest.param(Story({0: TYPO, 10: RECALL}), Standing.BEFORE, "recall", id="a typo binds nobody"),
    pytest.param(Story({0: TYPO, 40: RECALL}), Standing.AFTER, None, id="a typo, mended after the result"),
    pytest.param(Story({0: PROSE, 40: RECALL}), Standing.AFTER, None, id="declared after the result"),
    pytest.param(Story({0: RECALL, 40: MRR}), Standing.AMENDED, "recall", id="another metric after the result"),
    pytest.param(Story({0: RECALL, 40: PROSE}), Standing.AMENDED, "recall", id="removed after the result"),
    pytest.param(Story({0: RECALL, 40: MRR, 50: RECALL}), Standing.BEFORE, "recall", id="changed and put back"),
    pytest.param(Story({0: RECALL, 10: TYPO, 40: RECALL}), Standing.BEFORE, "recall", id="broken meanwhile"),
    pytest.param(Story({0: RECALL, 40: block(effect="0.01")}), Standing.AMENDED, "recall", id="another effect"),
    pytest.param(Story({0: RECALL, 40: block(reason="asked by a reviewer")}), Standing.BEFORE, "recall",
                 id="explained after the result"),
    pytest.param(Story({0: RECALL, 40: RECALL.replace("Some words", "Other words")}), Standing.BEFORE, "recall",
                 id="prose edited"),
    pytest.param(Story({0: RECALL, 40: RECALL.replace("\n", "\r\n")}), Standing.BEFORE, "recall", id="other line ends"),
    pytest.param(Story({0: RECALL, 40: f"{RECALL}\n<!-- a bot's table -->\n"}), Standing.BEFORE, "recall",
                 id="a bot rewrote the rest"),
    pytest.param(Story({0: RECALL, 10: None, 20: MRR}), Standing.BEFORE, "mrr", id="deleted, then declared in time"),
    pytest.param(Story({0: RECALL, 10: None, 40: MRR}), Standing.UNKNOWN, None, id="deleted before the result"),
    pytest.param(Story({0: RECALL, 40: None, 50: RECALL}), Standing.BEFORE, "recall", id="deleted after the result"),
    pytest.param(Story({0: RECALL, 20: MRR}, complete=False), Standing.BEFORE, "mrr", id="incomplete, all edits in time"),
    pytest.param(Story({0: RECALL, 40: RECALL}, complete=False), Standing.UNKNOWN, None, id="incomplete, edited later"),
    pytest.param(Story({0: RECALL}, result=None), Standing.BEFORE, "recall", id="no time, never changed"),
    pytest.param(Story({0: RECALL, 5: RECALL + "more"}, result=None), Standing.BEFORE, "recall", id="no time, prose edited"),
    pytest.param(Story({0: RECALL, 5: MRR}, result=None), Standing.UNKNOWN, None, id="no time, changed"),
    pytest.param(Story({0: RECALL, 5: None, 6: RECALL}, result=None), Standing.UNKNOWN, None, id="no time, a gap"),
    pytest.param(Story({0: block(effect="0.5")}), Standing.BEFORE, None, id="what the policy forbids binds nobody"),
    pytest.param(Story({0: PROSE}, policy=DEFAULTED), Standing.BEFORE, None, id="the policy's own primary"),
    pytest.param(Story({0: PROSE}, policy=DEFAULTED, result=None), Standing.BEFORE, None,
                 id="the policy's own needs no time"),
    pytest.param(Story({0: PROSE, 40: RECALL}, policy=DEFAULTED), Standing.BEFORE, None,
                 id="the policy's own, said after the result"),
    pytest.param(Story({0: PROSE, 40: MRR}, policy=DEFAULTED), Standing.AFTER, None,
                 id="another than the policy's, after the result"),
    pytest.param(Story({0: MRR, 40: PROSE}, policy=DEFAULTED), Standing.AMENDED, "mrr",
                 id="back to the policy's own after the result"),
    pytest.param(Story({0: MRR, 40: None, 50: PROSE}, policy=DEFAULTED), Standing.AMENDED, "mrr",
                 id="removed and the history deleted"),
    pytest.param(Story({0: block(suite="long"), 40: block(suite="long") + MRR}), Standing.AFTER, None,
                 id="another suite's declaration is none"),
]  # fmt: skip


@pytest.mark.parametrize(("story", "standing", "registered"), CASES)
def test_what_can_be_shown(story: Story, standing: Standing, registered: str | None) -> None:
    told = story.told()
    assert told.standing is standing
    assert (None if told.registered is None else told.registered.primary_metric) == registered


def test_the_policys_own_primary_is_registered_by_the_policy() -> None:
    assert Story({0: PROSE}, policy=DEFAULTED).told().registrar is Registrar.POLICY
    assert Story({0: RECALL}).told().registrar is Registrar.DESCRIPTION


def entry(metric: str | None, *, standing: Standing = Standing.BEFORE, first: int = 30, seq: int = 1) -> Earlier:
    registered = None
    if metric is not None:
        declared = parse(block(metric))
        assert isinstance(declared, Declaration)
        registered = declared.canonical
    return Earlier(seq=seq, registered=registered, standing=standing, first_result_at=at(first))


class TestTheLedger:
    def test_a_history_that_was_rewritten_changes_nothing(self) -> None:
        told = Story({0: MRR}, result=50, earlier=(entry("recall"),)).told()
        assert told.standing is Standing.AMENDED
        assert told.registered is not None
        assert told.registered.primary_metric == "recall"

    def test_a_result_whose_artifact_is_gone_still_counts(self) -> None:
        told = Story({0: PROSE, 40: RECALL}, result=50, earlier=(entry(None, first=30),)).told()
        assert told.standing is Standing.AFTER
        assert told.first_result_at == at(30)

    def test_it_decides_where_the_history_cannot_be_read(self) -> None:
        told = Story({0: RECALL, 40: None, 50: RECALL}, complete=False, earlier=(entry("recall"),)).told()
        assert told.standing is Standing.BEFORE

    @pytest.mark.parametrize("standing", [Standing.AFTER, Standing.UNKNOWN])
    def test_an_entry_that_could_not_tell_binds_nobody(self, standing: Standing) -> None:
        told = Story({0: RECALL}, earlier=(entry("mrr", standing=standing),)).told()
        assert told.registered is not None
        assert told.registered.primary_metric == "recall"

    def test_the_first_entry_binds_whatever_later_ones_found(self) -> None:
        earlier = (entry("recall"), entry("mrr", standing=Standing.AMENDED, seq=2))
        told = Story({0: MRR}, earlier=earlier).told()
        assert told.standing is Standing.AMENDED


def test_the_sequence_is_told_with_its_times_and_sources() -> None:
    told = Story({0: RECALL, 10: RECALL + "more", 40: MRR, 50: PROSE}).told()
    assert [(one.at, one.what, one.source) for one in told.evidence] == [
        (at(0), "recall was declared primary", "pull request"),
        (at(30), "uploaded", "artifact 1"),
        (at(40), "mrr was declared primary", "edit history"),
        (at(50), "the declaration was removed or became unusable", "edit history"),
    ]


def test_what_could_not_be_read_is_said() -> None:
    assert Story({0: RECALL, 5: MRR}, result=None).told().doubts == (
        "actions: read is missing",
        "When the first result came to exist could not be read.",
    )
