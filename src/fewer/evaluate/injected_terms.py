"""How much a classifier loses when half of its features are copies, or noise (book ch. 16, section 16.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.records.errors import ParameterError
from fewer.core.views.row_splits import make_splits
from fewer.evaluate.f_measures import macro_f1
from fewer.synth.injected import redundancy_noise_sets

SETS = ("best", "redundant", "noisy")


def injection_experiment(
    X: Any,
    y: Any,
    rankings: Any,
    estimator: Any,
    *,
    sizes: Sequence[int] = (5, 10, 15, 20, 25, 30, 35, 40),
    cv: Any = 5,
    noise: float = 0.01,
    random_state: Any = None,
) -> dict[str, Any]:
    """Compare the best features with the same number half of which are copies, or the worst.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        The classes.
    rankings : callable or array-like of int of shape (n_features,)
        Numbers of the features, best first, or a function of the training rows X and y that returns them. A ranking
        that knows the test rows makes all three sets look better.
    estimator : classifier
        What learns from each set.
    sizes : sequence of int, default=(5, 10, 15, 20, 25, 30, 35, 40)
        How many features the sets have.
    cv : int, str, splitter or iterable, default=5
        Splits of the rows.
    noise : float, default=0.01
        What copies differ by, see `redundancy_noise_sets`.
    random_state : int, Generator or None, default=None
        Seed of the noise.

    Returns
    -------
    dict
        "scores": the macro-averaged F1 of every set, an array (n_sizes, n_folds) each; "best", "redundant", "noisy":
        their means; "redundant / best", "noisy / best": what is left, F_r / F and F_n / F of the text.
    """
    from sklearn.base import clone

    if not len(sizes):
        raise ParameterError("injection_experiment got no sizes, but needs one at least; pass for example [10, 20].")
    labels = np.asarray(y)
    X = scipy.sparse.csr_array(X) if scipy.sparse.issparse(X) else np.asarray(X)
    splits, rng = (
        make_splits(cv, np.unique(labels, return_inverse=True)[1], "classification"),
        np.random.default_rng(random_state),
    )
    scores = {name: np.empty((len(sizes), len(splits))) for name in SETS}
    for fold, (train, test) in enumerate(zip(splits.train, splits.test)):
        order = rankings(X[train], labels[train]) if callable(rankings) else rankings
        for place, size in enumerate(sizes):
            made = redundancy_noise_sets(X, order, int(size), noise=noise, random_state=rng)
            for name, columns in zip(SETS, made):
                rows = scipy.sparse.csr_array(columns) if scipy.sparse.issparse(columns) else columns
                fitted = clone(estimator).fit(rows[train], labels[train])
                scores[name][place, fold] = macro_f1(labels[test], fitted.predict(rows[test]))
    means = {name: float(found.mean()) for name, found in scores.items()}
    left = {f"{name} / best": means[name] / means["best"] if means["best"] else float("nan") for name in SETS[1:]}
    return {"scores": scores, **means, **left}
