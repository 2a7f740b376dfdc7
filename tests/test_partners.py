"""With how many others people wrote commits."""

from pathlib import Path

from index.partners import COMPANY, Partners
from index.search import Searcher
from tests.small_history import Change, History


def partners(searcher: Searcher, day: int = 1 << 20) -> dict[str, int]:
    counts = Partners(searcher.index.columns).until(day).tolist()
    names = [searcher.details.shown(ordinal).name for ordinal in range(len(counts))]
    return {name: count for name, count in zip(names, counts, strict=True) if count}


def test_everyone_of_a_commit_is_a_partner_once_from_the_first_day_on(tmp_path: Path) -> None:
    searcher = (
        History()
        .add(
            Change("Ada", "2024-01-02", "Add a", ["a.py"], co=["Bo"]),
            Change("Bo", "2024-03-01", "Add b", ["b.py"], co=["Ada", "Cy"]),
            Change("Di", "2024-03-02", "Alone", ["c.py"]),
        )
        .searcher(tmp_path)
    )
    assert partners(searcher) == {"Ada": 2, "Bo": 2, "Cy": 2}
    days = searcher.index.columns.day
    assert partners(searcher, int(days.min())) == {"Ada": 1, "Bo": 1}


def test_reviewers_and_crowds_are_no_partners(tmp_path: Path) -> None:
    crowd = [f"Guest {number}" for number in range(COMPANY)]
    searcher = (
        History()
        .add(
            Change("Ada", "2024-01-02", "Squash a branch", ["a.py"], co=crowd),
            Change("Ada", "2024-01-03", "Add b", ["b.py"], reviewed_by=["Bo"]),
        )
        .searcher(tmp_path)
    )
    assert partners(searcher) == {}
