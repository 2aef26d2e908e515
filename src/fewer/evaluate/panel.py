"""What is compared if nothing is named: methods chosen by their tags, estimators, sizes; and what was named."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from fewer import registry
from fewer.core.records.errors import ParameterError, closest
from fewer.core.stop import All, Count, Fraction, as_stop
from fewer.dispatch import contract_of
from fewer.evaluate.data import Data, refused
from fewer.evaluate.outside import OutsideSelector, is_outside
from fewer.evaluate.outside import given as as_given

# Few of each kind, so that the panel asks different questions: of single features, of pairs, of neighbours, of subsets.
WANTED = {
    "classification": (
        "FTest",
        "SymmetricalUncertainty",
        "MDLScore",
        "KruskalWallis",
        "ReliefF",
        "MRMR",
        "JMI",
        "CMIM",
        "GaussianMRMR",
        "FCBF",
        "CFS",
    ),
    "regression": (
        "Pearson",
        "Spearman",
        "VarianceReduction",
        "RReliefF",
        "MRMR",
        "JMI",
        "CMIM",
        "GaussianMRMR",
        "GramSchmidtRanker",
        "SPERanker",
    ),
}
# Beyond these, work that grows with their square takes longer than anybody waits.
MOST_FEATURES_SQUARED, MOST_ROWS_SQUARED = 3_000, 5_000
MOST_METHODS, N_SIZES, LARGEST_SIZE = 10, 8, 100


def default_panel(data: Data) -> tuple[dict[str, Any], str]:
    """Return the methods that suit task, kind and size of the data, and in words how they were chosen."""
    known = {entry.name for entry in registry.METHODS}
    fitting: dict[str, Any] = {}
    left: list[str] = []
    for name in WANTED[data.task]:
        if name not in known or len(fitting) == MOST_METHODS:
            continue
        made = registry.load(name)
        if refused(name, made.method_tags, data) is not None or _too_slow(made.method_tags.cost, data):
            left.append(name)
        else:
            fitting[name] = made()
    kinds = [word for word, there in (("nominal", data.nominal.any()), ("missing", data.missing)) if there]
    about = f"{data.n_rows:,} rows and {data.n_features:,} features" + (
        f" with {' and '.join(kinds)} values" if kinds else ""
    )
    words = f"Methods of different kinds that suit {data.task} with {about}: {', '.join(fitting)}."
    return fitting, words + (f" Left out, because they do not: {', '.join(left)}." if left else "")


def _too_slow(cost: str, data: Data) -> bool:
    return ("d^2" in cost and data.n_features > MOST_FEATURES_SQUARED) or (
        "n^2" in cost and data.n_rows > MOST_ROWS_SQUARED
    )


def named_methods(methods: Any) -> dict[str, Any]:
    """Return selectors by label, of names, selectors, classes, or a mapping of labels to these."""
    if isinstance(methods, str | type) or hasattr(methods, "fit"):
        methods = [methods]
    if isinstance(methods, Mapping):
        return _some({str(label): _selector(one) for label, one in methods.items()}, "methods")
    if not hasattr(methods, "__iter__"):
        raise ParameterError(
            f"methods got {methods!r}, but takes names, selectors or a mapping of labels to them; pass a list of those."
        )
    return _some(_labelled([_selector(one) for one in methods]), "methods")


def check_tasks(methods: Mapping[str, Any], data: Data) -> None:
    """Raise if a method that was named is for another kind of target."""
    for label, method in methods.items():
        takes = method._tags_in_use().task
        # Methods for numbers take classes that are numbers.
        numbers = data.task == "classification" and np.asarray(data.view.classes).dtype.kind in "biuf"
        if takes in WANTED and takes != data.task and not numbers:
            raise ParameterError(
                f"compare got the method {label}, which is for {takes}, but the target is for {data.task}; leave it "
                f"out, or choose another one, see fewer.catalog(task={data.task!r})."
            )


def _selector(one: Any) -> Any:
    if isinstance(one, str):
        return registry.load_selector(one)()
    made = one() if isinstance(one, type) else one
    if is_outside(made):
        if made.get_params(deep=False).get("prefit"):
            raise ParameterError(
                f"methods got {line(one)}, which was fitted before to rows that are to be tested, but every split must "
                "be chosen on its training rows only; pass it with prefit=False."
            )
        return OutsideSelector(clone(made))
    contract = contract_of(made)
    if contract is None or "compare" not in contract.commands:
        raise ParameterError(
            f"methods got {line(one)}, which is no selector of fewer and does not tell by get_support() which features "
            "it keeps; name methods of fewer.catalog(), or give selectors of fewer or scikit-learn."
        )
    if made.get_params(deep=False).get("categorical_features") is not None:
        raise ParameterError(
            f"methods got {one!r} with its own categorical_features, but all methods must see the same columns; pass "
            "categorical_features to compare."
        )
    if made.method_tags.baseline:
        _check_size(made)
    return clone(made)


def _check_size(baseline: Any) -> None:
    """Raise if a baseline has a rule of its own, which would keep other numbers of features on every fold."""
    rule = as_stop(baseline.n_features_to_select)
    if not isinstance(rule, All | Count | Fraction):
        raise ParameterError(
            f"compare got {type(baseline).__name__} with the rule {str(rule)!r}, but scores random subsets of the same "
            "sizes on all folds; leave n_features_to_select out."
        )


def _labelled(parts: list[Any], given: Sequence[str | None] = ()) -> dict[str, Any]:
    """Label parts as given, else by their class, those that would share a label by their text."""
    parts_given = [as_given(part) for part in parts]
    kinds = [(given[i] if given else None) or type(part).__name__ for i, part in enumerate(parts_given)]
    labels = [kind if kinds.count(kind) == 1 else line(p) for kind, p in zip(kinds, parts_given)]
    twice = sorted({label for label in labels if labels.count(label) > 1})
    if twice:
        raise ParameterError(f"{twice[0]} was given twice; leave one out, or give labels: a mapping of label to part.")
    return dict(zip(labels, parts))


def _some(parts: dict[str, Any], what: str) -> dict[str, Any]:
    if not parts:
        raise ParameterError(f"{what} is empty, but at least one is needed; leave it out for the default ones.")
    return parts


def default_estimators(data: Data, fewest_rows: int) -> dict[str, Any]:
    """Return a linear, a near-neighbour and a simple third estimator; what they learn of scale is of training rows."""
    neighbours = max(1, min(5, fewest_rows))
    if data.task == "classification":
        return {
            "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
            "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(neighbours)),
            "naive Bayes": GaussianNB(),
        }
    return {
        "ridge": make_pipeline(StandardScaler(), Ridge()),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor(neighbours)),
        "tree": DecisionTreeRegressor(min_samples_leaf=5, random_state=0),
    }


def named_estimators(estimators: Any, data: Data, fewest_rows: int) -> dict[str, Any]:
    """Return estimators by label, of one, several, or a mapping; a default one may be given by its label."""
    known = default_estimators(data, fewest_rows)
    if isinstance(estimators, Mapping):
        parts = {str(label): _estimator(one, known) for label, one in estimators.items()}
        return _some(parts, "estimators")
    several = [estimators] if isinstance(estimators, str) or hasattr(estimators, "fit") else estimators
    if not hasattr(several, "__iter__"):
        raise ParameterError(
            f"estimators got {estimators!r}, but takes estimators of scikit-learn or a mapping of labels to them; pass "
            "a list of those."
        )
    several = list(several)
    made = [_estimator(one, known) for one in several]
    return _some(_labelled(made, [one if isinstance(one, str) else None for one in several]), "estimators")


def _estimator(one: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(one, str):
        if one not in known:
            raise ParameterError(
                f"estimators got {one!r}, but knows by name {', '.join(known)}; give one of them or an estimator of "
                f"scikit-learn.{closest(one, known)}"
            )
        return known[one]
    _check_estimator(one)
    return clone(one)


def _check_estimator(one: Any) -> None:
    if not hasattr(one, "fit") or not hasattr(one, "predict") or isinstance(one, type):
        raise ParameterError(
            f"estimators got {one!r}, which does not fit and predict; give an instance, such as LogisticRegression()."
        )


def make_sizes(sizes: Any, n_features: int, n_candidates: int | None = None) -> tuple[int, ...]:
    """Return the numbers of features to try, ascending; by default eight in equal ratios up to 100.

    Of the features only some may be candidates; larger sizes are all of them.
    """
    most = n_features if n_candidates is None else n_candidates
    if sizes is None:
        top = min(most, LARGEST_SIZE)
        return tuple(sorted({round(top ** (i / (N_SIZES - 1))) for i in range(N_SIZES)}))
    several: list[Any] = list(sizes) if hasattr(sizes, "__iter__") else [sizes]
    whole = [int(k) for k in several if isinstance(k, Integral) and not isinstance(k, bool)]
    wrong = len(whole) < len(several) or any(not 1 <= k <= n_features for k in whole)
    if wrong or not several:
        raise ParameterError(
            f"sizes got {sizes!r}, but takes whole numbers from 1 to the {n_features} features there are; "
            "give for example [1, 2, 5]."
        )
    return tuple(sorted({min(k, most) for k in whole}))


def guess(task: str) -> BaseEstimator:
    """Return the estimator that looks at no feature."""
    return DummyClassifier(strategy="prior") if task == "classification" else DummyRegressor()


def described(part: Any) -> dict[str, Any]:
    """Return the parameters of a selector or estimator as plain values."""
    return {k: v if isinstance(v, int | float | str | bool | None) else line(v) for k, v in part.get_params().items()}


def line(value: Any) -> str:
    """Return something as one line that is the same in every run: functions by their names, without addresses."""
    named = re.sub(r"<function (?:\w+\.)*(\w+) at 0x[0-9a-f]+>", r"\1", " ".join(repr(value).split()))
    return re.sub(r" at 0x[0-9a-f]+", "", named)
