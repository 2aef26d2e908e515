"""What a subset is worth: any estimator by cross-validation, exact short cuts, and criteria without an estimator."""

from fewer.core.criteria.merit import Merit
from fewer.core.criteria.shapes import SubsetScore
from fewer.core.subsets.cross_validated import CrossValidated
from fewer.core.subsets.filters import Agreement, Information
from fewer.core.subsets.linear import Linear
from fewer.core.subsets.naive_bayes import NaiveBayes
from fewer.core.subsets.neighbours import Neighbours
from fewer.core.subsets.recognise import recognise
from fewer.core.subsets.scatter import Mahalanobis, ScatterSeparability

__all__ = [
    "Agreement",
    "CrossValidated",
    "Information",
    "Linear",
    "Mahalanobis",
    "Merit",
    "NaiveBayes",
    "Neighbours",
    "ScatterSeparability",
    "SubsetScore",
    "recognise",
]
