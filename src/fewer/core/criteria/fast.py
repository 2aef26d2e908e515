"""Cross-validation without fitting: answers of an estimator from sums that are kept per feature and fold."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from fewer.core.criteria.cross_validated import CrossValidated, Validation, changed, tell
from fewer.core.criteria.fold_scores import BY_CLASS, BY_NUMBER, Ready, ReadyClassifier, ReadyRegressor, by_scorer
from fewer.core.criteria.folds import Folds
from fewer.core.criteria.shapes import Columns
from fewer.core.kernels import evaluators_choice
from fewer.core.views.view import View

# Answers that are held at once, in numbers.
ANSWERS_AT_ONCE = 2**24


class FoldModel:
    """Answers of one estimator on all folds of one view, for subsets that differ by one feature.

    ``answers(members, candidates, sign)`` gives an array (n_candidates, n_tests, n_outputs) with one number per class,
    the largest of which is the answer (minus infinity for a class that a fold does not train on), or with the predicted
    number; and which of (n_candidates, n_folds) are in doubt: there rounding decides, or the sums do not hold what the
    estimator does, and it must be asked itself.
    """

    n_outputs: int
    # Relative differences between classes below this are in doubt; less than 0 where the model itself looks for them.
    slack = -1.0

    def __init__(self, folds: Folds) -> None:
        self.folds = folds

    @abstractmethod
    def move(self, members: np.ndarray, run: Any) -> None:
        """Take over a subset before candidates are asked for, on one thread."""

    @abstractmethod
    def answers(self, members: np.ndarray, candidates: np.ndarray, sign: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the answers and which of them are in doubt; called on several threads."""

    def probabilities(self, answers: np.ndarray) -> np.ndarray | None:
        """Return what ``predict_proba`` gives for the answers (n_rows, n_classes) of one fold."""
        return None

    def decisions(self, answers: np.ndarray) -> np.ndarray | None:
        """Return what ``decision_function`` gives for the answers (n_rows, n_classes) of one fold."""
        return None


class FastCrossValidated(CrossValidated):
    """Base of the exact short cuts: the same numbers as `CrossValidated` without fitting anything.

    A fold whose score may hang on rounding, or that is outside what the sums describe (a singular matrix, a class that
    fails), is fitted by the estimator itself; so is everything if the data are not dense numbers. Numbers of four bytes
    are taken as numbers of eight, in which scikit-learn's estimators of these kinds may differ.
    """

    requires = ("dense", "codes")
    # The kept sums of the last subset belong to one search on one thread.
    parallel_values = False
    sends_values = False

    def __init__(self, estimator: Any, scoring: Any = None, cv: Any = None, **more: Any) -> None:
        super().__init__(estimator, scoring, cv, **more)
        if scoring is None:
            self.score_name = "accuracy" if is_classifier(estimator) else "r2"

    @abstractmethod
    def _model(self, folds: Folds) -> FoldModel | None:
        """Make the model of a view, or None where only the estimator itself can help."""

    def _prepare(self, view: View) -> Validation:
        known = super()._prepare(view)
        plain = view.kind in ("dense", "codes") and not known.folds.score_params
        plain = plain and set(known.folds.fit_params) <= {"sample_weight"}
        if plain and np.isfinite(np.asarray(known.folds.X).sum(dtype=np.float64)):
            if known.folds.X.dtype == np.float32:
                # One precision for the sums and for the estimator, where it is asked itself.
                known.folds = replace(known.folds, X=known.folds.X.astype(np.float64))
            known.model = self._model(known.folds)
        return known

    def fold_values_of(self, view: View, subsets: Sequence[Columns]) -> np.ndarray:
        """Return the scores of several subsets, one row for each, in every fold."""
        if self.prepare(view).model is None:
            return super().fold_values_of(view, subsets)
        return np.stack([self.fold_values(view, subset) for subset in subsets])

    def _scores(self, view: View, members: np.ndarray, candidates: np.ndarray, sign: int) -> np.ndarray:
        known = self.prepare(view)
        model = known.model
        if model is None:
            return super()._scores(view, members, candidates, sign)
        if len(members) + min(sign, 0) <= 0 and sign <= 0:
            return np.tile(self._of_nothing(known), (len(candidates), 1))
        model.move(members, view.run)

        def work(start: int, stop: int) -> np.ndarray:
            return self._of_candidates(known, members, candidates[start:stop], sign)

        if not len(candidates):
            return np.empty((0, known.folds.n_folds))
        step = max(
            1, min(self._step(view, len(candidates)), ANSWERS_AT_ONCE // (len(known.folds.test) * model.n_outputs))
        )
        return np.concatenate(view.run.scan(work, len(candidates), step))

    def _step(self, view: View, n_candidates: int) -> int:
        """Return how many candidates one thread takes at a time."""
        threads = getattr(view.run, "n_threads", 1)
        return n_candidates if threads == 1 else -(-n_candidates // (4 * threads))

    def _of_candidates(self, known: Validation, members: np.ndarray, candidates: np.ndarray, sign: int) -> np.ndarray:
        answers, doubt = known.model.answers(members, candidates, sign)
        scores, close = self._scored(known, answers)
        failed: list[tuple[str, Exception]] = []
        for s, f in np.argwhere(doubt | close):
            X = known.folds.columns_of(changed(members, int(candidates[s]), sign))
            scores[s, f] = self._of_fold(known, self.estimator, X, int(f), failed)
        tell(failed)
        return scores

    def _scored(self, known: Validation, answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of answers (n_sets, n_tests, n_outputs), and which hang on nearly equal classes."""
        folds, model = known.folds, known.model
        close = np.zeros((len(answers), folds.n_folds), bool)
        if folds.classes is None:
            numbers = answers[:, :, 0]
            if self.score_name in BY_NUMBER:
                return BY_NUMBER[self.score_name](folds, numbers), close
            return self._by_scorer(known, answers, numbers), close
        chosen = np.empty(answers.shape[:2], np.int64)
        evaluators_choice.choose(answers, folds.test_bounds, model.slack, chosen, close)
        if self.score_name in BY_CLASS:
            return BY_CLASS[self.score_name](folds, chosen), close
        return self._by_scorer(known, answers, folds.classes[chosen]), close

    def _by_scorer(self, known: Validation, answers: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        folds, bounds = known.folds, known.folds.test_bounds

        def ready(s: int, f: int) -> Ready:
            rows = slice(bounds[f], bounds[f + 1])
            known_answers = {"predict": predicted[s, rows]}
            if folds.classes is None:
                return ReadyRegressor(known_answers)
            present = folds.class_counts[f] > 0
            given = answers[s, rows][:, present]
            for name, made in (
                ("predict_proba", known.model.probabilities(given)),
                ("decision_function", known.model.decisions(given)),
            ):
                if made is not None:
                    known_answers[name] = made
            return ReadyClassifier(known_answers, folds.classes[present])

        return by_scorer(folds, self.estimator, self.scoring, ready, len(answers))


def softmax(logits: np.ndarray) -> np.ndarray:
    """Return probabilities of logarithms, row by row."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def moved(before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what joins and what leaves on the way from one subset to another, both ascending."""
    # Sets of a few numbers take a tenth of the time of sorted arrays.
    old, new = set(before.tolist()), set(after.tolist())
    return np.array(sorted(new - old), dtype=np.int64), np.array(sorted(old - new), dtype=np.int64)


def two_class_difference(answers: np.ndarray) -> np.ndarray:
    """Return the answers as ``decision_function`` does: one column for two classes."""
    return answers[:, 1] - answers[:, 0] if answers.shape[1] == 2 else answers
