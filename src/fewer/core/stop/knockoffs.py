"""Rules that compare every feature with its knockoff, and so bound the fraction of false discoveries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fewer.core.records.errors import RequirementError
from fewer.core.records.needs import Need
from fewer.core.records.ranking import Ranking
from fewer.core.records.rounding import differences
from fewer.core.stop.checks import as_fraction, whole
from fewer.core.stop.rule import Beside, Cut, Stop


@dataclass(frozen=True)
class Knockoffs(Stop):
    """Keep features that score higher than their knockoffs, by so much that few of those kept are irrelevant.

    A knockoff of a feature goes with the other features as the feature does, but tells nothing of the target that they
    do not tell (model-X knockoffs; rows are taken for Gaussian). Features and knockoffs are scored side by side. If a
    feature is irrelevant given all others, W = its score - that of its knockoff is as often below 0 as above; so the
    number of W at -t or below estimates that of the irrelevant features among those of W at least t. The least t > 0 is
    taken with (1 + number of W <= -t) / number of W >= t of at most ``fdr`` (knockoff+).

    Of the features kept, a fraction of ``fdr`` or less is on average irrelevant given all others, whatever the score.
    Fewer than ``1 / fdr`` features are never kept: with 0.1, ten or none.

    Parameters
    ----------
    fdr : float, default=0.1
        Mean fraction of irrelevant features among those kept, between 0 and 1.
    seed : int, default=0
        Seed of the knockoffs.

    References
    ----------
    .. [1] E. Candes, Y. Fan, L. Janson and J. Lv, "Panning for gold: model-X knockoffs for high dimensional controlled
       variable selection", Journal of the Royal Statistical Society B 80, 2018.

    Examples
    --------
    >>> rule = Knockoffs(0.4)
    >>> rule.threshold([5.0, 4.0, 3.0, -1.0, 0.5, 0.0])
    3.0
    >>> str(rule)
    'knockoffs:0.4'
    """

    fdr: float = 0.1
    seed: int = 0

    abilities: ClassVar[tuple[str, ...]] = ("cut",)
    needs: ClassVar[tuple[str, ...]] = ("knockoffs",)
    word: ClassVar[str] = "knockoffs"
    main: ClassVar[str] = "fdr"
    fixed: ClassVar[bool] = False

    def __post_init__(self) -> None:
        name = type(self).__name__
        object.__setattr__(self, "fdr", as_fraction(name, "fdr", self.fdr, f"pass for example {name}(0.1)"))
        object.__setattr__(self, "seed", whole(name, "seed", self.seed, 0))

    def threshold(self, above: np.ndarray) -> float:
        """Return what W must reach, infinity if nothing is kept (Barber and Candes 2015, eq. 1.9)."""
        W = np.asarray(above, dtype=float)
        steps = np.unique(np.abs(W[W != 0]))
        rising = np.sort(W)
        wins = len(W) - np.searchsorted(rising, steps, side="left")
        below = np.searchsorted(rising, -steps, side="right")
        enough = (wins > 0) & (1 + below <= self.fdr * wins * (1 + 1e-12))
        return float(steps[enough][0]) if enough.any() else float("inf")

    def cut(self, ranking: Ranking) -> Cut:
        """Refuse: without knockoffs there is nothing to compare with."""
        raise RequirementError(
            f"The rule {str(self)!r} needs the scores of knockoffs, but got a ranking alone; choose a selector that "
            "scores knockoffs."
        )

    def cut_beside(self, ranking: Ranking, beside: Beside) -> Cut:
        """Keep features whose scores exceed those of their knockoffs by enough."""
        own, others = beside.knockoffs(self.fixed, self.seed)
        # What differs by rounding alone is no win of either.
        W = differences(own, others)[0]
        line, columns = self.threshold(W), {"above_knockoff": W}
        if np.isinf(line):
            # That nothing can be shown makes no feature irrelevant.
            words = f"no difference from the knockoffs bounds the false discoveries by {self.fdr:g}"
            return Cut(np.zeros(len(W), dtype=bool), rule=words, columns=columns)
        words = f"the score had to exceed that of the knockoff by {line:.4g} (false discoveries {self.fdr:g})"
        need = Need("score less that of the knockoff", W, line)
        return Cut(need.values >= line, rule=words, relevance=True, needs=(need,), columns=columns)


@dataclass(frozen=True)
class FixedKnockoffs(Knockoffs):
    """Keep features that score higher than their knockoffs, for a numeric target that is linear with normal errors.

    As `Knockoffs`, but nothing is supposed of how the features are distributed: their knockoffs have the same products
    with each other and, but for their own, with the features (fixed-X knockoffs). In return the target must be a linear
    function of the features with independent normal errors, there must be more than two rows per feature, and the score
    must follow from the products of the columns with each other and with the target, as that of `Pearson` does.

    Parameters
    ----------
    fdr : float, default=0.1
        Mean fraction of irrelevant features among those kept, between 0 and 1.
    seed : int, default=0
        Seed of the knockoffs.

    References
    ----------
    .. [1] R. F. Barber and E. J. Candes, "Controlling the false discovery rate via knockoffs", Annals of Statistics 43,
       2015.
    """

    needs: ClassVar[tuple[str, ...]] = ("fixed knockoffs",)
    word: ClassVar[str] = "fixed_knockoffs"
    fixed: ClassVar[bool] = True
