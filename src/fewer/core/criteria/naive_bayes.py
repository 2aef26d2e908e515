"""Naive Bayes, from logarithms of likelihoods that are kept per test row and class."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.naive_bayes import BernoulliNB, GaussianNB

from fewer.core.criteria.fast import FastCrossValidated, FoldModel, moved, softmax
from fewer.core.criteria.folds import Folds
from fewer.core.kernels import evaluators_bayes as kernels

# After this many moves of one feature the sums are made again.
MOST_MOVES = 10_000
# Sums of log likelihoods from which nothing is taken away.
HUGE = 1e12
# Numbers in the tables of all folds; with more of them the estimator itself is used.
MOST_CELLS = 2**27
# Levels that a column of codes may have.
MOST_LEVELS = 2**16


class BayesModel(FoldModel):
    """Sums of log likelihoods per test row and class; the classes of a fold that has none of them get none."""

    def __init__(self, folds: Folds, fit_prior: bool = True) -> None:
        super().__init__(folds)
        self.n_outputs = folds.n_classes
        self.weight = np.ones(len(folds.y)) if folds.weight is None else folds.weight.astype(np.float64)
        self.class_weight = np.array(
            [np.bincount(folds.numbers[t], self.weight[t], folds.n_classes) for t, _ in folds.splits]
        )
        present = folds.class_counts > 0
        shares = self.class_weight if fit_prior else present.astype(np.float64)
        with np.errstate(divide="ignore"):
            self.prior = np.where(present, np.log(shares / shares.sum(axis=1, keepdims=True)), -np.inf)
        self.high = np.zeros((len(folds.test), self.n_outputs))
        self.low = np.zeros_like(self.high)
        self.members, self.moves = np.empty(0, np.int64), 0

    @property
    def suits(self) -> bool:
        """Whether the sums hold what the estimator does: not for classes whose weight is 0."""
        return bool((self.class_weight[self.folds.class_counts > 0] > 0).all())

    def probabilities(self, answers: np.ndarray) -> np.ndarray:
        """Return the posterior probabilities."""
        return softmax(answers)

    def _difference(self, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what joins and what leaves; everything joins if that is shorter."""
        joining, leaving = moved(self.members, members)
        if len(joining) + len(leaving) > len(members) or self.moves > MOST_MOVES:
            self.high[:], self.low[:], self.moves = 0.0, 0.0, 0
            joining, leaving = members, leaving[:0]
        self.members, self.moves = members, self.moves + len(joining) + len(leaving)
        return joining, leaving


class GaussianModel(BayesModel):
    """One Gaussian per feature and class, its variance raised by a fraction of the largest variance of the subset."""

    def __init__(self, folds: Folds, smoothing: float) -> None:
        super().__init__(folds)
        self.smoothing = float(smoothing)
        shape = (folds.n_folds, folds.n_features, folds.n_classes)
        self.mean, self.var = np.zeros(shape), np.ones(shape)
        self.spread = np.empty(shape[:2])
        X = np.asarray(folds.X, dtype=np.float64)
        for f, (train, _) in enumerate(folds.splits):
            rows = X[train]
            self.spread[f] = rows.var(axis=0)
            for c in np.flatnonzero(folds.class_counts[f]):
                here = folds.numbers[train] == c
                weight = None if folds.weight is None else self.weight[train][here]
                self.mean[f, :, c] = np.average(rows[here], axis=0, weights=weight)
                self.var[f, :, c] = np.average((rows[here] - self.mean[f, :, c]) ** 2, axis=0, weights=weight)
        self.extra = np.zeros(folds.n_folds)

    def move(self, members: np.ndarray, run: Any) -> None:
        """Add and take away features; folds where the variances are raised otherwise now begin again."""
        extra = self.smoothing * self.spread[:, members].max(axis=1, initial=0.0)
        joining, leaving = self._difference(members)
        new = (extra != self.extra) | (extra == 0) | (len(joining) == len(members))
        folds = self.folds
        rows = np.repeat(new, np.diff(folds.test_bounds))
        self.high[rows], self.low[rows] = 0.0, 0.0
        for features, sign, which in ((members, 1.0, new), (joining, 1.0, ~new), (leaving, -1.0, ~new)):
            if len(features) and which.any():
                kernels.add_gaussians(
                    folds.columns, features, sign, folds.test, folds.test_bounds, which, self.mean, self.var, extra,
                    self.high, self.low,
                )  # fmt: skip
        peak = np.maximum.reduceat(np.abs(self.high).max(axis=1), folds.test_bounds[:-1])
        # Such sums, and those that are not numbers, would leave rounding behind: they are made again every time.
        self.extra = np.where(peak < HUGE, extra, -1.0)

    def answers(self, members: np.ndarray, candidates: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray]:
        """Return prior and likelihood of every class."""
        folds = self.folds
        out = np.empty((len(candidates), len(folds.test), self.n_outputs))
        doubt = np.zeros((len(candidates), folds.n_folds), bool)
        kernels.gaussian_answers(
            folds.columns, members, candidates, sign, folds.test, folds.test_bounds, self.mean, self.var, self.spread,
            self.smoothing, self.extra, self.prior, self.high, self.low, out, doubt,
        )  # fmt: skip
        return out, doubt


class LevelModel(BayesModel):
    """One probability per feature, level and class."""

    def __init__(self, folds: Folds, codes: np.ndarray, n_levels: np.ndarray, fit_prior: bool) -> None:
        super().__init__(folds, fit_prior)
        self.codes, self.n_levels = codes, n_levels
        self.offsets = np.concatenate([[0], np.cumsum(n_levels)])[:-1].astype(np.int64)
        self.counts = np.zeros((folds.n_folds, int(n_levels.sum()), folds.n_classes))
        kernels.count_levels(
            codes, self.offsets, folds.numbers, self.weight, folds.train, folds.train_bounds, self.counts
        )
        self.broken = np.zeros((folds.n_folds, folds.n_features), np.int64)
        self.table = np.zeros_like(self.counts)

    @property
    def suits(self) -> bool:
        """Whether all logarithms are finite besides."""
        return super().suits and bool(np.isfinite(self.table).all())

    def bernoulli(self, alpha: float) -> LevelModel:
        """Fill in the probabilities of 0 and 1 as `BernoulliNB` does."""
        ones, weight = self.counts[:, 1::2], self.class_weight[:, None, :]
        with np.errstate(divide="ignore"):
            self.table[:, 1::2] = np.log(ones + alpha) - np.log(weight + 2 * alpha)
            self.table[:, ::2] = np.log(1 - np.exp(self.table[:, 1::2]))
        return self._without_absent()

    def categorical(self, alpha: float, least: int) -> LevelModel:
        """Fill in the probabilities of the levels as `CategoricalNB` does, with those that occur in training."""
        folds = self.folds
        for f, (train, test) in enumerate(folds.splits):
            known = np.maximum(self.codes[:, train].max(axis=1) + 1, least)
            self.broken[f] = self.codes[:, test].max(axis=1) >= known
            for j, start in enumerate(self.offsets):
                smoothed = self.counts[f, start : start + known[j]] + alpha
                with np.errstate(divide="ignore", invalid="ignore"):
                    self.table[f, start : start + known[j]] = np.log(smoothed) - np.log(smoothed.sum(axis=0))
        return self._without_absent()

    def _without_absent(self) -> LevelModel:
        absent = self.folds.class_counts == 0
        self.table[np.broadcast_to(absent[:, None, :], self.table.shape)] = 0.0
        return self

    def move(self, members: np.ndarray, run: Any) -> None:
        """Add and take away features."""
        folds = self.folds
        joining, leaving = self._difference(members)
        for features, sign in ((joining, 1.0), (leaving, -1.0)):
            kernels.add_levels(
                self.codes, self.offsets, features, sign, folds.test, folds.test_bounds, self.table, self.high, self.low
            )

    def answers(self, members: np.ndarray, candidates: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray]:
        """Return prior and likelihood of every class."""
        folds = self.folds
        out = np.empty((len(candidates), len(folds.test), self.n_outputs))
        doubt = np.zeros((len(candidates), folds.n_folds), bool)
        kernels.level_answers(
            self.codes, self.offsets, members, candidates, sign, folds.test, folds.test_bounds, self.table, self.broken,
            self.prior, self.high, self.low, out, doubt,
        )  # fmt: skip
        return out, doubt


class NaiveBayes(FastCrossValidated):
    """`CrossValidated` for naive Bayes: each feature adds its log likelihood to sums per test row and class.

    Parameters
    ----------
    estimator : GaussianNB, BernoulliNB or CategoricalNB
        Without given priors; with one ``alpha`` for all features.
    scoring, cv, groups
        As for `CrossValidated`. Scores that look at the order of probabilities, such as "roc_auc", are a short cut for
        `GaussianNB` only.
    """

    def _model(self, folds: Folds) -> BayesModel | None:
        if not isinstance(self.estimator, GaussianNB) and not self._ignores_order:
            return None
        made = self._made(folds)
        return made if made is not None and made.suits else None

    @property
    def _ignores_order(self) -> bool:
        """Whether the score does not look at the order of probabilities.

        Rows that differ in their levels often have equal probabilities, and rounding would put them in order.
        """
        name = self.score_name
        return name is not None and not name.startswith(("roc_auc", "average_precision", "top_k"))

    def _made(self, folds: Folds) -> BayesModel | None:
        estimator = self.estimator
        if isinstance(estimator, GaussianNB):
            return GaussianModel(folds, estimator.var_smoothing)
        X = np.asarray(folds.X)
        alpha = float(estimator.alpha) if estimator.force_alpha else max(float(estimator.alpha), 1e-10)
        least = 2
        if isinstance(estimator, BernoulliNB):
            if estimator.binarize is None and not np.isin(X, (0, 1)).all():
                return None
            codes = ((0.5 if estimator.binarize is None else estimator.binarize) < X).T
            n_levels = np.full(folds.n_features, 2)
        else:
            codes, least = X.astype(np.int64).T, estimator.min_categories or 1
            n_levels = np.maximum(codes.max(axis=1) + 1, least)
            if X.min(initial=0) < 0 or n_levels.max() > MOST_LEVELS:
                return None
        if folds.n_folds * int(n_levels.sum()) * folds.n_classes > MOST_CELLS:
            return None
        model = LevelModel(folds, np.ascontiguousarray(codes, dtype=np.int64), n_levels, estimator.fit_prior)
        return model.bernoulli(alpha) if isinstance(estimator, BernoulliNB) else model.categorical(alpha, least)
