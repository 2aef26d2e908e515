"""Numbers at equal steps from a number that is no whole one: bits say as many steps as differences do."""

import numpy as np
import pytest

import fewer

# A step above the lowest is rounded to a number below the next one, 0.1 and 0.7, or to one above it, 2 ** 53 + 4.
STEPS = ([-0.9, 0.1, 1.1], [-1.3, -0.3, 0.7, 1.7, 2.7], [2.0**53, 2.0**53 + 2, 2.0**53 + 4])
METHODS = ("Relief", "ReliefF", "SURF", "SURFStar", "MultiSURF", "MultiSURFStar", "RReliefF")


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("values", STEPS)
@pytest.mark.parametrize("method", METHODS)
def test_the_lowest_number_does_not_change_the_steps(rng, method, values, missing):
    places = rng.integers(0, len(values), size=(30, 70)).astype(float)
    places[: len(values)] = np.arange(len(values))[:, None]
    places[len(values) :][rng.random((30 - len(values), 70)) < missing] = np.nan
    X = np.where(np.isnan(places), np.nan, np.array(values)[np.nan_to_num(places).astype(int)])
    y = np.arange(30) % 2
    got, expected = (getattr(fewer, method)(5).fit(data, y).scores_ for data in (X, places))
    np.testing.assert_allclose(got, expected, atol=1e-9)
