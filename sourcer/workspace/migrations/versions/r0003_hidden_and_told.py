"""Who hid whom, who was told of being held, and what an erasure has still to look for."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("erasures", sa.Column("words", sa.JSON(), nullable=True))
    op.create_table(
        "hidden_people",
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("added_as", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("user_name", "question", "added_as", name="pk_hidden_people"),
    )
    op.create_table(
        "notices",
        sa.Column("added_as", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("sent_by", sa.Text(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("added_as", name="pk_notices"),
    )


def downgrade() -> None:
    op.drop_table("notices")
    op.drop_table("hidden_people")
    op.drop_column("erasures", "words")
