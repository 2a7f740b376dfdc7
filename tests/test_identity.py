"""Signatures into people: rules, guards, human decisions, ids that stay."""

import json
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from ingest.identity import resolve
from ingest.machines import doubt, is_machine
from ingest.person_ids import derived
from sourcer.people import Rule
from sourcer.resolution import (
    Decisions,
    Machine,
    Occurrence,
    OwnerNaming,
    Resolution,
    SameCommit,
    SignatureEvidence,
    SignOff,
)

CASES = Path(__file__).parent / "cases"
DAY = datetime(2026, 1, 1)


def case_rows(file: str) -> Iterator[dict[str, object]]:
    return (json.loads(line) for line in (CASES / file).read_text("utf-8").splitlines())


def seen(number: int, signature: str, authored: int = 1, signed: int = 0) -> Occurrence:
    """Occurrence `number`, first seen that many days into 2026, of "Name <email>"."""
    name, _, email = signature.rstrip(">").rpartition("<")
    when = DAY + timedelta(days=number)
    return Occurrence(
        number, f"k{number}", name.strip(), email, when, when, authored=authored, signed=signed
    )


def people_of(*signatures: str) -> Resolution:
    return resolve(SignatureEvidence(tuple(seen(i, text) for i, text in enumerate(signatures))))


def groups(found: Resolution) -> set[frozenset[int]]:
    return {frozenset(link.signature_id for link in person.links) for person in found.people}


def rules(found: Resolution) -> dict[int, Rule]:
    return {link.signature_id: link.rule for person in found.people for link in person.links}


def together(case: dict[str, object]) -> bool:
    """Whether a labelled pair, with its evidence, comes out as one person."""
    a, b = (f"{case[side]['name']} <{case[side]['email']}>" for side in "ab")  # type: ignore[index]
    kinds = case["evidence"]
    signs = "signoff-only" in kinds  # type: ignore[operator]
    evidence = SignatureEvidence(
        (seen(0, a), seen(1, b, authored=not signs, signed=signs)),
        same_commit=(SameCommit(0, 1),) if "same-commit" in kinds else (),  # type: ignore[operator]
        sign_offs=(SignOff(author=0, signer=1),) if signs else (),
    )
    return groups(resolve(evidence)) == {frozenset({0, 1})}


def test_labelled_pairs_reach_precision_and_recall() -> None:
    cases = [case for case in case_rows("identity_pairs.jsonl") if case["same_person"] is not None]
    joined = [case for case in cases if together(case)]
    right = [case for case in joined if case["same_person"]]
    assert len(right) / len(joined) >= 0.98
    assert len(right) / sum(bool(case["same_person"]) for case in cases) >= 0.85


@pytest.mark.parametrize("case", list(case_rows("bots.jsonl")), ids=lambda case: str(case["id"]))
def test_bots_and_agents(case: dict[str, object]) -> None:
    name, email = str(case["name"]), str(case["email"])
    machine = is_machine(name, email)
    if case["bot"] is None:
        assert machine is None
        assert doubt(name, email) is not None
    else:
        assert (machine in (Machine.BOT, Machine.AGENT)) is case["bot"]


@pytest.mark.parametrize(
    ("a", "b", "rule"),
    [
        ("Mira Lund <mira@firm.example>", "ml <Mira@Firm.example>", Rule.SAME_EMAIL),
        ("Mira <m.lund+git@gmail.com>", "lundis <mlund@gmail.com>", Rule.SAME_EMAIL),
        (
            "Mira <7+mira-l@users.noreply.github.com>",
            "Nora <7+norasson@users.noreply.github.com>",
            Rule.SAME_ACCOUNT,
        ),
        (
            "Mira <Mira-L@users.noreply.github.com>",
            "Mira <7+mira-l@users.noreply.github.com>",
            Rule.SAME_ACCOUNT,
        ),
        ("Mira Lundgren <a@one.example>", "LUNDGREN, Mira <b@two.example>", Rule.SAME_NAME),
        ("Łukasz Ørsted <a@one.example>", "Lukasz Orsted <b@two.example>", Rule.SAME_NAME),
        ("沈万言 <a@one.example>", "沈 万言 <b@two.example>", Rule.SAME_NAME),
        (
            "mira_lu <x@one.example>",
            "Someone <7+mira-lu@users.noreply.github.com>",
            Rule.NAME_IS_LOGIN,
        ),
        (
            "Mira Lundgren <x@one.example>",
            "ml <7+lundgrenmira@users.noreply.github.com>",
            Rule.NAME_IS_LOGIN,
        ),
        (
            "root <bwlonzo@one.example>",
            "Bo Lonzo <7+bwlonzo@users.noreply.github.com>",
            Rule.LOCAL_PART_IS_LOGIN,
        ),
        ("quillsnow99 <a@qq.com>", "quillsnow99 <b@gmail.com>", Rule.SAME_HANDLE),
    ],
)
def test_each_rule_joins_and_is_recorded(a: str, b: str, rule: Rule) -> None:
    assert rules(people_of(a, b)) == {0: Rule.ONLY, 1: rule}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Mira <7+mira@users.noreply.github.com>", "Mira <8+lund@users.noreply.github.com>"),
        ("Mira Lund <you@example.com>", "Jo Berg <you@example.com>"),
        ("mlx <root@gpu-7.cluster.local>", "jbx <root@gpu-7.cluster.local>"),
        ("Mira Lund <info@firm.example>", "Jo Berg <info@firm.example>"),
        ("Wei Li <weili@one.example>", "Wei Li <wli@two.example>"),
        ("Mira <mira@one.example>", "Mira <mira@two.example>"),
        ("Jo Berg <9+mlund7@users.noreply.github.com>", "Mira Lund <mlund7@gmail.com>"),
    ],
)
def test_guards_keep_two_people(a: str, b: str) -> None:
    assert groups(people_of(a, b)) == {frozenset({0}), frozenset({1})}


def test_a_name_with_two_accounts_draws_no_third_signature() -> None:
    found = people_of(
        "Mira Lundgren <7+miralu@users.noreply.github.com>",
        "Mira Lundgren <8+mlgren@users.noreply.github.com>",
        "Mira Lundgren <mira@firm.example>",
    )
    assert len(found.people) == 3
    assert {suggestion.reasons for suggestion in found.suggestions} == {("same name",)}


def test_a_trailer_with_one_name_and_anothers_mail_joins_nobody() -> None:
    evidence = SignatureEvidence(
        (
            seen(0, "Mira Lundgren <mira@firm.example>"),
            seen(1, "Johan Bergquist <johan@firm.example>"),
            seen(2, "Mira Lundgren <johan@firm.example>", authored=0),
        )
    )
    assert frozenset({0, 1, 2}) not in groups(resolve(evidence))
    assert frozenset({1}) in groups(resolve(evidence))


def test_a_shared_company_mailbox_joins_only_agreeing_names() -> None:
    names = ("Mira Lund", "Jo Berg", "Ana Prado", "mira lund")
    found = people_of(*(f"{name} <gpu-group@firm.example>" for name in names))
    assert groups(found) == {frozenset({0, 3}), frozenset({1}), frozenset({2})}


def test_a_login_invented_by_an_assistant_proves_no_second_account() -> None:
    evidence = SignatureEvidence(
        (
            seen(0, "Mira Lundgren <7+snowquill@users.noreply.github.com>"),
            seen(1, "Mira Lundgren <mira-lundgren@users.noreply.github.com>", authored=0),
        )
    )
    (person,) = resolve(evidence).people
    assert [held.login for held in person.logins] == ["snowquill"]


def test_garbled_signatures_are_mended_and_no_name_shows_an_address() -> None:
    found = people_of(
        "Mira Lundgren <mira@firm.example>",
        "mira@firm.example <Mira Lundgren>",
        "mira@firm.example <mira@firm.example>",
    )
    assert [person.name for person in found.people] == ["Mira Lundgren"]


def test_machines_are_no_people_and_get_no_credit() -> None:
    found = people_of(
        "Claude <noreply@anthropic.com>",
        "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>",
        "root <root@gpu-7.cluster.local>",
        "mira-l <cursoragent@cursor.com>",
    )
    assert found.machines == {0: Machine.AGENT, 1: Machine.BOT, 2: Machine.NOBODY}
    assert groups(found) == {frozenset({3})}
    assert [(d.signature_id, d.why) for d in found.doubts] == [
        (3, "a person’s name with an AI agent’s address")
    ]


def test_same_commit_joins_short_names_but_not_in_a_crowd() -> None:
    pair = (seen(0, "Rui Xo <a@one.example>"), seen(1, "Rui Xo <b@two.example>"))
    few, crowd = (
        resolve(SignatureEvidence(pair, (SameCommit(0, 1, company=size),))) for size in (2, 90)
    )
    assert groups(few) == {frozenset({0, 1})}
    assert rules(few)[1] is Rule.SAME_COMMIT
    assert len(crowd.people) == 2


def test_a_namesake_by_first_name_is_not_drawn_in_through_a_crowd() -> None:
    pair = (seen(0, "Mira Lundgren <a@one.example>"), seen(1, "mira <b@two.example>"))
    found = resolve(SignatureEvidence(pair, (SameCommit(0, 1, company=12),)))
    assert len(found.people) == 2


def test_a_word_in_others_full_names_is_no_handle() -> None:
    pair = ("mirabel <a@one.example>", "mirabel <b@two.example>")
    assert len(people_of(*pair).people) == 1
    others = ("Mirabel Lundgren <c@three.example>", "Mirabel Bergquist <d@four.example>")
    assert len(people_of(*pair, *others).people) == 4


def test_a_handle_beside_anothers_login_in_a_trailer_draws_nobody_in() -> None:
    evidence = SignatureEvidence(
        (
            seen(0, "Mira <7+snowquill@users.noreply.github.com>"),
            seen(1, "borealis9 <b@qq.com>"),
            seen(2, "borealis9 <7+snowquill@users.noreply.github.com>", authored=0),
        )
    )
    assert groups(resolve(evidence)) == {frozenset({0, 2}), frozenset({1})}


def test_a_doubled_name_is_not_part_of_another() -> None:
    pair = (seen(0, "Jens De Jens <a@qq.com>"), seen(1, "Ole De Jens <b@gmail.com>"))
    assert len(resolve(SignatureEvidence(pair, (SameCommit(0, 1),))).people) == 2


def sign_off(signer: str, *authors: str, alone: int = 1) -> Resolution:
    occurrences = [seen(i, text) for i, text in enumerate(authors)]
    signing = seen(len(authors), signer, authored=0, signed=1)
    return resolve(
        SignatureEvidence(
            (*occurrences, signing),
            sign_offs=tuple(SignOff(one.id, signing.id, alone=alone) for one in occurrences),
        )
    )


def test_who_signs_only_one_authors_commits_is_that_author() -> None:
    author = "quillsnow <7+quillsnow@users.noreply.github.com>"
    assert rules(sign_off("hollis <h@firm.example>", author))[1] is Rule.SIGNS_ONLY


@pytest.mark.parametrize(
    ("signer", "authors", "alone"),
    [
        ("Jo Berg <j@firm.example>", ("Mira Lund <m@firm.example>",), 1),
        ("hollis <h@firm.example>", ("quillsnow <q@firm.example>",), 1),
        ("hollis <h@firm.example>", ("quillsnow <q@gmail.com>",), 0),
        ("hollis <h@firm.example>", ("quillsnow <q@gmail.com>", "borealis <b@qq.com>"), 1),
    ],
    ids=["other full name", "colleague", "others signed too", "two authors"],
)
def test_signers_who_are_somebody_else(signer: str, authors: tuple[str, ...], alone: int) -> None:
    assert len(sign_off(signer, *authors, alone=alone).people) == len(authors) + 1


HISTORY = tuple(
    seen(number, text)
    for number, text in enumerate(
        (
            "Mira Lundgren <mira@firm.example>",
            "Johan Bergquist <johan@firm.example>",
            "mlu <mira@firm.example>",
            "Mira Lundgren <7+miralu@users.noreply.github.com>",
            "jbq <7777@qq.com>",
            "Johan Bergquist <7777@qq.com>",
            "Wei Li <wei@one.example>",
            "Wei Li <wei@two.example>",
        )
    )
)


def known_after(found: Resolution) -> dict[str, str]:
    keys = {one.id: one.key for one in HISTORY}
    return {keys[link.signature_id]: p.id for p in found.people for link in p.links}


def test_order_of_rows_changes_nothing() -> None:
    expected = resolve(SignatureEvidence(HISTORY))
    for attempt in range(5):
        shuffled = random.Random(attempt).sample(HISTORY, len(HISTORY))
        assert resolve(SignatureEvidence(tuple(shuffled))) == Resolution(
            expected.people, expected.machines, expected.redirects, expected.suggestions
        )


def test_order_of_pairs_changes_nothing() -> None:
    """One signature that met two accounts goes to the one it met most often."""
    signatures = (
        seen(0, "Rui Xo <7+ruixo@users.noreply.github.com>"),
        seen(1, "Rui Xo <8+xor@users.noreply.github.com>"),
        seen(2, "Rui Xo <rx@one.example>"),
    )
    pairs = (SameCommit(0, 2, commits=1), SameCommit(1, 2, commits=3))
    for rows in (pairs, pairs[::-1]):
        found = resolve(SignatureEvidence(signatures, same_commit=rows))
        assert groups(found) == {frozenset({0}), frozenset({1, 2})}


def test_ids_stay_while_a_history_grows() -> None:
    """At every length, all ids that anyone was ever told still lead to their signature's person."""
    known: dict[str, str] = {}
    told: dict[str, set[str]] = {}
    for length in range(1, len(HISTORY) + 1):
        found = resolve(SignatureEvidence(HISTORY[:length]), known=known)
        known = known_after(found)
        living = {person.id for person in found.people}
        assert living.isdisjoint(found.redirects)
        for key, id_ in known.items():
            told.setdefault(key, set()).add(id_)
            assert {found.redirects.get(old, old) for old in told[key]} == {id_}
    assert known["k0"] == known["k3"] == derived("k0")
    assert told["k4"] == {derived("k4"), derived("k1")}


def test_a_known_id_survives_an_older_signature_found_later() -> None:
    late = resolve(SignatureEvidence(HISTORY[2:3]))
    found = resolve(SignatureEvidence(HISTORY[:3]), known=known_after(late))
    (mira,) = (person for person in found.people if person.name == "Mira Lundgren")
    assert mira.id == derived("k2")
    assert found.redirects == {derived("k0"): derived("k2")}


def test_a_signature_whose_id_went_to_somebody_else_gets_a_new_one() -> None:
    evidence = SignatureEvidence((seen(0, "Mira <m@a.example>"), seen(1, "Jo <j@a.example>")))
    found = resolve(evidence, known={"k1": derived("k0")})
    assert [person.id for person in found.people] == [derived("k0/0"), derived("k0")]


def test_an_id_known_twice_leads_to_the_person_of_its_oldest_signature() -> None:
    texts = ("Mira <m@a.example>", "Jo <j@a.example>", "J <j@a.example>", "M <m@a.example>")
    known = {"k0": "pa", "k1": "pc", "k2": "pb", "k3": "pb"}
    evidence = SignatureEvidence(tuple(seen(i, text) for i, text in enumerate(texts)))
    found = resolve(evidence, known=known)
    assert [person.id for person in found.people] == ["pa", "pc"]
    assert found.redirects["pb"] == "pc"


def test_a_merge_is_recorded_and_undone_by_leaving_it_out() -> None:
    before = resolve(SignatureEvidence(HISTORY))
    merged = resolve(
        SignatureEvidence(HISTORY), Decisions(merges=(("k6", "k7"),)), known_after(before)
    )
    assert frozenset({6, 7}) in groups(merged)
    assert rules(merged)[7] is Rule.DECIDED
    assert merged.redirects[derived("k7")] == derived("k6")
    undone = resolve(SignatureEvidence(HISTORY), known=known_after(before))
    assert undone.people == before.people


def test_a_merge_undone_after_publishing_gives_each_half_an_id_of_its_own() -> None:
    decided = Decisions(merges=(("k6", "k7"),))
    merged = resolve(SignatureEvidence(HISTORY), decided)
    undone = resolve(SignatureEvidence(HISTORY), known=known_after(merged))
    assert known_after(undone)["k6"] == derived("k6")
    assert known_after(undone)["k7"] == derived("k7")


def test_a_split_wins_over_every_rule_and_keeps_the_older_id() -> None:
    before = resolve(SignatureEvidence(HISTORY))
    split = Decisions(splits=(("k0", "k2"),))
    found = resolve(SignatureEvidence(HISTORY), split, known_after(before))
    assert {frozenset({0, 3}), frozenset({2})} <= groups(found)
    assert known_after(found)["k0"] == derived("k0")
    assert known_after(found)["k2"] == derived("k2")
    undone = resolve(SignatureEvidence(HISTORY), known=known_after(found))
    assert groups(undone) == groups(before)
    assert undone.redirects[derived("k2")] == derived("k0")


def test_a_human_merge_passes_the_guard_of_two_accounts() -> None:
    pair = (
        seen(0, "Mira <7+mira@users.noreply.github.com>"),
        seen(1, "Mira <8+lund@users.noreply.github.com>"),
    )
    found = resolve(SignatureEvidence(pair), Decisions(merges=(("k0", "k1"),)))
    (person,) = found.people
    assert [(held.login, held.github_id) for held in person.logins] == [("lund", 8), ("mira", 7)]


def test_decisions_about_signatures_that_are_gone_do_nothing() -> None:
    decided = Decisions(merges=(("k0", "gone"),), splits=(("gone", "k1"),))
    assert resolve(SignatureEvidence(HISTORY), decided) == resolve(SignatureEvidence(HISTORY))


def mention(login: str, *signatures: str) -> list[tuple[str, str]]:
    evidence = SignatureEvidence(
        tuple(seen(i, text) for i, text in enumerate(signatures)), logins=frozenset({login})
    )
    people = resolve(evidence).people
    return [(held.login, held.rule) for person in people for held in person.logins]


def test_mentioned_logins_go_to_the_one_person_who_fits() -> None:
    mira = "Mira Lundgren <snowquill@gmail.com>"
    assert mention("SnowQuill", mira) == [
        ("SnowQuill", "local part of the email equal to the login")
    ]
    assert mention("mira-lundgren", mira) == [("mira-lundgren", "name equal to the login")]
    assert mention("mlundgren", mira) == [("mlundgren", "the only name that spells the login")]
    assert mention("borealis", mira) == []


def test_a_login_that_two_people_fit_is_nobodys() -> None:
    pair = ("Mira Lundgren <a@one.example>", "Maja Lundgren <b@two.example>")
    assert mention("mlundgren", *pair) == []


def test_a_person_with_an_account_gets_no_other_by_mention() -> None:
    mira = "Mira Lundgren <7+snowquill@users.noreply.github.com>"
    assert mention("mira-lundgren", mira) == [("snowquill", "same GitHub account")]


def test_the_name_shown_is_the_most_used_full_name() -> None:
    signatures = (
        seen(0, "mlu <mira@firm.example>", authored=90),
        seen(1, "M. Lundgren <mira@firm.example>", authored=2),
        seen(2, "Mira Lundgren <mira@firm.example>", authored=5),
    )
    (person,) = resolve(SignatureEvidence(signatures)).people
    assert person.name == "Mira Lundgren"


def test_similar_names_are_suggested_and_not_joined() -> None:
    found = people_of("Mira Lundgren <a@one.example>", "Mira Lundgreen <b@two.example>")
    (suggestion,) = found.suggestions
    assert suggestion.reasons == ("similar names",)
    assert suggestion.against == ("different full names",)
    assert {suggestion.a, suggestion.b} == {person.id for person in found.people}


def announced(*namings: OwnerNaming, signatures: tuple[str, ...]) -> dict[str, str]:
    """Login -> rule, of people whose names do not spell it."""
    evidence = SignatureEvidence(
        tuple(seen(i, text) for i, text in enumerate(signatures)),
        logins=frozenset({"SnowQuill", "amber-fox"}),
        namings=namings,
    )
    return {held.login: held.rule for person in resolve(evidence).people for held in person.logins}


MIRA, JOHAN = "Mira Lundgren <mira@firm.example>", "Johan Berg <jb@firm.example>"
ADD_MIRA = OwnerNaming(0, "Add @snowquill to CODEOWNERS (#7)", ("snowquill",))


def test_who_adds_one_login_as_an_owner_and_shows_none_holds_it() -> None:
    assert announced(ADD_MIRA, signatures=(MIRA, JOHAN)) == {"SnowQuill": str(Rule.NAMED_ITSELF)}


@pytest.mark.parametrize(
    ("namings", "signatures"),
    [
        ((OwnerNaming(0, "Update CODEOWNERS", ("snowquill",)),), (MIRA,)),
        ((ADD_MIRA, OwnerNaming(0, "Update owners", ("amber-fox",))), (MIRA,)),
        ((ADD_MIRA, OwnerNaming(1, "Add @snowquill as maintainer")), (MIRA, JOHAN)),
        ((OwnerNaming(0, "Add @snowquill and @amber-fox as owners"),), (MIRA,)),
        ((OwnerNaming(0, "Remove @snowquill from CODEOWNERS"),), (MIRA,)),
        ((ADD_MIRA,), ("Mira Lundgren <7+mlu@users.noreply.github.com>",)),
        ((ADD_MIRA,), (MIRA, "Kim Vale <9+snowquill@users.noreply.github.com>")),
    ],
    ids=[
        "the subject does not say whom",
        "the author adds another too",
        "two people announce it",
        "two logins in one subject",
        "removed, not added",
        "the author has an account",
        "the login is somebody else's",
    ],
)
def test_an_announced_login_is_left_alone(
    namings: tuple[OwnerNaming, ...], signatures: tuple[str, ...]
) -> None:
    assert str(Rule.NAMED_ITSELF) not in announced(*namings, signatures=signatures).values()
