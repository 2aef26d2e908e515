"""Protocols without leakage, stability and comparison statistics."""

from fewer.evaluate.clusters import nmi as nmi
from fewer.evaluate.error_ratios import robustness_ratio as robustness_ratio
from fewer.evaluate.input_margin import input_space_margin as input_space_margin
