"""Parse every line of JSON-lines files and keep nothing: what reading costs at least."""

from __future__ import annotations

import sys
from pathlib import Path


def main(parser: str, names: list[str]) -> None:
    """Parse with orjson or msgspec."""
    if parser == "orjson":
        from orjson import loads  # noqa: PLC0415  the other one may not be installed
    else:
        from msgspec.json import Decoder  # noqa: PLC0415

        loads = Decoder().decode
    for name in names:
        with Path(name).open("rb") as file:
            for line in file:
                loads(line)


main(sys.argv[1], sys.argv[2:])
