"""What humans decided about records and people, as an append-only file: nothing is overwritten.

Each line is one decision; of several about the same pair the last one holds, and undoing is a
decision too. They are kept outside the snapshot and applied whenever one is built.
"""

import hashlib
import json
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from sourcer.errors import BadInput

FILE = "decisions.jsonl"


class Verdict(StrEnum):
    ACCEPT = "accept"
    REJECT = "reject"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Pair:
    """A record, by source and key, and a person."""

    source: str
    key: str
    person_id: str

    @property
    def id(self) -> str:
        """Short enough to be typed; the same at every ingest.

        >>> Pair("linkedin", "x", "p1").id
        'ec6ea1cc7a'
        """
        text = "\0".join((self.source, self.key, self.person_id))
        return hashlib.sha256(text.encode()).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class Decision:
    at: datetime
    verdict: Verdict
    pair: Pair
    by: str = ""


@dataclass(frozen=True, slots=True)
class Decided:
    """The decisions that hold now."""

    accepted: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(source, key) -> person id"""
    rejected: frozenset[Pair] = frozenset()


def decide(folder: Path, verdict: Verdict, pair: Pair, by: str = "") -> Decision:
    """Records a decision; what it changes shows after the next ingest. It lasts a power cut."""
    decision = Decision(datetime.now(UTC), verdict, pair, by)
    row = {
        "at": decision.at.isoformat(timespec="seconds"),
        "verdict": str(verdict),
        "source": pair.source,
        "key": pair.key,
        "person": pair.person_id,
        "by": by,
    }
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / FILE).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    return decision


def history(folder: Path) -> list[Decision]:
    """Every decision ever made, oldest first."""
    file = folder / FILE
    written = file.read_text("utf-8").splitlines() if file.exists() else []
    return [_decision(file, number, line) for number, line in enumerate(written, start=1)]


def _decision(file: Path, number: int, line: str) -> Decision:
    try:
        row = json.loads(line)
        pair = Pair(row["source"], row["key"], row["person"])
        return Decision(
            datetime.fromisoformat(row["at"]), Verdict(row["verdict"]), pair, row.get("by", "")
        )
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{file}, line {number} is no decision: {error!r}. Mend it") from error


def decided(folder: Path, redirects: Mapping[str, str] | None = None) -> Decided:
    """The decisions that hold, about people as they are called now."""
    moved = redirects or {}
    last: dict[Pair, Verdict] = {}
    for each in history(folder):
        person = moved.get(each.pair.person_id, each.pair.person_id)
        pair = Pair(each.pair.source, each.pair.key, person)
        last.pop(pair, None)
        last[pair] = each.verdict
    return Decided(
        {(p.source, p.key): p.person_id for p, said in last.items() if said is Verdict.ACCEPT},
        frozenset(pair for pair, said in last.items() if said is Verdict.REJECT),
    )


def forget(folder: Path, records: Collection[tuple[str, str]]) -> None:
    """Drops every decision about rows, by source and key, that are not kept any more."""
    file = folder / FILE
    if not records or not file.exists():
        return
    lines = zip(file.read_text("utf-8").splitlines(), history(folder), strict=True)
    left = [line for line, each in lines if (each.pair.source, each.pair.key) not in records]
    draft = file.with_name(f".{FILE}-{os.getpid()}")
    draft.write_text("".join(f"{line}\n" for line in left), "utf-8")
    draft.replace(file)


def found(folder: Path, id_: str) -> Pair | None:
    """The pair that a decision was made about."""
    return next((each.pair for each in history(folder) if each.pair.id == id_), None)
