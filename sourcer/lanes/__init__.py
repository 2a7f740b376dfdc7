"""Sourcing lanes: where to look, in order. lanes.toml holds them as data."""

from sourcer.lanes.standing import NO_LANE, Facts, Group, Placed, Work, grouped, lane_of

__all__ = ["NO_LANE", "Facts", "Group", "Placed", "Work", "grouped", "lane_of"]
