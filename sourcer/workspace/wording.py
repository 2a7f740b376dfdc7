"""Text that people type, made safe to keep; and short names that are safe to read aloud."""

import re
import secrets
import unicodedata

from sourcer.errors import BadInput

ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
"""No vowels, so no words; no 0, 1, l or o, which are mistaken for one another."""
SLUG = 10
NAME, TEXT = 200, 20_000
EMAIL = re.compile(r"[\w.+%'-]+(?:@|\uff20)[\w-]+(?:\.[\w-]+)+")
CONTROLS = frozenset({"Cc", "Cf", "Cs", "Co"})
JOINERS = "\u200c\u200d"
"""Characters of format that some scripts and emoji need."""


def slug() -> str:
    """A new short name, such as gbgbtze6nd: 27^10 of them, so that guessing is hopeless.

    >>> len(slug())
    10
    """
    return "".join(secrets.choice(ALPHABET) for _ in range(SLUG))


def without_emails(text: str) -> str:
    """The text with every email address blotted out; its length stays, so spans still fit.

    >>> without_emails("ask mira@firm.example, or @ida")
    'ask •••••••••••••••••, or @ida'
    """
    return EMAIL.sub(lambda found: "•" * len(found.group()), text)


def cleaned(text: str) -> str:
    """Without characters that steer a screen, and without emails.

    >>> cleaned("fuse\\x07 it\\n")
    'fuse it'
    """
    return without_emails("".join(letter for letter in text if _stays(letter)).strip())


def kept(text: str, what: str = "text", limit: int = TEXT) -> str:
    """What is stored of a text that somebody typed. Raises BadInput when it is too long.

    >>> kept("  wrote the \\x00kernel\\n")
    'wrote the kernel'
    >>> kept("x" * 201, "name", NAME)
    Traceback (most recent call last):
    sourcer.errors.BadInput: the name has 201 characters; at most 200 are kept
    """
    text = cleaned(text)
    if len(text) > limit:
        raise BadInput(f"the {what} has {len(text)} characters; at most {limit} are kept")
    return text


def name_kept(text: str, what: str) -> str:
    """The same for a name, which is one line and must not be empty.

    >>> name_kept(" ", "shortlist")
    Traceback (most recent call last):
    sourcer.errors.BadInput: the shortlist needs a name
    """
    name = " ".join(kept(text, f"name of the {what}", NAME).split())
    if not name:
        raise BadInput(f"the {what} needs a name")
    return name


def _stays(letter: str) -> bool:
    return letter in "\n\t" or letter in JOINERS or unicodedata.category(letter) not in CONTROLS
