"""Whether the data hold what their answers say, by scikit-learn and scipy alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from real_life.case import TARGET, Case


@dataclass(frozen=True)
class Known:
    """The rows of a data set that count, with their target."""

    frame: pd.DataFrame
    y: np.ndarray

    @classmethod
    def of(cls, case: Case) -> Known:
        data = case.data()
        rows = data.frame[TARGET].notna().to_numpy(copy=True)
        if "sample_weight" in data.rows:
            rows &= data.rows["sample_weight"] > 0
        frame = data.frame[rows].reset_index(drop=True)
        y = frame.pop(TARGET).to_numpy()
        return cls(frame, y if y.dtype.kind == "f" else y.astype(str))

    @property
    def numbers(self) -> bool:
        return self.y.dtype.kind == "f"

    def is_text(self, name: str) -> bool:
        return not pd.api.types.is_numeric_dtype(self.frame[name])

    def pvalue(self, name: str) -> float:
        """Return how likely a column without relation is to be related as much; missing values are left aside."""
        known = self.frame[name].notna().to_numpy()
        x, y = self.frame[name][known], self.y[known]
        if self.numbers:
            return float(stats.spearmanr(x.astype(float), y).pvalue)
        if self.is_text(name):
            return float(stats.chi2_contingency(pd.crosstab(x, y)).pvalue)
        parts = [x[y == one].to_numpy(dtype=float) for one in np.unique(y)]
        return float(stats.f_oneway(*[part for part in parts if len(part) > 1]).pvalue)

    def pvalues(self, names: Iterable[str]) -> np.ndarray:
        """Return the p-values of many columns, at once where all are alike."""
        names = list(names)
        if len(names) > 100:
            return f_classif(self.frame[names], self.y)[1]
        return np.array([self.pvalue(name) for name in names])

    def encoded(self, names: list[str]) -> np.ndarray:
        """Return numbers as they are, text as one column per level, and a column that says where a value is missing."""
        text = [name for name in names if self.is_text(name)]
        frame = pd.get_dummies(self.frame[names], columns=text, dummy_na=True).astype(float)
        absent = frame.isna().loc[:, frame.isna().any()].astype(float).add_suffix(" is missing")
        return pd.concat([frame.fillna(frame.median()), absent], axis=1).to_numpy()

    def score(self, names: list[str], tree: bool = False) -> float:
        """Return the cross-validated accuracy, balanced if classes are uneven, or R squared."""
        if self.numbers:
            model = DecisionTreeRegressor(min_samples_leaf=2, random_state=0) if tree else LinearRegression()
            how, folds = "r2", KFold(5, shuffle=True, random_state=0)
        else:
            model = DecisionTreeClassifier(max_depth=4, random_state=0) if tree else LinearDiscriminantAnalysis()
            how = "balanced_accuracy" if pd.Series(self.y).value_counts(normalize=True).iloc[0] > 0.8 else "accuracy"
            folds = StratifiedKFold(5, shuffle=True, random_state=0)
        return float(cross_val_score(model, self.encoded(names), self.y, cv=folds, scoring=how).mean())

    def most_frequent(self, name: str) -> float:
        """Return the fraction of the most frequent value among those that are known."""
        return float(self.frame[name].value_counts(normalize=True).iloc[0])

    def different(self, name: str) -> float:
        """Return the number of different values as a fraction of the rows."""
        return self.frame[name].nunique() / len(self.frame)

    def missing(self, name: str) -> float:
        return float(self.frame[name].isna().mean())

    def shift(self, name: str) -> float:
        """Return how far the distributions of the upper and the lower half of the rows are apart, 0 to 1."""
        x, middle = self.frame[name], len(self.frame) // 2
        x = pd.Series(pd.factorize(x, sort=True)[0]) if self.is_text(name) else x.astype(float)
        upper, lower = x[:middle].dropna(), x[middle:].dropna()
        return float(stats.ks_2samp(upper, lower).statistic) if len(upper) and len(lower) else 0.0
