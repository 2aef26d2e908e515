"""What a subset is worth: any estimator by cross-validation, exact short cuts, and criteria without an estimator."""

from fewer.core.criteria.cross_validated import CrossValidated
from fewer.core.criteria.linear_scores import Linear
from fewer.core.criteria.merit import Merit
from fewer.core.criteria.naive_bayes import NaiveBayes
from fewer.core.criteria.nearest_rows import NearestRows
from fewer.core.criteria.recognise import recognise
from fewer.core.criteria.scatter import Mahalanobis, ScatterSeparability
from fewer.core.criteria.shapes import SubsetScore
from fewer.core.criteria.subset_filters import Agreement, Information

__all__ = [
    "Agreement",
    "CrossValidated",
    "Information",
    "Linear",
    "Mahalanobis",
    "Merit",
    "NaiveBayes",
    "NearestRows",
    "ScatterSeparability",
    "SubsetScore",
    "recognise",
]
