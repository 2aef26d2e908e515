"""Whether columns are independent, given others: tests for own methods, and one function for arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fewer.core.criteria.d_separation import DSeparation
from fewer.core.criteria.fisher_z import FisherZ
from fewer.core.criteria.g_test import GTest
from fewer.core.criteria.independence_contract import Answers, IndependenceTest, Memory, Y
from fewer.core.criteria.information_test import ConditionalInformation
from fewer.core.criteria.regression_test import RegressionTest
from fewer.core.discretize.codes import MOST_LEVELS, codes_view
from fewer.core.graphs.dag import DAG
from fewer.core.reading.memory import plain_view
from fewer.core.reading.mixed_columns import mixed_columns, mixed_view
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.runners.runner import Runner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.views.view import View

__all__ = [
    "DAG",
    "Answers",
    "ConditionalInformation",
    "DSeparation",
    "FisherZ",
    "GTest",
    "IndependenceTest",
    "Memory",
    "RegressionTest",
    "Y",
    "test",
]

_KINDS: dict[str, Callable[[], IndependenceTest]] = {
    "g": GTest,
    "chi2": lambda: GTest(statistic="chi2"),
    "fisher_z": FisherZ,
    "information": ConditionalInformation,
    "mixed": RegressionTest,
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
    kind : {"g", "chi2", "fisher_z", "information", "mixed"} or IndependenceTest, default="g"
        "g", "chi2" and "information" count values, whatever they are, each as a level of its own, a missing one too:
        discretize numbers first. "information" has a p-value by permutations. "fisher_z" correlates numbers.
        "mixed" takes numbers as numbers, and text, booleans and categorical columns as levels: of each pair one is
        explained by a linear or logistic regression, without and with the other (see `RegressionTest`). Levels that are
        whole numbers must be passed as text or categorical. A test made by hand has other options, such as
        ``GTest(h=10)``.

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

    Numbers beside levels:

    >>> degrees = rng.normal(size=500) - 2.0 * rain
    >>> test(degrees, np.where(rain, "rain", "dry"), kind="mixed").pvalue < 0.001
    True
    """
    chosen = kind if isinstance(kind, IndependenceTest) else _named(kind)
    read = mixed_columns if isinstance(chosen, RegressionTest) else _columns
    columns = {"x": read("x", x), "y": read("y", y)}
    # An empty list is no column, rather than one without rows.
    if given is not None and np.shape(given) != (0,):
        columns["given"] = read("given", given)
    if columns["y"].shape[1] != 1:
        raise InputError(f"test got y of {columns['y'].shape[1]} columns, but tests against one; choose a column.")
    lengths = {name: len(part) for name, part in columns.items()}
    if len(set(lengths.values())) > 1 or lengths["x"] == 0:
        said = ", ".join(f"{n} rows of {name}" for name, n in lengths.items())
        raise InputError(
            f"test got {said}, but columns have equally many rows, at least one; pass the same rows of each."
        )
    n_x, n_all = columns["x"].shape[1], sum(part.shape[1] for part in columns.values())
    with ThreadRunner(1) as run:
        view = _view(chosen, columns, run)
        found = chosen.pvalues(view, range(n_x), range(n_x + 1, n_all), n_x)
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


def _view(chosen: IndependenceTest, columns: dict[str, np.ndarray], run: Runner) -> View:
    """Return the columns side by side, as the test reads them."""
    if isinstance(chosen, RegressionTest):
        return mixed_view(np.column_stack(list(columns.values())), run)
    counts = "codes" in chosen.requires
    table = np.column_stack([(_levels if counts else _numbers)(name, part) for name, part in columns.items()])
    view = plain_view(table, run)
    return codes_view(view, None) if counts else view


def _columns(name: str, given: Any) -> np.ndarray:
    try:
        values = np.asarray(given)
    except ValueError as error:
        raise InputError(
            f"test got {name} of lines of several lengths, but takes one column or a table; make them equally long."
        ) from error
    if values.ndim not in (1, 2):
        raise InputError(f"test got {name} of shape {values.shape}, but takes one column or a table; reshape it.")
    return values if values.ndim == 2 else values[:, None]


def _levels(name: str, columns: np.ndarray) -> np.ndarray:
    """Number the values of every column, in whatever order: a test does not look at it."""
    out = np.empty(columns.shape, np.int64)
    for j, column in enumerate(columns.T):
        out[:, j] = _level_numbers(column)
    if out.max(initial=0) > MOST_LEVELS:
        raise InputError(
            f"test got {name} with a column of {out.max() + 1} different values, but counts at most {MOST_LEVELS + 1}; "
            "discretize it, or use kind='fisher_z' for numbers."
        )
    return out


def _level_numbers(column: np.ndarray) -> np.ndarray:
    if column.dtype == object:
        # Missing values differ from themselves and have no order, in which values are sorted.
        missing = np.array([_is_missing(value) for value in column], dtype=bool)
        out = np.zeros(len(column), np.int64)
        out[~missing] = 1 + _sorted_numbers(column[~missing])
        return out
    return _sorted_numbers(column)


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        # pandas.NA is neither equal to itself nor not.
        return type(value).__name__ == "NAType"


def _sorted_numbers(column: np.ndarray) -> np.ndarray:
    try:
        return np.unique(column, return_inverse=True)[1]
    except TypeError:
        # Values of several types have no order, but text has.
        return np.unique([f"{type(value).__name__} {value}" for value in column], return_inverse=True)[1]


def _numbers(name: str, columns: np.ndarray) -> np.ndarray:
    try:
        if columns.dtype.kind == "c":
            raise TypeError("complex numbers have no order; leave them out")
        numbers = columns.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"test with kind='fisher_z' got values of {name} that are no numbers, but correlates numbers; use kind='g' "
            "for levels."
        ) from error
    if not np.isfinite(numbers).all():
        raise InputError(
            f"test with kind='fisher_z' got NaN or infinity in {name}, but correlates finite numbers; leave those rows "
            "out, or use kind='g', which takes a missing value for a level."
        )
    return numbers
