"""Commits that are odd in what they say or who signs them, each kind once in each repository."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from ingest.sample.planned import Planned, Touch
from ingest.sample.standing import by
from ingest.sample.themes import name_on
from ingest.sample.treework import files, layout, moves, tables
from sourcer.commits import Signature

PROSE = """The notes grew out of a review.

* first a list
* FIX #4711 is not this pull request

This is not a trailer: really."""


def words(repo: str) -> Iterator[Planned]:
    """Messages that test the reading of subjects, bodies and encodings."""
    slug = {"vllm": "rosalka-wintersmith", "sglang": "juergen-grossmeissel"}[repo]
    page = Touch("docs/design/notes.md" if repo == "vllm" else "examples/notes.md", ("Notes",))
    plan = by(
        slug,
        date(2025, 4, 8),
        "Größenprüfung für Präfixe ergänzen",
        page,
        case="message in Latin-1",
    )
    yield replace(plan, encoding="iso-8859-1")
    yield by(
        slug,
        date(2025, 4, 9),
        "🚀 Escape <script>alert('x')</script> & friends in notes (#{pull})",
        page,
        case="markup and emoji in subject",
    )
    yield by(
        slug,
        date(2025, 4, 10),
        "Explain " + "at great length " * 30 + "(#{pull})",
        page,
        case="very long subject",
    )
    plan = by(
        slug, date(2025, 4, 11), "Write down the design (#{pull})", page, case="body with prose"
    )
    yield replace(
        plan,
        body=PROSE,
    )
    yield by(
        slug,
        date(2025, 4, 14),
        "Backport notes (#31) (#{pull})",
        page,
        case="two numbers in subject",
    )


def headers(repo: str) -> Iterator[Planned]:
    """Authors and zones as broken as git lets them be."""
    page = Touch("README.md", ("Overview",))
    odd = (
        ("author without a name", Signature("", "nameless@brackenmoor.example"), "+0000"),
        ("author without an email", Signature("Addressless Hand", ""), "+0000"),
        ("root at a host", Signature("root", "root@node-a1.cluster.local"), "+0000"),
        ("root at another host", Signature("root", "root@node-b2.cluster.local"), "+0000"),
        ("cloud default user", Signature("ubuntu", "ubuntu@ip-10-3-7-21.internal"), "+0000"),
        ("zone far east", Signature("Addressless Hand", ""), "+1400"),
        ("zone that is nonsense", Signature("", "nameless@brackenmoor.example"), "+5130"),
    )
    for number, (case, who, zone) in enumerate(odd):
        when = datetime(2025, 5, 6, 8, 0, tzinfo=UTC) + timedelta(days=number)
        subject, key = f"Fix typo in overview, take {number}" + " (#{pull})", f"{repo}/{case}"
        yield Planned(when, who, subject, (page,), case=case, key=key, zone=zone)


def milestones(repo: str) -> Iterator[Planned]:
    """What people will ask for by name."""
    if repo == "sglang":
        radix = name_on(repo, "python/sglang/srt/mem_cache/radix_cache.py", date(2024, 1, 8))
        yield by(
            "tavish-quillonby",
            date(2024, 1, 8),
            "Introduce radix cache for prefix sharing (#{pull})",
            Touch(radix, ("RadixCache",)),
            case="who introduced it",
            hour=20,
            theme="prefix-caching",
        )
        return
    code = name_on(repo, "vllm/v1/core/sched/scheduler.py", date(2024, 2, 6))
    cache = name_on(repo, "vllm/v1/core/kv_cache_manager.py", date(2023, 11, 7))
    yield by(
        "perpetua-langrove",
        date(2023, 11, 7),
        "[Core] Introduce automatic prefix caching (#{pull})",
        Touch(cache, ("KVCacheManager",)),
        case="who introduced it",
        theme="prefix-caching",
    )
    yield by(
        "hollis-greymantle",
        date(2024, 2, 6),
        "[Core] Introduce chunked prefill (#{pull})",
        Touch(code, ("Scheduler",)),
        case="who introduced it",
        theme="scheduling",
    )
    yield by(
        "leopold-vanterholm",
        date(2025, 2, 25),
        "[Bugfix] Fix OOM in CUDA graph capture (#{pull})",
        Touch("vllm/compilation/cuda_graph.py"),
        case="OOM fixed in 2025",
        theme="torch-compile",
    )
    yield by(
        "beckett-thornsley",
        date(2025, 2, 12),
        "[Multimodal] Cache video frames between requests (#12345)",
        Touch("vllm/multimodal/video.py"),
        case="pull request 12345",
        theme="multimodal",
    )


def oddities(repo: str) -> list[Planned]:
    """All of them, in no order."""
    makers = (moves, tables, layout, files, words, headers, milestones)
    return [plan for make in makers for plan in make(repo)]
