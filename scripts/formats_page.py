# ruff: noqa: INP001  a script, run by its path and never imported
"""Write docs/formats.md from what the readers say of themselves and from real output of `clearband inspect`.

``python scripts/formats_page.py`` (or `make formats`); a test holds the page to it.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from clearband import cli
from clearband.results import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clearband.results.registry import Registered

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "formats.md"
SAMPLES: Final = ROOT / "tests" / "unit" / "results" / "samples"
EXAMPLES: Final = {
    "inspect_ai": ("inspect-ai/0.3.285_3_epochs.eval",),
    "promptfoo": ("promptfoo/matrix.json", "--series", "local:base / What is {{q}}?"),
    "deepeval": ("deepeval/cand_test_run.json",),
    "junit": ("junit/pytest.xml",),
    "lm_eval": ("lm-eval-harness/0.4.10",),
}
"""Module to the arguments of `clearband inspect` that show its format, the file first; files lie in `SAMPLES`."""

INTRO: Final = """\
# Result files

<!-- Written by scripts/formats_page.py (make formats) from src/clearband/results. Change it there. -->

Clearband reads what evaluation tools already write. A file is recognised by its content, whatever it is called; `.gz`
is unpacked. What a comparison needs is one value per question and metric: files with totals only, and logs without
scores, are refused with the option that makes the tool write the rest.

When something looks wrong, look first at what was read:

```console
$ clearband inspect results.json
$ clearband inspect results.json --json
```

The second prints one object with `format`, `questions`, `key`, `series`, `metrics` (each with `n`, `mean`, `kind`,
`missing`, `direction`) and `notes`.

| format | to have it written | a question is known by |
|---|---|---|
"""

CHOICES: Final = """
## One of several

- `--series NAME` where one file holds several systems (providers, prompts); a beginning of the name is enough where
  only one begins so. Two systems of one file are compared with `--baseline-series` and `--candidate-series`, the file
  given twice.
- `--task NAME` where there are several tasks.
- `--id FIELD` where the questions are to be known by another field, such as `metadata.case_id`.

The Action has the inputs `series`, `baseline-series`, `candidate-series` and `task`.

## Folders and zip archives

Where a tool writes several files, hand in the folder, or a zip archive of it.

- Every file is recognised by its content. Results of two tools, or JSON beside CSV, are refused: name one of them.
- Each file is a task, named by the tool or after the file. Several tasks make metrics called `task/metric` over the
  union of their questions (`task/id`), without a value where a question is another task's. A single task keeps plain
  names, so does one that `--task` chooses.
- Several files of one task with times in their names (`2026-11-30T19-39-06`) are several runs: the newest is read,
  and a note says so. Where it cannot be told (a file without a time, two time zones, folders of two systems) nothing
  is guessed.
- Several files of one task without times are the parts of one run, if no question is in two of them. A file that
  repeats another's results is left out.
- Totals, settings, logs, pictures and `README` files are no results. Readers look into those that say what a metric
  means, such as lm-evaluation-harness's `results_*.json`, which is also found beside a single `samples_*.jsonl`.
- A plain JSON or JSON lines file may have 4 GiB, and so may all files of a folder together; prompts and traces in it
  are passed over and not held. A file of more than 64 MiB is first copied to a temporary file that nobody else can
  change (`TMPDIR` says where). Anything else (CSV, Parquet, XML, archives, what gzip unpacks to) may have 512 MiB.
- An archive may hold 200,000 files and unpack to 2 GiB, 512 MiB each; nothing of it is written to the disk. An
  archive in an archive is not opened.
- The record's hash of a folder is that of the list which `sha256sum` prints for its files, sorted by name
  (`.DS_Store`, `.git` and the like left out); that of an archive is the archive's own.
"""


def page() -> str:
    """Return the page."""
    rows = [f"| {_link(one)} | {_cell(one.ABOUT.produce)} | {_cell(one.ABOUT.key)} |" for one in FORMATS]
    sections = ["\n".join(_section(one)) for one in FORMATS]
    return INTRO + "\n".join(rows) + "\n" + CHOICES + "\n" + "\n".join(sections)


def _section(one: Registered) -> Iterator[str]:
    about = one.ABOUT
    yield f"## {about.name}\n"
    yield f"- **Read so far:** {about.versions}"
    yield f"- **To have it written:** {about.produce}"
    yield f"- **A question is known by:** {about.key}"
    yield f"- **Metrics:** {about.metrics}"
    yield f"- **Direction that the file tells:** {about.direction}"
    yield f"- **Lost questions and scores:** {about.errors}"
    yield f"- **Measured with, as far as the file tells:** {about.measurement}"
    for trap in about.traps:
        yield f"- {trap}"
    if (example := EXAMPLES.get(_module(one))) is not None:
        file, *options = example
        yield f"\n```console\n$ clearband inspect {' '.join([Path(file).name, *map(_quoted, options)])}"
        yield _inspected(file, *options)
        yield "```"
    yield ""


def _inspected(file: str, *options: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        status = cli.main(["inspect", str(SAMPLES / file), *options])
    if status:
        raise SystemExit(f"clearband inspect {file} ended with {status}")
    return output.getvalue().rstrip()


def _module(one: Registered) -> str:
    return one.module


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _link(one: Registered) -> str:
    anchor = re.sub(r"[^\w\- ]", "", one.ABOUT.name.lower()).replace(" ", "-")
    return f"[{_cell(one.ABOUT.name)}](#{anchor})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
