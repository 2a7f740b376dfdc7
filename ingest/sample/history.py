"""Every commit of a repository, in order and numbered: written by one, counted by another."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time
from functools import cache

from ingest.sample.crowd import everyone
from ingest.sample.dice import roll
from ingest.sample.joins import joins, reverts
from ingest.sample.oddities import oddities
from ingest.sample.ordinary import BEGINS, ordinary
from ingest.sample.planned import Planned, Put
from ingest.sample.robots import dependabot, robots
from ingest.sample.standing import by, standing
from ingest.sample.trailers import trailers

NUMBER = re.compile(r"\(#(\d+)\)")
COMMITS = {"vllm": 1800, "sglang": 1200}
NEWEST_PULL = {"vllm": 45700, "sglang": 31600}
ENDS = date(2026, 6, 15)
TAGS = {
    "vllm": {"v0.2.0": date(2023, 9, 28), "v0.6.0": date(2024, 9, 4), "v0.9.0": date(2025, 5, 15)},
    "sglang": {"v0.3.0": date(2024, 9, 3), "v0.5.0": date(2025, 8, 20)},
}


@cache
def history(repo: str) -> tuple[Planned, ...]:
    """All commits, oldest first, side branches before their merges.

    >>> len(history("vllm")) + len(history("sglang"))
    3000
    """
    plans = [*ordinary(repo), *standing(repo), *robots(repo), *oddities(repo), *trailers(repo)]
    plans += [*joins(repo), *_mailmap(repo)]
    first = numbered(repo, plans)
    back = reverts(repo, first)
    bumps = dependabot(repo, COMMITS[repo] - len(plans) - len(back))
    return tuple(numbered(repo, [*first, *back, *bumps]))


def numbered(repo: str, plans: Iterable[Planned]) -> list[Planned]:
    """In order of time, with pull-request numbers where `{pull}` stands.

    >>> numbered("vllm", [])
    []
    """
    plans = list(plans)
    taken = {int(number) for plan in plans for number in NUMBER.findall(plan.subject)}
    done = []
    for plan in sorted(plans, key=lambda plan: (plan.when, plan.key)):
        if "{pull}" in plan.subject:
            number = _pull(repo, plan)
            while number in taken:
                number += 1
            plan = replace(plan, subject=plan.subject.replace("{pull}", str(number)))
            taken.add(number)
        done.append(plan)
    return done


def _pull(repo: str, plan: Planned) -> int:
    """Numbers grow ever faster, as the projects did; each commit has a slot of its own."""
    whole = (ENDS - BEGINS[repo]).total_seconds()
    gone = (plan.when - datetime.combine(BEGINS[repo], time(), UTC)).total_seconds()
    gone = max(gone, 0.0)
    return 3 + int((gone / whole) ** 2 * NEWEST_PULL[repo]) // 2 * 2 + roll(2, plan.key)


def _mailmap(repo: str) -> Iterable[Planned]:
    lines = [
        f"{who.name} <{who.signature(date(2025, 6, 3), 0).email}> <{each.email}>"
        for who in everyone()
        if who.mailmap and repo in who.work
        for each in who.also
    ]
    if lines:
        content = Put(".mailmap", ("\n".join(lines) + "\n").encode())
        subject = "[Misc] Add a mailmap (#{pull})"
        yield by("rosalka-wintersmith", date(2025, 6, 3), subject, content, case="mailmap")


def tags(repo: str) -> dict[str, str]:
    """Each tag and the key of the commit that it names."""
    main = [plan for plan in history(repo) if plan.onto is None]
    return {
        name: [plan.key for plan in main if plan.when.date() <= day][-1]
        for name, day in TAGS[repo].items()
    }
