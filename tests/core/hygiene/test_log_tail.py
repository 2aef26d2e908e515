"""The tail of chi-squared beside scipy.stats."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from fewer.core.hygiene.log_tail import log_tail

STATISTICS = np.array(
    [0.0, 5e-324, 1e-300, 1e-12, 1e-3, 0.5, 1.0, 3.84, 10.0, 100.0, 700.0, 1400.0, 1e4, 1e300, np.inf]
)


@pytest.mark.parametrize("dof", [1, 2, 3, 7, 50, 999, 100_000])
def test_log_tail_is_that_of_scipy(dof):
    with np.errstate(divide="ignore"):
        expected = chi2.logsf(STATISTICS, dof)
    np.testing.assert_allclose(log_tail(STATISTICS, np.full(len(STATISTICS), dof)), expected, rtol=1e-9, atol=1e-15)


def test_log_tail_near_one_is_not_rounded_to_zero():
    # P(chi2 <= x) of 50 degrees at 5 is 1e-17 or so: 1 less it is 1, and its logarithm is not 0.
    found = log_tail(np.array([5.0]), np.array([50]))
    assert found[0] == pytest.approx(-chi2.cdf(5.0, 50), rel=1e-9)
    assert found[0] < 0.0


def test_log_tail_of_less_than_nothing_is_that_of_nothing_and_missing_stays_missing():
    found = log_tail(np.array([-1e-13, np.nan, 4.0]), np.array([3, 3, 3]))
    assert found[0] == 0.0
    assert np.isnan(found[1])
    assert found[2] == pytest.approx(chi2.logsf(4.0, 3), rel=1e-12)
