"""A thin edge in front of the second peer, for the little that emulate lacks.

It rewrites the addresses in Link headers (emulate writes its own there, not the one that it was asked at), answers one
GraphQL question (of any other nothing is known), and refuses writes of read-only tokens as GitHub does. Everything else
passes through unchanged.
"""

from __future__ import annotations

import http.client
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from github.peer.faults import READ_ONLY

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def serve(*, judged: str, state: str, logins: dict[str, str], read_only: frozenset[str]) -> Iterator[str]:
    """Serve in front of Prism at `judged`; `state` is emulate's own address, `logins` maps tokens to logins."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        disable_nagle_algorithm = True

        def log_message(self, *args: object) -> None:
            pass

        def __getattr__(self, name: str) -> Any:
            if name.startswith("do_"):
                return self._serve
            raise AttributeError(name)

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            token = (self.headers.get("authorization") or "").removeprefix("Bearer ")
            if self.path == "/graphql":
                self._answer(200, {}, json.dumps(_authored(state, token, logins, json.loads(body))).encode())
            elif "/actions/" in self.path:  # emulate knows no workflows
                self._answer(404, {}, json.dumps({"message": "Not Found"}).encode())
            elif self.command != "GET" and token in read_only:
                self._answer(403, {}, json.dumps({"message": READ_ONLY}).encode())
            else:
                status, headers, answer = _ask(judged, self.command, self.path, dict(self.headers), body)
                here = f"http://{self.headers['host']}"
                kept = {
                    name: value for name, value in headers.items() if name in {"content-type", "x-ratelimit-remaining"}
                }
                if "link" in headers:
                    kept["link"] = headers["link"].replace(state, here).replace(judged, here)
                self._answer(status, kept, answer)

        def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if status != 204:
                self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _ask(
    base: str, method: str, path: str, headers: dict[str, str], body: bytes = b""
) -> tuple[int, dict[str, str], bytes]:
    parts = urlsplit(base)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    kept = {
        name: value for name, value in headers.items() if name.lower() not in {"host", "connection", "accept-encoding"}
    }
    try:
        connection.request(method, path, body or None, kept)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def _authored(state: str, token: str, logins: dict[str, str], question: dict[str, Any]) -> dict[str, Any]:
    if "ids" not in question["variables"]:
        return {"data": {"repository": None}}
    wanted = question["variables"]["ids"]
    found: dict[str, str] = {}
    for owner in set(logins.values()):
        page = 1
        while True:
            path = f"/repos/{owner}/evals/issues/comments?per_page=100&page={page}"
            status, _, body = _ask(state, "GET", path, {"Authorization": f"Bearer {token}"})
            comments = json.loads(body) if status == 200 else []
            found |= {one["node_id"]: one["user"]["login"] for one in comments}
            page += 1
            if len(comments) < 100:
                break
    nodes = [{"id": one, "viewerDidAuthor": found[one] == logins[token]} if one in found else None for one in wanted]
    return {"data": {"nodes": nodes}}
