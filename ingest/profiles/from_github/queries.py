"""The questions that are put to GitHub in GraphQL. None asks for an email."""

from collections.abc import Sequence
from typing import TypeAlias

Variables: TypeAlias = dict[str, str | int | None]

AUTHORS = 20
"""Authors asked for with each commit; the rest of a long list is asked for by itself."""
REVIEWS = 50

_AUTHORS = """
      pageInfo { hasNextPage endCursor }
      nodes { name user { login databaseId } }
"""
_REVIEWS = """
      pageInfo { hasNextPage endCursor }
      nodes { state submittedAt author { __typename login ... on User { databaseId } } }
"""
HISTORY = f"""
query History($owner: String!, $name: String!, $at: String!, $first: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    nameWithOwner
    object(expression: $at) {{
      ... on Commit {{
        oid
        history(first: $first, after: $after) {{
          pageInfo {{ hasNextPage endCursor }}
          nodes {{ oid authors(first: {AUTHORS}) {{ {_AUTHORS} }} }}
        }}
      }}
    }}
  }}
}}
"""
MORE_AUTHORS = f"""
query MoreAuthors($owner: String!, $name: String!, $oid: GitObjectID!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    object(oid: $oid) {{ ... on Commit {{ authors(first: 100, after: $after) {{ {_AUTHORS} }} }} }}
  }}
}}
"""
MORE_REVIEWS = f"""
query MoreReviews($owner: String!, $name: String!, $number: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    pullRequest(number: $number) {{ reviews(first: 100, after: $after) {{ {_REVIEWS} }} }}
  }}
}}
"""
_PULL = f"""
fragment Pull on PullRequest {{
  number
  mergeCommit {{ oid }}
  author {{ login }}
  reviews(first: {REVIEWS}) {{ {_REVIEWS} }}
}}
"""
_PROFILE = """
fragment Profile on User {
  databaseId login name company location bio websiteUrl isHireable createdAt
  followers { totalCount }
}
"""


def profiles(logins: Sequence[str]) -> tuple[str, Variables]:
    """One question about many accounts; the answer has `u0` for the first login, and so on.

    >>> text, variables = profiles(["ada", "grace"])
    >>> variables
    {'l0': 'ada', 'l1': 'grace'}
    """
    declared = ", ".join(f"$l{at}: String!" for at in range(len(logins)))
    asked = "\n".join(f"  u{at}: user(login: $l{at}) {{ ...Profile }}" for at in range(len(logins)))
    variables: Variables = {f"l{at}": login for at, login in enumerate(logins)}
    return f"query Profiles({declared}) {{\n{asked}\n}}\n{_PROFILE}", variables


def pulls(repository: str, numbers: Sequence[int]) -> tuple[str, Variables]:
    """One question about many pull requests; the answer has `p7` for number 7.

    >>> pulls("acme/engine", [7])[1]
    {'owner': 'acme', 'name': 'engine'}
    """
    asked = "\n".join(f"    p{n}: pullRequest(number: {n}) {{ ...Pull }}" for n in numbers)
    text = (
        "query Pulls($owner: String!, $name: String!) {\n"
        "  repository(owner: $owner, name: $name) {\n    nameWithOwner\n"
        f"{asked}\n  }}\n}}\n{_PULL}"
    )
    return text, named(repository)


def named(repository: str, **variables: str | int | None) -> Variables:
    """
    >>> named("acme/engine", first=100)
    {'owner': 'acme', 'name': 'engine', 'first': 100}
    """
    owner, _, name = repository.partition("/")
    return {"owner": owner, "name": name, **variables}
