"""Bytes under a file's name, for a library that opens files only. Nothing else of this package touches a disk."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def named(data: bytes) -> Iterator[str]:
    """Give `data` a name for a while: in memory where the system can do that (Linux), else on the disk.

    In memory it works in a container whose disk is read-only, and nothing is left behind, whatever happens.
    """
    with in_memory(data) as path:
        if path is not None:
            yield path
            return
    with on_disk(data) as path:
        yield path


@contextlib.contextmanager
def in_memory(data: bytes) -> Iterator[str | None]:
    """Give `data` a name that leads to memory; None where the system has no such thing."""
    if not hasattr(os, "memfd_create"):
        yield None
        return
    with os.fdopen(os.memfd_create("results"), "wb") as file:
        file.write(data)
        file.flush()
        path = f"/proc/self/fd/{file.fileno()}"
        yield path if Path(path).exists() else None


@contextlib.contextmanager
def on_disk(data: bytes) -> Iterator[str]:
    """Write `data` to a file that only this user can read, and remove it afterwards."""
    handle, path = tempfile.mkstemp(prefix="clearband-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        yield path
    finally:
        Path(path).unlink()
