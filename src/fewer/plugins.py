"""For methods of other packages: what they derive from, and the checks that they should pass.

A package that names its class in the entry points of the group ``fewer.methods`` is found by the command line, reports
and comparisons; see the page on plug-ins.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from fewer.core.estimators.classifier import BaseClassifier
from fewer.core.estimators.clusterer import BaseClusterer
from fewer.core.estimators.contracts import BaseGenerator
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.projector import BaseProjector
from fewer.core.estimators.rankers import CODES_CONSTRAINTS, COMMON_CONSTRAINTS, CodesScore, NumberScore
from fewer.core.estimators.selector import BaseSelector, WeightedFit
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.result import Selection
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

__all__ = [
    "CODES_CONSTRAINTS",
    "COMMON_CONSTRAINTS",
    "BaseClassifier",
    "BaseClusterer",
    "BaseGenerator",
    "BaseProjector",
    "BaseSelector",
    "CodesScore",
    "MethodTags",
    "NumberScore",
    "Parts",
    "View",
    "WeightedFit",
    "check_selector",
]


def check_selector(selector: Any, scikit_learn: bool = True) -> list[str]:
    """Check a selector of another package as the selectors of this library are checked.

    Parameters
    ----------
    selector : BaseSelector
        An instance, with small parameters if its defaults take long.
    scikit_learn : bool, default=True
        Whether scikit-learn's own checks run, too; these take most of the time.

    Returns
    -------
    list of str
        The names of the checks that were run. The first that fails raises an AssertionError that says what is wrong.

    Examples
    --------
    >>> import fewer
    >>> "same answer again" in check_selector(fewer.FTest(2), scikit_learn=False)
    True
    """
    if not isinstance(selector, BaseSelector) or not isinstance(getattr(selector, "method_tags", None), MethodTags):
        raise ParameterError(
            f"check_selector got {selector!r}, but checks instances of classes that derive from "
            "fewer.plugins.BaseSelector and have method_tags; pass one."
        )
    if scikit_learn:
        check_estimator(selector)
    for name, check in CHECKS.items():
        try:
            check(selector)
        except AssertionError as error:
            raise AssertionError(
                f"{type(selector).__name__} fails the check {name!r}: {error}; mend the method, or its tags."
            ) from error
    return ["scikit-learn's checks"] * scikit_learn + list(CHECKS)


def _data(selector: BaseSelector, n_rows: int = 60) -> tuple[np.ndarray, np.ndarray | None]:
    """Return rows of six features that suit the tags of a selector, two of which the target is made of."""
    rng, tags = np.random.default_rng(0), selector._tags_in_use()
    X = rng.normal(size=(n_rows, 6))
    score = X[:, 1] + X[:, 3]
    if tags.nonnegative:
        X = np.abs(X)
    if not tags.needs_target:
        return X, None
    if tags.task == "regression":
        return X, score + 0.1 * rng.normal(size=n_rows)
    return X, np.array(["no", "yes"])[(score > 0).astype(int)]


def _fitted(selector: BaseSelector, X: Any, y: Any, **params: Any) -> Any:
    made = clone(selector)
    if "random_state" in made.get_params():
        made.set_params(random_state=0)
    return made.fit(X, y, **params)


def _same(one: Selection, other: Selection, words: str) -> None:
    assert one.indices.tolist() == other.indices.tolist(), f"it keeps other features {words}"
    assert one.order.tolist() == other.order.tolist(), f"it orders the features otherwise {words}"


def _describes_itself(selector: BaseSelector) -> None:
    made = type(selector)
    assert (made.__doc__ or "").strip(), "its class has no docstring, from which lists and pages take a sentence"
    missing = [name for name in selector.get_params(deep=False) if f"{name} :" not in (made.__doc__ or "")]
    assert not missing, f"its docstring says nothing of the parameters {missing}"


def _result_is_whole(selector: BaseSelector) -> None:
    X, y = _data(selector)
    made = _fitted(selector, X, y)
    found = made.selection_
    assert len(found.reasons.kind) == X.shape[1], "not every feature has a reason"
    assert made.transform(X).shape == (len(X), len(found)), "transform returns other columns than are kept"
    again = Selection.from_json(found.to_json())
    _same(found, again, "after its JSON was read again")
    # A selection is what the report, the command line and comparisons read; each line of it must be sayable.
    assert str(found.explain()), "its selection cannot be explained"


def _same_again(selector: BaseSelector) -> None:
    X, y = _data(selector)
    first = _fitted(selector, X, y)
    _same(first.selection_, _fitted(selector, X, y).selection_, "when it is fitted again")
    _same(first.selection_, pickle.loads(pickle.dumps(first)).selection_, "after it was pickled")


def _inputs_stay(selector: BaseSelector) -> None:
    X, y = _data(selector)
    before = X.copy()
    _fitted(selector, X, y)
    assert np.array_equal(X, before), "it changes X"


def _tags_hold(selector: BaseSelector) -> None:
    """What the tags promise is taken, what they do not promise is refused by an error of this library."""
    X, y = _data(selector)
    tags = selector._tags_in_use()
    gaps = X.copy()
    gaps[3, 2] = np.nan
    for promised, given, words in (
        (tags.handles_nan, gaps, "missing values"),
        (tags.handles_sparse, scipy.sparse.csr_array(X), "sparse matrices"),
    ):
        refusal = None
        try:
            _fitted(selector, given, y)
        except (InputError, TypeError) as error:
            refusal = error
        assert not (promised and refusal), f"its tags promise {words}, but they are refused ({refusal})"
        assert promised or refusal, f"its tags promise no {words}, but they are taken"


def _weights_of_zero(selector: BaseSelector) -> None:
    if not selector._tags_in_use().handles_weights:
        return
    X, y = _data(selector)
    weight = np.ones(len(X))
    weight[::5] = 0.0
    one = _fitted(selector, X, y, sample_weight=weight)
    other = _fitted(selector, X[weight > 0], None if y is None else y[weight > 0], sample_weight=weight[weight > 0])
    _same(one.selection_, other.selection_, "when rows of weight 0 are left out")


def _invariance(selector: BaseSelector) -> None:
    tags = selector._tags_in_use()
    X, y = _data(selector)
    plain = _fitted(selector, X, y).selection_
    order = np.random.default_rng(1).permutation(len(X))
    if "row_order" in tags.invariance:
        moved = _fitted(selector, X[order], None if y is None else y[order]).selection_
        _same(plain, moved, "when the rows are in another order, of which its tags say that it does not matter")
    if "scale" in tags.invariance:
        scaled = _fitted(selector, X * np.array([4.0, 0.25, 2.0, 8.0, 0.5, 1.0]), y).selection_
        _same(plain, scaled, "in other units, of which its tags say that they do not matter")


def _wrong_target(selector: BaseSelector) -> None:
    X, _ = _data(selector)
    if not selector._tags_in_use().needs_target:
        return
    y = np.zeros(len(X), dtype=[("event", bool), ("time", float)])
    y["time"] = np.arange(len(X)) + 1.0
    try:
        _fitted(selector, X, y)
    except InputError:
        return
    assert "survival" in selector._tags_in_use().targets, "it takes a survival target that its tags do not name"


CHECKS: dict[str, Callable[[BaseSelector], None]] = {
    "describes itself": _describes_itself,
    "the result is whole": _result_is_whole,
    "inputs stay as they are": _inputs_stay,
    "same answer again": _same_again,
    "tags hold": _tags_hold,
    "rows of weight 0 are absent": _weights_of_zero,
    "what does not matter": _invariance,
    "other targets are refused": _wrong_target,
}
