"""A whole ledger, checked: the chain, where each entry lies, the schema of each, and the commits. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from clearband.audit import schema
from clearband.audit.chain import Chain, Fault, verify
from clearband.audit.entry import NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clearband.audit.entry import Entry

_PULL_REQUEST: Final = re.compile(r"pr-([0-9]+)")
_NONE: Final = "no-pr"


def check(files: Mapping[str, bytes], *, head: str | None = None) -> Chain:
    """Check the files of a ledger, by path.

    Entries may lie flat, or in a folder of their pull request (``pr-7``, ``no-pr``) as on the ledger's branch. Every
    fault names the path of a file; the entries returned are those that keep the published schema.
    """
    paths: dict[str, str] = {}
    faults: list[Fault] = []
    for path in sorted(files):
        name = path.rpartition("/")[2]
        if NAME.fullmatch(name) is None:
            faults.append(Fault(file=path, what="is no entry: entries are called <8 digits>-<sha256>.json"))
        elif name in paths:
            faults.append(Fault(file=path, what=f"is the same entry as {paths[name]}"))
        else:
            paths[name] = path
    chain = verify({name: files[path] for name, path in paths.items()}, head=head)
    faults += [replace(fault, file=paths.get(fault.file, fault.file)) for fault in chain.faults]
    kept: list[Entry] = []
    for entry in chain.entries:
        path = paths[entry.name]
        broken = schema.fault(entry.body)
        if broken is None:
            kept.append(entry)
        wrong = _misplaced(entry, path) if broken is None else f"does not keep the published schema: {broken}"
        faults += [] if wrong is None else [Fault(file=path, what=wrong)]
    return Chain(entries=tuple(kept), faults=tuple(faults))


def _misplaced(entry: Entry, path: str) -> str | None:
    """Return what is wrong with the folder that an entry lies in; None where nothing is."""
    folder = path.rpartition("/")[0].rpartition("/")[2]
    matched = _PULL_REQUEST.fullmatch(folder)
    number = None if entry.body["pr"] is None else entry.body["pr"]["number"]
    if (matched is not None and int(matched[1]) != number) or (folder == _NONE and number is not None):
        about = "no pull request" if number is None else f"pull request {number}"
        return f"lies in the folder {folder}, and is about {about}"
    return None
