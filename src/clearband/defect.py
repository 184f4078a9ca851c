"""Our own mistakes, in one line that can be reported and quotes nothing."""

from __future__ import annotations

import traceback
from pathlib import Path


def defect_line(defect: Exception) -> str:
    """Return one line about our own mistake: its kind and place, never its text, which may quote anything."""
    frame = traceback.extract_tb(defect.__traceback__)[-1]
    return (
        f"This is a defect in Clearband, not in your files: {type(defect).__name__} at "
        f"{Path(frame.filename).name}, line {frame.lineno}, in {frame.name}. Please report this line."
    )
