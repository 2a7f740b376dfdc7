"""Trailers of every kind that real messages hold, well-formed or not."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from ingest.sample.cast import noreply
from ingest.sample.ordinary import trailer
from ingest.sample.planned import Planned, Touch
from ingest.sample.robots import BOTS
from ingest.sample.standing import by, person
from sourcer.commits import Signature

SQUASHED = """* first try

Signed-off-by: Hollis Greymantle <hollis.greymantle@modal.com>

* address review

---------
"""


def trailers(repo: str) -> Iterator[Planned]:
    """One small commit by a generalist for each case, the trailers at its end."""
    slug = {"vllm": "ilmar-osterhagen", "sglang": "tavish-quillonby"}[repo]
    page = Touch("tests/conftest.py", ("pytest_configure",))
    for number, (case, lines) in enumerate(_cases(repo).items()):
        day = date(2025, 9, 1) + timedelta(days=number)
        plan = by(slug, day, f"[Test] Tidy fixtures, part {number}" + " (#{pull})", page, case=case)
        body = SQUASHED.strip() if case == "trailers between squashed messages" else ""
        yield replace(plan, trailers=lines, body=body)


def _cases(repo: str) -> dict[str, tuple[str, ...]]:
    slug = {"vllm": "ilmar-osterhagen", "sglang": "tavish-quillonby"}[repo]
    myself = person(slug)
    lora, eldon, liza = map(person, ("srinidhi-velankoor", "eldon-kurtzmere", "liza-martinek"))
    friend = {"vllm": "rosalka-wintersmith", "sglang": "mireille-vauquelon"}[repo]
    other = person(friend).signature(date(2025, 9, 1), 0)
    hostile = person("script-alert")
    return {
        "trailer in capitals": (trailer("CO-AUTHORED-BY", other),),
        "trailer in small letters": (trailer("signed-off-by", other),),
        "trailer with odd spaces": (f"Co-authored-by :  {other.name}   <{other.email}>  ",),
        "malformed trailer: no email": ("Co-authored-by: Nobody In Particular",),
        "malformed trailer: bracket missing": (f"Co-authored-by: {other.name} <{other.email}",),
        "malformed trailer: empty": ("Signed-off-by:",),
        "trailer without a name": (f"Signed-off-by: <{other.email}>",),
        "author is also co-author": (
            trailer("Co-authored-by", Signature(myself.name, myself.noreply)),
        ),
        "one name with another's email": (
            trailer("Co-authored-by", Signature(eldon.name, liza.noreply)),
        ),
        "made-up numeric id": (
            trailer("Co-authored-by", Signature(lora.name, noreply(12345, lora.login))),
        ),
        "markup as a name": (trailer("Signed-off-by", Signature(hostile.name, hostile.noreply)),),
        "several co-authors": (
            trailer("Co-authored-by", other),
            trailer("Co-authored-by", myself.signature(date(2025, 9, 1), 0)),
            "Co-authored-by: Claude <noreply@anthropic.com>",
            trailer("Co-authored-by", BOTS["github-actions"]),
        ),
        "trailers between squashed messages": (trailer("Co-authored-by", other),),
        "AI agent in its own words": (
            "Co-Authored-By: Claude Opus 4.6 (1M context) <noreply@anthropic.com>",
        ),
    }
