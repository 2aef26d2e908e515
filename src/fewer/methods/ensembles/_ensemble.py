"""What the pipelines of an ensemble choose, how accurate they are, and what is told of their votes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fewer.core.measures.relative_error import relative_absolute_error
from fewer.core.records.errors import ParameterError
from fewer.core.records.needs import Need
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.runners.fits import FitJournal, run_fits
from fewer.core.runners.runner import Runner
from fewer.core.views.view import View
from fewer.methods.ensembles._pipelines import Option, Pipelines
from fewer.methods.ensembles._votes import FinalSet, Votes

CLASSIFIERS = ("naive_bayes", "tree", "svm", "neural_net")


def classifier_named(name: str, seed: int) -> Any:
    """Return one of the four kinds of classifier of the chapter."""
    net = MLPClassifier((10,), solver="lbfgs", max_iter=1000, random_state=seed)
    made = {
        "naive_bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=seed),
        "svm": make_pipeline(MinMaxScaler(), SVC(kernel="linear")),
        "neural_net": make_pipeline(MinMaxScaler(), net),
    }
    return made[name]


def options(name: str, given: Any, known: tuple[str, ...], also: Callable[[Any], bool] | None = None) -> list[Any]:
    """Return the options of one step, or say which are allowed."""
    if isinstance(given, str) and given == "all":
        return list(known)
    several = isinstance(given, Sequence) and not isinstance(given, str)

    def fits(one: Any) -> bool:
        return one in known if isinstance(one, str) else also is not None and also(one)

    if not several or not given or not all(fits(one) for one in given):
        more = ", or classifiers" if also is not None else ""
        raise ParameterError(
            f"FeatureVoting got {name}={given!r}, but takes a list of {', '.join(map(repr, known))}{more}, or 'all'; "
            "pass such a list."
        )
    return list(given)


@dataclass(frozen=True, eq=False)
class Ensemble:
    """What every pipeline chose and how accurate it is.

    Attributes
    ----------
    asked : list of Option
        The pipelines.
    sets : list of ndarray
        Columns of every pipeline.
    accuracies : ndarray
        Cross-validated accuracy of every pipeline, NaN where it chose nothing.
    """

    asked: list[Option]
    sets: list[np.ndarray]
    accuracies: np.ndarray

    @classmethod
    def of(
        cls, run: Runner, pipelines: Pipelines, asked: list[Option], nested: bool, journal: FitJournal | None
    ) -> Ensemble:
        """Run all pipelines; what several have in common is done once."""
        ways = list(dict.fromkeys(option.chooses_by for option in asked))

        def choose(number: int) -> np.ndarray:
            return pipelines.choose(ways[number])

        chosen = run_fits(run, choose, range(len(ways)), what="choices of pipelines", journal=journal)
        by_way = {way: np.asarray(columns, dtype=np.int64) for way, columns in zip(ways, chosen)}
        sets = [by_way[option.chooses_by] for option in asked]
        keys: list[Any] = [
            option if nested else (option.normalization, tuple(columns.tolist()), option.classifier)
            for option, columns in zip(asked, sets)
        ]
        todo = [key for key, columns in dict(zip(keys, sets)).items() if len(columns)]

        def accuracy(number: int) -> np.ndarray:
            key = todo[number - len(ways)]
            value = pipelines.nested_accuracy(key) if nested else pipelines.accuracy(key[0], np.array(key[1]), key[2])
            return np.array([value])

        numbers = range(len(ways), len(ways) + len(todo))
        values = run_fits(run, accuracy, numbers, what="accuracies of pipelines", journal=journal)
        known = {key: float(value[0]) for key, value in zip(todo, values)}
        return cls(asked, sets, np.array([known.get(key, np.nan) for key in keys]))

    def table(self, classifiers: Sequence[Any]) -> ResultTable:
        """Return one row per pipeline."""
        names = [one if isinstance(one, str) else type(one).__name__ for one in classifiers]
        columns = {
            "normalization": [option.normalization for option in self.asked],
            "bin representative": [option.representative for option in self.asked],
            "secondary": [option.secondary for option in self.asked],
            "classifier": [names[option.classifier] for option in self.asked],
            "features": [len(columns) for columns in self.sets],
            "accuracy": self.accuracies,
        }
        return ResultTable.numbered("Pipelines that voted", "pipeline", columns)


def evaluated(data: View, columns: np.ndarray, model: Any, splits: list[Any]) -> tuple[float, float]:
    """Return accuracy and relative absolute error of a classifier on rows that it was not trained on."""
    X, y = data.whole().X[:, columns], data.whole().y
    by = "predict_proba" if hasattr(model, "predict_proba") else "predict"
    found = cross_val_predict(clone(model), X, y, cv=splits, method=by)
    right = found.argmax(axis=1) if by == "predict_proba" else found
    return float(np.mean(right == y)), relative_absolute_error(found[:, 1] if by == "predict_proba" else found, y)


def told(
    kept: np.ndarray,
    order: np.ndarray,
    scores: np.ndarray,
    votes: Votes,
    final: FinalSet | None,
    pipelines: ResultTable,
) -> Selection:
    """Return the selection with its reasons and tables."""
    kind = np.full(len(scores), NOT_REACHED, dtype=np.uint8)
    merged = np.flatnonzero(votes.stands_for != np.arange(len(scores)))
    without = votes.count == 0
    kind[without], kind[merged], kind[kept] = IRRELEVANT, REDUNDANT, KEPT
    # What was merged has given its votes away.
    told_of = np.where(np.isin(np.arange(len(scores)), merged), np.nan, votes.count)
    related = {int(j): (int(votes.stands_for[j]),) for j in merged if kind[j] == REDUNDANT}
    rule = f"the {len(kept)} with most votes were asked for"
    tables = {"pipelines": pipelines}
    if final is not None:
        number = f"{len(kept)} feature{'' if len(kept) == 1 else 's'}"
        rule = f"beyond {number} neither accuracy nor relative absolute error improved"
        rule = rule if len(kept) else "no pipeline voted for a feature"
        curve = {"accuracy": final.accuracy, "RAE": final.rae}
        title = "Accuracy and relative absolute error by number of features"
        tables["curve"] = ResultTable.numbered(title, "features", curve, "curve")
    reasons = Reasons(kind, rule=rule, related=related, needs=(Need("pipelines that voted for it", told_of, 1.0),))
    columns = {"s": votes.s, "ws": votes.ws, "votes": votes.count.astype(float)}
    return Selection.build(kept, order, reasons, scores, columns=columns, tables=tables)
