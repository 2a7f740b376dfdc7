"""Every way to say a thing, of everything that it can be said of, in every frame."""

from collections.abc import Iterator
from datetime import date
from itertools import product

import pytest

from sourcer.query import Query, parse

TODAY = date(2026, 6, 15)
Said = tuple[str, str, object]
"""Field, operator and value."""

COMPANIES: dict[str, Said] = {
    "NVIDIA": ("company", "=", "nvidia"),
    "Red Hat": ("company", "=", "red hat"),
    "Hugging Face or Mistral": ("company", "in", ("hugging face", "mistral")),
    "ByteDance and Alibaba": ("company", "in", ("bytedance", "alibaba")),
}
PLACES: dict[str, Said] = {
    "China": ("country", "=", "CN"),
    "the US": ("country", "=", "US"),
    "Berlin": ("city", "=", "Berlin"),
    "Europe": ("region", "=", "Europe"),
    "the Bay Area": ("location", "in", "US-CA:SF Bay Area"),
    "India or China": ("country", "in", ("IN", "CN")),
}
REPOSITORIES: dict[str, Said] = {
    "vLLM": ("repo", "=", "vllm"),
    "SGLang": ("repo", "=", "sglang"),
    "vLLM or SGLang": ("repo", "in", ("vllm", "sglang")),
}
LANGUAGES: dict[str, Said] = {
    "Rust": ("language", "=", "Rust"),
    "Python": ("language", "=", "Python"),
    "Rust or C++": ("language", "in", ("Rust", "C++")),
}
WISHED: dict[str, Said] = {
    "Europe": ("region", "=", "Europe"),
    "Poland": ("country", "=", "PL"),
    "the Bay Area": ("location", "in", "US-CA:SF Bay Area"),
}
FRAMES = (
    "MoE engineers {}",
    "people who know KV cache, {}",
    "who worked on quantization {}",
    "senior engineers {} with 10+ merged PRs",
)
NOT_AT = """
not at {} | not from {} | nobody from {} | nobody at {} | no {} people | exclude {} | excluding {}
except {} | except those at {} | other than {} people | without anyone from {} | minus {} | excl. {}
who aren't at {} | who don't work at {} | who do not work for {} | who isn't working at {}
not currently at {} | don't show me {} people | don't include {} | leave out {} | leave {} out
keep {} people out | rule out {} | skip {} | no one who works at {} | not employed by {}
outside {} | apart from {} employees | please no {} people | anyone but {} people
{} people excluded | {} employees need not apply | {} is off limits
with the exception of {} | steer clear of {} | exclude: {}
hide {} people | not {} employees | excluding people at {} | exclude anyone at {}
we don't want {} people | I don't want anyone from {} | can't be at {} | must not be at {}
mustn't work at {} | should not work at {} | cannot be from {} | (not {}) | -- not {} | ; not at {}
. No {} people. | and not at {} | but not at {} | but no one from {} | unless they are at {}
as long as they aren't at {} | provided they don't work at {} | nicht bei {} | ohne {} | außer {}
keine Leute von {} | DON'T WORK AT {}
"""
NEVER_AT = """
who have never worked at {} | never at {} | not ex-{} | no former {} people | excluding {} alumni
who never worked for {} | without former {} employees
"""
NOT_IN = """
not in {} | outside {} | outside of {} | not based in {} | nobody in {} | exclude {} | excluding {}
except in {} | except {} | anywhere but {} | anywhere except {} | who don't live in {}
who aren't in {} | who isn't based in {} | not located in {} | not from {} | other than in {}
not living in {} | without people in {} | no one in {} | don't show me people in {} | leave out {}
leave {} out | rule out {} | skip {} | {} excluded | not anywhere in {} | must not be in {}
can't be in {} | but not in {} | and not in {} | (not {}) | not people in {} | excluding those in {}
exclude anyone based in {} | who do not live in {} | we can't hire in {} | apart from {} | minus {}
no candidates in {} | no {}-based people | who are not from {} | nicht in {} | außerhalb von {}
"""
NOT_TO = """
not in {} | never touched {} | who never contributed to {} | who haven't worked on {} | excluding {}
exclude {} contributors | without commits in {} | no commits in {} | with zero commits in {}
not {} | with nothing in {} | except {} | outside {} | who don't work on {} | other than {} people
minus {} contributors | rule out {} | leave out {} | leave {} out | but not {} | but never {}
who have not committed to {} | with no {} commits | not active in {} | who didn't contribute to {}
who've never landed anything in {} | skip {} people | don't show me {} contributors | ohne {}
nicht in {} | not contributing to {} | have no commits to {} | who stayed out of {}
"""
NOT_WRITTEN = """
not {} | no {} | not {} developers | no {} developers | excluding {} | without {} | but not {}
who don't write {} | who don't code in {} | who never write {} | except {} developers | not in {}
other than {} people | who do not use {} | who aren't {} developers | rule out {} people
leave out {} | don't show me {} developers | kein {} | minus {} | who have never written {}
not written in {} | skip {} devs | with no {} | anything but {} | who don't do {}
"""
WISHES = """
ideally in {} | preferably in {} | in {} would be great | {} preferred | we prefer {}
prefer people in {} | even better if in {} | if they're in {}, even better | extra credit if in {}
{} is a bonus | being in {} is a plus | nice to have: {} | bonus: {} | {} (optional)
{} (nice to have) | should ideally be in {} | with a preference for {} | if possible in {}
in {}, but that's not a must | in {}, though not mandatory | {} is preferable | plus if in {}
preference given to people in {} | in {} would be nice | idealerweise in {}
"""


def asked(text: str) -> Query:
    return parse(text, today=TODAY)


def wordings(text: str) -> Iterator[str]:
    return (one.strip() for line in text.strip().splitlines() for one in line.split("|"))


def misread(wording: str, names: dict[str, Said], expected: tuple[bool, str]) -> list[str]:
    """The questions in which the name does not come out as it should, and as nothing else."""
    about = {"seniority", "merged_prs"}
    wrong = []
    for (name, said), frame in product(names.items(), FRAMES):
        text = frame.format(wording.format(name))
        found = [one for one in asked(text).filters if one.field not in about]
        if [(one.field, one.op, one.value, one.negated, one.mode.value) for one in found] != [
            (*said, *expected)
        ]:
            wrong.append(text)
    return wrong


def past(names: dict[str, Said]) -> dict[str, Said]:
    return {name: ("past_company", op, value) for name, (_, op, value) in names.items()}


DENIED = {
    **{("company", wording): COMPANIES for wording in wordings(NOT_AT)},
    **{("past", wording): past(COMPANIES) for wording in wordings(NEVER_AT)},
    **{("place", wording): PLACES for wording in wordings(NOT_IN)},
    **{("repository", wording): REPOSITORIES for wording in wordings(NOT_TO)},
    **{("language", wording): LANGUAGES for wording in wordings(NOT_WRITTEN)},
}


@pytest.mark.parametrize("key", DENIED, ids=": ".join)
def test_every_denial_denies_every_name(key: tuple[str, str]) -> None:
    assert misread(key[1], DENIED[key], (True, "must")) == []


@pytest.mark.parametrize("wording", list(wordings(WISHES)))
def test_every_wish_is_a_wish_for_every_place(wording: str) -> None:
    texts = [wording.format(name) for name in WISHED]
    found = [
        [(f.field, f.op, f.value, f.negated, f.mode.value) for f in asked(text).filters]
        for text in texts
    ]
    assert found == [[(*said, False, "should")] for said in WISHED.values()]


SLIPS = [
    ("exclude India", "exclude"),
    ("engineers outside Poland", "outside"),
    ("excluding NVIDIA", "excluding"),
    ("people formerly at Google", "formerly"),
    ("people previously at Google", "previously"),
    ("preferably in Poland", "preferably"),
    ("without Red Hat people", "without"),
    ("inactive since June 2024", "inactive"),
    ("before June 2024", "before"),
    ("at least 20 commits", "commits"),
    ("reviewers of the scheduler", "reviewers"),
    ("in September 2025", "September"),
    ("engineers in Germany", "Germany"),
    ("engineers at Databricks", "Databricks"),
]


def slips(word: str) -> Iterator[str]:
    """Two neighbours exchanged, a letter twice; never the first letter."""
    for i in range(1, len(word) - 1):
        yield word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        yield word[:i] + word[i] + word[i:]


@pytest.mark.parametrize(("text", "word"), SLIPS)
def test_a_slip_turns_nothing_round(text: str, word: str) -> None:
    """Nearly every slip is read as meant, and none makes a filter of another sign."""
    meant = {(f.field, f.op, f.value, f.negated) for f in asked(text).filters}
    typed = [text.replace(word, slip) for slip in slips(word) if slip != word]
    read = [{(f.field, f.op, f.value, f.negated) for f in asked(one).filters} for one in typed]
    assert sum(one == meant for one in read) >= 0.85 * len(read)
    signs = {(field, op, str(value), not negated) for field, op, value, negated in meant}
    assert not any((f, o, str(v), n) in signs for one in read for f, o, v, n in one)


@pytest.mark.parametrize("text", ["ENGINEERS WHO DON'T WORK AT NVIDIA", "meta employees"])
def test_capitals_and_small_letters_are_no_names(text: str) -> None:
    assert [one.field for one in asked(text).filters] == ["company"]
