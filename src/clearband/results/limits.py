"""How much one result file may hold; beyond any of these it is refused, by name, before it can do harm.

The files are made by a pull request's own code, so every limit is met by somebody on purpose sooner or later.
"""

from __future__ import annotations

FILE_BYTES = 512 * 2**20
"""Bytes that are held at once, packed or unpacked: ten million rows of id and score fit. Gzip makes a
thousand bytes of one."""

PLAIN_BYTES = 4 * 2**30
"""Bytes of a plain JSON file or of a folder: prompts and traces in it are never held, and unlike
an archive it is no larger than it looks."""

HELD_BYTES = 64 * 2**20
"""Bytes of a file that is taken into memory as it is; a larger one is read from a copy on the disk."""

LINE_BYTES = 64 * 2**20
"""Bytes of one line of a large file: a line is held while it is parsed."""

GZIP_MEMBERS = 10_000
"""Concatenated gzip parts; log rotation makes dozens, an endless row of empty parts only costs time."""

ARCHIVE_MEMBERS = 200_000
"""Files in a zip archive: a log with a file per sample and epoch has tens of thousands."""

ARCHIVE_BYTES = 4 * FILE_BYTES
"""Bytes that the files of one archive unpack to together; one alone may have `FILE_BYTES`."""

ARCHIVE_RATIO = 1_000
"""How many bytes of a file one packed byte may claim to become; deflate alone reaches 1,032."""

ARCHIVE_FREE_BYTES = 16 * 2**20
"""Bytes that a packed file may claim whatever its packed size: zstd makes little of a long run of one letter."""

ZSTD_FRAME_BYTES = 4_096
"""Bytes per zstd frame, on average, below which nobody packs; frames cost time and hold nothing."""

CELL_CHARACTERS = 2**24
"""Characters of one CSV cell: whole documents and traces lie in cells, megabytes of them."""

QUESTIONS = 10_000_000
"""Questions of one run."""

METRICS = 200
"""Metrics of one run: a table beyond this is read by nobody, and at 5 % ten of them would clear by chance."""

FIELDS = 1_000
"""Fields of one row, or of one metric object."""

CELLS = 2**28
"""Fields times rows: what a few wide rows among millions of short ones would otherwise make of memory."""

OPEN_FIELDS = 100
"""Fields of an object that is not known to hold metrics; more are taken for data keyed by document or the like."""

NAME_CHARACTERS = 200
"""Characters of a metric's name."""

ID_CHARACTERS = 1_000
"""Characters of a question's id."""

MAGNITUDE = 1e100
"""Largest absolute value: sums and squares over ten million questions must stay finite numbers."""

PARQUET_FOOTER_BYTES = 4 * 2**20
"""Bytes of a Parquet file's table of contents: it becomes seventy times that in memory (measured)."""

PARQUET_FIELDS = 5_000
"""Fields of a Parquet file, those inside objects included."""

PARQUET_CELLS = 2**26
"""Rows times columns of numbers of a Parquet file: a hundred bytes can claim any number of equal ones."""
