"""Rules on p-values: uncorrected, or with the family-wise error or the false discovery rate held at alpha."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fewer.core.records.errors import InputError, ParameterError, RequirementError, closest
from fewer.core.records.needs import AT_MOST, Need
from fewer.core.records.ranking import Ranking
from fewer.core.stop.checks import as_fraction
from fewer.core.stop.rule import Cut, Stop

METHODS = ("none", "bonferroni", "holm", "bh", "by")


def adjust(pvalues: Any, method: str) -> np.ndarray:
    r"""Return p-values adjusted for the number of tests, in the given order.

    With :math:`p_{(1)} \le \dots \le p_{(m)}`, an adjusted value is the smallest alpha that keeps the
    feature:

    - ``"none"``: :math:`p_{(i)}`
    - ``"bonferroni"``: :math:`m\,p_{(i)}`
    - ``"holm"``: :math:`\max_{j \le i} (m - j + 1)\,p_{(j)}`
    - ``"bh"`` (Benjamini-Hochberg): :math:`\min_{j \ge i} m\,p_{(j)} / j`
    - ``"by"`` (Benjamini-Yekutieli): the same times :math:`\sum_{k=1}^{m} 1/k`

    and never more than 1. A test that could not be made (NaN) counts as a p-value of 1.

    Parameters
    ----------
    pvalues : array-like of shape (n_features,)
        Values between 0 and 1.
    method : {"none", "bonferroni", "holm", "bh", "by"}
        The correction.

    Returns
    -------
    ndarray of shape (n_features,)

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statistics 6, 1979.
    .. [2] Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R. Stat. Soc. B 57, 1995.
    .. [3] Y. Benjamini and D. Yekutieli, "The control of the false discovery rate in multiple testing under
       dependency", Annals of Statistics 29, 2001.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(pvalues, dtype=float)
    p = np.where(np.isnan(p), 1.0, p)
    if p.ndim != 1 or (p < 0).any() or (p > 1).any():
        raise InputError("adjust needs one p-value between 0 and 1 per feature, but got others; check the test.")
    m = len(p)
    order = np.argsort(p, kind="stable")
    ranks = np.arange(1, m + 1)
    if method == "none":
        return p
    if method == "bonferroni":
        return np.minimum(m * p, 1.0)
    if method == "holm":
        adjusted = np.maximum.accumulate((m - ranks + 1) * p[order])
    elif method in ("bh", "by"):
        steps = p[order] * (m * _penalty(m, method) / ranks)
        adjusted = np.minimum.accumulate(steps[::-1])[::-1]
    else:
        raise ParameterError(
            f"adjust got method={method!r}, but knows {', '.join(METHODS)}; pass one of them."
            f"{closest(str(method), METHODS)}"
        )
    result = np.empty(m)
    # Where the factor is 1 rounding could push an adjusted value below its p-value.
    result[order] = np.clip(adjusted, p[order], 1.0)
    return result


@dataclass(frozen=True)
class PValue(Stop):
    """Keep features whose p-value is at most ``alpha``, without correction for the number of features.

    Of ``d`` irrelevant features about ``alpha * d`` are kept.

    Parameters
    ----------
    alpha : float, default=0.05
        Level of the test, between 0 and 1.
    """

    alpha: float = 0.05

    abilities: ClassVar[tuple[str, ...]] = ("cut",)
    needs: ClassVar[tuple[str, ...]] = ("p-values",)
    word: ClassVar[str] = "p"
    main: ClassVar[str] = "alpha"
    method: ClassVar[str] = "none"
    title: ClassVar[str] = "uncorrected"

    def __post_init__(self) -> None:
        name = type(self).__name__
        object.__setattr__(self, "alpha", as_fraction(name, "alpha", self.alpha, f"pass for example {name}(0.05)"))

    def cut(self, ranking: Ranking) -> Cut:
        """Keep features whose adjusted p-value is at most ``alpha``."""
        if ranking.pvalues is None:
            raise RequirementError(
                f"The rule {str(self)!r} needs p-values, but this ranking has only scores; choose a score with "
                "p-values or pass a number of features."
            )
        kept = adjust(ranking.pvalues, self.method) <= self.alpha
        # As in `adjust`, a test that could not be made counts as a p-value of 1.
        pvalues = np.where(np.isnan(ranking.pvalues), 1.0, ranking.pvalues)
        needed = self._needed(pvalues, kept)
        words = f"({self.title}, alpha={self.alpha:g})"
        need = Need("p-value", pvalues, needed, how=AT_MOST, why=words)
        return Cut(kept, rule=f"p <= {_between(pvalues, kept, needed)} needed {words}", relevance=True, needs=(need,))

    def _needed(self, pvalues: np.ndarray, kept: np.ndarray) -> float:
        """Return what a p-value had to reach, between those of the kept and the dropped features."""
        needed = self.alpha * self._factor(len(kept), int(kept.sum()))
        # Rounding in the last digit must not put a feature on the other side.
        if kept.any():
            needed = max(needed, float(pvalues[kept].max()))
        return needed if kept.all() else min(needed, float(np.nextafter(pvalues[~kept].min(), 0.0)))

    def _factor(self, m: int, n_kept: int) -> float:
        """Return the fraction of alpha that a p-value had to reach if ``n_kept`` of ``m`` features are kept."""
        return 1.0


@dataclass(frozen=True)
class Bonferroni(PValue):
    """Keep features so that with probability 1 - ``alpha`` none of them is irrelevant: p at most alpha / d.

    Parameters
    ----------
    alpha : float, default=0.05
        Family-wise error, between 0 and 1.
    """

    word: ClassVar[str] = "bonferroni"
    method: ClassVar[str] = "bonferroni"
    title: ClassVar[str] = "Bonferroni"

    def _factor(self, m: int, n_kept: int) -> float:
        return 1.0 / max(m, 1)


@dataclass(frozen=True)
class Holm(PValue):
    """Keep features so that with probability 1 - ``alpha`` none of them is irrelevant.

    Keeps all that Bonferroni keeps, and often more.

    Parameters
    ----------
    alpha : float, default=0.05
        Family-wise error, between 0 and 1.
    """

    word: ClassVar[str] = "fwer"
    method: ClassVar[str] = "holm"
    title: ClassVar[str] = "Holm"

    def _factor(self, m: int, n_kept: int) -> float:
        return 1.0 / max(m - n_kept, 1)


@dataclass(frozen=True)
class BenjaminiHochberg(PValue):
    """Keep features so that of those kept a fraction of at most ``alpha`` is irrelevant, on average.

    Holds for independent or positively dependent features.

    Parameters
    ----------
    alpha : float, default=0.05
        False discovery rate, between 0 and 1.
    """

    word: ClassVar[str] = "fdr"
    method: ClassVar[str] = "bh"
    title: ClassVar[str] = "Benjamini-Hochberg"

    def _factor(self, m: int, n_kept: int) -> float:
        return max(n_kept, 1) / (max(m, 1) * _penalty(m, self.method))


@dataclass(frozen=True)
class BenjaminiYekutieli(BenjaminiHochberg):
    """Keep features so that of those kept a fraction of at most ``alpha`` is irrelevant, under any dependence.

    Parameters
    ----------
    alpha : float, default=0.05
        False discovery rate, between 0 and 1.
    """

    word: ClassVar[str] = "by"
    method: ClassVar[str] = "by"
    title: ClassVar[str] = "Benjamini-Yekutieli"


def _between(pvalues: np.ndarray, kept: np.ndarray, needed: float) -> str:
    """Return the line as text of at least four digits that puts every p-value on its side."""
    texts = (f"{needed:.{digits}g}" for digits in range(4, 18))
    return next((text for text in texts if np.array_equal(pvalues <= float(text), kept)), f"{needed:.17g}")


def _penalty(m: int, method: str) -> float:
    """Return what arbitrary dependence costs: the m-th harmonic number for ``"by"``, else 1."""
    return float(np.sum(1.0 / np.arange(1, m + 1))) if method == "by" and m else 1.0
