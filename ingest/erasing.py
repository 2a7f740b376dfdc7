"""Taking people who were erased out of what was fetched and imported.

A commit stays, as it is the project's; who signed it is nobody any more. That keeps the crawl
whole, so nothing is read again, and what comes later is compared with the hashes that are left.
Every file is replaced in one rename, and doing all of it again changes nothing.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest import soundness
from ingest.batches import ROWS, files, read_state
from ingest.forgotten import is_forgotten
from ingest.profiles import decisions, records
from ingest.profiles.from_github import commit_accounts
from ingest.profiles.from_github.crawled import renamed
from ingest.profiles.records import Record
from sourcer.blotting import Blotter
from sourcer.store.history import signature_key
from sourcer.workspace.identifiers import email, login, signature
from sourcer.workspace.suppressions import Suppressed

MARK = "erased.json"
"""Beside a crawl: of whom its batches hold nothing any more, and which batches those are."""
Pair: TypeAlias = tuple[str, str]
"""A name and an email."""


@dataclass(frozen=True, slots=True)
class Erased:
    """Whom to take out: known again by hashes and, until all of it is done, by words."""

    hashes: Suppressed
    words: frozenset[str] = frozenset()

    @property
    def mark(self) -> str:
        return sha256(repr(sorted(self.hashes.digests)).encode()).hexdigest()[:16]

    def signed(self, pairs: Iterable[Pair]) -> set[Pair]:
        """Those signatures that are theirs."""
        return {pair for pair in pairs if self._is_theirs(*pair)}

    def _is_theirs(self, name: str, address: str) -> bool:
        known_by = (signature(signature_key(name, address, self.hashes.salt)), email(address))
        return self.hashes.matches(known_by)

    def has_login(self, name: str | None) -> bool:
        return name is not None and self.hashes.matches([login(name)])


def purge(data: Path, erased: Erased) -> None:
    """Takes them out of all crawls and profiles of a data directory."""
    if not erased.hashes.digests:
        return
    for folder in sorted((data / "crawl").glob("*/")):
        purge_crawl(folder, erased)
        _purge_accounts(folder / commit_accounts.FILE, erased)
        for file in sorted(folder.glob("reviews-*.parquet")):
            _purge_reviews(file, erased)
    purge_profiles(data / "profiles", erased)


def purge_crawl(folder: Path, erased: Erased) -> int:
    """Blanks their signatures in the batches that may have some; says how many batches had."""
    state = read_state(folder)
    if state is None:
        return 0
    done = _done(folder, erased)
    own = files(folder, state)
    batches = [
        pair for pair in zip(own.commits, own.roles, strict=True) if pair[0].name not in done
    ]
    changed = sum(_purge_batch(*batch, erased) for batch in batches)
    if batches or erased.words:
        told = {"of": erased.mark, "batches": [path.name for path in own.commits]}
        with renamed(folder / MARK) as draft:
            draft.write_text(json.dumps(told), "utf-8")
    return changed


def purge_profiles(folder: Path, erased: Erased) -> int:
    """Drops their rows, and what was decided about them; says how many rows."""
    names = {word.casefold() for word in erased.words if " " in word}
    gone: set[Pair] = set()
    count = 0
    for file in sorted(folder.glob("*.parquet")):
        held = records.read(file)
        theirs = [one for one in held if _is_about(one, erased, names)]
        if theirs:
            gone |= {(one.source, one.key) for one in theirs}
            count += len(theirs)
            records.save((one for one in held if one not in theirs), folder, file.stem,
                         records.about(file))  # fmt: skip
    decisions.forget(folder, gone)
    return count


def _is_about(record: Record, erased: Erased, names: set[str]) -> bool:
    """A row with their name and nothing that shows it to be a namesake's is taken for theirs."""
    if is_forgotten(record, erased.hashes):
        return True
    is_bare = record.login is None and not record.email_keys
    return is_bare and record.fields.get("name", "").casefold() in names


def _done(folder: Path, erased: Erased) -> frozenset[str]:
    """Batches that hold nothing of any of them."""
    try:
        told = json.loads((folder / MARK).read_text("utf-8"))
    except (OSError, ValueError):
        return frozenset()
    is_same = told.get("of") == erased.mark and not erased.words
    return frozenset(told["batches"]) if is_same else frozenset()


def _purge_batch(commits_file: Path, roles_file: Path, erased: Erased) -> bool:
    commits, roles = pq.read_table(commits_file), pq.read_table(roles_file)
    pairs = (("author_name", "author_email"), ("committer_name", "committer_email"))
    signed = erased.signed(
        set().union(_pairs(roles, "name", "email"), *(_pairs(commits, *each) for each in pairs))
    )
    blotter = Blotter.of((*erased.words, *(part for pair in signed for part in pair if part)))
    left = _without_words(commits, blotter)
    for each in pairs:
        left = _blanked(left, *each, signed)
    kept = roles.filter(pc.invert(_among(roles, "name", "email", signed)))
    if left.equals(commits) and kept.num_rows == roles.num_rows:
        return False
    soundness.expect_change(commits_file, roles_file)
    _write(commits_file, left)
    _write(roles_file, kept)
    return True


def _pairs(table: pa.Table, name: str, address: str) -> set[Pair]:
    rows = table.select([name, address]).group_by([name, address]).aggregate([])
    return set(zip(rows[name].to_pylist(), rows[address].to_pylist(), strict=True))


def _among(table: pa.Table, name: str, address: str, signed: set[Pair]) -> pa.Array:
    """Which rows are signed by one of these."""
    keys = pc.binary_join_element_wise(table[name], table[address], "\0")
    return pc.is_in(keys, value_set=pa.array(["\0".join(pair) for pair in signed], pa.string()))


def _blanked(table: pa.Table, name: str, address: str, signed: set[Pair]) -> pa.Table:
    theirs = _among(table, name, address, signed)
    for column in (name, address):
        blank = pc.if_else(theirs, "", table[column])
        table = table.set_column(table.schema.get_field_index(column), column, blank)
    return table


def _without_words(commits: pa.Table, blotter: Blotter) -> pa.Table:
    for column, blotted in (("subject", blotter.text), ("body", blotter.lines)):
        texts = [
            blotted(text) if blotter.finds(text) else text for text in commits[column].to_pylist()
        ]
        at = commits.schema.get_field_index(column)
        commits = commits.set_column(at, column, pa.array(texts, pa.string()))
    return commits


def _purge_accounts(file: Path, erased: Erased) -> None:
    """A row stays, as of nobody: a commit without one is asked for again."""
    if not file.exists():
        return
    rows = pq.read_table(file, schema=commit_accounts.SCHEMA).to_pylist()
    theirs = [row for row in rows if erased.has_login(row["login"])]
    if theirs:
        for row in theirs:
            row |= {"name": None, "login": None, "github_id": None}
        _write(file, pa.Table.from_pylist(rows, schema=commit_accounts.SCHEMA))


def _purge_reviews(file: Path, erased: Erased) -> None:
    rows = pq.read_table(file)
    theirs = pa.array([erased.has_login(one) for one in rows["login"].to_pylist()], pa.bool_())
    if pc.any(theirs).as_py():
        _write(file, rows.filter(pc.invert(theirs)))


def _write(file: Path, table: pa.Table) -> None:
    with renamed(file) as draft:
        pq.write_table(table, draft, compression="zstd", row_group_size=ROWS)
