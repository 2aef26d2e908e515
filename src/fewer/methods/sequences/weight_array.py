"""The weight array model: letters at positions, each dependent on the one before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fewer.core.records.params import number_above
from fewer.methods.sequences._signal import SignalModel, letter_counts, looked_up


class LetterChain(NamedTuple):
    """Logarithms of the probabilities of letters alone, and given the letter before."""

    alone: np.ndarray
    after: np.ndarray


class WeightArray(SignalModel):
    r"""Classify sequences by the letters at their positions, given the letter before: the weight array model WAM.

    In every class :math:`P(s) = p_1(s_1)\prod_{i>1} p_i(s_i \mid s_{i-1})`, a Markov chain of first order whose
    probabilities differ from position to position [1]_.

    Parameters
    ----------
    alpha : float, default=1.0
        Laplace smoothing: sequences added to every letter at every position in every class.
    alphabet : str, default="dna"
        "dna", "rna", "protein", or the letters themselves.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels of the classes.
    class_log_prior_ : ndarray of shape (n_classes,)
        Logarithm of the fraction of each class.
    models_ : list of LetterChain
        Logarithms of probabilities per class: ``alone``, (n_positions, n_letters), and ``after``, (n_positions,
        n_letters, n_letters), of a letter behind another.
    length_ : int
        Length of the sequences.

    Notes
    -----
    What is added to a letter behind another is alpha times the fraction of the letter at this position, times the
    number of letters, so that rare letters before fall back to the weight matrix. A letter behind an ambiguous one,
    such as N, counts alone; an ambiguous one is left out.

    See Also
    --------
    WeightMatrix : Letters do not depend on each other.

    References
    ----------
    .. [1] M. Q. Zhang and T. G. Marr, "A weight array method for splicing signal analysis", Computational Applications
       in the Biosciences 9, 1993.

    Examples
    --------
    >>> model = WeightArray().fit(["aa", "cc", "gg", "ac", "ca", "ag"] * 5, ["same", "same", "same"] * 5 + ["not"] * 15)
    >>> model.length_
    2
    """

    _parameter_constraints: dict = {"alpha": [number_above(0)], "alphabet": [str]}

    def __init__(self, alpha: float = 1.0, *, alphabet: str = "dna") -> None:
        self.alpha = alpha
        self.alphabet = alphabet

    def _learn_class(self, codes: np.ndarray, size: int) -> LetterChain:
        counts = letter_counts(codes, size) + self.alpha
        alone = counts / counts.sum(axis=1, keepdims=True)
        after = np.zeros((codes.shape[1], size, size))
        for i in range(1, codes.shape[1]):
            known = (codes[:, i] >= 0) & (codes[:, i - 1] >= 0)
            pairs = codes[known, i - 1].astype(np.int64) * size + codes[known, i]
            after[i] = np.bincount(pairs, minlength=size * size).reshape(size, size)
            after[i] += self.alpha * size * alone[i]
        after[1:] /= after[1:].sum(axis=2, keepdims=True)
        with np.errstate(divide="ignore"):
            return LetterChain(np.log(alone), np.log(after))

    def _log_likelihood(self, model: LetterChain, codes: np.ndarray) -> np.ndarray:
        found = looked_up(model.alone, codes)
        for i in range(1, codes.shape[1]):
            both = (codes[:, i] >= 0) & (codes[:, i - 1] >= 0)
            found[both, i] = model.after[i, codes[both, i - 1], codes[both, i]]
        return found.sum(axis=1)
