"""Questions are data; the person's own commits choose among them."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from sourcer.commits import Role
from sourcer.errors import BadInput, BadSettings
from sourcer.evidence import Cited
from sourcer.screening import as_markdown, chosen, load, questions
from sourcer.screening.file import parse
from sourcer.settings import read
from sourcer.topics import Taxonomy

NAMED = {
    "kda": "kda-state-against-paged-kv",
    "hybrid-prefix-caching": "state-block-size-and-match-granularity",
    "fp4": "mxfp4-experts-over-16-gpus",
    "pd-disaggregation": "pd-ratio-for-bursty-million-token-prompts",
    "kv-transfer": "nvlink-against-rdma-for-kv",
    "eplb": "hot-expert-stalls-16-of-896",
    "speculative-decoding": "speculation-acceptance-and-batch",
    "lora": "lora-and-full-tuning-at-a-trillion",
}
QUESTION = (
    '[[question]]\nid = "{id}"\ntopics = ["moe"]\nasks = "Why?"\ngood = ["a"]\nweak = ["b"]\n'
)


def cited(commit: int, subject: str, path: str, role: Role = Role.AUTHOR, **more: int) -> Cited:
    pull = more.get("pull")
    topics = ("eplb",) if "eplb" in path else ("moe",)
    day = datetime(2026, 2, 1 + commit)
    return Cited(
        commit,
        "acme/engine",
        f"{commit:040x}",
        subject,
        day,
        role,
        (path,),
        1,
        topics,
        1.0,
        pull=pull,
    )


@pytest.mark.parametrize("topic", [topic.id for topic in load().taxonomy.topics])
def test_every_topic_has_two_questions(topic: str) -> None:
    assert len(load().of(topic)) >= 2


@pytest.mark.parametrize(("topic", "id_"), NAMED.items())
def test_named_questions_are_asked_for_their_topic(topic: str, id_: str) -> None:
    asked = {one.id: one for one in load().of(topic)}
    assert len(asked[id_].good) >= 3


def test_own_commits_come_first_and_open_different_questions() -> None:
    own = [
        cited(1, "Rebalance experts without stopping (#41)", "engine/eplb/rebalance.py", pull=41),
        cited(2, "Count hot experts", "engine/eplb/state.py", Role.REVIEWER),
    ]
    first, second, *others = questions("eplb", own)
    assert first.opening == (
        "In acme/engine#41 (February 2026) you wrote “Rebalance experts without stopping”,"
        " in engine/eplb/rebalance.py. See also acme/engine@000000000."
    )
    assert second.commits[0].commit == 2
    assert second.says.startswith("In acme/engine@000000000 (February 2026) you reviewed “Count")
    assert [len(one.commits) for one in others] == [2 for _ in others]


def test_without_commits_the_topic_is_asked_alone() -> None:
    first = questions("eplb", [])[0]
    assert (first.commits, first.opening, first.says) == ((), "", first.asks)


def test_commits_of_other_topics_suggest_nothing() -> None:
    assert questions("docs", [cited(1, "Rebalance", "engine/eplb/a.py")])[0].commits == ()


def test_the_weightiest_file_is_named() -> None:
    one = cited(1, "Rebalance", "tests/eplb/test_a.py")
    both = one._replace(paths=("tests/eplb/test_a.py", "engine/eplb/a.py"), files=2)
    assert "in engine/eplb/a.py and 1 other file." in questions("eplb", [both])[0].opening


def test_unknown_topic_is_named() -> None:
    with pytest.raises(BadInput, match="there is no topic 'mixture'; there are: moe, fused-moe"):
        questions("mixture", [])


def test_markdown_links_and_disarms() -> None:
    own = cited(1, "Tune <img src=x> MoE_permute (#7)", "moe/permute.py", pull=7)
    linked = own._replace(url="https://x/1")
    page = as_markdown("Ada Wren", "MoE", questions("moe", [linked], limit=1))
    assert page.startswith("# Screening: Ada Wren, MoE\n\n## 1. ")
    assert (
        "- [acme/engine\\#7](https://x/1): Tune \\<img src=x\\> MoE\\_permute (2026-02-02, author)"
        in page
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[question]", "screening.toml is not TOML"),
        ("topics = 1", "screening.toml: unknown key 'topics'; there are: question"),
        (QUESTION.format(id="a b"), "question 'a b', id: 'a b' cannot be used; it must be small"),
        (QUESTION.format(id="a") * 2, "question 'a' is there 2 times; ids are unique"),
        (QUESTION.format(id="a").replace('["a"]', "[7]"), "question 'a', good: 7 cannot be used"),
        (QUESTION.format(id="a") + 'commits.word = ["x"]', "commits: unknown key 'word'"),
        (QUESTION.format(id="a") + 'commits.words = ["a b*"]', "words: 'a b\\*' cannot be used"),
        (QUESTION.format(id="a").replace("moe", "mo"), "topics: there is no topic 'mo'"),
        (
            QUESTION.format(id="a") + 'commits.topics = ["eplb2"]',
            "question 'a', topics: there is no topic 'eplb2'",
        ),
        (QUESTION.format(id="a").replace('asks = "Why?"\n', ""), "asks: None cannot be used"),
    ],
)
def test_mistakes_are_named(text: str, complaint: str) -> None:
    with pytest.raises(BadSettings, match=complaint):
        parse(text, topics={"moe"})


def test_a_file_of_ones_own_is_asked_from(tmp_path: Path) -> None:
    own = tmp_path / "screening.toml"
    own.write_text(QUESTION.format(id="mine"), "utf-8")
    bare = read(tmp_path, {"SOURCER_SCREENING": str(own)})
    taxonomy = load().taxonomy
    assert [one.id for one in chosen(bare, taxonomy).of("moe")] == ["mine"]
    own.write_text(QUESTION.format(id="mine").replace("moe", "sails"), "utf-8")
    with pytest.raises(BadSettings, match="there is no topic 'sails'"):
        chosen(bare, taxonomy)


def test_topics_of_ones_own_have_the_built_in_questions_where_they_meet(tmp_path: Path) -> None:
    moe = load().taxonomy["moe"]
    taxonomy = Taxonomy((replace(moe, parents=()), replace(moe, id="sails", parents=())))
    held = chosen(read(tmp_path, {}), taxonomy)
    assert held.of("moe") == load().of("moe")
    assert held.of("sails") == ()
