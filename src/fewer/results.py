"""What `fit` stores, and why each feature was kept or dropped."""

from fewer.core.base.reasons import Reason, Reasons
from fewer.core.base.result import Explanation, Selection
from fewer.core.base.trace import Step, Trace

__all__ = ["Explanation", "Reason", "Reasons", "Selection", "Step", "Trace"]
