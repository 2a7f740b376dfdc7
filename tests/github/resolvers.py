"""Answers GraphQL questions about a made-up world, by GitHub's published schema."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from graphql import ExecutionResult, GraphQLError, GraphQLSchema, graphql_sync

from tests.github.world import Pull, Review, User, World

T = TypeVar("T")


class Refused(Exception):
    """An error with GitHub's own kind."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def answer(schema: GraphQLSchema, world: World, query: str, variables: Any) -> dict[str, Any]:
    """The body that GitHub would send: errors carry `type` beside `message` and `path`."""
    result: ExecutionResult = graphql_sync(
        schema, query, root_value=_Root(world), variable_values=variables
    )
    body: dict[str, Any] = {"data": result.data}
    if result.errors:
        body["errors"] = [_error(error) for error in result.errors]
    return body


class _Root:
    def __init__(self, world: World) -> None:
        self._world = world

    def user(self, _info: object, login: str) -> dict[str, Any]:
        found = self._world.user(login)
        if found is None:
            raise Refused("NOT_FOUND", f"Could not resolve to a User with the login of '{login}'.")
        return _user(found)

    def repository(
        self, _info: object, owner: str, name: str, followRenames: bool = True
    ) -> dict[str, Any]:
        current = self._world.repositories.get(f"{owner}/{name}")
        if current is None:
            raise Refused("NOT_FOUND", f"Could not resolve to a Repository '{owner}/{name}'.")
        return _repository(self._world, current)


def _repository(world: World, name: str) -> dict[str, Any]:
    shas = [sha for sha, _ in world.commits]

    def found(_info: object, expression: str = "", oid: str = "") -> dict[str, Any] | None:
        wanted = shas[0] if expression == "HEAD" else expression or oid
        return _commit(world, shas.index(wanted)) if wanted in shas else None

    def pull_request(_info: object, number: int) -> dict[str, Any]:
        if number not in world.pulls:
            raise Refused("NOT_FOUND", "Could not resolve to a PullRequest.")
        return _pull(world, number, world.pulls[number])

    return {"nameWithOwner": name, "object": found, "pullRequest": pull_request}


def _commit(world: World, at: int) -> dict[str, Any]:
    sha, authors = world.commits[at]
    return {
        "__typename": "Commit",
        "oid": sha,
        "authors": _connection(authors, lambda one: {"name": one[0], "user": _account(world, one)}),
        "history": _connection(
            range(at, len(world.commits)), lambda place: _commit(world, place), prefix=f"{sha} "
        ),
    }


def _account(world: World, author: tuple[str, str | None]) -> dict[str, Any] | None:
    found = world.user(author[1])
    return _user(found) if found else None


def _user(user: User) -> dict[str, Any]:
    return {
        "__typename": "User",
        "databaseId": user.id,
        "login": user.login,
        "name": user.name,
        "company": user.company,
        "location": user.location,
        "bio": user.bio,
        "websiteUrl": user.blog,
        "isHireable": user.hireable,
        "createdAt": "2015-05-17T09:00:00Z",
        "followers": {"totalCount": user.followers},
    }


def _pull(world: World, number: int, pull: Pull) -> dict[str, Any]:
    return {
        "number": number,
        "mergeCommit": {"oid": pull.sha} if pull.sha else None,
        "author": _actor(world, pull.author),
        "reviews": _connection(pull.reviews, lambda review: _review(world, review)),
    }


def _review(world: World, review: Review) -> dict[str, Any]:
    return {
        "state": review.state,
        "submittedAt": review.submitted,
        "author": _actor(world, review.login),
    }


def _actor(world: World, login: str | None) -> dict[str, Any] | None:
    if login in world.bots:
        return {"__typename": "Bot", "login": login, "databaseId": 1}
    found = world.user(login)
    return _user(found) if found else None


def _connection(
    items: Sequence[T], node: Callable[[T], dict[str, Any]], prefix: str = ""
) -> Callable[..., dict[str, Any]]:
    """A page as GitHub cuts it: 100 at most, and a cursor that says how many came before."""

    def page(_info: object, first: int | None = None, after: str | None = None) -> dict[str, Any]:
        if first is None or not 1 <= first <= 100:
            raise Refused("EXCESSIVE_PAGINATION", f"`first` is {first}; 1 to 100 are allowed")
        start = int(after.removeprefix(prefix)) if after else 0
        end = start + first
        return {
            "nodes": [node(item) for item in items[start:end]],
            "pageInfo": {"hasNextPage": end < len(items), "endCursor": f"{prefix}{end}"},
        }

    return page


def _error(error: GraphQLError) -> dict[str, Any]:
    told = dict(error.formatted)
    if isinstance(error.original_error, Refused):
        told["type"] = error.original_error.kind
    return told
