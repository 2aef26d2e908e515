"""Any selector with features that are always kept, and groups of features that are kept or dropped as one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from sklearn.base import clone

from fewer import registry
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import ScoreBase
from fewer.core.estimators.routed import RoutedToSelector
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputTypeError, ParameterError, RequirementError
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.search.unit_lists import by_best_member, cut_units, fixed_said, n_for_size
from fewer.core.search.units import Units
from fewer.core.stop import Count, Fraction
from fewer.core.views.view import View

PARAMETERS = ("fixed_features", "feature_groups")


class Constrained(RoutedToSelector):
    """Let any selector keep some features always, and others only together.

    Fixed features count: ``Constrained(JMI(5), fixed_features=["age"])`` keeps age and four others. A group counts as
    one and is kept whole or not at all. Where subsets are evaluated, as by wrappers and by `Selector` with a search
    through subsets, a group is evaluated as a whole, beside the fixed features. Where features join step by step, as
    in `JMI`, the fixed ones come first, so that all others are scored beside them, and the best feature brings its
    group. A ranking scores a group as its best member; its p-value is the smallest one times the size of the group
    (Bonferroni), and a rule on p-values looks at what is not fixed. Of other methods, which decide by themselves what
    to keep, a group is kept if one of its members is.

    Parameters
    ----------
    selector : selector
        What selects, with its size and its other parameters.
    fixed_features : sequence of int or str, or array-like of bool, default=None
        Columns that are always in; they count.
    feature_groups : dict, sequence of sequences of int or str, or array-like of shape (n_features,), default=None
        Columns that move as one and count as one, by number or name; or one label per column.

    Attributes
    ----------
    selector_ : selector
        The fitted selector; where groups are decided afterwards it has ordered all features.

    See Also
    --------
    Chain : Selectors one after another.

    Notes
    -----
    A group with a fixed member is fixed as a whole. ``selection_.tables["units"]`` lists groups and fixed features.

    Examples
    --------
    >>> import fewer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> fewer.Constrained(fewer.FTest(2), fixed_features=[1]).fit(X, y).selection_.indices.tolist()
    [1, 2]
    >>> groups = {"sepal": [0, 1], "petal": [2, 3]}
    >>> fewer.Constrained(fewer.JMI(1), feature_groups=groups).fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags: ClassVar[MethodTags] = MethodTags(targets=("classes",), views=("dense",))
    _parameter_constraints: dict = {
        "selector": "no_validation",
        "fixed_features": "no_validation",
        "feature_groups": "no_validation",
    }

    def __init__(self, selector: Any, *, fixed_features: Any = None, feature_groups: Any = None) -> None:
        self.selector = selector
        self.fixed_features = fixed_features
        self.feature_groups = feature_groups

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None, **params: Any) -> Any:
        """Select features.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame, Table or Dask collection of shape (n_samples, n_features)
            The data, as the selector takes them.
        y : array-like of shape (n_samples,), optional
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts, where the selector takes weights.
        groups : array-like of shape (n_samples,), optional
            Rows that must not be split, where the selector has a splitter.
        **params
            Further parameters of the fit of an estimator inside.

        Returns
        -------
        self : object
            The fitted selector.
        """
        if sample_weight is not None and not self._tags_in_use().handles_weights:
            raise InputTypeError(
                f"Constrained got sample_weight, but {type(self.selector).__name__} takes none; leave it out, or use a "
                "method that takes weights, such as JMI."
            )
        given = self._handed_on(sample_weight=sample_weight, groups=groups, **params)
        return self._fit(X, y, given.pop("sample_weight", None), given.pop("groups", None), given)

    @property
    def n_jobs(self) -> int | None:
        """Number of threads: that of the selector."""
        return getattr(self.selector, "n_jobs", None)

    @property
    def categorical_features(self) -> Any:
        """Nominal columns besides those whose dtype says so: those of the selector."""
        return getattr(self.selector, "categorical_features", None)

    def _tags_in_use(self) -> MethodTags:
        return self.selector._tags_in_use() if isinstance(self.selector, BaseSelector) else self.method_tags

    def _parts(self) -> Parts:
        if not isinstance(self.selector, BaseSelector):
            raise RequirementError(
                f"Constrained got selector={self.selector!r}, but takes a selector of fewer; pass for example "
                "fewer.Constrained(fewer.JMI(10), fixed_features=[0])."
            )
        for name in PARAMETERS:
            if getattr(self.selector, name, None) is not None and getattr(self, name) is not None:
                raise ParameterError(
                    f"Constrained got {name}, but {type(self.selector).__name__} has {name} of its own; give it once."
                )
        return self.selector.check()

    def _streams(self, parts: Parts) -> bool:
        return self.selector._streams(parts)

    def _reads_batches(self, parts: Parts) -> bool:
        return self.selector._reads_batches(parts)

    def _labels(self, y: Any) -> Any:
        return self.selector._labels(y)

    def _select(self, data: View, parts: Parts) -> Selection:
        units = Units.of(data.n_features, self.feature_groups, self.fixed_features, data.names)
        own, total = set(self.selector._get_param_names()), len(units) + units.n_fixed
        if isinstance(parts.size, (Count, Fraction)) and parts.size.wanted(total).high < units.n_fixed:
            raise ParameterError(
                f"Constrained got n_features_to_select={parts.size} with {units.n_fixed} fixed features or groups of "
                f"{total}, but fixed ones count; ask for at least {units.n_fixed}, or fix fewer."
            )
        if own.issuperset(PARAMETERS):
            given = {name: getattr(self, name) for name in PARAMETERS if getattr(self, name) is not None}
            self.selector_ = clone(self.selector).set_params(**given).fit_view(data)
            found = self.selector_.selection_
        elif self.selector._moves_units:
            self.selector_ = clone(self.selector).fit_view(data, units)
            found = self.selector_.selection_
        else:
            found = self._afterwards(data, parts, units)
        found = replace(found.with_tables(units=units.table()), names=None, meta=_kept_facts(found.meta))
        return fixed_said(found, units)

    def _afterwards(self, data: View, parts: Parts, units: Units) -> Selection:
        """Select by what the selector says of single features."""
        size = parts.size
        counts, ranks = isinstance(size, (Count, Fraction)), size is not None and self._ranks()
        if ranks and set(size.needs) - {"p-values"}:
            raise RequirementError(
                f"Constrained got {type(self.selector).__name__} with n_features_to_select={str(size)!r}, but "
                "artificial features have no groups; pass a number of features, or a rule on scores or p-values."
            )
        ordering = clone(self.selector)
        if "feature_groups" in self.selector._get_param_names() and self.feature_groups is not None:
            # Such as the importance of columns that are permuted together.
            ordering.set_params(feature_groups=self.feature_groups)
        if counts or ranks:
            ordering.set_params(n_features_to_select=None)
        self.selector_ = ordering.fit_view(data)
        found = self.selector_.selection_
        if ranks:
            return cut_units(found, units, size)
        if counts:
            found = self._filled_up(data, found, units, size)
        return by_best_member(found, units, size if counts else None)

    def _filled_up(self, data: View, found: Selection, units: Units, size: Any) -> Selection:
        """Return a selection of as many units as are asked for, if the selector adds to its own set when asked."""
        wanted, before = n_for_size(found.order, units, size), -1
        while before < len(found.indices) < wanted:
            before = len(found.indices)
            self.selector_ = clone(self.selector).set_params(n_features_to_select=wanted).fit_view(data)
            found = self.selector_.selection_
            wanted = n_for_size(found.order, units, size)
        return found

    def _ranks(self) -> bool:
        """Return whether the selector scores features one by one and cuts the list."""
        made = self.selector
        if isinstance(made, ScoreBase) or getattr(made, "search", None) == "top":
            return True
        known = {entry.name: entry.shape for entry in registry.METHODS}
        return known.get(type(made).__name__) == "ranking" and "cut" in made._serves


def _kept_facts(meta: dict[str, Any]) -> dict[str, Any]:
    """Return what a search says of itself, without what the selector says of data and method."""
    own = ("method", "parameters", "summary", "task", "data", "seed", "versions", "seconds", "runner")
    return {name: value for name, value in meta.items() if name not in own}
