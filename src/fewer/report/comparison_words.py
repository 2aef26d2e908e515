"""A comparison in plain words: its headline, the selection bias, what the tests say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fewer.core.records.numerals import numeral
from fewer.evaluate.baseline import MANY
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.headline import Headline
from fewer.evaluate.ranks import RankTest
from fewer.report.comparison_facts import score_name
from fewer.report.words import counted, listed


def three(value: float) -> str:
    """Return a number with three digits, nothing for a missing one."""
    return "" if math.isnan(value) else numeral(value, ".3g")


def title(c: Comparison, head: Headline) -> str:
    """Return the headline of the page."""
    if not _known(head):
        return f"{_some(c, head)} {_do(head)} best, but {_folds(c)} cannot rule out chance"
    if not head.beats_chance:
        return "Nothing here is shown to beat chance"
    if len(head.features) == c.n_candidates > 1:
        return f"No choice does better than all {c.n_candidates:,} features"
    if head.all_best or head.lost > head.best_error:
        give = "gives" if _number(head) == "1" else "give"
        return f"{_some(c, head)} {give} {three(head.score)}, all of them {three(head.best_whole)}"
    if head.size == head.best_size and head.method == head.best_method and head.estimator == head.best_estimator:
        return f"{_some(c, head)} {_do(head)} best"
    return f"{_some(c, head)} are enough" if _number(head) != "1" else f"{_some(c, head)} is enough"


def _known(head: Headline) -> bool:
    return not math.isnan(head.chance_pvalue)


def _folds(c: Comparison) -> str:
    return "one split" if c.n_folds == 1 else f"{c.n_folds} splits"


def _do(head: Headline) -> str:
    return "does" if _number(head) == "1" else "do"


def _number(head: Headline) -> str:
    return f"{head.kept:.1f}" if head.kept != int(head.kept) else f"{int(head.kept):,}"


def _some(c: Comparison, head: Headline) -> str:
    return f"{_number(head)} of {counted(c.n_features, 'feature')}"


def lede(c: Comparison, head: Headline) -> str:
    """Return what stands below the headline: which setting, how good, and beside what."""
    score = score_name(c.scoring)
    if _known(head) and not head.beats_chance:
        few = " Two splits can hardly show anything: take more." if c.n_folds == 2 else ""
        return (
            f"The best of {_settings(c)} promises {score} {three(head.best_score)}, but the best of many is lucky: "
            f"chosen by other rows than it is scored on, it reaches {three(head.honest)}, and a guess that looks at no "
            f"feature {three(head.chance)}, which may be chance{_sure(head)}. Do not trust the features below.{few}"
        )
    best = f"{three(head.best_score)} ({head.best_method} with {head.best_estimator}, size {head.best_size})"
    which = "the best choice" if head.all_best else "the best"
    highest = "the highest of all choices" if head.all_best else "the highest of all"
    near = highest if head.score == head.best_score else f"within one standard error of {which}, {best}"
    reach = "it reaches" if _number(head) == "1" else "they reach"
    words = f"Chosen by {head.method} and used by {head.estimator}, {reach} {score} {three(head.score)}: {near}."
    if not math.isnan(head.whole):
        words += f" All {c.n_candidates:,} features give the same estimator {three(head.whole)}"
        other = head.best_whole_estimator != head.estimator and head.best_whole > head.whole
        words += f", {head.best_whole_estimator} {three(head.best_whole)}." if other else "."
    return words


def _sure(head: Headline) -> str:
    """Return how likely chance reaches as much, if it is more than a guess at all."""
    return f" (p = {head.chance_pvalue:.2g})" if head.honest > head.chance else ""


def _settings(c: Comparison) -> str:
    return f"{c.scores[c.contenders][..., 0].size:,} settings"


def tiles(c: Comparison, head: Headline) -> list[dict[str, str]]:
    """Return the figures that stand out: name, figure, words below."""
    score = score_name(c.scoring)
    found = [
        {
            "name": f"Honest {score}",
            "figure": three(head.honest),
            "words": f"{_between(head.honest_low, head.honest_high)}method, estimator and size chosen on other rows "
            "than scored on",
        },
        {
            "name": f"This setting's {score}",
            "figure": three(head.score),
            "words": f"{_between(head.low, head.high)}{_luck(c, head)}",
        },
        {"name": "Stability", "figure": three(head.stability) or "–", "words": _stability(head)},
        {"name": "Better than a guess", "figure": _verdict(head), "words": _against(head)},
    ]
    return found


def _luck(c: Comparison, head: Headline) -> str:
    more = ", so a little too good" if head.score > head.honest else ""
    return f"picked out of {_settings(c)}{more}"


def _between(low: float, high: float) -> str:
    return "" if math.isnan(low) else f"95 % interval {three(low)} to {three(high)}; "


def _stability(head: Headline) -> str:
    if math.isnan(head.stability):
        return "every split keeps all features"
    # The levels that the proposer of the measure calls poor, intermediate to good, and excellent.
    grade = "excellent" if head.stability > 0.75 else "fair" if head.stability >= 0.4 else "poor"
    return f"{grade}: how much the splits agree on the features; 1 is fully, 0 is by chance"


def _verdict(head: Headline) -> str:
    return "unknown" if not _known(head) else "yes" if head.beats_chance else "no"


def _against(head: Headline) -> str:
    if not _known(head):
        return f"a guess reaches {three(head.chance)}"
    p = "p < 0.0001" if head.chance_pvalue < 1e-4 else f"p = {head.chance_pvalue:.2g}"
    return f"a guess that looks at no feature reaches {three(head.chance)}; {p}"


def bias(c: Comparison, head: Headline) -> str:
    """Return what choosing on all rows would have promised."""
    rows = c.bias()
    if not rows and len(c.random) == len(c.methods):
        return "Random choices look at no rows: chosen on all of them they promise nothing else."
    if not rows:
        return "Scores of features chosen on all rows were left out: with so many rows they hardly differ."
    mean = float(np.mean([row["bias"] for row in rows]))
    most = max(rows, key=lambda row: row["largest"])
    promised = three(most["nested"] + most["bias"])
    words = (
        f"Choosing on all rows before the split promises {three(mean)} too much on average"
        if mean > 0.005
        else "Choosing on all rows before the split makes little difference on these data"
    )
    words += (
        f", at worst {three(most['largest'])} ({most['method']} with {most['estimator']}, size {most['at_size']}; "
        f"its mean over all sizes is {three(most['nested'])}, promised {promised})."
    )
    if _known(head) and not head.beats_chance:
        words += (
            f" Nothing here is shown to beat chance ({three(head.chance)}): do not rely on what is promised above it."
        )
    return words


def by_lot(c: Comparison) -> str:
    """Return what the band of random subsets means; nothing without one."""
    if not c.random:
        return ""
    return " ".join(_band(method, len(scores)) for method, scores in c.random.items())


def _band(method: str, n_subsets: int) -> str:
    """Return what the band of one baseline means."""
    if n_subsets == 1:
        return f"The grey line is the one random subset of every size that {method} drew; one tells no spread."
    drew = f"the {n_subsets} random subsets of every size that {method} drew, its line is their mean"
    if n_subsets < MANY:
        return f"The grey band holds the middle of {drew}; so few do not tell how far chance may go."
    return f"The grey band holds nine tenths of {drew}; a curve on the better side of the band beats 95 % of them."


def over(c: Comparison) -> str:
    """Return over what the consensus counts."""
    aside = "" if c.contenders.all() else f"; {listed(list(c.random))} not counted"
    return f"over all methods and splits{aside}"


def ranking(test: RankTest | None, c: Comparison) -> str:
    """Return what the rank tests say."""
    if test is None:
        return "There is too little to rank: it takes two methods and two splits, all of them scored."
    differ = test.f_pvalue < test.alpha
    p = "p < 0.0001" if test.f_pvalue < 1e-4 else f"p = {test.f_pvalue:.2g}"
    best = test.methods[int(test.order[0])]
    groups = test.groups()
    with_best = next((group for group in groups if best in group), ())
    words = f"Over {test.n_blocks} splits the methods {'differ' if differ else 'cannot be told apart'} ({p})."
    if differ and with_best:
        others = listed([name for name in with_best if name != best], most=6)
        words += f" {best} ranks best; {others} cannot be told apart from it."
    elif differ:
        words += f" {best} ranks best, apart from all others."
    return words + " The tests are corrected for splits that share rows."


def times(c: Comparison) -> str:
    """Return what the times are of; nothing without any."""
    if "select" not in c.seconds:
        return ""
    words = "Times are medians over the splits, without compiling and first use."
    shared = float(np.median(c.seconds["shared"])) if "shared" in c.seconds else 0.0
    if shared >= 0.001:
        words += f" {three(shared)} s per split to choose, which several methods share, are in none of them."
    return words


def stable(c: Comparison, head: Headline, bound: float = 0.75) -> str:
    """Return the stable choice in words, if there is one and it is not the headline."""
    found = c.stable(bound)
    if found is None or head.stability >= bound or not head.beats_chance:
        return ""
    names = listed([c.names[j] for j in found.features], most=12)
    return (
        f"A steadier choice: {counted(len(found.features), 'feature')} by {found.method}, {three(found.score)} with "
        f"{found.estimator}, stability {three(found.stability)} (at least {bound:g}; the choice above has "
        f"{three(head.stability) or 'none'}): {names}."
    )


def failures(c: Comparison) -> list[dict[str, Any]]:
    """Return what could not be used, and why."""
    return [
        {"what": f"{one.method} with {one.estimator}" if one.estimator else one.method, "why": one.words}
        for one in c.failures
    ]


def pair(low: float, high: float) -> str:
    """Return an interval as words."""
    return "" if math.isnan(low) else f"{numeral(low, '.4g')} – {numeral(high, '.4g')}"
