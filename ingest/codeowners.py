"""CODEOWNERS, read as GitHub reads it: the last line that matches a path names its owners."""

import re
from dataclasses import dataclass
from functools import lru_cache

USER = re.compile(r"@([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))")
REFUSED = re.compile(r"^[!\[]|^\\#|\[.*\]")
"""What .gitignore allows and GitHub does not: such a line is skipped, as GitHub does."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line: a pattern and the people it names; teams and emails name no login."""

    pattern: str
    logins: tuple[str, ...]
    matches: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class CodeOwners:
    """The rules of one version of the file, in its order."""

    rules: tuple[Rule, ...]

    @classmethod
    def parse(cls, text: str) -> "CodeOwners":
        lines = (re.split(r"(?<!\\)(?:^|\s)#", line)[0].strip() for line in text.splitlines())
        return cls(tuple(_rule(line) for line in lines if line and not REFUSED.search(line)))

    def owners(self, path: str) -> tuple[str, ...]:
        """Who owns a path.

        >>> owned = CodeOwners.parse("* @ada\\n*.cu @bo @org/team\\n/docs/ @cy\\n/docs/draft.md")
        >>> owned.owners("a/b.cu"), owned.owners("docs/x/y.md"), owned.owners("docs/draft.md")
        (('bo',), ('cy',), ())
        """
        for rule in reversed(self.rules):
            if rule.matches.match(path):
                return rule.logins
        return ()

    def in_force(self) -> tuple[Rule, ...]:
        """The rules that some path can still reach: no later one takes all that they match."""
        return tuple(
            rule
            for at, rule in enumerate(self.rules)
            if not any(_covers(later.pattern, rule.pattern) for later in self.rules[at + 1 :])
        )


@lru_cache(maxsize=1 << 12)
def _rule(line: str) -> Rule:
    pattern, *named = re.split(r"(?<!\\)\s+", line)
    pattern = pattern.replace("\\ ", " ")
    people = (USER.fullmatch(word) for word in named)
    logins = dict.fromkeys(found[1] for found in people if found)
    return Rule(pattern, tuple(logins), _compiled(pattern))


@lru_cache(maxsize=1 << 12)
def _compiled(pattern: str) -> re.Pattern[str]:
    r"""GitHub's patterns: like .gitignore, but `docs/*` takes no file further down.

    >>> bool(_compiled("docs/*").match("docs/a.md")), bool(_compiled("docs/*").match("docs/a/b"))
    (True, False)
    >>> bool(_compiled("apps/").match("x/apps/y")), bool(_compiled("/apps/").match("x/apps/y"))
    (True, False)
    """
    body = pattern.strip("/")
    anchored = "/" in pattern.rstrip("/")
    start = "" if anchored else "(?:.*/)?"
    if body.endswith("/**") or pattern.endswith("/"):
        end = "/.+"
    elif body.rpartition("/")[2] == "*" and anchored:
        end = ""
    else:
        end = "(?:/.*)?"
    body = body.removesuffix("/**")
    return re.compile(f"{start}{_translated(body)}{end}\\Z", re.DOTALL)


def _translated(body: str) -> str:
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", body)
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(wild.get(part, re.escape(part)) for part in parts)


@lru_cache(maxsize=1 << 16)
def _covers(later: str, earlier: str) -> bool:
    """Asked again for every version of a file, nearly all of whose lines stay."""
    if later == earlier:
        return True
    literal = earlier.startswith("/") and not re.search(r"[*?]", earlier)
    path = earlier.strip("/")
    return literal and all(_compiled(later).match(probe) for probe in (path, f"{path}/a/b"))
