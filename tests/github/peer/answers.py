"""What the peer answers: GitHub's REST and GraphQL API as far as the program uses them, on one `World`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from github.peer import past_answers, shapes
from github.peer.faults import READ_ONLY
from github.peer.git_objects import GitApi, Refused
from github.peer.world import BOT, Identity, World, blob

if TYPE_CHECKING:
    from collections.abc import Callable

_AUTHORED = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { id viewerDidAuthor } } }"


@dataclass
class Reply:
    status: int
    value: Any = None
    links: str | None = None
    location: str | None = None


class Refusal(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class GitHub:
    """The API of one world, below `api_url`."""

    world: World
    api_url: str
    prefix: str
    graphql_path: str | None
    next_page_host: str | None = None
    """Where Link headers point to; the API itself where None."""

    def reply(self, method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes) -> Reply:
        try:
            who = self._identity(headers)
            sent = json.loads(body) if body else None
            if method == "POST" and path == self.graphql_path:
                return self._graphql(who, sent)
            return self._rest(who, method, path, query, sent)
        except Refusal as refusal:
            return Reply(refusal.status, {"message": str(refusal), "documentation_url": "https://docs.github.com/rest"})

    def _rest(self, who: Identity, method: str, path: str, query: dict[str, str], sent: Any) -> Reply:
        inner = path[len(self.prefix) :] if path.startswith(f"{self.prefix}/") else ""
        for verb, pattern, handle in self._routes():
            found = re.fullmatch(pattern, inner)
            if verb == method and found:
                if method != "GET" and not who.writes:
                    raise Refusal(403, READ_ONLY)
                return handle(who, query, sent, *(unquote(group) for group in found.groups()))
        return self._git(method, inner, query, sent, who)

    def _git(self, method: str, inner: str, query: dict[str, str], sent: Any, who: Identity) -> Reply:
        at = f"/repos/{self.world.repository}"
        api = GitApi(self.world.git, self._at, self._person(BOT) or {})
        if not inner.startswith(at) or not who.reads:
            raise Refusal(404, "Not Found")
        if method != "GET" and not who.writes:
            raise Refusal(403, READ_ONLY)
        try:
            done = api.answer(method, unquote(inner.removeprefix(at)), sent)
        except Refused as refused:
            raise Refusal(refused.status, str(refused)) from None
        if done is None:
            raise Refusal(404, "Not Found")
        return Reply(*done)

    def _routes(self) -> list[tuple[str, str, Callable[..., Reply]]]:
        repo = f"/repos/{re.escape(self.world.repository)}"
        return [
            ("GET", "/user", self._user),
            ("GET", rf"{repo}/pulls", self._pulls),
            ("POST", rf"{repo}/statuses/([0-9a-f]+)", self._status),
            ("GET", rf"{repo}/pulls/(\d+)", self._pull),
            ("GET", rf"{repo}/pulls/(\d+)/files", self._files),
            ("GET", rf"{repo}/issues/(\d+)/comments", self._comments),
            ("POST", rf"{repo}/issues/(\d+)/comments", self._create),
            ("PATCH", rf"{repo}/issues/comments/(\d+)", self._update),
            ("DELETE", rf"{repo}/issues/comments/(\d+)", self._delete),
            ("GET", rf"{repo}/contents/(.+)", self._contents),
            ("GET", rf"{repo}/git/trees/([^/]+)", self._tree),
            ("GET", rf"{repo}/commits", self._commits),
            ("GET", rf"{repo}/commits/([^/]+)", self._commit),
            ("GET", rf"{repo}/collaborators/([^/]+)/permission", self._permission),
            *past_answers.routes(self),
        ]

    def may_read(self, who: Identity) -> None:
        if not who.reads:
            raise Refusal(404, "Not Found")

    def found(self, value: Any) -> Reply:
        if value is None:
            raise Refusal(404, "Not Found")
        return Reply(200, value)

    def listed(self, path: str, query: dict[str, str], items: list[Any], key: str) -> Reply:
        """One page of a list that stands inside an object."""
        size, page = min(int(query.get("per_page", 30)), 100), int(query.get("page", 1))
        links = None
        if page * size < len(items):
            rest = "&".join(f"{name}={quote(value)}" for name, value in query.items() if name != "page")
            links = f'<{self._at}/{path}?{rest}&page={page + 1}>; rel="next"'
        return Reply(200, {"total_count": len(items), key: items[(page - 1) * size : page * size]}, links)

    def _identity(self, headers: dict[str, str]) -> Identity:
        kind, _, token = headers.get("authorization", "").partition(" ")
        who = self.world.tokens.get(token) if kind == "Bearer" else None
        if who is None:
            raise Refusal(401, "Bad credentials")
        return who

    @property
    def _at(self) -> str:
        return f"{self.api_url}/repos/{self.world.repository}"

    def _person(self, who: Identity | None) -> dict[str, Any] | None:
        kind = "Bot" if who and who.login.endswith("[bot]") else "User"
        return None if who is None else shapes.user(self.api_url, who.login, who.id, kind)

    def _user(self, who: Identity, query: dict[str, str], sent: Any) -> Reply:
        if who.installation:
            raise Refusal(403, READ_ONLY)
        person = self._person(who) or {}
        empty = dict.fromkeys(["name", "company", "blog", "location", "email", "hireable", "bio"])
        counts = dict.fromkeys(["public_repos", "public_gists", "followers", "following"], 0)
        return Reply(
            200,
            {
                **person,
                **empty,
                "user_view_type": "public",
                "hireable": None,
                **counts,
                "created_at": shapes.WHEN,
                "updated_at": shapes.WHEN,
            },
        )

    def _pull(self, who: Identity, query: dict[str, str], sent: Any, number: str) -> Reply:
        pull = self.world.pulls.get(int(number))
        if pull is None or not who.reads:
            raise Refusal(404, "Not Found")
        author = self._person(BOT) or {}
        repo = shapes.repository(self.api_url, self.world.repository, author)
        return Reply(200, shapes.pull_request(self.api_url, self._at, pull, author, repo))

    def _files(self, who: Identity, query: dict[str, str], sent: Any, number: str) -> Reply:
        pull = self.world.pulls.get(int(number))
        if pull is None or not who.reads:
            raise Refusal(404, "Not Found")
        size, page = min(int(query.get("per_page", 30)), 100), int(query.get("page", 1))
        links = None
        if page * size < len(pull.files):
            links = f'<{self._at}/pulls/{number}/files?per_page={size}&page={page + 1}>; rel="next"'
        shown = pull.files[(page - 1) * size : page * size]
        ids = {path: blob(data) for path, data in pull.contents.items()}
        return Reply(200, [shapes.changed_file(self._at, path, ids.get(path, "0" * 40)) for path in shown], links)

    def _comments(self, who: Identity, query: dict[str, str], sent: Any, number: str) -> Reply:
        pull = self.world.pulls.get(int(number))
        if pull is None or not who.reads:
            raise Refusal(404, "Not Found")
        size, page = min(int(query.get("per_page", 30)), 100), int(query.get("page", 1))
        shown = pull.comments[(page - 1) * size : page * size]
        links = None
        if page * size < len(pull.comments):
            base = self.next_page_host or self.api_url
            path = f"/repos/{self.world.repository}/issues/{number}/comments"
            links = f'<{base}{path}?per_page={size}&page={page + 1}>; rel="next", <{base}{path}?per_page={size}>; rel="first"'
        return Reply(
            200, [shapes.comment(self._at, int(number), one, self._person(one.author)) for one in shown], links
        )

    def _create(self, who: Identity, query: dict[str, str], sent: Any, number: str) -> Reply:
        pull = self.world.pulls.get(int(number))
        if pull is None:
            raise Refusal(404, "Not Found")
        if not isinstance(sent, dict) or not isinstance(sent.get("body"), str) or not sent["body"].strip():
            raise Refusal(422, "Validation Failed")
        if len(sent["body"].encode()) > 262_144:
            raise Refusal(422, "Body is too long (maximum is 65536 characters)")
        made = self.world.say(pull, sent["body"], who)
        return Reply(201, shapes.comment(self._at, int(number), made, self._person(who)))

    def _update(self, who: Identity, query: dict[str, str], sent: Any, comment: str) -> Reply:
        found = self.world.find(int(comment))
        if found is None:
            raise Refusal(404, "Not Found")
        # Anyone who may write may change anyone's comment, as on GitHub: only the program's own care protects others'.
        pull, one = found
        one.body = sent["body"]
        return Reply(200, shapes.comment(self._at, pull.number, one, self._person(one.author)))

    def _delete(self, who: Identity, query: dict[str, str], sent: Any, comment: str) -> Reply:
        found = self.world.find(int(comment))
        if found is None:
            raise Refusal(404, "Not Found")
        found[0].comments.remove(found[1])
        return Reply(204)

    def _contents(self, who: Identity, query: dict[str, str], sent: Any, path: str) -> Reply:
        commit = self.world.resolve(query.get("ref", "HEAD"))
        if commit is None or not who.reads:
            raise Refusal(404, "Not Found")
        data = self.world.commits[commit].get(path)
        if data is not None:
            return Reply(200, shapes.content(self._at, path, blob(data), data))
        trees = self.world.trees(commit)
        if path in trees:
            return Reply(200, shapes.folder(self._at, path, trees[path][1]))
        raise Refusal(404, "Not Found")

    def _tree(self, who: Identity, query: dict[str, str], sent: Any, name: str) -> Reply:
        if not who.reads:
            raise Refusal(404, "Not Found")
        if query.get("recursive"):
            whole = GitApi(self.world.git, self._at, {}).whole_tree(name)
            if whole is None:
                raise Refusal(404, "Not Found")
            return Reply(200, whole)
        for commit in self.world.commits:
            for path, (sha, entries) in self.world.trees(commit).items():
                if name == sha or (path == "" and commit == self.world.resolve(name)):
                    shown = [{**one, "url": f"{self._at}/git/{one['type']}s/{one['sha']}"} for one in entries]
                    return Reply(
                        200, {"sha": sha, "url": f"{self._at}/git/trees/{sha}", "tree": shown, "truncated": False}
                    )
        raise Refusal(404, "Not Found")

    def _commit(self, who: Identity, query: dict[str, str], sent: Any, ref: str) -> Reply:
        commit = self.world.resolve(ref)
        if commit is None or not who.reads:
            raise Refusal(404, "Not Found")
        author = self._person(BOT) or {}
        shown = shapes.commit(self._at, commit, self.world.trees(commit)[""][0], author)
        files = [shapes.added_file(self._at, path, blob(data)) for path, data in self.world.git.added(commit).items()]
        parents = [
            {"sha": sha, "url": f"{self._at}/commits/{sha}", "html_url": f"{self._at}/commits/{sha}"}
            for sha in self.world.past.parents.get(commit, [])
        ]
        return Reply(200, shown | {"files": files, "parents": parents})

    def _pulls(self, who: Identity, query: dict[str, str], sent: Any) -> Reply:
        """Pull requests by state and by OWNER:BRANCH of their head."""
        self.may_read(who)
        owner, _, branch = query.get("head", "").partition(":")
        numbers = [
            number
            for number, pull in sorted(self.world.pulls.items(), reverse=True)
            if query.get("state", "open") in {pull.state, "all"}
            and (not owner or ((pull.head_repository or "").split("/")[0], "topic") == (owner, branch))
        ]
        shown = []
        for number in numbers:
            whole = self._pull(who, {}, None, str(number)).value
            counts = ("mergeable", "rebaseable", "mergeable_state", "merged", "merged_by", "comments", "commits")
            shown.append({key: value for key, value in whole.items() if key not in counts})
        page = self.listed("pulls", query, shown, "pulls")
        return Reply(200, page.value["pulls"], page.links)

    def _status(self, who: Identity, query: dict[str, str], sent: Any, sha: str) -> Reply:
        if sha not in self.world.commits:
            raise Refusal(422, f"No commit found for SHA: {sha}")
        if len(sent.get("description") or "") > 140:
            raise Refusal(422, "Validation Failed: description is too long (maximum is 140 characters)")
        self.world.statuses.setdefault(sha, []).append(sent)
        url = f"{self._at}/statuses/{sha}"
        person = self._person(who)
        times = {"created_at": shapes.WHEN, "updated_at": shapes.WHEN}
        told = {"target_url": None, "description": None} | sent
        return Reply(
            201, {"url": url, "avatar_url": url, "id": 1, "node_id": "SC_1", "creator": person, **times, **told}
        )

    def _commits(self, who: Identity, query: dict[str, str], sent: Any) -> Reply:
        """The commits that one leads back to, itself the first; a list without a frame, unlike those of runs."""
        line = self.world.past.lines.get(query["sha"])
        if line is None or not who.reads:
            raise Refusal(404, "Not Found")
        page = self.listed("commits", query, line, "commits")
        author = self._person(BOT) or {}
        shown = [shapes.commit(self._at, sha, "0" * 40, author) for sha in page.value["commits"]]
        return Reply(200, shown, page.links)

    def _permission(self, who: Identity, query: dict[str, str], sent: Any, login: str) -> Reply:
        if login not in self.world.permissions:
            raise Refusal(404, f"{login} is not a user")
        number, permission = self.world.permissions[login]
        user = shapes.user(self.api_url, login, number) | {"role_name": permission}
        return Reply(200, {"permission": permission, "role_name": permission, "user": user})

    def _graphql(self, who: Identity, sent: Any) -> Reply:
        question = " ".join(sent["query"].split())
        if "pullRequest(" in question:
            return Reply(200, {"data": past_answers.pull_request(self, question, sent["variables"])})
        if "object(oid:" in question:
            return Reply(200, {"data": self.world.git.texts(sent["variables"])})
        if question != _AUTHORED:
            return Reply(200, {"errors": [{"message": "this peer knows one question"}]})
        ids = sent["variables"]["ids"]
        if len(ids) > 100:
            return Reply(
                200, {"errors": [{"type": "ARGUMENT_LIMIT", "message": "You may not provide more than 100 node ids"}]}
            )
        known = {one.node_id: one for pull in self.world.pulls.values() for one in pull.comments}
        nodes = [{"id": name, "viewerDidAuthor": known[name].author == who} if name in known else None for name in ids]
        return Reply(200, {"data": {"nodes": nodes}})
