"""The weight matrix model: letters at positions, independent of each other."""

from __future__ import annotations

import numpy as np

from fewer.core.records.params import number_above
from fewer.methods.sequences._signal import SignalModel, letter_counts, looked_up


class WeightMatrix(SignalModel):
    r"""Classify sequences by the letters at their positions, taken as independent: the weight matrix model WMM.

    The log odds of two classes are :math:`\sum_i\log p_i^+(s_i) / p_i^-(s_i)` and the logarithm of the ratio of the
    classes; :math:`p_i(s)` is the fraction of a letter at a position in a class [1]_.

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
    models_ : list of ndarray of shape (n_positions, n_letters)
        Logarithm of the probability of every letter at every position, per class.
    length_ : int
        Length of the sequences.

    Notes
    -----
    A letter that is ambiguous, such as N, is left out, in `fit` and in `predict`.

    See Also
    --------
    WeightArray : Letters depend on the one before.
    MDD : Letters depend on those at the positions that matter most.

    References
    ----------
    .. [1] R. Staden, "Computer methods to locate signals in nucleic acid sequences", Nucleic Acids Research 12, 1984.

    Examples
    --------
    >>> model = WeightMatrix().fit(["aag", "acg", "ttc", "tgc"], ["site", "site", "none", "none"])
    >>> model.predict(["agg", "tac"]).tolist()
    ['site', 'none']
    """

    _parameter_constraints: dict = {"alpha": [number_above(0)], "alphabet": [str]}

    def __init__(self, alpha: float = 1.0, *, alphabet: str = "dna") -> None:
        self.alpha = alpha
        self.alphabet = alphabet

    def _learn_class(self, codes: np.ndarray, size: int) -> np.ndarray:
        counts = letter_counts(codes, size) + self.alpha
        return np.log(counts / counts.sum(axis=1, keepdims=True))

    def _log_likelihood(self, model: np.ndarray, codes: np.ndarray) -> np.ndarray:
        return looked_up(model, codes).sum(axis=1)
