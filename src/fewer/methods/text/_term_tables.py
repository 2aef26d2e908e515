"""What a selection of terms tells beside its ranking: documents and scores by class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fewer.core.records.result_table import ResultTable
from fewer.core.records.target_kinds import told_apart
from fewer.core.summaries.term_counts import TermCounts
from fewer.methods.text._term_criteria import TermCriterion

# Lines of a table; all counts are in `counts_`.
MOST_TERMS = 1000


def term_tables(
    criterion: TermCriterion, counts: TermCounts, kept: np.ndarray, labels: Sequence[str]
) -> dict[str, ResultTable]:
    """Return documents, and scores, of kept terms in every class."""
    shown = kept[:MOST_TERMS]
    if not len(shown):
        return {}
    some = counts.terms(shown)
    heads = told_apart(["term", "documents", *labels])
    of = f"of the first {MOST_TERMS:,} kept terms" if len(kept) > MOST_TERMS else "of the kept terms"
    documents = {heads[0]: shown, heads[1]: some.holding, **dict(zip(heads[2:], some.documents))}
    scores = {heads[0]: shown, **dict(zip(heads[2:], criterion.each(some)))}
    return {
        "class_documents": ResultTable(f"Documents of every class {of}", documents, "matrix", (heads[0],)),
        "class_scores": ResultTable(f"Scores of every class {of}", scores, "matrix", (heads[0],)),
    }


def subset_table(title: str, head: str, subsets: dict[str, np.ndarray], scores: dict[str, np.ndarray]) -> ResultTable:
    """Return the terms of every class or node, best first; of each at most the first `MOST_TERMS`."""
    shown = {name: terms[:MOST_TERMS] for name, terms in subsets.items()}
    columns = {
        head: [name for name, terms in shown.items() for _ in terms],
        "rank": [place + 1 for terms in shown.values() for place in range(len(terms))],
        "term": [int(j) for terms in shown.values() for j in terms],
        "score": [float(scores[name][j]) for name, terms in shown.items() for j in terms],
    }
    cut = any(len(terms) > MOST_TERMS for terms in subsets.values())
    return ResultTable(title + f" (the first {MOST_TERMS:,} of each)" * cut, columns, "rows", ("term",))
