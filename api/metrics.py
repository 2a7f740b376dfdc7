"""Numbers for Prometheus: how many requests, how long they took, what is being answered from."""

import os

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """The numbers of one app; with several workers, PROMETHEUS_MULTIPROC_DIR adds them up."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "sourcer_requests",
            "Requests answered",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "sourcer_request_seconds",
            "From the first byte of a request to the last of its answer",
            ("route",),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.remembered = Counter(
            "sourcer_searches",
            "Searches answered, by whether the answer was at hand",
            ("remembered",),
            registry=self.registry,
        )

    def text(self) -> bytes:
        if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
            return generate_latest(self.registry)
        added_up = CollectorRegistry()
        MultiProcessCollector(added_up)  # type: ignore[no-untyped-call]
        return generate_latest(added_up)
