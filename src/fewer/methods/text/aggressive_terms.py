"""Very few terms: rare ones go, then weak ones, then those that another term covers."""

from __future__ import annotations

from numbers import Real

import numpy as np

from fewer.core.estimators.covered_terms import COVERS, ON_PRESENCE, CoverSelector, constants
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import Interval, whole_from
from fewer.core.stop import Stop


class AggressiveTerms(CoverSelector):
    r"""Keep very few terms: frequent enough, among the most informative, and covered by no other.

    Three stages (section 16.3 of [1]_): terms that fewer than `min_df` rows have are left out; of the others a
    fraction `top_fraction`, those of highest information gain, is taken; of these, terms which another one covers and
    which cover none themselves are redundant. How well j stands for i is :math:`R(i, j) = \Phi(i, j)\, n_{ij} / n_i`
    (eq. 16.16), as in `RedundancyTree`. What is left is ranked by information gain, the score.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=None
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary). None keeps all
        that are not redundant.
    min_df : int, default=2
        Terms in fewer rows, which count by their weights, are left out.
    top_fraction : float, default=0.1
        Fraction of the terms that are frequent enough, those of highest information gain, among which redundancy is
        looked for; others are not reached. None takes all.
    protected : int, default=0
        So many terms, those of highest information gain, are never redundant.
    rule : {"tree", "matrix"}, default="tree"
        Which features are redundant: leaves of the trees, or features that are nobody's best cover, which keeps both
        of two duplicates.
    tau : float, default=0.5
        Two features belong to one set if one of them covers this fraction of the other; covers are looked for in the
        set.
    clip : bool, default=False
        Whether to cut :math:`\Phi` at 1, which features that tell little exceed.
    threshold : float, default=0.0
        A feature is present where its value is larger.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    tree_ : RedundancyForest
        The trees of all features; ``print(tree_)`` and ``tree_.plot()`` show them.

    See Also
    --------
    RedundancyTree : The third stage alone, for any binary features.
    Words : Makes terms of texts; leaves out stop words and stems the others, which the text counts to the first stage.

    Notes
    -----
    Stop words and stems belong to the making of terms: `Words` has both. The text does not say what comes in the place
    of terms that were removed; here the best of the terms that are left do, so that the result is a part of the
    ranking by information gain, in its order. The experiments of the text count features before the removal. It finds
    that removal pays where information gain falls slowly and hurts among the first ten or so: see `protected`. A term
    that was removed names the one that covers it best, which may have been removed itself.

    References
    ----------
    .. [1] M. Makrehchi and M. S. Kamel, "Aggressive feature selection by feature ranking", ch. 16 of H. Liu and
       H. Motoda (eds.), "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> X = [[1, 1, 0, 1], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    >>> selector = AggressiveTerms(top_fraction=None).fit(X, [0, 0, 0, 1, 1, 1])
    >>> selector.selection_.indices.tolist()
    [0, 2]
    >>> print(selector.selection_.reason(3))
    x3 is irrelevant: rank 4; score 0.132304; all features were asked for; in fewer than 2 rows.
    """

    method_tags = ON_PRESENCE
    _parameter_constraints: dict = {
        **COVERS,
        "min_df": [whole_from(1)],
        "top_fraction": [None, Interval(Real, 0, 1, closed="right")],
        "protected": [whole_from(0)],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        min_df: int = 2,
        top_fraction: float | None = 0.1,
        protected: int = 0,
        rule: str = "tree",
        tau: float = 0.5,
        clip: bool = False,
        threshold: float = 0.0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.min_df = min_df
        self.top_fraction = top_fraction
        self.protected = protected
        self.rule = rule
        self.tau = tau
        self.clip = clip
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _reached(self, order: np.ndarray, present: np.ndarray, absent: np.ndarray) -> tuple[np.ndarray, dict[int, str]]:
        # The fraction is one of the terms that the first stage has left, as section 16.3.2 counts them.
        few = np.flatnonzero(present < self.min_df) if self.min_df > 1 else ()
        if len(few) == len(order):
            raise ParameterError(
                f"AggressiveTerms got min_df={self.min_df}, but no term is in so many rows, which count by their "
                "weights; pass a smaller number, or weights of 1 on average."
            )
        rare = {int(j): f"in fewer than {self.min_df} rows" for j in few}
        notes = rare | constants(present, absent)
        left = order[~np.isin(order, list(notes))]
        return np.sort(left[: self._n_top(len(left))]), notes
