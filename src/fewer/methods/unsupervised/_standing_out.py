"""Which columns follow the near rows of the other columns beyond chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.estimators.graph_scores import GraphOptions
from fewer.core.neighbours.laplacian import smoothness
from fewer.core.views.view import View

# Groups of columns, each scored on the graph of all others.
GROUPS = 10
# With fewer there is nothing to compare.
LEAST_FEATURES, LEAST_ROWS = 2, 3
# Shuffles of the rows, against which the scores are held; two of them may be as good at 5 %.
SHUFFLES = 59
OF_CHANCE = 0.05
# Of more rows these are drawn.
MOST_ROWS = 10_000


@dataclass(frozen=True, eq=False)
class StandingOut:
    """Scores of columns that take no part in the graph on which they are scored.

    Attributes
    ----------
    scores : ndarray of shape (n_features,)
        Two less the Laplacian score, 1 by chance; 0 for constant columns.
    pvalues : ndarray of shape (n_features,)
        Fraction of the shuffles, the data themselves being one, in which some column stands out as far.
    n_rows : int
        Rows that were looked at.
    """

    scores: np.ndarray
    pvalues: np.ndarray
    n_rows: int

    @property
    def beyond(self) -> np.ndarray:
        """Which columns stand out beyond chance."""
        return self.pvalues <= OF_CHANCE


def standing_out(view: View, options: GraphOptions) -> StandingOut:
    """Score every column on the graph of the others, and hold that against shuffled rows.

    A column in its own graph looks smooth by that alone, the more so if it has few values. Without it, a column that
    has nothing to do with the others is as good as shuffled, whatever its values are; so the share of shuffles that
    look as good is an exact p-value. Scores are compared between columns in units of their own spread by chance.

    Parameters
    ----------
    view : View
        Numbers without gaps, dense or sparse, in memory.
    options : GraphOptions
        How graphs are made.
    """
    rng = np.random.default_rng(0)
    n, d = view.n_rows, view.n_features
    if n > MOST_ROWS:
        view, n = view.rows(np.sort(rng.choice(n, MOST_ROWS, replace=False))), MOST_ROWS
    X = options.rows(view).X
    X = X.tocsc() if scipy.sparse.issparse(X) else X
    found = np.zeros((SHUFFLES + 1, d))
    if d < LEAST_FEATURES or n < LEAST_ROWS:
        return StandingOut(found[0], np.ones(d), n)
    group = np.arange(d) % min(GROUPS, d)
    orders = [np.arange(n), *(rng.permutation(n) for _ in range(SHUFFLES))]
    for g in range(min(GROUPS, d)):
        mine = np.flatnonzero(group == g)
        graph = options.graph(view, X[:, np.flatnonzero(group != g)])
        own = X[:, mine]
        for at, order in enumerate(orders):
            found[at, mine] = _scores(view.run, own.tocsr()[order] if scipy.sparse.issparse(own) else own[order], graph)
    return StandingOut(found[0], _pvalues(found), n)


def _scores(run: Any, X: Any, graph: Any) -> np.ndarray:
    summed = smoothness(run, X, graph)
    return np.where(summed.constant, 0.0, 2.0 - summed.laplacian)


def _pvalues(found: np.ndarray) -> np.ndarray:
    """Return single-step p-values of the largest standardized score; the first row holds the data themselves."""
    # The data count among the shuffles, so that under chance no row is special.
    centre, spread = found.mean(axis=0), found.std(axis=0)
    away = np.divide(found - centre, spread, out=np.zeros(found.shape), where=spread > 1e-12)
    largest = away.max(axis=1)
    return np.where(spread > 1e-12, (largest[:, None] >= away[0] - 1e-9).mean(axis=0), 1.0)
