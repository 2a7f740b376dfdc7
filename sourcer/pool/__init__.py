"""The size of a pool before anyone sources it: funnel, slices, overlap and report."""

from sourcer.pool.pools import Overlap, Pool, overlap

__all__ = ["Overlap", "Pool", "overlap"]
