"""The grammar of ``cv``: training and test rows by folds, repeated, one left out, groups, time, or given."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError
from fewer.core.views.rare_classes import dealt_rows

FORMS = (
    "a number of folds from 2 on, 'RxK' for R repetitions of K folds such as '5x2', 'loo', 'time' or 'time:K' for rows "
    "in the order of time, a list of (train, test) pairs, or a splitter of scikit-learn"
)
TEXTS = re.compile(r"\d+|(?P<repeats>\d+)x(?P<folds>\d+)|loo|time(?::(?P<periods>\d+))?")
# Ten folds cost more and tell less on many rows.
FOLDS, FOLDS_OF_MANY, MANY_ROWS = 10, 5, 2_000


@dataclass(frozen=True, eq=False)
class Splits:
    """Training and test rows.

    Attributes
    ----------
    train, test : tuple of ndarray of int
        Row numbers, ascending, one array per fold.
    repeat : ndarray of int
        Folds with the same number test different rows.
    words : str
        The protocol in words.
    inner : tuple of Inner
        Splits by which a setting can be chosen for each fold, see `inner_splits`; none unless asked for.
    """

    train: tuple[np.ndarray, ...]
    test: tuple[np.ndarray, ...]
    repeat: np.ndarray
    words: str
    inner: tuple[Any, ...] = ()

    def __len__(self) -> int:
        return len(self.train)


def make_splits(cv: Any, y: np.ndarray, task: str, groups: Any = None, random_state: int | None = 0) -> Splits:
    """Return the splits that ``cv`` stands for.

    Parameters
    ----------
    cv : int, str, list of pairs, splitter or None
        A number of folds; "RxK" for R repetitions of K folds; "loo" to leave out each row once; "time:K" for K folds
        that train on earlier rows only; (train, test) pairs of row numbers, each once, or of masks; a splitter of
        scikit-learn. None: ten folds, five of more than 2,000 rows, so few that each has two rows to test.
    y : ndarray of shape (n_rows,)
        Target; folds have equal fractions of the classes. A class with fewer rows than there are folds is spread over
        as many folds as it has rows; one with a single row is always trained on and never tested. So whatever is
        trained on holds every class, unless groups forbid it.
    task : {"classification", "regression"}
        What the target is for.
    groups : array-like of shape (n_rows,), optional
        Rows of one group are never split between training and test.
    random_state : int, optional
        Seed of the shuffling.

    Returns
    -------
    Splits

    Examples
    --------
    >>> splits = make_splits("5x2", np.array([0, 0, 0, 0, 1, 1, 1, 1]), "classification")
    >>> len(splits), splits.repeat.tolist()
    (10, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    """
    groups = _groups(groups, len(y))
    rng = np.random.default_rng(random_state)
    cv = _default_folds(y, task, groups) if cv is None else as_cv(cv, "The evaluation")
    if isinstance(cv, str):
        return _of_text(cv, y, task, groups, rng)
    if isinstance(cv, Integral):
        return _folds(int(cv), 1, y, task, groups, rng)
    if hasattr(cv, "split"):
        pairs = list(cv.split(np.zeros((len(y), 1)), y, groups))
        return _given(pairs, len(y), f"{type(cv).__name__} of scikit-learn, {len(pairs)} splits", groups)
    try:
        pairs = [(train, test) for train, test in cv]
    except (TypeError, ValueError) as error:
        raise ParameterError(f"cv={cv!r} holds no pairs, but splits are (train, test); pass {FORMS}.") from error
    return _given(pairs, len(y), f"{len(pairs)} given splits", groups)


def as_cv(cv: Any, where: str) -> Any:
    """Return splits as they were given, a number of folds in a text as number; raise if they cannot be any.

    Examples
    --------
    >>> as_cv("10", "compare"), as_cv(" 5X2", "compare")
    (10, '5x2')
    """
    text = cv.strip().lower() if isinstance(cv, str) else None
    if text is not None and TEXTS.fullmatch(text):
        cv = int(text) if text.isdigit() else text
        text = None
    few = isinstance(cv, Integral) and (isinstance(cv, bool) or cv < 2)
    # Bytes have a split, too.
    fits = cv is None or (
        not isinstance(cv, bytes | bytearray) and (isinstance(cv, Integral | Iterable) or hasattr(cv, "split"))
    )
    if text is None and not few and fits:
        return cv
    raise ParameterError(f"{where} got cv={cv!r}, but takes {FORMS}; pass for example cv=5.")


def as_seed(random_state: Any, where: str) -> int:
    """Return the seed that was given, or draw one."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**32))
    if not isinstance(random_state, Integral) or isinstance(random_state, bool) or int(random_state) < 0:
        raise ParameterError(
            f"{where} got random_state={random_state!r}, but takes a whole number from 0 or None; pass for example 0."
        )
    return int(random_state)


def _of_text(text: str, y: np.ndarray, task: str, groups: Any, rng: np.random.Generator) -> Splits:
    """Return the splits of a text that `as_cv` has read."""
    if text == "loo":
        if groups is not None:
            return _leave_out(groups, "leave one group out")
        return _leave_out(np.arange(len(y)), "leave one row out")
    found = TEXTS.fullmatch(text)
    assert found is not None  # as_cv
    if found["folds"]:
        return _folds(int(found["folds"]), int(found["repeats"]), y, task, groups, rng)
    if groups is not None:
        raise ParameterError("cv='time' keeps the rows in their order and takes no groups; leave one of them out.")
    return _in_time(int(found["periods"] or 5), len(y))


def _groups(groups: Any, n_rows: int) -> np.ndarray | None:
    if groups is None:
        return None
    given = np.asarray(groups)
    try:
        numbers = np.unique(given, return_inverse=True)[1].reshape(-1)
    except TypeError as error:
        raise InputError(
            f"groups holds values of different kinds ({error}), but one kind is needed to tell them apart; give "
            "numbers or texts, without missing ones."
        ) from error
    if len(numbers) != n_rows:
        raise InputError(f"groups has {len(numbers)} entries, but there are {n_rows} rows; give one group per row.")
    return numbers


def _default_folds(y: np.ndarray, task: str, groups: np.ndarray | None) -> int:
    """Return ten, five of many rows, or as many folds as the rows or the groups allow; rare classes do not count."""
    most = len(np.unique(groups)) if groups is not None else len(y)
    if task == "classification" and groups is None:
        most //= 2
    return max(2, min(FOLDS if len(y) <= MANY_ROWS else FOLDS_OF_MANY, most))


def _folds(k: int, repeats: int, y: np.ndarray, task: str, groups: Any, rng: np.random.Generator) -> Splits:
    units = len(y) if groups is None else len(np.unique(groups))
    if not 2 <= k <= units or repeats < 1:
        what = "rows" if groups is None else "groups"
        raise ParameterError(
            f"cv asks for {repeats} x {k} folds of {units} {what}, but takes 2 folds up to one per "
            f"{what[:-1]} and one repetition or more; choose another number."
        )
    train, test, repeat = [], [], []
    dealt, rare = dealt_rows(k, y) if task == "classification" and groups is None else (np.ones(len(y), dtype=bool), "")
    for r in range(repeats):
        # Rows that are not dealt are in no fold: always trained on.
        fold = np.full(len(y), -1)
        fold[dealt] = fold_numbers(k, y[dealt], task, rng) if groups is None else _group_numbers(k, groups, rng)
        for f in range(k):
            train.append(np.flatnonzero(fold != f))
            test.append(np.flatnonzero(fold == f))
            repeat.append(r)
    how = ", equal fractions of the classes" if task == "classification" else ""
    how = how if groups is None else ", whole groups"
    words = f"{k}-fold cross-validation{how}" if repeats == 1 else f"{repeats} repetitions of {k} folds{how}"
    return Splits(tuple(train), tuple(test), np.array(repeat), words + rare)


def fold_numbers(k: int, y: np.ndarray, task: str, rng: np.random.Generator) -> np.ndarray:
    """Return a fold number per row; rows of a class are dealt in turn, so that fractions differ by one row at most."""
    shuffled = rng.permutation(len(y))
    if task == "classification":
        shuffled = shuffled[np.argsort(np.unique(y, return_inverse=True)[1][shuffled], kind="stable")]
    fold = np.empty(len(y), dtype=np.int64)
    fold[shuffled] = np.arange(len(y)) % k
    return fold


def _group_numbers(k: int, groups: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a fold number per row; the largest groups are dealt first, each to the smallest fold."""
    sizes = np.bincount(groups)
    shuffled = rng.permutation(len(sizes))
    fold_of, filled = np.empty(len(sizes), dtype=np.int64), np.zeros(k, dtype=np.int64)
    for group in shuffled[np.argsort(-sizes[shuffled], kind="stable")]:
        fold_of[group] = int(np.argmin(filled))
        filled[fold_of[group]] += sizes[group]
    return fold_of[groups]


def _leave_out(groups: np.ndarray, words: str) -> Splits:
    numbers = range(int(groups.max()) + 1)
    train = tuple(np.flatnonzero(groups != g) for g in numbers)
    test = tuple(np.flatnonzero(groups == g) for g in numbers)
    if len(train) < 2:
        raise ParameterError(f"cv='loo' needs two rows or groups, but got {len(train)}; give more data.")
    return Splits(train, test, np.zeros(len(train), dtype=np.int64), words)


def _in_time(k: int, n_rows: int) -> Splits:
    """Return k folds of equal size at the end; each trains on all rows before it."""
    size = n_rows // (k + 1)
    if k < 1 or size < 1:
        raise ParameterError(f"cv='time:{k}' needs at least {k + 1} rows, but there are {n_rows}; choose fewer folds.")
    starts = [n_rows - size * (k - f) for f in range(k)]
    train = tuple(np.arange(start) for start in starts)
    test = tuple(np.arange(start, start + size) for start in starts)
    return Splits(train, test, np.zeros(k, dtype=np.int64), f"{k} folds in the order of time")


def _given(pairs: list[Any], n_rows: int, words: str, groups: np.ndarray | None) -> Splits:
    train, test = [], []
    for f, (a, b) in enumerate(pairs):
        learned, tested = (_row_numbers(rows, n_rows, f) for rows in (a, b))
        both = np.intersect1d(learned, tested)
        if len(both):
            raise InputError(
                f"Split {f} trains and tests on the same rows ({', '.join(map(str, both[:3]))}, ...), which makes its "
                "score meaningless; keep them apart."
            )
        if groups is not None and np.isin(groups[tested], groups[learned]).any():
            raise InputError(
                f"Split {f} trains and tests on rows of one group, but groups must not be split; use a splitter that "
                "keeps them together, such as GroupKFold, a number of folds, or no groups."
            )
        train.append(learned)
        test.append(tested)
    if not train:
        raise ParameterError(f"cv holds no splits; give {FORMS}.")
    return Splits(tuple(train), tuple(test), _repeats(test), words)


def _row_numbers(rows: Any, n_rows: int, f: int) -> np.ndarray:
    """Return the rows of one side of a split, ascending; raise if they are no rows or one is there twice."""
    rows = np.asarray(rows)
    if rows.dtype == bool and rows.shape == (n_rows,):
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or (len(rows) and rows.dtype.kind not in "iu"):
        raise InputError(
            f"Split {f} holds {rows.dtype} of shape {rows.shape}, but takes whole row numbers, or a mask of {n_rows} "
            "entries, on both sides; give one of these."
        )
    if not len(rows) or rows.min() < 0 or rows.max() >= n_rows:
        raise InputError(
            f"Split {f} must hold row numbers from 0 to {n_rows - 1} on both sides, but one side "
            f"{'is empty' if not len(rows) else 'holds others'}; check how it was made."
        )
    numbers, times = np.unique(rows.astype(np.int64), return_counts=True)
    if times.max() > 1:
        raise InputError(
            f"Split {f} holds the row {numbers[times > 1][0]} {times.max()} times, but each counts once; list it once, "
            "or give it a weight."
        )
    return numbers


def _repeats(test: list[np.ndarray]) -> np.ndarray:
    """Number the folds so that those with the same number test different rows."""
    seen: list[set[int]] = []
    out = []
    for rows in test:
        wanted = set(rows.tolist())
        place = next((r for r, used in enumerate(seen) if not used & wanted), len(seen))
        if place == len(seen):
            seen.append(set())
        seen[place] |= wanted
        out.append(place)
    return np.array(out)
