"""The API client: one origin, patience with limits and outages, none with missing permissions."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

import pytest
import requests

from clearband.github import client as module
from clearband.github import failures
from clearband.github.client import Client
from github.peer import Fault, Peer
from github.peer.faults import RATE_LIMIT, READ_ONLY

if TYPE_CHECKING:
    from pathlib import Path

    from github.conftest import Time

Connect = Callable[..., Client]
PULL = "/repos/octo/evals/pulls/7"


def read(client: Client) -> object:
    return client.get(PULL, needs="pull-requests: read").json()


@pytest.fixture
def client(peer: Peer, connect: Connect) -> Client:
    peer.world.open_pull("body")
    return connect(peer)


class TestOneOrigin:
    def test_every_request_carries_token_version_and_name(self, peer: Peer, client: Client) -> None:
        read(client)
        headers = peer.exchanges[0].headers
        assert headers["authorization"] == "Bearer ghs_ours"
        assert headers["accept"] == "application/vnd.github+json"
        assert headers["x-github-api-version"] == "2022-11-28"
        assert headers["user-agent"].startswith("clearband/")

    @pytest.mark.parametrize("status", [301, 302, 307, 308])
    def test_a_redirect_is_not_followed_and_the_token_goes_nowhere(
        self, peer: Peer, client: Client, serve: Callable[..., Peer], status: int
    ) -> None:
        elsewhere = serve()
        peer.faults.append(Fault(on="GET .*", status=status, headers={"location": f"{elsewhere.api_url}{PULL}"}))
        with pytest.raises(failures.Refused, match=f"answered {status} to GET {PULL}"):
            read(client)
        assert elsewhere.exchanges == []

    def test_a_next_page_on_another_host_is_not_read(
        self, peer: Peer, client: Client, serve: Callable[..., Peer]
    ) -> None:
        elsewhere = serve()
        pull = peer.world.pulls[7]
        for number in range(101):
            peer.world.say(pull, f"{number}")
        peer.github.next_page_host = elsewhere.api_url
        with pytest.raises(failures.Refused, match="another host"):
            list(client.pages("/repos/octo/evals/issues/7/comments", needs="x"))
        assert elsewhere.exchanges == []

    @pytest.mark.parametrize("broken", ["http://[", "http://127.0.0.1:port", "", "//127.0.0.1"])
    def test_a_next_page_that_is_no_address_is_not_read(self, peer: Peer, client: Client, broken: str) -> None:
        for number in range(101):
            peer.world.say(peer.world.pulls[7], f"{number}")
        peer.github.next_page_host = broken or "x"
        with pytest.raises(failures.Refused):
            list(client.pages("/repos/octo/evals/issues/7/comments", needs="x"))

    def test_a_netrc_file_is_not_used(
        self, peer: Peer, connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "netrc").write_text("machine 127.0.0.1 login other password secret\n")
        monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
        for proxy in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.delenv(proxy, raising=False)
        peer.world.open_pull("body")
        client = connect(peer)
        with requests.Session() as session:  # a session that trusts its environment, as the Action's does
            client.session = session
            read(client)
        assert peer.exchanges[0].headers["authorization"] == "Bearer ghs_ours"

    def test_an_enterprise_server_under_a_path_gets_every_call(
        self, serve: Callable[..., Peer], connect: Connect
    ) -> None:
        peer = serve(prefix="/api/v3")
        pull = peer.world.open_pull("body")
        comment = peer.world.say(pull, "hello")
        client = connect(peer)
        read(client)
        client.graphql(
            "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id viewerDidAuthor } } }",
            {"ids": [comment.node_id]},
            needs="x",
        )
        assert peer.calls == [f"GET /api/v3{PULL}", "POST /api/graphql"]

    def test_the_token_is_in_no_repr(self, client: Client) -> None:
        assert "ghs_ours" not in repr(client)


class TestPaging:
    @pytest.mark.parametrize("count", [0, 1, 100, 101, 250])
    def test_every_item_of_every_page_once(self, peer: Peer, client: Client, count: int) -> None:
        for number in range(count):
            peer.world.say(peer.world.pulls[7], f"{number}")
        items = list(client.pages("/repos/octo/evals/issues/7/comments", needs="x"))
        assert [item["body"] for item in items] == [f"{number}" for number in range(count)]


class TestPatience:
    @pytest.mark.parametrize("status", [500, 502, 503, 504])
    def test_an_outage_is_tried_again(self, peer: Peer, client: Client, time: Time, status: int) -> None:
        peer.faults.append(Fault(on="GET .*", status=status, html=True, times=3))
        assert read(client)
        assert time.slept == [1, 2, 4]

    def test_an_outage_that_lasts_is_named(self, peer: Peer, client: Client, time: Time) -> None:
        peer.faults.append(Fault(on="GET .*", status=502, html=True, times=99))
        with pytest.raises(failures.Unreachable, match=f"GitHub answered 502 to GET {PULL}"):
            read(client)
        assert len(peer.calls) == 5

    def test_a_lost_connection_is_tried_again(self, peer: Peer, client: Client) -> None:
        peer.faults.append(Fault(on="GET .*", hang_up=True, times=2))
        assert read(client)

    def test_a_host_that_is_not_there_is_named_without_its_address(self, connect: Connect, peer: Peer) -> None:
        client = connect(peer)
        client.api_url = "http://127.0.0.1:1"
        with pytest.raises(failures.Unreachable) as caught:
            client.get(PULL, needs="x", query={"secret": "in the query"})
        assert "could not be reached for GET /repos/octo/evals/pulls/7" in str(caught.value)
        assert "secret" not in str(caught.value)

    @pytest.mark.parametrize(
        ("fault", "waits"),
        [
            (Fault(on=".*", status=429, headers={"retry-after": "17"}), [17]),
            (Fault(on=".*", status=403, message=RATE_LIMIT, headers={"retry-after": "9"}), [9]),
            (Fault(on=".*", status=403, message=RATE_LIMIT), [60]),
            (Fault(on=".*", status=403, message=RATE_LIMIT, times=2), [60, 120]),
            (Fault(on=".*", status=429, headers={"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}), [60]),
            (Fault(on=".*", status=429, headers={"retry-after": "-5"}), [60]),
            (Fault(on=".*", status=429, headers={"retry-after": "0"}), [1]),
            (
                Fault(
                    on=".*",
                    status=403,
                    message="API rate limit exceeded",
                    headers={"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000041"},
                ),
                [42],
            ),
        ],
    )
    def test_a_rate_limit_is_waited_out(
        self, peer: Peer, client: Client, time: Time, fault: Fault, waits: list[float]
    ) -> None:
        peer.faults.append(Fault(**vars(fault)))
        assert read(client)
        assert time.slept == waits

    @pytest.mark.parametrize("wait", ["3540", "999999999999999", "99999999999999999999"])
    def test_a_limit_that_outlasts_the_run_is_said_at_once(
        self, peer: Peer, client: Client, time: Time, wait: str
    ) -> None:
        headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1900000000", "retry-after": wait}
        peer.faults.append(Fault(on=".*", status=403, message="API rate limit exceeded", headers=headers, times=99))
        client.patience = 30
        with pytest.raises(failures.RateLimitReached, match="rate limit"):
            read(client)
        assert time.slept == []

    def test_all_waiting_of_a_run_has_one_end(self, peer: Peer, client: Client, time: Time) -> None:
        client.patience = 100
        for _ in range(4):
            peer.faults.append(Fault(on=".*", status=429, headers={"retry-after": "40"}))
            try:
                read(client)
            except failures.RateLimitReached:
                break
        assert sum(time.slept) == 80

    def test_a_missing_permission_is_not_waited_for(self, peer: Peer, client: Client, time: Time) -> None:
        peer.faults.append(Fault(on=".*", status=403, message=READ_ONLY, times=99))
        with pytest.raises(failures.PermissionMissing) as caught:
            read(client)
        assert READ_ONLY in caught.value.what
        assert "`pull-requests: read`" in str(caught.value.remedy)
        assert (time.slept, len(peer.calls)) == ([], 1)

    @pytest.mark.parametrize(
        ("status", "kind"),
        [
            (400, failures.Refused),
            (401, failures.TokenNotValid),
            (404, failures.NotThere),
            (410, failures.NotThere),
            (409, failures.Refused),
            (422, failures.Refused),
        ],
    )
    def test_every_refusal_has_its_name(
        self, peer: Peer, client: Client, time: Time, status: int, kind: type[Exception]
    ) -> None:
        peer.faults.append(Fault(on=".*", status=status, times=99))
        with pytest.raises(kind, match=f"answered {status}"):
            read(client)
        assert time.slept == []

    def test_an_answer_that_does_not_come_is_given_up_and_asked_for_again(
        self, peer: Peer, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "_READ", 0.05)
        peer.faults.append(Fault(on=".*", seconds=0.3, times=1))
        assert read(client)

    def test_an_answer_that_trickles_for_ever_has_an_end(self, client: Client) -> None:
        ticks = count(step=module._WHOLE + 1)
        client.clock = lambda: float(next(ticks))
        with pytest.raises(failures.Unreachable, match="it took too long"):
            read(client)

    def test_an_answer_that_comes_drop_by_drop_is_not_waited_for(self, peer: Peer, client: Client) -> None:
        peer.faults.append(Fault(on=".*", trickle=0.001, times=99))
        ticks = count(step=2)
        client.clock = lambda: float(next(ticks))
        with pytest.raises(failures.Unreachable, match="it took too long"):
            read(client)

    def test_a_run_asks_no_more_once_its_time_for_github_is_used_up(self, peer: Peer, client: Client) -> None:
        ticks = count(step=module.PATIENCE)
        client.clock = lambda: float(next(ticks))
        with pytest.raises(failures.Unreachable, match="it took too long"):
            read(client)
        before = len(peer.calls)
        with pytest.raises(failures.Unreachable, match="300 seconds were spent on GitHub already"):
            read(client)
        assert len(peer.calls) == before

    def test_an_answer_that_breaks_off_is_no_answer(self, peer: Peer, client: Client) -> None:
        peer.faults.append(Fault(on=".*", truncated=True))
        assert read(client)
        assert len(peer.calls) == 2

    def test_a_proxy_that_is_not_there_and_a_certificate_that_is_not_ours_are_named(
        self, peer: Peer, client: Client
    ) -> None:
        client.session.proxies = {"http": "http://127.0.0.1:1"}
        with pytest.raises(failures.Unreachable, match="the proxy did not answer"):
            read(client)
        client.session.proxies = {}
        client.api_url = peer.api_url.replace("http://", "https://")
        with pytest.raises(failures.Unreachable, match="certificate"):
            read(client)


class TestHostileAnswers:
    def test_a_list_without_an_end_has_one(self, peer: Peer, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "PAGE_CAP", 2)
        for number in range(201):
            peer.world.say(peer.world.pulls[7], f"{number}")
        with pytest.raises(failures.NotUnderstood, match="more than 2 pages"):
            list(client.pages("/repos/octo/evals/issues/7/comments", needs="x"))

    @pytest.mark.parametrize("raw", [b"[]", b"{}", b'{"data": null}', b'{"errors": []}'])
    def test_a_graphql_answer_without_data_is_none(self, peer: Peer, client: Client, raw: bytes) -> None:
        peer.faults.append(Fault(on="POST /graphql", raw=raw))
        with pytest.raises(failures.NotUnderstood, match="holds no data"):
            client.graphql("query { viewer { login } }", {}, needs="x")

    def test_an_answer_larger_than_the_cap_is_not_read_to_its_end(
        self, peer: Peer, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "ANSWER_CAP", 1000)
        peer.faults.append(Fault(on=".*", raw=b"x" * 2000))
        with pytest.raises(failures.NotUnderstood, match="larger than 1000 bytes"):
            read(client)

    @pytest.mark.parametrize(
        "raw", [b"", b"<html>", b"[" * 200_000, b'{"a": 1', b"\xff\xfe", gzip.compress(b"{}", mtime=0)]
    )
    def test_what_is_not_json_is_named(self, peer: Peer, client: Client, raw: bytes) -> None:
        peer.faults.append(Fault(on=".*", raw=raw))
        with pytest.raises(failures.NotUnderstood, match=f"answer to GET {PULL} is not JSON"):
            read(client)

    def test_messages_are_cut_and_on_one_line(self, peer: Peer, client: Client) -> None:
        said = "::error::owned\n\x1b[31m" + "x" * 100_000
        peer.faults.append(Fault(on=".*", status=422, message=said))
        with pytest.raises(failures.Refused) as caught:
            read(client)
        assert len(str(caught.value)) < 500
        assert "\n" not in caught.value.what
        assert "\x1b" not in caught.value.what

    def test_the_token_is_in_no_error(self, peer: Peer, client: Client) -> None:
        for status in (401, 403, 404, 422, 500, 502):
            peer.faults.append(Fault(on=".*", status=status, times=5 if status >= 500 else 1))
            with pytest.raises(Exception, match="GitHub") as caught:
                read(client)
            assert "ghs_ours" not in f"{caught.value!r} {caught.value}"
