from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

from fewer.core.measures.orders import subset_divergence
from fewer.core.records.errors import InputError
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.methods.rank_order.rank_elimination import RankOrderElimination
from fewer.report.order_charts import QUIET, class_centres, divergence_curve, slope_chart

matplotlib = pytest.importorskip("matplotlib")

# Figure 1 of Slotta et al. 2005: ranks (1,3,4,2), (2,1,3,4), (4,3,1,2).
FIGURE_1 = np.array([[20, 40, 65, 33], [50, 25, 55, 99], [88, 76, 10, 60]])


@pytest.fixture(autouse=True)
def ax():
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot.subplots()[1]
    pyplot.close("all")


def lines_of(ax):
    return [line for line in ax.lines if line.get_marker() == "o"]


def test_the_centre_of_one_row_is_its_order():
    classes, centres = class_centres(FIGURE_1, np.array(["a", "b", "c"]))
    assert classes.tolist() == ["a", "b", "c"]
    assert centres.tolist() == [[1, 3, 4, 2], [2, 1, 3, 4], [4, 3, 1, 2]]


def test_centres_rank_the_sums_of_ranks(rng):
    X, y = rng.integers(0, 6, (30, 7)), rng.integers(0, 3, 30)
    for c, centre in zip(*class_centres(X, y)):
        sums = rankdata(X[y == c], axis=1).sum(axis=0)
        assert sums[np.argsort(centre)].tolist() == sorted(sums)
        assert sorted(centre) == list(range(1, 8))


def test_each_feature_is_a_line_from_class_to_class(ax):
    assert slope_chart(FIGURE_1, [0, 1, 2], [0, 1, 2, 3], ax=ax) is ax
    assert [line.get_ydata().tolist() for line in lines_of(ax)] == [[1, 2, 4], [3, 1, 3], [4, 3, 1], [2, 4, 2]]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["0\n1 rows", "1\n1 rows", "2\n1 rows"]
    assert dict(zip(ax.get_yticks(), [t.get_text() for t in ax.get_yticklabels()])) == {
        1: "x0",
        3: "x1",
        4: "x2",
        2: "x3",
    }


def test_places_are_those_among_the_chosen_features(ax):
    slope_chart(FIGURE_1, [0, 1, 2], [3, 0], ax=ax)
    assert [line.get_ydata().tolist() for line in lines_of(ax)] == [[2, 2, 1], [1, 1, 2]]
    assert {t.get_text() for t in ax.get_yticklabels()} == {"x3", "x0"}


def test_only_features_that_move_most_are_coloured(ax):
    X = np.array([[1, 2, 3, 4, 5], [5, 2, 3, 4, 1], [1, 2, 3, 4, 5]])
    slope_chart(X, [0, 1, 0], range(5), top=3, ax=ax)
    coloured = [line.get_color() != QUIET for line in lines_of(ax)]
    assert coloured == [True, False, False, False, True]


def test_names_come_from_the_frame_or_are_given(ax):
    frame = pd.DataFrame(FIGURE_1, columns=["$a_1", "b", "c", "d"])
    slope_chart(frame, [0, 1, 2], [0, 1], ax=ax)
    assert {t.get_text() for t in ax.get_yticklabels()} == {"$a_1", "b"}
    ax.figure.canvas.draw()
    other = slope_chart(FIGURE_1, [0, 1, 2], [0, 1], names=["p", "q", "r", "s"])
    assert {t.get_text() for t in other.get_yticklabels()} == {"p", "q"}


def test_too_few_or_too_many_features_are_refused(ax, rng):
    with pytest.raises(InputError, match="2 to 60 features, but got 1"):
        slope_chart(FIGURE_1, [0, 1, 2], [1], ax=ax)
    with pytest.raises(InputError, match="but got 61"):
        slope_chart(rng.normal(size=(4, 70)), [0, 1, 0, 1], range(61), ax=ax)
    with pytest.raises(InputError, match="at least two"):
        slope_chart(FIGURE_1, [0, 0, 0], [0, 1], ax=ax)


def eliminated(order, divergence, kept):
    """A selection as an elimination makes it: divergence[k] after the removal that left k features."""
    after = np.full(len(order), np.nan)
    for k in range(1, len(order)):
        after[order[k]] = divergence[k]
    reasons = Reasons.of_kept(len(order), np.array(order[:kept]), NOT_REACHED)
    return Selection(np.array(order[:kept]), np.array(order), reasons, columns={"divergence": after})


def test_the_curve_falls_with_the_number_of_features_left(ax):
    selection = eliminated([2, 0, 3, 1], [None, 0.7, 0.2, 0.0], kept=2)
    assert divergence_curve(selection, ax) is ax
    (curve,) = (line for line in ax.lines if line.get_linestyle() == "-")
    assert dict(zip(curve.get_xdata(), curve.get_ydata())) == {1: 0.7, 2: 0.2, 3: 0.0, 4: 0.0}
    assert ax.collections[0].get_offsets().tolist() == [[2.0, 0.2]]
    assert {t.get_text() for t in ax.get_legend().get_texts()} == {
        "nothing lost down to 3",
        "kept: 2, divergence 0.2",
    }
    assert ax.get_xlim()[0] > ax.get_xlim()[1]


def test_the_curve_is_that_of_the_subsets(rng, ax):
    X, y = rng.normal(size=(24, 6)), rng.integers(0, 2, 24)
    selection = RankOrderElimination(2, criterion="kl").fit(X, y).selection_
    divergence_curve(Selection.from_json(selection.to_json()), ax)
    curve = ax.lines[0]
    truth = [subset_divergence(X, y, selection.order[: int(size)]) for size in curve.get_xdata()]
    np.testing.assert_allclose(curve.get_ydata(), truth, atol=1e-12)


def test_many_features_have_a_logarithmic_axis(ax):
    n = 400
    divergence_curve(eliminated(list(range(n)), [None, *np.linspace(1, 0, n - 1)], kept=5), ax)
    assert ax.get_xscale() == "log"
    assert ax.get_xlim()[0] > ax.get_xlim()[1]


def test_selections_without_divergence_are_refused(ax):
    other = Selection(np.array([0]), np.array([0, 1]), Reasons.of_kept(2, np.array([0]), NOT_REACHED))
    with pytest.raises(InputError, match="RankOrderElimination"):
        divergence_curve(other, ax)
    with pytest.raises(InputError, match="not in memory"):
        divergence_curve(eliminated([0, 1, 2], [None, np.nan, np.nan], kept=1), ax)
