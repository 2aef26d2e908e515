"""`fit` with pairs of rows that belong together, or apart, for clusterers."""

from __future__ import annotations

from typing import Any

from fewer.core.clustering.apart import PartedUnits
from fewer.core.records.errors import ParameterError
from fewer.core.views.pairs import Pairs
from fewer.core.views.view import View


class PairedFit:
    """Adds pairs of rows to `fit`.

    Attributes
    ----------
    n_violated_ : int
        Pairs, of those given, that the labels do not meet.
    """

    n_clusters: int

    def fit(self, X: Any, y: Any = None, pairs: Any = None) -> Any:
        """Find groups of rows, given pairs that belong together or apart.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame or Table in memory of shape (n_samples, n_features)
            The data.
        y : None
            Ignored; here for pipelines.
        pairs : Pairs or tuple of must-links and cannot-links, optional
            Rows that belong together and rows that do not.

        Returns
        -------
        self : object
            The fitted clusterer.
        """
        return self._fit(X, pairs=pairs)  # type: ignore[attr-defined]

    def _wishes(self, data: View) -> Pairs:
        """Return the pairs that `fit` was given, possibly none."""
        found = Pairs(data.n_rows) if data.pairs is None else data.pairs
        if self.n_clusters == 1 and len(found.cannot):
            raise ParameterError(
                f"{type(self).__name__} got n_clusters=1 and pairs of rows that belong apart, but these need two "
                "clusters; raise n_clusters or leave the pairs out."
            )
        return found


def lifted(wishes: Pairs, place: Any) -> PartedUnits | None:
    """Return the pairs of units that belong apart, by where they are now; None if there are none."""
    pairs = place[wishes.apart]
    pairs = pairs[(pairs >= 0).all(axis=1)] if len(pairs) else pairs
    return PartedUnits.of(pairs) if len(pairs) else None
