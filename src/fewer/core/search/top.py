"""Keep the best of a ranking."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, NoReturn

import numpy as np

from fewer.core.criteria.shapes import as_ranking
from fewer.core.records.errors import RequirementError
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import IRRELEVANT, NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Step, Trace
from fewer.core.search.contract import Problem, Search
from fewer.core.stop import Stop
from fewer.core.stop.rule import Beside


@dataclass(frozen=True)
class Top(Search):
    """Keep the best of a ranking."""

    shape: ClassVar[str] = "ranking"
    serves: ClassVar[tuple[str, ...]] = ("cut",)

    def run(self, problem: Problem) -> Selection:
        """Score all features and cut."""
        criterion = as_ranking(problem.criterion)
        return top_ranked(lambda: criterion.scores(problem.view), problem.size)


def top_ranked(
    score: Callable[[], Ranking],
    stop: Stop,
    probe_scores: Callable[[int], np.ndarray] | None = None,
    knockoff_scores: Callable[[bool, int], tuple[np.ndarray, np.ndarray]] | None = None,
) -> Selection:
    """Score all features and keep those above the cut of a stop rule.

    Parameters
    ----------
    score : callable
        Returns the ranking.
    stop : Stop
        Where to cut.
    probe_scores : callable, optional
        Returns the scores of that many random probes of every feature, for rules that ask for them.
    knockoff_scores : callable, optional
        Returns the scores of the features and of their knockoffs, for rules that ask for them; see `Beside`.
    """
    begin = time.perf_counter()
    ranking = score()
    n_features = len(ranking.scores)
    # A rule that asks for more than there is was refused before.
    beside = Beside(probe_scores or _nothing, knockoff_scores or _nothing)
    cut = stop.cut_beside(ranking, beside)
    note: dict[int, str] = {} if ranking.pvalues is None else dict(ranking.notes)
    if ranking.constant is not None and cut.relevance:
        cut = replace(cut, kept=cut.kept & ~ranking.constant, irrelevant=cut.irrelevant | ranking.constant)
        note |= {int(j): "it has one level in all rows" for j in np.flatnonzero(ranking.constant)}
    # A rule on p-values may keep features that are not a prefix of the order.
    kept = ranking.order[cut.kept[ranking.order]]
    lines = {"threshold": cut.threshold, "above": cut.above, "needs": cut.needs}
    reasons = Reasons.of_kept(n_features, kept, NOT_REACHED, rule=cut.rule, note=note, **lines)
    reasons.kind[cut.irrelevant] = IRRELEVANT
    columns = {**ranking.columns, **cut.columns}
    if ranking.pvalues is not None:
        columns["pvalue"] = ranking.pvalues
    value = float(ranking.scores[kept].sum()) if len(kept) else 0.0
    step = Step(tuple(kept.tolist()), (), value, n_features, time.perf_counter() - begin)
    return Selection.build(kept, ranking.order, reasons, ranking.scores, Trace([step]), columns, tables=ranking.tables)


def _nothing(*wanted: object) -> NoReturn:
    raise RequirementError(
        "This ranking scores no artificial features beside its own, but a rule asks for them; pass a number of "
        "features or another rule."
    )
