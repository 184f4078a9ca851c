"""A real Chromium, driven through its own debugging protocol over a pair of pipes: no driver, no port, no package.

with Browser.start() as browser:
    page = browser.open(html, width=880)
    page.picture(scale=2)
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUIET = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
          "--disable-component-update", "--disable-sync", "--disable-quic", "--hide-scrollbars")  # fmt: skip
_PATIENCE = 60.0


def chromium() -> str | None:
    """Return the browser's command; None where there is none."""
    candidates = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next((found for name in candidates if name and (found := shutil.which(name))), None)


@dataclass
class Browser:
    """One browser process."""

    to_browser: int
    from_browser: int
    folder: Path
    last: int = 0
    unread: bytearray = field(default_factory=bytearray)

    @classmethod
    @contextmanager
    def start(cls) -> Iterator[Browser]:
        """Start a browser with a profile of its own, and end it."""
        command = chromium()
        if command is None:
            raise FileNotFoundError("no Chromium found: install it or set CHROMIUM to its command")
        in_read, in_write = os.pipe()
        out_read, out_write = os.pipe()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            # The protocol's pipes have to be descriptors 3 and 4 of the browser.
            shell = f'exec "$0" "$@" 3<&{in_read} 4>&{out_write}'
            arguments = [command, *_QUIET, f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"]
            process = subprocess.Popen(
                ["bash", "-c", shell, *arguments],
                pass_fds=(in_read, out_write),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            os.close(in_read)
            os.close(out_write)
            browser = cls(in_write, out_read, Path(folder))
            try:
                yield browser
            finally:
                process.terminate()
                process.wait(timeout=_PATIENCE)
                os.close(in_write)
                os.close(out_read)

    def call(self, method: str, session: str | None = None, **values: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": values} | ({"sessionId": session} if session else {})
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.last:
                assert "error" not in answer, answer
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while b"\0" not in self.unread:
            ready, _, _ = select.select([self.from_browser], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser did not answer")
            read = os.read(self.from_browser, 1 << 20)
            if not read:
                raise ConnectionError("the browser ended")
            self.unread += read
        message, _, rest = bytes(self.unread).partition(b"\0")
        self.unread = bytearray(rest)
        return json.loads(message)

    def open(self, html: str, *, width: int, height: int = 900) -> Page:
        """Show a page in a window of so many pixels."""
        file = self.folder / f"page-{self.last}.html"
        file.write_text(html, encoding="utf-8")
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        page.resize(width, height)
        self.call("Page.navigate", session, url=file.as_uri())
        page.evaluate(
            "new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))"
        )
        assert page.evaluate("location.href") == file.as_uri()
        return page


@dataclass
class Page:
    """One page in the browser."""

    browser: Browser
    session: str

    def resize(self, width: int, height: int, scale: int = 1) -> None:
        """Set the size of the window and the pixels of the screen behind each of its pixels."""
        self.browser.call(
            "Emulation.setDeviceMetricsOverride",
            self.session,
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=False,
        )

    def evaluate(self, script: str) -> Any:
        """Return what a script comes to."""
        result = self.browser.call(
            "Runtime.evaluate", self.session, expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def picture(self, *, scale: int = 1) -> bytes:
        """Return a PNG of the whole page, however long."""
        width = self.evaluate("innerWidth")
        height = self.evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)")
        self.resize(width, height, scale)
        taken = self.browser.call("Page.captureScreenshot", self.session, format="png")
        return base64.b64decode(taken["data"])
