"""Why single rows are given to their class: who voted, and which features count there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.records.attached import ATTACHED
from fewer.core.records.errors import ParameterError
from fewer.core.records.numerals import numeral


@dataclass(frozen=True, eq=False)
class PointReasons:
    """What a classifier says of rows, one by one, and why.

    Attributes
    ----------
    rows : tuple of str
        What the rows are called.
    predicted : ndarray of shape (n_rows,)
        Class of every row.
    classes : ndarray of shape (n_classes,)
        All classes.
    posterior : ndarray of shape (n_rows, n_classes) or None
        Probability of each class, where the classifier gives one.
    neighbors, distances : ndarray of shape (n_rows, n_neighbors) or None
        Numbers of the training rows that voted, nearest first, and how far they are, where neighbours vote.
    voted : ndarray of shape (n_rows, n_neighbors) or None
        Class of each of them.
    weights : ndarray of shape (n_rows, n_features) or None
        How much each feature counts at each row, where the classifier has local weights.
    average : ndarray of shape (n_features,) or None
        How much it counts on average over training rows.
    values : ndarray of shape (n_rows, n_features)
        The rows.
    names : tuple of str
        Names of the features.
    meta : dict
        Method, its parameters, and where the rows come from.
    """

    rows: tuple[str, ...]
    predicted: np.ndarray
    classes: np.ndarray
    posterior: np.ndarray | None
    neighbors: np.ndarray | None
    distances: np.ndarray | None
    voted: np.ndarray | None
    weights: np.ndarray | None
    average: np.ndarray | None
    values: np.ndarray
    names: tuple[str, ...]
    meta: dict[str, Any]

    def __len__(self) -> int:
        return len(self.rows)

    def features(self, row: int, most: int = 10) -> dict[str, list[Any]]:
        """Return the features that count most at a row: name, value, weight, average weight, and how many times that.

        Parameters
        ----------
        row : int
            Place of the row among those explained.
        most : int, default=10
            How many features.
        """
        if self.weights is None or self.average is None:
            return {}
        here = self.weights[row]
        order = np.argsort(-here, kind="stable")[:most]
        average = self.average[order]
        times = np.divide(here[order], average, out=np.full(len(order), np.inf), where=average > 0)
        times[(average == 0) & (here[order] == 0)] = 1.0
        return {
            "feature": [self.names[j] for j in order],
            "value": self.values[row, order].tolist(),
            "weight": here[order].tolist(),
            "average": average.tolist(),
            "times": times.tolist(),
        }

    def voters(self, row: int) -> dict[str, list[Any]]:
        """Return the neighbours that voted for the class of a row, nearest first."""
        if self.neighbors is None or self.distances is None or self.voted is None:
            return {}
        return {
            "training row": self.neighbors[row].tolist(),
            "class": [str(label) for label in self.voted[row]],
            "distance": self.distances[row].tolist(),
        }

    def probabilities(self, row: int) -> dict[str, float]:
        """Return the probability of each class at a row."""
        return {} if self.posterior is None else dict(zip(map(str, self.classes), self.posterior[row].tolist()))

    def with_rows(self, rows: Any, training: Any = None, **meta: Any) -> PointReasons:
        """Return the same with names of the rows, the numbers of training rows elsewhere, and with more facts."""
        names = tuple(map(str, rows))
        if len(names) != len(self):
            raise ParameterError(f"There are {len(self)} rows, but {len(names)} names were given; give one per row.")
        voters = self.neighbors if self.neighbors is None or training is None else np.asarray(training)[self.neighbors]
        return PointReasons(**{**vars(self), "rows": names, "neighbors": voters, "meta": {**self.meta, **meta}})

    def to_dict(self, most: int | None = None) -> dict[str, Any]:
        """Return plain values: one record per row, with its ``most`` strongest features, all by default."""
        n = len(self.names) if most is None else most
        return {
            **self.meta,
            "rows": [
                {
                    "row": self.rows[i],
                    "predicted": str(self.predicted[i]),
                    "posterior": self.probabilities(i),
                    "voters": self.voters(i),
                    "features": self.features(i, n),
                }
                for i in range(len(self))
            ],
        }

    def plot(self, most: int = 20, ax: Any = None) -> Any:
        """Draw the weights at all rows as a heat map; see `fewer.report.point_plot.weights`."""
        return ATTACHED["point_plot"]((self, most, ax))

    def report(self, path: str | Path) -> None:
        """Write a page that says, row by row, why it is given to its class."""
        ATTACHED["point_report"]((self, path))

    def __str__(self) -> str:
        lines = []
        for i, name in enumerate(self.rows):
            likely = ", ".join(f"{label} {p:.0%}" for label, p in self.probabilities(i).items() if p > 0)
            lines.append(f"{name}: {self.predicted[i]}" + (f" ({likely})" if likely else ""))
            found = self.features(i, 3)
            lines += [
                f"  {feature}: weight {numeral(weight, '.3g')}, on average {numeral(average, '.3g')}"
                for feature, weight, average in zip(*(found.get(h, []) for h in ("feature", "weight", "average")))
            ]
        return "\n".join(lines)

    __repr__ = __str__


def point_reasons(fitted: Any, X: Any) -> PointReasons:
    """Return what a fitted classifier says of rows and why, as far as it tells.

    Parameters
    ----------
    fitted : classifier
        Fitted; where it has ``predict_proba``, ``kneighbors`` or ``local_relevance``, they are asked, too.
    X : array-like of shape (n_samples, n_features)
        The rows.
    """
    predicted = fitted.predict(X)
    distances = neighbors = voted = weights = average = None
    if hasattr(fitted, "kneighbors"):
        distances, neighbors = fitted.kneighbors(X)
        voted = fitted.classes_[fitted._codes[neighbors]]
    if hasattr(fitted, "local_relevance"):
        weights, average = fitted.local_relevance(X), fitted.selection_.scores
    n_features = fitted.n_features_in_
    names = getattr(fitted, "feature_names_in_", [f"x{j}" for j in range(n_features)])
    values = np.asarray(X, dtype=object) if not hasattr(X, "to_numpy") else X.to_numpy()
    return PointReasons(
        rows=tuple(f"row {i}" for i in range(len(predicted))),
        predicted=predicted,
        classes=fitted.classes_,
        posterior=fitted.predict_proba(X) if hasattr(fitted, "predict_proba") else None,
        neighbors=neighbors,
        distances=distances,
        voted=voted,
        weights=weights,
        average=average,
        values=values,
        names=tuple(map(str, names)),
        meta={"method": type(fitted).__name__, "parameters": {k: str(v) for k, v in fitted.get_params().items()}},
    )
