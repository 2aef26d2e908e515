"""SPCA: sparse principal components, whose loadings select features."""

from __future__ import annotations

import warnings
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import COMMON_CONSTRAINTS
from fewer.core.estimators.selector import BaseSelector
from fewer.core.measures.principal import adjusted_variance, largest_signs
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.records.params import Interval, StrOptions
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import NOT_REACHED
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.search import top_ranked
from fewer.core.stop import Stop
from fewer.core.summaries.moments import ClassMoments
from fewer.core.views.spread import check_moments
from fewer.core.views.view import View
from fewer.methods.embedded._sparse_components import Components, SparseLoadings, unit_columns

# All products of columns are held at once, 8 bytes each.
MOST_PRODUCTS = 5_000
MOST_LINES = 50


class SPCA(BaseSelector):
    r"""Keep the features with a loading in sparse principal components.

    Components solve :math:`\min \sum_i \|x_i - A B^T x_i\|^2 + \lambda_2 \sum_k \|\beta_k\|^2 + \sum_k \lambda_{1,k}
    \|\beta_k\|_1` with :math:`A^T A = I` [1]_, by turns from the ordinary components: given A every column of B is an
    elastic net, given B the best A is a rotation. Loadings are the columns of B scaled to length 1. The score of a
    feature is the sum over components of their adjusted variance times its squared loading.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary), of the features
        with a loading; None keeps all of these.
    n_components : int, default=2
        Number of components; fewer where rows or columns are fewer.
    l1 : float, list of float or None, default=None
        The 1-norm penalty of all components, or of each.
    n_nonzero : int, list of int or None, default=None
        Number of loadings of all components, or of each, if ``l1`` is None; None is the number of features to select.
    l2 : float or None, default=None
        The quadratic penalty, above 0; infinity thresholds, which suits data with far more columns than rows. None is a
        millionth of the largest eigenvalue of the products of columns.
    input : {"rows", "gram"}, default="rows"
        Whether X holds rows, or the products of columns such as a covariance or correlation matrix.
    standardize : bool, default=False
        Whether columns are scaled to variance 1, so that correlations are analysed.
    tol : float, default=1e-3
        Largest change of a loading at which the turns end.
    max_iter : int, default=200
        Most iterations, turns of the two steps.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Loadings, each row of length 1 or 0, with its largest entry positive.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        What each component adds to those before it, as a fraction of all variance.
    mean_ : ndarray of shape (n_features,)
        Means of the columns, 0 for products.
    n_iter_ : int
        Number of turns.

    See Also
    --------
    fewer.measures.eigengenes : The ordinary components.
    fewer.measures.truncate_loadings : Sets small loadings of these to 0.

    Notes
    -----
    `transform` returns the kept columns; `project` the components of rows. "SparsePCA" of scikit-learn solves another
    problem. The problem is not convex: it is started from the ordinary components and has no random part. The number
    of loadings is met by ending the path of the elastic net before more enter. A finite ``l2`` needs the products of
    all columns, so at most 5,000 of them.

    References
    ----------
    .. [1] H. Zou, T. Hastie and R. Tibshirani, "Sparse principal component analysis", Journal of Computational and
       Graphical Statistics 15, 2006.
    .. [2] H. Zou and T. Hastie, "Model building and feature selection with genomic data", in: H. Liu and H. Motoda
       (eds.), Computational Methods of Feature Selection, 2008, section 20.6.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> found = SPCA(2, n_components=1).fit(X)
    >>> found.selection_.indices.tolist(), found.explained_variance_ratio_.round(2).tolist()
    ([2, 0], [0.77])
    """

    method_tags = MethodTags(targets=("none",), views=("dense",), nested=False, cost="n*d^2 + d^3")
    _parameter_constraints: dict = {
        **COMMON_CONSTRAINTS,
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "l1": ["array-like", Interval(Real, 0, None, closed="left"), None],
        "n_nonzero": ["array-like", Interval(Integral, 1, None, closed="left"), None],
        # `_parts` reads it.
        "l2": "no_validation",
        "input": [StrOptions({"rows", "gram"})],
        "standardize": ["boolean"],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        n_components: int = 2,
        l1: Any = None,
        n_nonzero: Any = None,
        l2: float | None = None,
        input: str = "rows",
        standardize: bool = False,
        tol: float = 1e-3,
        max_iter: int = 200,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.n_components = n_components
        self.l1 = l1
        self.n_nonzero = n_nonzero
        self.l2 = l2
        self.input = input
        self.standardize = standardize
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _parts(self) -> Parts:
        if self.l2 is not None and (not isinstance(self.l2, Real) or isinstance(self.l2, bool) or not self.l2 > 0):
            raise ParameterError(
                f"SPCA got l2={self.l2!r}, but needs a quadratic penalty above 0, infinity included; pass a small one "
                "such as 1e-6, or None."
            )
        for name, kind, least in (("l1", Real, 0), ("n_nonzero", Integral, 1)):
            given = getattr(self, name)
            if given is None or np.ndim(given) == 0:
                continue
            if len(given) != self.n_components:
                raise ParameterError(
                    f"SPCA got {len(given)} values of {name} for n_components={self.n_components}; pass one number, or "
                    "one per component."
                )
            if not all(isinstance(value, kind) and least <= float(value) < np.inf for value in given):
                raise ParameterError(
                    f"SPCA got {name}={given!r}, but takes {'whole ' if least else ''}numbers of at least {least}; "
                    "pass one number, or one per component."
                )
        return super()._parts()

    def _select(self, data: View, parts: Parts) -> Selection:
        root = self._root(data)
        d = data.n_features
        n_components = min(self.n_components, *root.shape)
        asked = parts.size.wanted(d).high if "subsets" in parts.size.abilities else d
        l1 = None if self.l1 is None else np.broadcast_to(np.asarray(self.l1, float), self.n_components)[:n_components]
        sizes = np.broadcast_to(asked if self.n_nonzero is None else self.n_nonzero, self.n_components)
        found = Components(root, self.l2, l1, np.minimum(sizes[:n_components], d)).solve(
            n_components, self.tol, self.max_iter
        )
        self._warn(found)
        loadings = unit_columns(found.beta)
        loadings = loadings * largest_signs(loadings)
        self.components_, self.n_iter_ = loadings.T, found.n_iter
        self.explained_variance_ratio_ = adjusted_variance(root, loadings)
        scores = loadings**2 @ self.explained_variance_ratio_
        return self._selection(scores, parts)

    def _selection(self, scores: np.ndarray, parts: Parts) -> Selection:
        chosen = top_ranked(lambda: Ranking(scores, tables=self._tables(scores)), parts.size)
        kept = chosen.indices[scores[chosen.indices] > 0]
        reasons = chosen.reasons
        none = np.setdiff1d(chosen.indices, kept)
        reasons.kind[none] = NOT_REACHED
        note = {**reasons.note, **{int(j): "no component has a loading of it" for j in np.flatnonzero(scores == 0)}}
        return Selection.build(
            kept, chosen.order, replace(reasons, note=note), scores, chosen.trace, chosen.columns, tables=chosen.tables
        )

    def _tables(self, scores: np.ndarray) -> dict[str, ResultTable]:
        shown = np.argsort(-scores, kind="stable")[: min(MOST_LINES, max(1, int((scores > 0).sum())))]
        heads = [f"component {k + 1}" for k in range(len(self.components_))]
        loadings = {head: row[shown] for head, row in zip(heads, self.components_)}
        variance = {"component": np.arange(1, len(heads) + 1), "adjusted variance": self.explained_variance_ratio_}
        return {
            "loadings": ResultTable("Loadings", {"feature": shown, **loadings}, "rows", ("feature",)),
            "variance": ResultTable("Variance that each component adds", variance, "rows"),
        }

    def _root(self, data: View) -> np.ndarray:
        """Return the centred rows, or the root of the products that were given."""
        X = np.asarray(data.whole().X, dtype=np.float64)
        if self.input == "gram":
            self.mean_ = np.zeros(X.shape[1])
            return _root_of(X)
        check_moments(data, data.fold(ClassMoments()))
        if X.shape[1] > MOST_PRODUCTS and (self.l2 is None or not np.isinf(self.l2)):
            raise RequirementError(
                f"SPCA got {X.shape[1]} columns and l2={self.l2}, but takes at most {MOST_PRODUCTS} columns unless "
                "l2 is infinite; pass l2=float('inf')."
            )
        self.mean_ = X.mean(axis=0)
        centred = X - self.mean_
        if not self.standardize:
            return centred
        size = np.sqrt((centred**2).mean(axis=0))
        return centred / np.where(size > 0, size, 1.0)

    def _warn(self, found: SparseLoadings) -> None:
        if found.change > self.tol and found.beta.any():
            warnings.warn(
                f"SPCA did not converge: after {self.max_iter} turns loadings still change by {found.change:.2g}, more "
                f"than tol={self.tol:g}; raise max_iter.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def project(self, X: Any) -> np.ndarray:
        """Return the components of rows: their centred columns times the loadings.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self, "selection_")
        return (validate_data(self, X, reset=False) - self.mean_) @ self.components_.T


def _root_of(gram: np.ndarray) -> np.ndarray:
    """Return a matrix whose products of columns are those given."""
    scale = np.abs(gram).max(initial=0.0)
    if gram.shape[0] != gram.shape[1] or np.abs(gram - gram.T).max(initial=0.0) > 1e-8 * scale:
        raise InputError(
            f"SPCA got input='gram' and X of shape {gram.shape}, which is not symmetric; pass a covariance or "
            "correlation matrix, or input='rows'."
        )
    values, vectors = np.linalg.eigh((gram + gram.T) / 2)
    if values[0] < -1e-8 * max(scale, values[-1]):
        raise InputError(
            f"SPCA got input='gram' and X with the negative eigenvalue {values[0]:.3g}, so that no data have these "
            "products; pass a covariance or correlation matrix."
        )
    return (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
