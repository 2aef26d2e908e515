"""Noise added to given data: further features, wrong labels."""

import numpy as np
import pytest

from fewer.core.records.errors import InputError, ParameterError
from fewer.synth import add_noise_features, flip_labels


def test_noise_features_come_after_the_given_ones():
    X = np.arange(8000.0).reshape(2000, 4)
    more = add_noise_features(X, 50, random_state=0)
    np.testing.assert_array_equal(more[:, :4], X)
    assert more.shape == (2000, 54)
    np.testing.assert_allclose(more[:, 4:].mean(axis=0), 0, atol=0.12)
    np.testing.assert_allclose(more[:, 4:].std(axis=0), 1, atol=0.08)
    np.testing.assert_array_equal(add_noise_features(X, 0), X)


@pytest.mark.parametrize("labels", [[0, 1], ["a", "b", "c"], [-1.0, 1.0]])
def test_exactly_the_share_gets_another_label(labels):
    y = np.random.default_rng(0).choice(labels, 400)
    for share in (0.0, 0.1, 0.333, 1.0):
        wrong = flip_labels(y, share, random_state=1)
        assert (wrong != y).sum() == round(400 * share)
        assert set(wrong) <= set(labels)
        assert wrong.dtype == y.dtype
    assert y.shape == (400,)


def test_seeds_decide():
    X, y = np.zeros((30, 1)), np.arange(30) % 2
    np.testing.assert_array_equal(add_noise_features(X, 3, 1), add_noise_features(X, 3, np.random.default_rng(1)))
    np.testing.assert_array_equal(flip_labels(y, 0.2, 1), flip_labels(y, 0.2, 1))
    assert not np.array_equal(flip_labels(y, 0.2, 1), flip_labels(y, 0.2, 2))


def test_what_cannot_be_used_is_refused():
    with pytest.raises(InputError, match="1 dimension"):
        add_noise_features([1.0, 2.0])
    with pytest.raises(ParameterError, match="n_irrelevant"):
        add_noise_features([[1.0]], -1)
    with pytest.raises(InputError, match="at least two classes"):
        flip_labels([1, 1, 1])
    with pytest.raises(ParameterError, match="fraction"):
        flip_labels([0, 1], 1.5)
