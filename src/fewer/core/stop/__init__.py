"""Stop rules: when is it enough?"""

from fewer.core.stop.knockoffs import FixedKnockoffs, Knockoffs
from fewer.core.stop.parse import as_stop
from fewer.core.stop.probes import Probes
from fewer.core.stop.progress import Budget, Gain, Patience
from fewer.core.stop.rule import AnyOf, Cut, Stop
from fewer.core.stop.scores import Average, Threshold, TopGap
from fewer.core.stop.significance import (
    BenjaminiHochberg,
    BenjaminiYekutieli,
    Bonferroni,
    Holm,
    PValue,
    adjust,
)
from fewer.core.stop.sizes import All, Between, Count, Fraction
from fewer.core.stop.wanted import Wanted

__all__ = [
    "All",
    "AnyOf",
    "Average",
    "BenjaminiHochberg",
    "BenjaminiYekutieli",
    "Between",
    "Bonferroni",
    "Budget",
    "Count",
    "Cut",
    "FixedKnockoffs",
    "Fraction",
    "Gain",
    "Holm",
    "Knockoffs",
    "PValue",
    "Patience",
    "Probes",
    "Stop",
    "Threshold",
    "TopGap",
    "Wanted",
    "adjust",
    "as_stop",
]
