"""Who asked what and was shown whom, written to the audit log a moment later, many at a time.

The same question asked again by the same user within that moment is one entry with its count. A
write is audited in its own transaction, never here: this holds reads only. What cannot be written
is kept and tried again.
"""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from threading import Event, Lock, Thread

from sourcer.workspace import Workspace, audit, tokens

log = logging.getLogger("api")
EVERY = 1.0
"""Seconds between writes: what a kill can lose of the log of reads."""


@dataclass(slots=True)
class _Seen:
    entry: audit.Entry
    times: int = 1


class Auditing:
    """Gathers entries and writes them from a thread of its own."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._waiting: dict[object, _Seen] = {}
        self._used: set[int] = set()
        self._lock = Lock()
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="auditing", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Writes what is left."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()
        self.flush()

    def note(self, actor: str, action: str, key: object, details: Mapping[str, object]) -> None:
        """`key` says what makes two entries of one actor the same."""
        with self._lock:
            seen = self._waiting.get((actor, action, key))
            if seen is None:
                self._waiting[actor, action, key] = _Seen(audit.Entry(actor, action, details))
            else:
                seen.times += 1

    def token_used(self, number: int) -> None:
        with self._lock:
            self._used.add(number)

    def flush(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, {}
            used, self._used = self._used, set()
        try:
            self._write([_counted(seen) for seen in waiting.values()], used)
        except Exception:
            self._take_back(waiting, used)
            raise

    def _write(self, entries: Sequence[audit.Entry], used: Collection[int]) -> None:
        if entries or used:
            with self._workspace.writing() as session:
                audit.append(session, *entries)
                tokens.used(session, used)

    def _take_back(self, waiting: Mapping[object, _Seen], used: Collection[int]) -> None:
        with self._lock:
            newer, self._waiting = self._waiting, dict(waiting)
            for key, seen in newer.items():
                if (before := self._waiting.setdefault(key, seen)) is not seen:
                    before.times += seen.times
            self._used |= set(used)

    def _run(self) -> None:
        while not self._stopped.wait(EVERY):
            try:
                self.flush()
            except Exception as error:  # noqa: BLE001 - whatever it was, reads go on being noted
                log.error("reads wait to be logged: %s", type(error).__name__)


def _counted(seen: _Seen) -> audit.Entry:
    if seen.times == 1:
        return seen.entry
    details = {**seen.entry.details, "times": seen.times}
    return audit.Entry(seen.entry.actor, seen.entry.action, details)
