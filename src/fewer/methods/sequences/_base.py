"""What all methods on sequences share: reading texts, and making named columns of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils import Tags
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.contracts import BaseGenerator
from fewer.core.reading.sequences import sequence_texts
from fewer.core.records.alphabets import Alphabet, as_alphabet
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.tags import MethodTags
from fewer.core.views.letters import Letters

TAGS = MethodTags(targets=("none",), views=("sequences",), handles_nominal=True, cost="n*d")
# Features that a generator makes at most: names and numbers of more would not fit comfortably in memory.
MOST_FEATURES = 2_000_000


def read_letters(made: Any, X: Any, fewest: int = 1) -> Letters:
    """Return the sequences as the parameters of a method say that they are written."""
    name = type(made).__name__
    return Letters.of(name, sequence_texts(name, X, fewest), as_alphabet(name, made.alphabet))


def tell_of_texts(tags: Tags) -> Tags:
    """Return tags that say that sequences are texts and no table of numbers."""
    tags.input_tags.two_d_array = False
    tags.input_tags.one_d_array = True
    tags.input_tags.string = True
    tags.input_tags.categorical = True
    return tags


def levels_of(name: str, k: Any, least: int = 1) -> range:
    """Return the lengths that a number, a pair or a text such as "2-6" stands for."""
    ends: Any = k.split("-") if isinstance(k, str) else k
    try:
        low, high = (int(ends), int(ends)) if np.ndim(ends) == 0 else (int(ends[0]), int(ends[-1]))
        whole = np.ndim(ends) == 0 or len(ends) in (1, 2)
        exact = isinstance(k, str) or all(float(one) == int(one) for one in np.atleast_1d(k))
    except (TypeError, ValueError, IndexError):
        low, high, whole, exact = 0, -1, False, False
    if isinstance(k, bool) or not whole or not exact or not least <= low <= high:
        raise ParameterError(
            f"{name} got k={k!r}, but takes a whole number from {least} on, a pair such as (2, 6), or a text such as "
            "'2-6'; pass one of them."
        )
    return range(low, high + 1)


def positions_of(name: str, given: Any, length: int, site: int) -> np.ndarray:
    """Return positions, from 0, that None, a region, an interval such as "5-12" or a list stands for."""
    regions = {"up": range(1, site + 1), "down": range(site + 1, length + 1)}
    chosen: Any = range(1, length + 1) if given is None else given
    if isinstance(given, str):
        ends = given.split("-")
        if given in regions:
            chosen = regions[given]
        elif len(ends) == 2 and all(end.strip().isdigit() for end in ends):
            chosen = range(int(ends[0]), int(ends[1]) + 1)
        else:
            chosen = []
    try:
        found = np.unique(np.asarray(list(chosen), dtype=np.float64))
    except (TypeError, ValueError):
        found = np.zeros(0)
    if not len(found) or not (found == found.round()).all() or found[0] < 1 or found[-1] > length:
        raise ParameterError(
            f"{name} got basic_positions={given!r}, but takes 'up', 'down', an interval such as '5-12', both ends "
            f"included, or a list of positions, all from 1 to {length}; pass such a value."
        )
    return found.astype(np.int64) - 1


def site_of(name: str, site: int | None, length: int) -> int:
    """Return how many letters stand before the site: the half by default."""
    if site is not None and not 0 < site < length:
        raise ParameterError(
            f"{name} got site={site!r}, but the sequences have {length} letters, and the site lies between two of "
            f"them; pass a number from 1 to {length - 1}, or None for the middle."
        )
    return length // 2 if site is None else int(site)


class SequenceGenerator(BaseGenerator):
    """Base of generators on sequences: a method implements `_learn`, which returns sets of features."""

    method_tags = TAGS
    alphabet: Any

    def fit(self, X: Any, y: Any = None) -> Any:
        """Learn which features to make.

        Parameters
        ----------
        X : list, array or series of str, or frame
            One sequence per row: texts, one column of texts, or one column of single letters per position.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted generator.
        """
        self._validate_params()
        letters = read_letters(self, X)
        self._keep(letters, self._learn(letters, y))
        return self

    def _learn(self, letters: Letters, y: Any) -> Sequence[Any]:
        """Return sets of features, each with `columns` and `names`."""
        raise NotImplementedError

    def _fixed_length(self) -> bool:
        """Return whether all sequences must be of one length."""
        return False

    def _keep(self, letters: Letters, sets: Sequence[Any]) -> None:
        self._sets = [one for one in sets if len(one)]
        self._length = letters.common_length(type(self).__name__) if self._fixed_length() else None
        self.feature_names_ = np.array([name for one in self._sets for name in one.names(letters.alphabet)], object)
        if not len(self.feature_names_):
            raise InputError(
                f"{type(self).__name__} found no feature in {letters.n_rows} sequence(s) of at most "
                f"{int(letters.lengths.max())} letters, but needs one; pass fewer letters or a smaller min_count, or "
                "give longer sequences."
            )

    def transform(self, X: Any) -> Any:
        """Return the features of sequences.

        Parameters
        ----------
        X : list, array or series of str, or frame
            One sequence per row, written as those of `fit`.

        Returns
        -------
        sparse array of shape (n_samples, n_features)
            Numbers; with ``set_output`` a frame of them.
        """
        check_is_fitted(self, "feature_names_")
        letters = read_letters(self, X)
        if self._length is not None:
            letters.common_length(type(self).__name__, self._length)
        made = columns_of(self._sets, letters)
        asked = _get_output_config("transform", self)["dense"]
        if asked == "pandas":
            import pandas as pd

            # scikit-learn makes no frames of sparse matrices.
            index = X.index if hasattr(X, "index") and not callable(X.index) else None
            return pd.DataFrame.sparse.from_spmatrix(scipy.sparse.csr_matrix(made), index=index)
        return made if asked == "default" else made.toarray()

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the features; those of the input do not matter.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self, "feature_names_")
        return self.feature_names_

    @property
    def _alphabet(self) -> Alphabet:
        return as_alphabet(type(self).__name__, self.alphabet)

    def __sklearn_tags__(self) -> Tags:
        return tell_of_texts(super().__sklearn_tags__())


def columns_of(sets: Sequence[Any], letters: Letters) -> scipy.sparse.csr_array:
    """Return the columns of sets of features side by side, made in blocks of rows."""
    if not sets:
        return scipy.sparse.csr_array((letters.n_rows, 0), dtype=np.float64)
    blocks = [scipy.sparse.hstack([one.columns(block) for one in sets]) for _, block in letters.blocks()]
    return scipy.sparse.csr_array(scipy.sparse.vstack(blocks))


def refuse_many(name: str, number: int, advice: str) -> None:
    """Raise if more features would be made than can be held."""
    if number > MOST_FEATURES:
        raise InputError(
            f"{name} would make {number:,} features, but {MOST_FEATURES:,} are the most; {advice}, or let FGA select "
            "while it makes them."
        )
