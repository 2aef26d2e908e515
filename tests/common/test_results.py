"""The one result of every method of the registry: its rules, its file, its page and its tables."""

from __future__ import annotations

import warnings
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from common.cases import NAMES, case
from common.tables import joined
from fewer.core.records.errors import FewerError
from fewer.core.records.reasons import KIND_NAMES
from fewer.core.records.result import Selection
from fewer.report import page

pytest.importorskip("jinja2")
every = pytest.mark.parametrize("name", NAMES)
# What these methods find beside a ranking; a table of another method is welcome, but must be named here.
SEARCHES = """
    SequentialSelector FloatingSelector BestFirstSelector ExhaustiveSelector HillClimbingSelector AnnealingSelector
    RMHCSelector GeneticSelector DependenceTreeSelector EBNASelector LVF LVW RVE RVErS OrderedFS BIRS RankSearch
    DefaultRecipe BranchAndBoundSelector
"""
TABLES = {
    **{name: {"curve": "curve"} for name in SEARCHES.split()},
    "RankOrderElimination": {"pairs": "graph"},
    **{name: {"rounds": "curve"} for name in ("RFE", "SVMRanker", "RMRanker", "DMRanker")},
    "R2W2": {"rounds": "curve", "bound": "curve"},
    "TreeFilter": {"splits": "rows"},
    "LarsEN": {"path": "path", "groups": "rows"},
    **{name: {"path": "path"} for name in ("Bridge", "L1SVM", "DrSVM", "HHSVM")},
    "SPCA": {"loadings": "rows", "variance": "rows"},
    "RedundancyTree": {"tree": "tree"},
    "OrdEval": {"levels": "rows"},
    "Simba": {"climbs": "rows"},
    "OSimba": {"climbs": "rows"},
    "IRelief": {"steps": "curve"},
    "OnlineIRelief": {"passes": "curve"},
    "RMHCPrototypes": {"prototypes": "rows"},
    "Shadow": {"decisions": "rows", "history": "lines"},
    "StabilitySelection": {"curve": "curve"},
    **{name: {"roles": "rows"} for name in ["GrowShrink", "IAMB", "InterIAMB", "FastIAMB"]},
    **{name: {"roles": "rows", "graph": "graph"} for name in ["HITONPC", "HITON", "MMPC", "MMMB", "PC"]},
    "RelevanceClasses": {"roles": "rows", "graph": "graph", "relevance": "rows"},
    "IPE": {"explained": "curve", "rounds": "rows"},
    "ACE": {"explained": "curve", "rounds": "rows", "masking": "rows"},
    "RankAggregation": {"ranks": "rows"},
    "FeatureVoting": {"pipelines": "rows", "curve": "curve"},
    "Winnow": {"passes": "curve"},
    **{name: {"sizes": "curve", "chains": "rows", "convergence": "rows"} for name in ("SpikeSlab", "VotingGibbs")},
}
TABLES = joined("TABLES", TABLES)


def fitted(name: str, seed: int, size: int | None = None, n_rows: int = 60, n_noise: int = 4) -> Selection | None:
    """Fit a method to small data with a copy and a constant; None where it refuses that size."""
    c = case(name, n_rows=n_rows, n_noise=n_noise, seed=seed)
    X = np.column_stack([c.X, c.X[:, 3], np.ones(n_rows)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return c.make(**({} if size is None else {"n_features_to_select": size})).fit(X, c.y).selection_
        except FewerError:
            return None


@every
@given(seed=st.integers(0, 10_000), size=st.integers(1, 8))
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
def test_rules_hold_by_plain_counting(name, seed, size):
    found = fitted(name, seed, size)
    if found is None:
        return
    kept, order, n = found.indices.tolist(), found.order.tolist(), 8
    assert found.n_features == n
    assert order[: len(kept)] == kept
    assert max(Counter(order).values(), default=1) == 1
    assert set(order) <= set(range(n))
    assert {j for j in range(n) if KIND_NAMES[found.reasons.kind[j]] == "kept"} == set(kept)
    for values in (found.scores, *found.columns.values()):
        assert values is None or len(values) == n
    for table in found.tables.values():
        for head in table.features:
            assert set(table.columns[head]) <= set(range(-1, n))


@every
def test_a_file_says_what_the_live_result_says(name):
    found = fitted(name, 0)
    assert found is not None
    again = Selection.from_json(found.to_json())
    assert again.to_json() == found.to_json()
    assert [str(again.reason(j)) for j in range(8)] == [str(found.reason(j)) for j in range(8)]
    assert {key: table.kind for key, table in again.tables.items()} == TABLES.get(name, {})
    for key, table in found.tables.items():
        assert repr(again.tables[key]) == repr(table)
    assert page.render(again) == page.render(found)
    for table in found.tables.values():
        assert not len(table) or table.title in page.render(found)
