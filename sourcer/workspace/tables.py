"""The workspace's tables, the same on SQLite and PostgreSQL.

Changing one needs a migration: a test compares these with what the migrations make.
"""

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.schema import SchemaItem

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Moment(TypeDecorator[datetime]):
    """A moment in UTC; SQLite forgets the zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None or value.tzinfo is not None:
            return None if value is None else value.astimezone(UTC)
        return value.replace(tzinfo=UTC)


def _text(name: str, *, primary_key: bool = False) -> Column[str]:
    return Column(name, Text, nullable=False, primary_key=primary_key)


def _maybe_text(name: str) -> Column[str | None]:
    return Column(name, Text, nullable=True)


def _moment(name: str) -> Column[datetime]:
    return Column(name, Moment, nullable=False)


def _maybe_moment(name: str) -> Column[datetime | None]:
    return Column(name, Moment, nullable=True)


def _json(name: str, *, nullable: bool = False) -> Column[object]:
    return Column(name, JSON(none_as_null=True), nullable=nullable)


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False)


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True)


def _of(name: str, other: str, *, part_of_key: bool = False) -> Column[object]:
    """A column that points at a row of another table."""
    key = ForeignKey(other, ondelete="CASCADE")
    return Column(name, key, nullable=False, primary_key=part_of_key)


def _lasting(name: str, *parts: SchemaItem) -> Table:
    """A table whose ids are never given twice, as a log or a link may still name a gone row."""
    return Table(name, metadata, *parts, sqlite_autoincrement=True)


users = Table(
    "users",
    metadata,
    _text("name", primary_key=True),
    _maybe_text("email"),
    _maybe_text("password"),
    Column("identity", Text, unique=True),
    _text("role"),
    _moment("created_at"),
    _maybe_moment("disabled_at"),
)
tokens = _lasting(
    "tokens",
    _id(),
    _of("user_name", "users.name"),
    _text("label"),
    Column("digest", Text, nullable=False, unique=True),
    _text("scope"),
    _moment("created_at"),
    _maybe_moment("expires_at"),
    _maybe_moment("last_used_at"),
    _maybe_moment("revoked_at"),
)
browser_sessions = Table(
    "browser_sessions",
    metadata,
    _text("digest", primary_key=True),
    _of("user_name", "users.name"),
    _moment("created_at"),
    _moment("last_seen_at"),
    _moment("expires_at"),
)
failed_logins = _lasting("failed_logins", _id(), _text("name"), _moment("at"))

saved_searches = Table(
    "saved_searches",
    metadata,
    _text("slug", primary_key=True),
    _text("name"),
    _text("note"),
    _json("query"),
    _text("owner"),
    _text("sharing"),
    _number("version"),
    _moment("created_at"),
    _moment("changed_at"),
    _maybe_moment("removed_at"),
)
saved_search_versions = Table(
    "saved_search_versions",
    metadata,
    _of("slug", "saved_searches.slug", part_of_key=True),
    Column("version", Integer, primary_key=True),
    _text("name"),
    _text("note"),
    _json("query"),
    _text("changed_by"),
    _moment("changed_at"),
)
shared_links = Table(
    "shared_links",
    metadata,
    _text("digest", primary_key=True),
    _of("slug", "saved_searches.slug"),
    _text("made_by"),
    _moment("made_at"),
    _maybe_moment("revoked_at"),
)

alert_checks = Table(
    "alert_checks",
    metadata,
    _of("slug", "saved_searches.slug", part_of_key=True),
    _moment("checked_at"),
    _text("snapshot"),
    _number("version"),
)
alert_matches = Table(
    "alert_matches",
    metadata,
    _of("slug", "saved_searches.slug", part_of_key=True),
    _text("added_as", primary_key=True),
    _text("person_id"),
)
alert_events = _lasting(
    "alert_events",
    _id(),
    _of("slug", "saved_searches.slug"),
    _text("added_as"),
    _text("person_id"),
    _moment("at"),
    _text("snapshot"),
    _json("why"),
    UniqueConstraint("slug", "added_as"),
)
alerts_seen = Table(
    "alerts_seen",
    metadata,
    _text("user_name", primary_key=True),
    _of("slug", "saved_searches.slug", part_of_key=True),
    _number("event_id"),
)
subscriptions = _lasting(
    "subscriptions",
    _id(),
    _of("slug", "saved_searches.slug"),
    _text("channel"),
    _text("target"),
    _text("nonce"),
    _text("owner"),
    _moment("created_at"),
    _maybe_moment("ended_at"),
)
deliveries = _lasting(
    "deliveries",
    _id(),
    _of("subscription_id", "subscriptions.id"),
    _json("events"),
    _text("state"),
    _number("attempts"),
    _moment("next_at"),
    _maybe_text("said"),
    _moment("created_at"),
    _maybe_moment("ended_at"),
    Index("ix_deliveries_state", "state", "next_at"),
)

shortlists = Table(
    "shortlists",
    metadata,
    _text("slug", primary_key=True),
    _text("name"),
    _text("about"),
    _text("owner"),
    _text("sharing"),
    _moment("created_at"),
    _maybe_moment("removed_at"),
)
entries = _lasting(
    "entries",
    _id(),
    _of("shortlist", "shortlists.slug"),
    _text("added_as"),
    Column("person_id", Text, nullable=False, index=True),
    _text("stage"),
    _text("reason"),
    _number("position"),
    _text("added_by"),
    _moment("added_at"),
    _moment("changed_at"),
    _maybe_moment("removed_at"),
    UniqueConstraint("shortlist", "added_as"),
)
notes = _lasting(
    "notes",
    _id(),
    _of("entry_id", "entries.id"),
    _text("author"),
    _text("text"),
    _moment("written_at"),
    _maybe_moment("removed_at"),
)
mentions = Table(
    "mentions",
    metadata,
    _of("note_id", "notes.id", part_of_key=True),
    _text("user_name", primary_key=True),
    _maybe_moment("seen_at"),
)
changes = _lasting(
    "changes",
    _id(),
    _of("shortlist", "shortlists.slug"),
    _moment("at"),
    _text("changed_by"),
    _text("kind"),
    _json("before"),
    _json("after"),
    Column("undoes", Integer, unique=True),
)

decisions = _lasting(
    "decisions",
    _id(),
    _text("kind"),
    _json("pairs"),
    _json("people"),
    _text("reason"),
    _text("author"),
    _moment("at"),
    _maybe_moment("undone_at"),
    _maybe_text("undone_by"),
)

suppressions = _lasting(
    "suppressions",
    _id(),
    _text("kind"),
    _text("digest"),
    _text("channel"),
    _moment("at"),
    _maybe_moment("lifted_at"),
    UniqueConstraint("kind", "digest"),
)
erasures = _lasting(
    "erasures",
    _id(),
    _json("digests"),
    _json("stores"),
    _json("words", nullable=True),
    _text("channel"),
    _moment("at"),
    _maybe_moment("done_at"),
)

hidden_people = Table(
    "hidden_people",
    metadata,
    _text("user_name", primary_key=True),
    _text("question", primary_key=True),
    _text("added_as", primary_key=True),
    _text("person_id"),
    _text("reason"),
    _moment("at"),
)
notices = Table(
    "notices",
    metadata,
    _text("added_as", primary_key=True),
    _text("person_id"),
    _text("sent_by"),
    _text("how"),
    _moment("at"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    _moment("at"),
    _text("actor"),
    _text("action"),
    _json("details", nullable=True),
    _text("details_digest"),
    _text("previous"),
    _text("digest"),
)
audit_checkpoints = _lasting(
    "audit_checkpoints",
    _id(),
    _number("up_to"),
    _text("digest"),
    _number("dropped"),
    _moment("at"),
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    _text("actor", primary_key=True),
    _text("key", primary_key=True),
    _text("request"),
    _moment("at"),
    Column("status", Integer, nullable=True),
    _json("body", nullable=True),
)
jobs = Table(
    "jobs",
    metadata,
    _text("slug", primary_key=True),
    _text("kind"),
    _text("started_by"),
    _moment("started_at"),
    _moment("changed_at"),
    _text("state"),
    _number("done"),
    _number("total"),
    _text("says"),
    _json("result", nullable=True),
)
