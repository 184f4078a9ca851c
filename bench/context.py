"""What every part is handed: where files lie, which environments there are, how often to repeat, whom to tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from bench.environments import Ready


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One run of the bench."""

    root: Path
    """The clone."""
    home: Path
    """Environments, data and results; nothing of it is committed."""
    own: Ready
    """Clearband, installed as people do."""
    libraries: Ready
    peers: Mapping[str, Ready]
    """By environment."""
    repeats: int
    say: Callable[[str], None]

    @property
    def data(self) -> Path:
        """Return the folder of the generated files."""
        return self.home / "data"
