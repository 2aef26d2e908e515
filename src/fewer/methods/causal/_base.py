"""The constructors of the family: which test is asked, and of which view."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

from fewer.core.criteria.fisher_z import FisherZ
from fewer.core.criteria.g_test import GTest
from fewer.core.criteria.independence_contract import IndependenceTest
from fewer.core.criteria.information_test import ConditionalInformation
from fewer.core.criteria.regression_test import RegressionTest
from fewer.core.discretize.codes import codes_view, learns_by_summaries
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import CODES_CONSTRAINTS, tags_of_levels
from fewer.core.estimators.selector import BaseSelector, WeightedFit
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import Interval
from fewer.core.records.result import Selection
from fewer.core.records.tags import ON_CODES, MethodTags
from fewer.core.search.cut_found import cut_by
from fewer.core.search.questions import Questions
from fewer.core.views.view import View

TAGS = replace(ON_CODES, targets=("classes", "numbers"), cost="n*d*k")
COUNTS: dict[str, Any] = {"targets": ("classes",)}
IN_MEMORY: dict[str, Any] = {
    "streams": False,
    "handles_weights": False,
    "weights_count_rows": False,
    "handles_sparse": False,
}
_NUMBERS: dict[str, Any] = {"views": ("dense", "sparse"), "handles_nan": False, "handles_nominal": False}
# What a test needs and takes, beyond what counting does.
CHANGES: dict[str, dict[str, Any]] = {
    "auto": {},
    "g": COUNTS,
    "chi2": COUNTS,
    "information": COUNTS | IN_MEMORY,
    "fisher_z": _NUMBERS | {"weights_count_rows": True, "invariance": ("row_order", "scale")},
    "mixed": IN_MEMORY | {"views": ("dense",), "handles_nan": False, "invariance": ("row_order", "scale")},
}
# Rows per cell that "information" asks for at most: its p-values hold with few rows.
FEW_ROWS = 1.0
# Shuffles of "information": ten times as many as the smallest p-value below alpha takes, within these bounds.
FEWEST_SHUFFLES, MOST_SHUFFLES = 199, 9_999
NAMED: dict[str, Callable[[float, float], IndependenceTest]] = {
    "g": lambda h, alpha: GTest(h),
    "chi2": lambda h, alpha: GTest(h, "chi2"),
    "information": lambda h, alpha: ConditionalInformation(shuffles(alpha), min(h, FEW_ROWS)),
    "fisher_z": lambda h, alpha: FisherZ(),
    "mixed": lambda h, alpha: RegressionTest(h),
}
CONSTRAINTS: dict[str, Any] = {
    **CODES_CONSTRAINTS,
    "alpha": [Interval(Real, 0, 1, closed="neither")],
    # `_parts` reads it and says in one sentence what is allowed.
    "test": "no_validation",
    "h": [Interval(Real, 0, None, closed="left")],
}
MAX_K = [None, Interval(Integral, 0, None, closed="left")]


def shuffles(alpha: float) -> int:
    """Return how many shuffles a test at a level takes, so that its p-values can be well below."""
    return max(FEWEST_SHUFFLES, min(10 * math.ceil(1.0 / alpha) - 1, MOST_SHUFFLES))


def keep(made: Any, given: Mapping[str, Any]) -> None:
    """Store the parameters of a constructor, given its `locals`."""
    for name, value in given.items():
        if name not in ("self", "__class__"):
            setattr(made, name, value)


class BlanketSelector(WeightedFit, BaseSelector):
    """Base of the family: asks tests of independence and keeps a blanket."""

    method_tags: ClassVar[MethodTags] = TAGS
    _parameter_constraints: dict = CONSTRAINTS
    max_k: int | None = None

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        alpha: float = 0.05,
        test: Any = "auto",
        h: float = 5.0,
        discretizer: Any = "quantile",
        bins: int = 3,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())

    def _blanket(self, questions: Questions) -> Selection:
        """Ask and select. The one method of every selector of the family."""
        raise NotImplementedError

    def _parts(self) -> Parts:
        known = isinstance(self.test, IndependenceTest) or (isinstance(self.test, str) and self.test in CHANGES)
        if not known:
            raise ParameterError(
                f"{type(self).__name__} got test={self.test!r}, but knows {', '.join(map(repr, CHANGES))} and tests of "
                "fewer.independence, such as GTest(h=10); choose one of them."
            )
        self._refuse_few_shuffles()
        return super()._parts()

    def _refuse_few_shuffles(self) -> None:
        """Refuse a test by permutations that can find nothing."""
        made = self.test if isinstance(self.test, ConditionalInformation) else None
        n = made.n_permutations if made else shuffles(self.alpha) if self.test == "information" else 0
        if n and 1.0 / (1 + n) > self.alpha:
            raise ParameterError(
                f"{type(self).__name__} got alpha={self.alpha:g} with a test of {n:,} shuffles, whose p-values are at "
                f"least 1 / {1 + n:,}, but p-values up to alpha must be possible; choose a larger alpha, test='g', or "
                f"ConditionalInformation(n_permutations={math.ceil(10 / self.alpha) - 1}) of fewer.independence."
            )

    def _tags_in_use(self) -> MethodTags:
        named = self.test if isinstance(self.test, str) else ""
        tags = replace(self.method_tags, **CHANGES.get(named, {}))
        if isinstance(self.test, IndependenceTest):
            counts = "codes" in self.test.requires
            tags = replace(tags, **({} if counts else _NUMBERS | {"weights_count_rows": False}))
            if self.test.needs_all_rows:
                tags = replace(tags, **IN_MEMORY, handles_nominal=True)
        return tags_of_levels(tags, self.discretizer)

    def _streams(self, parts: Parts) -> bool:
        return super()._streams(parts) and learns_by_summaries(parts.discretizer)

    def _reads_batches(self, parts: Parts) -> bool:
        return self._streams(parts)

    def _select(self, data: View, parts: Parts) -> Selection:
        test = self._asked(data)
        counts = data.kind not in test.requires and "codes" in test.requires
        view = codes_view(data, parts.discretizer) if counts else data
        called = str(data.facts.get("target_name") or "y")
        if called in (data.names or ()):
            called = "the target"
        questions = Questions(view, test, self.alpha, self.max_k, called)
        if self.test == "information" and self.h > FEW_ROWS:
            questions.remarks.append(
                f"Tests by shuffles take {FEW_ROWS:g} row per cell for enough, not h = {self.h:g}: their p-values hold "
                "with few rows."
            )
        return cut_by(self._blanket(questions), parts.size)

    def _asked(self, data: View) -> IndependenceTest:
        """Return the test; "auto" counts where y holds classes, and otherwise looks at the columns."""
        if isinstance(self.test, IndependenceTest):
            return self.test
        by_columns = "mixed" if data.nominal.any() else "fisher_z"
        return NAMED[self.test if self.test != "auto" else "g" if data.n_classes else by_columns](self.h, self.alpha)


class LocalSelector(BlanketSelector):
    """Base of those that look for parents and children by small given sets."""

    _parameter_constraints: dict = {**CONSTRAINTS, "max_k": MAX_K, "symmetry": ["boolean"]}

    def __init__(
        self,
        n_features_to_select: Any = None,
        *,
        alpha: float = 0.05,
        test: Any = "auto",
        max_k: int | None = 3,
        h: float = 5.0,
        symmetry: bool = True,
        discretizer: Any = "quantile",
        bins: int = 3,
        categorical_features: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        keep(self, locals())
