"""The peer itself: a threaded HTTP server on loopback that answers as GitHub's REST and GraphQL API do."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, urlsplit

from github.peer.answers import GitHub, Reply
from github.peer.world import World

if TYPE_CHECKING:
    from types import TracebackType

    from github.peer.faults import Fault


@dataclass(frozen=True)
class Exchange:
    """One request as it came in and what was answered."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    status: int
    answer: bytes
    faulty: bool

    @property
    def call(self) -> str:
        return f"{self.method} {self.path}"


class Peer:
    """A GitHub on loopback. `with Peer(world) as peer:` serves until the block ends."""

    def __init__(self, world: World | None = None, *, prefix: str = "", graphql: bool = True) -> None:
        self.world = world or World()
        self.prefix = prefix
        self.exchanges: list[Exchange] = []
        self.faults: list[Fault] = []
        self.lock = threading.RLock()
        peer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # headers and body in one packet, or every answer waits 40 ms for an acknowledgement
            disable_nagle_algorithm = True

            def log_message(self, *args: object) -> None:
                pass

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except ConnectionError:  # the client went away; some tests make it
                    self.close_connection = True

            def __getattr__(self, name: str) -> Any:
                if name.startswith("do_"):
                    return lambda: peer._serve(self)
                raise AttributeError(name)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        graphql_path = urlsplit(self.graphql_url).path if graphql else None
        self.github = GitHub(self.world, self.api_url, prefix, graphql_path)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def api_url(self) -> str:
        return f"{self.origin}{self.prefix}"

    @property
    def graphql_url(self) -> str:
        return f"{self.origin}{self.prefix.removesuffix('/v3')}/graphql"

    @property
    def calls(self) -> list[str]:
        return [exchange.call for exchange in self.exchanges]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        fault = next((one for one in self.faults if one.hits(f"{handler.command} {parts.path}")), None)
        if fault and fault.seconds:
            time.sleep(fault.seconds)
        with self.lock:
            reply = None
            if fault is None or fault.answers:
                reply = self.github.reply(handler.command, parts.path, query, headers, body)
        status, answer, extra = self._encode(reply, fault)
        with self.lock:
            faulty = fault is not None
            self.exchanges.append(Exchange(handler.command, parts.path, query, headers, body, status, answer, faulty))
        if fault and fault.hang_up:
            handler.close_connection = True
            return
        handler.send_response(status)
        for name, value in extra.items():
            handler.send_header(name, value)
        if fault and fault.trickle:
            answer = b" " * 2_000 + answer
        if status != 204:
            handler.send_header("content-length", str(len(answer)))
        handler.end_headers()
        if fault and fault.truncated:
            handler.wfile.write(answer[: len(answer) // 2])
            handler.close_connection = True
        elif fault and fault.trickle:
            _trickle(handler, answer, fault.trickle)
        else:
            handler.wfile.write(answer)

    def _encode(self, reply: Reply | None, fault: Fault | None) -> tuple[int, bytes, dict[str, str]]:
        extra = {"content-type": "application/json; charset=utf-8", "x-ratelimit-remaining": "900"}
        if fault and fault.raw is not None:
            return 200, fault.raw, extra
        if fault and fault.status is not None:
            extra |= fault.headers
            if fault.html:
                return fault.status, b"<html><h1>Bad gateway</h1></html>", extra | {"content-type": "text/html"}
            return fault.status, json.dumps({"message": fault.message, "status": str(fault.status)}).encode(), extra
        if reply is None:
            return 500, b"", extra
        if reply.links:
            extra["link"] = reply.links
        if reply.location:
            extra["location"] = reply.location
        return reply.status, b"" if reply.status in {204, 302} else json.dumps(reply.value).encode(), extra


def _trickle(handler: BaseHTTPRequestHandler, answer: bytes, seconds: float) -> None:
    handler.wfile.flush()
    for byte in answer:
        # Past the buffer: what is left in one when the client goes away would be written again as it is thrown away.
        handler.connection.sendall(bytes([byte]))
        time.sleep(seconds)
