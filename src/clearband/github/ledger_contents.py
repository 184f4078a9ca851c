"""The contents of a ledger's entries: many in one GraphQL question, each held to the digest in its name.

Call by call, a pull request with a few hundred entries would use up a run's hourly share of the REST API. What GraphQL
does not give whole (it cuts long texts) is fetched by itself.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from clearband.errors import GitHubError
from clearband.github.encoding import decoded
from clearband.github.ledger_listing import READS, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clearband.github.client import Client
    from clearband.github.ledger_listing import Listed

AT_ONCE: Final = 25
"""Entries in one question: some hundred kilobytes to a few megabytes."""


def read(client: Client, repository: str, wanted: Iterable[Listed]) -> dict[str, bytes]:
    """Return the content of each entry by its blob; the digest of every one is for the caller to check.

    Raises
    ------
    GitHubError
        One of them cannot be read.

    """
    found: dict[str, bytes] = {}
    rest = iter(wanted)
    while some := list(islice(rest, AT_ONCE)):
        if len(some) > 1:
            found.update(_asked(client, repository, some))
        for one in some:
            if one.blob not in found:
                found[one.blob] = _fetched(client, repository, one)
    return found


def _asked(client: Client, repository: str, some: list[Listed]) -> Iterator[tuple[str, bytes]]:
    """Yield what one question answers whole; nothing where it is not answered."""
    owner, _, name = repository.partition("/")
    variables = {"owner": owner, "name": name} | {f"blob{at}": one.blob for at, one in enumerate(some)}
    try:
        told = client.graphql(_question(len(some)), variables, needs=READS).get("repository")
    except GitHubError:
        return
    answers: dict[str, Any] = told if isinstance(told, dict) else {}
    for at, one in enumerate(some):
        answer = answers.get(f"blob{at}")
        content = answer.get("text") if isinstance(answer, dict) else None
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else b""
        if sha256(data).hexdigest() == one.link.sha256:
            yield one.blob, data


def _question(count: int) -> str:
    """Return the question for `count` blobs."""
    ids = "".join(f", $blob{at}: GitObjectID!" for at in range(count))
    asked = " ".join(f"blob{at}: object(oid: $blob{at}) {{ __typename ... on Blob {{ text }} }}" for at in range(count))
    return f"query($owner: String!, $name: String!{ids}) {{ repository(owner: $owner, name: $name) {{ {asked} }} }}"


def _fetched(client: Client, repository: str, one: Listed) -> bytes:
    answer = client.get(f"/repos/{repository}/git/blobs/{one.blob}", needs=READS)
    return decoded(text(answer.json(), "content"), call=answer.call)
