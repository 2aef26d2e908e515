"""What one half of the rows selects: by an L1 path, or by any selector."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lars_path

from fewer.core.importance.models import seeded
from fewer.core.records.errors import InputError
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.view import View
from fewer.methods.ensembles._importance_fits import seed_of

MOST_DRAWS = 1000


@dataclass(frozen=True, eq=False)
class HalfSamples:
    """Complementary pairs of halves of the rows, and the features that each of them selects.

    Attributes
    ----------
    view : View
        The data, worked on by one thread per half; may be sent to another process.
    ranker : selector or None
        What selects ``q`` features; None is the L1 path.
    q : int
        How many a half selects at most.
    seed : int
        Of the pairs, and of a selector with a random part.
    """

    view: View
    ranker: Any
    q: int
    seed: int

    @classmethod
    def of(cls, view: View, ranker: Any, q: int, seed: int) -> HalfSamples:
        """Prepare the work."""
        return cls(replace(view, run=ThreadRunner(1), _memo={}), ranker, q, seed)

    def __call__(self, number: int) -> np.ndarray:
        """Return the place of every feature among those that half ``number`` selects, 1 for the first, 0 for others."""
        rows = self.rows(number)
        if self.ranker is None:
            order = l1_order(self.view.whole().X[rows], _targets(self.view)[rows], self.q)
        else:
            made = clone(self.ranker).set_params(n_features_to_select=self.q)
            order = seeded(made, seed_of(self.seed, number)).fit_view(self.view.rows(rows)).selection_.indices[: self.q]
        places = np.zeros(self.view.n_features)
        places[order] = np.arange(1, len(order) + 1)
        return places

    def rows(self, number: int) -> np.ndarray:
        """Return the rows of a half; numbers 2 b and 2 b + 1 are a pair without a row in common."""
        pair, second = divmod(number, 2)
        rng, size, y = np.random.default_rng([self.seed, pair]), self.view.n_rows // 2, self.view.whole().y
        for _ in range(MOST_DRAWS):
            order = rng.permutation(self.view.n_rows)
            halves = np.sort(order[:size]), np.sort(order[size : 2 * size])
            if y is None or all((y[half] != y[half[:1]]).any() for half in halves):
                return halves[second]
        raise InputError(
            f"StabilitySelection drew {MOST_DRAWS} halves of {self.view.n_rows} rows, of which none had two different "
            "values of y in both; give more rows of the rarer classes."
        )


def _targets(view: View) -> np.ndarray:
    """Return numbers as one column, and classes as indicators, of which two classes need one."""
    y = view.whole().y
    if view.n_classes == 0:
        return y[:, None]
    indicators = (y[:, None] == np.arange(view.n_classes)).astype(float)
    return indicators[:, 1:] if view.n_classes == 2 else indicators


def l1_order(X: np.ndarray, targets: np.ndarray, most: int) -> np.ndarray:
    """Return the features in the order in which they enter the L1 path, as many as asked for or fewer.

    Columns and targets have mean 0 and length 1. With several targets a feature enters where the first path lets it.
    """
    X, targets = (_unit(np.asarray(part, dtype=np.float64)) for part in (X, targets))
    penalty = np.zeros(X.shape[1])
    for target in targets.T:
        with warnings.catch_warnings():
            # Columns that others explain wholly are left out, which is right.
            warnings.simplefilter("ignore", ConvergenceWarning)
            alphas, _, coefs = lars_path(X, target, method="lasso", max_iter=2 * most)
        inside = coefs != 0
        entered = inside.any(axis=1)
        # A coefficient is first seen not to be 0 one step after its feature has entered.
        first = np.maximum(inside.argmax(axis=1) - 1, 0)
        penalty[entered] = np.maximum(penalty[entered], alphas[first[entered]])
    order = np.argsort(-penalty, kind="stable")
    return order[penalty[order] > 0][:most]


def _unit(columns: np.ndarray) -> np.ndarray:
    centred = columns - columns.mean(axis=0)
    length = np.sqrt((centred**2).sum(axis=0))
    return centred / np.where(length > 0, length, 1.0)
