"""Protocols without leakage, stability and comparison statistics."""

from fewer.evaluate.acquisition import relevance_error_curve as relevance_error_curve
from fewer.evaluate.clusters import nmi as nmi
from fewer.evaluate.error_ratios import robustness_ratio as robustness_ratio
from fewer.evaluate.f_measures import macro_f1 as macro_f1
from fewer.evaluate.f_measures import selection_curve_area as selection_curve_area
from fewer.evaluate.f_measures import weighted_f1 as weighted_f1
from fewer.evaluate.injected_terms import injection_experiment as injection_experiment
from fewer.evaluate.input_margin import input_space_margin as input_space_margin
from fewer.evaluate.ranked_precision import break_even_point as break_even_point
from fewer.evaluate.ranked_precision import eleven_point_average_precision as eleven_point_average_precision
from fewer.evaluate.ranked_precision import fpr_at_recall as fpr_at_recall
