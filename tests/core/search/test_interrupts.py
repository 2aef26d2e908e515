"""Ctrl-C: the best so far where a user called, an end where a program runs many fits."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

import fewer
from fewer.core.records.errors import ParameterError, SearchWarning


class Stopped(GaussianNB):
    """An estimator that the user stops at some fit."""

    fits, at = 0, 0

    def fit(self, X, y, sample_weight=None):
        Stopped.fits += 1
        if Stopped.fits == Stopped.at:
            raise KeyboardInterrupt
        return super().fit(X, y)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    yield X, (X[:, 1] > 0).astype(int)
    Stopped.fits = Stopped.at = 0


def search():
    return fewer.SequentialSelector(Stopped(), 3, cv=3)


def stop_at(fit):
    Stopped.fits, Stopped.at = 0, fit


def test_the_best_so_far_is_the_answer_and_is_said(data):
    stop_at(20)
    with pytest.warns(SearchWarning, match="interrupted after .* the best so far, 1 feature with"):
        selection = search().fit(*data).selection_
    assert selection.indices.tolist() == [1]
    assert "the user stopped it" in selection.reasons.rule


@pytest.mark.parametrize("fit", [1, 2])
def test_no_features_are_no_answer(data, fit):
    stop_at(fit)
    with pytest.raises(KeyboardInterrupt):
        search().fit(*data)


def test_a_grid_search_ends(data):
    stop_at(20)
    with pytest.raises(KeyboardInterrupt):
        GridSearchCV(make_pipeline(search(), GaussianNB()), {"gaussiannb__var_smoothing": [1e-9, 1e-3]}, cv=2).fit(
            *data
        )
    assert Stopped.fits == 20


def test_scores_that_are_not_numbers_are_refused(data):
    def broken(X, y):
        return np.array([1.0, np.nan, 2.0, np.nan])

    with pytest.raises(ParameterError, match="returned NaN for 2 of 4 features, the first being 1"):
        fewer.ScoreSelector(broken, 2).fit(*data)
