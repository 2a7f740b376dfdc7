"""GitHub's word on whose account a commit is of: what it joins, and the guards that it obeys."""

from datetime import datetime, timedelta

import pytest

from ingest.identity import resolve
from sourcer.people import Rule
from sourcer.resolution import Decisions, Occurrence, Resolution, SignatureEvidence

DAY = datetime(2026, 1, 1)
ACCOUNT = "mlund9 <9+mlund9@users.noreply.github.com>"


def seen(number: int, signature: str, authored: int = 1) -> Occurrence:
    name, _, email = signature.rstrip(">").rpartition("<")
    when = DAY + timedelta(days=number)
    return Occurrence(number, f"k{number}", name.strip(), email, when, when, authored)


def resolved(*signatures: str, decisions: Decisions | None = None) -> Resolution:
    """The first one stands for the account that GitHub says all the others are of."""
    occurrences = [
        seen(number, text, authored=3 if number else 0) for number, text in enumerate(signatures)
    ]
    said = tuple((number, 0) for number in range(1, len(signatures)))
    evidence = SignatureEvidence(tuple(occurrences), same_account=said)
    return resolve(evidence, decisions or Decisions())


def test_signatures_that_share_nothing_else_are_one_person() -> None:
    (mira,) = resolved(ACCOUNT, "Mira Lund <mira@firm.example>", "M <m@home.example>").people
    assert mira.name == "Mira Lund"
    assert [(held.login, held.github_id) for held in mira.logins] == [("mlund9", 9)]
    assert {link.rule for link in mira.links} == {Rule.ONLY, Rule.SAME_ACCOUNT}


GUARDS = {
    "another account": ("Mira Lund <7+mira@users.noreply.github.com>",),
    "an account that three people use": (
        "Mira Lund <a@x.example>",
        "Jonas Berg <b@x.example>",
        "Lea Roth <c@x.example>",
    ),
}


@pytest.mark.parametrize("signatures", GUARDS.values(), ids=GUARDS)
def test_guards_hold(signatures: tuple[str, ...]) -> None:
    assert len(resolved(ACCOUNT, *signatures).people) == len(signatures) + 1


def test_a_trailer_with_one_name_beside_anothers_address_goes_nowhere() -> None:
    borrowed = seen(2, "Jonas Berg <mira@firm.example>", authored=0)
    occurrences = (
        seen(0, ACCOUNT, authored=0),
        seen(1, "Mira Lund <mira@firm.example>"),
        borrowed,
        seen(3, "Jonas Berg <jonas@home.example>"),
    )
    found = resolve(SignatureEvidence(occurrences, same_account=((1, 0), (2, 0))))
    whose = {link.signature_id: person.id for person in found.people for link in person.links}
    assert whose[0] == whose[1]
    assert whose[2] == whose[3] != whose[0]


def test_a_split_by_hand_is_stronger() -> None:
    split = Decisions(splits=(("k0", "k1"),))
    assert len(resolved(ACCOUNT, "Mira Lund <mira@firm.example>", decisions=split).people) == 2


def test_a_bot_stays_a_bot() -> None:
    found = resolved(ACCOUNT, "dependabot[bot] <support@github.com>")
    assert [person.name for person in found.people] == ["mlund9"]
