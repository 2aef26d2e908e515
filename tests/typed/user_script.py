"""What a user may write, as `mypy --strict` reads it: ten public names, no hint of ours missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import fewer
from fewer import MRMR, Chain, Comparison, InformationGain, ReliefF, Selection, compare, rank, select
from fewer.discretize import EqualFrequency
from fewer.stop import BenjaminiHochberg

rng = np.random.default_rng(0)
X, y = rng.normal(size=(60, 5)), rng.integers(0, 2, 60)


def kept(selection: Selection) -> list[str]:
    """Return the names a selection keeps."""
    return selection.kept_names


first: list[str] = kept(select(X, y, "InformationGain", n_features_to_select=BenjaminiHochberg(0.5)))
order: Selection = rank(X, y, method="Chi2")
selector = InformationGain(2, discretizer=EqualFrequency(4)).fit(X, y)
smaller: NDArray[np.float64] = selector.transform(X)
second: Selection = MRMR(n_features_to_select=2).fit(X, y).selection_
both = Chain([InformationGain(3), ReliefF(2)]).fit(X, y)
comparison: Comparison = compare(X, y, methods=["MRMR"], estimators=["neighbours"], sizes=[1, 2], cv=2)
names: set[str] = {entry.name for entry in fewer.catalog(task="classification")}
print(first, order.reason(0), second.explain(), both.selection_.kept_names, comparison.best().sentence, len(names))
