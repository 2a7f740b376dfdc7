"""Lanes are data; a person stands in the first that holds."""

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from index.pool import Pools
from index.search import Searcher
from sourcer.errors import BadSettings
from sourcer.lanes import Facts, Work, lane_of
from sourcer.lanes.file import lanes, parse, read
from sourcer.people import Declared, Profile
from sourcer.query import Filter, Query
from sourcer.settings import read as read_settings
from sourcer.topics import load
from tests.api_world import World

NOTHING = Work({}, lambda topics, kernels: 0)
LANE = '[[lane]]\nid = "a"\nname = "A"\nsays = "Why"\n'


def worked(kernels: int = 0, **by_topic: int) -> Work:
    counts = {topic.replace("_", "-"): count for topic, count in by_topic.items()}

    def on_any(topics: frozenset[str], in_kernels: bool) -> int:
        if in_kernels:
            return kernels
        return sum(count for topic, count in counts.items() if topic in topics)

    return Work(counts, on_any)


def placed(facts: Facts) -> tuple[str, str] | None:
    found = lane_of(facts)
    return found and (found.lane.id, found.why)


def test_artifacts_go_before_all() -> None:
    facts = Facts(worked(kda=2, deepep=3), now={"together": "declared"})
    assert placed(facts) == ("artifacts", "5 commits: deepep (3), kda (2)")


def test_kernels_of_any_area_are_artifacts() -> None:
    assert placed(Facts(worked(kernels=5, sampling=9))) == (
        "artifacts",
        "5 commits to kernels: sampling (9)",
    )


def test_operators_count_while_they_are_there() -> None:
    assert placed(Facts(NOTHING, now={"together": "declared"})) == (
        "day-0-operators",
        "at Together AI (declared)",
    )
    assert placed(Facts(NOTHING, past={"together": "declared"})) is None


def test_lineage_counts_for_ever() -> None:
    past = Facts(worked(lora=5), past={"uc berkeley": "email domain"})
    assert placed(past) == ("lineage", "formerly at UC Berkeley (email domain)")


def test_adjacent_work_comes_before_titles() -> None:
    title = Declared("Inference Engineer", "linkedin", datetime(2026, 1, 1), "imported")
    profile = Profile("p", (("title", title),))
    assert placed(Facts(worked(mla=2), profile=profile)) == ("adjacent", "2 commits: mla (2)")
    assert placed(Facts(NOTHING, profile=profile)) == (
        "titles",
        "declares “Inference Engineer” (title, linkedin)",
    )


def test_nobody_is_forced_into_a_lane() -> None:
    assert placed(Facts(worked(docs=40))) is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[lane]\nid = 1", r"lanes.toml, lane: {'id': 1} cannot be used; it must be a list"),
        (LANE, "lane 'a' has no condition; give it commits, companies or titles"),
        (LANE + 'titles = "(vLLM"', "a boolean search .*a closing parenthesis is missing"),
        (LANE + '[[lane.commits]]\ntopics = ["kd"]', "topics: 'kd' cannot be used"),
        (LANE + "[[lane.commits]]\nat_least = 0", "at_least: 0 cannot be used; it must be a whole"),
        (LANE + '[[lane.commits]]\nkernels = "yes"', "kernels: 'yes' cannot be used"),
        (LANE + '[lane.companies]\nnames = ["Nowhere"]', "names: 'Nowhere' cannot be used"),
        (LANE + '[lane.companies]\nnames = ["Meta"]\nwhen = "once"', "when: 'once' cannot be used"),
        ((LANE + 'titles = "vLLM"\n') * 2, "lane 'a' is there 2 times; ids are unique"),
        (LANE + "kernel = true", "unknown key 'kernel'"),
    ],
)
def test_mistakes_are_named(text: str, complaint: str) -> None:
    with pytest.raises(BadSettings, match=complaint):
        parse(text)


def test_five_lanes_in_the_order_of_the_brief() -> None:
    ids = [lane.id for lane in read()]
    assert ids == ["artifacts", "day-0-operators", "lineage", "adjacent", "titles"]


def test_shortlist_is_grouped_and_funnel_counted_by_lane(sample_searcher: Searcher) -> None:
    pools = Pools(sample_searcher)
    query = Query("", filters=(Filter("repo", "=", "vllm"),))
    entries = sample_searcher.search(query, limit=60).entries
    groups = pools.facts.grouped(entries)
    assert sorted(e.person.id for group in groups for e in group.people) == sorted(
        e.person.id for e in entries
    )
    assert groups[0].lane is not None
    assert groups[0].lane.id == "artifacts"
    by_lane = pools.by_lane(query)
    whole = pools.of(query).steps
    assert [sum(steps[row].left for _, steps in by_lane) for row in (0, 1)] == [
        step.left for step in whole
    ]


def test_the_api_groups_results_and_funnel_by_lane(shared: World) -> None:
    found = shared.get("/search", q="moe kernels in vllm", limit=50, by_lane=True)
    groups = {one["lane"]: one["people"] for one in found["lanes"]}
    ids = [one["person"]["id"] for one in found["entries"]]
    assert sorted(held["person_id"] for those in groups.values() for held in those) == sorted(ids)
    assert next(iter(groups)) == "artifacts"
    assert groups["artifacts"][0]["why"].split()[1].startswith("commit")
    assert shared.get("/search", q="moe kernels in vllm", limit=50)["lanes"] is None
    pool = shared.get("/pool", q="moe kernels in vllm", by=["lane"])
    left = [one["matched"] + one["unknown"] for one in pool["funnel"]]
    by_lane = [
        sum(each["funnel"][row]["matched"] + each["funnel"][row]["unknown"]
            for each in pool["funnel_by_lane"])
        for row in range(len(left))
    ]  # fmt: skip
    assert by_lane == left


def test_lanes_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "lanes.toml"
    own.write_text(
        '[[lane]]\nid = "docs"\nname = "Docs"\nsays = "Who explains"\n'
        '[[lane.commits]]\ntopics = ["moe"]\n'
    )
    settings = read_settings(tmp_path, {"SOURCER_LANES": str(own)})
    assert [lane.id for lane in lanes(settings, load()) or ()] == ["docs"]
    assert lanes(read_settings(tmp_path, {}), load()) is None


def test_why_can_be_counted_again(sample_searcher: Searcher) -> None:
    facts = Pools(sample_searcher).facts
    person = int(np.argmax(facts.kernel_commits))
    placed_there = facts.lane(person)
    assert placed_there is not None
    assert placed_there.lane.id == "artifacts"
    assert int(placed_there.why.split()[0]) <= len(facts.commits(person))
