"""Commits with more than one parent, and commits that take others back."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from ingest.sample.dice import chance
from ingest.sample.planned import Planned, Restate, Touch
from ingest.sample.standing import by, person

BASE = "script/Add run script"
"""Key of the commit that side branches leave from."""


def joins(repo: str) -> Iterator[Planned]:
    """Three merges, an octopus, and in SGLang a merge of a history with a root of its own.

    Who merges wrote nothing: the branches are by people who work on MoE, the merges are not.
    """
    merger = {"vllm": "wendel-ashgrovex", "sglang": "tavish-quillonby"}[repo]
    for number in range(3):
        day = date(2025, 4, 21) + timedelta(days=90 * number)
        yield from _merged(repo, day, [f"moe-branch-{number}"], merger, "merge commit")
    arms = ["moe-octopus-a", "moe-octopus-b", "moe-octopus-c"]
    yield from _merged(repo, date(2025, 11, 3), arms, merger, "octopus merge")
    if repo == "sglang":
        yield from _merged(
            repo, date(2025, 1, 14), ["kernel-archive"], merger, "merge of a second root"
        )


def _merged(repo: str, day: date, branches: list[str], merger: str, case: str) -> Iterator[Planned]:
    author = {"vllm": "arvida-kestrelin", "sglang": "ximena-calderwood"}[repo]
    arms = []
    for number, branch in enumerate(branches):
        path = (
            f"{'csrc' if repo == 'vllm' else 'sgl-kernel/csrc'}/moe/{branch.replace('-', '_')}.cu"
        )
        touch = Touch(path, ("grouped_topk", "permute_tokens"))
        subject = f"Sort tokens by expert before the grouped GEMM, on {branch}"
        plan = by(
            author, day, subject, touch, case=f"{case}: arm", hour=9 + number, theme="moe-kernels"
        )
        arms.append((replace(plan, onto="" if case == "merge of a second root" else BASE), path))
        yield arms[-1][0]
    quoted = ", ".join(f"'{branch}'" for branch in branches)
    subject = f"Merge {'branch' if len(branches) == 1 else 'branches'} {quoted}"
    plan = by(
        merger, day + timedelta(days=1), subject, *(Restate(path) for _, path in arms), case=case
    )
    yield replace(plan, merges=tuple(arm.key for arm, _ in arms), committer=plan.author)


def reverts(repo: str, numbered: Sequence[Planned]) -> list[Planned]:
    """Some ordinary commits are taken back two days later; one of these is put in again.

    `numbered` are commits whose subjects hold their pull-request numbers already.
    """
    slug = {"vllm": "ilmar-osterhagen", "sglang": "tavish-quillonby"}[repo]
    young = [plan for plan in numbered if plan.theme and plan.when.year >= 2025 and not plan.case]
    chosen = [plan for plan in young if chance(1, "revert", plan.key)][:9]
    bodies = (
        "This reverts commit {sha:%s}.",
        "Breaks nightly.\n\nThis reverts commit {sha7:%s}.",
        "",
    )
    cases = ("revert with full sha", "revert with short sha", "revert without sha")
    undone = [
        _revert(slug, plan, bodies[n % 3 if n < 3 else 0], cases[n % 3 if n < 3 else 0])
        for n, plan in enumerate(chosen)
    ]
    again = _revert(slug, undone[0], bodies[0], "revert of a revert")
    subject = f'Reapply "{chosen[0].subject}"' + " (#{pull})"
    return [*undone, replace(again, subject=subject)]


def _revert(slug: str, plan: Planned, body: str, case: str) -> Planned:
    subject = f'Revert "{plan.subject}"' + " (#{pull})"
    day = plan.when.date() + timedelta(days=2)
    who, said = person(slug), body % plan.key if body else ""
    when = plan.when + timedelta(days=2)
    return Planned(
        when=when,
        author=who.signature(day, 0),
        subject=subject,
        body=said,
        people=(slug,),
        case=case,
        key=f"revert/{plan.key}",
        undoes=plan.key,
    )
