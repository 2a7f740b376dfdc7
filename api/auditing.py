"""Who asked what and was shown whom, written to the audit log a moment later, many at a time.

The same question asked again by the same user within that moment is one entry with its count. A
write is audited in its own transaction, never here: this holds reads only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event, Lock, Thread

from sourcer.workspace import Workspace, audit, tokens

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
        entries = [_counted(seen) for seen in waiting.values()]
        if entries or used:
            with self._workspace.writing() as session:
                audit.append(session, *entries)
                tokens.used(session, used)

    def _run(self) -> None:
        while not self._stopped.wait(EVERY):
            self.flush()


def _counted(seen: _Seen) -> audit.Entry:
    if seen.times == 1:
        return seen.entry
    details = {**seen.entry.details, "times": seen.times}
    return audit.Entry(seen.entry.actor, seen.entry.action, details)
