"""Features of many texts without storing all of them: count first, then make only what is worth it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.contracts import BaseGenerator
from fewer.core.reading.rows import refuse_other_length
from fewer.core.reading.targets import read_target
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.params import HasMethods, whole_from
from fewer.core.records.tags import MethodTags
from fewer.core.runners import progress
from fewer.core.summaries.fold_counts import FoldCounts
from fewer.core.views.row_splits import make_splits
from fewer.methods.text._fold_views import BY_OCCURRENCES, folds_of, known_score, ranked
from fewer.methods.text._term_batches import batches, in_order, refuse_learned, terms_of
from fewer.methods.text._text_generator import of_texts
from fewer.methods.text.words import Words


class TwoPassTerms(BaseGenerator):
    """Count all terms of texts by folds, keep those that score best, and store only these.

    The first pass counts in how many documents of every fold and class a term occurs and stores no document (section
    13.4 of [1]_). Terms in fewer than `min_df` documents go. Of the others the best `max_terms` by the training
    rows of every fold, and by all rows, are kept, and `fold_terms_` says who chose which: no fold may be tested on
    terms that its own rows have chosen. The second pass, `transform`, makes the kept terms alone.

    Parameters
    ----------
    generator : generator or None, default=None
        What makes features of a text, such as `Words` or a `FeatureUnion` of several; None is ``Words()``.
    score : str, default="bns"
        By which terms are ranked, a score of `TextScore` that needs only documents per class.
    max_terms : int, default=100_000
        How many terms the training rows of a fold may keep; all folds together may keep more.
    min_df : int, default=2
        Terms in fewer rows are left out.
    cv : int, str, splitter, iterable or None, default=None
        Splits of the rows whose training parts choose terms; no row may be tested twice. None is ten folds, five of
        more than 2,000 rows.
    batch_size : int, default=2000
        How many documents are in memory as features at once.

    Attributes
    ----------
    terms_ : ndarray of str
        The kept terms, in the order of the columns.
    fold_terms_ : ndarray of bool, shape (n_folds + 1, n_terms)
        Which of the kept terms the training rows of every fold chose, and last all rows.
    fold_counts_ : FoldCounts
        Documents by fold, class and kept term.
    n_terms_seen_ : int
        How many terms the documents have.

    Notes
    -----
    Counters take the fewest bytes that hold the documents of a fold and a class: F C bytes per term for small folds.
    `TextSearch` tests every fold on the terms that its training rows chose, so that with the same score and up to
    `max_terms` features it finds what a search on all terms would, exactly. In a cross-validation of your own put the
    generator into a pipeline, which fits it to the training rows: documents that were transformed before have terms
    that test rows chose. Batches are made alone; a generator that learns of all documents, as idf, is refused.

    See Also
    --------
    TextSearch : Takes it among its generators, and gives it its own folds.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", ch. 13 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> texts = ["good day", "good night", "bad day", "bad night"]
    >>> made = TwoPassTerms(max_terms=2, min_df=1, cv=2).fit(texts, [1, 1, 0, 0])
    >>> made.get_feature_names_out().tolist(), made.n_terms_seen_
    (['word:bad', 'word:good'], 4)
    """

    method_tags = MethodTags(
        targets=("classes",), views=("texts",), handles_sparse=True, handles_nan=True, cost="length"
    )
    _parameter_constraints: dict = {
        "generator": [None, HasMethods(["fit_transform", "get_feature_names_out"])],
        "score": [str],
        "max_terms": [whole_from(1)],
        "min_df": [whole_from(1)],
        "cv": "no_validation",
        "batch_size": [whole_from(1)],
    }

    def __init__(
        self,
        generator: Any = None,
        *,
        score: str = "bns",
        max_terms: int = 100_000,
        min_df: int = 2,
        cv: Any = None,
        batch_size: int = 2000,
    ) -> None:
        self.generator = generator
        self.score = score
        self.max_terms = max_terms
        self.min_df = min_df
        self.cv = cv
        self.batch_size = batch_size

    def fit(self, X: Any, y: Any = None) -> TwoPassTerms:
        """Count the terms of documents, fold by fold, and choose.

        Parameters
        ----------
        X : iterable of str, or what `generator` takes
            The documents; they are read in batches, once.
        y : array-like of shape (n_documents,)
            Their classes.

        Returns
        -------
        self : object
            The fitted generator.
        """
        self._validate_params()
        if y is None:
            raise InputError(
                "TwoPassTerms requires y to be passed, but the target y is None; pass the classes of the documents, or "
                "use the generator alone."
            )
        self._check()
        target = read_target("TwoPassTerms", y, self.method_tags, fewest=1)
        classes, labels = np.unique(np.asarray(target.values), return_inverse=True)
        splits = make_splits(self.cv, labels, "classification")
        folds = folds_of(splits, len(labels))
        if folds is None:
            raise ParameterError(
                f"TwoPassTerms got cv={self.cv!r}, {splits.words}, but counts by folds that share no rows and train on "
                "all others; pass a number of folds, or such a splitter."
            )
        names, counted = self._count(X, labels, folds, len(splits) + 1, len(classes))
        self.n_terms_seen_ = len(names)
        order = in_order(names)
        views = self._chosen(_of_terms(counted, order), len(splits))
        some = np.flatnonzero(views.any(axis=0))
        kept, self.fold_terms_ = order[some], views[:, some]
        self.terms_ = np.array([names[j] for j in kept.tolist()], dtype=object)
        self.fold_counts_ = _of_terms(counted, kept)
        return self

    def _check(self) -> None:
        known_score("TwoPassTerms", self.score)
        if self.score in BY_OCCURRENCES:
            raise ParameterError(
                f"TwoPassTerms got score={self.score!r}, which needs how often terms occur, but counts documents only; "
                "pass for example 'pip'."
            )
        refuse_learned(self.generator)

    def _count(
        self, X: Any, y: np.ndarray, folds: np.ndarray, n_folds: int, n_classes: int
    ) -> tuple[list[str], FoldCounts]:
        """Return all terms and their counts: the first pass."""
        known: dict[str, int] = {}
        made = Words() if self.generator is None else self.generator

        def counted_batches() -> Iterator[tuple[Any, np.ndarray, np.ndarray]]:
            begin = 0
            for documents in batches(X, self.batch_size):
                counts, names = terms_of(made, documents)
                places = np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)
                end = begin + counts.shape[0]
                progress.report("counting terms", end, len(y))
                wide = scipy.sparse.csr_array(
                    (counts.data, places[counts.indices], counts.indptr), shape=(counts.shape[0], len(known))
                )
                if end > len(y):
                    refuse_other_length("TwoPassTerms", end, y)
                yield wide, y[begin:end], folds[begin:end]
                begin = end
            refuse_other_length("TwoPassTerms", begin, y)

        counted = FoldCounts.from_batches(counted_batches(), n_folds, n_classes)
        return list(known), counted

    def _chosen(self, counted: FoldCounts, n_folds: int) -> np.ndarray:
        """Return which terms the training part of every fold, and last all rows, rank among the best."""
        whole = counted.inside(range(counted.n_folds))
        chosen = np.zeros((n_folds + 1, counted.n_terms), bool)
        for view, counts in zip(chosen, (*(whole - counted.inside([fold]) for fold in range(n_folds)), whole)):
            view[ranked(counts, self.score, self.min_df)[: self.max_terms]] = True
        if not chosen.any():
            raise InputError(
                f"TwoPassTerms got min_df={self.min_df}, but no term is in so many training documents; pass a smaller "
                "number."
            )
        return chosen

    def transform(self, X: Any) -> Any:
        """Return how often the kept terms occur: the second pass.

        Parameters
        ----------
        X : iterable of str, or what `generator` takes
            The documents.

        Returns
        -------
        csr_array of shape (n_documents, n_terms)
        """
        check_is_fitted(self, "terms_")
        place = {name: j for j, name in enumerate(self.terms_.tolist())}
        made, parts = Words() if self.generator is None else self.generator, []
        for documents in batches(X, self.batch_size):
            counts, names = terms_of(made, documents)
            places = np.array([place.get(name, -1) for name in names], dtype=np.int64)
            kept = np.flatnonzero(places >= 0)
            some = scipy.sparse.coo_array(counts[:, kept])
            at = (some.row, places[kept][some.col])
            parts.append(scipy.sparse.csr_array((some.data, at), shape=(counts.shape[0], len(place))))
        return scipy.sparse.csr_array(scipy.sparse.vstack(parts)) if parts else scipy.sparse.csr_array((0, len(place)))

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the kept terms.

        Parameters
        ----------
        input_features : None
            Ignored.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self, "terms_")
        return self.terms_

    def __sklearn_tags__(self) -> Tags:
        tags = of_texts(super().__sklearn_tags__())
        tags.target_tags.required = True
        return tags


def _of_terms(counted: FoldCounts, which: np.ndarray) -> FoldCounts:
    return FoldCounts(counted.documents[:, :, which], counted.sizes, counted.several)
