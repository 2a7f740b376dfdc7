"""How long 100,000 rows take, from a file to links with the people of a snapshot.

python tests/bench/bench_imports.py [DATA] [--rows 100000] [--json]   without DATA: the sample

--json keeps the figures in tests/bench/runs. Processor time is told beside the time that passed:
on a machine that others use too, only the former can be compared.
"""

import argparse
import csv
import json
import os
import platform
import random
import resource
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time

from on_sample import data_directory

from ingest.profiles import linking
from ingest.profiles.importing import import_file
from sourcer import snapshot
from sourcer.store import open_readonly, profiles
from sourcer.store.database import Database

HEADER = ("Candidate ID", "Full Name", "Email", "Company", "Title", "Location", "GitHub", "Updated")
RUNS = Path(__file__).parent / "runs"
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
    asked.add_argument("--json", action="store_true", help="keep the figures in tests/bench/runs")
    told = asked.parse_args()
    load = round(os.getloadavg()[0], 2)
    with data_directory(told.data) as data:
        figures = _run(open_readonly(snapshot.current(data).database), told.rows)
    print(json.dumps(figures, indent=1))
    if told.json:
        _keep(figures, load)


def _run(db: Database, rows: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as place:
        file, into = Path(place) / "rows.csv", Path(place) / "profiles"
        write(file, db, rows)
        began, cpu = perf_counter(), process_time()
        done = import_file(file, into, b"salt")
        imported, cpu_imported = perf_counter(), process_time()
        found = linking.of(db, into, b"salt")
        ended, cpu_ended = perf_counter(), process_time()
    return {
        "rows": done.records,
        "people": len(profiles.signature_keys(db)),
        "import_seconds": round(imported - began, 2),
        "import_cpu": round(cpu_imported - cpu, 2),
        "link_seconds": round(ended - imported, 2),
        "link_cpu": round(cpu_ended - cpu_imported, 2),
        "linked": len(found.links),
        "suggested": len(found.suggestions),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _keep(figures: dict[str, float], load: float) -> None:
    at = datetime.now(UTC)
    machine = {
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "load_before": load,
        "python": platform.python_version(),
    }
    told = {"what": "imports", "at": f"{at:%Y-%m-%dT%H:%M:%SZ}", "machine": machine, **figures}
    (RUNS / f"{at:%Y-%m-%dT%H%M%SZ}-imports.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
