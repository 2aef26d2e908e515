"""TopDownTextScore: terms for every decision on the way down a tree of classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fewer.core.estimators.parts import Parts
from fewer.core.measures.spread_lists import round_order
from fewer.core.measures.term_scores import AGGREGATES, TERM_SCORES, named_score
from fewer.core.records.errors import InputError
from fewer.core.records.params import StrOptions
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.stop import Stop
from fewer.core.summaries.term_counts import TermCounts
from fewer.core.views.view import View
from fewer.methods.text._class_tree import ClassNode, inner_nodes, parents_of
from fewer.methods.text._tags import TERMS
from fewer.methods.text._term_criteria import TermCriterion
from fewer.methods.text._term_selector import TERM_CONSTRAINTS, TermSelector
from fewer.methods.text._term_tables import subset_table


class TopDownTextScore(TermSelector):
    """Keep the terms that tell the children of every node of a tree of classes apart.

    At every inner node the documents under each child are one class, and a score of `TextScore` selects terms for that
    decision alone; documents of classes that lie at the node itself are one more class, on which a descent stops [1]_.
    All nodes are scored from one count of documents by class.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep: a number, a fraction, or a rule such as "gap" or "best" (see the glossary); None keeps all.
        Of every node.
    tree : mapping of str to str or sequence of str, or None, default=None
        The parent of every class and inner node, several in a graph without cycles, none or an empty text for those at
        the top; None is ``separator``, or one node above all classes.
    separator : str or None, default=None
        What separates the nodes in labels that are paths, as "." does in "comp.graphics".
    score : str, default="bns"
        What scores the terms at a node, a score of `TextScore`.
    aggregate : {"weighted", "max", "mean", "joint"} or None, default=None
        What makes one score of those of all children, as in `TextScore`.
    stop_class : bool, default=True
        Whether documents of a class that has others below are a class of their own at that node.
    duplicates : {"refuse", "first", "both"}, default="refuse"
        What to do with classes that lie under several children of a node: refuse them, count them under the first
        child, or under each.
    score_params : dict or None, default=None
        Further options of the score, those of its function in `fewer.measures`.
    min_df : int, float or None, default=None
        Fewest documents that a term must be in; a float is a fraction of all.
    max_df : int, float or None, default=None
        Most documents that a term may be in; a float is a fraction of all.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.

    Attributes
    ----------
    counts_ : TermCounts
        Documents by class and term.
    node_subsets_ : dict of str to ndarray of int
        The terms of every node with at least two children, best first; "(root)" is above all.

    See Also
    --------
    fewer.TextScore : The flat task; scope="local" selects for every class against the rest.

    Notes
    -----
    What is kept is the union over the nodes, in the order in which nodes that take turns would name it; the score is
    the largest of any node. Nodes with one child decide nothing and are passed over.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", in: H. Liu and H. Motoda (eds.), Computational
       Methods of Feature Selection, 2008, section 13.3.3.

    Examples
    --------
    >>> X = [[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1], [0, 1, 0], [0, 0, 1]]
    >>> y = ["a.x", "a.x", "a.y", "a.y", "b", "b"]
    >>> found = TopDownTextScore(1, separator=".").fit(X, y)
    >>> {node: terms.tolist() for node, terms in found.node_subsets_.items()}
    {'(root)': [0], 'a': [1]}
    """

    method_tags = replace(TERMS, targets=("classes",))
    _parameter_constraints: dict = {
        **TERM_CONSTRAINTS,
        "tree": [Mapping, None],
        "separator": [str, None],
        "score": [StrOptions(set(TERM_SCORES))],
        "aggregate": [StrOptions(set(AGGREGATES)), None],
        "stop_class": ["boolean"],
        "duplicates": [StrOptions({"refuse", "first", "both"})],
        "score_params": [dict, None],
    }

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = 10,
        *,
        tree: Mapping[str, Any] | None = None,
        separator: str | None = None,
        score: str = "bns",
        aggregate: str | None = None,
        stop_class: bool = True,
        duplicates: str = "refuse",
        score_params: Mapping[str, Any] | None = None,
        min_df: float | None = None,
        max_df: float | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.tree = tree
        self.separator = separator
        self.score = score
        self.aggregate = aggregate
        self.stop_class = stop_class
        self.duplicates = duplicates
        self.score_params = score_params
        self.min_df = min_df
        self.max_df = max_df
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _criterion(self) -> TermCriterion:
        options = dict(self.score_params or {})
        named_score(self.score, options)
        return TermCriterion(self.score, self.aggregate, False, options)

    def _cut(self, counts: TermCounts, parts: Parts, labels: tuple[str, ...]) -> Selection:
        nodes = self._nodes(labels)
        at_node = [node.counts(counts, self.duplicates) for node in nodes]
        rankings = [parts.criterion.scored(some) for some in at_node]
        cuts = [parts.size.cut(ranking) for ranking in rankings]
        subsets = {node.name: r.order[c.kept[r.order]] for node, r, c in zip(nodes, rankings, cuts)}
        self.node_subsets_, scores = subsets, {node.name: r.scores for node, r in zip(nodes, rankings)}
        order = round_order(np.stack([ranking.order for ranking in rankings]))
        kept = order[np.any([cut.kept for cut in cuts], axis=0)[order]]
        reasons = Reasons.of_kept(counts.n_terms, kept, NOT_REACHED, rule=f"at every node {cuts[0].rule}")
        tables = {
            "nodes": _told(nodes, at_node, subsets),
            "node_subsets": subset_table("Terms of every node, best first", "node", subsets, scores),
        }
        return Selection.build(kept, order, reasons, np.max(list(scores.values()), axis=0), tables=tables)

    def _nodes(self, labels: tuple[str, ...]) -> list[ClassNode]:
        where = type(self).__name__
        nodes = inner_nodes(where, parents_of(where, self.tree, labels, self.separator), labels, self.stop_class)
        if not nodes:
            raise InputError(
                f"{where} got a tree without a node that has two children, but selects terms for such nodes; check the "
                "tree, or pass stop_class=True, which makes a child of the documents at a node itself."
            )
        shared = [(node, k) for node in nodes for k in sorted(node.shared)]
        if shared and self.duplicates == "refuse":
            node, k = shared[0]
            raise InputError(
                f"{where} got a tree in which the class {labels[k]!r} lies under several children of {node.name!r}, "
                "but takes that only if told how; pass duplicates='first' or 'both'."
            )
        return nodes

    def _select(self, data: View, parts: Parts) -> Selection:
        found = super()._select(data, parts)
        self.node_subsets_ = self._among_all(self.node_subsets_)
        return found


def _told(nodes: list[ClassNode], counts: list[TermCounts], subsets: dict[str, np.ndarray]) -> ResultTable:
    """Return what every node decides, and on how many documents."""
    columns = {
        "node": [node.name for node in nodes],
        "depth": [node.depth for node in nodes],
        "children": [", ".join(node.children) for node in nodes],
        "documents": [some.n_documents for some in counts],
        "kept": [len(subsets[node.name]) for node in nodes],
    }
    return ResultTable("Decisions of the tree of classes", columns)
