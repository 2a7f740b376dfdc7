"""A snapshot that nobody holds any more is gone, with all that was looked up in it."""

from pathlib import Path
from weakref import ref

from sourcer.query import Filter, Query, Topic
from tests.small_history import Change, History


def test_a_searcher_that_answered_every_kind_of_question_is_let_go(tmp_path: Path) -> None:
    """Caches of methods kept it, and with it all of its snapshot, until others pushed it out."""
    searcher = (
        History()
        .add(
            Change("Ada", "2025-03-01", "Add fused MoE kernel", ["csrc/moe/topk.cu"]),
            Change("Bo", "2025-04-01", "Add LoRA layers", ["engine/lora.py"], co=["Ada"]),
        )
        .declare("Ada", location="Warsaw, Poland")
        .searcher(tmp_path)
    )
    filters = (
        Filter("repo", "=", "engine"),
        Filter("language", "=", "CUDA"),
        Filter("path", "under", "csrc/moe"),
        Filter("country", "=", "PL"),
        Filter("seniority", ">=", "senior"),
    )
    asked = Query("", topics=(Topic("moe"),), filters=filters, semantic="fused MoE kernel")
    (entry,) = searcher.search(asked).entries
    assert entry.person.name == "Ada"
    searcher.facts.lane(0)
    assert searcher.facts.record(0).last is not None
    gone = [ref(part) for part in (searcher, searcher.worth, searcher.telling, searcher.facts)]
    del searcher
    assert [part() for part in gone] == [None] * 4
