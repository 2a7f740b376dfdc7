"""A repository's .mailmap: the name and email that a signature is to be read as."""

import re
from dataclasses import dataclass, field, replace

from sourcer.commits import Commit, Signature

LINE = re.compile(r"^([^<>#]*)<([^<>]*)>(?:([^<>]*)<([^<>]*)>)?")


@dataclass(frozen=True, slots=True)
class Mailmap:
    """Looks signatures up as git does: email first, then name and email, in any case.

    >>> mailmap = Mailmap.parse("Ada Roe <ada@roe.dev> <old@corp.com>")
    >>> mailmap.read(Signature("ada", "OLD@corp.com"))
    Signature(name='Ada Roe', email='ada@roe.dev')
    """

    named: dict[tuple[str | None, str], tuple[str, str]] = field(default_factory=dict)
    """(name or any, email) as committed -> proper name and email, either empty to keep it."""

    @classmethod
    def parse(cls, text: str) -> "Mailmap":
        named: dict[tuple[str | None, str], tuple[str, str]] = {}
        for line in text.splitlines():
            found = LINE.match(line)
            if not found:
                continue
            name, email, old_name, old_email = (part and part.strip() for part in found.groups())
            key = ((old_name or "").lower() or None, (old_email or email).lower())
            before = named.get(key, ("", ""))
            named[key] = (name or before[0], email if old_email else before[1])
        return cls(named)

    def read(self, who: Signature) -> Signature:
        email = who.email.lower()
        name, address = self.named.get((who.name.lower(), email)) or self.named.get(
            (None, email), ("", "")
        )
        return Signature(name or who.name, address or who.email)

    def apply(self, commit: Commit) -> Commit:
        """The commit with every signature, trailers too, as the mailmap has it."""
        if not self.named:
            return commit
        return replace(
            commit,
            author=self.read(commit.author),
            committer=self.read(commit.committer),
            trailers=tuple(
                replace(signed, who=self.read(signed.who)) for signed in commit.trailers
            ),
        )
