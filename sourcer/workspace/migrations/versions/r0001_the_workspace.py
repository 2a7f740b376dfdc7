"""What recruiters write, who they are, and what they decided."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _accounts()
    _saved_searches()
    _alerts()
    _shortlists()
    _decisions_and_the_log()


def downgrade() -> None:
    for table in (
        "suppressions",
        "erasures",
        "decisions",
        "audit_checkpoints",
        "audit",
        "mentions",
        "notes",
        "entries",
        "changes",
        "shortlists",
        "deliveries",
        "subscriptions",
        "alerts_seen",
        "alert_matches",
        "alert_events",
        "alert_checks",
        "shared_links",
        "saved_search_versions",
        "saved_searches",
        "tokens",
        "browser_sessions",
        "users",
        "failed_logins",
    ):
        op.drop_table(table)


def _accounts() -> None:
    op.create_table(
        "failed_logins",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_failed_logins"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "users",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("identity", sa.Text(), nullable=True),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_users"),
        sa.UniqueConstraint("identity", name="uq_users_identity"),
    )
    op.create_table(
        "browser_sessions",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_name"], ["users.name"], name="fk_browser_sessions_user_name", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_browser_sessions"),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_name"], ["users.name"], name="fk_tokens_user_name", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.UniqueConstraint("digest", name="uq_tokens_digest"),
        sqlite_autoincrement=True,
    )


def _saved_searches() -> None:
    op.create_table(
        "saved_searches",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("query", sa.JSON(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("sharing", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("slug", name="pk_saved_searches"),
    )
    op.create_table(
        "saved_search_versions",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("query", sa.JSON(), nullable=False),
        sa.Column("changed_by", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["slug"],
            ["saved_searches.slug"],
            name="fk_saved_search_versions_slug",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("slug", "version", name="pk_saved_search_versions"),
    )
    op.create_table(
        "shared_links",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["slug"], ["saved_searches.slug"], name="fk_shared_links_slug", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("digest", name="pk_shared_links"),
    )


def _alerts() -> None:
    op.create_table(
        "alert_checks",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["slug"], ["saved_searches.slug"], name="fk_alert_checks_slug", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("slug", name="pk_alert_checks"),
    )
    op.create_table(
        "alert_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("added_as", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.Column("why", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["slug"], ["saved_searches.slug"], name="fk_alert_events_slug", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_alert_events"),
        sa.UniqueConstraint("slug", "added_as", name="uq_alert_events_slug_added_as"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "alert_matches",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("added_as", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["slug"], ["saved_searches.slug"], name="fk_alert_matches_slug", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("slug", "added_as", name="pk_alert_matches"),
    )
    op.create_table(
        "alerts_seen",
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["slug"], ["saved_searches.slug"], name="fk_alerts_seen_slug", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_name", "slug", name="pk_alerts_seen"),
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["slug"], ["saved_searches.slug"], name="fk_subscriptions_slug", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_subscriptions"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("subscription_id", sa.Integer(), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("said", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["subscription_id"],
            ["subscriptions.id"],
            name="fk_deliveries_subscription_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_deliveries_state", "deliveries", ["state", "next_at"], unique=False)


def _shortlists() -> None:
    op.create_table(
        "shortlists",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("sharing", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("slug", name="pk_shortlists"),
    )
    op.create_table(
        "changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shortlist", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_by", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["shortlist"], ["shortlists.slug"], name="fk_changes_shortlist", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_changes"),
        sa.UniqueConstraint("undoes", name="uq_changes_undoes"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shortlist", sa.Text(), nullable=False),
        sa.Column("added_as", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("added_by", sa.Text(), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["shortlist"], ["shortlists.slug"], name="fk_entries_shortlist", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_entries"),
        sa.UniqueConstraint("shortlist", "added_as", name="uq_entries_shortlist_added_as"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_entries_person_id", "entries", ["person_id"], unique=False)
    op.create_table(
        "notes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["entries.id"], name="fk_notes_entry_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_notes"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "mentions",
        sa.Column("note_id", sa.Integer(), nullable=False),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["note_id"], ["notes.id"], name="fk_mentions_note_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("note_id", "user_name", name="pk_mentions"),
    )


def _decisions_and_the_log() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("details", sa.JSON(), nullable=True),
        sa.Column("details_digest", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_table(
        "audit_checkpoints",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("up_to", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("dropped", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_checkpoints"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("pairs", sa.JSON(), nullable=False),
        sa.Column("people", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("undone_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("undone_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_decisions"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "erasures",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digests", sa.JSON(), nullable=False),
        sa.Column("stores", sa.JSON(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_erasures"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "suppressions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lifted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_suppressions"),
        sa.UniqueConstraint("kind", "digest", name="uq_suppressions_kind_digest"),
        sqlite_autoincrement=True,
    )
