"""Runs by Alembic's hand, on the connection and in the transaction that `migrating` opened."""

from alembic import context


def run() -> None:
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, transactional_ddl=True, render_as_batch=True)
    context.run_migrations()


if __name__ == "env_py":  # the name that Alembic gives it; a plain import does nothing
    run()
