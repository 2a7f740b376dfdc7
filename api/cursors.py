"""Where the next page of an answer begins: signed, so that it means what it meant when given."""

from dataclasses import dataclass
from hashlib import blake2b

from itsdangerous import BadSignature, URLSafeSerializer

from sourcer.errors import BadInput

LONGEST = 500


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the answer that one snapshot gives to one question."""

    snapshot: str
    offset: int
    question: str
    """The digest of what was asked."""


class Cursors:
    """Makes and reads cursors with the installation's secret.

    >>> cursors = Cursors(b"secret")
    >>> place = Cursor("2026-05-01T000000Z", 20, "f00")
    >>> cursors.read(cursors.write(place)) == place
    True
    >>> cursors.read("20")
    Traceback (most recent call last):
    sourcer.errors.BadInput: this cursor was not given out here. Take next_cursor of the last page
    """

    def __init__(self, secret: bytes) -> None:
        self._signer = URLSafeSerializer(secret, salt="cursor")

    def write(self, cursor: Cursor) -> str:
        signed = self._signer.dumps([cursor.snapshot, cursor.offset, cursor.question])
        return signed if isinstance(signed, str) else signed.decode()

    def read(self, text: str) -> Cursor:
        try:
            snapshot, offset, question = self._signer.loads(text[:LONGEST])
        except (BadSignature, ValueError):
            raise BadInput(
                "this cursor was not given out here. Take next_cursor of the last page"
            ) from None
        return Cursor(snapshot, offset, question)


def digest(*asked: object) -> str:
    """A short name of what was asked, the same for the same question.

    >>> digest("moe", None) == digest("moe", None) != digest("moe", "vllm")
    True
    """
    return blake2b(repr(asked).encode("utf-8", "replace"), digest_size=9).hexdigest()
