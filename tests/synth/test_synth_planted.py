"""Planted features are where they are said to be."""

import numpy as np
import pytest

from fewer.core.records.errors import ParameterError
from fewer.synth import make_noise, make_planted, make_planted_regression


@pytest.mark.parametrize("make", [make_planted, make_planted_regression])
@pytest.mark.parametrize("shuffle", [False, True])
def test_copies_constants_and_noise(make, shuffle):
    s = make(2000, 3, 4, 5, 2, 6, blur=0.3, shuffle=shuffle, random_state=0)
    assert s.n_features == 20
    for j, name in enumerate(s.names):
        column = s.X[:, j]
        if name.startswith("duplicate"):
            np.testing.assert_array_equal(column, s.X[:, s.redundant[j]])
        if name.startswith("redundant"):
            rest = column - s.X[:, s.redundant[j]]
            assert abs(rest.std() - 0.3) < 0.02
            assert abs(rest.mean()) < 0.03
        if name.startswith("constant"):
            assert np.ptp(column) == 0
        assert name.startswith("relevant") == (j in s.relevant)
        assert name.startswith(("redundant", "duplicate")) == (j in s.redundant)
        assert name.startswith(("constant", "noise")) == (j in s.irrelevant)
    assert set(s.redundant.values()) == set(s.relevant)


def test_shuffling_moves_features_and_nothing_else():
    plain = make_planted(100, nominal=True, random_state=3)
    mixed = make_planted(100, nominal=True, shuffle=True, random_state=3)
    assert mixed.names != plain.names
    back = [mixed.names.index(name) for name in plain.names]
    np.testing.assert_array_equal(mixed.X[:, back], plain.X)
    assert [mixed.names[j] for j in mixed.nominal] == [plain.names[j] for j in plain.nominal]


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_class_means_are_the_shift_apart(n_classes):
    s = make_planted(30_000, 4, 0, 0, 0, 4, n_classes=n_classes, shift=1.5, random_state=1)
    sizes = np.bincount(s.y)
    assert sizes.max() - sizes.min() <= 1
    means = np.array([s.X[s.y == c].mean(axis=0) for c in range(n_classes)])
    np.testing.assert_allclose(np.diff(np.sort(means[:, :4], axis=0), axis=0), 1.5, atol=0.1)
    np.testing.assert_allclose(means[:, 4:], 0.0, atol=0.07)
    within = np.mean([s.X[s.y == c].var(axis=0) for c in range(n_classes)], axis=0)
    np.testing.assert_allclose(within, 1.0, atol=0.05)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_flips_are_counted(n_classes):
    clean = make_planted(201, n_classes=n_classes, random_state=5)
    dirty = make_planted(201, n_classes=n_classes, flip=0.1, random_state=5)
    np.testing.assert_array_equal(clean.X[:, :5], dirty.X[:, :5])
    assert (clean.y != dirty.y).sum() == 20


def test_the_nominal_feature_tells_the_class():
    s = make_planted(20_000, 1, 0, 0, 0, 1, nominal=True, n_classes=3, random_state=2)
    (j,) = s.nominal
    assert j in s.relevant
    codes = s.X[:, j]
    assert set(codes) == {0, 1, 2, 3, 4}
    for c in range(3):
        # With probability 0.6 the level is the class, else one of five levels.
        assert abs((codes[s.y == c] == c).mean() - (0.6 + 0.4 / 5)) < 0.02


def test_regression_is_a_weighted_sum():
    s = make_planted_regression(5000, 4, 0, 0, 0, 3, noise=0.5, random_state=0)
    weights, *_ = np.linalg.lstsq(s.X, s.y, rcond=None)
    assert np.all((np.abs(weights[:4]) > 0.95) & (np.abs(weights[:4]) < 2.05))
    np.testing.assert_allclose(weights[4:], 0.0, atol=0.05)
    assert abs((s.y - s.X @ weights).std() - 0.5) < 0.02


def test_regression_without_noise_is_exact():
    s = make_planted_regression(50, 4, 0, 0, 0, 3, noise=0.0, random_state=0)
    _, rest, rank, _ = np.linalg.lstsq(s.X[:, list(s.relevant)], s.y, rcond=None)
    assert rank == 4
    assert rest[0] < 1e-20


def test_nominal_levels_shift_the_regression_target():
    s = make_planted_regression(8000, 1, 0, 0, 0, 0, noise=0.1, nominal=True, random_state=0)
    (j,) = s.nominal
    assert j in s.relevant
    levels = np.eye(4)[s.X[:, j].astype(int)]
    effects = np.linalg.lstsq(np.column_stack([s.X[:, 0], levels]), s.y, rcond=None)[0][1:]
    np.testing.assert_allclose(effects, [-2, 1, -1, 2], atol=0.02)


def test_impossible_sizes():
    for make in (make_planted, make_planted_regression):
        with pytest.raises(ParameterError, match="nothing to copy"):
            make(n_relevant=0)
        with pytest.raises(ParameterError, match="no features"):
            make(n_relevant=0, n_redundant=0, n_duplicates=0, n_constant=0, n_noise=0)
        only_noise = make(n_relevant=0, n_redundant=0, n_duplicates=0, n_constant=0, n_noise=2)
        assert only_noise.relevant == ()
        assert only_noise.irrelevant == (0, 1)
    with pytest.raises(ParameterError, match="n_classes"):
        make_planted(n_classes=1)
    with pytest.raises(ParameterError, match="flip"):
        make_planted(flip=1.1)


def test_noise_holds_nothing():
    s = make_noise(20_000, 5, n_classes=4, random_state=0)
    assert np.bincount(s.y).tolist() == [5000] * 4
    means = np.array([s.X[s.y == c].mean(axis=0) for c in range(4)])
    np.testing.assert_allclose(means, 0, atol=0.07)
    assert s.relevant == ()
    assert s.irrelevant == (0, 1, 2, 3, 4)
