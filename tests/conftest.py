"""Fixtures that several test modules share."""

from tests.sample_snapshot import sample_data, sample_searcher

__all__ = ["sample_data", "sample_searcher"]
