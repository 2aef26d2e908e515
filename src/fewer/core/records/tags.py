"""What a method can do, as one frozen record per class."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from fewer.core.records.errors import ParameterError, closest
from fewer.core.records.target_kinds import BY_NAME, task_of_kinds

VIEWS = ("codes", "dense", "sparse", "ranks", "sequences", "texts")

INVARIANCES = (
    "scale",
    "scale_untied",
    "monotone",
    "monotone_together",
    "rotation",
    "row_order",
    "row_order_untied",
)


@dataclass(frozen=True)
class MethodTags:
    """Capabilities of a method; docs, checks and the CLI read them.

    Attributes
    ----------
    targets : tuple of str
        The kinds of target it takes, of `target_kinds.KINDS`. Classes and numbers: labels are read as classes (text,
        booleans, whole numbers with at most 20 values) and only other targets as numbers. Ordered classes and numbers:
        every target is read as numbers.
    views : tuple of str
        The views it reads, best first, of `VIEWS`.
    handles_sparse, handles_nan, handles_nominal, handles_weights : bool
        Whether it takes sparse matrices, missing values, nominal columns, sample weights. A row of weight 0 is as good
        as absent, for every method that takes weights.
    weights_count_rows : bool
        Whether a row of weight 2 is exactly as good as the same row twice, with default parameters: scores, order,
        p-values and reasons.
    handles_dates : bool
        Whether it takes date columns of data frames, which it leaves out.
    nonnegative : bool
        Whether it takes numbers from 0 on only, such as counts.
    binary_only : bool
        Whether the target may have only two classes.
    deterministic : bool
        Whether it has no random part.
    nested : bool
        Whether the best k features are always among the best k + 1.
    streams : bool
        Whether it is built on summaries, so that it also runs on streamed files and on Dask.
    baseline : bool
        Whether it looks at nothing but the number of features: what others are compared with.
    invariance : tuple of str
        Changes of X that do not change the result, of `INVARIANCES`: units and origin of each feature ("scale"), any
        increasing map of each feature ("monotone"), one increasing map of all features, the same for each
        ("monotone_together"), rotations, and the order of the rows ("row_order"). Some hold only as long as no two
        rows are equally near to a third, because rounding, or the order, then decides ("scale_untied",
        "row_order_untied"). They hold for the parameters by default; what holds for others is in the tags of the
        instance.
    cost : str
        Order of the work in n rows, d features and method parameters.
    """

    targets: tuple[str, ...]
    views: tuple[str, ...]
    handles_sparse: bool = False
    handles_nan: bool = False
    handles_nominal: bool = False
    handles_weights: bool = False
    weights_count_rows: bool = False
    handles_dates: bool = False
    nonnegative: bool = False
    binary_only: bool = False
    deterministic: bool = True
    nested: bool = True
    streams: bool = False
    baseline: bool = False
    invariance: tuple[str, ...] = ("row_order",)
    cost: str = "n*d"

    def __post_init__(self) -> None:
        _check("targets", self.targets, BY_NAME)
        _check("views", self.views, VIEWS)
        _check("invariance", self.invariance, INVARIANCES)

    @property
    def task(self) -> str:
        """What its targets are for: "classification", "regression", "none" and others, or "any" of several."""
        return task_of_kinds(self.targets)

    @property
    def reads_classes(self) -> bool:
        """Whether it takes classes and numbers, and tells them apart."""
        return "classes" in self.targets and "numbers" in self.targets

    @property
    def needs_target(self) -> bool:
        """Whether `fit` needs y."""
        return "none" not in self.targets

    def unchanged_only_by(self, changes: Collection[str]) -> MethodTags:
        """Return the same tags without the invariances that are not among ``changes``."""
        left = tuple(name for name in self.invariance if name in changes)
        # What holds for all data holds for those without ties.
        if "row_order" in self.invariance and "row_order" not in changes and "row_order_untied" in changes:
            left = (*left, "row_order_untied")
        return replace(self, invariance=left)


def _check(field: str, given: Collection[str], known: Collection[str]) -> None:
    """Raise if the tags of a method hold words that nothing reads."""
    wrong = [given] if isinstance(given, str) else [word for word in given if word not in known]
    if wrong:
        hint = closest(str(wrong[0]), known)
        raise ParameterError(
            f"MethodTags got {field}={given!r}, but takes a tuple of {', '.join(map(repr, known))}; "
            f"change {wrong[0]!r}.{hint}"
        )


# Methods on bins: quantile bins depend only on the order of the values, and counts carry weights.
ON_CODES = MethodTags(
    targets=("classes",),
    views=("codes",),
    handles_sparse=True,
    handles_nan=True,
    handles_nominal=True,
    handles_weights=True,
    weights_count_rows=True,
    streams=True,
    invariance=("row_order", "scale", "monotone"),
)
