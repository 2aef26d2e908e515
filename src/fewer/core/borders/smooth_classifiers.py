"""From a fitted classifier to its decision functions: formulas where there are some, else differences of values."""

from __future__ import annotations

from typing import Any

import numpy as np

from fewer.core.borders.affine_steps import SteppedDecision, affine_matrix
from fewer.core.borders.contract import Border, Decision, GivenBorder, Reversed
from fewer.core.borders.gaussian_borders import naive_decision, quadratic_decision
from fewer.core.borders.kernel_machines import KERNELS, KernelDecision
from fewer.core.borders.linear_borders import linear_decision
from fewer.core.borders.perceptron_borders import PerceptronDecision
from fewer.core.records.errors import InputTypeError, RequirementError

SMOOTH = "SVC, LogisticRegression, MLPClassifier, QuadraticDiscriminantAnalysis or GaussianNB"
# A step of differences, as a fraction of the spread of a column.
STEP = 1e-4
# Below this a probability is taken for this.
RAREST = 1e-300
STEPWISE = frozenset(
    {
        *("DecisionTreeClassifier", "ExtraTreeClassifier", "RandomForestClassifier", "ExtraTreesClassifier"),
        *("GradientBoostingClassifier", "HistGradientBoostingClassifier", "KNeighborsClassifier"),
        *("RadiusNeighborsClassifier", "DummyClassifier", "XGBClassifier", "LGBMClassifier"),
        *("CatBoostClassifier", "IsolationForest"),
    }
)


class ScoreDecision(Decision):
    """Any classifier: h_i - h_j of its decision function, or the log-odds of its probabilities."""

    def __init__(self, model: Any, step: np.ndarray):
        self.model = model
        self.step = step
        self.classes = np.asarray(model.classes_)

    def scores(self, rows: np.ndarray) -> np.ndarray:
        """Return a score of every class, (n_rows, n_classes)."""
        n = self.n_classes
        if hasattr(self.model, "decision_function"):
            found = np.asarray(self.model.decision_function(rows), dtype=np.float64).reshape(len(rows), -1)
            if found.shape[1] in (1, n):
                return np.hstack([-found, found]) / 2 if found.shape[1] == 1 else found
        return np.log(np.maximum(np.asarray(self.model.predict_proba(rows), dtype=np.float64), RAREST))

    def pair(self, first: int, second: int) -> Border:
        """Return the border of two classes."""

        def h(rows: np.ndarray) -> np.ndarray:
            found = self.scores(rows)
            return found[:, first] - found[:, second]

        return GivenBorder(h, None, self.step)


class PairwiseDecision(Decision):
    """OneVsOneClassifier: one classifier per pair, in which the second class is the positive one."""

    def __init__(self, parts: dict[tuple[int, int], Decision], classes: np.ndarray):
        self.parts = parts
        self.classes = classes

    def pair(self, first: int, second: int) -> Border:
        """Return the border of the classifier of this pair."""
        if first > second:
            return Reversed(self.pair(second, first))
        return self.parts[first, second].pair(0, 1)


class DifferenceDecision(Decision):
    """The borders of another decision, with differences of values in place of formulas for gradients."""

    def __init__(self, inner: Decision, step: np.ndarray):
        self.inner = inner
        self.step = step
        self.classes = inner.classes

    def pair(self, first: int, second: int) -> Border:
        """Return the border of two classes."""
        return GivenBorder(self.inner.pair(first, second).values, None, self.step)


def decision_of(model: Any, rows: np.ndarray, user: str = "the border", normals: str = "auto") -> Decision:
    """Return the decision functions of a fitted classifier.

    Parameters
    ----------
    model : classifier
        Fitted; with classes that `classes_` holds.
    rows : ndarray of shape (n_rows, n_features)
        Rows that say how far the features are spread, for differences; they are not kept.
    user : str
        Who asks, for messages.
    normals : {"auto", "analytic", "differences"}
        Whether gradients are formulas where there are some, must be, or are differences always.

    Returns
    -------
    Decision

    Raises
    ------
    RequirementError
        If the classifier is known to be piecewise constant, or formulas are demanded where there are none. A
        classifier of unknown type is looked at by `check_smooth`.
    """
    step = steps_of(rows)
    found = _known(model, rows.shape[1], step, user)
    if normals == "differences":
        return DifferenceDecision(ScoreDecision(model, step) if found is None else found, step)
    if found is None and hasattr(model, "classes_"):
        found = ScoreDecision(model, step)
    if found is None or (normals == "analytic" and not found.pair(0, 1).analytic):
        raise RequirementError(
            f'{user} got normals="analytic", but {type(model).__name__} has no formula for its gradient; pass '
            f'normals="auto", or a classifier such as {SMOOTH}.'
        )
    return found


def steps_of(rows: np.ndarray) -> np.ndarray:
    """Return a step for differences along every column: a small part of its spread."""
    spread = rows.std(axis=0) if len(rows) else np.ones(rows.shape[1])
    size = np.abs(rows).max(axis=0, initial=1.0) if len(rows) else np.ones(rows.shape[1])
    # A constant column has no spread; a step must be seen beside the numbers themselves.
    return np.maximum(np.where(spread > 0, STEP * spread, STEP * size), 1e-12 * size)


def _known(model: Any, width: int, step: np.ndarray, user: str) -> Decision | None:
    """Return the decision functions of a classifier with formulas, None for an unknown one."""
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    from sklearn.multiclass import OneVsOneClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import Pipeline
    from sklearn.svm import SVC, NuSVC

    refuse_stepwise(model, user)
    if hasattr(model, "best_estimator_") or type(model).__name__ == "FrozenEstimator":
        return _known(getattr(model, "best_estimator_", None) or model.estimator, width, step, user)
    if isinstance(model, Pipeline):
        return _behind_steps(model, width, step, user)
    if isinstance(model, OneVsOneClassifier):
        return _pairwise(model, width, step, user)
    if isinstance(model, (SVC, NuSVC)):
        if model.kernel in KERNELS:
            return KernelDecision(model)
        if len(model.classes_) > 2:
            raise RequirementError(
                f"{user} got {type(model).__name__} with kernel={model.kernel!r} and {len(model.classes_)} classes, "
                f"whose decision function is made of votes; pass one of the kernels {', '.join(KERNELS)}, or {SMOOTH}."
            )
        return None
    if isinstance(model, QuadraticDiscriminantAnalysis):
        return quadratic_decision(model)
    if isinstance(model, GaussianNB):
        return naive_decision(model)
    if isinstance(model, MLPClassifier):
        return PerceptronDecision(model)
    return linear_decision(model)


def _behind_steps(model: Any, width: int, step: np.ndarray, user: str) -> Decision | None:
    *before, last = [part for _, part in model.steps]
    matrix = affine_matrix(before, width)
    if matrix is None:
        refuse_stepwise(last, user)
        return None
    inner = _known(last, len(matrix), np.abs(matrix) @ step, user)
    return None if inner is None else SteppedDecision(inner, model[:-1].transform if before else np.asarray, matrix)


def _pairwise(model: Any, width: int, step: np.ndarray, user: str) -> Decision:
    n, parts = len(model.classes_), {}
    places = [(i, j) for i in range(n) for j in range(i + 1, n)]
    for place, part in zip(places, model.estimators_):
        found = _known(part, width, step, user)
        parts[place] = ScoreDecision(part, step) if found is None else found
    return PairwiseDecision(parts, np.asarray(model.classes_))


def refuse_stepwise(model: Any, user: str) -> None:
    """Raise on a classifier that is known to be piecewise constant, or that cannot say how sure it is."""
    name = type(model).__name__
    inner = getattr(model, "estimator_", None) if name in ("BaggingClassifier", "AdaBoostClassifier") else None
    if name in STEPWISE or type(inner).__name__ in STEPWISE or name == "AdaBoostClassifier":
        raise stepwise_error(name, user)
    if not (hasattr(model, "decision_function") or hasattr(model, "predict_proba")):
        raise InputTypeError(
            f"{user} got {name}, which has neither decision_function nor predict_proba; pass a classifier with one, "
            f"such as {SMOOTH}."
        )


def stepwise_error(name: str, user: str) -> RequirementError:
    """Return the refusal of a classifier whose scores are piecewise constant."""
    return RequirementError(
        f"{user} needs a classifier whose scores change smoothly across the border, but those of {name} are constant "
        f"piece by piece and have no normals; pass a smooth one, such as {SMOOTH}."
    )
