"""How rows are split, and what is wrong with splits and scores that cannot work."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any, NoReturn

import numpy as np
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import GroupKFold, KFold, PredefinedSplit, StratifiedGroupKFold, StratifiedKFold

from fewer.core.criteria.default_score import default_score
from fewer.core.criteria.fold_scores import score_name
from fewer.core.records.errors import InputError, ParameterError, closest
from fewer.core.views.row_splits import as_cv, make_splits
from fewer.core.views.view import View

MOST_FOLDS = 5


def check_scores(name: str, scoring: Any, cv: Any) -> None:
    """Raise if there is no such score, or if ``cv`` cannot split anything."""
    if isinstance(scoring, str) and scoring not in get_scorer_names():
        raise ParameterError(
            f"{name} got scoring={scoring!r}, but takes the name of a score of scikit-learn, a callable or None; "
            f"sklearn.metrics.get_scorer_names() lists the names.{closest(scoring, get_scorer_names())}"
        )
    as_cv(cv, name)


def own_score(estimator: Any, scoring: Any, data: View) -> Any:
    """Return the score that was given, or None for the estimator's own if that is the default one for these classes."""
    if scoring is not None or data.classes is None or score_name(estimator, None) != "accuracy":
        return scoring
    name, _ = default_score(np.bincount(data.whole().y))
    return None if name == "accuracy" else name


def of_rows_here(cv: Any, data: View) -> Any:
    """Return splits that name rows of X, by numbers or marks, as splits of the rows here; others as they are."""
    counted = data.counted
    if counted is None:
        return cv
    if isinstance(cv, PredefinedSplit) and len(cv.test_fold) == len(counted):
        return PredefinedSplit(cv.test_fold[counted])
    if hasattr(cv, "split") or isinstance(cv, str) or not isinstance(cv, Iterable):
        return cv
    places = np.where(counted, np.cumsum(counted) - 1, -1)

    def here(rows: Any) -> np.ndarray:
        found = places[np.asarray(rows)]
        return found[found >= 0]

    return [(here(train), here(test)) for train, test in cv]


def splitter(cv: Any, data: View) -> Any:
    """Return how the rows are split: what was given, or five folds, over which rare classes are spread.

    A number of folds keeps the rows of a group together if there are groups.
    """
    cv, groups = of_rows_here(as_cv(cv, "The search"), data), data.groups
    y, by_class = data.whole().y, data.classes is not None
    if groups is not None and len(groups) != len(y):
        raise InputError(
            f"groups has {len(groups)} entries, but X has {len(y)} rows; give the group of every row, or leave it out."
        )
    if isinstance(cv, Integral) and int(cv) > len(y):
        raise InputError(f"cv={cv} asks for more folds than the {len(y)} rows of X; pass at most {len(y)}.")
    if isinstance(cv, str):
        return _pairs(cv, y, groups, by_class)
    if cv is not None and not (groups is not None and isinstance(cv, Integral)):
        return cv
    if groups is not None:
        return _by_group(None if cv is None else int(cv), y, by_class, len(np.unique(groups)))
    if not by_class:
        # Most scores of numbers, such as r2, need two rows to test on.
        return KFold(max(2, min(MOST_FOLDS, len(y) // 2)))
    folds = max(2, min(MOST_FOLDS, len(y) // 2))
    if int(np.bincount(y).min()) >= folds:
        return StratifiedKFold(folds)
    return _pairs(folds, y, groups, by_class)


def _pairs(cv: Any, y: np.ndarray, groups: Any, by_class: bool) -> list[tuple[np.ndarray, np.ndarray]]:
    made = make_splits(cv, y, "classification" if by_class else "regression", groups)
    return list(zip(made.train, made.test))


def _by_group(folds: int | None, y: np.ndarray, by_class: bool, n_groups: int) -> Any:
    if n_groups < max(folds or 2, 2):
        raise InputError(
            f"groups has {n_groups} different values, but its rows are kept together in {folds or 'at least 2'} folds; "
            "give as many groups as folds, or leave groups out."
        )
    folds = folds or min(MOST_FOLDS, n_groups)
    if not by_class:
        return GroupKFold(folds)
    largest = int(np.bincount(y).max())
    return StratifiedGroupKFold(folds) if largest >= folds else GroupKFold(folds)


def refuse_no_scores(name: str, scoring: Any) -> NoReturn:
    """Raise because no subset has a score."""
    raise InputError(
        f"{name} got no score but NaN with scoring={scoring!r}: on some fold even the best subset could not be scored, "
        "as 'r2' cannot on a single row or 'roc_auc' on a single class; pass a score for this target, or another cv."
    )
