"""How an app is to be served: who may come in, and what work it can do."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from api.envelope import Bounds
from api.snapshots import Open
from api.work import Doing
from index.search import Searcher


@dataclass(frozen=True, slots=True)
class Serving:
    """`accounts`: everyone needs a token or a login; without, only loopback is answered."""

    accounts: bool = False
    threads: int = 2
    bounds: Bounds = field(default_factory=Bounds)
    doing: Doing = field(default_factory=Doing)
    open_snapshot: Open = Searcher.open
    today: Callable[[], date] = date.today
