"""Questions to begin with, made of what the data at hand hold."""

from collections.abc import Mapping

import numpy as np

from api.snapshots import Opened

DECLARED = (
    "US engineers who have merged commits to {repos} touching {first}, {second}, or {third},"
    " senior or above, open to talking",
    "who built {second} in {repo} since 2025",
    "staff engineers in Europe who wrote {fourth}",
    "people who changed {first}, not at NVIDIA",
)
WORKED = (
    "who built {second} in {repo} since 2025",
    "engineers who have merged commits to {repos} touching {first}, {second}, or {third}",
    "people who wrote {fourth}, at least 20 commits",
    "people who changed {first}, not at NVIDIA",
)
"""Where nobody's profile is held, and so no place, title or openness."""
ASKED_FOR = (
    ("moe", "MoE"),
    ("expert-parallelism", "expert parallelism"),
    ("pd-disaggregation", "PD disaggregation"),
    ("triton-kernels", "Triton kernels"),
    ("speculative-decoding", "speculative decoding"),
    ("prefix-caching", "prefix caching"),
    ("quantization", "quantisation"),
    ("scheduling", "the scheduler"),
)
ENOUGH = 3
"""Commits of a topic from which asking for it makes sense."""


def examples(opened: Opened) -> tuple[str, ...]:
    """Few or none where the data hold other things than this product was made for."""
    names = [repo.name.rpartition("/")[2] for repo in opened.known.repos.values()]
    topics = [*_held(opened), *_weighty(opened)][:4]
    if len(topics) < 4 or not names:
        return ()
    said = dict(zip(("first", "second", "third", "fourth"), topics, strict=True))
    return tuple(
        frame.format(repos=" or ".join(names[:2]), repo=names[-1], **said)
        for frame in _frames(opened.snapshot.manifest.get("counts", {}))
    )


def _frames(counts: Mapping[str, int]) -> tuple[str, ...]:
    """
    >>> _frames({"people_with_profiles": 122}) is DECLARED, _frames({}) is WORKED
    (True, True)
    """
    return DECLARED if counts.get("people_with_profiles") else WORKED


def _held(opened: Opened) -> list[str]:
    counts, ordinals = _counts(opened), opened.known.topic_ordinals
    return [says for id_, says in ASKED_FOR if id_ in ordinals and counts[ordinals[id_]] >= ENOUGH]


def _weighty(opened: Opened) -> list[str]:
    """The topics with most commits."""
    names = opened.known.topics
    return [names[row][1] for row in np.argsort(-_counts(opened), kind="stable")]


def _counts(opened: Opened) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.diff(opened.searcher.index.columns.topic_commits.starts)
