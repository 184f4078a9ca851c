"""Fetches an artifact's bytes: one hop to the storage without the token, within limits, held to its digest.

GitHub answers with an address that is good for a minute and is itself the key: it is never logged, and each attempt
asks for a new one.
"""

from __future__ import annotations

import hashlib
from itertools import count
from typing import TYPE_CHECKING, Final

import requests
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError

from clearband.errors import GitHubError, UnusableResults
from clearband.github import failures, retry
from clearband.github.artifacts import NEEDS
from clearband.github.client import arriving, cause
from clearband.urls import is_private

if TYPE_CHECKING:
    from clearband.github.artifacts import Artifact
    from clearband.github.client import Client

CAP: Final = 50 * 2**20
"""Bytes of an artifact as it is stored; what it unpacks to has limits of its own in `artifact_zip`."""
_TIMEOUT: Final = (10.0, 30.0)
_WHOLE: Final = 300.0


class _Nobody(AuthBase):
    """Sends no credentials; being set at all also keeps ~/.netrc out, while proxies and certificates stay in force."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        return request


def fetch(client: Client, repository: str, artifact: Artifact, *, cap: int = CAP) -> bytes:
    """Return the artifact as it is stored: a zip archive, or one file of any kind.

    Raises
    ------
    GitHubError
        It cannot be had.
    UnusableResults
        It has expired, is too large, or is not what GitHub says was uploaded.

    """
    if artifact.expired:
        raise expired(artifact)
    path = f"/repos/{repository}/actions/artifacts/{artifact.id}/zip"
    for attempt in count(1):
        try:
            place = client.moved(path, needs=NEEDS)
        except failures.NotThere:
            raise expired(artifact) from None
        if not is_private(place):
            raise failures.Refused(f"{_named(artifact)} is said to be at an address without https; it was not read.")
        outcome = _attempt(client, artifact, place, cap)
        if isinstance(outcome, bytes):
            return _held_to_digest(outcome, artifact)
        if attempt >= retry.ATTEMPTS or not client.pause(retry.after_outage(attempt)):
            raise outcome
    raise AssertionError  # `count` does not end


def expired(artifact: Artifact) -> UnusableResults:
    """Return the error for an artifact that is listed and gone."""
    return UnusableResults(
        f"{_named(artifact)} has expired or was deleted.",
        remedy="Run the workflow that makes it on that commit again; `retention-days` keeps artifacts longer.",
    )


def _attempt(client: Client, artifact: Artifact, place: str, cap: int) -> bytes | GitHubError:
    """Return the bytes, or the error where a new address may help."""
    ends = client.clock() + _WHOLE
    data = bytearray()
    try:
        with (
            client.timed(),
            _stranger(client) as session,
            session.get(
                place,
                headers={"Accept-Encoding": "identity"},
                auth=_Nobody(),
                timeout=_TIMEOUT,
                allow_redirects=False,
                stream=True,
            ) as response,
        ):
            if response.status_code != requests.codes.ok:
                return failures.Unreachable(
                    f"The storage answered {response.status_code} when {_named(artifact)} was fetched.",
                    remedy="Run the job again; if it stays so, see GitHub's status page.",
                )
            # Bytes as they lie there: whatever encoding the storage claims, nothing is unpacked on the way.
            for piece in arriving(response, client.clock, ends, unpack=False):
                data += piece
                if len(data) > cap:
                    raise UnusableResults(
                        f"{_named(artifact)} is larger than {cap} bytes.",
                        remedy="Upload the result file alone; prompts, traces and attachments are not needed.",
                    )
    except (requests.RequestException, HTTPError) as problem:
        return failures.no_answer(call=f"the contents of {_named(artifact)}", cause=cause(problem))
    return bytes(data)


def _stranger(client: Client) -> requests.Session:
    """Return a session that knows nothing but the way out: no token, no cookies, no headers of the API's."""
    session = requests.Session()
    session.trust_env = client.session.trust_env
    session.verify = client.session.verify
    session.proxies = dict(client.session.proxies)
    return session


def _held_to_digest(data: bytes, artifact: Artifact) -> bytes:
    if artifact.sha256 is not None and hashlib.sha256(data).hexdigest() != artifact.sha256:
        raise UnusableResults(
            f"{_named(artifact)} is not what was uploaded: its SHA-256 differs from the one that GitHub lists.",
            remedy="Run the job again. If it stays so, make the artifact anew, and ask who could change it.",
        )
    return data


def _named(artifact: Artifact) -> str:
    return f"The artifact `{failures.quoted(artifact.name, 80)}` (number {artifact.id})"
