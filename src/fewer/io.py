"""Tables in files, read in batches or at once, pairs of their rows, and files of sequences."""

from fewer.core.reading.io.fasta import SequenceFile, read_fasta
from fewer.core.reading.site_windows import SiteWindows, site_windows
from fewer.core.reading.table import ArrayTable, Batch, Table, open_table
from fewer.core.views.pairs import Pairs

__all__ = [
    "ArrayTable",
    "Batch",
    "Pairs",
    "SequenceFile",
    "SiteWindows",
    "Table",
    "open_table",
    "read_fasta",
    "site_windows",
]
