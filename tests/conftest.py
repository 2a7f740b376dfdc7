"""Fixtures that several test modules share."""

from tests.sample_snapshot import sample_data, sample_searcher
from tests.workspaces import clock, desk, place, postgres

__all__ = ["clock", "desk", "place", "postgres", "sample_data", "sample_searcher"]
