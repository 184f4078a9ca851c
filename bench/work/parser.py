"""The bare parser of one file's format, inside a process: seconds to plain Python values, the file read included.

JSON by msgspec, as Clearband parses it; CSV by the standard library; gzip is unpacked first.
"""

from __future__ import annotations

import csv
import gzip
import sys
import time
import xml.etree.ElementTree as ET
from io import StringIO
from pathlib import Path

from msgspec.json import Decoder

path = Path(sys.argv[1])
decode = Decoder().decode
start = time.perf_counter()
data = path.read_bytes()
if path.suffix == ".gz":
    data = gzip.decompress(data)
match path.suffixes[0]:
    case ".jsonl":
        for line in data.splitlines():
            decode(line)
    case ".json":
        decode(data)
    case ".csv" | ".tsv":
        for _ in csv.reader(StringIO(data.decode()), delimiter="\t" if path.suffixes[0] == ".tsv" else ","):
            pass
    case ".xml":
        ET.fromstring(data)  # noqa: S314
    case other:
        raise SystemExit(f"no bare parser for {other}")
print(time.perf_counter() - start)
