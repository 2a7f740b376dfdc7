"""How well name and company find people among strangers who bear such names."""

import random
from collections import Counter
from dataclasses import dataclass

import pytest

from ingest import names
from tests.linking_world import World

FIRST = (
    *("Alba", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Greta"),
    *("Hugo", "Irene", "Jonas", "Katya", "Lucian", "Marek", "Nadia"),
)
ENDS = ("berg", "dale", "field", "gard", "hurst", "man", "quist", "son")
STARTS = (
    *("Ald", "Bern", "Cald", "Dorn", "Eld", "Fern", "Gold"),
    *("Hart", "Iver", "Kest", "Lund", "Mor", "Nest", "Orl"),
)
LAST = [start + end for start in STARTS for end in ENDS]
EMPLOYERS = {
    "NVIDIA": "nvidia.com",
    "Google": "google.com",
    "Red Hat": "redhat.com",
    "Meta": "meta.com",
    "AMD": "amd.com",
    "Intel": "intel.com",
    "ByteDance": "bytedance.com",
    "Anyscale": "anyscale.com",
    "Hexworth Systems": "hexworth.dev",
    "Larkspur Compute": "larkspur.io",
}
WRITTEN = {"NVIDIA": "NVIDIA Corporation", "Meta": "Facebook", "Red Hat": "@RedHatOfficial"}


@dataclass
class Crowd:
    """500 contributors with a LinkedIn row each, and 5,000 rows of strangers of such names."""

    world: World
    right: dict[str, str]


def crowd(seed: int, apart: bool) -> Crowd:
    """`apart`: no stranger shares name and company with a contributor."""
    dice = random.Random(seed)
    every = [f"{first} {last}" for first in FIRST for last in LAST]
    dice.shuffle(every)
    world, right = World(), {}
    held: dict[str, set[str]] = {}
    for number, name in enumerate(every[:500]):
        firm = dice.choice(list(EMPLOYERS))
        world.person(f"p{number}", name, domain=EMPLOYERS[firm])
        held.setdefault(name, set()).add(firm)
        first, last = name.split()
        spelled = dice.choice([name, name, name.upper(), f"{last}, {first}", name.lower()])
        world.row(f"own-{number}", name=spelled, company=WRITTEN.get(firm, firm))
        right[f"own-{number}"] = f"p{number}"
    for number in range(5000):
        more = dice.choice(["", "er", "ov", "ski", "a"])
        name = f"{dice.choice(FIRST)} {dice.choice(LAST)}{more}"
        taken = held.get(name, set()) if apart else set()
        firms = sorted({*EMPLOYERS, "SAP", "Oracle", "Acme", "Initech"} - taken)
        world.row(f"stranger-{number}", name=name, company=dice.choice(firms))
    return Crowd(world, right)


@pytest.mark.parametrize(("apart", "least"), [(True, 495), (False, 470)])
def test_name_and_company_find_nearly_all_and_nobody_else(apart: bool, least: int) -> None:
    """Namesakes at one company are found out by there being two rows for one person."""
    made = crowd(20260601, apart)
    found = {each.record.key: each.person_id for each in made.world.link().links}
    wrong = {key for key, who in found.items() if made.right.get(key) != who}
    assert wrong == set()
    assert len(found) >= least


def test_names_alone_would_have_linked_strangers() -> None:
    made = crowd(20260601, apart=True)
    called = Counter(each.names[0].order_free for each in made.world.people.values())
    strangers = [
        row
        for row in made.world.rows
        if row.key not in made.right and called[names.read(row.fields["name"]).order_free] == 1
    ]
    assert len(strangers) > 100
