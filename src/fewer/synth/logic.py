"""Logical targets: features that tell nothing alone, and truth tables with their exact answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fewer.core.records.errors import ParameterError
from fewer.synth.checks import choice, counts, generator, numbered
from fewer.synth.synthetic import Synthetic

# A truth table of more has over a million rows.
MOST_BITS = 20
FUNCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
}


def make_xor(
    n_samples: int = 200,
    n_relevant: int = 2,
    n_irrelevant: int = 8,
    kind: str = "bits",
    random_state: Any = None,
) -> Synthetic:
    """Make a target that two or more relevant features tell only together.

    Bits: fair coins, y is 1 if an odd number of the relevant ones is 1. Uniform: values in [-1, 1], y is 1
    if the product of the relevant ones is positive. Of two relevant features or more none, and no part of them, says
    anything about the target; a single one says all: the target is this bit, or its sign.

    Parameters
    ----------
    n_samples : int, default=200
        Number of samples.
    n_relevant : int, default=2
        Number of features that make the target; 1 makes an easy target.
    n_irrelevant : int, default=8
        Number of further features of the same kind.
    kind : {"bits", "uniform"}, default="bits"
        What the features are.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] J. R. Quevedo, A. Bahamonde and O. Luaces, "A simple and efficient method for variable ranking
       according to their usefulness for learning", Computational Statistics and Data Analysis 52, 2007,
       eq. (15).
    """
    counts("make_xor", 1, n_samples=n_samples, n_relevant=n_relevant)
    counts("make_xor", 0, n_irrelevant=n_irrelevant)
    choice("make_xor", ("bits", "uniform"), kind=kind)
    rng = generator("make_xor", random_state)
    shape = (n_samples, n_relevant + n_irrelevant)
    X: np.ndarray
    if kind == "bits":
        X = rng.integers(0, 2, size=shape)
        y = X[:, :n_relevant].sum(axis=1) % 2
    else:
        X = rng.uniform(-1.0, 1.0, size=shape)
        y = (np.prod(np.sign(X[:, :n_relevant]), axis=1) > 0).astype(np.int64)
    words = f"Exclusive or of {n_relevant} features ({kind}), {n_irrelevant} irrelevant ones."
    return Synthetic(X, y, numbered("x", shape[1]), tuple(range(n_relevant)), description=words)


def make_parity(
    n_relevant: int = 3,
    n_irrelevant: int = 2,
    n_samples: int | None = None,
    copies: int = 1,
    random_state: Any = None,
) -> Synthetic:
    """Make the parity of some of several bits, as the whole truth table or as a sample.

    Parameters
    ----------
    n_relevant : int, default=3
        Number of bits whose parity is the target.
    n_irrelevant : int, default=2
        Number of further bits.
    n_samples : int, optional
        Number of random rows; None for the truth table of all bits, in counting order.
    copies : int, default=1
        How often the truth table is repeated.
    random_state : int, Generator or None, default=None
        Seed; used only for a sample.

    Returns
    -------
    Synthetic
    """
    counts("make_parity", 1, n_relevant=n_relevant, copies=copies)
    counts("make_parity", 0, n_irrelevant=n_irrelevant)
    X = _bits("make_parity", n_relevant + n_irrelevant, n_samples, random_state)
    if n_samples is None:
        X = np.tile(X, (copies, 1))
    y = X[:, :n_relevant].sum(axis=1) % 2
    words = f"Parity of {n_relevant} of {X.shape[1]} bits."
    return Synthetic(X, y, numbered("x", X.shape[1]), tuple(range(n_relevant)), description=words)


def make_m_of_n(
    m: int = 3,
    n: int = 7,
    p: int = 10,
    n_samples: int | None = None,
    random_state: Any = None,
) -> Synthetic:
    """Make a target that is 1 if at least m of n bits are 1, among p bits.

    With m = 1 it is the disjunction of the n bits, with m = n their conjunction. For such threshold functions the
    number of mistakes of Winnow grows with the logarithm of p only [1]_.

    Parameters
    ----------
    m : int, default=3
        How many of the relevant bits make the target 1, from 1 to n.
    n : int, default=7
        Number of relevant bits, from 1 to p.
    p : int, default=10
        Number of all bits.
    n_samples : int, optional
        Number of random rows; None for the truth table of all bits, in counting order.
    random_state : int, Generator or None, default=None
        Seed; used only for a sample.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] N. Littlestone, "Learning quickly when irrelevant attributes abound: a new linear-threshold algorithm",
       Machine Learning 2, 1988.

    Examples
    --------
    >>> data = make_m_of_n(2, 3, 4)
    >>> data.relevant, int(data.y.sum()), len(data.y)
    ((0, 1, 2), 8, 16)
    """
    counts("make_m_of_n", 1, p=p)
    counts("make_m_of_n", 1, p, n=n)
    counts("make_m_of_n", 1, n, m=m)
    X = _bits("make_m_of_n", p, n_samples, random_state)
    y = (X[:, :n].sum(axis=1) >= m).astype(np.int64)
    words = f"At least {m} of the first {n} of {p} bits."
    return Synthetic(X, y, numbered("x", p), tuple(range(n)), description=words)


def make_boolean_redundant(
    function: str | Callable[[np.ndarray, np.ndarray], np.ndarray] = "and",
    n_samples: int | None = None,
    random_state: Any = None,
) -> Synthetic:
    """Make five bits of which one is needed, one of two is needed, and two are not.

    F1, F2 and F4 are free fair bits, F3 is the opposite of F2, F5 the opposite of F4, and the class is a
    function of F1 and F2. F1 is strongly relevant, F2 and F3 weakly, F4 and F5 are irrelevant; the best
    subsets are {F1, F2} and {F1, F3}.

    Parameters
    ----------
    function : {"and", "or", "xor"} or callable, default="and"
        The class as a function of the arrays F1 and F2.
    n_samples : int, optional
        Number of random rows; None for the eight possible instances once each.
    random_state : int, Generator or None, default=None
        Seed; used only for a sample.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] H. Liu and H. Motoda (eds.), Computational Methods of Feature Selection, 2008, section 17.2.1.
    """
    if not callable(function):
        choice("make_boolean_redundant", tuple(FUNCTIONS), function=function)
    free = _bits("make_boolean_redundant", 3, n_samples, random_state)
    first, second, fourth = free.T
    X = np.column_stack([first, second, 1 - second, fourth, 1 - fourth])
    apply = function if callable(function) else FUNCTIONS[function]
    y = np.asarray(apply(first, second)).astype(np.int64)
    name = function if isinstance(function, str) else getattr(function, "__name__", "function")
    words = f"C = {name}(F1, F2), F3 = not F2, F5 = not F4."
    return Synthetic(X, y, numbered("F", 5, start=1), (0, 1), {2: 1, 4: 3}, description=words)


def make_corral(n_samples: int | None = None, random_state: Any = None) -> Synthetic:
    """Make the CorrAL data: four bits decide, one is irrelevant, and one agrees with the class in 75 %.

    The class is (A0 and A1) or (B0 and B1). The correlated bit looks best alone and is of no use beside the
    four.

    Parameters
    ----------
    n_samples : int, optional
        Number of random rows; None for the 128 rows in which every combination of the five free bits occurs
        four times and the correlated bit agrees with the class in exactly three of them.
    random_state : int, Generator or None, default=None
        Seed; used only for a sample.

    Returns
    -------
    Synthetic

    References
    ----------
    .. [1] G. John, R. Kohavi and K. Pfleger, "Irrelevant features and the subset selection problem", ICML,
       1994.
    """
    rng = generator("make_corral", random_state)
    if n_samples is None:
        table = truth_table((2, 2, 2, 2, 2, 4))
        bits, agrees = table[:, :5], table[:, 5] > 0
    else:
        counts("make_corral", 1, n_samples=n_samples)
        bits, agrees = rng.integers(0, 2, size=(n_samples, 5)), rng.random(n_samples) < 0.75
    y = (bits[:, 0] & bits[:, 1]) | (bits[:, 2] & bits[:, 3])
    X = np.column_stack([bits, np.where(agrees, y, 1 - y)])
    names = ("A0", "A1", "B0", "B1", "irrelevant", "correlated")
    words = "(A0 and A1) or (B0 and B1); the last feature agrees with the class in three of four rows."
    return Synthetic(X, y, names, (0, 1, 2, 3), description=words)


def _bits(where: str, n_bits: int, n_samples: int | None, random_state: Any) -> np.ndarray:
    """Return the truth table of all bits, or a sample of fair ones."""
    rng = generator(where, random_state)
    if n_samples is not None:
        counts(where, 1, n_samples=n_samples)
        return rng.integers(0, 2, size=(n_samples, n_bits))
    if n_bits > MOST_BITS:
        raise ParameterError(
            f"{where} got {n_bits} bits, but a truth table has at most {MOST_BITS}; pass for example n_samples=1000 "
            "for a random sample."
        )
    return truth_table((2,) * n_bits)


def truth_table(levels: tuple[int, ...]) -> np.ndarray:
    """Return all combinations of codes in counting order, the last feature fastest."""
    return np.indices(levels).reshape(len(levels), -1).T.copy()
