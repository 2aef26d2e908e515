"""A point of a path, and what is told of it: kept features, reasons, the path itself, groups."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fewer.core.records.needs import Need
from fewer.core.records.numerals import numeral
from fewer.core.records.ranking import steady
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.trace import Step, Trace
from fewer.core.views.view import View
from fewer.methods.embedded._columns import UnitColumns
from fewer.methods.embedded._elastic_net_path import ElasticNetPath, grouping_bound
from fewer.methods.embedded._lars_en import lars_en

# From this absolute correlation on two kept features are said to share their weight.
ALIKE = 0.9
# Kept features beyond this number are not compared in pairs.
MOST_COMPARED = 2000
QUANTITY = "correlation with what is left"


@dataclass(frozen=True, eq=False)
class PathChoice:
    """Where a path was left.

    Attributes
    ----------
    path : ElasticNetPath
        The path.
    knot : int
        The last knot up to there, or the one behind where the point lies between two.
    l1 : float
        The first penalty there.
    beta : ndarray of shape (n_features,)
        Coefficients of the rescaled elastic net, in columns of length 1.
    words : str
        Where it is, in words.
    error, empty : float or None
        Error on held-out rows there, and that of no feature at all.
    note : str
        What else is said of all features.
    """

    path: ElasticNetPath
    knot: int
    l1: float
    beta: np.ndarray
    words: str
    error: float | None = None
    empty: float | None = None
    note: str = ""

    @classmethod
    def at_knot(
        cls, path: ElasticNetPath, knot: int, error: float | None = None, empty: float | None = None
    ) -> PathChoice:
        """Leave a path at a knot."""
        return cls(path, knot, float(path.l1[knot]), path.at(knot), f"step {knot}", error, empty)

    @classmethod
    def at_fraction(cls, path: ElasticNetPath, s: float, error: float, empty: float) -> PathChoice:
        """Leave a path where the coefficients have a fraction of their largest L1 norm."""
        norms = path.norms
        knot = min(int(np.searchsorted(norms, s * norms[-1])), len(path) - 1)
        l1 = float(np.interp(s * norms[-1], norms, path.l1))
        return cls(path, knot, l1, path.at_fraction(s), f"{numeral(s)} of the largest L1 norm", error, empty)

    def with_at_most(self, n: int, unit: UnitColumns) -> PathChoice:
        """Return the same with no more than n features; copies that joined together may be more."""
        kept = np.flatnonzero(self.beta)
        if len(kept) <= n:
            return self
        order = kept[np.argsort(-steady(np.abs(self.beta[kept])), kind="stable")]
        kept = np.sort(order[:n])
        fitted = lars_en(unit.rows[kept], unit.target, self.path.l2, last_l1=self.l1)
        beta = np.zeros(len(self.beta))
        beta[kept] = fitted.at(len(fitted) - 1)
        return replace(self, beta=beta, note="of features that joined together those of lower number were kept")

    @property
    def rule(self) -> str:
        """What drew the line."""
        out = f"the path was left at {self.words}"
        if self.error is not None:
            out += f", where the mean squared error on held-out rows is {numeral(self.error)}"
        if self.error is not None and self.empty is not None and self.empty <= self.error:
            out += f"; no feature at all has an error of {numeral(self.empty)}"
        return f"{out}; {self.note}" if self.note else out


def path_selection(
    data: View,
    unit: UnitColumns,
    chosen: PathChoice,
    factor: float,
    errors: np.ndarray | None,
    along: str,
    by_number: bool,
) -> Selection:
    """Return what was found along a path.

    Parameters
    ----------
    data, unit : View and UnitColumns
        The data and their columns of length 1.
    chosen : PathChoice
        Where the path was left.
    factor : float
        By what coefficients of the rescaled elastic net are multiplied.
    errors : ndarray or None
        Errors on held-out rows at the knots.
    along : {"step", "fraction"}
        What the path is drawn over.
    by_number : bool
        Whether a number of features was asked for, so that features behind it are not irrelevant.
    """
    n, path = data.n_features, chosen.path
    scores = np.abs(factor * chosen.beta)
    kept = np.flatnonzero(scores)
    kept = kept[np.argsort(-steady(scores[kept]), kind="stable")]
    left = np.abs(2.0 * (unit.rows @ (unit.target - (chosen.beta @ unit.rows) / (1.0 + path.l2))))
    reasons = Reasons.of_kept(n, kept, NOT_REACHED, rule=chosen.rule, note=_notes(data, unit, chosen, kept))
    if not by_number:
        measured = np.where((scores > 0) | unit.constant, np.nan, left)
        reasons = replace(reasons, needs=(Need(QUANTITY, measured, chosen.l1, why="(l1) to join"),))
        # The feature that joins at this very knot has reached the line.
        reasons.kind[(reasons.kind != KEPT) & (measured < chosen.l1 * (1.0 - 1e-9))] = IRRELEVANT
    reasons.kind[unit.constant] = IRRELEVANT
    entered = np.full(n, np.nan)
    for knot, j, joined in path.moves:
        if joined and np.isnan(entered[j]):
            entered[j] = knot
    later = np.flatnonzero(~np.isnan(entered))
    order = [*kept, *later[np.argsort(entered[later], kind="stable")]]
    coefficients, _ = unit.given(factor * chosen.beta)
    columns = {"coefficient": coefficients, "entered": entered}
    then = np.where(unit.constant, -1.0, steady(left))
    tables = {"path": _path_table(unit, path, factor, errors, along)}
    if path.l2 > 0:
        groups = _groups(unit, chosen, factor, kept)
        tables |= {"groups": groups} if len(groups) else {}
    meta = {"l1": chosen.l1, "l2": path.l2, "steps": chosen.knot}
    meta |= {} if chosen.error is None else {"error": float(chosen.error)}
    return Selection.build(
        kept, order, reasons, scores, _trace(unit, chosen), columns, then=then, tables=tables, meta=meta
    )


def _notes(data: View, unit: UnitColumns, chosen: PathChoice, kept: np.ndarray) -> dict[int, str]:
    """Return when features entered and left, with whom they share their weight, and which cannot join."""
    moves: dict[int, list[str]] = {}
    for knot, j, joined in chosen.path.moves:
        moves.setdefault(j, []).append(f"{'entered' if joined else 'left'} at step {knot}")
    out = {j: ", ".join(words) for j, words in moves.items()}
    for j in chosen.path.spanned:
        out[j] = "the features of the model span it"
    names = data.names or tuple(f"x{j}" for j in range(data.n_features))
    # The lasso keeps one of a group, or weighs its features at random.
    alike = _partners(unit, kept) if chosen.path.l2 > 0 else {}
    for j, (partner, r) in alike.items():
        shares = f"shares its weight with {names[partner]}, r = {numeral(r, '.3g')}"
        out[j] = f"{out[j]}; {shares}" if j in out else shares
    out |= {int(j): "the column is constant, its coefficient is 0" for j in np.flatnonzero(unit.constant)}
    return out


def _correlations(unit: UnitColumns, kept: np.ndarray) -> np.ndarray:
    """Return correlations of kept features, 0 with themselves; none if there are very many."""
    if not 2 <= len(kept) <= MOST_COMPARED:
        return np.zeros((0, 0))
    out = np.clip(unit.rows[kept] @ unit.rows[kept].T, -1.0, 1.0)
    np.fill_diagonal(out, 0.0)
    return out


def _partners(unit: UnitColumns, kept: np.ndarray) -> dict[int, tuple[int, float]]:
    """Return for kept features the kept one that is most like it, if it is alike."""
    kept = np.sort(kept)
    r = _correlations(unit, kept)
    out = {}
    for place in range(len(r)):
        other = int(np.argmax(steady(np.abs(r[place]))))
        if abs(r[place, other]) >= ALIKE:
            out[int(kept[place])] = (int(kept[other]), float(r[place, other]))
    return out


def _groups(unit: UnitColumns, chosen: PathChoice, factor: float, kept: np.ndarray) -> ResultTable:
    """Return the kept pairs that are alike, how far their coefficients are apart, and how far they could be."""
    kept = np.sort(kept)
    r = np.triu(_correlations(unit, kept))
    a, b = np.nonzero(np.abs(r) >= ALIKE)
    order = np.argsort(-steady(np.abs(r[a, b])), kind="stable")[:MOST_COMPARED]
    a, b = a[order], b[order]
    signs = np.sign(r[a, b])
    beta = factor * chosen.beta[kept]
    bounds = factor * grouping_bound(np.abs(r[a, b]), chosen.path.l2, float(np.linalg.norm(unit.target)))
    apart = np.abs(beta[a] - signs * beta[b])
    columns = {
        "feature": kept[a],
        "shares with": kept[b],
        "r": r[a, b],
        # Of copies the last digit is rounding.
        "apart": np.where(apart <= 1e-12 * np.abs(beta).max(initial=0.0), 0.0, apart),
        "at most": bounds,
    }
    title = "Kept features that share their weight (coefficients in columns of length 1)"
    return ResultTable(title, columns, features=("feature", "shares with"))


def _path_table(
    unit: UnitColumns, path: ElasticNetPath, factor: float, errors: np.ndarray | None, along: str
) -> ResultTable:
    """Return the path in columns of length 1, so that features can be compared."""
    ever, beta = path.table()
    steps = np.arange(len(path))
    places = steps if along == "step" else path.norms / max(path.norms[-1], np.finfo(float).tiny)
    beside = {} if along == "step" else {"step": steps}
    beside |= {"l1": path.l1, "features": path.sizes}
    beside |= {} if errors is None else {"error": errors}
    title = f"Path of the elastic net, l2 = {numeral(path.l2)} (coefficients in columns of length 1)"
    return ResultTable.path(title, along, places, factor * beta, ever, beside)


def _trace(unit: UnitColumns, chosen: PathChoice) -> Trace:
    """Return what joined and left at every step up to the chosen one, and what is explained then."""
    path, total = chosen.path, float(unit.target @ unit.target)
    moved: dict[int, tuple[list[int], list[int]]] = {}
    for knot, j, joined in path.moves:
        moved.setdefault(knot, ([], []))[not joined].append(j)
    steps = []
    for knot in range(1, chosen.knot + 1):
        added, removed = moved.get(knot, ([], []))
        rest = unit.target - path.values[knot] @ unit.rows[path.active[knot]] / (1.0 + path.l2)
        steps.append(Step(tuple(added), tuple(removed), 1.0 - float(rest @ rest) / total, 1))
    return Trace(steps)
