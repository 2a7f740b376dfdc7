"""The everyday commits: each person's share of each theme, spread over their active time."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache

from ingest.sample.cast import SEED_THEMES, Person
from ingest.sample.crowd import everyone
from ingest.sample.dice import chance, pick, roll
from ingest.sample.planned import Planned, Touch
from ingest.sample.themes import Theme, name_on, themes
from sourcer.commits import Signature

SHARE = 0.66
"""Of the commits that people.toml and the crowd ask for, so that all fit into 3,000."""

AGENTS = (
    "Co-authored-by: Claude <noreply@anthropic.com>",
    "Co-Authored-By: Claude Opus 4.6 (1M context) <noreply@anthropic.com>",
    "Co-authored-by: Copilot <223556219+Copilot@users.noreply.github.com>",
    "Co-authored-by: Cursor Agent <cursoragent@cursor.com>",
    "Co-authored-by: OpenAI Codex <noreply@openai.com>",
)
BEGINS = {"vllm": date(2023, 2, 9), "sglang": date(2024, 1, 8)}
FIRST_AGENT = date(2025, 5, 1)
FIRST_SIGN_OFF = date(2024, 10, 1)
FIXES = ("race in", "shape mismatch in", "memory leak in", "crash in", "off-by-one in", "hang in")
DOING = ("Add", "Support", "Speed up", "Refactor", "Clean up", "Test", "Enable", "Simplify")
UPKEEP = {
    "docs": ("Update", "Clarify", "Expand", "Rewrite", "Proofread"),
    "ci-build": ("Update", "Speed up", "Pin", "Clean up", "Debug"),
}


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody's commit number `number` in a repository."""

    repo: str
    person: Person
    theme: Theme
    when: datetime
    number: int

    @property
    def day(self) -> date:
        """In UTC, as the bulk moves count days."""
        return self.when.astimezone(UTC).date()

    @property
    def key(self) -> str:
        return f"{self.repo}/{self.person.slug}/{self.number}"


def ordinary(repo: str) -> list[Planned]:
    """Everybody's commits in a repository, in no order."""
    return [_planned(turn) for person in everyone() for turn in _turns(repo, person)]


def _turns(repo: str, person: Person) -> Iterator[Turn]:
    asked = person.work.get(repo, {})
    moments = sorted(
        (moment, theme)
        for theme, much in asked.items()
        for moment in _moments(
            repo, person, themes()[theme], max(2, round(much * SHARE)), much == max(asked.values())
        )
    )
    for number, (moment, theme) in enumerate(moments):
        yield Turn(repo, person, themes()[theme], moment, number)


def _moments(repo: str, person: Person, theme: Theme, much: int, main: bool) -> Iterator[datetime]:
    """Evenly spread with some jitter; a main theme's first and last commit mark both ends."""
    first = max(person.active[0], theme.since, BEGINS[repo])
    days = max(1, (person.active[1] - first).days)
    for number in range(much):
        seeds = (repo, person.slug, theme.slug, number)
        step = days * number // max(1, much - 1)
        if not main or 0 < number < much - 1:
            step = days * number // much + roll(max(1, days // much), "jitter", *seeds)
        day = first + timedelta(days=min(step, days))
        seconds = 9 * 3600 + roll(12 * 3600, "second", *seeds)
        local = datetime(day.year, day.month, day.day, tzinfo=zone_of(person))
        yield local + timedelta(seconds=seconds)


def zone_of(person: Person) -> timezone:
    return UTC if person.zone == 0 else timezone(timedelta(minutes=person.zone))


def _planned(turn: Turn) -> Planned:
    with_whom = _co_author(turn)
    author, subject = turn.person.signature(turn.day, turn.number), subject_of(turn)
    return Planned(
        when=turn.when,
        author=author,
        committer=None if "(#" in subject else author,
        subject=subject,
        edits=tuple(Touch(path, turn.theme.names) for path in paths_of(turn)),
        trailers=tuple(_trailers(turn, with_whom)),
        people=(turn.person.slug, *((with_whom.slug,) if with_whom else ())),
        theme=turn.theme.slug,
        key=turn.key,
    )


def subject_of(turn: Turn) -> str:
    """`[Tag] Do something (#n)` in vLLM; SGLang is less strict."""
    theme, key = turn.theme, turn.key
    fixes = chance(35, "fix", key)
    thing = pick(theme.things, "thing", key)
    fix, doing = (FIXES, DOING) if theme.slug not in UPKEEP else (("",), UPKEEP[theme.slug])
    start = f"Fix {pick(fix, 'what', key)}".strip() if fixes else pick(doing, "doing", key)
    ending = f" {pick(theme.where, 'where', key)}" if chance(55, "ending", key) else ""
    number = "" if turn.day < date(2023, 5, 1) and chance(30, "bare", key) else " (#{pull})"
    return f"{_tag(turn, fixes)}{start} {thing}{ending}{number}".strip()


def _tag(turn: Turn, fixes: bool) -> str:
    if turn.day < date(2023, 9, 1):
        return ""
    tag = pick(turn.theme.tags, "tag", turn.key)
    if turn.repo == "sglang" and chance(45, "loose", turn.key):
        return pick(("", "fix: " if fixes else "feat: ", "chore: "), "style", turn.key)
    return f"[Bugfix][{tag}] " if fixes and chance(60, "both tags", turn.key) else f"[{tag}] "


def paths_of(turn: Turn) -> list[str]:
    """One to three of the theme's files, under the names of that day."""
    there = turn.theme.paths_on(turn.repo, turn.day)
    start, much = roll(len(there), "from", turn.key), 1 + roll(3, "much", turn.key)
    some = [there[(start + step) % len(there)] for step in range(min(much, len(there)))]
    if chance(6, "settings", turn.key) and turn.theme.slug != "docs":
        some.append(
            {"vllm": "vllm/envs.py", "sglang": "python/sglang/srt/server_args.py"}[turn.repo]
        )
    return [name_on(turn.repo, path, turn.day) for path in some]


def _co_author(turn: Turn) -> Person | None:
    if not chance(14, "co-author", turn.key):
        return None
    near = [
        person
        for person in everyone()
        if turn.theme.slug in person.work.get(turn.repo, {})
        and person is not turn.person
        and person.active[0] <= turn.day <= person.active[1]
    ]
    return pick(near, "with", turn.key) if near else None


def _trailers(turn: Turn, with_whom: Person | None) -> Iterator[str]:
    signs = turn.repo == "vllm" and turn.day >= FIRST_SIGN_OFF
    if turn.person.signs_as:
        yield trailer("Signed-off-by", turn.person.signs_as)
    elif signs and chance(70, "sign", turn.key):
        who = turn.person.signature(turn.day, 0)
        yield trailer("Signed-off-by", Signature(turn.person.name, who.email))
    if with_whom:
        key = pick(("Co-authored-by", "Co-authored-by", "co-authored-by"), "case", turn.key)
        yield trailer(key, with_whom.signature(turn.day, turn.number))
    if turn.day >= FIRST_AGENT and chance(7, "agent", turn.key):
        yield pick(AGENTS, "which", turn.key)
    yield from _endorsed(turn)


def _endorsed(turn: Turn) -> Iterator[str]:
    """The people who only sign or only review others' commits of the seed themes."""
    if turn.repo != "vllm" or turn.theme.slug not in SEED_THEMES:
        return
    for person in _endorsers():
        if person.active[0] <= turn.day and chance(12, person.slug, turn.key):
            role = "Signed-off-by" if person.signs else "Reviewed-by"
            yield trailer(role, person.signature(turn.day, 0))


@cache
def _endorsers() -> tuple[Person, ...]:
    return tuple(person for person in everyone() if person.signs or person.reviews)


def trailer(key: str, who: Signature) -> str:
    """
    >>> trailer("Signed-off-by", Signature("Arvida Kestrelin", "a@quillstone.example"))
    'Signed-off-by: Arvida Kestrelin <a@quillstone.example>'
    """
    return f"{key}: {who.name} <{who.email}>"
