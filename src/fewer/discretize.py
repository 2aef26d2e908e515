"""How numbers become levels; each is a scikit-learn transformer as well."""

from fewer.core.views.binning import EqualFrequency, EqualWidth, SigmaLevels
from fewer.core.views.discretise import as_discretizer
from fewer.core.views.mdl import MDLDiscretizer
from fewer.core.views.mixtures import MixtureLevels
from fewer.core.views.useredges import UserEdges

__all__ = [
    "EqualFrequency",
    "EqualWidth",
    "MDLDiscretizer",
    "MixtureLevels",
    "SigmaLevels",
    "UserEdges",
    "as_discretizer",
]
