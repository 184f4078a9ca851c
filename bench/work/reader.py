"""One reader of Clearband on one file, inside a process: seconds to a `Run`; runs in Clearband's own environment."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from clearband import folder
from clearband.results.options import ReadOptions

path = Path(sys.argv[1])
folder.read(path).run(ReadOptions())  # the reader's module is imported with the first file
start = time.perf_counter()
run = folder.read(path).run(ReadOptions())
print(time.perf_counter() - start, run.format, len(run.ids), len(run.metrics))
