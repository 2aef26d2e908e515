"""Agreement with scikit-rebate, where it is installed and defines the same."""

from __future__ import annotations

import numpy as np
import pytest
from relief_cases import landed

from oracles.relief import relieff, surf_family

skrebate = pytest.importorskip("skrebate", reason="scikit-rebate is not installed")

PEERS = {"ReliefF": "ReliefF", "MultiSURF": "MultiSURF", "MultiSURFStar": "MultiSURFstar"}
# Their radius is the mean over all entries of the distance matrix, with the zeros of rows to themselves.
OTHER_RADIUS = {"SURF": "SURF", "SURFStar": "SURFstar"}


def theirs(name, X, y, **given):
    return getattr(skrebate, name)(n_jobs=1, **given).fit(X.copy(), y.copy()).feature_importances_


def interaction(rng, n_rows=120, n_features=12):
    X = rng.normal(size=(n_rows, n_features)) * 10.0 ** rng.integers(-3, 4, n_features)
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("share", [0.5, 0.1])
def test_same_scores_on_numbers_and_two_classes(name, share, rng):
    X, y = interaction(rng)
    if share < 0.5:
        # Still more rows than neighbours.
        y = (np.arange(len(y)) < share * len(y)).astype(int)
    given = {"n_neighbors": 10} if name == "ReliefF" else {}
    ours = landed(name)(None, **given).fit(X, y).scores_
    np.testing.assert_allclose(ours, theirs(PEERS[name], X, y, **given), rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["MultiSURF", "MultiSURFStar"])
def test_same_scores_on_levels_and_two_classes(name, rng):
    X, y = rng.integers(0, 3, size=(100, 8)).astype(float), np.arange(100) % 2
    ours = landed(name)(None, categorical_features=list(range(8))).fit(X, y).scores_
    np.testing.assert_allclose(ours, theirs(PEERS[name], X, y), rtol=0, atol=1e-6)


def test_same_scores_with_more_features_than_fit_in_a_tile(rng):
    X, y = interaction(rng, 60, 700)
    ours = landed("ReliefF")(None).fit(X, y).scores_
    np.testing.assert_allclose(ours, theirs("ReliefF", X, y, n_neighbors=10), rtol=0, atol=1e-6)


@pytest.mark.parametrize("n_rare", [1, 4, 9, 10, 11])
def test_theirs_counts_a_row_as_its_own_hit_where_its_class_has_at_most_k(n_rare, rng):
    X, _ = interaction(rng, 40, 5)
    y = (np.arange(40) < n_rare).astype(int)
    found = theirs("ReliefF", X, y, n_neighbors=10)
    np.testing.assert_allclose(found, relieff(X, y, 10, own_hits=True), atol=1e-9)
    ours = landed("ReliefF")(None, n_neighbors=10).fit(X, y).scores_
    assert (np.abs(ours - found).max() < 1e-9) == (n_rare in (1, 11))


@pytest.mark.parametrize("name", ["ReliefF", "MultiSURF"])
def test_theirs_reads_columns_of_few_values_as_levels_and_has_a_ramp_beside_them(name, rng):
    X, y = interaction(rng, 60, 5)
    X[:, 4] = rng.integers(0, 2, 60)
    ours = landed(name)(None).fit(X, y).scores_
    assert np.abs(ours - theirs(name, X, y, **({"n_neighbors": 10} if name == "ReliefF" else {}))).max() > 1e-3


@pytest.mark.parametrize("name", OTHER_RADIUS)
def test_surf_differs_by_the_radius_alone(name, rng):
    X, y = interaction(rng, 40, 5)
    np.testing.assert_allclose(surf_family(X, y, name, with_self=True), theirs(OTHER_RADIUS[name], X, y), atol=1e-6)


def test_more_classes_are_weighted_otherwise(rng):
    """Ours by class fractions (Algorithm 9.3.1), theirs by the numbers of neighbours that were found."""
    X, y = rng.normal(size=(60, 4)), np.repeat([0, 1, 2], [40, 12, 8])
    ours = landed("ReliefF")(None, n_neighbors=5).fit(X, y).scores_
    np.testing.assert_allclose(ours, relieff(X, y, 5), atol=1e-9)
    assert np.abs(ours - theirs("ReliefF", X, y, n_neighbors=5)).max() > 1e-3
