"""Slow truths about tests of independence: tables stratum by stratum through scipy, residuals of regressions."""

from __future__ import annotations

from math import atanh, inf, sqrt

import numpy as np
from scipy import stats


def stratified_test(x, y, given=(), lambda_="log-likelihood"):
    """Return (p, statistic, dof), summed over the strata that the given columns form."""
    strata = {}
    for i, z in enumerate(zip(*given) if len(given) else [()] * len(x)):
        strata.setdefault(z, []).append(i)
    statistic, dof = 0.0, 0
    for rows in strata.values():
        xs, ys = sorted({x[i] for i in rows}), sorted({y[i] for i in rows})
        table = np.zeros((len(xs), len(ys)))
        for i in rows:
            table[xs.index(x[i]), ys.index(y[i])] += 1
        if min(table.shape) > 1:
            found = stats.chi2_contingency(table, correction=False, lambda_=lambda_)
            statistic, dof = statistic + found.statistic, dof + found.dof
    return (stats.chi2.sf(statistic, dof) if dof else 1.0), statistic, dof


def n_cells(*columns):
    """Return the number of cells of the full table of columns."""
    cells = 1
    for column in columns:
        cells *= len(set(column))
    return cells


def partial_correlation(x, y, given=()):
    """Return the correlation of the residuals of two regressions on the given columns."""
    n = len(x)
    Z = np.column_stack([np.ones(n), *given])
    rx = x - Z @ np.linalg.lstsq(Z, x, rcond=None)[0]
    ry = y - Z @ np.linalg.lstsq(Z, y, rcond=None)[0]
    if np.std(rx) < 1e-7 * max(np.std(x), 1e-300) or np.std(ry) < 1e-7 * max(np.std(y), 1e-300):
        return 0.0
    return float(rx @ ry / sqrt((rx @ rx) * (ry @ ry)))


def fisher_z(x, y, given=()):
    """Return (p, z, dof); given columns are linearly independent."""
    dof = len(x) - len(given) - 3
    rho = abs(partial_correlation(np.asarray(x, float), np.asarray(y, float), given))
    z = inf if rho > 1 - 1e-12 else atanh(rho) * sqrt(dof)
    return 2 * stats.norm.sf(z), z, dof
