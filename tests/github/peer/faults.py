"""Bad days on demand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Fault:
    """What goes wrong with the next `times` calls that match `on`, a pattern over ``"METHOD /path"``."""

    on: str
    times: int = 1
    status: int | None = None
    message: str = "Something went wrong"
    headers: dict[str, str] = field(default_factory=dict)
    html: bool = False
    """Answer with a page, as proxies do."""
    after: bool = False
    """Do what was asked first, then fail: the answer is lost, the deed is done."""
    hang_up: bool = False
    """Close the connection without an answer."""
    raw: bytes | None = None
    """Answer 200 with these bytes."""
    truncated: bool = False
    """Say how long the answer is and end in its middle."""
    trickle: float = 0.0
    """Send the answer byte by byte, this many seconds apart."""
    seconds: float = 0.0
    """Wait before answering."""
    skip: int = 0
    """Let this many matching calls pass first."""

    @property
    def answers(self) -> bool:
        """Whether what was asked is done all the same."""
        late = self.truncated or self.trickle > 0 or self.seconds > 0
        return self.after or (late and self.status is None and self.raw is None)

    def hits(self, call: str) -> bool:
        if self.times <= 0 or not re.fullmatch(self.on, call):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        return True


RATE_LIMIT = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
READ_ONLY = "Resource not accessible by integration"
