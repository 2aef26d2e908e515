"""Tables in files, read in batches or at once."""

from fewer.core.reading.table import ArrayTable, Batch, Table, open_table

__all__ = [
    "ArrayTable",
    "Batch",
    "Table",
    "open_table",
]
