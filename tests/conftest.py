"""Fixtures that several test modules share."""

from tests.api_world import fresh, guarded, shared
from tests.sample_snapshot import demo, sample_data, sample_searcher
from tests.workspaces import clock, desk, place, postgres

__all__ = [
    "clock",
    "demo",
    "desk",
    "fresh",
    "guarded",
    "place",
    "postgres",
    "sample_data",
    "sample_searcher",
    "shared",
]
