"""What common checks need to know of the small filters."""

from __future__ import annotations

HOMONYMS = {
    # Those of normal data, or of the limit distribution of a statistic.
    "pvalues": ["FTest", "TTest", "WelchTest", "Pearson", "ChatterjeeXi", "DistanceCorrelation", "HSIC"],
    # From which score losses count, or rows.
    "reference": ["PopulationStability", "RVE", "RVErS"],
}
# As in the papers and in scikit-learn.
OWN_DEFAULTS = {"n_neighbors": ["NeighborMutualInformation", "MRMR", "JMI"]}
TABLES = {"InformationValue": {"weights of evidence": "rows"}}
