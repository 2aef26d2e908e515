"""One loop over all settings: generator, score, number of features and parameters of the learner together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from fewer.core.records.errors import InputError
from fewer.core.runners import progress
from fewer.core.views.row_splits import Splits
from fewer.methods.text._fold_views import BY_OCCURRENCES, ranked, training_counts
from fewer.methods.text._pooled_losses import ADDITIVE, Tested, add_fold, best_possible, score_of

if TYPE_CHECKING:
    from fewer.methods.text._search_input import Searched

START, FACTOR, ALL = 100, 1.5, "all"


def size_grid(n_features: int) -> list[int | str]:
    """Return 100, 150, 225, 338, ... below the number of features, rounded half up, and "all" (section 13.3).

    Examples
    --------
    >>> size_grid(400)
    [100, 150, 225, 338, 'all']
    """
    sizes: list[int | str] = []
    size = float(START)
    while math.floor(size + 0.5) < n_features:
        sizes.append(math.floor(size + 0.5))
        size *= FACTOR
    return [*sizes, ALL]


@dataclass(frozen=True)
class Setting:
    """One setting and what became of it.

    Attributes
    ----------
    generator : int
        Number of the generator.
    score : str
        Score of terms.
    size : int or "all"
        Number of features.
    params : mapping of str to object
        Parameters of the learner.
    n_folds : int
        Folds that were evaluated.
    value : float
        Score of all folds, NaN if it was stopped before.
    at_most : float
        What the score could be at best, after the folds that were evaluated.
    """

    generator: int
    score: str
    size: int | str
    params: dict[str, Any]
    n_folds: int = 0
    value: float = float("nan")
    at_most: float = float("nan")


@dataclass
class JointSearch:
    """The loop over the settings of all generators.

    Parameters
    ----------
    estimator : classifier
        The learner.
    params : sequence of dict
        Its parameters, one after another.
    scores : sequence of str
        Scores of terms.
    sizes : sequence or None
        Numbers of features; None is `size_grid`.
    min_df : int
        Terms in fewer training documents are no candidates.
    scoring : str
        What is best.
    early_stop : bool
        Whether a setting ends as soon as it cannot win.
    splits : Splits
        Training and test rows.
    """

    estimator: Any
    params: Sequence[dict[str, Any]]
    scores: Sequence[str]
    sizes: Sequence[int | str] | None
    min_df: int
    scoring: str
    early_stop: bool
    splits: Splits

    def __post_init__(self) -> None:
        self.tried: list[Setting] = []
        self.best: Setting | None = None
        self._least = math.inf
        self.n_fits = 0
        # How many terms of a generator are in enough of all rows.
        self.n_candidates: dict[int, int] = {}

    @property
    def n_saved(self) -> int:
        """Evaluations of folds that early stops have saved."""
        return len(self.tried) * len(self.splits) - self.n_fits

    def run(self, number: int, data: Searched) -> None:
        """Try all settings of one generator.

        Parameters
        ----------
        number : int
            Which generator.
        data : Searched
            Its counts and the classes.
        """
        X, y, classes = data.counts, data.view.whole().y, np.asarray(data.view.classes)
        by_columns, seen = X.tocsc(), data.fold_terms
        enough = np.bincount(X.indices, minlength=X.shape[1]) >= self.min_df
        self.n_candidates[number] = int(np.count_nonzero(enough if seen is None else enough & seen[-1]))
        sizes = size_grid(self.n_candidates[number]) if self.sizes is None else self.sizes
        for score in self.scores:
            wanted = score in BY_OCCURRENCES
            counts = training_counts(X, y, self.splits, len(classes), wanted)
            views = [None] * len(self.splits) if seen is None else seen
            rankings = [ranked(one, score, self.min_df, view) for one, view in zip(counts, views)]
            self._refuse_none(rankings)
            for size in sizes:
                folds = _Folds(by_columns, rankings, size, self.splits, len(self.params) > 1)
                for params in self.params:
                    self._try(Setting(number, score, size, params), folds, data.view.target, classes)

    def _refuse_none(self, rankings: list[np.ndarray]) -> None:
        if not all(map(len, rankings)):
            raise InputError(
                f"TextSearch got min_df={self.min_df}, but in the training rows of some fold no term is in so many "
                "rows; pass a smaller number, or rows that hold terms."
            )

    def _try(self, setting: Setting, folds: _Folds, target: np.ndarray, classes: np.ndarray) -> None:
        tested, done = Tested(), 0
        bound = self._least if self.early_stop else math.inf
        for train, test in folds:
            # A loss that never falls and has reached that of the best cannot become smaller: nothing is lost.
            if tested.loss >= bound:
                break
            rows, held_out = folds.rows(done)
            fitted = clone(self.estimator).set_params(**setting.params).fit(rows, target[train])
            add_fold(tested, self.scoring, fitted, held_out, target[test])
            done, self.n_fits = done + 1, self.n_fits + 1
        all_rows = sum(len(test) for test in self.splits.test)
        finished = done == len(self.splits)
        value = score_of(tested, self.scoring, classes) if finished else float("nan")
        at_most = best_possible(tested, self.scoring, all_rows) if self.scoring in ADDITIVE else value
        found = Setting(setting.generator, setting.score, setting.size, setting.params, done, value, at_most)
        self.tried.append(found)
        loss = tested.loss if self.scoring in ADDITIVE else -value
        if finished and loss < self._least:
            self._least, self.best = loss, found
        progress.report("settings", len(self.tried), None)


class _Folds:
    """Training and test rows of the best features of every fold, cut out when they are asked for."""

    def __init__(self, X: Any, rankings: list[np.ndarray], size: int | str, splits: Splits, keep: bool) -> None:
        self._X, self._rankings, self._size, self._splits = X, rankings, size, splits
        self._keep = keep
        self._kept: dict[int, tuple[Any, Any]] = {}

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return iter(zip(self._splits.train, self._splits.test))

    def rows(self, fold: int) -> tuple[Any, Any]:
        """Return the training and the test rows of a fold, by rows, with its best features in ascending order."""
        if fold in self._kept:
            return self._kept[fold]
        # Of one ranking larger sizes hold the smaller ones.
        best = self._rankings[fold][: None if self._size == ALL else self._size]
        some = self._X[:, np.sort(best)].tocsr()
        made = some[self._splits.train[fold]], some[self._splits.test[fold]]
        if self._keep:
            self._kept[fold] = made
        return made
