"""DuckDB: the only home of SQL over a snapshot. One module per part of the data."""

from sourcer.store.database import Database, create, open_readonly

__all__ = ["Database", "create", "open_readonly"]
