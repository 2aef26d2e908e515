"""Tables in files, read in batches or at once, and pairs of their rows."""

from fewer.core.reading.table import ArrayTable, Batch, Table, open_table
from fewer.core.views.pairs import Pairs

__all__ = [
    "ArrayTable",
    "Batch",
    "Pairs",
    "Table",
    "open_table",
]
