"""Everything that can be wrong with what a person handed in.

Each error says what happened, where (file, line, field, question id) and what to do about it; the command line and
the Action print it once and exit with its status. A traceback is always our own defect.
"""

from __future__ import annotations


class ClearbandError(Exception):
    """Something handed in cannot be used.

    Parameters
    ----------
    what
        One sentence: what happened, naming file, field or question id.
    where
        The place inside the input, such as ``"line 12"``; None where there is none.
    remedy
        What to do or paste to mend it; None only where nothing can be advised.

    """

    exit_status = 3
    code = "unusable-input"

    def __init__(self, what: str, *, where: str | None = None, remedy: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        place = f" ({self.where})" if self.where else ""
        fix = f"\n{self.remedy}" if self.remedy else ""
        return f"{self.what}{place}{fix}"


class UnusableResults(ClearbandError):
    """A result file cannot be read as one value per question and metric."""

    code = "unusable-results"


class ResultsMissing(UnusableResults):
    """There is no result file where one was to be: nothing was written, or nothing was uploaded."""


class FirstBaseline(ResultsMissing):
    """No baseline was ever uploaded, and the policy lets the first candidate of all pass without."""


class UnusablePolicy(ClearbandError):
    """The policy file is not a policy."""

    code = "unusable-policy"


class UnusableDeclaration(ClearbandError):
    """The declaration is missing where one is needed, contradicts itself or asks for what it may not."""

    code = "unusable-declaration"


class UsageError(ClearbandError):
    """The command line or the Action's inputs are off."""

    code = "usage"


class GitHubError(ClearbandError):
    """GitHub did not give what the verdict needs; never a reason to pass."""

    code = "github"
