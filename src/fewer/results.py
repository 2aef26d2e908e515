"""What `fit` stores, and why each feature was kept or dropped."""

from __future__ import annotations

from typing import Any

from fewer.core.records.errors import InputError, MissingExtraError
from fewer.core.records.explanation import Explanation
from fewer.core.records.reasons import Reason, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.trace import Step, Trace

__all__ = ["Explanation", "Reason", "Reasons", "ResultTable", "Selection", "Step", "Trace", "to_networkx"]


def to_networkx(selection: Selection, table: str = "graph") -> Any:
    """Return a graph that a method found as a directed graph of networkx.

    Parameters
    ----------
    selection : Selection
        A selection with a table of the kind graph.
    table : str, default="graph"
        Name of the table.

    Returns
    -------
    networkx.DiGraph
        Nodes by name, a target without a name as "y". An edge without direction leads both ways; the columns of the
        table behind both ends are attributes of the edges.
    """
    found = selection.tables.get(table)
    if found is None or found.kind != "graph":
        known = ", ".join(name for name, one in selection.tables.items() if one.kind == "graph") or "none"
        raise InputError(f"to_networkx got table={table!r}, but the graphs of this selection are {known}; pass one.")
    try:
        import networkx
    except ImportError as error:
        raise MissingExtraError(
            "to_networkx needs networkx, which is not installed; run pip install fewer[graphs]."
        ) from error
    graph = networkx.DiGraph()
    columns = found.named(selection.feature_names)
    (_, starts), (_, ends), *more = columns.items()
    for row, (a, b) in enumerate(zip(starts, ends)):
        facts = {head: values[row] for head, values in more}
        graph.add_edge(a, b, **facts)
        if not str(facts.get("edge", "->")).startswith("->"):
            graph.add_edge(b, a, **facts)
    return graph
