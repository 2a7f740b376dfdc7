"""Makes judged questions from CODEOWNERS: the words of its paths ask, their owners answer.

    python tests/bench/judged_from_owners.py data/mirrors/acme+engine engine > local/engine.jsonl

Keep the output out of the repository: it names people. No ranking may read CODEOWNERS when it is
evaluated with such a file.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from index.owner_questions import MOST_OWNERS, telling

PLACES = ("CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS")


def main(mirror: Path, short: str) -> None:
    for number, (words, owners) in enumerate(sorted(questions(codeowners(mirror), short).items())):
        row = {"qid": f"{short}-path{number:03}", "repo": short, "query": words}
        print(json.dumps({**row, "relevant": sorted(owners)}))


def codeowners(mirror: Path) -> str:
    """The file as it is at the head, from the first of the places where GitHub looks."""
    for place in PLACES:
        shown = subprocess.run(
            ["git", "--git-dir", str(mirror), "show", f"HEAD:{place}"],
            capture_output=True,
            text=True,
            check=False,
        )
        if shown.returncode == 0:
            return shown.stdout
    raise SystemExit(f"{mirror} has no CODEOWNERS at its head")


def questions(text: str, short: str) -> dict[str, set[str]]:
    """Words of a path -> logins. Paths with the same words are one question."""
    found: dict[str, set[str]] = {}
    for path, owners in owned(text):
        words = " ".join(telling(path, short))
        if words and 0 < len(owners) <= MOST_OWNERS:
            found.setdefault(words, set()).update(owners)
    return found


def owned(text: str) -> Iterator[tuple[str, list[str]]]:
    for line in text.splitlines():
        path, *owners = line.partition("#")[0].split() or [""]
        logins = [owner[1:] for owner in owners if owner.startswith("@") and "/" not in owner]
        if path and path != "*":
            yield path, logins


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
