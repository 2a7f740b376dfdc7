"""DuckDB: the only home of SQL over a snapshot. One module per part of the data."""
