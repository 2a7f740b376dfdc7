"""Puts a score in words that can be read aloud, each with the commits behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from sourcer.evidence import Cited
from sourcer.ranking import Score
from sourcer.substance import Kind

CITED = 3
LEADING = 3
"""Commits in a place below which it is not named first."""


@dataclass(frozen=True, slots=True)
class Area:
    """One directory or file that the question turned out to be about."""

    name: str
    own: int
    """How many of its commits are the person's."""
    total: int
    rank: int
    """1: nobody has more."""
    commits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a person has in common with the one whose like is looked for."""

    files: tuple[str, ...]
    """Both changed them; those that fewest people changed come first."""
    together: int
    """Commits that both had a part in."""
    commits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """How much of the work that was asked for a person reviewed, of all that others did."""

    what: str
    """'on Scheduling', 'to csrc/moe'; empty: the question names neither."""
    own: int
    """Pull requests."""
    total: int
    commits: tuple[str, ...] = ()
    share: float = 0.0
    """Of the score."""

    @property
    def says(self) -> str:
        """
        >>> Review("on Scheduling", 31, 120).says
        'reviewed 31 of the 120 pull requests on Scheduling'
        """
        return f"reviewed {self.own:,} of the {self.total:,} pull requests {self.what}".rstrip()


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that a person's score was made from."""

    score: float
    """Against the best of the list."""
    commits: tuple[Cited, ...]
    """What voted, the most weighty first; the first few dozen."""
    count: int
    """How many there are in all."""
    is_worded: bool
    """Whether the question has words or topics; else all that its conditions allow counts alike."""
    by_wording: float
    """The part of the score that is due to what commits say; the rest is due to where they are."""
    topics: Mapping[str, int]
    """Name of a topic asked for -> commits about it."""
    cited_on: Mapping[str, tuple[str, ...]]
    """The same -> the weightiest of them."""
    kinds: Mapping[Kind, int]
    """Commits whose files are of a kind; a commit counts for the weightiest kind it has."""
    substance: float
    """What is left after generated, configuration-only and bulk commits are discounted, 0 to 1."""
    faded: float
    """What age left of the score, 0 to 1."""
    first: date
    last: date
    last_year: int
    """Commits in the last year of the history."""
    months: int
    """In how many months there was such a commit."""
    files: int
    partners: int = 0
    """With how many others the person ever wrote commits."""
    areas: tuple[Area, ...] = ()
    likeness: Likeness | None = None
    is_written: bool = True
    """Whether the commits are the person's own; else they reviewed or signed them."""
    review: Review | None = None


def explain(case: Case) -> Score:
    """The tree: what was done, how deep, how lately, how broadly, and how much of it is theirs."""
    if not case.commits:
        return Score(case.score, "no commit of theirs answers the question")
    about = (_fit(case), _ownership(case)) if case.is_worded else ()
    alike = (_alike(case.likeness),) if case.likeness else ()
    reviewing = (_reviewing(case.review),) if case.review else ()
    parts = (*alike, *about, *reviewing, _depth(case), _recency(case), _breadth(case))
    return Score(case.score, _summary(case), parts, _cites(case.commits))


def _summary(case: Case) -> str:
    """What a recruiter would say of the person: on what, how deep, where, and until when."""
    if not case.is_written:
        took = case.review.says if case.review else f"took part in {_times(case.count, 'commit')}"
        return f"{took}; the last in {_month(case.last)}"
    said = [*_done(case), *_bulk_of(case), *_leading(case.areas)]
    said += [case.review.says] if case.review else []
    return f"{', '.join(said)}; the last in {_month(case.last)}"


def _done(case: Case) -> list[str]:
    """How many commits answer the question, and how many of them are on what was asked for."""
    on = {name: case.topics[name] for name in _most_done(case.topics)}
    both = " as well as " if any(" and " in name for name in on) else " and "
    commits = _times(case.count, "commit")
    if on and set(on.values()) == {case.count}:
        return [f"{commits} on {both.join(on)}"]
    answer = "answers" if case.count == 1 else "answer"
    found = both.join(f"{count:,} on {name}" for name, count in on.items())
    return [f"{commits} that {answer} the question", *([found] if found else [])]


def _most_done(topics: Mapping[str, int]) -> list[str]:
    """The topics asked for that the person did most on; those hardly touched are not named.

    >>> _most_done({"MoE kernels": 40, "Quantisation": 35, "LoRA": 1})
    ['MoE kernels', 'Quantisation']
    """
    most = max(topics.values(), default=0)
    ranked = sorted(topics, key=lambda name: -topics[name])
    return [name for name in ranked[:2] if topics[name] * 3 >= most > 0]


def _bulk_of(case: Case) -> list[str]:
    """Kernels where they are a good part, and whatever else most of the commits change."""
    kernels = case.kinds.get(Kind.KERNEL, 0)
    if kernels * 3 >= case.count:
        return ["all of them to kernels" if kernels == case.count else f"{kernels} to kernels"]
    return [
        f"mostly to {says}"
        for kind, says in _KIND_SAYS.items()
        if kind is not Kind.CODE and case.kinds.get(kind, 0) * 2 > case.count
    ][:1]


def _leading(areas: Sequence[Area]) -> list[str]:
    """The place where nobody, or hardly anybody, did more.

    >>> _leading((Area("csrc", 60, 900, 4), Area("csrc/moe", 12, 80, 1)))
    ['more than anyone in csrc/moe']
    """
    led = [area for area in sorted(areas, key=lambda area: area.rank) if area.own >= LEADING]
    if not led or led[0].rank > len(_PLACES):
        return [f"most of them in {areas[0].name}"] if areas and areas[0].own >= LEADING else []
    return [f"{_PLACES[led[0].rank]} in {led[0].name}"]


_PLACES = {1: "more than anyone", 2: "second to one person", 3: "third most"}


def _fit(case: Case) -> Score:
    value = case.by_wording
    most = max((own for own in case.topics.values()), default=0)
    leaves = tuple(
        Score(own / most, f"{name}: {_times(own, 'commit')}", (), case.cited_on.get(name, ()))
        for name, own in case.topics.items()
        if own
    )
    about = ", ".join(leaf.says for leaf in leaves) if leaves else "their subjects and paths match"
    return Score(
        value, f"topic fit, {value:.0%} of the score: {about}", leaves, _cites(case.commits)
    )


def _ownership(case: Case) -> Score:
    value = 1 - case.by_wording
    leaves = tuple(
        Score(area.own / max(area.total, 1), _area_says(area), (), area.commits)
        for area in case.areas
    )
    where = leaves[0].says if leaves else "no directory stands out"
    cites = tuple(dict.fromkeys(cite for area in case.areas for cite in area.commits))
    return Score(value, f"ownership, {value:.0%} of the score: {where}", leaves, cites[:CITED])


def _area_says(area: Area) -> str:
    """
    >>> _area_says(Area("csrc/moe", 12, 80, 1))
    '12 of the 80 commits to csrc/moe, more than anyone'
    """
    rank = _PLACES.get(area.rank, f"rank {area.rank}")
    return f"{area.own} of the {area.total} commits to {area.name}, {rank}"


def _reviewing(review: Review) -> Score:
    """
    >>> _reviewing(Review("on Scheduling", 31, 120, share=0.4)).says
    'reviewing, 40% of the score: reviewed 31 of the 120 pull requests on Scheduling'
    """
    says = f"reviewing, {review.share:.0%} of the score: {review.says}"
    return Score(review.own / max(review.total, 1), says, (), review.commits)


def _alike(likeness: Likeness) -> Score:
    """
    >>> _alike(Likeness(("a.py", "b.py"), together=3)).says
    'likeness: both changed 2 files: a.py, b.py; 3 commits together'
    """
    count, shown = len(likeness.files), ", ".join(likeness.files[:CITED])
    more = " and others" if count > CITED else ""
    with_whom = f"; {_times(likeness.together, 'commit')} together" * (likeness.together > 0)
    says = f"likeness: both changed {_times(count, 'file')}: {shown}{more}{with_whom}"
    return Score(count / (count + 10), says, (), likeness.commits)


def _depth(case: Case) -> Score:
    shown = [
        f"{_times(case.kinds[kind], 'commit')} to {_KIND_SAYS[kind]}"
        for kind in _KIND_SAYS
        if case.kinds.get(kind)
    ]
    off = 1 - case.substance
    light = f"; {off:.0%} taken off for generated, configuration or bulk commits" * (off > 0.01)
    return Score(
        case.substance, f"depth: {', '.join(shown)}{light}", (), _cites(_deepest(case.commits))
    )


_KIND_SAYS = {
    Kind.KERNEL: "kernels",
    Kind.CODE: "code",
    Kind.TEST: "tests alone",
    Kind.BUILD: "build files alone",
    Kind.DOCS: "documentation alone",
    Kind.CONFIGURATION: "configuration tables alone",
    Kind.GENERATED: "generated or vendored files alone",
}


def _deepest(commits: Sequence[Cited]) -> list[Cited]:
    return [one for one in commits if _is_in_cuda(one.paths)] or list(commits)


@lru_cache(maxsize=1 << 14)
def _is_in_cuda(paths: tuple[str, ...]) -> bool:
    return any(path.endswith((".cu", ".cuh")) for path in paths)


def _recency(case: Case) -> Score:
    newest = sorted(case.commits, key=lambda one: (one.date, -one.commit), reverse=True)
    says = (
        f"recency: {_times(case.last_year, 'commit')} in the last 12 months, "
        f"from {_month(case.first)} to {_month(case.last)}; age left {case.faded:.0%}"
    )
    return Score(case.faded, says, (), _cites(newest))


def _breadth(case: Case) -> Score:
    value = case.months / (case.months + 6)
    months = {(one.date.year, one.date.month): one for one in reversed(case.commits)}
    others = f"; has written commits with {_others(case.partners)}" * (case.partners > 0)
    says = f"breadth: {_times(case.files, 'file')} over {_times(case.months, 'month')} with commits"
    return Score(value, says + others, (), _cites(list(months.values())))


def _others(count: int) -> str:
    """
    >>> _others(1), _others(34)
    ('1 other person', '34 others')
    """
    return "1 other person" if count == 1 else f"{count:,} others"


@lru_cache(maxsize=1 << 14)
def _month(day: date) -> str:
    """
    >>> _month(date(2026, 5, 1))
    'May 2026'
    """
    return f"{day:%B %Y}"


def _cites(commits: Sequence[Cited]) -> tuple[str, ...]:
    return tuple(one.cite for one in commits[:CITED])


def _times(count: int, thing: str) -> str:
    """
    >>> _times(1, "commit"), _times(1200, "commit")
    ('1 commit', '1,200 commits')
    """
    return f"{count:,} {thing}" + ("" if count == 1 else "s")
