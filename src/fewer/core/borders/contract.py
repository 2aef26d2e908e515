"""What is known of the border between two classes: a decision function h and its gradient."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

Rows = np.ndarray


class Border(ABC):
    """The border h = 0 between two classes; h is above 0 on the side of the first.

    Attributes
    ----------
    analytic : bool
        Whether gradients are those of a formula, not differences of values.
    plane : tuple of ndarray of shape (n_features,) and float, or None
        Normal w and constant b, where h is w x + b everywhere.
    """

    analytic: bool = True
    plane: tuple[np.ndarray, float] | None = None

    @abstractmethod
    def values(self, rows: Rows) -> np.ndarray:
        """Return h of every row, (n_rows,)."""

    @abstractmethod
    def gradients(self, rows: Rows) -> np.ndarray:
        """Return the gradient of h at every row, (n_rows, n_features)."""

    def normals(self, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
        """Return unit normals at rows, and which rows have one; those without have zeros."""
        gradients = self.gradients(rows)
        largest = np.abs(gradients).max(axis=1, initial=0.0)
        has = (largest > 0) & np.isfinite(largest)
        # Divided by the largest part first: squares of tiny or huge parts may leave the range of numbers.
        within = np.divide(gradients, largest[:, None], out=np.zeros(gradients.shape), where=has[:, None])
        lengths = np.sqrt((within**2).sum(axis=1, keepdims=True))
        return np.divide(within, lengths, out=within, where=has[:, None]), has


class Decision(ABC):
    """The decision functions of a classifier: one border for every pair of classes.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The classes.
    """

    classes: np.ndarray

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @abstractmethod
    def pair(self, first: int, second: int) -> Border:
        """Return the border between two classes, given by their places in `classes`."""

    def against_rest(self, first: int) -> Border:
        """Return the border between one class and whatever other class is most likely."""
        if self.n_classes == 2:
            return self.pair(first, 1 - first)
        return Nearest([self.pair(first, c) for c in range(self.n_classes) if c != first])


class GivenBorder(Border):
    """A border given by functions of rows: h, and its gradient if there is a formula."""

    def __init__(self, h: Callable[[Rows], np.ndarray], gradient: Callable[[Rows], np.ndarray] | None, step: Rows):
        self.h = h
        self.gradient = gradient
        self.step = step
        self.analytic = gradient is not None

    def values(self, rows: Rows) -> np.ndarray:
        """Return h of every row."""
        return np.asarray(self.h(rows), dtype=np.float64).reshape(len(rows))

    def gradients(self, rows: Rows) -> np.ndarray:
        """Return the gradient of h at every row, by central differences where no formula was given."""
        if self.gradient is None:
            return central_differences(self.values, rows, self.step)
        return np.asarray(self.gradient(rows), dtype=np.float64).reshape(rows.shape)


class Reversed(Border):
    """A border seen from the other side."""

    def __init__(self, border: Border):
        self.border = border
        self.analytic = border.analytic
        self.plane = None if border.plane is None else (-border.plane[0], -border.plane[1])

    def values(self, rows: Rows) -> np.ndarray:
        """Return -h."""
        return -self.border.values(rows)

    def gradients(self, rows: Rows) -> np.ndarray:
        """Return minus the gradient."""
        return -self.border.gradients(rows)


class Nearest(Border):
    """The smallest of several decision functions: above 0 where all of them are."""

    def __init__(self, borders: list[Border]):
        self.borders = borders
        self.analytic = all(border.analytic for border in borders)

    def values(self, rows: Rows) -> np.ndarray:
        """Return the smallest h."""
        return np.min([border.values(rows) for border in self.borders], axis=0)

    def gradients(self, rows: Rows) -> np.ndarray:
        """Return the gradient of the smallest h; of equal ones the first."""
        which = np.argmin([border.values(rows) for border in self.borders], axis=0)
        out = np.empty(rows.shape)
        for k, border in enumerate(self.borders):
            here = which == k
            if here.any():
                out[here] = border.gradients(rows[here])
        return out


class Along(Border):
    """A border whose normals lie along some features only."""

    def __init__(self, border: Border, features: np.ndarray):
        self.border, self.features = border, features
        self.analytic = border.analytic

    def values(self, rows: Rows) -> np.ndarray:
        """Return h of every row."""
        return self.border.values(rows)

    def gradients(self, rows: Rows) -> np.ndarray:
        """Return the gradient of h at every row, 0 along the other features."""
        return np.where(self.features, self.border.gradients(rows), 0.0)


def along_varying(border: Border, rows: Rows) -> Border:
    """Return the border with normals along features that vary; what a model says of constant ones is arbitrary."""
    varies = (rows != rows[:1]).any(axis=0)
    return border if varies.all() else Along(border, varies)


def central_differences(values: Callable[[Rows], np.ndarray], rows: Rows, step: np.ndarray) -> np.ndarray:
    """Return (h(x + s) - h(x - s)) / 2s along every feature; the steps are those that the numbers really make."""
    out = np.empty(rows.shape)
    for j in range(rows.shape[1]):
        up, down = rows.copy(), rows.copy()
        up[:, j] += step[j]
        down[:, j] -= step[j]
        # Far from the origin a step is rounded.
        made = up[:, j] - down[:, j]
        change = values(up) - values(down)
        out[:, j] = np.divide(change, made, out=np.zeros(len(rows)), where=made > 0)
    return out
