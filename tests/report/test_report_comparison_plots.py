from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pytest
from comparison_examples import beside_chance, cancer, diabetes
from matplotlib import pyplot

from fewer.core.records.errors import InputError, MissingExtraError, ParameterError


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


@pytest.mark.parametrize("kind", ["curves", "agreement", "consensus", "ranks"])
@pytest.mark.parametrize("make", [cancer, diabetes])
def test_axes_go_in_and_come_out(make, kind):
    ax = pyplot.subplots()[1]
    assert getattr(make().plot, kind)(ax=ax) is ax
    ax.figure.canvas.draw()
    own = getattr(make().plot, kind)()
    assert own is not ax
    own.figure.canvas.draw()


def test_curves_show_the_error_of_every_method():
    found = cancer()
    for estimator in found.estimators:
        lines = {line.get_label(): line for line in found.plot.curves(estimator).get_lines()}
        assert set(found.methods) <= set(lines)
        for method in found.methods:
            m, e = found.number_of(method), found.estimators.index(estimator)
            np.testing.assert_allclose(lines[method].get_ydata(), 1 - found.scores[m, e].mean(axis=-1))
            assert tuple(lines[method].get_xdata()) == found.sizes
    with pytest.raises(ParameterError, match="no estimator 'svm'"):
        found.plot.curves("svm")


def test_more_methods_than_colours_are_dashed():
    lines = [line for line in diabetes().plot.curves().get_lines() if line.get_label() in diabetes().methods]
    looks = [(line.get_color(), line.get_linestyle()) for line in lines]
    assert len(set(looks)) == len(diabetes().methods) == 8


def test_a_baseline_is_grey_and_has_its_band():
    found = beside_chance()
    ax = found.plot.curves()
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert lines["RandomRanking"].get_color() == "#6e7781"
    assert lines["FTest"].get_color() != "#6e7781"
    # One band of the headline, one of the baseline, which is as high as its subsets are apart.
    bands = [shape.get_paths()[0].get_extents() for shape in ax.collections]
    curve = found.curve("RandomRanking", found.best().estimator)
    low, high = 1 - curve.high.max(), 1 - curve.low.min()
    assert any(np.allclose([box.y0, box.y1], [low, high]) for box in bands)
    assert len(bands) == 2


def test_agreement_is_that_of_the_comparison():
    shown = cancer().plot.agreement()
    names = [label.get_text() for label in shown.get_yticklabels()]
    order = [cancer().number_of(name) for name in names]
    np.testing.assert_allclose(shown.images[0].get_array(), cancer().agreement()[np.ix_(order, order)])


def test_consensus_has_the_most_chosen_on_top():
    ax = cancer().plot.consensus(most=5)
    widths = [bar.get_width() for bar in ax.patches]
    assert widths == sorted(widths, reverse=True)
    assert len(widths) == 5
    with pytest.raises(InputError, match="most=0"):
        cancer().plot.consensus(most=0)


def test_ranks_are_those_of_the_test():
    ax, test = cancer().plot.ranks(), cancer().ranks()
    words = {text.get_text() for text in ax.texts}
    assert f"critical difference {test.critical_difference:.2f}" in words
    for method, rank in zip(test.methods, test.mean_ranks):
        assert {f"{method} {rank:.2f}", f"{rank:.2f} {method}"} & words


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"fewer\[plot\]"):
        cancer().plot.consensus()


def test_the_plots_name_themselves():
    assert "curves, agreement, consensus, ranks" in repr(cancer().plot)
