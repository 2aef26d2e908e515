"""A rule that compares features with random probes, which are irrelevant by construction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.records.ranking import Ranking
from fewer.core.stop.checks import as_fraction, whole
from fewer.core.stop.rule import Cut, Stop


@dataclass(frozen=True)
class Probes(Stop):
    """Keep features that score higher than all but a few of their own random probes.

    A probe is a feature whose rows are shuffled against the target and its weights, which stay together, and every
    feature is compared with shuffles of itself: scores of columns of other kinds have other null distributions. If
    ``k`` of ``n`` shuffles score at least as high as the feature, then (k + 1) / (n + 1) is the p-value of a
    permutation test; the feature is kept if this is at most ``risk``. In other words its score must exceed the
    (1 - risk) quantile of its probes' scores, rounded up to the next probe and with the feature counted as one more
    probe, so that few probes make the rule stricter, never looser.

    Scoring takes as long as for twice the features, once per probe: 19 times for a risk of 0.05, 99 times for 0.01.

    Parameters
    ----------
    n_probes : int, optional
        Number of shuffles of every feature, at least ``1 / risk - 1``, which is the default. More of them make it
        less a matter of chance which features near the line are kept.
    risk : float, default=0.05
        Probability with which an irrelevant feature is kept, between 0 and 1.
    """

    n_probes: int | None = None
    risk: float = 0.05

    abilities: ClassVar[tuple[str, ...]] = ("cut",)
    needs: ClassVar[tuple[str, ...]] = ("probes",)
    word: ClassVar[str] = "probes"
    main: ClassVar[str] = "risk"

    def __post_init__(self) -> None:
        object.__setattr__(self, "risk", as_fraction("Probes", "risk", self.risk, "pass for example Probes(risk=0.05)"))
        if self.n_probes is not None:
            object.__setattr__(self, "n_probes", whole("Probes", "n_probes", self.n_probes))
            if self._rank(self.n_probes) < 1:
                raise ParameterError(
                    f"Probes got n_probes={self.n_probes}, which cannot show a risk of {self.risk:g}; "
                    f"pass at least {self.fewest} or a larger risk."
                )

    @property
    def fewest(self) -> int:
        """The smallest number of probes with which a feature can be kept."""
        return max(1, math.ceil(1.0 / self.risk - 1.0 - 1e-9))

    def probes_wanted(self, n_features: int) -> int:
        """Return the number of shuffles of every feature."""
        return self.fewest if self.n_probes is None else self.n_probes

    def cut(self, ranking: Ranking) -> Cut:
        """Refuse: without probes there is nothing to compare with."""
        raise RequirementError(
            f"The rule {str(self)!r} needs the scores of random probes, but got a ranking alone; call cut_with_probes, "
            "or choose a selector that draws probes."
        )

    def cut_with_probes(self, ranking: Ranking, probe_scores: np.ndarray) -> Cut:
        """Keep features that score higher than the quantile of their own probes.

        ``probe_scores`` are those of every feature, (n_probes, n_features), or (n_probes,) if all have the same.
        """
        scores = np.sort(np.asarray(probe_scores, dtype=float), axis=0)
        n, risk = len(scores), f"risk {self.risk:g}"
        rank = self._rank(n)
        if rank < 1:
            words = f"{n} probes cannot show a risk of {self.risk:g}, at least {self.fewest} are needed"
            return Cut(np.zeros(len(ranking.scores), dtype=bool), float("inf"), words, relevance=True)
        threshold = float(scores[n - rank]) if scores.ndim == 1 else scores[n - rank]
        place = "the best" if rank == 1 else f"place {rank}"
        words = f"a score above {place} of {n} random shuffles of the feature itself was needed ({risk})"
        return Cut(ranking.scores > threshold, threshold, words, relevance=True, above=True)

    def _rank(self, n: int) -> int:
        """Return the place, from the best, of the probe that a feature must beat; 0 with too few probes."""
        # 0.29 * 100 is a little below 29 in binary.
        return math.floor(self.risk * (n + 1) + 1e-9)
