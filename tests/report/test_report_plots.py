from __future__ import annotations

import subprocess
import sys
import warnings

import numpy as np
import pytest
from report_examples import ranked, small, stepwise, wide, with_redundancy

import fewer
from fewer.core.records.errors import InputError, MissingExtraError
from fewer.core.records.reasons import KEPT, Reasons
from fewer.report import plots
from fewer.report.facts import FILLS
from fewer.report.plots import Plots

matplotlib = pytest.importorskip("matplotlib")


@pytest.fixture(autouse=True)
def ax():
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot.subplots()[1]
    pyplot.close("all")


def test_scores_are_bars_best_on_top(ax):
    selection = ranked()
    assert plots.scores(selection, most=12, ax=ax) is ax
    best = np.sort(selection.scores)[::-1][:12]
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(best)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [selection.feature_names[j] for j in selection.order[:12]]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    colours = [matplotlib.colors.to_hex(bar.get_facecolor()).upper() for bar in ax.patches]
    assert colours == [FILLS["kept"]] * 10 + [FILLS["irrelevant"]] * 2


def test_the_threshold_is_a_line(ax):
    plots.scores(with_redundancy(needed=0.05), ax=ax)
    assert [line.get_xdata()[0] for line in ax.lines] == [0.05]
    assert {t.get_text() for t in ax.get_legend().get_texts()} == {
        "kept",
        "redundant",
        "irrelevant",
        "needed 0.05",
    }


def test_thresholds_of_single_features_are_marks(ax):
    selection = small([3.0, 2.0], [0], reasons=Reasons(np.array([0, 1], np.uint8), np.array([1.0, 2.5])))
    plots.scores(selection, ax=ax)
    marks = ax.collections[0].get_offsets()
    assert marks[:, 0].tolist() == [1.0, 2.5]


def test_elbow_shows_all_scores_and_the_cut(ax):
    selection = ranked(10)
    assert plots.elbow(selection, ax) is ax
    assert ax.lines[0].get_ydata() == pytest.approx(np.sort(selection.scores)[::-1])
    assert ax.lines[1].get_xdata()[0] == 10.5
    assert len(ax.collections[0].get_offsets()) == 10


def test_elbow_of_many_features_is_logarithmic(ax):
    assert plots.elbow(wide(1000, 5), ax).get_xscale() == "log"


def test_elbow_without_a_clean_cut_marks_the_kept(ax):
    selection = with_redundancy()
    plots.elbow(selection, ax)
    assert len(ax.lines) == 2, "the curve and the threshold"
    assert sorted(ax.collections[0].get_offsets()[:, 1], reverse=True) == pytest.approx(
        np.sort(selection.scores[selection.reasons.kind == KEPT])[::-1]
    )


def test_trace_shows_value_against_size(ax):
    selection = stepwise()
    assert plots.trace(selection, ax) is ax
    assert ax.lines[0].get_xdata().tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 8]
    assert ax.lines[0].get_ydata() == pytest.approx(selection.trace.values)
    assert ax.collections[0].get_offsets().tolist() == [[6, selection.trace.values[5]]]


@pytest.mark.parametrize(
    "scores",
    [[0.0, 0.0], [2.0], [-1.0, -2.0], [np.inf, 1.0, -np.inf], [np.inf], [np.nan, 1.0], [1e100, -1e100]],
)
def test_corners_are_drawn(ax, scores):
    selection = small(scores, [0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for draw in (plots.scores, plots.elbow):
            draw(selection).figure.canvas.draw()


def test_names_are_not_formulas_and_long_ones_are_cut(ax):
    plots.scores(small([2.0, 1.0], [0], names=("$a_{", "y" * 300)), ax=ax)
    ax.figure.canvas.draw()
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels[0] == "$a_{"
    assert labels[1].endswith("…")
    assert len(labels[1]) <= 32


def test_the_accessor_draws_the_same(ax):
    accessor = Plots(stepwise())
    assert accessor.trace(ax=ax) is ax
    assert Plots(ranked()).scores(most=3).patches[2].get_width() > 0
    assert Plots(ranked()).elbow().lines
    assert "scores, elbow, trace" in repr(accessor)


def test_what_cannot_be_drawn_is_one_sentence():
    for draw in (plots.scores, plots.elbow):
        with pytest.raises(InputError, match="SequentialSelector gave none"):
            draw(stepwise())
    with pytest.raises(InputError, match="two steps or more, but this selection has 0"):
        plots.trace(ranked())
    with pytest.raises(InputError, match="most=0"):
        plots.scores(ranked(), most=0)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"fewer\[plot\]"):
        plots.scores(ranked())


def test_importing_the_report_loads_neither_matplotlib_nor_jinja2():
    code = "import sys, fewer.report.plots, fewer.report.page; print({'matplotlib', 'jinja2'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_selections_know_their_plots():
    import matplotlib

    matplotlib.use("Agg")
    selection = fewer.select("iris", "target", "FTest", n_features_to_select=2)
    assert selection.plot.scores().get_figure() is not None


def test_paths_are_drawn_and_others_refused():
    import matplotlib

    matplotlib.use("Agg")
    data = fewer.synth.make_elastic_net_groups(random_state=0)
    selection = fewer.LarsEN(3, l2=0.5).fit(data.X, data.y).selection_
    drawn = selection.plot.path()
    assert [line.get_xdata()[0] for line in drawn.lines[-1:]] == [3.0]
    assert drawn.get_xlabel() == "step"
    with pytest.raises(InputError, match="the paths of this selection are path"):
        selection.plot.path("groups")
