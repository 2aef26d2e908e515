"""Any scikit-learn estimator as a subset criterion: the mean of its scores over the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import has_fit_parameter

from fewer.core.criteria.fold_scores import highest, score_name, warn_of_failure
from fewer.core.criteria.folds import Folds, make_folds, of_rows
from fewer.core.criteria.model_input import asks_for_names, sees_frame, take_rows, told_columns
from fewer.core.criteria.sent_fits import SentFits, sent_scores
from fewer.core.criteria.shapes import Columns, SubsetScore, inside, outside, sorted_members
from fewer.core.records.errors import InputError, ParameterError, RequirementError
from fewer.core.runners.elsewhere import Place, elsewhere
from fewer.core.views.column_types import ColumnTypes, frame_of
from fewer.core.views.view import View


@dataclass(eq=False)
class Validation:
    """What one view needs for a cross-validation, and what is known of the last subset."""

    folds: Folds
    scorer: Any
    empty: np.ndarray | None = None
    model: Any = None
    kept: dict[str, Any] = field(default_factory=dict)
    # Which columns are nominal, and which are copies, where the estimator must be told of every subset.
    nominal: np.ndarray | None = None
    types: ColumnTypes | None = None

    def model_for(self, estimator: Any, X: Any, subset: np.ndarray) -> Any:
        """Return an estimator as it is for some columns: it knows which of them are nominal, and names no others."""
        if self.nominal is None:
            return estimator
        return told_columns(estimator, self.nominal[subset], getattr(X, "columns", None), self.types)


class CrossValidated(SubsetScore):
    """The mean score of an estimator over folds, for any subset of the columns.

    Equal to ``cross_val_score(estimator, X[:, subset], y, scoring=scoring, cv=cv).mean()``, with the splits drawn once
    per view, so that all subsets are scored on the same ones. No subset at all is worth what the majority class, or the
    mean of the target, is worth. A subset whose score is not a number is worth minus infinity.

    Parameters
    ----------
    estimator : estimator
        Fitted again for every subset and fold; itself not changed.
    scoring : str, callable or None, default=None
        As for `cross_val_score`.
    cv : int, splitter, iterable of splits or None, default=None
        As for `cross_val_score`.
    groups : array-like of shape (n_rows,), default=None
        Passed to the splitter.
    params : mapping, default=None
        Passed to `fit`, or routed where metadata routing is enabled. The weights of a view join as ``sample_weight``.
    give_up : bool, default=False
        Whether to leave a candidate as soon as even perfect scores on the folds to come could not lift it above the
        best candidate of the same call (book ch. 13, section 13.4). The best candidate and its value stay the same;
        the others have an upper bound instead of their value, below the best one. For searches that look at the best
        candidate of each step only; without effect on short cuts, which need not give up.

    Attributes
    ----------
    fits : int
        Number of estimators fitted so far.
    """

    requires: tuple[str, ...] = ("dense", "sparse", "codes")
    # Values may be asked for on several threads at once.
    parallel_values = True
    sends_values = True
    has_folds = True

    def __init__(
        self,
        estimator: Any,
        scoring: Any = None,
        cv: Any = None,
        *,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
        give_up: bool = False,
    ) -> None:
        self.estimator, self.scoring, self.groups = estimator, scoring, groups
        # A number of numpy, which calls itself iterable.
        cv = cv.item() if getattr(cv, "ndim", 1) == 0 else cv
        # An iterator would be spent after the first view.
        self.cv = list(cv) if isinstance(cv, Iterable) and not hasattr(cv, "split") else cv
        self.params: dict[str, Any] = dict(params or {})
        self.give_up = give_up
        self.score_name = score_name(estimator, scoring)
        self.fits = 0
        if give_up and highest(self.score_name) is None:
            raise ParameterError(
                f"give_up=True needs a score with a known highest value, but scoring={scoring!r} has none on record; "
                "use a score such as 'accuracy', 'r2' or one that begins with 'neg_', or give_up=False."
            )

    def value(self, view: View, subset: Columns) -> float:
        """Return the mean score of a subset."""
        return float(self._means(self.fold_values(view, subset)[None, :])[0])

    def fold_values(self, view: View, subset: Columns) -> np.ndarray:
        """Return the score of a subset in every fold; their mean is its value."""
        return self._scores(view, sorted_members(subset), np.array([-1]), 0)[0]

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return the value of the subset with each of the candidates."""
        return self._means(self._scores(view, *outside(subset, candidates), 1))

    def values_removed(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return the value of the subset without each of the candidates."""
        return self._means(self._scores(view, *inside(subset, candidates), -1))

    def _means(self, scores: np.ndarray) -> np.ndarray:
        means = np.ascontiguousarray(scores).mean(axis=1)
        return np.where(np.isnan(means), -np.inf, means)

    def _prepare(self, view: View) -> Validation:
        estimator, params = self.estimator, dict(self.params)
        weight = view.whole().weight
        if weight is not None:
            params.setdefault("sample_weight", weight)
        scorer = check_scoring(estimator, scoring=self.scoring)
        split: dict[str, Any] = {} if self.groups is None else {"groups": self.groups}
        score: dict[str, Any] = {}
        if get_config()["enable_metadata_routing"]:
            cv = check_cv(self.cv, view.whole().y, classifier=is_classifier(estimator))
            # Splits that are there already, perhaps made by these groups, ask for none.
            split = {} if isinstance(self.cv, list) else split
            routed = process_routing(_router(estimator, scorer, cv), "fit", **params, **split)
            split, params, score = routed.splitter.split, routed.estimator.fit, routed.scorer.score
        elif weight is not None and not has_fit_parameter(estimator, "sample_weight"):
            raise RequirementError(
                f"{type(estimator).__name__} takes no sample_weight, but the data have weights; leave the weights out, "
                "choose an estimator that takes them, or enable metadata routing."
            )
        folds = make_folds(
            view, self.cv, is_classifier(estimator), split, fit_params=dict(params), score_params=dict(score)
        )
        if view.kind == "codes":
            return Validation(folds, scorer)
        if sees_frame(estimator, view):
            folds = replace(folds, X=frame_of(view))
        told = asks_for_names(estimator) or view.nominal.any()
        return Validation(folds, scorer, nominal=view.nominal if told else None, types=view.column_types)

    def fold_values_of(self, view: View, subsets: Sequence[Columns]) -> np.ndarray:
        """Return the scores of several subsets, one row for each, in every fold."""
        return self._of_subsets(view, [sorted_members(subset) for subset in subsets])

    def values_of(self, view: View, subsets: Sequence[Columns]) -> np.ndarray:
        """Return the values of several subsets, fitted side by side wherever fits go."""
        return self._means(self.fold_values_of(view, subsets))

    def _scores(self, view: View, members: np.ndarray, candidates: np.ndarray, sign: int) -> np.ndarray:
        """Return the scores (n_candidates, n_folds) of the subset (sign 0), or with (1) or without (-1) candidates."""
        return self._of_subsets(view, [changed(members, int(j), sign) for j in candidates])

    def _of_subsets(self, view: View, subsets: list[np.ndarray]) -> np.ndarray:
        """Return the scores of subsets, (n_subsets, n_folds)."""
        known, best = self.prepare(view), [-np.inf]
        place = elsewhere(getattr(view.run, "n_jobs", None))

        def work(start: int, stop: int) -> np.ndarray:
            return np.stack([self._of_subset(known, s, best) for s in subsets[start:stop]])

        if not subsets:
            return np.empty((0, known.folds.n_folds))
        if place is not None and all(map(len, subsets)):
            scores = self._sent(known, place, subsets)
        elif len(subsets) == 1:
            scores = work(0, 1)
        else:
            scores = np.concatenate(view.run.scan(work, len(subsets), 1))
        self._refuse_failure(known)
        return scores

    def _sent(self, known: Validation, place: Place, subsets: list[np.ndarray]) -> np.ndarray:
        """Let the fits be done elsewhere, and count them and tell of failures as if they had been done here."""
        sent = known.kept.get("sent")
        if sent is None:
            plain = copy(self)
            # What the fits need of these is among the folds.
            plain.groups, plain.params, plain.cv = None, {}, None
            sent = known.kept["sent"] = SentFits(plain, replace(known, empty=None, kept={}))
        scores, failed = sent_scores(sent, place, subsets)
        self.fits += scores.size
        for errors in failed:
            self._note(known, errors)
        return scores

    def _note(self, known: Validation, failed: Sequence[tuple[str, Exception]]) -> None:
        """Warn of what failed on a subset, and remember whether any fit has worked at all."""
        tell(failed)
        unfit = [error for what, error in failed if what == "fitted"]
        known.kept["failed" if len(unfit) == known.folds.n_folds else "worked"] = unfit[0] if unfit else None

    def _refuse_failure(self, known: Validation) -> None:
        """Raise if no fit has worked so far; single subsets that fail, such as a constant column, are worthless."""
        error = known.kept.get("failed")
        if error is not None and "worked" not in known.kept:
            raise InputError(
                f"{type(self.estimator).__name__} could not be fitted on any of {known.folds.n_folds} folds "
                f"({type(error).__name__}: {error}); check the data and its parameters."
            ) from error

    def _of_subset(self, known: Validation, subset: np.ndarray, best: list[float]) -> np.ndarray:
        """Return the scores of one subset; an upper bound in every fold if it cannot reach the best."""
        if not len(subset):
            return self._of_nothing(known)
        n_folds = known.folds.n_folds
        top = highest(self.score_name) if self.give_up else None
        scores, failed = np.empty(n_folds), list[tuple[str, Exception]]()
        for f, score in enumerate(self._fold_by_fold(known, subset, range(n_folds), failed)):
            scores[f] = score
            if top is not None and f + 1 < n_folds:
                bound = (scores[: f + 1].sum() + top * (n_folds - f - 1)) / n_folds
                # A little room, so that the rounding of sums gives up no subset that is as good.
                if bound < best[0] - 1e-12 * max(1.0, abs(best[0])):
                    scores[:] = bound
                    break
        mean = scores.mean()
        # A bound is below the best, and NaN is above nothing.
        if mean > best[0]:
            best[0] = mean
        self._note(known, failed)
        return scores

    def on_folds(
        self, known: Validation, subset: np.ndarray, folds: Iterable[int], failed: list[tuple[str, Exception]]
    ) -> np.ndarray:
        """Return the scores of a subset on some folds; what fails joins the list."""
        return np.array(list(self._fold_by_fold(known, subset, folds, failed)))

    def _fold_by_fold(
        self, known: Validation, subset: np.ndarray, folds: Iterable[int], failed: list[tuple[str, Exception]]
    ) -> Iterator[float]:
        X = known.folds.columns_of(subset)
        model = known.model_for(self.estimator, X, subset)
        for f in folds:
            yield self._of_fold(known, model, X, f, failed)

    def _of_fold(self, known: Validation, estimator: Any, X: Any, f: int, failed: list[tuple[str, Exception]]) -> float:
        """Fit and score on one fold; NaN, and the error in the list, where that fails."""
        folds = known.folds
        train, test = folds.splits[f]
        fitted = clone(estimator)
        fit_params = of_rows(folds.fit_params, len(folds.y), train)
        self.fits += 1
        try:
            fitted.fit(take_rows(X, train), folds.y[train], **fit_params)
        except Exception as error:
            failed.append(("fitted", error))
            return np.nan
        score_params = of_rows(folds.score_params, len(folds.y), test)
        try:
            return float(known.scorer(fitted, take_rows(X, test), folds.y[test], **score_params))
        except Exception as error:
            failed.append(("scored", error))
            return np.nan

    def _of_nothing(self, known: Validation) -> np.ndarray:
        """Return the scores of the majority class or of the mean of the target."""
        if known.empty is None:
            folds = known.folds
            plain = DummyClassifier(strategy="prior") if is_classifier(self.estimator) else DummyRegressor()
            weights = {k: v for k, v in folds.fit_params.items() if k == "sample_weight"}
            X = np.zeros((len(folds.y), 1))
            blank = Validation(replace(folds, X=X, fit_params=weights), check_scoring(plain, scoring=self.scoring))
            fits = self.fits
            failed: list[tuple[str, Exception]] = []
            known.empty = np.array([self._of_fold(blank, plain, X, f, failed) for f in range(folds.n_folds)])
            tell(failed)
            self.fits = fits
        return known.empty


def tell(failed: Iterable[tuple[str, Exception]]) -> None:
    """Warn of what failed on folds."""
    for what, error in failed:
        warn_of_failure(what, error)


def changed(members: np.ndarray, j: int, sign: int) -> np.ndarray:
    """Return a subset with (sign 1) or without (-1) a column, or itself (0), ascending."""
    if sign == 0:
        return members
    return np.sort(np.append(members, j)) if sign > 0 else members[members != j]


def _router(estimator: Any, scorer: Any, cv: Any) -> MetadataRouter:
    def mapping(callee: str) -> MethodMapping:
        return MethodMapping().add(caller="fit", callee=callee)

    return (
        MetadataRouter(owner="CrossValidated")
        .add(splitter=cv, method_mapping=mapping("split"))
        .add(estimator=estimator, method_mapping=mapping("fit"))
        .add(scorer=scorer, method_mapping=mapping("score"))
    )
