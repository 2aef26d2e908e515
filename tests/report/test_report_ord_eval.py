"""The plot of reinforcements: what is drawn where."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.records.errors import InputError
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.report.ord_eval import DOWN, UP, reinforcement

matplotlib = pytest.importorskip("matplotlib")

NAN = float("nan")
LEVELS = {
    "feature": ["a", "a", "a", "$b", "$b"],
    "level": ["1", "2", "3", "0", "1"],
    "rows": [3, 4, 5, 6, 6],
    "up": [NAN, 0.5, 0.9, NAN, 0.2],
    "down": [0.7, 0.1, NAN, 0.3, NAN],
}
BOUNDS = {
    "up_low": [NAN, 0.4, 0.4, NAN, 0.4],
    "up_high": [NAN, 0.6, 0.6, NAN, 0.6],
    "down_low": [0.2, 0.2, NAN, 0.2, NAN],
    "down_high": [0.6, 0.6, NAN, 0.6, NAN],
}


@pytest.fixture(autouse=True)
def ax():
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot.subplots()[1]
    pyplot.close("all")


def selection_of(levels, names=("a", "$b", "c")):
    d = len(names)
    order = np.arange(d)
    columns = {**levels, "feature": [names.index(name) for name in levels["feature"]]}
    tables = {"levels": ResultTable("Levels", columns, features=("feature",))}
    return Selection(order[:1], order, Reasons.of_kept(d, [0], NOT_REACHED), names=names, tables=tables)


def bars_of(ax):
    """Height, end and colour of each bar."""
    return {
        (round(bar.get_y() + bar.get_height() / 2, 6), matplotlib.colors.to_hex(bar.get_facecolor()).upper()): bar
        for bar in ax.patches
    }


def test_bars_point_left_for_down_and_right_for_up(ax):
    assert reinforcement(selection_of(LEVELS), "a", ax) is ax
    widths = {key: bar.get_width() for key, bar in bars_of(ax).items()}
    assert widths == {(0, DOWN): -0.7, (1, DOWN): -0.1, (1, UP): 0.5, (2, UP): 0.9}
    assert [t.get_text() for t in ax.get_yticklabels()] == ["1", "2", "3"]
    assert ax.get_xlim()[0] == -ax.get_xlim()[1]
    assert {t.get_text() for t in ax.get_xticklabels()} == {"0", "0.25", "0.5", "0.75", "1"}


def test_only_bars_beyond_the_interval_are_bold(ax):
    reinforcement(selection_of(LEVELS | BOUNDS), ["a", "$b"], ax)
    bold = {key: bar.get_alpha() > 0.9 for key, bar in bars_of(ax).items()}
    # The first feature is on top of the second, whose two levels and name take the places below.
    low = 3.3
    assert bold == {
        (low, DOWN): True,
        (low + 1, DOWN): False,
        (low + 1, UP): False,
        (low + 2, UP): True,
        (0, DOWN): False,
        (1, UP): False,
    }
    whiskers = [line.get_xdata().tolist() for line in ax.lines if line.get_marker() == "|"]
    assert sorted(map(tuple, whiskers)) == [(-0.2, -0.6)] * 3 + [(0.4, 0.6)] * 3


def test_by_default_the_best_features_are_drawn(ax):
    with pytest.raises(InputError, match="No feature is named"):
        reinforcement(selection_of(LEVELS), "z", ax)
    reinforcement(selection_of(LEVELS), ax=ax)
    assert [t.get_text() for t in ax.texts] == ["a", "$b"]
    ax.figure.canvas.draw()


def test_numbers_and_selections_from_json_work(ax):
    again = Selection.from_json(selection_of(LEVELS | BOUNDS).to_json())
    reinforcement(again, 1, ax)
    assert {bar.get_width() for bar in ax.patches} == {-0.3, 0.2}


def test_what_cannot_be_drawn_is_said(ax):
    plain = Selection(np.array([0]), np.array([0]), Reasons.of_kept(1, [0], NOT_REACHED), meta={"method": "FTest"})
    with pytest.raises(InputError, match="FTest gave none"):
        reinforcement(plain, ax=ax)
    with pytest.raises(InputError, match="1 to 60 levels, but the chosen features have 0"):
        reinforcement(selection_of(LEVELS), "c", ax)
    with pytest.raises(InputError, match="at least one"):
        reinforcement(selection_of(LEVELS), [], ax)
