"""Maximal dependence decomposition: a tree of positions, and a weight matrix in every leaf."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy.stats import chi2

from fewer.core.records.params import Interval, number_above, whole_from
from fewer.core.records.rounding import steady
from fewer.methods.sequences._signal import SignalModel, letter_counts, looked_up


@dataclass(frozen=True, eq=False)
class SignalNode:
    """A leaf with its weight matrix, or a split by whether a position has its most frequent letter."""

    n_rows: int
    matrix: np.ndarray | None = None
    position: int = -1
    letter: int = -1
    # Logarithms of the fractions that match and that do not.
    fractions: tuple[float, float] = (0.0, 0.0)
    match: SignalNode | None = None
    other: SignalNode | None = None


class MDD(SignalModel):
    r"""Classify sequences by a tree of the positions that depend most on each other: maximal dependence.

    In every class the position i with the largest :math:`\sum_{j \ne i}\chi^2(K_i, s_j)` divides the sequences into
    those that have its most frequent letter, :math:`K_i = 1`, and the others; each part is divided again, until no
    position depends on another, or too few sequences are left [1]_.

    Parameters
    ----------
    alpha : float, default=1.0
        Laplace smoothing: sequences added to every letter at every position in every class.
    significance : float, default=0.001
        A position divides only if its match depends on the letter of another one with a p-value below this.
    min_leaf : int, default=175
        Fewest sequences on either side of a split.
    alphabet : str, default="dna"
        "dna", "rna", "protein", or the letters themselves.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithm of the fraction of each class.
    models_ : list of SignalNode
        The tree of every class.
    length_ : int
        Length of the sequences.

    Notes
    -----
    The chapter only describes the model; the rules are those of [1]_, where only sites have a tree: here every class
    has one, so that several can be told apart. At the split position the letter is certain where it matches, and
    elsewhere one of the others, so that probabilities add up to 1. With an ambiguous letter there both branches count
    by their fractions; in `fit` such a sequence is left out below.

    See Also
    --------
    WeightMatrix : A tree without splits.

    References
    ----------
    .. [1] C. Burge and S. Karlin, "Prediction of complete gene structures in human genomic DNA", Journal of Molecular
       Biology 268, 1997.

    Examples
    --------
    >>> texts = ["aaca", "ttga"] * 20 + ["aaga", "ttca"] * 20
    >>> model = MDD(min_leaf=5).fit(texts, [1] * 40 + [0] * 40)
    >>> model.predict(["aaca", "ttca"]).tolist()
    [1, 0]
    """

    _parameter_constraints: dict = {
        "alpha": [number_above(0)],
        "significance": [Interval(Real, 0, 1, closed="neither")],
        "min_leaf": [whole_from(1)],
        "alphabet": [str],
    }

    def __init__(
        self, alpha: float = 1.0, *, significance: float = 0.001, min_leaf: int = 175, alphabet: str = "dna"
    ) -> None:
        self.alpha = alpha
        self.significance = significance
        self.min_leaf = min_leaf
        self.alphabet = alphabet

    def _learn_class(self, codes: np.ndarray, size: int) -> SignalNode:
        return self._grown(codes, np.ones((codes.shape[1], size), dtype=bool))

    def _grown(self, codes: np.ndarray, allowed: np.ndarray) -> SignalNode:
        """Return the tree of sequences whose letters are among those allowed at every position."""
        counts = letter_counts(codes, allowed.shape[1])
        free = np.flatnonzero(allowed.all(axis=1))
        split = self._split(codes, counts, free)
        if split is None:
            smoothed = np.where(allowed, counts + self.alpha, 0.0)
            with np.errstate(divide="ignore"):
                return SignalNode(len(codes), np.log(smoothed / smoothed.sum(axis=1, keepdims=True)))
        position, letter = split
        same, known = codes[:, position] == letter, codes[:, position] >= 0
        with_it, without = allowed.copy(), allowed.copy()
        with_it[position] = np.arange(allowed.shape[1]) == letter
        without[position, letter] = False
        n_match, n_other = same.sum() + self.alpha, (known & ~same).sum() + self.alpha
        return SignalNode(
            len(codes),
            None,
            position,
            letter,
            (float(np.log(n_match / (n_match + n_other))), float(np.log(n_other / (n_match + n_other)))),
            self._grown(codes[same], with_it),
            self._grown(codes[known & ~same], without),
        )

    def _split(self, codes: np.ndarray, counts: np.ndarray, free: np.ndarray) -> tuple[int, int] | None:
        """Return position and letter of the best split, or None if there is none."""
        if len(codes) < 2 * self.min_leaf:
            return None
        best, found = 0.0, None
        for i in free.tolist():
            letter = int(counts[i].argmax())
            same, known = codes[:, i] == letter, codes[:, i] >= 0
            if min(same.sum(), (known & ~same).sum()) < self.min_leaf:
                continue
            statistic, dof = dependence(codes[same], codes[known & ~same], counts.shape[1])
            statistic[i] = 0.0
            certain = chi2.sf(statistic, np.maximum(dof, 1)) < self.significance
            total = float(steady(np.array([statistic.sum()]))[0])
            if certain.any() and total > best:
                best, found = total, (i, letter)
        return found

    def _log_likelihood(self, model: SignalNode, codes: np.ndarray) -> np.ndarray:
        if model.matrix is not None:
            return looked_up(model.matrix, codes).sum(axis=1)
        out, letter = np.full(len(codes), -np.inf), codes[:, model.position]
        sides: list[Any] = [(model.match, letter == model.letter), (model.other, letter != model.letter)]
        for (branch, mine), fraction in zip(sides, model.fractions):
            rows = mine | (letter < 0)
            out[rows] = np.logaddexp(out[rows], fraction + self._log_likelihood(branch, codes[rows]))
        return out


def dependence(first: np.ndarray, second: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return chi-squared statistic and degrees of freedom of two groups of rows against the letters of positions."""
    table = np.stack([letter_counts(first, size), letter_counts(second, size)], axis=1)
    rows, letters, total = table.sum(axis=2), table.sum(axis=1), table.sum(axis=(1, 2))
    expected = rows[:, :, None] * letters[:, None, :] / np.maximum(total, 1.0)[:, None, None]
    cells = np.divide((table - expected) ** 2, expected, out=np.zeros(table.shape), where=expected > 0)
    return cells.sum(axis=(1, 2)), (letters > 0).sum(axis=1) - 1
