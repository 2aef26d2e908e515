"""The three shapes of a criterion, every member declared, and the ways from one shape to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.records.ranking import Ranking
from fewer.core.records.reasons import Reasons
from fewer.core.views.view import View

# What searches give: numbers of columns.
Columns = Sequence[int] | np.ndarray


class Criterion:
    """Base of all criteria.

    Attributes
    ----------
    requires : tuple of str
        The views it can read, best first: "dense", "sparse", "codes", "sparse codes".
    has_pvalues : bool
        Whether its rankings carry p-values.
    """

    requires: tuple[str, ...] = ("dense",)
    has_pvalues: bool = False


class RankingCriterion(Criterion):
    """Gives every feature one number, whatever else is chosen.

    Attributes
    ----------
    by_products : bool
        Whether scores follow from the products of centred columns with each other and with the target alone, as the
        rule on fixed knockoffs needs.
    """

    by_products: bool = False

    def without_pvalues(self) -> RankingCriterion:
        """Return a criterion with the same scores that spares itself the p-values, if they cost something."""
        return self

    def scores(self, view: View) -> Ranking:
        """Score all features."""
        raise NotImplementedError


class StepwiseCriterion(Criterion):
    """Scores every feature given those already chosen; keeps its own sums.

    Attributes
    ----------
    bounded : bool
        Whether `add` returns upper bounds of scores that can only fall.
    lazy : bool
        Whether `refine` finds the best candidate by such bounds; may be decided in `start`.
    hopeless : ndarray of bool, optional
        Which features can never help, such as constant ones; known after `start`. They are never chosen.
    """

    bounded: bool = False
    lazy: Any = False
    hopeless: np.ndarray | None = None

    def start(self, view: View) -> np.ndarray:
        """Score every feature while nothing is chosen."""
        raise NotImplementedError

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Score every feature, or bound its score, now that ``chosen[-1]`` has joined."""
        raise NotImplementedError

    def refine(self, view: View, chosen: Sequence[int], open_to_choice: np.ndarray) -> tuple[int, float, int]:
        """Return the best feature of a mask, of equal ones the lowest, its score, and how much was evaluated.

        From one call to the next the mask only loses features.
        """
        raise NotImplementedError

    def explain(self, reasons: Reasons, kept: np.ndarray) -> Reasons:
        """Say why features were left; by default what the search knows."""
        return reasons


class SubsetScore(Criterion):
    """Gives a subset of columns one number, larger is better.

    What is known of a view is prepared once and kept with the view; what is known of the last subset is kept there,
    too, so that a search that moves by one feature pays for one feature. Numbers do not depend on the way to a subset.

    Attributes
    ----------
    monotone : bool
        Whether it never falls when a feature joins.
    parallel_values : bool
        Whether `value` may be called from several threads at once and uses none of the threads of the view itself.
    sends_values : bool
        Whether `values_of` does its work on a cluster, if one is in use.
    give_up : bool
        Whether all but the best of what `values_added` and `values_removed` return may be upper bounds below the best.
    by_one : bool
        Whether `values_added` and `values_removed` are short cuts rather than one `value` after another.
    has_folds : bool
        Whether `fold_values` gives the scores of single folds.
    """

    monotone: bool = False
    parallel_values: bool = False
    sends_values: bool = False
    give_up: bool = False
    by_one: bool = True
    has_folds: bool = False

    def prepare(self, view: View) -> Any:
        """Return what is known of a view before any subset; made when first asked for."""
        if self not in view._memo:
            # Two threads may come here at once; both must go on with the same splits.
            view._memo.setdefault(self, self._prepare(view))
        return view._memo[self]

    def value(self, view: View, subset: Columns) -> float:
        """Return what a subset is worth; that of none is defined, too."""
        raise NotImplementedError

    def values_of(self, view: View, subsets: Sequence[Columns]) -> np.ndarray:
        """Return what each of several subsets is worth."""
        return np.array([self.value(view, subset) for subset in subsets], dtype=float)

    def values_added(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return what the subset is worth with each of the candidates, which are outside it."""
        members, candidates = outside(subset, candidates)
        return np.array([self.value(view, np.append(members, j)) for j in candidates], dtype=float)

    def values_removed(self, view: View, subset: Columns, candidates: Columns) -> np.ndarray:
        """Return what the subset is worth without each of the candidates, which are inside it."""
        members, candidates = inside(subset, candidates)
        return np.array([self.value(view, members[members != j]) for j in candidates], dtype=float)

    def fold_values(self, view: View, subset: Columns) -> np.ndarray:
        """Return the scores of a subset in every fold, where `has_folds` says so."""
        raise NotImplementedError

    def complexity(self, view: View, subset: Columns) -> float:
        """Return the size of the model of a subset over the number of rows; by default the fraction of features."""
        return len(subset) / view.n_features

    def _prepare(self, view: View) -> Any:
        """Make what `prepare` returns."""


class FixedScores(StepwiseCriterion):
    """A ranking as a stepwise criterion: the scores never change."""

    def __init__(self, ranking: RankingCriterion) -> None:
        self.ranking, self.requires = ranking, ranking.requires

    def start(self, view: View) -> np.ndarray:
        """Score once."""
        self._scores = self.ranking.scores(view).scores
        return self._scores

    def add(self, view: View, chosen: Sequence[int]) -> np.ndarray:
        """Return the same scores."""
        return self._scores


class SumOfScores(SubsetScore):
    """A ranking as a subset score: the sum of the scores of the members."""

    by_one = False

    def __init__(self, ranking: RankingCriterion) -> None:
        self.ranking, self.requires = ranking, ranking.requires

    def value(self, view: View, subset: Columns) -> float:
        """Add up the scores, in ascending order of the features, so that the sum does not depend on the way."""
        return float(self.prepare(view)[sorted_members(subset)].sum())

    def _prepare(self, view: View) -> np.ndarray:
        return self.ranking.scores(view).scores


class ReplayedOrder(SubsetScore):
    """A stepwise criterion as a subset score: the sum of the scores that the features had when they joined.

    Features join in the order in which a greedy search would take them, best first, so that a set has one value.
    """

    by_one = False

    def __init__(self, stepwise: StepwiseCriterion) -> None:
        self.stepwise, self.requires = stepwise, stepwise.requires

    def value(self, view: View, subset: Columns) -> float:
        """Let the members join, always the best of them."""
        left, chosen, total = sorted_members(subset).tolist(), list[int](), 0.0
        scores = self.stepwise.start(view) if left else np.empty(0)
        while left:
            if chosen and self.stepwise.lazy:
                open_to_choice = np.isin(np.arange(view.n_features), left)
                best, score, _ = self.stepwise.refine(view, chosen, open_to_choice)
            else:
                best = max(left, key=lambda j: (scores[j], -j))
                score = float(scores[best])
            total += score
            left.remove(best)
            chosen.append(best)
            if left:
                scores = self.stepwise.add(view, chosen)
        return total


def as_ranking(criterion: Any) -> RankingCriterion:
    """Return a criterion that ranks, or explain why it cannot be one."""
    if isinstance(criterion, RankingCriterion):
        return criterion
    raise _no_way(criterion, "a ranking", "one number per feature, whatever else is chosen")


def as_stepwise(criterion: Any) -> StepwiseCriterion:
    """Return a criterion as a stepwise one, or explain why it cannot be one."""
    if isinstance(criterion, StepwiseCriterion):
        return criterion
    if isinstance(criterion, RankingCriterion):
        return FixedScores(criterion)
    raise _no_way(criterion, "a search that adds features one by one", "a score of each feature given those chosen")


def as_subset(criterion: Any) -> SubsetScore:
    """Return a criterion as a subset score, or explain why it cannot be one."""
    if isinstance(criterion, SubsetScore):
        return criterion
    return SumOfScores(criterion) if isinstance(criterion, RankingCriterion) else ReplayedOrder(as_stepwise(criterion))


def _no_way(criterion: Any, wanted: str, what: str) -> RequirementError:
    return RequirementError(
        f"{type(criterion).__name__} cannot be used for {wanted}: that needs {what}, which it does not give; choose "
        "another search or another criterion."
    )


def sorted_members(subset: Columns) -> np.ndarray:
    """Return a subset as ascending column numbers."""
    members = np.array(subset if isinstance(subset, np.ndarray) else list(subset), dtype=np.int64)
    # Searches give subsets in order; long ones would be sorted again at every step.
    return members if (members[1:] > members[:-1]).all() else np.unique(members)


def outside(subset: Columns, candidates: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Return a subset and candidates to join it, or explain that one is in it already."""
    members, candidates = sorted_members(subset), np.asarray(candidates, dtype=np.int64)
    if np.isin(candidates, members).any():
        raise ParameterError(
            f"The candidates {_shown(candidates[np.isin(candidates, members)])} are in the subset already; candidates "
            "to join must be outside it: leave them out."
        )
    return members, candidates


def inside(subset: Columns, candidates: Columns) -> tuple[np.ndarray, np.ndarray]:
    """Return a subset and candidates to leave it, or explain that one is not in it."""
    members, candidates = sorted_members(subset), np.asarray(candidates, dtype=np.int64)
    if not np.isin(candidates, members).all():
        raise ParameterError(
            f"The candidates {_shown(candidates[~np.isin(candidates, members)])} are not in the subset; candidates to "
            "leave must be inside it: leave them out."
        )
    return members, candidates


def _shown(columns: np.ndarray) -> str:
    return ", ".join(map(str, columns[:5].tolist()))
