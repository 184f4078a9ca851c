"""Where artifacts lie: a second origin, as the cloud's storage is, which takes signed addresses and no token."""

from __future__ import annotations

import contextlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from types import TracebackType

    from github.peer.past import Past


class Storage:
    """Serves the artifacts of `past` until the block ends; `seen` keeps the headers of every request."""

    def __init__(self, past: Past) -> None:
        self.seen: list[dict[str, str]] = []
        self.failures: list[int] = []
        """Statuses of the next answers, before those that are right."""
        self.trickle = 0.0
        """Where it is more than 0: seconds between the bytes of an answer that takes for ever."""
        storage = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args: object) -> None:
                pass

            def do_GET(self) -> None:  # http.server's name
                parts = urlsplit(self.path)
                storage.seen.append({name.lower(): value for name, value in self.headers.items()})
                found = next((one for one in past.artifacts if parts.path == f"/{one.id}"), None)
                if storage.failures:
                    status, data = storage.failures.pop(0), b"<Error/>"
                elif found is None or parts.query != "sig=signed" or "authorization" in storage.seen[-1]:
                    status, data = 403, b"<Error>AuthenticationFailed</Error>"
                else:
                    status, data = 200, found.data
                self.send_response(status)
                self.send_header("content-length", str(20_000 if storage.trickle else len(data)))
                self.end_headers()
                if storage.trickle:
                    self._drop_by_drop()
                else:
                    self.wfile.write(data)

            def _drop_by_drop(self) -> None:
                self.wfile.flush()
                self.close_connection = True
                with contextlib.suppress(ConnectionError):  # the client goes away, as it should
                    for _ in range(20_000):
                        self.connection.sendall(b" ")
                        time.sleep(storage.trickle)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        past.storage = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
