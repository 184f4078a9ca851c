"""Did your change clear the noise band? Paired bootstrap over the questions of an evaluation.

>>> import clearband
>>> baseline = clearband.load("examples/cranfield/bm25_stem.csv")
>>> candidate = clearband.load("examples/cranfield/lsa200.csv")
>>> comparison = clearband.compare(baseline, candidate, primary="nDCG@10")
>>> comparison.primary.state
<State.INCONCLUSIVE: 'inconclusive'>
>>> [f"{end:+.3f}" for end in comparison.primary.interval]
['-0.003', '+0.046']
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike

    from clearband.comparison import Comparison
    from clearband.policy import Policy
    from clearband.results.run import Run

__version__ = "0.1.0"
__all__ = ["__version__", "compare", "load"]


def load(
    path: str | PathLike[str], *, id_field: str | None = None, series: str | None = None, task: str | None = None
) -> Run:
    """Read a result file.

    Parameters
    ----------
    path
        A file that an evaluation tool wrote (docs/formats.md), JSON lines, JSON, CSV or TSV, plain or gzip; or a zip
        archive or a folder of one tool's files.
    id_field
        The field that identifies a question; None to find it.
    series
        Which of several systems in one file; a beginning of its name is enough.
    task
        Which of several tasks; None for all.

    Raises
    ------
    UnusableResults
        If the file cannot be read as one value per question and metric; see `clearband.errors`.

    """
    from clearband import folder  # noqa: PLC0415  importing clearband must not cost an import of numpy
    from clearband.results import ReadOptions  # noqa: PLC0415

    return folder.read(Path(path)).run(ReadOptions(id_field=id_field, series=series, task=task))


def compare(baseline: Run, candidate: Run, *, primary: str | None = None, policy: Policy | None = None) -> Comparison:
    """Compare two runs on every metric, with the ideal paired bootstrap.

    Parameters
    ----------
    baseline, candidate
        The runs, as `load` returns them.
    primary
        The primary metric; None for the policy's, or for none.
    policy
        Directions, ranges, effects and margins, from `clearband.policy_file.load`; None for the defaults (every metric:
        higher is better).

    Raises
    ------
    ClearbandError
        If the runs cannot be paired, `primary` is not a metric of the policy, or a policy without a primary of its
        own is given without one.

    """
    from clearband.comparing import compare_runs  # noqa: PLC0415
    from clearband.terms import Options, settle  # noqa: PLC0415

    terms = settle(policy=policy, declaration=None, options=Options(primary=primary), needs_policy=False)
    return compare_runs(baseline, candidate, terms)
