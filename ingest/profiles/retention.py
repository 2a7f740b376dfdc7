"""Profiles that were kept for as long as they may be are dropped from the files."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from ingest.profiles import records
from ingest.profiles.links import STATEMENTS, suppressed
from ingest.profiles.records import Record
from sourcer.retention import Retention


def expire(folder: Path, retention: Retention, now: datetime) -> dict[str, int]:
    """Drops what is too old, each file in one rename; how many records of each source went."""
    dropped: Counter[str] = Counter()
    for file in sorted(folder.glob("*.parquet")):
        held = records.read(file)
        kept = list(_kept(held, retention, now))
        if kept != held:
            dropped.update(record.source for record in held)
            dropped.subtract(record.source for record in kept)
            records.save(kept, folder, file.stem, records.about(file))
    return {source: count for source, count in dropped.items() if count}


def _kept(held: Iterable[Record], retention: Retention, now: datetime) -> Iterable[Record]:
    """A wish to be left alone outlives what was said beside it."""
    for record in held:
        if not _is_old(record, retention, now):
            yield record
        elif suppressed(record):
            yield replace(record, fields=_statements(record.fields))


def _statements(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in fields.items() if name in STATEMENTS}


def _is_old(record: Record, retention: Retention, now: datetime) -> bool:
    oldest = retention.oldest(record.source, now)
    return oldest is not None and record.fetched_at < oldest
