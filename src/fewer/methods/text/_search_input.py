"""What `TextSearch` searches: the counts that a generator makes, with their names, target and folds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone, is_regressor
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import get_tags

from fewer.core.reading.memory import read_memory
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.views.row_splits import Splits, make_splits
from fewer.methods.text._term_rows import refuse_negative
from fewer.methods.text.text_values import TextValues
from fewer.methods.text.two_pass_terms import TwoPassTerms


@dataclass(frozen=True)
class Searched:
    """What a generator has made of all documents.

    Attributes
    ----------
    generator : generator or None
        The fitted generator; None if counts were given.
    view : View
        Names, classes and target.
    counts : csr_array of shape (n_documents, n_terms)
        How often terms occur.
    splits : Splits
        Training and test rows.
    """

    generator: Any
    view: Any
    counts: Any
    splits: Splits

    @property
    def fold_terms(self) -> np.ndarray | None:
        """Which terms the training rows of every fold, and last all rows, may see; None if all."""
        return self.generator.fold_terms_ if isinstance(self.generator, TwoPassTerms) else None


def searched(search: Any, generator: Any, X: Any, y: Any, run: Any, splits: Splits | None) -> Searched:
    """Return the counts that a generator makes of documents, read and checked, with names, target and splits."""
    name, reader = type(search).__name__, search
    if generator is None:
        _refuse_texts(name, X)
    else:
        reader, generator = clone(search), clone(generator)
        if isinstance(generator, TwoPassTerms):
            if splits is None:
                splits = make_splits(search.cv, np.unique(np.asarray(y), return_inverse=True)[1], "classification")
            # Terms must be chosen by the folds that they are tested on.
            generator.set_params(cv=list(zip(splits.train, splits.test)))
            X = generator.fit(X, y).transform(X)
        else:
            _refuse_all_rows(name, generator)
            X = generator.fit(X).transform(X)
    view = read_memory(reader, X, y, None, search.method_tags, None, run)
    counts = scipy.sparse.csr_array(refuse_negative(name, view.whole().X))
    if generator is not None:
        view = replace(view, names=tuple(map(str, generator.get_feature_names_out())))
    if splits is None:
        splits = make_splits(search.cv, view.whole().y, "classification")
    return Searched(generator, view, counts, splits)


def _refuse_texts(where: str, X: Any) -> None:
    if isinstance(X, (list, tuple)) and X and isinstance(X[0], str):
        raise InputError(
            f"{where} got texts and generators=None, which takes counts of terms; pass what makes terms of texts, for "
            "example generators=Words()."
        )


def _refuse_all_rows(where: str, generator: Any) -> None:
    """Raise if a generator learns of rows that are tested what they are tested on."""
    for name, value in generator.get_params().items():
        if name.split("__")[-1] == "use_idf" and value:
            raise ParameterError(
                f"{where} got a generator with {name}=True, which weighs terms by all documents, those that are tested "
                "too, but takes counts; pass one that counts, and make_pipeline(TextValues(), ...) as estimator."
            )
    for one in (generator, *generator.get_params().values()):
        needs_classes = hasattr(one, "__sklearn_tags__") and get_tags(one).target_tags.required
        if needs_classes or isinstance(one, SelectorMixin):
            raise ParameterError(
                f"{where} got {type(one).__name__} in a generator, which chooses by all rows, those that are tested "
                "too; put it into the estimator, or TwoPassTerms around all other generators."
            )


def learner(where: str, estimator: Any) -> Any:
    """Return what learns, by default a linear support vector machine on rows of length 1; raise on a regressor."""
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    if estimator is None:
        return make_pipeline(TextValues("tf"), LinearSVC(random_state=0))
    if is_regressor(estimator):
        raise ParameterError(
            f"{where} got estimator={type(estimator).__name__}, a regressor, but learns classes; pass a classifier."
        )
    return estimator
