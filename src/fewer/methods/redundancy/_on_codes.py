"""The constructor of the filters on codes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from fewer.core.discretize.codes import codes_view
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CodesConstructor
from fewer.core.records.needs import MORE_THAN, Need
from fewer.core.records.tags import ON_CODES
from fewer.core.stop import Stop
from fewer.core.views.view import View

TAGS = replace(ON_CODES, cost="n*d*k")
# Uncertainties that are equal on paper may differ by this much in floating point (book ch. 17, section 17.2.2).
SAME = 1e-12
SILENT = "it tells nothing about the class"


def tells_something(uncertainty: np.ndarray) -> Need:
    """Return that features had to tell anything about the class at all, more than round-off."""
    told = np.where(uncertainty <= SAME, 0.0, uncertainty)
    return Need("symmetrical uncertainty with the class", told, 0.0, how=MORE_THAN)


class CodesSelector(CodesConstructor):
    """Chooses a subset of features seen as codes."""

    method_tags = TAGS
    _serves: ClassVar[tuple[str, ...]] = ("done",)

    def __init__(
        self,
        n_features_to_select: int | float | str | Stop | None = None,
        *,
        discretizer: Any = "quantile",
        bins: int = 10,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            n_features_to_select,
            discretizer=discretizer,
            bins=bins,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            verbose=verbose,
        )

    def _view(self, data: View, parts: Parts) -> View:
        return codes_view(data, parts.discretizer)
