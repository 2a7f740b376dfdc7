"""How long 100,000 rows take, from a file to links with the people of a snapshot.

python tests/bench/bench_imports.py [DATA] [--rows 100000]     without DATA, the sample's people
"""

import argparse
import csv
import random
import resource
import tempfile
from pathlib import Path
from time import perf_counter

from on_sample import data_directory

from ingest.profiles import linking
from ingest.profiles.importing import import_file
from sourcer import snapshot
from sourcer.store import open_readonly, profiles
from sourcer.store.database import Database

HEADER = ("Candidate ID", "Full Name", "Email", "Company", "Title", "Location", "GitHub", "Updated")
COMPANIES = ("NVIDIA", "Google", "Red Hat", "Acme Widgets", "Intel", "UC Berkeley", "Umbrella")


def write(file: Path, db: Database, rows: int) -> None:
    """Every tenth row bears a name of the history; the others are made up."""
    dice = random.Random(7)
    known = [name for _, name in profiles.names(db)]
    with file.open("w", newline="") as stream:
        out = csv.writer(stream)
        out.writerow(HEADER)
        for number in range(rows):
            made_up = f"Person{number % 977} Ofnowhere{number % 7919}"
            name = dice.choice(known) if number % 10 == 0 and known else made_up
            login = f"login{number}" if number % 4 == 0 else ""
            email = f"row{number}@mail{number % 50}.dev"
            firm = dice.choice(COMPANIES)
            out.writerow((number, name, email, firm, "Engineer", "Austin", login, "2026-01-15"))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("data", nargs="?", type=Path)
    asked.add_argument("--rows", type=int, default=100_000)
    told = asked.parse_args()
    with data_directory(told.data) as data:
        _run(open_readonly(snapshot.current(data).database), told.rows)


def _run(db: Database, rows: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        file, into = Path(place) / "rows.csv", Path(place) / "profiles"
        write(file, db, rows)
        began = perf_counter()
        done = import_file(file, into, b"salt")
        imported = perf_counter()
        found = linking.of(db, into, b"salt")
        ended = perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{done.records:,} rows: import {imported - began:.1f} s, link {ended - imported:.1f} s")
    print(f"{len(found.links):,} linked, {len(found.suggestions):,} suggested; peak {peak} MB")


if __name__ == "__main__":
    main()
