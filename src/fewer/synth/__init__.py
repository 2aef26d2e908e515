"""Generators of data whose relevant features are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fewer.synth.base import Synthetic
from fewer.synth.breiman import make_ringnorm, make_twonorm, make_waveform, make_waveform40
from fewer.synth.logic import make_boolean_redundant, make_corral, make_m_of_n, make_parity, make_xor
from fewer.synth.monks import make_monks
from fewer.synth.monotone import make_monotone
from fewer.synth.noise import add_noise_features, flip_labels, make_noise, make_two_clusters_irrelevant
from fewer.synth.orders import make_concordant_orders, make_rank_order
from fewer.synth.ordinal import make_ordinal_kano
from fewer.synth.planted import make_planted, make_planted_regression
from fewer.synth.polynomial import make_anticorrelated, make_polynomial
from fewer.synth.weston import make_weston_linear, make_weston_nonlinear


class Entry(NamedTuple):
    """A generator and what it makes, in one line."""

    make: Callable[..., Synthetic]
    help: str


GENERATORS: dict[str, Entry] = {
    "planted": Entry(make_planted, "classes that differ in a few features, with copies, constants and noise"),
    "planted_regression": Entry(make_planted_regression, "a weighted sum of a few features, with the same extras"),
    "xor": Entry(make_xor, "a target that no relevant feature alone says anything about"),
    "parity": Entry(make_parity, "the parity of some of several bits, as truth table or sample"),
    "m_of_n": Entry(make_m_of_n, "at least m of n bits among p, as truth table or sample"),
    "boolean_redundant": Entry(make_boolean_redundant, "five bits: one needed, one of two needed, two irrelevant"),
    "corral": Entry(make_corral, "four bits decide, a misleading one agrees with the class in 75 %"),
    "monks": Entry(make_monks, "the three MONK's problems over six nominal attributes"),
    "twonorm": Entry(make_twonorm, "two overlapping normal classes in 20 dimensions"),
    "ringnorm": Entry(make_ringnorm, "a narrow normal class inside a wide one"),
    "waveform": Entry(make_waveform, "three classes of mixed triangular waves, 21 points"),
    "waveform40": Entry(make_waveform40, "the waves with 19 irrelevant features"),
    "polynomial": Entry(make_polynomial, "two classes divided by a polynomial, with scaled copies and noise"),
    "anticorrelated": Entry(make_anticorrelated, "two anti-correlated features that separate only together"),
    "weston_linear": Entry(make_weston_linear, "6 relevant features among 202, linear"),
    "weston_nonlinear": Entry(make_weston_nonlinear, "2 relevant features among 52, classes with equal means"),
    "two_clusters_irrelevant": Entry(make_two_clusters_irrelevant, "two clusters that a wider feature hides"),
    "rank_order": Entry(make_rank_order, "classes by the order of a few features, with extra and redundant ones"),
    "concordant_orders": Entry(make_concordant_orders, "classes of similar orders around orders that differ"),
    "ordinal_kano": Entry(make_ordinal_kano, "ordered classes from basic, performance and excitement features"),
    "monotone": Entry(make_monotone, "ordered classes: a feature that rises with them, one that does not, and noise"),
    "noise": Entry(make_noise, "nothing but noise, with random labels"),
}

__all__ = [
    "GENERATORS",
    "Entry",
    "Synthetic",
    "add_noise_features",
    "flip_labels",
    "make_anticorrelated",
    "make_boolean_redundant",
    "make_concordant_orders",
    "make_corral",
    "make_m_of_n",
    "make_monks",
    "make_monotone",
    "make_noise",
    "make_ordinal_kano",
    "make_parity",
    "make_planted",
    "make_planted_regression",
    "make_polynomial",
    "make_rank_order",
    "make_ringnorm",
    "make_two_clusters_irrelevant",
    "make_twonorm",
    "make_waveform",
    "make_waveform40",
    "make_weston_linear",
    "make_weston_nonlinear",
    "make_xor",
]
