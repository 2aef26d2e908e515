"""Documents in batches and the terms of each, so that few are in memory as features at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone

from fewer.core.records.errors import ParameterError

# A text that has words, phrases and runs of characters, for batches whose own documents have none of some kind.
_FILLER = " ".join(["zzfillerzz"] * 20)
# What vectorizers learn of all documents, by its name, and the value that learns nothing.
_LEARNED = {"min_df": 1, "max_df": 1.0, "max_features": None, "use_idf": False}


def batches(X: Any, size: int) -> Iterator[Any]:
    """Return documents, of any kind, so many at a time."""
    if hasattr(X, "iloc"):
        yield from (X.iloc[i : i + size] for i in range(0, len(X), size))
        return
    left: Iterable[Any] = iter(X)
    while some := list(islice(left, size)):
        yield some


def refuse_learned(generator: Any) -> None:
    """Raise if a generator learns from all documents what a batch does not know."""
    for name, value in ({} if generator is None else generator.get_params()).items():
        kind = name.split("__")[-1]
        # Every document is 1.0, and a number of them may be fewer than a batch has.
        if kind in _LEARNED and (value != _LEARNED[kind] or (kind == "max_df" and not isinstance(value, float))):
            what = "give min_df to TwoPassTerms" if kind == "min_df" else f"pass {name}={_LEARNED[kind]!r}"
            raise ParameterError(
                f"TwoPassTerms got a generator with {name}={value!r}, which would be applied to every batch alone; "
                f"{what} instead."
            )


def terms_of(generator: Any, documents: Any) -> tuple[Any, np.ndarray]:
    """Return the counts of the terms of a batch, and their names.

    A generator refuses documents without terms, and a union does where one of its parts finds none. Documents of a
    batch may be so: then one that has terms is put behind them, and taken away again.
    """
    made = clone(generator)
    try:
        counts = scipy.sparse.csr_array(made.fit_transform(documents))
    except ValueError:
        made = clone(generator)
        filled = scipy.sparse.csr_array(made.fit_transform(_with_filler(documents)))
        counts = filled[: filled.shape[0] - 1]
    held = np.flatnonzero(np.bincount(counts.indices, minlength=counts.shape[1]))
    return counts[:, held], made.get_feature_names_out()[held]


def _with_filler(documents: Any) -> Any:
    if not hasattr(documents, "iloc"):
        return [*documents, _like(documents)]
    import pandas as pd

    one = pd.Series([_FILLER]) if documents.ndim == 1 else pd.DataFrame({name: [_FILLER] for name in documents.columns})
    return pd.concat([documents, one])


def _like(documents: list[Any]) -> Any:
    """Return a document with terms, of the kind of some documents: a text, or a record with all their fields."""
    if isinstance(documents[0], Mapping):
        return dict.fromkeys((name for one in documents for name in one), _FILLER)
    plain = documents[0] is None or isinstance(documents[0], (str, float))
    return _FILLER if plain else tuple(_FILLER for _ in documents[0])


def in_order(names: list[str]) -> np.ndarray:
    """Return terms as one pass would number them: kind by kind, in each by the alphabet, so that ties agree."""
    kinds: dict[str, int] = {}
    keys = [(kinds.setdefault(name.split(":")[0], len(kinds)), name) for name in names]
    return np.array(sorted(range(len(names)), key=keys.__getitem__), dtype=np.int64)
