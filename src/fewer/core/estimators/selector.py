"""BaseSelector: validate, open a runner, select, store."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fewer.core.criteria.shapes import Criterion
from fewer.core.discretize.named import as_discretizer
from fewer.core.estimators.callbacks import CallbackSupportMixin, called_back
from fewer.core.estimators.columns_out import chosen_columns
from fewer.core.estimators.origin import with_facts
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.told_tags import tell_scikit_learn
from fewer.core.reading.dask_parts import is_dask, read_dask
from fewer.core.reading.foreign_arrays import as_numpy, given_back, is_foreign
from fewer.core.reading.frames import as_rows, refuse_repeated_names
from fewer.core.reading.memory import read_memory
from fewer.core.reading.on_workers import split_rows
from fewer.core.reading.suited import suited
from fewer.core.reading.table_views import is_table, read_joint, read_table
from fewer.core.records.errors import BrokenResult, InputError, InputTypeError, RequirementError
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.runners.cluster import DaskRunner
from fewer.core.runners.context import active_client, on_cuda
from fewer.core.runners.device import DeviceRunner, DeviceStreamRunner
from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.stop import as_stop
from fewer.core.views.sparse_input import check_structure
from fewer.core.views.view import View


class OwnCriterion:
    """The criterion of a method: of the class with its defaults, of an instance with its parameters."""

    def __get__(self, made: Any, kind: Any) -> Any:
        """Return the criterion, or explain that the method has none."""
        try:
            found = (kind() if made is None else made)._criterion()
        except TypeError:
            # A class without defaults, such as Selector.
            found = None
        if not isinstance(found, Criterion):
            raise AttributeError(f"{kind.__name__} has no criterion that could be used apart from its own search.")
        return found


class BaseSelector(CallbackSupportMixin, SelectorMixin, BaseEstimator):
    """Base of every selector. A method implements `_select` and declares `method_tags`.

    Attributes
    ----------
    selection_ : Selection
        Kept features, best first, with scores, trace and a reason for every feature.
    scores_ : ndarray of shape (n_features,)
        One number per feature where the method has one; larger is better.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the kept features.
    ranking_ : ndarray of int of shape (n_features,)
        Rank per feature, 1 is best.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.
    """

    contract: ClassVar[str] = "selector"
    # Whether the data are asked again for every feature that is chosen; a ranking counts all features once.
    _asks_again: ClassVar[bool] = True
    method_tags: ClassVar[MethodTags]
    criterion: Any = OwnCriterion()
    # The stop rules it can follow: those that "cut" a ranking, end a search when it is "done", or say what a search
    # through "subsets" shall find. Empty where its search says that.
    _serves: ClassVar[tuple[str, ...]] = ("cut",)
    # Whether its search itself moves features as groups and keeps some always in, as `parts.units` says.
    _moves_units: bool = False

    def fit(self, X: Any, y: Any = None, *more: Any, **params: Any) -> BaseSelector:
        """Select features.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame, Table or Dask collection of shape (n_samples, n_features)
            The data. A `Table` carries its own target and is read in batches.
        y : array-like of shape (n_samples,), optional
            The target.
        *more, **params
            Nothing: what a method does not take, such as ``sample_weight``, is refused in a sentence.

        Returns
        -------
        self : object
            The fitted selector.
        """
        self._refuse_more(more, params)
        return self._fit(X, y)

    def _refuse_more(self, more: tuple[Any, ...], params: dict[str, Any]) -> None:
        """Raise on what was given to `fit` beside X and y; None is as good as nothing."""
        given = [name for name, value in params.items() if value is not None]
        if any(value is not None for value in more):
            given.insert(0, "sample_weight" if len(more) == 1 else "further arrays")
        if given:
            other = ", or use a method that takes weights, such as JMI" if "sample_weight" in given else ""
            raise InputTypeError(
                f"{type(self).__name__}.fit got {' and '.join(given)}, but takes X and y only; leave that out{other}."
            )

    def fit_view(self, data: View, units: Any = None) -> BaseSelector:
        """Select features of data that were read already: the way of comparisons, wrappers, chains and recipes.

        Parameters
        ----------
        data : View
            The data with target, weights and groups. A method that cannot take them says so in one sentence.
        units : Units, optional
            What moves as one and what is always in, for methods whose search moves units.

        Returns
        -------
        self : object
            The fitted selector.
        """
        parts = replace(self.check(), units=units)
        self._begin()
        begin = time.perf_counter()
        data = self._placed(suited(type(self).__name__, self._tags_in_use(), data))
        self.n_features_in_ = data.n_features
        if data.names is not None:
            self.feature_names_in_ = np.asarray(data.names, dtype=object)
        with called_back(self):
            return self._run(data, parts, begin)

    def _fit(
        self, X: Any, y: Any, weight: Any = None, groups: Any = None, fit_params: Mapping[str, Any] | None = None
    ) -> BaseSelector:
        self._begin()
        return self._learn_from(X, y, weight, groups, fit_params)

    def _learn_from(
        self, X: Any, y: Any, weight: Any = None, groups: Any = None, fit_params: Mapping[str, Any] | None = None
    ) -> BaseSelector:
        """Validate, read, select, store; what an earlier fit has left is not touched before."""
        parts = self.check()
        begin = time.perf_counter()
        shows = getattr(self, "verbose", 0) and not progress.listening()
        with progress.bar() if shows else nullcontext(), called_back(self, X, y), self._open_runner(X) as run:
            data = self._read(X, self._labels(y), weight, run, parts)
            groups = as_numpy(groups, type(self).__name__)
            return self._run(self._placed(data.with_row_data(groups, fit_params or {})), parts, begin)

    def _run(self, data: View, parts: Parts, begin: float) -> BaseSelector:
        """Select features and store the result."""
        try:
            selection = self._select(data, parts).settled()
        except BrokenResult as error:
            raise BrokenResult(f"{type(self).__name__}: {error}; this is a defect, please report it.") from error
        self.selection_ = with_facts(self, self._tags_in_use(), selection, data, begin)
        if selection.scores is not None:
            self.scores_ = selection.scores
        self.support_ = self.selection_.support
        self.ranking_ = self.selection_.ranking
        return self

    def _select(self, data: View, parts: Parts) -> Selection:
        """Select features of validated data by what the parameters stand for. The one method of every selector."""
        raise NotImplementedError

    def _begin(self) -> None:
        """Forget what an earlier fit has left; for methods that can go on from there."""

    def _labels(self, y: Any) -> Any:
        """Return the target as the method wants it to be read."""
        return y

    def _placed(self, data: View) -> View:
        """Return the data with the classes in the order that the method needs."""
        return data

    def _criterion(self) -> Any:
        """Return what scores features or subsets, where it can be used apart from the search of the method."""

    def _view(self, data: View, parts: Parts) -> View:
        """Return the data as the criterion reads them."""
        return data

    def _tags_in_use(self) -> MethodTags:
        """Return the tags of this instance, which may depend on its parameters."""
        return self.method_tags

    def check(self) -> Parts:
        """Raise, before any work and without data, if parameters or parts of this selector are not allowed.

        Returns
        -------
        Parts
            What the parameters stand for.
        """
        self._validate_params()
        return self._parts()

    def _parts(self) -> Parts:
        """Return what the parameters stand for, each read once; raise if the parts do not fit each other."""
        # Attributes, not `get_params`: a subclass may set what its own constructor does not offer.
        given = vars(self)
        cut = given.get("discretizer")
        levels = None if cut is None else as_discretizer(cut, given["bins"])
        parts = Parts(discretizer=levels, criterion=self._criterion())
        if "n_features_to_select" not in given:
            return parts
        size = as_stop(given["n_features_to_select"])
        if self._serves:
            size.check(type(self).__name__, self._offers(parts.criterion))
        return replace(parts, size=size)

    def _offers(self, criterion: Any) -> Iterable[str]:
        """Return what stop rules can use: the kinds it serves, and what else it has for them, such as p-values."""
        return self._serves

    def _open_runner(self, X: Any) -> Any:
        device = on_cuda()
        if is_table(X) and not X.in_memory:
            if active_client() is not None and self._reads_clusters(self.check()):
                return DaskRunner(active_client())
            stream = DeviceStreamRunner if device else StreamRunner
            return stream(getattr(self, "n_jobs", None), self._asks_again, X.budget, X.kept_work())
        if is_dask(X):
            return DaskRunner(active_client())
        if device:
            return DeviceRunner(getattr(self, "n_jobs", None))
        return ThreadRunner(getattr(self, "n_jobs", None))

    def _read(self, X: Any, y: Any, weight: Any, run: Any, parts: Parts) -> View:
        tags, categorical = self._tags_in_use(), getattr(self, "categorical_features", None)
        if is_table(X) or is_dask(X):
            self._refuse_extras(X, y, weight, categorical, parts)
        if is_table(X) and hasattr(X, "joint_target"):
            return read_joint(self, X, tags, run)
        if is_table(X):
            X = X.with_unlabelled() if "partly labelled" in tags.targets else X
            data = read_table(type(self).__name__, X.read_for(tags.task), tags, run)
            self.n_features_in_ = data.n_features
            self.feature_names_in_ = np.asarray(data.names, dtype=object)
            return self._spread(data, parts)
        if is_dask(X):
            return read_dask(self, X, y, tags, categorical, run)
        return self._spread(read_memory(self, X, y, weight, tags, categorical, run), parts)

    def _spread(self, data: View, parts: Parts) -> View:
        """Return the data on the workers of the cluster in use, if there is one and this instance can use it."""
        client = active_client()
        if client is None or not data.run.in_memory or not self._sends_rows(parts) or data.target_names is not None:
            return data
        return split_rows(data, DaskRunner(client))

    def _streams(self, parts: Parts) -> bool:
        """Return whether this instance, with its parameters, works on data that are not in memory."""
        return self._tags_in_use().streams

    def _sends_rows(self, parts: Parts) -> bool:
        """Return whether rows in memory go to the workers of a cluster."""
        return self._streams(parts)

    def _reads_batches(self, parts: Parts) -> bool:
        """Return whether this instance works on a table that is not in memory."""
        return self._streams(parts)

    def _reads_clusters(self, parts: Parts) -> bool:
        """Return whether this instance works on a Dask collection."""
        return self._streams(parts)

    def _refuse_extras(self, X: Any, y: Any, weight: Any, categorical: Any, parts: Parts) -> None:
        """Raise on what cannot be used together with a table or a Dask collection, rather than leave it aside."""
        name, kind = type(self).__name__, type(X).__name__
        if weight is not None:
            raise InputError(
                f"{name} takes sample_weight only with data in memory, but X is a {kind}; name the weight column "
                "when opening a table, open_table(..., weight=...), or load the data."
            )
        if y is not None and is_table(X):
            raise InputError(f"{name} got y beside a {kind}, which brings its own target; pass one of the two.")
        if categorical is not None and (is_table(X) or not hasattr(X, "columns")):
            raise InputError(
                f"{name} takes no categorical_features for a {kind}; name them in open_table(..., "
                "categorical_features=...), or give a Dask data frame."
            )
        works = self._reads_batches(parts) if is_table(X) else self._reads_clusters(parts)
        if not works and not getattr(X, "in_memory", False):
            raise RequirementError(
                f"{name} with these parameters needs all rows in memory, but X is a {kind}; load it first, with "
                "table.load() for a table, or choose a method that streams."
            )

    def transform(self, X: Any) -> Any:
        """Return the selected features of rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        array, sparse matrix or data frame of shape (n_samples, n_selected_features)
            An array of another library, such as a tensor, comes back as one of that library.
        """
        name = type(self).__name__
        if is_foreign(X):
            out = self.transform(as_numpy(X, name))
            return given_back(out, X) if isinstance(out, np.ndarray) else out
        X = as_rows(X, name) if type(X).__name__ == "LazyFrame" else check_structure(name, X)
        refuse_repeated_names(X)
        return super().transform(X)

    def as_columns(self, X: Any = None) -> Any:
        """Return the kept columns as plain scikit-learn, for where this library is not installed.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame, optional
            Rows of the form that will be transformed: sparse rows stay sparse only if such are given here.

        Returns
        -------
        sklearn.compose.ColumnTransformer
            Fitted; it transforms rows as this selector does, by names if the selector was fitted to names.
        """
        check_is_fitted(self, "selection_")
        if type(self).transform is not BaseSelector.transform:
            raise RequirementError(
                f"{type(self).__name__} makes the columns that it keeps, so that as_columns, which only chooses among "
                "columns that are there, cannot stand for it; keep the selector itself."
            )
        return chosen_columns(self, X)

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self, "selection_")
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        return tell_scikit_learn(super().__sklearn_tags__(), self._tags_in_use())


class WeightedFit:
    """Adds `sample_weight` to `fit`, for methods on summaries that carry weights."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Select features.

        Parameters
        ----------
        X : array-like, sparse matrix, data frame, Table or Dask collection of shape (n_samples, n_features)
            The data. A `Table` carries its own target and is read in batches.
        y : array-like of shape (n_samples,), optional
            The target.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts; a row of weight 0 is as good as absent. Fractions are taken in proportion, but
            what depends on the number of rows, such as p-values, takes their sum for it.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, sample_weight)  # type: ignore[attr-defined]
