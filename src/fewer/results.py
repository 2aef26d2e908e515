"""What `fit` stores, and why each feature was kept or dropped."""

from fewer.core.records.reasons import Reason, Reasons
from fewer.core.records.result import Explanation, Selection
from fewer.core.records.trace import Step, Trace

__all__ = ["Explanation", "Reason", "Reasons", "Selection", "Step", "Trace"]
