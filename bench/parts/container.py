"""The container from start to exit, as a workflow waits for it; skipped where no engine is at hand."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from bench import files
from bench.timing import Command, Row, interleaved

if TYPE_CHECKING:
    from bench.context import Context

QUESTIONS: Final = 1_000
NAME: Final = "container, compare"


def measure(context: Context) -> list[Row]:
    """Measure the image on 1,000 questions and 10 metrics beside an empty run of the same image."""
    sys.path.insert(0, str(context.root / "tests"))
    from container.engine import Engine, unavailable  # noqa: PLC0415  the tests' own way to build and run the image

    why = unavailable()
    if why:
        return [Row(name=NAME, size=QUESTIONS, failed=f"skipped: {why}")]
    engine = Engine.prepare()
    try:
        image = engine.build(context.root)
    except RuntimeError as problem:
        return [Row(name=NAME, size=QUESTIONS, failed=f"skipped: {str(problem).splitlines()[0][:120]}")]
    paths = files.written(context.data, QUESTIONS, files.WIDE)
    # The engine's two settings are files of its own; `env` names them, so that all commands get one environment.
    settings = [f"{name}={engine.environment[name]}" for name in ("CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF")]
    start = ("env", *settings, "podman", "run", "--rm", "-v", f"{paths[0].parent}:/data:ro")
    commands = [
        Command(name="container, nothing", argv=(*start, "--entrypoint", "/bin/true", image)),
        Command(
            name=NAME,
            argv=(
                *(*start, image, "compare", f"/data/{paths[0].name}", f"/data/{paths[1].name}"),
                *("--primary", "right_0"),
            ),
        ),
    ]
    return interleaved(commands, size=QUESTIONS, repeats=context.repeats, say=context.say, cwd=context.home)
