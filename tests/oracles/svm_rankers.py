"""Support vector machines and their rankers as written: kernels computed again, quadratic programs by scipy."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from sklearn.svm import SVC


def kernel_of(X, Z, kind, gamma=1.0, coef0=0.0, degree=1):
    """Return the kernel matrix, value by value."""
    out = np.empty((len(X), len(Z)))
    for h, x in enumerate(X):
        for k, z in enumerate(Z):
            if kind == "linear":
                out[h, k] = x @ z
            elif kind == "poly":
                out[h, k] = (gamma * (x @ z) + coef0) ** degree
            else:
                out[h, k] = np.exp(-gamma * ((x - z) ** 2).sum())
    return out


def program(Q, p, equal, upper, start):
    """Minimise ½ a'Qa + p'a with ``equal``'a unchanged and 0 <= a <= upper."""
    total = equal @ start
    found = minimize(
        lambda a: 0.5 * a @ Q @ a + p @ a,
        start,
        jac=lambda a: Q @ a + p,
        bounds=[(0.0, None if np.isinf(u) else u) for u in upper],
        constraints={"type": "eq", "fun": lambda a: equal @ a - total, "jac": lambda a: equal},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 2000},
    )
    return found.x


def row_weights(K, y, C):
    """Return y_k alpha_k of a machine with this kernel matrix."""
    machine = SVC(kernel="precomputed", C=C, tol=1e-10).fit(K, y)
    weights = np.zeros(len(y))
    weights[machine.support_] = machine.dual_coef_[0]
    return weights


def cost_change(X, weights, **kernel):
    """Return DJ(i) with the kernel computed again without each feature."""
    whole = weights @ kernel_of(X, X, **kernel) @ weights
    left = [np.delete(X, i, axis=1) for i in range(X.shape[1])]
    return np.array([0.5 * (whole - weights @ kernel_of(Z, Z, **kernel) @ weights) for Z in left])


def norm_slope(X, weights, h=1e-5, **kernel):
    """Return |∂|w|²/∂s_i| by differences."""
    out = []
    for i in range(X.shape[1]):
        up, down = X.copy(), X.copy()
        up[:, i] *= 1 + h
        down[:, i] *= 1 - h
        rise = weights @ (kernel_of(up, up, **kernel) - kernel_of(down, down, **kernel)) @ weights
        out.append(abs(rise / (2 * h)))
    return np.array(out)


def right_side(X, weights, y, **kernel):
    """Return R of all features less R_DM(i), eq. 4, with the mean put in place of each feature."""
    whole = y @ kernel_of(X, X, **kernel) @ weights
    out = []
    for i in range(X.shape[1]):
        Z = X.copy()
        Z[:, i] = X[:, i].mean()
        out.append(whole - y @ kernel_of(Z, Z, **kernel) @ weights)
    return np.array(out)


def removal_order(X, y, score, C, **kernel):
    """Return the features in the order in which they leave, one by one, each machine fitted from nothing."""
    left, gone = list(range(X.shape[1])), []
    while len(left) > 1:
        Z = X[:, left]
        weights = row_weights(kernel_of(Z, Z, **kernel), y, C)
        scores = right_side(Z, weights, y, **kernel) if score is right_side else score(Z, weights, **kernel)
        worst = max(np.flatnonzero(scores <= scores.min() + 1e-9 * abs(scores.min())))
        gone.append(left.pop(int(worst)))
    return gone


def bound(X, y, scales, C, **kernel):
    """Return R²W² with both duals solved by scipy."""
    Z, n = X * scales, len(y)
    K = kernel_of(Z, Z, **kernel) + np.eye(n) / C
    Q = np.outer(y, y) * K
    alpha = program(Q, -np.ones(n), y, np.full(n, np.inf), np.zeros(n))
    mu = program(2 * K, -K.diagonal(), np.ones(n), np.full(n, np.inf), np.full(n, 1.0 / n))
    return (2 * alpha.sum() - alpha @ Q @ alpha) * (mu @ K.diagonal() - mu @ K @ mu)


def tree_features(tree, X):
    """Return the importances of a fitted tree; of features that part the rows of a node alike the first counts."""
    found, out = tree.tree_, np.zeros(X.shape[1])

    def visit(node, rows):
        low, high = found.children_left[node], found.children_right[node]
        if low < 0:
            return
        goes_low = np.float32(X[rows, found.feature[node]]) <= found.threshold[node]
        parts = [found.impurity[k] * found.weighted_n_node_samples[k] for k in (node, low, high)]
        out[_first_alike(X[rows], goes_low)] += parts[0] - parts[1] - parts[2]
        visit(low, rows[goes_low])
        visit(high, rows[~goes_low])

    visit(0, np.arange(len(X)))
    return out / out.sum() if out.any() else out


def _first_alike(X, goes_low):
    for i, column in enumerate(X.T):
        ordered = goes_low[np.argsort(column, kind="stable")]
        # One change of side, between two different values.
        change = np.flatnonzero(ordered[1:] != ordered[:-1])
        values = np.sort(column)
        if len(change) == 1 and values[change[0]] < values[change[0] + 1]:
            return i
    raise AssertionError("the feature of the node itself parts its rows")
