"""Time zones of commits: a weak hint that answers questions about time zones, and nothing else."""

from pathlib import Path

import pytest

from index.details import Details
from index.pool import Pools
from index.search import Searcher
from index.verdicts import verdicts
from sourcer import snapshot
from sourcer.query import Filter, Query
from sourcer.store import graph
from sourcer.store.database import create, open_readonly
from tests.small_history import Change, History

PATHS = ["csrc/moe/topk.cu"]
ZONES = {"Ada": {480: 19, 540: 1}, "Bo": {-480: 8, -420: 9}, "Cy": {0: 30}, "Di": {480: 3}}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    world = History().add(*(Change(by, "2026-01-01", "Tune MoE", PATHS) for by in ZONES))
    for person, held in ZONES.items():
        for zone, commits in held.items():
            world.db.execute(
                "insert into person_zones values (?, ?, ?)", [f"p-{person}", zone, commits]
            )
    world.declare("Bo", location="Oslo, Norway")
    return world.searcher(tmp_path_factory.mktemp("world"))


def found(searcher: Searcher, *filters: Filter) -> dict[str, tuple[str, ...]]:
    entries = searcher.search(Query("MoE", filters=filters, semantic="MoE")).entries
    return {entry.person.name: entry.unknown for entry in entries}


UNKNOWN = ("time zone",)


@pytest.mark.parametrize(
    ("zone", "negated", "people"),
    [
        ("UTC+8", False, {"Ada": (), "Cy": UNKNOWN, "Di": UNKNOWN}),
        ("UTC-7", False, {"Bo": (), "Cy": UNKNOWN, "Di": UNKNOWN}),
        ("UTC-9", False, {"Bo": UNKNOWN, "Cy": UNKNOWN, "Di": UNKNOWN}),
        ("UTC+0", False, {"Cy": UNKNOWN, "Di": UNKNOWN}),
        ("UTC+8", True, {"Bo": (), "Cy": UNKNOWN, "Di": UNKNOWN}),
    ],
)
def test_a_question_about_time_zones_is_answered_by_commits_that_say_so(
    searcher: Searcher, zone: str, negated: bool, people: dict[str, tuple[str, ...]]
) -> None:
    assert found(searcher, Filter("timezone", "=", zone, negated)) == people


def test_one_of_several_time_zones_will_do(searcher: Searcher) -> None:
    assert found(searcher, Filter("timezone", "in", ("UTC+8", "UTC-8"))) == {
        "Ada": (),
        "Bo": (),
        "Cy": UNKNOWN,
        "Di": UNKNOWN,
    }


def test_a_time_zone_is_no_country(searcher: Searcher) -> None:
    people = found(searcher, Filter("country", "=", "US"))
    assert people == {"Ada": ("location",), "Cy": ("location",), "Di": ("location",)}
    assert all(searcher.details.shown(at).location is None for at in (0, 2, 3))


def test_the_answer_says_that_the_hint_is_weak(searcher: Searcher) -> None:
    query = Query("MoE", filters=(Filter("timezone", "=", "UTC-8"),), semantic="MoE")
    first = searcher.search(query).entries[0]
    assert first.person.name == "Bo"
    assert first.notes == (
        "17 of 17 commits in two years at UTC-7 or UTC-8 (weak hint: not where they live)",
    )
    (said,) = verdicts(searcher, query, 1)
    assert (said.answer, said.how.split(":")[1].split(",")[0]) == ("yes", " a weak hint")
    (_, step) = Pools(searcher).of(query).steps
    assert (step.matched, step.unknown) == (1, 2)


def test_the_last_two_years_of_authors_are_counted() -> None:
    world = History(create()).add(
        Change("Ada", "2023-01-01", "Old", PATHS),
        Change("Ada", "2026-01-01", "New", PATHS, co=["Bo"], reviewed_by=["Cy"]),
    )
    world.db.execute("update commits set authored_zone = 330")
    graph.write_person_zones(world.db, 2)
    assert world.db.execute("from person_zones").fetchall() == [("p-Ada", 330, 1)]


def test_the_sample_knows_clocks(sample_data: Path) -> None:
    db = open_readonly(snapshot.current(sample_data).database)
    details = Details.read(db)
    db.close()
    marisol = details.person("mtevenbrook-rx")
    assert marisol is not None
    assert details.clocks[marisol].offsets == (-300,)
