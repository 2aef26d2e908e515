"""Protocols without leakage, stability and comparison statistics."""

from fewer.evaluate.clusters import nmi as nmi
from fewer.evaluate.ranked_precision import break_even_point as break_even_point
from fewer.evaluate.ranked_precision import eleven_point_average_precision as eleven_point_average_precision
from fewer.evaluate.ranked_precision import fpr_at_recall as fpr_at_recall
