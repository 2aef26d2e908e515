"""How numbers become levels; each is a scikit-learn transformer as well."""

from fewer.core.discretize.binning import EqualFrequency, EqualWidth, SigmaLevels
from fewer.core.discretize.mdl import MDLDiscretizer
from fewer.core.discretize.mixtures import MixtureLevels
from fewer.core.discretize.named import as_discretizer
from fewer.core.discretize.user_edges import UserEdges

__all__ = [
    "EqualFrequency",
    "EqualWidth",
    "MDLDiscretizer",
    "MixtureLevels",
    "SigmaLevels",
    "UserEdges",
    "as_discretizer",
]
