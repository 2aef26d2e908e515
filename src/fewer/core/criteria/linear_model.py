"""Answers of linear models on all folds, from correlations of features in every fold."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from fewer.core.criteria.fast import FoldModel, softmax, two_class_difference
from fewer.core.criteria.folds import Folds
from fewer.core.kernels import evaluators_linear as kernels

# Smallest eigenvalue of a matrix of correlations with which answers are right to about ten digits.
LEAST = 1e-5
# Relative eigenvalue of the class means below which the estimator may drop a direction.
FLAT = 1e-7
# A spread below this fraction of the size of the values is not known well enough.
FAINT = 1e-10
# Rows of correlations that are remembered, in bytes.
REMEMBERED = 2**28


@dataclass(frozen=True, eq=False)
class Task:
    """What a linear model learns on the folds.

    Attributes
    ----------
    folds : Folds
        The rows to learn from and to test on.
    weight : ndarray of shape (n_rows,)
        Weights of the rows.
    goals : ndarray of shape (n_rows, n_goals) or None
        Numbers to predict; None for discriminants, where features are centred within classes.
    penalty : float
        What is added to the sums of squares of the features.
    intercept : bool
        Whether features and goals are centred.
    rank_limit : float
        Eigenvalues of the correlations that the estimator takes for zero, and relative ones of the class means.
    cut : float
        Relative eigenvalues of the matrix before scaling that the estimator takes for zero.
    unbiased : bool
        Whether squares within classes are divided by the number of rows less that of classes, not by that of rows.
    """

    folds: Folds
    weight: np.ndarray
    goals: np.ndarray | None = None
    penalty: float = 0.0
    intercept: bool = True
    rank_limit: float = 0.0
    cut: float = 0.0
    unbiased: bool = False

    @property
    def within(self) -> bool:
        """Whether features are centred within classes."""
        return self.goals is None


@dataclass(frozen=True, eq=False)
class Standing:
    """A subset: correlations, inverse factors, projected test rows and right sides, answers, and how sure they are."""

    members: np.ndarray
    rows: list[np.ndarray]
    inverses: np.ndarray
    traces: np.ndarray
    z: np.ndarray
    u: np.ndarray
    answers: np.ndarray
    low_scale: np.ndarray
    sum_scale: np.ndarray


class LinearModel(FoldModel):
    """Answers that are linear in the features, for least squares, ridge and discriminants."""

    slack = 1e-9

    def __init__(self, task: Task) -> None:
        super().__init__(task.folds)
        folds, self.task = task.folds, task
        self.least, self.half = max(LEAST, 4.0 * task.rank_limit), 0.5 if task.within else 0.0
        X = np.array(folds.X, dtype=np.float64)
        if task.intercept:
            X -= X.mean(axis=0)
        self.X, self.columns = X, np.ascontiguousarray(X.T)
        n_goals = folds.n_classes if task.goals is None else task.goals.shape[1]
        shape = (folds.n_folds, folds.n_features)
        self.mean, self.scale = np.zeros(shape), np.ones(shape)
        self.class_mean = np.zeros((*shape, folds.n_classes if task.within else 1))
        self.right, self.offset = np.zeros((*shape, n_goals)), np.zeros((folds.n_folds, n_goals))
        self.faint = np.zeros(shape, bool)
        for f in range(folds.n_folds):
            self._describe(f)
        self.n_outputs = max(folds.n_classes, 1)
        self.barred = self._barred()
        self._rows: dict[int, np.ndarray] = {}
        self._lock = Lock()
        self._standing: Standing | None = None

    def _describe(self, f: int) -> None:
        """Find means, scales and right sides of one fold."""
        task, (train, _) = self.task, self.folds.splits[f]
        X, weight = self.X[train], self.task.weight[train]
        total = weight.sum()
        if task.intercept:
            self.mean[f] = weight @ X / total
        if task.within:
            counts, numbers = self.folds.class_counts[f], self.folds.numbers[train]
            for c in np.flatnonzero(counts):
                self.class_mean[f, :, c] = X[numbers == c].mean(axis=0)
            deviation = X - self.class_mean[f][:, numbers].T
            spread = (deviation**2).sum(axis=0) / self._divisor(f)
            with np.errstate(divide="ignore"):
                self.offset[f] = np.log(counts / len(train))
            self.right[f] = np.where(counts > 0, self.class_mean[f] - self.mean[f][:, None], 0.0)
        else:
            assert task.goals is not None
            goals = task.goals[train]
            self.offset[f] = weight @ goals / total if task.intercept else 0.0
            deviation = X - self.mean[f]
            spread = weight @ deviation**2
            self.right[f] = (deviation * weight[:, None]).T @ (goals - self.offset[f])
            self.class_mean[f, :, 0] = self.mean[f]
        size = (X**2).mean(axis=0) if task.within else weight @ X**2
        self.faint[f] = ~(spread + task.penalty > FAINT * size) | (spread + task.penalty <= 0)
        self.scale[f] = np.where(self.faint[f], 1.0, np.sqrt(spread + task.penalty))
        self.right[f] /= self.scale[f][:, None]

    def _divisor(self, f: int) -> int:
        """Return what squares within classes are divided by."""
        counts = self.folds.class_counts[f]
        present = int((counts > 0).sum()) if self.task.unbiased else 0
        return max(int(counts.sum()) - present, 1)

    def _barred(self) -> np.ndarray:
        """Return the folds that only the estimator itself can evaluate."""
        folds = self.folds
        if not folds.n_classes:
            return np.zeros(folds.n_folds, bool)
        present = (folds.class_counts > 0).sum(axis=1)
        if not self.task.within:
            return present < folds.n_classes
        return (present < 2) | (folds.class_counts.sum(axis=1) <= present)

    def row(self, j: int) -> np.ndarray:
        """Return the correlations of feature ``j`` with all others, (n_folds, n_features); the last are remembered."""
        with self._lock:
            if j not in self._rows:
                row = self._row(j)
                while self._rows and row.nbytes * (len(self._rows) + 1) > REMEMBERED:
                    self._rows.pop(next(iter(self._rows)))
                self._rows[j] = row
            return self._rows[j]

    def _row(self, j: int) -> np.ndarray:
        folds, task = self.folds, self.task
        deviations = np.zeros((folds.n_folds, len(self.X)))
        for f, (train, _) in enumerate(folds.splits):
            groups = folds.numbers[train] if task.within else np.zeros(len(train), np.int64)
            deviation = self.X[train, j] - self.class_mean[f, j, groups]
            deviations[f, train] = deviation / self._divisor(f) if task.within else deviation * task.weight[train]
        row = deviations @ self.X / (self.scale[:, [j]] * self.scale)
        row[:, j] = 1.0
        # What is too faint to be scaled spoils every matrix that it is part of.
        row[self.faint[:, j], :] = np.nan
        row[self.faint] = np.nan
        return row

    def standing(self, members: np.ndarray) -> Standing:
        """Return what is known of a subset, made again in the order of the columns."""
        folds, s = self.folds, len(members)
        matrices, rows = np.empty((folds.n_folds, s, s)), [self.row(int(j)) for j in members]
        for a, row in enumerate(rows):
            matrices[:, a] = row[:, members]
        inverses, traces = np.zeros_like(matrices), np.zeros(folds.n_folds)
        kernels.invert_factors(matrices, self.least, inverses, traces)
        squares = self.scale[:, members] ** 2
        low_scale, sum_scale = squares.min(axis=1, initial=np.inf), squares.sum(axis=1)
        if s and self.task.cut:
            traces[~(low_scale > self.task.cut * sum_scale * traces)] = np.inf
        z, u = np.empty((len(folds.test), s)), np.empty((folds.n_folds, s, self.right.shape[2]))
        answers = np.repeat(self.offset, np.diff(folds.test_bounds), axis=0)
        kernels.project(
            self.columns, members, self.mean, self.scale, inverses, folds.test, folds.test_bounds, self.right,
            self.half, z, u, answers,
        )  # fmt: skip
        return Standing(members, rows, inverses, traces, z, u, answers, low_scale, sum_scale)

    def move(self, members: np.ndarray, run: Any) -> None:
        """Make what is known of a subset."""
        if self._standing is None or not np.array_equal(self._standing.members, members):
            self._standing = self.standing(members)

    def answers(self, members: np.ndarray, candidates: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray]:
        """Return discriminants or predictions."""
        assert self._standing is not None
        _, out, doubt = self.changes(self._standing, candidates, sign)
        doubt |= self.barred
        if not self.folds.n_classes or out.shape[2] == self.n_outputs:
            return out, doubt
        # One column tells two classes apart by its sign.
        return np.concatenate([np.zeros_like(out), out], axis=2), doubt

    def changes(self, base: Standing, candidates: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the change of u, (n_candidates, n_folds, n_goals), the answers, and what is in doubt."""
        folds, n, n_goals = self.folds, len(candidates), self.right.shape[2]
        sure = np.isfinite(base.traces)
        if sign < 0 and not sure.all():
            # The one that leaves may be what makes the matrix singular.
            alone = [self.changes(self.standing(base.members[base.members != j]), np.array([j]), 0) for j in candidates]
            return tuple(np.concatenate(parts) for parts in zip(*alone))  # type: ignore[return-value]
        gains, doubt = np.zeros((n, folds.n_folds, n_goals)), np.zeros((n, folds.n_folds), bool)
        out = np.zeros((n, len(folds.test), n_goals))
        if sign == 0:
            out[:] = base.answers
        elif sign > 0:
            near = np.empty((folds.n_folds, n, len(base.members)))
            for a, row in enumerate(base.rows):
                near[:, :, a] = row[:, candidates]
            doubt |= self.faint[:, candidates].T
            kernels.join(
                self.columns, candidates, near, base.inverses, base.traces, base.z, base.u, self.mean, self.scale,
                self.right, self.least, self.task.cut, base.low_scale, base.sum_scale, self.half, folds.test,
                folds.test_bounds, base.answers, gains, out, doubt,
            )  # fmt: skip
        else:
            places = np.searchsorted(base.members, candidates)
            kernels.leave(places, base.inverses, base.z, base.u, self.half, folds.test_bounds, base.answers, gains, out)
        doubt |= ~sure
        if self.task.rank_limit:
            doubt |= self._flat(base, gains, sign)
        return gains, out, doubt

    def _flat(self, base: Standing, gains: np.ndarray, sign: int) -> np.ndarray:
        """Return where the class means nearly lie in fewer dimensions than they could; the estimator drops those."""
        counts = self.folds.class_counts.astype(float)
        present = (counts > 0).sum(axis=1)
        doubt = np.zeros(gains.shape[:2], bool)
        dimensions = np.minimum(present - 1, len(base.members) + sign)
        if dimensions.max() < 2:
            return doubt
        root = np.sqrt(counts)
        held = np.einsum("fsm,fsn->fmn", base.u * root[:, None, :], base.u * root[:, None, :])
        new = gains * root
        moved = held + sign * new[:, :, :, None] * new[:, :, None, :]
        # What is not a number comes from a singular matrix, which is in doubt anyway.
        sizes = np.linalg.eigvalsh(np.nan_to_num(moved, posinf=0.0, neginf=0.0))
        for f in np.flatnonzero(dimensions >= 2):
            largest, smallest = sizes[:, f, -1], sizes[:, f, -dimensions[f]]
            doubt[:, f] = ~(smallest > max(FLAT, 4.0 * self.task.rank_limit) * largest)
        return doubt

    def decisions(self, answers: np.ndarray) -> np.ndarray:
        """Return the discriminants."""
        return two_class_difference(answers)

    def probabilities(self, answers: np.ndarray) -> np.ndarray | None:
        """Return the posterior probabilities of discriminants."""
        return softmax(answers) if self.task.within else None
