"""What `fit` stores, and why each feature was kept or dropped."""

from fewer.core.records.explanation import Explanation
from fewer.core.records.reasons import Reason, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.trace import Step, Trace

__all__ = ["Explanation", "Reason", "Reasons", "ResultTable", "Selection", "Step", "Trace"]
