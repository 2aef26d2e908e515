"""Cross-validation by folds, slow and plain: naive Bayes, discriminant analysis and ridge row by row."""

from __future__ import annotations

import numpy as np


def naive_bayes(codes, y, fold, order, prior, near=1e-9):
    """Return whether each row is told rightly by naive Bayes that has not seen its fold."""
    right = np.zeros(len(y), dtype=bool)
    classes = range(int(y.max()) + 1)
    for i in range(len(y)):
        train = fold != fold[i]
        scores = []
        for c in classes:
            score = np.log(prior(y[train])[c])
            for j in order[fold[i]]:
                n_levels = codes[:, j].max() + 1
                alike = np.sum((y[train] == c) & (codes[train, j] == codes[i, j]))
                score += np.log((alike + 1) / (np.sum(y[train] == c) + n_levels))
            scores.append(score)
        right[i] = np.flatnonzero(np.array(scores) >= max(scores) - near)[0] == y[i]
    return right


def discriminant(Z, y, fold, columns, prior, shrinkage=0.1):
    """Return whether each row is told rightly by shrunken discriminant analysis that has not seen its fold."""
    right = np.zeros(len(y), dtype=bool)
    for f in np.unique(fold):
        train, test, chosen = fold != f, fold == f, columns[f]
        A, t = Z[train][:, chosen], y[train]
        means = np.array([A[t == c].mean(axis=0) for c in range(y.max() + 1)])
        within = (A - means[t]).T @ (A - means[t]) / (len(t) - len(means))
        within = (1 - shrinkage) * within + shrinkage * np.trace(within) / len(chosen) * np.eye(len(chosen))
        inverse = np.linalg.inv(within)
        scores = [
            Z[test][:, chosen] @ inverse @ m - m @ inverse @ m / 2 + np.log(prior(t)[c]) for c, m in enumerate(means)
        ]
        right[test] = np.argmax(scores, axis=0) == y[test]
    return right
