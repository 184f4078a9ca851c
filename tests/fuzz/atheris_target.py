"""Coverage-guided fuzzing of every reader, for as long as somebody likes: ``make fuzz``, ``make fuzz SECONDS=3600``.

The property tests beside this file run in every test; this one is asked for. It needs atheris (Linux, or macOS with
LLVM), which ``make fuzz`` installs into the development environment and nothing else does. It starts from the files
that tools wrote for the readers' own tests, keeps what reached new code in ``.cache/fuzz``, and stops at the first input
that gives anything but a run that keeps its promises or an `UnusableResults`; libFuzzer writes that input to a file.
``make fuzz INPUT=.cache/crash-...`` runs it again.
"""

from __future__ import annotations

import importlib
import sys


def main() -> None:
    """Fuzz with libFuzzer's own arguments: folders to start from, ``-max_total_time=60`` and the like."""
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["clearband"]):
        checks = importlib.import_module("fuzz.test_results_fuzz")
        registry = importlib.import_module("clearband.results.registry")
        for one in registry.FORMATS:  # they are imported when they are needed, which would be too late
            importlib.import_module(f"clearband.results.{one.module}")
    atheris.Setup(sys.argv, checks._check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
