"""Whether columns are independent, given others: tests for own methods, and one function for arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fewer.core.criteria.fisher_z import FisherZ
from fewer.core.criteria.g_test import GTest
from fewer.core.criteria.independence_contract import Answers, IndependenceTest, Memory, Y
from fewer.core.discretize.codes import codes_view
from fewer.core.reading.memory import plain_view
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.runners.threads import ThreadRunner

__all__ = ["Answers", "FisherZ", "GTest", "IndependenceTest", "Memory", "Y", "test"]

_KINDS: dict[str, Callable[[], IndependenceTest]] = {
    "g": GTest,
    "chi2": lambda: GTest(statistic="chi2"),
    "fisher_z": FisherZ,
}


def test(x: Any, y: Any, given: Any = None, kind: str | IndependenceTest = "g") -> Answers:  # noqa: PT028
    """Test whether x is independent of y, given other columns.

    Parameters
    ----------
    x : array-like of shape (n_rows,) or (n_rows, n_columns)
        One column, or several that are each tested.
    y : array-like of shape (n_rows,)
        The column to test against.
    given : array-like of shape (n_rows,) or (n_rows, n_given), default=None
        Columns that are known; none if None.
    kind : {"g", "chi2", "fisher_z"} or IndependenceTest, default="g"
        "g" and "chi2" count values, whatever they are, each as a level of its own, a missing one too: discretize
        numbers first. "fisher_z" correlates numbers. A test made by hand has other options, such as ``GTest(h=10)``.

    Returns
    -------
    Answers
        ``pvalue``, ``statistic``, ``dof`` and ``reliable``: numbers for one column, arrays for several. A p-value that
        is not ``reliable`` shows neither independence nor dependence: there were too few rows.

    Examples
    --------
    Two causes are independent, but not given their common effect:

    >>> import numpy as np
    >>> from fewer.independence import test
    >>> rng = np.random.default_rng(0)
    >>> rain, sprinkler = rng.integers(0, 2, (2, 500))
    >>> wet = rain | sprinkler
    >>> test(rain, sprinkler).pvalue > 0.05, test(rain, sprinkler, wet).pvalue < 0.001
    (True, True)
    >>> test(rain, sprinkler, wet).reliable
    True
    """
    chosen = kind if isinstance(kind, IndependenceTest) else _named(kind)
    columns = [_columns("x", x), _columns("y", y), _columns("given", [] if given is None else given)]
    if columns[1].shape[1] != 1:
        raise InputError(f"test got y of {columns[1].shape[1]} columns, but tests against one; choose a column.")
    if columns[2].size == 0:
        columns[2] = np.empty((len(columns[0]), 0))
    lengths = [len(part) for part in columns]
    if len(set(lengths)) > 1 or lengths[0] == 0:
        raise InputError(
            f"test got {', '.join(map(str, lengths))} rows of x, y and given, but columns have equally many rows, at "
            "least one; pass the same rows of each."
        )
    n_x, n_given = columns[0].shape[1], columns[2].shape[1]
    counts = "codes" in chosen.requires
    table = np.column_stack([_levels(part) if counts else _numbers(part) for part in columns])
    with ThreadRunner(1) as run:
        view = plain_view(table, run)
        view = codes_view(view, None) if counts else view
        found = chosen.pvalues(view, range(n_x), range(n_x + 1, n_x + 1 + n_given), n_x)
    return found if np.ndim(x) == 2 else Answers(*(column[0].item() for column in found))


# Else pytest takes it for a test in files that import it.
test.__test__ = False  # type: ignore[attr-defined]


def _named(kind: Any) -> IndependenceTest:
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ParameterError(
            f"test got kind={kind!r}, but knows {', '.join(map(repr, _KINDS))} and tests such as GTest(h=10); "
            "choose one of them."
        )
    return _KINDS[kind]()


def _columns(name: str, given: Any) -> np.ndarray:
    values = np.asarray(given)
    if values.ndim not in (1, 2):
        raise InputError(f"test got {name} of shape {values.shape}, but takes one column or a table; reshape it.")
    return values if values.ndim == 2 else values[:, None]


def _levels(columns: np.ndarray) -> np.ndarray:
    """Number the values of every column, in whatever order: a test does not look at it."""
    out = np.empty(columns.shape, np.int64)
    for j, column in enumerate(columns.T):
        try:
            out[:, j] = np.unique(column, return_inverse=True)[1]
        except TypeError:
            # Values of several types have no order, but text has.
            out[:, j] = np.unique([f"{type(value).__name__} {value}" for value in column], return_inverse=True)[1]
    return out


def _numbers(columns: np.ndarray) -> np.ndarray:
    try:
        return columns.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            "test with kind='fisher_z' got values that are no numbers, but correlates numbers; use kind='g' for levels."
        ) from error
