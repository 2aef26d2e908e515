"""The fitness of SET-Gen: accuracy, and how easily the model is understood."""

from __future__ import annotations

from fewer.core.criteria.shapes import Columns, SubsetScore
from fewer.core.records.params import FRACTION, check_value
from fewer.core.views.view import View


def setgen_fitness(accuracy: float, size: float, share: float, weight: float = 0.75) -> float:
    """Return weight * A + (1 - weight) * (1 - (S + F) / 2) (Cherkauer and Shavlik 1996).

    Parameters
    ----------
    accuracy : float
        A, the cross-validated accuracy.
    size : float
        S, the mean size of the trees divided by the number of training rows.
    share : float
        F, the fraction of features that is used.
    weight : float, default=0.75
        How much accuracy counts.

    Examples
    --------
    >>> setgen_fitness(0.8, 0.1, 0.3)
    0.8
    """
    return weight * accuracy + (1.0 - weight) * (1.0 - (size + share) / 2.0)


class SetGen(SubsetScore):
    """A criterion that prefers small models of few features: the SET-Gen fitness of another criterion.

    Works with every search. S is what the other criterion says of the `complexity` of its model.

    Parameters
    ----------
    criterion : SubsetScore
        Gives the accuracy.
    weight : float, default=0.75
        How much accuracy counts.
    """

    by_one = False

    def __init__(self, criterion: SubsetScore, weight: float = 0.75) -> None:
        check_value("SetGen", "weight", weight, [FRACTION])
        self.criterion, self.weight = criterion, weight
        self.parallel_values, self.requires = criterion.parallel_values, criterion.requires

    def value(self, view: View, subset: Columns) -> float:
        """Return the fitness of a subset."""
        accuracy = float(self.criterion.value(view, subset))
        share = len(subset) / view.n_features
        return setgen_fitness(accuracy, self.criterion.complexity(view, subset), share, self.weight)
