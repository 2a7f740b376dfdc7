"""What a commit's message says in trailers: who co-wrote, signed and reviewed it."""

import re
from dataclasses import dataclass

from sourcer.commits import Role, Signature, Signed

ROLES = {
    "co": Role.CO_AUTHOR,
    "si": Role.SIGNER,
    "re": Role.REVIEWER,
    "ac": Role.REVIEWER,
    "ap": Role.REVIEWER,
}
"""By the first two letters of what LINE takes for a trailer."""
LONGEST_NAME = 60
LINE = re.compile(
    r"^[ \t]*(?:[*\-][ \t]+)?"
    r"(co[- ]?author(?:ed)?|co[- ]?developed|signed[- ]?off|reviewed|acked|approved)"
    r"(?:[- ]?by)?[ \t]*(:?)[ \t]*(.*?)[ \t\r]*$"
    r"(?:\n[ \t]+(<[^<>\n]+@[^<>\n]+>)[ \t]*$)?",
    re.IGNORECASE | re.MULTILINE,
)
WHO = re.compile(r"^(.*?)[ \t]*<([^<>]*)>$")
BARE_EMAIL = re.compile(r"^(.*?)[ \t<(]*([^\s<>()]+@[^\s<>()]+)[>)]*$")
PULL = re.compile(r"\(#(\d{1,9})\)\s*$|^Merge pull request #(\d{1,9})\b")
REVERTS = re.compile(r"\bThis reverts commit ([0-9a-f]{7,64})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Message:
    """A message taken apart; `body` is what is left when the trailers are out."""

    body: str
    trailers: tuple[Signed, ...] = ()
    malformed: int = 0
    reverts: str | None = None


PLAIN = Message("")


def pull_number(subject: str) -> int | None:
    """The pull request a subject ends with, or that a merge names.

    >>> pull_number('Revert "Add EPLB (#10)" (#12)')
    12
    >>> pull_number("Merge pull request #7 from someone/branch")
    7
    >>> pull_number("Fix (#12) for real")
    """
    found = PULL.search(subject)
    return int(found[1] or found[2]) if found else None


def read_message(text: str) -> Message:
    r"""Takes the trailers out of a body, wherever in it they stand.

    Squash merges leave them between paragraphs, in any case, folded or damaged. A damaged one
    still counts for whom it names, and is counted.

    >>> message = read_message("Why.\n\nco-authored-by: Ada Roe <ada@x.org>\nSigned-off-by: Bo")
    >>> [(signed.role.value, signed.who.name, signed.who.email) for signed in message.trailers]
    [('co-author', 'Ada Roe', 'ada@x.org'), ('signer', 'Bo', '')]
    >>> message.body, message.malformed
    ('Why.', 1)
    """
    if not text:
        return PLAIN
    found: dict[Signed, None] = {}
    malformed = 0

    def take(line: re.Match[str]) -> str:
        nonlocal malformed
        signed, sound = _read_line(line)
        malformed += not sound
        if signed is None:
            return line[0]
        found[signed] = None
        return ""

    body = LINE.sub(take, text).strip()
    reverted = REVERTS.search(body)
    return Message(body, tuple(found), malformed, reverted[1].lower() if reverted else None)


def _read_line(line: re.Match[str]) -> tuple[Signed | None, bool]:
    """Who a line names, and whether it is well formed.

    Prose that merely starts like a trailer ("Reviewed the kernel") names nobody and is sound.
    """
    role, colon = ROLES[line[1].lower()[:2]], bool(line[2])
    value = f"{line[3]} {line[4]}".strip() if line[4] else line[3]
    formed = WHO.match(value)
    who = formed or BARE_EMAIL.match(value)
    if who and (colon or formed):
        name, email = who[1].strip(' "'), who[2].strip() if "@" in who[2] else ""
        signed = Signed(role, Signature(name, email)) if name or email else None
        return signed, colon and formed is not None and bool(email)
    if not colon:
        return None, True
    named = 0 < len(value) < LONGEST_NAME
    return (Signed(role, Signature(value, "")) if named else None), False
