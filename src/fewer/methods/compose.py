"""The free product: any criterion with any search and any stop rule; and chains of selectors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from fewer.core.criteria.several_targets import OverTargets
from fewer.core.criteria.shapes import Criterion, RankingCriterion
from fewer.core.discretize.codes import codes_view, unchanged_by
from fewer.core.estimators.parts import Parts
from fewer.core.estimators.rankers import ScoreBase
from fewer.core.estimators.selector import BaseSelector
from fewer.core.estimators.whole_methods import joint_targets
from fewer.core.records.errors import RequirementError
from fewer.core.records.params import StrOptions
from fewer.core.records.reasons import KEPT
from fewer.core.records.result import Selection, after
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.records.target_kinds import OF_TASK
from fewer.core.records.trace import Step, Trace
from fewer.core.search import Problem, SubsetSearch
from fewer.core.search.by_name import as_search
from fewer.core.search.greedy import Greedy
from fewer.core.search.turf import Turf
from fewer.core.views.view import View


class Selector(BaseSelector):
    """Combine a criterion, a search and a size.

    Parameters
    ----------
    criterion : Criterion or selector
        What features or subsets are worth: a criterion, such as ``fewer.InformationGain.criterion``, which is given the
        view it requires; or a selector that has one, such as ``fewer.ReliefF(n_neighbors=20)``, which brings its
        parameters and its own discretizer. Its number of features plays no part.
    search : str or Search, default="top"
        How subsets are visited: by name, such as "top" for the best of a ranking, "greedy" to add the best feature step
        by step, "turf" to drop the worst and score the rest again, or "sequential", "floating", "best_first",
        "annealing", "genetic" and others for searches through subsets; or a search with its parameters.
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many: a number, a fraction, a rule; for searches through subsets also "best", "parsimonious" or "2-10".
    task : {"classification", "regression", "none"}, default="classification"
        What kind of target the criterion takes; a selector knows by itself.
    discretizer : {"quantile", "uniform", "mdl", "sigma", "mixture", "relief"}, transformer or None, default="quantile"
        How numeric columns are put into bins if the criterion requires codes.
    bins : int, default=10
        Number of levels for "quantile" and "uniform".
    drop : int or float, default=0.1
        With search="turf": how many features leave per round, or which fraction of those that are left.
    random_state : int, Generator or None, default=0
        Seed of the search.
    n_jobs : int, default=None
        Number of threads.

    Examples
    --------
    >>> import fewer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> fewer.Selector(fewer.GiniGain.criterion, n_features_to_select=2).fit(X, y).selection_.indices.tolist()
    [3, 2]
    >>> turf = fewer.Selector(fewer.GiniGain.criterion, "turf", 1, drop=1).fit(X, y).selection_
    >>> turf.order.tolist(), [step.removed for step in turf.trace]
    ([3, 2, 0, 1], [(), (1,), (0,), (2,)])
    >>> fewer.Selector(fewer.CFS.criterion, "floating", "best").fit(X, y).selection_.indices.tolist()
    [3, 2]
    """

    method_tags: ClassVar[MethodTags] = MethodTags(
        targets=("classes",), views=("codes", "dense"), handles_nominal=True, handles_nan=True
    )
    _serves = ()
    _parameter_constraints: dict = {
        "task": [StrOptions({"classification", "regression", "none"})],
        **Turf.constraints,
    }

    def __init__(
        self,
        criterion: Any,
        search: Any = "top",
        n_features_to_select: Any = 10,
        *,
        task: str = "classification",
        discretizer: Any = "quantile",
        bins: int = 10,
        drop: int | float = 0.1,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.search = search
        self.n_features_to_select = n_features_to_select
        self.task = task
        self.discretizer = discretizer
        self.bins = bins
        self.drop = drop
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def _moves_units(self) -> bool:  # type: ignore[override]
        search = None if self.search == "turf" else as_search(self.search, "Selector")
        return isinstance(search, (Greedy, SubsetSearch))

    def _tags_in_use(self) -> MethodTags:
        part = self.criterion
        if isinstance(part, BaseSelector):
            return replace(part._tags_in_use(), handles_weights=False, weights_count_rows=False)
        codes = isinstance(part, Criterion) and "codes" in part.requires
        tags = MethodTags(
            targets=OF_TASK[self.task],
            views=("codes",) if codes else ("dense",),
            handles_nominal=codes,
            handles_nan=codes,
            streams=codes and isinstance(part, RankingCriterion),
        )
        return tags.unchanged_only_by(unchanged_by(self.discretizer)) if codes else tags

    def _parts(self) -> Parts:
        part, parts = self.criterion, super()._parts()
        if isinstance(part, BaseSelector):
            # A selector brings its own discretizer.
            parts = replace(part.check(), size=parts.size)
        else:
            parts = replace(parts, criterion=part)
        criterion = parts.criterion
        if not isinstance(criterion, Criterion):
            raise RequirementError(
                f"Selector got criterion={part!r}, which neither is nor has a criterion; pass one, such as "
                "fewer.InformationGain.criterion, or a selector that has one, such as fewer.ReliefF()."
            )
        tested = criterion.has_pvalues and not (isinstance(part, ScoreBase) and part._cuts_by_target())
        extras = ["p-values"] if self.search == "top" and tested else []
        search = Turf(self.drop) if self.search == "turf" else as_search(self.search, "Selector")
        search.check(f"Selector with search={self.search!r}", criterion, parts.size, extras)
        return replace(parts, search=search)

    def _view(self, data: View, parts: Parts) -> View:
        part, needs = self.criterion, parts.criterion.requires
        if isinstance(part, BaseSelector):
            return part._view(data, parts)
        return codes_view(data, parts.discretizer) if data.kind not in needs and "codes" in needs else data

    def _select(self, data: View, parts: Parts) -> Selection:
        view = self._view(data, parts)
        more = {"units": parts.units, "seed": self.random_state, "who": "Selector"}
        several = data.target_names is not None and isinstance(parts.criterion, RankingCriterion)
        criterion = OverTargets(parts.criterion) if several else parts.criterion
        return parts.search.run(Problem(view, criterion, parts.size, **more))


class Chain(BaseSelector):
    """Apply selectors one after another; each sees only what the one before kept.

    Parameters
    ----------
    selectors : list of selectors
        At least one; the first sees all features.

    Examples
    --------
    >>> import fewer
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> chain = fewer.Chain([fewer.FTest(3), fewer.InformationGain(1)])
    >>> chain.fit(X, y).selection_.indices.tolist()
    [3]
    """

    method_tags: ClassVar[MethodTags] = MethodTags(targets=("ordered classes", "numbers"), views=("dense",))
    _parameter_constraints: dict = {"selectors": [list, tuple]}

    def __init__(self, selectors: Any) -> None:
        self.selectors = selectors

    def _tags_in_use(self) -> MethodTags:
        if not self.selectors or self._stranger() is not None:
            return self.method_tags
        tags = [selector._tags_in_use() for selector in self.selectors]
        return replace(tags[0], targets=joint_targets(tags))

    def _parts(self) -> Parts:
        if not self.selectors:
            raise RequirementError("Chain got no selectors; pass a list with at least one.")
        if self._stranger() is not None:
            raise RequirementError(
                f"Chain got {self._stranger()!r} among its selectors, but takes selectors of fewer; pass for example "
                "fewer.Chain([fewer.FTest(50), fewer.JMI(10)])."
            )
        for selector in self.selectors:
            selector.check()
        return super()._parts()

    def _stranger(self) -> Any:
        """Return the first of the parts that is no selector, if any."""
        parts = self.selectors if isinstance(self.selectors, (list, tuple)) else [self.selectors]
        return next((part for part in parts if not isinstance(part, BaseSelector)), None)

    def _select(self, data: View, parts: Parts) -> Selection:
        left, view = np.arange(data.n_features), data
        self.selectors_ = []
        for selector in self.selectors:
            view = data.columns(left)
            self.selectors_.append(clone(selector).fit_view(view))
            left = left[self.selectors_[-1].selection_.indices]
            if not len(left):
                # There is nothing that the next could see.
                break
        return _joined([fitted.selection_ for fitted in self.selectors_])


def _joined(parts: list[Selection]) -> Selection:
    """Return what a chain of selections keeps, each on the features that the one before kept, with what each says."""
    first, n = parts[0], parts[0].n_features
    said, order, columns, seen = first.reasons, first.order, dict(first.columns), first.indices
    kind, note, related, amount = said.kind.copy(), dict(said.note), dict(said.related), dict(said.amount)
    needs, steps, tables = said.needs, list(first.trace), _tables(first, 1)
    for number, part in enumerate(parts[1:], start=2):
        by, part = f"by {_called(parts, number)}", part.on(seen, n)
        kind[seen] = part.reasons.kind[seen]
        gone = seen[kind[seen] != KEPT].tolist()
        for j in gone:
            own = part.reasons.note.get(j)
            note[j] = f"dropped by selector {number}" + (f"; {own}" if own else "")
        related |= part.reasons.related
        amount |= part.reasons.amount
        # Of two selectors with p-values both are told, each beside its own line.
        needs += tuple(
            replace(need, quantity=f"p-value {by}") if need.quantity == "p-value" else need
            for need in part.reasons.score_need(f"score {by}", part.scores)
        )
        numbers = {"score": part.scores, **part.columns}
        columns |= {f"{name} {by}": values for name, values in numbers.items() if values is not None}
        # Values of different selectors are not to be compared.
        steps.append(Step((), tuple(gone), float("nan"), part.trace.evaluations, part.trace.seconds))
        tables |= _tables(part, number)
        order, seen = after(part.order, order), part.indices
    rule = "; ".join(f"selector {i}, {p.meta['method']}: {p.reasons.rule}" for i, p in enumerate(parts, start=1))
    reasons = replace(said, kind=kind, rule=rule, note=note, related=related, amount=amount, needs=needs)
    tables["parts"] = _overview(parts)
    return Selection.build(seen, order, reasons, first.scores, Trace(steps), columns, tables=tables)


def _called(parts: list[Selection], number: int) -> str:
    """Return what part ``number`` is called: its method, and its place where an earlier part is of the same method."""
    *before, method = [part.meta["method"] for part in parts[:number]]
    return f"selector {number}, {method}" if method in before else method


def _tables(part: Selection, number: int) -> dict[str, ResultTable]:
    """Return the tables of a part under names that tell it from other parts."""
    who = f"selector {number}"
    return {
        f"{name} of {who}": replace(table, title=f"{table.title} ({who}, {part.meta['method']})")
        for name, table in part.tables.items()
    }


def _overview(parts: list[Selection]) -> ResultTable:
    """Return what each part is and how many features it kept."""
    columns = {
        "method": [part.meta["method"] for part in parts],
        "parameters": [", ".join(f"{k}={v!r}" for k, v in part.meta["parameters"].items()) for part in parts],
        "features": [part.n_features for part in parts],
        "kept": [len(part) for part in parts],
    }
    return ResultTable.numbered("Selectors of the chain", "selector", columns)
