"""Short ways to write a description and to say what has to be read from it."""

from __future__ import annotations

from clearband.declaration import Declaration, DeclarationProblem, NotDeclared, parse


def block(*lines: str, fence: str = "```") -> str:
    return "\n".join([f"{fence}clearband", *lines, fence, ""])


def declared(body: str | None, suite: str = "default") -> Declaration:
    read = parse(body, suite=suite)
    assert isinstance(read, Declaration), read
    return read


def undeclared(body: str | None, suite: str = "default") -> NotDeclared:
    read = parse(body, suite=suite)
    assert isinstance(read, NotDeclared), read
    return read


def problem(body: str | None, suite: str = "default") -> DeclarationProblem:
    read = parse(body, suite=suite)
    assert isinstance(read, DeclarationProblem), read
    return read
