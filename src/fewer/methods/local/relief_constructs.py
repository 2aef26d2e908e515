"""New features out of those that matter together: constructive induction guided by ReliefF."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from fewer.core.estimators.contracts import BaseGenerator
from fewer.core.estimators.row_model import RowModel
from fewer.core.neighbours.relief_pairs import asking_rows, relief_pairs
from fewer.core.records.errors import InputError, NothingFoundWarning
from fewer.core.records.params import Interval
from fewer.core.records.ranking import steady
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View
from fewer.methods.local._constructs import LOGICAL, Construct, ConstructSearch, as_operators, parts_of

ONE_OR_MORE = Interval(Integral, 1, None, closed="left")


class ReliefConstructs(BaseGenerator, RowModel):
    """Make new features of those with the largest weights by ReliefF: conjunctions, disjunctions, sums and products.

    Features are ranked by `ReliefF`, or by `RReliefF` if the target is numeric, the best are combined, and the
    constructs of the largest weight kept (section 9.7.7 of [1]_). Tests such as ``x1=a`` of nominal features, and of
    numbers with two values, are joined by "and" and "or", numbers are added and multiplied. A beam search adds one part
    at a time. All constructs are weighed by the same pairs of near rows, found once by the features as given: with
    other distances their weights could not be compared.

    Parameters
    ----------
    n_constructs : int, default=10
        Largest number of new features.
    n_seeds : int, default=10
        Number of features, those of the largest weights, that are combined.
    operators : sequence of {"and", "or", "sum", "product"}, default=("and", "or", "sum", "product")
        How they are combined.
    beam_width : int, default=20
        Number of constructs of each operator and size that are kept to be enlarged.
    max_size : int, default=3
        Largest number of parts of a construct.
    n_neighbors : int, default=10
        Number of nearest rows of each class, or of all rows for a numeric target.
    n_samples : int or None, default=None
        Number of rows, drawn at random without replacement, that look for neighbours; None takes all, as far as they
        make no more than about four million pairs.
    categorical_features : array-like of int, str or bool, default=None
        Nominal columns besides those whose dtype says so.
    random_state : int, Generator or None, default=None
        Seed of the random part; the same number gives the same result.
    n_jobs : int or None, default=None
        Number of threads.

    Attributes
    ----------
    constructs_ : ResultTable
        One line per new feature, the best first: its name, operator and size, its score, and the largest score of a
        single feature in it; what exceeds that says more than its parts.
    feature_scores_ : ndarray of shape (n_features,)
        The weights of the features as given.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    See Also
    --------
    ReliefF : The weights.
    ReliefTree : Splits on features of large weight.

    Notes
    -----
    The text names the operators and that only promising features are combined; beam and sizes are those of the authors'
    later work. Each construct has one operator. Sums and products are of the numbers as given, so that units and
    origins matter: standardize columns whose origin has no meaning, after which a product is an interaction.
    Of columns that part the rows alike, or differ by unit and origin alone, the first stays, also against
    the features themselves; so ``a=0 and b=0`` and ``a=1 or b=1`` come once. A missing part leaves a conjunction with a
    false part false, a disjunction with a true part true, and makes all others missing; pairs with a missing value do
    not count in the weight of a construct. A level that was not fitted is none of the known ones.

    References
    ----------
    .. [1] M. Robnik-Šikonja and I. Kononenko, "Non-myopic feature quality evaluation with (R)ReliefF", in
       Computational Methods of Feature Selection, 2008.

    Examples
    --------
    An exclusive or of signs is the sign of a product:

    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, size=(300, 5))
    >>> y = (X[:, 1] > 0) ^ (X[:, 3] > 0)
    >>> made = ReliefConstructs(1).fit(X, y)
    >>> made.get_feature_names_out().tolist()
    ['x1 * x3']
    >>> bool(np.allclose(made.transform(X)[:, 0], X[:, 1] * X[:, 3]))
    True
    """

    method_tags = MethodTags(
        targets=("classes", "numbers"),
        views=("dense",),
        handles_nan=True,
        handles_nominal=True,
        invariance=("row_order_untied",),
        cost="n^2*d + n*n_neighbors*beam_width*n_seeds",
    )
    _parameter_constraints: dict = {
        "n_constructs": [ONE_OR_MORE],
        "n_seeds": [Interval(Integral, 2, None, closed="left")],
        # as_operators reads it and says in one sentence what is allowed.
        "operators": "no_validation",
        "beam_width": [ONE_OR_MORE],
        "max_size": [Interval(Integral, 2, None, closed="left")],
        "n_neighbors": [ONE_OR_MORE],
        "n_samples": [ONE_OR_MORE, None],
        "categorical_features": ["array-like", None],
        "random_state": [None, Interval(Integral, 0, None, closed="left"), np.random.Generator],
        "n_jobs": [None, ONE_OR_MORE, Interval(Integral, None, -1, closed="right")],
    }

    def __init__(
        self,
        n_constructs: int = 10,
        *,
        n_seeds: int = 10,
        operators: Sequence[str] = ("and", "or", "sum", "product"),
        beam_width: int = 20,
        max_size: int = 3,
        n_neighbors: int = 10,
        n_samples: int | None = None,
        categorical_features: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_constructs = n_constructs
        self.n_seeds = n_seeds
        self.operators = operators
        self.beam_width = beam_width
        self.max_size = max_size
        self.n_neighbors = n_neighbors
        self.n_samples = n_samples
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> ReliefConstructs:
        """Find the features to make.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            Classes or numbers.

        Returns
        -------
        self : object
            The fitted generator.
        """
        self._fit(X, y)
        return self

    def _learn(self, data: View) -> None:
        operators = as_operators(self.operators)
        if data.n_features < 2:
            raise InputError(
                f"ReliefConstructs combines features, but X has {data.n_features} feature(s), and two are the fewest; "
                "give more."
            )
        X = np.asarray(data.whole().X, dtype=np.float64)
        asking = asking_rows(data, self.n_neighbors, self.n_samples, self.random_state)
        pairs = relief_pairs(data, self.n_neighbors, asking)
        self.feature_scores_ = pairs.of_features()
        seeds = np.argsort(-steady(self.feature_scores_), kind="stable")[: self.n_seeds].tolist()
        tests, numbers = parts_of(X, data.nominal, seeds)
        search = ConstructSearch(X, pairs)
        for part in [*tests, *numbers]:
            search.know(part.values(X))
        found: list[tuple[float, Construct]] = []
        for operator in operators:
            parts = tests if operator in LOGICAL else numbers
            found += search.run(operator, parts, self.beam_width, self.max_size)
        best = np.argsort(-steady(np.array([weight for weight, _ in found])), kind="stable")[: self.n_constructs]
        self._constructs = [found[i][1] for i in best]
        self.constructs_ = self._table(data, [found[i][0] for i in best])
        if not len(best):
            warnings.warn(
                f"ReliefConstructs: no two of the {data.n_features} features could be combined into a new one by "
                f"{', '.join(operators)}; allow other operators, or give columns that are not constant.",
                NothingFoundWarning,
                stacklevel=4,
            )

    def _table(self, data: View, weights: list[float]) -> ResultTable:
        names = data.names if data.names is not None else [f"x{j}" for j in range(data.n_features)]
        columns = {
            "name": [made.name(names, self._labels_of_levels) for made in self._constructs],
            "operator": [made.operator for made in self._constructs],
            "size": [len(made.parts) for made in self._constructs],
            "score": weights,
            "best part": [max(self.feature_scores_[p.feature] for p in made.parts) for made in self._constructs],
        }
        return ResultTable("New features by their weights", columns)

    def transform(self, X: Any) -> np.ndarray:
        """Return the new features of rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows with all features that `fit` saw.

        Returns
        -------
        ndarray of shape (n_samples, n_constructs)
            Numbers; 1 and 0 for what is true and false; NaN where a missing value leaves it open.
        """
        rows = np.asarray(self._rows(X), dtype=np.float64)
        return np.column_stack([np.empty((len(rows), 0)), *(made.values(rows) for made in self._constructs)])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the new features, such as ``x1=a and x3=b`` or ``x2 * x7``.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the features; by default those seen during `fit`, or x0, x1, ...

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self, "constructs_")
        names = _check_feature_names_in(self, input_features)
        made = [construct.name(names, self._labels_of_levels) for construct in self._constructs]
        return np.asarray(made, dtype=object)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
