from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from fewer.core.records.errors import InputError, ParameterError
from fewer.methods.rank_order.explanation import separating_pairs
from oracles.order_classifiers import pair_share


def scores_by_loops(X, y):
    """The best difference of every ordered pair in favour of a class."""
    found = {}
    for i, j in permutations(range(X.shape[1]), 2):
        for c in sorted(set(y)):
            inside = pair_share(X, np.flatnonzero(y == c), i, j)
            outside = pair_share(X, np.flatnonzero(y != c), i, j)
            if inside - outside > found.get((i, j), (-1, None))[0] + 1e-12:
                found[i, j] = (inside - outside, c, inside, outside)
    return found


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_pairs_are_those_of_plain_loops(rng, n_classes, missing):
    X = rng.integers(0, 5, (40, 6)).astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    y = rng.integers(0, n_classes, 40)
    truth = scores_by_loops(X, y)
    found = separating_pairs(X, y, top=100)
    assert len(found) == 15
    for k in range(15):
        i, j = int(found.lower[k]), int(found.higher[k])
        score, label, inside, outside = truth[i, j]
        assert score >= truth[j, i][0] - 1e-12
        assert (found.score[k], found.inside[k], found.outside[k]) == pytest.approx((score, inside, outside))
        if n_classes > 2:
            assert found.label[k] == label
    assert (np.diff(found.score) <= 1e-12).all()


def test_two_classes_give_the_score_of_top_scoring_pairs(rng):
    X, y = rng.normal(size=(50, 5)), rng.integers(0, 2, 50)
    found = separating_pairs(X, y, top=10)
    for k in range(10):
        i, j = found.lower[k], found.higher[k]
        shares = [(X[y == c, i] < X[y == c, j]).mean() for c in (0, 1)]
        assert found.score[k] == pytest.approx(abs(shares[0] - shares[1]))


def test_features_limit_and_name_the_pairs(rng):
    frame = pd.DataFrame(rng.normal(size=(30, 5)), columns=list("abcde"))
    y = np.where(frame["b"] < frame["d"], "yes", "no")
    found = separating_pairs(frame, y, features=["d", "b", "e"], top=2)
    assert (found.lower[0], found.higher[0], found.score[0]) in [(1, 3, 1.0), (3, 1, 1.0)]
    assert set(found.lower) | set(found.higher) <= {1, 3, 4}
    table = found.table()
    assert table["class"][0] == ("yes" if table["lower"][0] == "b" else "no")
    assert list(found.to_frame().columns) == ["lower", "higher", "class", "inside", "outside", "score"]
    assert len(str(found).splitlines()) == 3
    numbers = separating_pairs(frame.to_numpy(), y, features=[3, 1, 4], top=2)
    np.testing.assert_array_equal(numbers.lower, found.lower)


def test_of_equal_scores_the_first_features_come_first():
    X = np.array([[1, 2, 3], [1, 2, 3], [3, 2, 1], [3, 2, 1]])
    found = separating_pairs(X, [0, 0, 1, 1])
    assert list(zip(found.lower, found.higher)) == [(0, 1), (0, 2), (1, 2)]
    assert found.label.tolist() == [0, 0, 0]


def test_figure_14_has_one_clean_relation():
    """Catalogue, Fig. 14 (C1 wxyz, xwzy; C2 yxzw, wzyx): only x before y holds in all of C1 and none of C2."""
    orders = ["wxyz", "xwzy", "yxzw", "wzyx"]
    X = np.array([[order.index(f) for f in "wxyz"] for order in orders])
    found = separating_pairs(X, ["C1", "C1", "C2", "C2"])
    clean = [(found.names[i], found.names[j]) for i, j, s in zip(found.lower, found.higher, found.score) if s == 1.0]
    assert clean == [("x1", "x2")]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"top": 0}, ParameterError, "top=0"),
        ({"features": [0]}, InputError, "1 feature"),
        ({"features": [0, 9]}, InputError, "no feature 9"),
        ({"features": ["x0", "x7"]}, InputError, "'x7'"),
        ({"y": [1, 1, 1, 1]}, InputError, "1 class"),
    ],
)
def test_what_cannot_be_compared_is_refused(rng, change, error, message):
    given = {"X": rng.normal(size=(4, 3)), "y": [0, 1, 0, 1], **change}
    with pytest.raises(error, match=message):
        separating_pairs(**given)
