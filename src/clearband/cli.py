"""The command line: arguments in, an exit status out. No logic lives here."""

from __future__ import annotations

import contextlib
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from clearband.arguments import parser
from clearband.errors import ClearbandError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from clearband import laptop, laptop_init, laptop_inspect, laptop_plan
    from clearband.results.options import PairOptions, ReadOptions


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    # A closed stream is None, and writing to it must not change an exit status.
    nowhere = Path(os.devnull)
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        # Under LANG=C a minus sign must not end in a traceback.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        chosen = parser().parse_args(arguments)
        return _run(chosen)
    except ClearbandError as problem:
        _complain(f"clearband: {problem}\n")
        return problem.exit_status
    except Exception as defect:
        # Python's own exit status for a traceback is 1, which here means "blocked".
        if os.environ.get("CLEARBAND_DEBUG"):
            raise
        _complain(
            f"clearband: a defect in Clearband itself ({type(defect).__name__}); nothing was decided\n"
            "Please report it, with what CLEARBAND_DEBUG=1 in the environment prints.\n"
        )
        return 3


def _run(chosen: argparse.Namespace) -> int:
    """Run the command that was chosen; each brings only what it needs."""
    match chosen.command:
        case "action":
            from clearband import action  # noqa: PLC0415  brings requests, which only the Action needs

            return action.main()
        case "audit":
            return _audit(chosen)
        case "init":
            from clearband import laptop_init  # noqa: PLC0415

            return laptop_init.init(_init_arguments(chosen), here=Path.cwd(), stdout=sys.stdout, stderr=sys.stderr)
        case "plan":
            from clearband import laptop_plan  # noqa: PLC0415

            return laptop_plan.plan_files(_plan_arguments(chosen), stdout=sys.stdout, stderr=sys.stderr)
        case "inspect":
            from clearband import laptop_inspect  # noqa: PLC0415

            return laptop_inspect.inspect_file(_inspect_arguments(chosen), stdout=sys.stdout, stderr=sys.stderr)
        case _:
            from clearband import laptop  # noqa: PLC0415  brings numpy, which --version does not need

            return laptop.compare(_compare_arguments(chosen), stdout=sys.stdout, stderr=sys.stderr)


def _complain(message: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(message)
        sys.stderr.flush()


def _compare_arguments(chosen: argparse.Namespace) -> laptop.CompareArguments:
    from clearband import laptop  # noqa: PLC0415
    from clearband.terms import Options  # noqa: PLC0415

    return laptop.CompareArguments(
        baseline=chosen.baseline,
        candidate=chosen.candidate,
        pairwise=chosen.pairwise,
        fill=chosen.fill,
        fill_baseline=chosen.fill_baseline,
        pool=tuple(chosen.pool),
        anchor=chosen.anchor,
        policy=chosen.policy,
        pr_body=chosen.pr_body,
        out=chosen.out,
        comment_template=chosen.comment_template,
        as_json=chosen.json,
        quiet=chosen.quiet,
        ledger=chosen.ledger,
        aa=chosen.aa,
        suite=chosen.suite,
        options=Options(
            primary=chosen.primary,
            effect=chosen.effect,
            confidence=chosen.confidence,
            interval=chosen.interval,
            n_boot=chosen.n_boot,
            seed=chosen.seed,
            reading=_pair_reading(chosen),
            metrics=tuple(chosen.metric),
            lower_is_better=tuple(chosen.lower_is_better),
        ),
    )


def _plan_arguments(chosen: argparse.Namespace) -> laptop_plan.PlanArguments:
    from clearband import laptop_plan  # noqa: PLC0415
    from clearband.terms import Options  # noqa: PLC0415

    return laptop_plan.PlanArguments(
        baseline=chosen.baseline,
        candidate=chosen.candidate,
        policy=chosen.policy,
        suite=chosen.suite,
        effect=chosen.effect,
        power=chosen.power,
        correlation=chosen.correlation,
        ladder=chosen.ladder,
        as_json=chosen.json,
        options=Options(
            confidence=chosen.confidence,
            interval=chosen.interval,
            reading=_pair_reading(chosen),
            metrics=tuple(chosen.metric),
            lower_is_better=tuple(chosen.lower_is_better),
        ),
    )


def _audit(chosen: argparse.Namespace) -> int:
    if chosen.audit_command == "replay":
        from clearband import laptop_replay  # noqa: PLC0415

        asked = laptop_replay.ReplayArguments(
            entry=chosen.entry,
            baseline=chosen.baseline,
            candidate=chosen.candidate,
            fill=chosen.fill,
            fill_baseline=chosen.fill_baseline,
            pool=tuple(chosen.pool),
            anchor=chosen.anchor,
        )
        return laptop_replay.replay(asked, stdout=sys.stdout, stderr=sys.stderr)
    from clearband import laptop_audit  # noqa: PLC0415

    given = {name: value for name, value in vars(chosen).items() if name not in {"command", "audit_command"}}
    if chosen.audit_command == "adopt":
        from clearband import laptop_adopt  # noqa: PLC0415

        return laptop_adopt.adopt(laptop_adopt.AdoptArguments(**given), stdout=sys.stdout, stderr=sys.stderr)
    given = {{"json": "as_json", "csv": "as_csv"}.get(name, name): value for name, value in given.items()}
    arguments = laptop_audit.AuditArguments(action=chosen.audit_command, **given)
    return laptop_audit.audit(arguments, stdout=sys.stdout, stderr=sys.stderr)


def _init_arguments(chosen: argparse.Namespace) -> laptop_init.InitArguments:
    from clearband import laptop_init, scaffold  # noqa: PLC0415

    wishes = scaffold.Wishes(
        primary=chosen.primary,
        lower_is_better=tuple(chosen.lower_is_better),
        series=chosen.series,
        task=chosen.task,
        force=chosen.force,
    )
    return laptop_init.InitArguments(sample=chosen.sample, wishes=wishes)


def _inspect_arguments(chosen: argparse.Namespace) -> laptop_inspect.InspectArguments:
    from clearband import laptop_inspect  # noqa: PLC0415

    return laptop_inspect.InspectArguments(file=chosen.file, reading=_reading(chosen, None), as_json=chosen.json)


def _pair_reading(chosen: argparse.Namespace) -> PairOptions:
    from clearband.results.options import PairOptions  # noqa: PLC0415

    return PairOptions(
        baseline=_reading(chosen, chosen.baseline_series), candidate=_reading(chosen, chosen.candidate_series)
    )


def _reading(chosen: argparse.Namespace, own_series: str | None) -> ReadOptions:
    """Return how one arm is read; its own series goes before that of both."""
    from clearband.results.options import ReadOptions  # noqa: PLC0415

    series = chosen.series if own_series is None else own_series
    return ReadOptions(id_field=chosen.id, series=series, task=chosen.task)
