"""O-ReliefF and O-Simba: plain loops, facts of Hu et al. 2012, invariances, degenerate data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score

from fewer.core.kernels import dominance as kernels
from fewer.core.records.errors import InputError
from fewer.core.runners import progress
from fewer.methods.ordinal.orelief import OReliefF
from fewer.methods.ordinal.osimba import OSimba
from fewer.methods.relief.relieff import ReliefF
from fewer.methods.relief.simba import Simba
from fewer.synth.monotone import make_monotone
from oracles.ordinal_margins import o_relief, o_simba, summed_margins


def scores(X, y, **params):
    return OReliefF(None, **params).fit(X, y).scores_


def ordered_data(rng, n=40, p=4, n_classes=3):
    y = rng.integers(0, n_classes, n)
    X = rng.normal(size=(n, p))
    X[:, 0] += 2 * y
    return X, y


@pytest.mark.parametrize("hits", ["dominance", "nearest"])
@pytest.mark.parametrize("metric", ["manhattan", "euclidean"])
@pytest.mark.parametrize("k", [1, 3, 100])
def test_weights_agree_with_plain_loops(rng, hits, metric, k):
    X, y = ordered_data(rng)
    got = scores(X, y, hits=hits, metric=metric, n_neighbors=k)
    np.testing.assert_allclose(got, o_relief(X, y, k, hits, metric), atol=1e-10)


@pytest.mark.parametrize("p", [1, 2, 17, 70])
def test_weights_agree_with_plain_loops_in_many_dimensions(rng, p):
    X, y = ordered_data(rng, 25, p, 4)
    np.testing.assert_allclose(scores(X, y, n_neighbors=2), o_relief(X, y, 2), atol=1e-10)


@given(st.integers(0, 10**6), st.integers(1, 5), st.sampled_from(["dominance", "nearest"]))
def test_ties_go_to_the_lower_row(seed, k, hits):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (14, 3)).astype(float), np.r_[rng.integers(0, 3, 12), 0, 1]
    if len(np.unique(y)) == len(y) or np.bincount(y).max() < 2:
        return
    np.testing.assert_allclose(scores(X, y, n_neighbors=k, hits=hits), o_relief(X, y, k, hits), atol=1e-9)


def test_nominal_columns_differ_or_not_and_have_no_direction(rng):
    X, y = ordered_data(rng)
    X[:, 1] = rng.integers(0, 3, len(X))
    got = scores(X, y, n_neighbors=3, categorical_features=[1])
    nominal = [False, True, False, False]
    np.testing.assert_allclose(got, o_relief(X, y, 3, nominal=nominal), atol=1e-10)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["b"] = np.array(["red", "green", "blue"])[X[:, 1].astype(int)]
    np.testing.assert_allclose(OReliefF(None, n_neighbors=3).fit(frame, y).scores_, got, atol=1e-12)


def test_directions_decide_which_rows_compare(rng):
    X, y = ordered_data(rng, 60, 2)
    X[:, 1] = -X[:, 1] - y
    directions = [1, -1]
    got = scores(X, y, n_neighbors=2, monotone=directions)
    np.testing.assert_allclose(got, o_relief(X, y, 2, directions=directions), atol=1e-10)
    np.testing.assert_allclose(got, scores(X * directions, y, n_neighbors=2), atol=1e-9)
    np.testing.assert_array_equal(got, scores(X, y, n_neighbors=2, monotone={1: -1}))
    np.testing.assert_array_equal(got, scores(X, y, n_neighbors=2, monotone="auto"))
    np.testing.assert_allclose(
        scores(X, y, n_neighbors=2, monotone=[1, 0]), o_relief(X, y, 2, directions=[1, 0]), atol=1e-10
    )
    # Without any direction every hit compares with every row.
    np.testing.assert_array_equal(
        scores(X, y, n_neighbors=2, monotone=[0, 0]), scores(X, y, n_neighbors=2, hits="nearest")
    )


def test_four_rows_by_hand():
    """Each row has one miss and one hit; classes 0: 0, 1 and 1: 3, 4 on the first feature of range 4."""
    X, y = np.array([[0.0], [1], [3], [4]]), [0, 0, 1, 1]
    # Misses above of 0, 1: 3, 2; misses below of 3, 4: 2, 3; hits at 1 each, those of rows 1 and 2 by falling back.
    assert scores(X, y, n_neighbors=1)[0] == pytest.approx(((3 - 1) + (2 - 1) + (2 - 1) + (3 - 1)) / 4 / 4)


def test_a_side_without_misses_counts_nothing():
    """Two classes: rows of the lower one have no margin below, those of the upper one none above."""
    X, y = np.array([[0.0], [1], [10]]), np.array([0, 0, 1])
    # The only row of class 1 has no hit, so that it counts nothing either; divided by all three rows.
    assert scores(X, y, n_neighbors=1)[0] == pytest.approx(((10 - 1) + (9 - 1)) / 10 / 3)


def test_affine_maps_and_increasing_class_numbers_change_nothing(rng):
    X, y = ordered_data(rng)
    got = scores(X, y)
    np.testing.assert_allclose(scores(X * [4, 0.5, 8, 2] - [3, 0, 1, 9], y), got, rtol=1e-10)
    np.testing.assert_array_equal(scores(X, np.array([-5.0, 2.0, 77.0])[y]), got)
    frame = pd.Series(np.array(["bad", "fair", "good"])[y])
    ordered = frame.astype(pd.CategoricalDtype(["bad", "fair", "good"], ordered=True))
    np.testing.assert_array_equal(scores(X, ordered), got)
    np.testing.assert_array_equal(scores(X, frame, class_order=["bad", "fair", "good"]), got)
    # Turning classes and features around swaps above and below.
    np.testing.assert_allclose(scores(-X, -y), got, rtol=1e-9)


def test_two_classes_without_comparable_hits_are_those_of_the_plain_methods(rng):
    """With one other class and the nearest hits, there is one margin, that of ReliefF and Simba."""
    X, y = ordered_data(rng, 60, 7, 2)
    plain = ReliefF(None, n_neighbors=4).fit(X, y).scores_
    np.testing.assert_allclose(scores(X, y, n_neighbors=4, hits="nearest"), plain, atol=1e-10)
    climbed = Simba(None, random_state=3).fit(X, y)
    ours = OSimba(None, hits="nearest", random_state=3).fit(X, y)
    np.testing.assert_allclose(ours.scores_, climbed.scores_, rtol=1e-8)
    np.testing.assert_allclose(ours.margins_, climbed.margins_, rtol=1e-8)


def test_constants_and_copies(rng):
    X, y = ordered_data(rng)
    X = np.column_stack([X, np.full(len(X), 3.0), X[:, 0]])
    got = scores(X, y)
    assert got[4] == 0.0
    assert got[0] == got[5]
    assert got.argmax() == 0


def test_duplicated_rows_are_each_others_hits(rng):
    X, y = ordered_data(rng, 20)
    doubled = scores(np.repeat(X, 2, axis=0), np.repeat(y, 2), n_neighbors=1)
    # The nearest hit is the copy at distance 0, which also compares.
    np.testing.assert_allclose(doubled, o_relief(np.repeat(X, 2, axis=0), np.repeat(y, 2), 1), atol=1e-10)
    assert (doubled >= 0).all()


def test_more_features_than_rows_and_extreme_classes(rng):
    X = rng.normal(size=(8, 40))
    y = np.array([0, 0, 0, 0, 0, 0, 0, 9])
    np.testing.assert_allclose(scores(X, y, n_neighbors=3), o_relief(X, y, 3), atol=1e-10)
    assert np.isfinite(scores(X * 1e307, y)).all()


@pytest.mark.parametrize("method", [OReliefF, OSimba])
def test_one_row_per_class_is_refused(method):
    with pytest.raises(InputError, match="give at least one class two rows"):
        method().fit([[1.0], [2.0], [3.0]], [0, 1, 2])


def test_sampled_rows(rng):
    X, y = ordered_data(rng, 80)
    all_rows = scores(X, y)
    np.testing.assert_array_equal(scores(X, y, n_samples=80), all_rows)
    some = scores(X, y, n_samples=20, random_state=1)
    np.testing.assert_array_equal(some, scores(X, y, n_samples=20, random_state=1))
    assert not np.array_equal(some, all_rows)
    rows = np.random.default_rng(1).choice(80, 20, replace=False)
    np.testing.assert_allclose(some, o_relief(X, y, 10, rows=rows), atol=1e-10)
    for seed in ("x", -1):
        with pytest.raises(ValueError, match="random_state"):
            scores(X, y, n_samples=20, random_state=seed)


def test_log_neighbours(rng):
    X, y = ordered_data(rng, 55)
    np.testing.assert_array_equal(scores(X, y, n_neighbors="log"), scores(X, y, n_neighbors=4))


@pytest.mark.parametrize("method", [OReliefF(None), OSimba(None, random_state=0)])
def test_threads_change_nothing(rng, method):
    X, y = ordered_data(rng, 300, 5)
    one, two = (method.set_params(n_jobs=n).fit(X, y).scores_ for n in (1, 2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("hits", ["dominance", "nearest"])
def test_one_climb_agrees_with_plain_loops(rng, hits):
    X, y = ordered_data(rng, 24)
    X = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
    order, weights = rng.permutation(24), np.ones(4)
    kernels.ordinal_simba(X, y, 4, np.arange(4), hits == "dominance", order, weights)
    np.testing.assert_allclose(weights, o_simba(X, y, order, hits), rtol=1e-9)
    found = kernels.ordinal_margins(X, y, 4, np.arange(4), hits == "dominance", weights, 0, 24)
    assert found == pytest.approx(summed_margins(X, y, weights, hits))


def test_simba_keeps_the_best_of_its_climbs(rng):
    X, y = ordered_data(rng, 30)
    # A generator of climbs and one of its orders, as the class makes them.
    sources = np.random.default_rng(7).spawn(3)
    climbs = [o_simba(X, y, source.permutation(30)) for source in sources]
    margins = [summed_margins(X, y, w / np.abs(w).max()) for w in climbs]
    best = climbs[int(np.argmax(margins))]
    fitted = OSimba(None, n_starts=3, random_state=7).fit(X, y)
    np.testing.assert_allclose(fitted.margins_, margins, rtol=1e-9)
    np.testing.assert_allclose(fitted.scores_, best**2 / (best**2).max(), rtol=1e-8)


def test_simba_weights_lie_between_0_and_1_and_constants_have_none(rng):
    X, y = ordered_data(rng, 60, 6)
    X[:, 5] = 1.0
    got = OSimba(None, random_state=0).fit(X, y).scores_
    assert got.max() == 1.0
    assert got.min() >= 0.0
    assert got[5] == 0.0
    assert got.argmax() == 0


def test_simba_of_rows_in_zero_distance(rng):
    X = np.repeat(rng.integers(0, 2, (6, 3)), 4, axis=0).astype(float)
    got = OSimba(None, random_state=0).fit(X, rng.integers(0, 3, 24)).scores_
    assert np.isfinite(got).all()


@pytest.mark.parametrize("method", [OReliefF(None, n_neighbors="log"), OReliefF(None, n_neighbors=1), OSimba(None)])
def test_the_monotone_feature_gets_the_largest_weight(method):
    """Section 4.1 of the text, at 50 rows per class; the catalogue's checkable fact."""
    firsts = []
    for seed in range(10):
        data = make_monotone(50, random_state=seed)
        random = {"random_state": seed} if isinstance(method, OSimba) else {}
        firsts.append(int(method.set_params(**random).fit(data.X, data.y).scores_.argmax()))
    assert firsts == [0] * 10


def mean_noise(method, per_class, **params):
    """Mean over 10 runs of the weights of noise, scaled to [0, 1] and as fractions of the largest weight."""
    runs = []
    for seed in range(10):
        data = make_monotone(per_class, random_state=seed)
        weights = method(None, **{k: seed if k == "random_state" else v for k, v in params.items()})
        weights = weights.fit(data.X, data.y).scores_
        noise = weights[2:].mean()
        runs.append([(noise - weights.min()) / np.ptp(weights), noise / weights.max()])
    return np.mean(runs, axis=0)


@pytest.mark.parametrize("per_class", [10, 30, 60])
def test_noise_is_below_that_of_the_plain_methods(per_class):
    """Section 4.1 of the text; for O-ReliefF unscaled only, see studies/monotonic.py."""
    assert mean_noise(OSimba, per_class, random_state=0)[0] < mean_noise(Simba, per_class, random_state=0)[0]
    for k in (1, "log"):
        assert mean_noise(OReliefF, per_class, n_neighbors=k)[1] < mean_noise(ReliefF, per_class, n_neighbors=k)[1]


def test_simba_with_directions_and_nominal_columns(rng):
    X, y = ordered_data(rng, 30)
    X[:, 1], X[:, 2] = rng.integers(0, 3, 30), -X[:, 2] - y
    directions, nominal = [1, 0, -1, 0], [False, True, False, False]
    fitted = OSimba(None, n_starts=1, random_state=4, monotone={2: -1, 3: 0}, categorical_features=[1]).fit(X, y)
    order = np.random.default_rng(4).spawn(1)[0].permutation(30)
    climbed = o_simba(X, y, order, directions=directions, nominal=nominal)
    np.testing.assert_allclose(fitted.scores_, climbed**2 / (climbed**2).max(), rtol=1e-8)


@pytest.mark.parametrize("method", [OReliefF(None, n_neighbors="log"), OSimba(None, random_state=0)])
@pytest.mark.parametrize(("wrong", "least"), [(0.0, 0.85), (0.1, 0.6)])
def test_added_features_rank_below_the_original_ones(method, wrong, least):
    """Catalogue: 50 random features, then 10 % wrong classes, which leave two thirds of the pairs right."""
    rng = np.random.default_rng(0)
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[:300], np.where(rng.random(300) < wrong, y[:300], 1 - y[:300])
    got = method.set_params(monotone="auto").fit(np.column_stack([X, rng.random((300, 50))]), y).scores_
    assert roc_auc_score(np.arange(80) < 30, got) > least


def test_progress_reaches_the_end_on_any_number_of_threads(rng):
    X, y = ordered_data(rng, 150)
    for n_jobs in (1, 2):
        told = []
        with progress.listen(lambda what, done, total, told=told: told.append((what, done, total))):
            scores(X, y, n_jobs=n_jobs)
        assert told[-1] == ("OReliefF", 150, 150)
