"""Codes: every feature as level numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fewer.core.discretize.code_cache import keep_codes
from fewer.core.discretize.cuts import Cuts, code_type
from fewer.core.discretize.named import (
    NAMED,
    EqualFrequency,
    EqualWidth,
    ForeignDiscretizer,
    GreedyDiscretizer,
    MDLDiscretizer,
    MixtureLevels,
    SigmaLevels,
    UserEdges,
    takes_target,
)
from fewer.core.kernels import encode
from fewer.core.records.errors import InputError, RequirementError
from fewer.core.records.target_kinds import BY_NAME
from fewer.core.runners.runner import Runner
from fewer.core.summaries.extent import ColumnExtent
from fewer.core.views.blocks import CodesBlock, DenseBlock, SparseCodesBlock
from fewer.core.views.view import View

MOST_LEVELS = 65535
CELLS_AT_ONCE = 2**20


def codes_view(data: View, discretizer: Any) -> View:
    """Return the features as codes.

    Parameters
    ----------
    data : View
        Dense or sparse numbers; nominal columns hold level numbers already and keep them.
    discretizer : Discretizer, ForeignDiscretizer or None
        How numeric columns are cut, as `as_discretizer` returns it; None says that they hold level numbers 0, 1, ...
        already.
    """
    if discretizer is None:
        return _integer_view(data)
    if data.target_names is not None and cuts_by_target(discretizer):
        raise RequirementError(
            f"The discretizer {_word(discretizer)} cuts where one target changes, but y holds "
            f"{BY_NAME[data.target_kind].words}; choose one that does not look at y, such as 'quantile', or give one "
            "column of y at a time."
        )
    if isinstance(discretizer, ForeignDiscretizer):
        return _foreign_view(data, discretizer)
    return _cut_view(data, discretizer.cuts(data))


def _word(discretizer: Any) -> str:
    """Return the name of a discretizer as users give it."""
    words = (repr(word) for word, make in NAMED.items() if type(make(2)) is type(discretizer))
    return next(words, repr(discretizer))


def _meant(discretizer: Any) -> Any:
    """Return what a known name stands for, with any number of levels; other things as they are."""
    return NAMED[discretizer](2) if isinstance(discretizer, str) and discretizer in NAMED else discretizer


def cuts_by_target(discretizer: Any) -> bool:
    """Return whether a discretizer chooses levels that fit the target, after which no null distribution holds."""
    return isinstance(_meant(discretizer), MDLDiscretizer | GreedyDiscretizer)


def may_learn_from_target(discretizer: Any) -> bool:
    """Return whether levels may have been chosen to fit the target.

    A transformer of another library is given the target. That it makes no use of it is known of those of scikit-learn
    that need none (`fit` and `transform` being scikit-learn's own), and of those whose `fit` takes none.
    """
    meant = _meant(discretizer)
    transformer = meant.transformer if isinstance(meant, ForeignDiscretizer) else meant
    own = callable(getattr(transformer, "cuts", None))
    if cuts_by_target(meant) or not hasattr(transformer, "transform") or own:
        return cuts_by_target(meant)
    ways = (getattr(type(transformer), name, None) for name in ("fit", "transform"))
    if all(str(getattr(way, "__module__", "")).startswith("sklearn.preprocessing.") for way in ways):
        return bool(transformer.__sklearn_tags__().target_tags.required)
    return takes_target(transformer)


def unchanged_by(discretizer: Any) -> tuple[str, ...]:
    """Return the changes of X that do not change the levels of its rows, by the names that tags have for them."""
    discretizer = _meant(discretizer)
    if discretizer is None or isinstance(discretizer, UserEdges):
        return ("row_order", "row_order_untied")
    by_code = isinstance(discretizer, GreedyDiscretizer) and discretizer.measure == "mdl"
    if isinstance(discretizer, EqualFrequency | MDLDiscretizer) or by_code:
        return ("row_order", "row_order_untied", "scale", "monotone")
    if isinstance(discretizer, EqualWidth | SigmaLevels | MixtureLevels):
        return ("row_order", "row_order_untied", "scale")
    # Among many rows GreedyDiscretizer draws some; of a transformer of another library nothing is known.
    return ("scale",) if isinstance(discretizer, GreedyDiscretizer) else ()


def learns_by_summaries(discretizer: Any) -> bool:
    """Return whether a discretizer needs only summaries, so that it also works on streams and clusters."""
    return discretizer is None or isinstance(_meant(discretizer), EqualFrequency | EqualWidth | SigmaLevels | UserEdges)


def _cut_view(data: View, cuts: Cuts) -> View:
    n_levels = cuts.n_levels.astype(np.int64).copy()
    for j in np.flatnonzero(data.nominal):
        n_levels[j] = max(1, len(data.labels[int(j)]))
    if not data.may_miss:
        return _placed(data, Encode(cuts, data.nominal, n_levels, n_levels))
    # Missing values are a level of their own, after the last. Where rows stream by and opening did not count them
    # by features, nobody knows yet which features will need it, so every feature gets it.
    known = data._memo.get(ColumnExtent(all_rows=True))
    view = _placed(data, Encode(cuts, data.nominal, n_levels, n_levels + (known is None or known.missing > 0)))
    return _without_spare_levels(view, n_levels) if view.run.in_memory else view


@dataclass(frozen=True, eq=False)
class Encode:
    """Turns a block of numbers into a block of codes; missing values get the code after the last level."""

    cuts: Cuts
    nominal: np.ndarray
    missing_code: np.ndarray
    n_levels: np.ndarray

    def __call__(self, block: Any, run: Runner | None = None) -> CodesBlock | SparseCodesBlock:
        """Encode one row block, on the threads of a runner if one is given."""
        if block.kind == "sparse":
            data, zero, missing = self.cuts.encode_sparse(block.X, self.nominal, self.missing_code)
            self._refuse_new(missing)
            X = type(block.X)((data, block.X.indices, block.X.indptr), shape=block.X.shape)
            return SparseCodesBlock(X, zero, self.n_levels, block.y, block.weight)
        rows = np.empty(block.X.shape, code_type(int(self.n_levels.max(initial=1))))

        def work(top: int, bottom: int) -> None:
            self._refuse_new(
                self.cuts.encode(block.X[top:bottom], self.nominal, self.missing_code, rows[top:bottom])[1]
            )

        if run is None:
            work(0, block.n_rows)
        else:
            run.scan(work, block.n_rows, _rows_at_once(block))
        return CodesBlock(rows, self.n_levels, block.y, block.weight)

    def _refuse_new(self, missing: np.ndarray) -> None:
        if np.any(missing & (self.missing_code >= self.n_levels)):
            _refuse_change("missing values in a column without any")


def _refuse_change(what: str) -> None:
    """Raise on codes beyond the levels, for which kernels have made no place."""
    raise InputError(
        f"Reading the rows again found {what} at the first reading, but data must not change while they are in use; "
        "open them again."
    )


def _rows_at_once(block: Any) -> int:
    return max(1, CELLS_AT_ONCE // max(1, block.n_features))


def _integer_view(data: View) -> View:
    block = data.whole() if data.run.in_memory else None
    if block is not None and block.kind == "dense":
        block = _with_missing_level(data, block)
        return _typed_codes(data, block) if block.X.dtype in (np.uint8, np.uint16) else _integer_codes(data, block)
    extent = data.fold(ColumnExtent(all_rows=True))
    high = _checked_maximum(data, extent.low, extent.high, extent.missing)
    return _placed(data, CastIntegers(high + 1))


def _with_missing_level(data: View, block: Any) -> Any:
    """Give missing values of nominal columns the level after the last; in other columns they are refused later."""
    if not data.may_miss or not data.nominal.any():
        return block
    X = block.X.copy()
    for j in np.flatnonzero(data.nominal):
        X[np.isnan(X[:, j]), j] = len(data.labels[int(j)])
    return replace(block, X=X)


def _typed_codes(data: View, block: Any) -> View:
    high = data.run.scan(lambda a, b: encode.column_max(block.X[a:b]), block.n_rows, _rows_at_once(block))
    n_levels = np.max(high, axis=0).astype(np.int64) + 1
    return _coded(data, CodesBlock(block.X, n_levels, block.y, block.weight))


def _integer_codes(data: View, block: Any) -> View:
    for dtype in (np.uint8, np.uint16):
        rows = np.empty(block.X.shape, dtype)

        def work(top: int, bottom: int, rows: np.ndarray = rows) -> tuple[np.ndarray, np.ndarray]:
            return encode.integer_codes(block.X[top:bottom], 0, block.n_features, rows[top:bottom])

        parts = data.run.scan(work, block.n_rows, _rows_at_once(block))
        misfit = np.max([part[1] for part in parts], axis=0)
        if misfit.any():
            _explain_bad_codes(data, block, int(np.flatnonzero(misfit)[0]))
        high = np.max([part[0] for part in parts], axis=0)
        if high.max(initial=0) <= np.iinfo(dtype).max:
            break
    return _coded(data, CodesBlock(rows, high.astype(np.int64) + 1, block.y, block.weight))


def _coded(data: View, block: CodesBlock) -> View:
    return replace(data, blocks=[block], kind="codes", n_levels=block.n_levels, may_miss=False, _memo={})


def _explain_bad_codes(data: View, block: Any, j: int) -> None:
    column = np.asarray(block.X[:, j], dtype=float)
    wrong = ~np.isfinite(column) | (column != np.floor(column)) | (column < 0) | (column > MOST_LEVELS)
    _bad_code(data, j, column[np.flatnonzero(wrong)[0]])


def _bad_code(data: View, j: int, value: float) -> None:
    raise InputError(
        f"With discretizer=None every column must hold level numbers 0, 1, ..., {MOST_LEVELS}, but column "
        f"{data.name_of(j)} holds {value:g}; pass discretizer='quantile' or another discretizer."
    )


def _checked_maximum(data: View, low: np.ndarray, high: np.ndarray, missing: np.ndarray) -> np.ndarray:
    wrong = (low < 0) | (high > MOST_LEVELS) | (high != np.floor(high)) | (missing > 0) | ~np.isfinite(high)
    if wrong.any():
        j = int(np.flatnonzero(wrong)[0])
        _bad_code(data, j, np.nan if missing[j] else (low[j] if low[j] < 0 else high[j]))
    return high.astype(np.int64)


@dataclass(frozen=True, eq=False)
class CastIntegers:
    """Turns a block of whole numbers into a block of codes."""

    n_levels: np.ndarray

    def __call__(self, block: Any) -> CodesBlock | SparseCodesBlock:
        """Cast one row block."""
        dtype = code_type(int(self.n_levels.max(initial=1)))
        if block.kind == "dense" and block.X.dtype == dtype:
            if np.any(encode.column_max(block.X) >= self.n_levels):
                _refuse_change("larger level numbers than")
            return CodesBlock(block.X, self.n_levels, block.y, block.weight)
        values = block.X.data if block.kind == "sparse" else block.X
        # What does not fit is found by comparing.
        with np.errstate(invalid="ignore"):
            codes = values.astype(dtype)
        if not np.array_equal(codes, values):
            raise InputError(
                "With discretizer=None every column must hold level numbers 0, 1, ..., but fractions were found; "
                "pass discretizer='quantile' or another discretizer."
            )
        largest = self.n_levels - 1
        if np.any(codes > (np.repeat(largest, np.diff(block.X.indptr)) if block.kind == "sparse" else largest)):
            _refuse_change("larger level numbers than")
        if block.kind == "sparse":
            X = type(block.X)((codes, block.X.indices, block.X.indptr), shape=block.X.shape)
            zero = np.zeros(block.n_features, np.int64)
            return SparseCodesBlock(X, zero, self.n_levels, block.y, block.weight)
        return CodesBlock(np.ascontiguousarray(codes), self.n_levels, block.y, block.weight)


def _foreign_view(data: View, transformer: Any) -> View:
    """Let a transformer of another library cut the numeric columns; nominal ones keep their levels."""
    block, numeric = data.whole(), np.flatnonzero(~data.nominal)
    codes = np.asarray(transformer.codes(data.columns(numeric))) if len(numeric) else np.empty((block.n_rows, 0))
    if len(numeric) < data.n_features:
        levels = block.X[:, data.nominal]
        X = np.empty(block.X.shape)
        X[:, data.nominal] = levels.toarray() if block.kind == "sparse" else levels
        X[:, numeric] = codes
        codes = X
    block = DenseBlock(np.ascontiguousarray(codes), block.y, block.weight)
    return _integer_view(replace(data, blocks=[block], kind="dense", _memo={}))


def _placed(data: View, change: Any) -> View:
    if data.run.in_memory and isinstance(change, Encode):
        blocks: Any = [change(data.whole(), data.run)]
    else:
        blocks = data.run.place(data.blocks, change)
    kind = "sparse codes" if data.kind == "sparse" else "codes"
    return keep_codes(replace(data, blocks=blocks, kind=kind, n_levels=change.n_levels, _memo={}))


def _without_spare_levels(view: View, n_levels: np.ndarray) -> View:
    block = view.whole()
    if block.kind == "codes":
        used = encode.column_max(block.rows).astype(np.int64) >= n_levels
    else:
        X = block.X
        stored = np.maximum.reduceat(np.append(X.data, 0), X.indptr[:-1]) if X.nnz else np.zeros(X.shape[1])
        used = np.where(np.diff(X.indptr) > 0, stored, 0) >= n_levels
    exact = n_levels + used
    return replace(view, blocks=[replace(block, n_levels=exact)], n_levels=exact, _memo={})
