"""What was done on a topic, by whom, in which files, from where."""

from datetime import date
from pathlib import Path

from index.owner_questions import owner_questions
from sourcer.store import topic_work
from tests.small_history import Change, History

EPLB = "vllm/distributed/eplb/state.py"


def written() -> History:
    return History().add(
        Change("Ada", "2025-01-02", "Count the load per layer", [EPLB], co=["Bo"]),
        Change("Bo", "2025-03-04", "Rearrange experts", [EPLB, "vllm/distributed/eplb/move.py"]),
        Change("Cy", "2025-05-06", "Fix a typo", ["README.md", EPLB, "a.py", "b.py", "c.py"]),
    )


def history(folder: Path) -> History:
    made = written()
    made.searcher(folder)  # tags the commits
    return made


def test_deeds_in_order_with_their_reason(tmp_path: Path) -> None:
    found = topic_work.deeds(history(tmp_path).db, ["eplb"])
    assert [(one.at.date(), one.name, one.role) for one in found] == [
        (date(2025, 1, 2), "Ada", "author"),
        (date(2025, 1, 2), "Bo", "co-author"),
        (date(2025, 3, 4), "Bo", "author"),
    ]
    assert found[0].matched == (f"path: {EPLB}",)
    assert found[0].employer is None


def test_deeds_of_the_hidden_are_nobodys(tmp_path: Path) -> None:
    found = topic_work.deeds(history(tmp_path).db, ["eplb"], hidden=["p-Bo"])
    assert [one.name for one in found] == ["Ada"]


def test_an_employer_counts_while_its_domain_was_in_use(tmp_path: Path) -> None:
    made = history(tmp_path)
    row = "('p-Bo', 'acme', 'email domain', '2025-02-01', '2025-12-01', '3 commits', null)"
    made.db.execute(f"insert into affiliations values {row}")
    employers = [one.employer for one in topic_work.deeds(made.db, ["eplb"]) if one.name == "Bo"]
    assert employers == [None, "acme"]


def test_files_with_their_share(tmp_path: Path) -> None:
    first, second = topic_work.files(history(tmp_path).db, ["eplb"])
    assert (first.path, first.commits, first.all_commits, first.people) == (EPLB, 2, 3, 2)
    assert (second.commits, second.all_commits) == (1, 1)
    assert topic_work.files(history(tmp_path / "again").db, ["kda"]) == []


def test_a_path_asks_and_its_owners_answer(tmp_path: Path) -> None:
    made = written().hold("Ada", "/vllm/distributed/eplb/", "2025-06-01")
    made.hold("Bo", "/vllm/distributed/eplb/", "2025-06-01").hold("Cy", "*", "2025-06-01")
    [asked] = owner_questions(made.searcher(tmp_path))
    assert (asked.repo, asked.query) == ("acme/engine", "vllm distributed eplb")
    assert asked.relevant == ("ada", "bo")
