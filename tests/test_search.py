"""Search on small histories: who is found, who is left out, who is undecided, and why."""

import json
from datetime import date
from pathlib import Path

import pytest

from index.search import Searcher
from sourcer.query import Filter, Mode, Query, Topic, Vocabulary, parse
from sourcer.shortlist import Shortlist
from tests.small_history import Change, History

TODAY = date(2026, 6, 1)
MOE, LORA, DOCS = "csrc/moe/topk.cu", "engine/lora/layers.py", "docs/moe.md"


def history() -> History:
    return History().add(
        Change("Ada", "2023-02-01", "Add fused MoE kernel (#1)", [MOE], created=True, pull=1),
        Change("Ada", "2024-03-01", "Tune fused MoE kernel", [MOE], co=["Bo"]),
        Change("Ada", "2025-03-01", "MoE top-k in one kernel (#7)", [MOE], pull=7),
        Change("Bo", "2025-04-01", "Add LoRA layers", [LORA], reviewed_by=["Ada"]),
        Change("Bo", "2025-05-01", "Fix LoRA layers", [LORA]),
        Change("Cy", "2026-01-01", "Write up MoE", [DOCS]),
        Change("Di", "2026-02-01", "Route requests", ["router/src/main.rs"], repo="acme/router"),
        Change("Ada", "2026-03-01", "Balance requests", ["router/src/main.rs"], repo="acme/router"),
    )


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    world = history().declare(
        "Ada", location="Warsaw, Poland", hireable="true", title="Staff Engineer"
    )
    return world.declare("Cy", location="Berlin").searcher(tmp_path_factory.mktemp("world"))


def ask(*filters: Filter, text: str = "", topics: tuple[Topic, ...] = ()) -> Query:
    return Query(text, topics=topics, filters=filters, semantic=text)


def names(found: Shortlist) -> list[str]:
    return [entry.person.name for entry in found.entries]


def test_who_did_the_work_comes_first(searcher: Searcher) -> None:
    found = searcher.search(ask(text="fused MoE kernel"))
    assert names(found)[0] == "Ada"
    assert found.entries[0].score == 1.0
    assert found.entries[0].evidence[0].subject.startswith("Add fused MoE kernel")


def test_an_entry_is_the_json_that_the_faces_show(searcher: Searcher) -> None:
    shown = json.loads(json.dumps(searcher.search(ask(text="fused MoE kernel")).json()))
    entry = shown["entries"][0]
    assert entry["person"]["logins"] == ["ada"]
    assert entry["person"]["location"]["value"] == "Warsaw, Poland"
    assert entry["person"]["seniority"]["value"] == "staff"
    assert entry["evidence"][0]["url"] == f"https://example.com/acme/engine/commit/{0:040x}"
    assert entry["evidence"][0]["role"] == "author"
    assert "@example.com" not in json.dumps(shown)


def test_every_number_cites_commits(searcher: Searcher) -> None:
    why = searcher.search(ask(text="fused MoE kernel")).entries[0].why
    said = [part.says.split(",")[0].split(":")[0] for part in why.parts]
    assert said == ["topic fit", "ownership", "depth", "recency", "breadth"]
    assert why.commits[0] == f"acme/engine@{0:040x}"
    assert all(part.commits for part in why.parts[:1])


PEOPLE: list[tuple[str, tuple[Filter, ...], list[str]]] = [
    (
        "a window chooses the commits",
        (Filter("window", "between", ("2025-04-01", "2025-12-31")),),
        ["Bo"],
    ),
    ("a repository", (Filter("repo", "=", "router"),), ["Di", "Ada"]),
    ("both repositories", (Filter("repo", "all", ("engine", "router")),), ["Ada"]),
    (
        "one repository but not the other",
        (Filter("repo", "=", "router"), Filter("repo", "=", "engine", negated=True)),
        ["Di"],
    ),
    ("a path", (Filter("path", "under", "csrc/moe"),), ["Ada", "Bo"]),
    ("the last name of a path", (Filter("path", "under", "lora"),), ["Bo"]),
    ("a glob", (Filter("path", "glob", "docs/*.md"),), ["Cy"]),
    (
        "not a path",
        (Filter("path", "under", "engine/lora", negated=True), Filter("repo", "=", "engine")),
        ["Ada", "Cy", "Bo"],
    ),
    ("a language", (Filter("language", "=", "Rust"),), ["Di", "Ada"]),
    ("a pull request", (Filter("pull", "=", 7),), ["Ada"]),
    ("a phrase", (Filter("phrase", "=", "LoRA layers"),), ["Bo"]),
    (
        "commits, counted in the repository",
        (Filter("commits", ">=", 3), Filter("repo", "=", "engine")),
        ["Ada", "Bo"],
    ),
    ("merged pull requests", (Filter("merged_prs", ">", 1),), ["Ada"]),
    ("first commit", (Filter("first_commit", ">=", "2026-01-01"),), ["Cy", "Di"]),
    ("stopped contributing", (Filter("last_commit", "<", "2025-12-31"),), ["Bo"]),
    ("reviewers", (Filter("activity", "=", "review"),), ["Ada"]),
    ("co-authors", (Filter("activity", "=", "co-author"),), ["Bo"]),
    ("reviews", (Filter("reviews", ">=", 1),), ["Ada"]),
    (
        "a window and a count in it",
        (Filter("window", "between", ("2025-01-01", None)), Filter("commits", ">=", 2)),
        ["Ada", "Bo"],
    ),
]


@pytest.mark.parametrize(
    ("filters", "expected"), [case[1:] for case in PEOPLE], ids=[c[0] for c in PEOPLE]
)
def test_conditions(searcher: Searcher, filters: tuple[Filter, ...], expected: list[str]) -> None:
    assert sorted(names(searcher.search(ask(*filters)))) == sorted(expected)


def test_window_chooses_the_evidence_too(searcher: Searcher) -> None:
    window = Filter("window", "between", ("2025-01-01", "2025-12-31"))
    entry = searcher.search(ask(window, text="fused MoE kernel")).entries[0]
    assert [one.subject for one in entry.evidence] == ["MoE top-k in one kernel (#7)"]


def test_who_meets_a_condition_comes_before_who_is_undecided(searcher: Searcher) -> None:
    found = searcher.search(ask(Filter("country", "=", "PL"), text="MoE"))
    assert names(found) == ["Ada", "Bo"]
    assert [entry.unknown for entry in found.entries] == [(), ("location",)]


def test_undecided_by_several_conditions_names_each(searcher: Searcher) -> None:
    found = searcher.search(
        ask(Filter("seniority", ">=", "senior"), Filter("hireable", "=", True), text="LoRA layers")
    )
    assert {e.person.name: e.unknown for e in found.entries}["Bo"] == (
        "seniority",
        "open to offers",
    )


def test_negated_place_drops_who_is_there(searcher: Searcher) -> None:
    found = searcher.search(ask(Filter("country", "=", "DE", negated=True), text="MoE"))
    assert "Cy" not in names(found)
    assert names(found)[0] == "Ada"


def test_a_wish_ranks_and_drops_nobody(searcher: Searcher) -> None:
    plain = searcher.search(ask(text="LoRA MoE"))
    wished = searcher.search(ask(Filter("country", "=", "DE", mode=Mode.SHOULD), text="LoRA MoE"))
    assert sorted(names(plain)) == sorted(names(wished))
    lifted = {entry.person.name: entry.score for entry in wished.entries}["Cy"]
    assert lifted > {entry.person.name: entry.score for entry in plain.entries}["Cy"]


def test_an_unwanted_topic_takes_its_commits_away(searcher: Searcher) -> None:
    unwanted = (Topic("lora", negated=True),)
    found = searcher.search(ask(Filter("repo", "=", "engine"), topics=unwanted))
    assert all("LoRA" not in one.subject for entry in found.entries for one in entry.evidence)


def test_a_topic_that_must_be_needs_a_commit_about_it(searcher: Searcher) -> None:
    found = searcher.search(ask(text="layers MoE", topics=(Topic("lora"),)))
    assert names(found) == ["Bo"]
    wish = Topic("lora", mode=Mode.SHOULD)
    assert set(names(searcher.search(ask(text="layers MoE", topics=(wish,))))) > {"Bo"}


def test_a_topic_that_is_not_held_bars_nobody(searcher: Searcher) -> None:
    assert names(searcher.search(ask(text="MoE", topics=(Topic("unheard-of"),)))) != []


def test_who_introduced_is_who_came_first(tmp_path: Path) -> None:
    many = [
        Change("Bo", f"2025-0{month}-01", "Chunked prefill in scheduler", ["s.py"])
        for month in range(1, 9)
    ]
    first = Change("Ada", "2023-01-01", "Chunked prefill in scheduler", ["s.py"])
    searcher = History().add(first, *many).searcher(tmp_path)
    assert names(searcher.search(ask(text="chunked prefill")))[0] == "Bo"
    introduced = Filter("activity", "=", "introduced")
    assert names(searcher.search(ask(introduced, text="chunked prefill")))[0] == "Ada"


def test_who_introduced_is_who_made_the_place_not_who_mended_moved_or_tested(
    tmp_path: Path,
) -> None:
    made = Change("Ada", "2024-02-01", "LoRA layers", [LORA])
    searcher = (
        History()
        .add(
            Change("Bo", "2024-01-01", "Fix LoRA in a comment", ["readme.py"]),
            Change("Cy", "2024-01-05", "Refactor LoRA options", ["readme.py"]),
            Change("Di", "2024-01-09", "LoRA test", ["tests/test_lora.py"]),
            made,
            *(Change("Ed", f"2024-03-{day:02}", "Tune LoRA", [LORA]) for day in range(1, 20)),
        )
        .searcher(tmp_path)
    )
    introduced = Filter("activity", "=", "introduced")
    found = searcher.search(ask(introduced, text="LoRA"))
    assert names(found)[0] == "Ada"
    assert found.entries[0].evidence[0].subject == made.subject


def test_who_introduced_a_thing_made_of_two_is_not_who_introduced_one(tmp_path: Path) -> None:
    graphs, lora = Topic("cuda-graphs"), Topic("lora")
    searcher = (
        History()
        .add(
            *(Change("Bo", f"2023-0{month}-01", "Add CUDA graphs", ["g.py"]) for month in (1, 2)),
            *(Change("Cy", f"2023-0{month}-01", "Add LoRA layers", [LORA]) for month in (3, 4)),
            Change("Ada", "2024-01-01", "CUDA graphs for LoRA", ["g.py", LORA]),
            Change("Di", "2026-01-01", "Tune CUDA graphs for LoRA", ["g.py", LORA]),
        )
        .searcher(tmp_path)
    )
    introduced = Filter("activity", "=", "introduced")
    asked = ask(introduced, text="CUDA graphs for LoRA", topics=(graphs, lora))
    assert names(searcher.search(asked))[0] == "Ada"


def test_documentation_counts_less_unless_it_is_asked_for(tmp_path: Path) -> None:
    notes = [
        Change("Bo", f"2025-0{month}-01", "[Docs] LoRA", [f"docs/lora{month}.md"])
        for month in (1, 2, 3)
    ]
    code = [Change("Ada", f"2025-0{month}-01", "LoRA", [LORA]) for month in (1, 2)]
    searcher = History().add(*notes, *code).searcher(tmp_path)
    lora, docs = Topic("lora"), Topic("docs")
    assert names(searcher.search(ask(text="LoRA", topics=(lora,))))[0] == "Ada"
    assert names(searcher.search(ask(text="docs of LoRA", topics=(lora, docs))))[0] == "Bo"


def listed(text: str) -> Query:
    """MoE and LoRA as topics where they stand in the text."""
    spans = [(text.index(word), text.index(word) + len(word)) for word in ("MoE", "LoRA")]
    topics = (Topic("moe", span=spans[0]), Topic("lora", span=spans[1]))
    return Query(text, topics=topics, semantic="MoE LoRA")


def test_and_wants_people_with_both_and_or_gives_each_its_share(tmp_path: Path) -> None:
    crowd = [
        Change(name, f"2025-{month:02}-01", "Tune MoE", [MOE])
        for last, name in enumerate(("Ed", "Di", "Cy", "Ada"), 5)
        for month in range(1, last)
    ]
    searcher = (
        History()
        .add(
            *crowd,
            Change("Bo", "2025-03-01", "Tune MoE", [MOE]),
            Change("Bo", "2025-04-01", "Add LoRA layers", [LORA]),
            Change("Fay", "2025-05-01", "Fix LoRA layers", [LORA]),
            Change("Fay", "2025-06-01", "Tune LoRA layers", [LORA]),
        )
        .searcher(tmp_path)
    )
    assert names(searcher.search(listed("both MoE and LoRA")))[0] == "Bo"
    either = names(searcher.search(listed("MoE or LoRA")))
    assert set(either[:2]) == {"Ada", "Fay"}


def test_similar_people_change_the_same_files(searcher: Searcher) -> None:
    found = searcher.search(ask(Filter("similar_to", "=", "@di")))
    assert names(found)[0] == "Ada"
    assert "Di" not in names(found)
    likeness = found.entries[0].why.parts[0]
    assert likeness.says == "likeness: both changed 1 file: router/src/main.rs"
    assert likeness.commits == (f"acme/router@{7:040x}",)


def test_pages_follow_on(searcher: Searcher) -> None:
    everyone = searcher.search(ask())
    first, second = searcher.search(ask(), limit=2), searcher.search(ask(), limit=2, offset=2)
    assert (everyone.total, first.next_offset, second.next_offset) == (4, 2, None)
    assert names(first) + names(second) == names(everyone)


def test_the_question_may_limit_the_list(searcher: Searcher) -> None:
    assert len(searcher.search(ask(Filter("limit", "=", 1), text="MoE")).entries) == 1


def test_a_repository_that_is_not_held_is_said(searcher: Searcher) -> None:
    found = searcher.search(ask(Filter("repo", "=", "nowhere"), text="MoE"))
    assert (found.total, found.notes) == (0, ("no repository 'nowhere' is held here",))


@pytest.mark.parametrize("text", ["", "find me engineers", "asdkjh qwoeiu", "x" * 5000, "\0"])
def test_any_text_is_answered(searcher: Searcher, text: str) -> None:
    query = parse(text, today=TODAY) if text.isprintable() else ask(text=text)
    assert searcher.search(query).snapshot == "small"


def test_asking_again_gives_the_same(searcher: Searcher) -> None:
    question = "MoE people in acme/engine"
    known = Vocabulary(repositories={"engine": ("acme/engine",)})
    one, two = (searcher.search(parse(question, today=TODAY, vocabulary=known)) for _ in range(2))
    assert one.json() == two.json()


def test_trivial_commits_count_little_and_the_tree_says_so(tmp_path: Path) -> None:
    for_ada = [f"layers/configs/table{n}.json" for n in range(3)]
    for_bo = [f"layers/kernels/block{n}.py" for n in range(3)]
    changes = [
        Change(by, f"2025-0{month}-01", "Align token blocks", [path])
        for by, paths in (("Ada", for_ada), ("Bo", for_bo))
        for month, path in enumerate(paths, 1)
    ]
    found = History().add(*changes).searcher(tmp_path).search(ask(text="align token"))
    assert names(found) == ["Bo", "Ada"]
    depth = found.entries[1].why.parts[2]
    assert depth.value == pytest.approx(0.25)
    assert "75% taken off for generated, configuration or bulk commits" in depth.says


def test_a_question_about_reviews_says_where_none_were_fetched(searcher: Searcher) -> None:
    found = searcher.search(ask(Filter("activity", "=", "review")))
    assert found.notes == (
        "no review data were fetched for acme/engine; its commit messages name some",
        "no review data were fetched for acme/router",
    )
    engine = (Filter("repo", "=", "router"), Filter("reviews", ">=", 2))
    found = searcher.search(ask(*engine))
    assert found.notes == ("no review data were fetched for acme/router",)
    assert {entry.unknown for entry in found.entries} == {("reviews",)}
    assert searcher.search(ask(text="MoE")).notes == ()


def test_where_no_review_is_known_writers_stand_in_for_reviewers(searcher: Searcher) -> None:
    only_router = Filter("repo", "=", "router")
    found = searcher.search(ask(Filter("activity", "=", "review"), only_router))
    assert found.notes[-1] == "as no review is known, who wrote the work is shown"
    assert names(found) == names(searcher.search(ask(only_router)))
    assert {entry.unknown for entry in found.entries} == {("reviews",)}


def test_where_reviews_were_fetched_nothing_is_said(tmp_path: Path) -> None:
    world = history()
    world.db.execute("insert into reviews_fetched values (0, 8), (1, 2)")
    found = world.searcher(tmp_path).search(ask(Filter("reviews", ">=", 1)))
    assert (names(found), found.notes) == (["Ada"], ())


def test_who_is_hidden_is_nobody(searcher: Searcher) -> None:
    ada = searcher.details.person("ada")
    assert ada is not None
    without = searcher.without([ada])
    assert names(without.search(ask(text="fused MoE kernel"))) == ["Bo", "Cy"]
    assert without.details.person("ada") is None
    assert names(searcher.search(ask(text="fused MoE kernel")))[0] == "Ada"


def test_whoever_has_a_commit_on_a_topic_is_found_however_many_did_more(tmp_path: Path) -> None:
    crowd = [
        Change("Ada", f"2026-{day // 28 + 1:02}-{day % 28 + 1:02}", "Add LoRA layers", [LORA])
        for day in range(280)
    ]
    few = Change("Bo", "2010-01-01", "Rework LoRA", ["x.py", "y.py"])
    found = History().add(*crowd, *crowd, *crowd, few).searcher(tmp_path)
    listed = found.search(ask(text="LoRA layers", topics=(Topic("lora"),)))
    assert names(listed) == ["Ada", "Bo"]
    assert listed.entries[1].score > 0
    assert listed.entries[1].evidence[0].subject == "Rework LoRA"


def test_seniority_by_artifacts_is_a_note_and_not_a_match(tmp_path: Path) -> None:
    work = [
        Change("Ada", f"20{year}-{month:02}-01", "Tune fused MoE kernel", [MOE])
        for year in (24, 25)
        for month in range(1, 13)
    ]
    world = History().add(*work).hold("Ada", "csrc/moe", "2024-06-01")
    senior = Filter("seniority", ">=", "senior")
    (entry,) = world.searcher(tmp_path).search(ask(senior, text="MoE")).entries
    assert entry.unknown == ("seniority",)
    (note,) = entry.notes
    assert note.startswith("senior or above by artifacts, not by title: code owner of csrc/moe")


def test_a_negated_topic_wider_than_the_one_asked_for_leaves_its_commits(
    searcher: Searcher,
) -> None:
    topics = (Topic("fused-moe"), Topic("moe", negated=True))
    assert names(searcher.search(ask(text="fused MoE", topics=topics)))[0] == "Ada"


def test_one_of_two_times_will_do(searcher: Searcher) -> None:
    times = ("2023-01-01/2023-12-31", "2025-04-01/2025-12-31")
    found = searcher.search(ask(Filter("window", "in", times)))
    assert sorted(names(found)) == ["Ada", "Bo"]
    dates = {str(cited.date.date()) for entry in found.entries for cited in entry.evidence}
    assert dates <= {"2023-02-01", "2025-04-01", "2025-05-01"}
    unwanted = Filter("window", "in", times, negated=True)
    assert "2023-02-01" not in {
        str(cited.date.date())
        for entry in searcher.search(ask(unwanted)).entries
        for cited in entry.evidence
    }


def test_commits_on_a_topic_hold_those_on_narrower_ones_each_once(
    sample_searcher: Searcher,
) -> None:
    topics, activity = sample_searcher.details.topic_ordinals, sample_searcher.activity
    moe, family = topics["moe"], sample_searcher.families.ordinals(["moe"])
    assert topics["moe-kernels"] in family
    for person in range(40):
        own = activity.topics(person)
        together = [own.get(topic, 0) for topic in family]
        whole = activity.topics(person, {moe: family}).get(moe, 0)
        assert max(together) <= whole <= sum(together)


def test_every_part_of_a_score_cites_commits_of_the_person(sample_searcher: Searcher) -> None:
    query = parse("MoE or PD disaggregation in vLLM", today=date(2026, 6, 15))
    found = sample_searcher.search(query)
    said = []
    for entry in found.entries:
        for part in (leaf for top in entry.why.parts for leaf in (top, *top.parts)):
            cited = sample_searcher.cited(entry.person.id, part.commits)
            assert part.commits, part.says
            assert set(part.commits) == set(cited), part.says
            said.append(part.says)
    assert any(text.startswith("Mixture of experts") for text in said)


def test_without_words_the_largest_own_works_are_shown_not_the_smallest(tmp_path: Path) -> None:
    engine = [f"engine/core/part{n}.py" for n in range(6)]
    world = History().add(
        Change("Eve", "2025-01-05", "New engine core", engine, created=True),
        Change("Flo", "2025-02-05", "New pooling layers", engine, created=True, co=["Eve"]),
        *(Change("Eve", f"2025-0{n}-01", f"Tune knob {n}", [engine[n]]) for n in range(3, 6)),
    )
    found = world.searcher(tmp_path).search(ask(Filter("repo", "=", "engine")))
    cited = {entry.person.name: [one.subject for one in entry.evidence] for entry in found.entries}
    assert cited["Eve"][0] == "New engine core"
    assert cited["Eve"][1] == "New pooling layers"
