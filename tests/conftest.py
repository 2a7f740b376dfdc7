"""Fixtures that several test modules share."""

from tests.workspaces import clock, desk, place, postgres

__all__ = ["clock", "desk", "place", "postgres"]
