"""`fit` with pairs of rows that belong together, or apart, for clusterers."""

from __future__ import annotations

from typing import Any

from fewer.core.clustering.apart import Apart
from fewer.core.reading.pairs import PairConstraints
from fewer.core.records.errors import ParameterError
from fewer.core.views.view import View


class PairedFit:
    """Adds pairs of rows to `fit`.

    Attributes
    ----------
    n_violated_ : int
        Pairs, of those given, that the labels do not meet.
    """

    n_clusters: int

    def fit(self, X: Any, y: Any = None, pairs: Any = None, must_link: Any = None, cannot_link: Any = None) -> Any:
        """Find groups of rows, given pairs that belong together or apart; the three forms of pairs add up.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The data.
        y : None
            Ignored; here for pipelines.
        pairs : array-like of int, shape (n_pairs, 3), optional
            Two row numbers, and 1 if they belong together, -1 (or 0) if apart.
        must_link : array-like of int, shape (n_pairs, 2) or (n_samples,), optional
            Pairs that belong together, or a group per row, below 0 or missing for none.
        cannot_link : array-like of int of shape (n_pairs, 2), or sparse matrix (n_samples, n_samples), optional
            Pairs that belong apart, or a matrix with an entry for each.

        Returns
        -------
        self : object
            The fitted clusterer.
        """
        known = {"pairs": pairs, "must_link": must_link, "cannot_link": cannot_link}
        return self._fit(X, known=known)  # type: ignore[attr-defined]

    def _wishes(self, data: View) -> PairConstraints:
        """Return the pairs that `fit` was given."""
        found = PairConstraints.read(type(self).__name__, data.n_rows, **data.fit_params)
        if self.n_clusters == 1 and len(found.cannot):
            raise ParameterError(
                f"{type(self).__name__} got n_clusters=1 and pairs of rows that belong apart, but these need two "
                "clusters; raise n_clusters or leave the pairs out."
            )
        return found


def lifted(wishes: PairConstraints, place: Any) -> Apart | None:
    """Return the pairs of units that belong apart, by where they are now; None if there are none."""
    pairs = place[wishes.between_groups]
    pairs = pairs[(pairs >= 0).all(axis=1)] if len(pairs) else pairs
    return Apart.of(pairs) if len(pairs) else None
