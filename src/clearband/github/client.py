"""The one way to the GitHub API: one origin, a deadline, retries that cannot do harm, and errors with a remedy."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import unquote, urlencode, urlsplit

import requests
from requests.auth import AuthBase
from requests.structures import CaseInsensitiveDict
from requests.utils import parse_header_links
from urllib3.exceptions import HTTPError

from clearband import __version__
from clearband.github import failures, retry
from clearband.urls import same_origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from clearband.errors import GitHubError

T = TypeVar("T")

ANSWER_CAP: Final = 64 * 1024 * 1024
"""Bytes of one answer; a page of 100 comments of the largest size is 26 MB."""
PAGE_CAP: Final = 300
PATIENCE: Final = 300.0
"""Seconds that one run gives to GitHub in all, asking and waiting together; then it asks no more."""
_CONNECT, _READ, _WHOLE = 10.0, 30.0, 90.0
_FOUND: Final = 302
_HEADERS: Final = {
    "Accept": "application/vnd.github+json",
    "X-GitHub-Api-Version": "2022-11-28",
    "Cache-Control": "no-cache",  # answers may otherwise be a minute old, and a branch's head must not be
    "User-Agent": f"clearband/{__version__}",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A successful answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    call: str

    def json(self) -> Any:
        """Return the body, parsed."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise failures.NotUnderstood(f"GitHub's answer to {self.call} is not JSON.") from None


class _OneOrigin(AuthBase):
    """Sends the token to the API's origin and nowhere else; being set at all also keeps ~/.netrc out."""

    def __init__(self, token: str, api_url: str) -> None:
        self._token = token
        self._api_url = api_url

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if request.url and same_origin(request.url, self._api_url):
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


@dataclass(slots=True, kw_only=True)
class Client:
    """Calls the API of one host with one token.

    `clock` gives seconds since 1970; `sleep` waits. Together with `session` they are the only effects.
    """

    session: requests.Session
    api_url: str
    graphql_url: str
    token: str = field(repr=False)
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], object] = time.sleep
    patience: float = PATIENCE
    _spent: float = 0.0

    def get(self, path: str, *, needs: str, query: Mapping[str, str] | None = None) -> Answer:
        """Read `path`; `needs` names the permission for the error message."""
        return self._answer(_Call("GET", self._url(path, query), needs))

    def pages(
        self, path: str, *, needs: str, query: Mapping[str, str] | None = None, under: str | None = None
    ) -> Iterator[Any]:
        """Read every item of every page of the list at `path`; `under` names its key where it is inside an object."""
        url: str | None = self._url(path, {"per_page": "100", **(query or {})})
        for _ in range(PAGE_CAP):
            if url is None:
                return
            answer = self._answer(_Call("GET", url, needs))
            page = answer.json()
            items = page.get(under) if under is not None and isinstance(page, dict) else page
            if not isinstance(items, list):
                raise failures.NotUnderstood(f"GitHub's answer to {answer.call} is not a list.")
            yield from items
            url = self._next(answer)
        if url is not None:
            raise failures.NotUnderstood(f"The list at {path} has more than {PAGE_CAP} pages.")

    def moved(self, path: str, *, needs: str) -> str:
        """Return where `path` sends its reader on to; nobody is sent there, and nothing is sent along."""
        answer = self._answer(_Call("GET", self._url(path), needs, moves=True))
        place = answer.headers.get("location")
        if answer.status != _FOUND or not place:
            raise failures.NotUnderstood(f"GitHub's answer to {answer.call} names no other place.")
        return place

    def patch(self, path: str, body: Mapping[str, Any], *, needs: str) -> Answer:
        """Change `path`; doing it twice changes nothing more, so it is retried like a read."""
        return self._answer(_Call("PATCH", self._url(path), needs, body))

    def delete(self, path: str, *, needs: str) -> Answer:
        """Delete `path`."""
        return self._answer(_Call("DELETE", self._url(path), needs))

    def post(self, path: str, body: Mapping[str, Any], *, needs: str, landed: Callable[[], T | None]) -> Answer | T:
        """Create something at `path`.

        Where an attempt may or may not have worked (an outage, a lost answer), `landed` looks for its work before
        the next attempt, and what it finds is returned instead.
        """
        return self._persist(_Call("POST", self._url(path), needs, body), landed)

    def graphql(self, query: str, variables: Mapping[str, Any], *, needs: str) -> dict[str, Any]:
        """Ask a GraphQL question (never a mutation: it is retried) and return its ``data``."""
        body = {"query": query, "variables": dict(variables)}
        answer = self._answer(_Call("POST", self.graphql_url, needs, body))
        said = answer.json()
        data = said.get("data") if isinstance(said, dict) else None
        if not isinstance(data, dict):
            raise failures.NotUnderstood(f"GitHub's answer to {answer.call} holds no data.")
        return data

    def _url(self, path: str, query: Mapping[str, str] | None = None) -> str:
        return f"{self.api_url}{path}" + (f"?{urlencode(query)}" if query else "")

    def _answer(self, call: _Call) -> Answer:
        return self._persist(call, lambda: None)

    def _persist(self, call: _Call, landed: Callable[[], T | None]) -> Answer | T:
        for attempt in count(1):
            outcome = self._attempt(call, attempt)
            if isinstance(outcome, Answer):
                return outcome
            again = attempt < retry.ATTEMPTS and self.pause(outcome.pause)
            if outcome.may_have_worked and (found := landed()) is not None:
                return found
            if not again:
                raise outcome.error
        raise AssertionError  # `count` does not end

    def pause(self, seconds: float | None) -> bool:
        """Wait, and return whether trying again makes sense; False at once where patience would run out."""
        if seconds is None or self._spent + seconds > self.patience:
            return False
        self._spent += seconds
        self.sleep(seconds)
        return True

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count what is done inside towards the time that the run has for GitHub."""
        began = self.clock()
        try:
            yield
        finally:
            self._spent += max(self.clock() - began, 0.0)

    def _attempt(self, call: _Call, attempt: int) -> Answer | _Failed:
        if self._spent >= self.patience:
            late = f"{self.patience:.0f} seconds were spent on GitHub already"
            return _Failed(failures.no_answer(call=call.name, cause=late), None, may_have_worked=False)
        try:
            with self.timed():
                status, headers, content = self._exchange(call)
        except (requests.RequestException, HTTPError) as problem:
            # The text of these exceptions holds the whole URL; only their kind is passed on.
            unreachable = failures.no_answer(call=call.name, cause=cause(problem))
            return _Failed(unreachable, retry.after_outage(attempt), may_have_worked=True)
        if 200 <= status < 300 or (call.moves and status == _FOUND):
            return Answer(status, headers, content, call.name)
        message = _message(content)
        pause = retry.pause(status=status, headers=headers, message=message, attempt=attempt, now=self.clock())
        if retry.is_rate_limit(status=status, headers=headers, message=message):
            return _Failed(failures.rate_limited(call=call.name, message=message), pause, may_have_worked=False)
        error = failures.failure(status=status, call=call.name, message=message, needs=call.needs)
        return _Failed(error, pause, may_have_worked=status >= 500)

    def _exchange(self, call: _Call) -> tuple[int, Mapping[str, str], bytes]:
        ends = self.clock() + _WHOLE
        with self.session.request(
            call.method,
            call.url,
            json=call.body,
            headers=_HEADERS,
            auth=_OneOrigin(self.token, self.api_url),
            timeout=(_CONNECT, _READ),
            allow_redirects=False,
            stream=True,
        ) as response:
            chunks, size = [], 0
            for chunk in arriving(response, self.clock, ends, unpack=True):
                size += len(chunk)
                if size > ANSWER_CAP:
                    raise failures.NotUnderstood(f"GitHub's answer to {call.name} is larger than {ANSWER_CAP} bytes.")
                chunks.append(chunk)
            return response.status_code, CaseInsensitiveDict(response.headers), b"".join(chunks)

    def _next(self, answer: Answer) -> str | None:
        links = parse_header_links(answer.headers.get("link", ""))
        url = next((link["url"] for link in links if link.get("rel") == "next" and "url" in link), None)
        if url is not None and not same_origin(url, self.api_url):
            raise failures.Refused(f"The next page of {answer.call} is said to be on another host; it was not read.")
        return url


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of the API."""

    method: str
    url: str
    needs: str
    body: Mapping[str, Any] | None = None
    moves: bool = False
    """Whether a redirect is the answer that is wanted."""

    @property
    def name(self) -> str:
        """Method and path, as messages name the call: no host, no query."""
        return f"{self.method} {unquote(urlsplit(self.url).path)}"


@dataclass(frozen=True, slots=True)
class _Failed:
    """One attempt that gave no success."""

    error: GitHubError
    pause: float | None
    may_have_worked: bool


def arriving(response: requests.Response, clock: Callable[[], float], ends: float, *, unpack: bool) -> Iterator[bytes]:
    """Yield the body of a streamed answer as it comes; raise `requests.Timeout` once `clock` is past `ends`.

    `unpack` undoes the answer's content encoding.
    """
    # `read1` gives what has come: waiting for a whole chunk would let an answer trickle for hours.
    while chunk := response.raw.read1(65536, decode_content=unpack):
        yield chunk
        if clock() > ends:
            raise requests.Timeout


def _message(content: bytes) -> str:
    """Return the message inside an error's body; empty where there is none, such as in a proxy's HTML page."""
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    message = said.get("message") if isinstance(said, dict) else None
    return message if isinstance(message, str) else ""


def cause(error: Exception) -> str:
    """Return what kind of failure it was; the text of these exceptions holds the whole URL."""
    match error:
        case requests.exceptions.SSLError():
            return "the certificate was not accepted"
        case requests.exceptions.ProxyError():
            return "the proxy did not answer"
        case requests.Timeout():
            return "it took too long"
        case _:
            return "the connection failed"
