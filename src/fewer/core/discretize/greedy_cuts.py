"""The non-myopic discretizer: cuts that keep near rows of different classes apart."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from scipy.special import gammaln
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from fewer.core.discretize.cuts import Cuts
from fewer.core.discretize.discretizer import Discretizer, columns_of
from fewer.core.kernels import code_cuts, pair_cuts
from fewer.core.reading.targets import are_labels, warn_of_numbers, why_numbers
from fewer.core.records.errors import InputError, RequirementError
from fewer.core.records.params import Interval, StrOptions

COLUMNS_PER_TASK = 4
# Writes the best cuts of a feature, given the places of its values, and returns their number.
Search = Callable[[np.ndarray, int, np.ndarray], int]


class GreedyDiscretizer(Discretizer):
    r"""Cut each feature where that tells near rows of different classes apart, evaluated in the light of all features.

    The quality of a feature with cuts is its weight by ReliefF, or by RReliefF if the target is numeric, where two
    values differ by 0 inside an interval and by 1 otherwise: the mean over the rows of the fraction of their nearest
    misses that the cuts separate from them, less that of their nearest hits (book chapter 9, Alg. 9.3.1; Alg. 9.3.2
    for numbers). The cut that raises it most is added, again and again, until none does. Neighbours are found
    once, by all features uncut, so that a feature is cut well that tells classes apart only together with others.

    Parameters
    ----------
    max_bins : int, default=10
        Most levels of a feature.
    measure : {"relief", "mdl"}, default="relief"
        The quality: as above, or how much shorter the code of the classes gets by the levels (`fewer.MDLScore`), which
        looks at the feature alone and needs classes.
    charge_boundary : bool, default=False
        With "mdl": whether a cut costs the code of its place among the B possible ones, ln(B) / n, without which the
        best of many places nearly always gains a little.
    n_neighbors : int, default=10
        Neighbours of each class, or of all rows if the target is numeric.
    lookahead : int, default=0
        How many cuts in a row may fail to improve the quality before the search ends; the best cuts until then are
        kept. 0 and 1 end it at the first that fails.
    n_samples : int, default=None
        How many rows, chosen at random, look for neighbours; by default all, as far as they make no more than about
        four million pairs.
    random_state : int, Generator or None, default=None
        Seed of the choice of rows.

    Attributes
    ----------
    cuts_ : Cuts
        Edges and levels of every feature.

    See Also
    --------
    MDLDiscretizer : Looks at one feature at a time.

    Notes
    -----
    Cuts lie halfway between neighbouring values. Numeric features count |a - b| / range in the distance, nominal ones
    whether they differ, and a missing value the mean difference from the known values of its class, as in ReliefF; a
    pair with a missing value does not count for the cuts of that feature. Sample weights play no part. As any local
    optimum does, this one also cuts noise: among many cuts some gain a little, and ``max_bins`` bounds how many of
    those are made.

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, chapter 9, section 9.7.5, 2008.
    .. [2] M. Robnik and I. Kononenko, "Discretization of continuous attributes using ReliefF", ERK, 1995.

    Examples
    --------
    The class says whether two numbers lie on the same side of one half; each alone says nothing.

    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((300, 2))
    >>> y = (X[:, 0] < 0.5) == (X[:, 1] < 0.5)
    >>> made = GreedyDiscretizer(max_bins=2).fit(X, y)
    >>> [made.cuts_.of(j).round(1).tolist() for j in range(2)]
    [[0.5], [0.5]]
    """

    _parameter_constraints: dict = {
        "max_bins": [Interval(Integral, 1, 65535, closed="both")],
        "measure": [StrOptions({"relief", "mdl"})],
        "charge_boundary": ["boolean"],
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "lookahead": [Interval(Integral, 0, None, closed="left")],
        "n_samples": [None, Interval(Integral, 1, None, closed="left")],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
    }

    def __init__(
        self,
        max_bins: int = 10,
        measure: str = "relief",
        charge_boundary: bool = False,
        n_neighbors: int = 10,
        lookahead: int = 0,
        n_samples: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.max_bins = max_bins
        self.measure = measure
        self.charge_boundary = charge_boundary
        self.n_neighbors = n_neighbors
        self.lookahead = lookahead
        self.n_samples = n_samples
        self.random_state = random_state

    def _learn(self, data: Any) -> Cuts:
        block = data.whole()
        _refuse(data, block, self.measure)
        search = self._by_code(data, block) if self.measure == "mdl" else self._by_pairs(data, block)

        def work(start: int, stop: int) -> list[np.ndarray]:
            columns = zip(columns_of(block.X, start, stop), data.nominal[start:stop])
            return [np.empty(0) if nominal else self._edges(column, search) for column, nominal in columns]

        parts = data.run.scan(work, data.n_features, COLUMNS_PER_TASK)
        return Cuts.from_lists([edges for part in parts for edges in part])

    def _by_pairs(self, data: Any, block: Any) -> Search:
        """Return the search by ReliefF or RReliefF."""
        # All methods on levels know this discretizer, and few use it: neighbours are loaded with the first use.
        from fewer.core.neighbours.relief_pairs import asking_rows, relief_pairs

        rows = asking_rows(data, self.n_neighbors, self.n_samples, self.random_state)
        pairs = relief_pairs(data, self.n_neighbors, rows).lists

        def search(places: np.ndarray, n_places: int, out: np.ndarray) -> int:
            return pair_cuts.greedy_pair_cuts(*pairs, places, n_places, self.max_bins - 1, self.lookahead, out)

        return search

    def _by_code(self, data: Any, block: Any) -> Search:
        """Return the search by the length of the code of the classes."""
        log_factorial = gammaln(np.arange(1.0, block.n_rows + data.n_classes + 1.0))

        def search(places: np.ndarray, n_places: int, out: np.ndarray) -> int:
            counts = np.zeros((n_places, data.n_classes), np.int64)
            known = places >= 0
            np.add.at(counts, (places[known], block.y[known]), 1)
            price = float(np.log(max(1, n_places - 1))) if self.charge_boundary else 0.0
            return code_cuts.greedy_code_cuts(counts, log_factorial, price, self.max_bins - 1, self.lookahead, out)

        return search

    def _edges(self, column: np.ndarray, search: Search) -> np.ndarray:
        """Return the cuts of one feature, ascending."""
        present = column == column
        values, numbers = np.unique(column[present], return_inverse=True)
        places = np.full(len(column), -1, np.int32)
        places[present] = numbers
        found = np.empty(self.max_bins, np.int64)
        cut = np.sort(found[: search(places, len(values), found)])
        middle = 0.5 * values[cut] + 0.5 * values[cut + 1]
        # The upper value must stay on the right of the edge.
        return np.where(middle < values[cut + 1], middle, values[cut])

    def _checked(self, X: Any, y: Any) -> tuple[Any, np.ndarray | None, int]:
        X, y = self._numbers(X, y, reset=True)
        y = column_or_1d(y)
        if self.measure == "mdl":
            check_classification_targets(y)
        elif not are_labels(y):
            warn_of_numbers(type(self).__name__, why_numbers(y))
            return X, y.astype(np.float64), 0
        classes, numbers = np.unique(y, return_inverse=True)
        return X, numbers.astype(np.int64), len(classes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = self.measure == "mdl"
        tags.non_deterministic = self.n_samples is not None
        return tags


def _refuse(data: Any, block: Any, measure: str) -> None:
    """Raise if there is no target to fit, or no dense rows to compare."""
    if block.y is None:
        raise RequirementError(
            "GreedyDiscretizer compares near rows by their target, but there is none; pass y or use EqualFrequency."
        )
    if measure == "mdl" and data.n_classes < 1:
        raise RequirementError(
            "GreedyDiscretizer with measure='mdl' needs classes, but the target is numeric; pass class labels as y or "
            "use measure='relief'."
        )
    if measure == "relief" and block.kind != "dense":
        raise InputError(
            f"GreedyDiscretizer compares rows, which takes dense data, but got a {block.kind} matrix; pass "
            "X.toarray(), or use the discretizer 'mdl'."
        )
    if not np.isfinite(block.y).all():
        raise InputError("GreedyDiscretizer got a target with NaN or infinity; drop or fill in those rows.")
