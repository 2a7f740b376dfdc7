"""Fixtures that several test modules share."""

from tests.api_world import fresh, guarded, shared
from tests.sample_snapshot import sample_data, sample_searcher

__all__ = ["fresh", "guarded", "sample_data", "sample_searcher", "shared"]
