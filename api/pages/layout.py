"""Where the points of a graph stand: springs along ties, everything else apart.

Fruchterman and Reingold, "Graph drawing by force-directed placement", 1991; begun on a spiral in
the order given, so that the same graph is drawn the same each time.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
ROUNDS = 60
PAIRS = 6_000_000
"""So many pairs of points are pushed apart in all: larger graphs get fewer rounds."""


def placed(count: int, ties: Sequence[tuple[int, int, float]]) -> Points:
    """x and y of each point, 0 to 1.

    >>> spots = placed(3, [(0, 1, 1.0)])
    >>> spots.shape, bool(abs(spots[0] - spots[1]).sum() < abs(spots[0] - spots[2]).sum())
    ((3, 2), True)
    """
    if count == 0:
        return np.zeros((0, 2))
    spots = _spiral(count)
    distance = np.sqrt(1 / count)
    a, b = (np.array([tie[end] for tie in ties], np.int64) for end in (0, 1))
    pull = np.sqrt(np.array([tie[2] for tie in ties]))[:, None]
    rounds = max(20, min(ROUNDS, PAIRS // count**2))
    for heat in np.linspace(0.12, 0.004, rounds):
        spots = spots + _step(spots, a, b, pull, distance, heat)
    return _spread(spots)


def _spread(spots: Points) -> Points:
    """Halfway to even: the few without ties would else leave the rest one dense ball.

    >>> _spread(np.array([[0.0, 0.0], [1.0, 1.0], [100.0, 100.0]]))[1].round(3).tolist()
    [0.255, 0.255]
    """
    low, high = spots.min(0), spots.max(0)
    scaled = (spots - low) / np.maximum(high - low, 1e-9)
    order = np.argsort(np.argsort(spots, axis=0, kind="stable"), axis=0, kind="stable")
    even: Points = (scaled + order / max(len(spots) - 1, 1)) / 2
    return even


def _step(
    spots: Points,
    a: npt.NDArray[np.int64],
    b: npt.NDArray[np.int64],
    pull: Points,
    distance: float,
    heat: float,
) -> Points:
    x, y = spots.astype(np.float32).T
    right, down = x[:, None] - x, y[:, None] - y
    share = np.float32(distance**2) / np.maximum(right * right + down * down, np.float32(1e-6))
    push = np.stack([(right * share).sum(1), (down * share).sum(1)], axis=1).astype(np.float64)
    along = spots[a] - spots[b]
    length = np.sqrt((along**2).sum(1))[:, None]
    force = along * length / distance * pull
    np.subtract.at(push, a, force)
    np.add.at(push, b, force)
    push -= (spots - 0.5) * distance
    size = np.sqrt((push**2).sum(1))[:, None]
    moved: Points = push / np.maximum(size, 1e-9) * np.minimum(size, heat)
    return moved


def _spiral(count: int) -> Points:
    turn = np.arange(count) * 2.399963
    radius = 0.5 * np.sqrt((np.arange(count) + 0.5) / count)
    return np.stack([0.5 + radius * np.cos(turn), 0.5 + radius * np.sin(turn)], axis=1)
