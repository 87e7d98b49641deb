"""What the processes have told, added up for the operator's page. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gen.tandemfog.operations.v1.operations_pb2 import Process
from libs.roll.figures import quantile

LATE_S = 0.25
MINUTE_S = 60


@dataclass(frozen=True, slots=True)
class Numbers:
    """`figures` are all processes' together, by the names of libs/roll."""

    figures: Mapping[str, float]
    processes: Mapping[str, int]

    def by(self, name: str) -> dict[str, int]:
        """The figures "<name>:<rest>" by their rest, those that are not 0."""
        parts = ((key.partition(":"), value) for key, value in self.figures.items())
        return {
            rest.replace(":", " "): int(value) for (head, _, rest), value in parts if head == name and value
        }

    def number(self, name: str) -> int:
        return int(self.figures.get(name, 0))

    @property
    def moves_per_s(self) -> float:
        return self.figures.get("moves", 0.0) / MINUTE_S

    def time_ms(self, part: float, name: str) -> str:
        """The quantile of a time in milliseconds, in words: "25", "over 10000", or "none" of none."""
        bound = quantile(part, self.figures, name)
        if bound is None:
            return "none"
        if bound == float("inf"):
            return "over 10000"
        return f"{bound * 1000:g}"

    @property
    def flags_late(self) -> int:
        """Flags of the last minute that were noticed late."""
        return int(self.figures.get("flag_time:+Inf", 0) - self.figures.get(f"flag_time:{LATE_S}", 0))


def added_up(processes: Iterable[Process]) -> Numbers:
    """All processes' numbers together."""
    figures: Counter[str] = Counter()
    services: Counter[str] = Counter()
    for process in processes:
        services[process.service] += 1
        for figure in process.figures:
            figures[figure.name] += figure.value  # type: ignore[assignment]
    return Numbers(figures, services)
