"""Comparisons that the tests of their page share; each is made once."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes

from fewer.evaluate.compare import compare
from fewer.evaluate.comparison import Comparison
from fewer.methods.univariate.random_ranking import RandomRanking

METHODS = ["FTest", "MRMR", "FCBF", "JMI"]


@cache
def cancer() -> Comparison:
    """Classes, several estimators, a method that stops by itself (FCBF)."""
    data = load_breast_cancer(as_frame=True)
    return compare(
        data.data, data.target, METHODS, ["neighbours", "naive Bayes"], [1, 2, 4, 11, 20], cv=5, random_state=1
    )


@cache
def noise() -> Comparison:
    """Nothing to be found, and naive scores that pretend the contrary."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 2500)), np.arange(60) % 2
    return compare(X, y, ["FTest", "KruskalWallis"], ["naive Bayes"], [1, 5, 20], cv=5)


@cache
def diabetes() -> Comparison:
    """A numeric target, and more methods than colours."""
    data = load_diabetes(as_frame=True)
    methods = ["Pearson", "Spearman", "VarianceReduction", "RReliefF", "MRMR", "JMI", "CMIM", "GaussianMRMR"]
    return compare(data.data, data.target, methods, ["ridge"], [1, 3, 10], cv=3)


@cache
def mixed(evil: str = "") -> Comparison:
    """Nominal columns, missing values, three classes, odd names, one method, one that fails."""
    rng = np.random.default_rng(3)
    y = np.array(["low", f"mid{evil}", "high"])[np.arange(90) % 3]
    frame = pd.DataFrame(
        {
            f"number{evil}": rng.normal(size=90) + (np.arange(90) % 3),
            "colour": pd.Categorical(rng.choice(["red", f"green{evil}", "blue"], 90)),
            "gaps": np.where(rng.random(90) < 0.3, np.nan, rng.normal(size=90)),
            "constant": np.ones(90),
        }
    )
    return compare(frame, y, ["SymmetricalUncertainty", "FTest"], ["neighbours"], [1, 2], cv=3)


@cache
def beside_chance() -> Comparison:
    """Two methods and a baseline, which has a band."""
    data = load_breast_cancer(as_frame=True)
    lot = RandomRanking(n_subsets=5)
    return compare(data.data, data.target, [lot, "FTest", "JMI"], ["naive Bayes"], [1, 3, 9], cv=3, random_state=1)


@cache
def alone() -> Comparison:
    """One method, one estimator, one size, one feature, two splits."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    halves = np.arange(20), np.arange(20, 40)
    return compare(y[:, None] + rng.normal(size=(40, 1)), y, ["FTest"], ["naive Bayes"], [1], cv=[halves, halves[::-1]])
