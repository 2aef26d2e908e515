"""The charts of the page of a comparison, each in a wide and a narrow form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fewer.evaluate.baseline import MANY
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.curves import ScoreCurve
from fewer.evaluate.figures import Redundancy
from fewer.evaluate.headline import Headline
from fewer.evaluate.ranks import RankTest
from fewer.report import comparison_facts as facts
from fewer.report.heat import Heat, in_order
from fewer.report.html import as_dict
from fewer.report.lines import Lines, Series
from fewer.report.portraits import class_names, portrait
from fewer.report.rank_chart import critical_difference, dumbbells
from fewer.report.svg import bar_chart
from fewer.report.words import counted, number

MOST_BARS, MOST_SHARES = 20, 20
WIDE, NARROW = 540.0, 350.0


def curve_chart(c: Comparison, head: Headline, methods: list[str], estimator: str) -> dict[str, Any]:
    """Return the curves of all methods with one estimator."""
    drawn = facts.measure(c.scoring)
    series = [
        _series(c, one, methods.index(one.method), one.method == head.method)
        for one in facts.curves(c, estimator, methods)
    ]
    whole = float(np.mean(c.whole[c.estimators.index(estimator)]))
    levels = [(float(drawn(head.chance)), f"a guess {number(round(float(drawn(head.chance)), 3))}")]
    if np.isfinite(whole):
        levels.append((float(drawn(whole)), f"all {c.n_candidates:,} features {number(round(float(drawn(whole)), 3))}"))
    mark = (float(head.size), float(drawn(head.score))) if estimator == head.estimator else None
    title = f"{drawn.name[0].upper()}{drawn.name[1:]} against number of features, {estimator}"
    labels = ("number of features (log scale)", drawn.name)
    forms = {"wide": (1080.0, 430.0), "narrow": (NARROW, 320.0)}
    made = {k: Lines(c.sizes, series, labels, title, levels, mark, size).draw() for k, size in forms.items()}
    return {"estimator": estimator, "title": title, **made}


def _series(c: Comparison, one: ScoreCurve, place: int, picked: bool) -> Series:
    """Return a curve as it is drawn, with its interval and hover titles."""
    drawn, score = facts.measure(c.scoring), facts.score_name(c.scoring)
    above = one.high
    ends = [np.asarray(drawn(values)) for values in (one.low, above)]
    titles = []
    share = "nine tenths" if one.n_subsets >= MANY else "the middle"
    what = f"{share} of {counted(one.n_subsets, 'random subset')}: " if one.n_subsets else ""
    for size, mean, low, high in zip(c.sizes, one.mean, one.low, above):
        between = f" ({what}{number(float(low))} to {number(float(high))})" if np.isfinite(low) else ""
        titles.append(
            f"{one.method}, {one.estimator}, {counted(size, 'feature')}: {score} {number(float(mean))}{between}"
        )
    low, high = np.minimum(*ends), np.maximum(*ends)
    return Series(one.method, place, np.asarray(drawn(one.mean)), low, high, titles, picked, bool(one.n_subsets))


def agreement_chart(c: Comparison) -> dict[str, str] | None:
    """Return the heat map of the rank correlations between the methods."""
    if len(c.methods) < 2:
        return None
    names, matrix = facts.agreement(c)
    title = "Rank correlation between the methods"
    return {
        "wide": Heat(names, names, matrix, title, width=560).draw(),
        "narrow": Heat(names, names, matrix, title, width=NARROW, letters=9).draw(),
    }


def consensus_chart(c: Comparison, head: Headline, often: list[dict[str, Any]], methods: list[str]) -> dict[str, Any]:
    """Return how often features were chosen: in all, and by each method."""
    shown = often[:MOST_BARS]
    names = [row["feature"] for row in shown]
    kinds = ["kept" if row["index"] in head.features else "not reached" for row in shown]
    shares = [round(100 * row["frequency"], 1) for row in shown]
    written = [f"{share:.0f} %" for share in shares]
    size = facts.often_size(c, head)
    title = f"How often each feature was among the {size} chosen" if size > 1 else "How often chosen"
    matrix = np.array([[row[method] for method in methods] for row in often[:MOST_SHARES]])
    by_whom = Heat(
        names, methods, matrix, "Fraction of splits in which each method chose each feature", width=620, largest=27
    )
    return {
        "title": title,
        "n": len(often),
        "n_shown": len(shown),
        "wide": bar_chart(names, shares, kinds, title, width=460, written=written),
        "narrow": bar_chart(names, shares, kinds, title, width=NARROW, written=written),
        "by_method": by_whom.draw() if len(methods) > 1 and len(names) else None,
    }


def rank_chart(test: RankTest | None) -> dict[str, str] | None:
    """Return the critical-difference diagram."""
    if test is None:
        return None
    title = "Mean ranks of the methods; bars join those that cannot be told apart"
    return {"wide": critical_difference(test, title, WIDE), "narrow": critical_difference(test, title, NARROW)}


def bias_chart(c: Comparison, head: Headline, estimator: str) -> dict[str, Any] | None:
    """Return honest and promised scores of all methods with one estimator."""
    rows = [row for row in c.bias() if row["estimator"] == estimator]
    if not rows:
        return None
    rows.sort(key=lambda row: -row["bias"])
    values = [(row["method"], row["nested"], row["naive"]) for row in rows]
    title = f"Mean {facts.score_name(c.scoring)} over all sizes, {estimator}"
    level = (head.chance, f"a guess {number(round(head.chance, 3))}")
    forms = {"wide": 620.0, "narrow": NARROW}
    label = facts.score_name(c.scoring)
    made = {k: dumbbells(values, title, label, level, width) for k, width in forms.items()}
    return {"estimator": estimator, "title": title, **made}


def redundancy_chart(relations: Redundancy | None) -> dict[str, Any] | None:
    """Return the map of likeness with its tree; where there is little room, the tree alone."""
    if relations is None or len(relations.features) < 2:
        return None
    order = facts.leaves(relations.tree, len(relations.features))
    names = [relations.names[i] for i in order]
    strong = [bool(relations.kept[i]) for i in order]
    tree, matrix = in_order(relations.tree, order), relations.matrix[np.ix_(order, order)]
    title = f"How much the features tell about each other: {relations.measure}"
    return {
        "measure": relations.measure,
        "n": len(names),
        "wide": Heat(names, names, matrix, title, strong, tree, width=900, largest=26).draw(),
        "narrow": Heat(names, names, matrix, title, strong, tree, width=NARROW, matrix=False).draw(),
    }


def class_legend(c: Comparison) -> list[tuple[str, int]]:
    """Return the classes in the charts of single features, with the numbers of their colours."""
    return class_names(_by_size(c, c.portraits[0])) if c.portraits else []


def portrait_chart(c: Comparison, one: Mapping[str, Any]) -> str:
    """Return how one feature is distributed, in the colours that the classes have everywhere on the page."""
    return portrait(_by_size(c, one))


def _by_size(c: Comparison, one: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the facts of a feature with the largest class first."""
    if "counts" not in one:
        return one
    sizes = as_dict(as_dict(c.meta.get("data")).get("classes"))
    order = sorted(range(len(one["classes"])), key=lambda i: -sizes.get(one["classes"][i], 0))
    return {**one, **{key: [one[key][i] for i in order] for key in ("classes", "counts")}}
