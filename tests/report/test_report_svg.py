from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.report.curve import CurveChart, Dots
from fewer.report.scale import Scale, limits, thinned
from fewer.report.svg import bar_chart, element, percent, share_bar

ANY = st.floats(allow_nan=True, allow_infinity=True)
FINITE = st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False)


def bars_of(picture: str) -> list[tuple[float, float]]:
    """Return left and right end of every bar."""
    found = []
    for group in ET.fromstring(picture).iter("g"):
        bar = group.findall("rect")[1]
        found.append((float(bar.get("x")), float(bar.get("x")) + float(bar.get("width"))))
    return found


def test_bars_are_as_long_as_their_values():
    bars = bars_of(bar_chart(["a", "b", "c"], [4.0, 2.0, 1.0], ["kept"] * 3, "t"))
    lengths = [right - left for left, right in bars]
    assert lengths[0] == pytest.approx(2 * lengths[1], abs=0.05)
    assert lengths[0] == pytest.approx(4 * lengths[2], abs=0.05)
    assert len({left for left, _ in bars}) == 1


def test_negative_bars_go_the_other_way_from_zero():
    (_, right), (left, _) = sorted(bars_of(bar_chart(["a", "b"], [3.0, -3.0], ["kept"] * 2, "t")))
    assert right == pytest.approx(left, abs=0.05)


def test_infinite_bars_end_where_the_chart_ends_and_say_so():
    picture = bar_chart(["a", "b", "c"], [math.inf, 2.0, -math.inf], ["kept"] * 3, "t")
    infinite, finite, _ = bars_of(picture)
    assert infinite == finite
    assert picture.count("∞") >= 2


@pytest.mark.parametrize("values", [[0.0, 0.0], [2.0, 2.0], [-1.0, -1.0], [math.inf, math.inf], [1e308, -1e308]])
def test_degenerate_values_make_a_valid_picture(values):
    for left, right in bars_of(bar_chart(["a", "b"], values, ["kept"] * 2, "t")):
        assert 0 <= left <= right <= 641


def test_line_stands_at_its_value():
    picture = bar_chart(["a"], [4.0], ["kept"], "t", line=2.0)
    ((left, right),) = bars_of(picture)
    line = next(e for e in ET.fromstring(picture).iter("line") if e.get("class") == "needed")
    assert float(line.get("x1")) == pytest.approx((left + right) / 2, abs=0.05)
    assert "needed 2" in picture


def test_a_line_far_away_does_not_squeeze_the_bars():
    assert 'class="needed"' not in bar_chart(["a"], [1.0], ["kept"], "t", line=1e6)


def test_names_are_escaped_and_long_ones_cut_with_the_whole_in_the_title():
    name = "<script>alert('x')</script>" + "y" * 200
    picture = bar_chart([name], [1.0], ["kept"], "t")
    assert "<script" not in picture
    words = [e.text for e in ET.fromstring(picture).iter("text")]
    assert any(w.endswith("…") and len(w) < 60 for w in words)
    titles = [e.text for e in ET.fromstring(picture).iter("title")]
    assert any(name in title for title in titles)


def test_attributes_are_escaped():
    assert element("a", b='"<&') == '<a b="&quot;&lt;&amp;"></a>'
    assert element("a", class_="x", text_anchor="end", none=None) == '<a class="x" text-anchor="end"></a>'


def test_curve_breaks_where_a_value_is_missing():
    picture = CurveChart([1, 2, 3, 4, 5], [1.0, 2.0, math.nan, 2.0, 1.0], ("x", "y"), "t").draw()
    assert re.search(r' d="M[^ML]+L[^ML]+M[^ML]+L[^ML]+"', picture)


def test_curve_marks_points_and_cut():
    dots = Dots([0, 1], ["kept", "not reached"], ["one <1>", "two"])
    picture = CurveChart([1, 2], [5.0, math.inf], ("x", "y"), "t", dots, cut=(1.5, "1 kept")).draw()
    root = ET.fromstring(picture)
    assert len(list(root.iter("circle"))) == 1, "a point at infinity has no place"
    assert "one &lt;1&gt;" in picture
    line = next(e for e in root.iter("line") if e.get("class") == "needed")
    ends = next(e for e in root.iter("line") if e.get("class") == "grid")
    assert float(line.get("x1")) == pytest.approx((float(ends.get("x1")) + float(ends.get("x2"))) / 2, abs=0.05)


def test_every_picture_has_a_role_and_a_title():
    for picture in (
        bar_chart(["a"], [1.0], ["kept"], "what it shows"),
        CurveChart([1, 2], [1.0, 2.0], ("x", "y"), "what it shows").draw(),
        share_bar([("a", 1, "kept")], "what it shows"),
    ):
        root = ET.fromstring(picture)
        assert root.get("role") == "img"
        assert root.get("aria-label") == root.find("title").text == "what it shows"


def test_fractions_fill_the_bar():
    root = ET.fromstring(share_bar([("a", 1, "x"), ("b", 3, "y")], "t"))
    _, second = root.findall("rect")
    assert float(second.get("x")) == 25
    assert float(second.get("x")) + float(second.get("width")) == pytest.approx(100, abs=0.3)
    assert ET.fromstring(share_bar([("a", 0, "x")], "t")).find("rect").get("width") == "0"
    assert percent(1, 3) == "33 %"
    assert percent(1, 1000) == "0.1 %"
    assert percent(0, 0) == "0 %"


@given(st.lists(ANY), st.one_of(st.none(), ANY), st.booleans())
def test_limits_hold_all_finite_values(values, line, with_zero):
    low, high = limits(values, line, with_zero)
    assert low < high
    assert all(low <= v <= high for v in values if math.isfinite(v))
    assert not with_zero or low <= 0 <= high


@given(FINITE, FINITE, FINITE)
def test_scale_stays_inside_and_is_monotone(low, high, value):
    low, high = limits([low, high])
    scale = Scale(low, high, 10, 110)
    assert scale(low) == 10
    assert scale(high) == pytest.approx(110)
    assert 10 <= scale(value) <= 110


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(2, 8))
def test_ticks_are_round_and_inside(low, span, about):
    ticks = Scale(low, low + span, 0, 1).ticks(about)
    assert len(ticks) <= about + 1
    assert all(low - 1e-6 * span <= t <= low + span * (1 + 1e-6) for t in ticks)
    steps = np.diff(ticks)
    for step in steps:
        mantissa = step / 10 ** np.floor(np.log10(step) + 1e-6)
        assert min(abs(mantissa - m) for m in (1, 2, 5, 10)) < 1e-3


def test_ticks_on_a_logarithmic_axis_are_powers_of_ten():
    assert Scale(1, 20_000, 0, 1, log=True).ticks() == [1, 10, 100, 1000, 10_000]
    scale = Scale(1, 10_000, 0, 100, log=True)
    assert scale(100) == pytest.approx(50)
    assert scale(0) == 0


@given(st.integers(0, 5000), st.integers(2, 400), st.booleans())
def test_thinned_positions(n, most, log):
    positions = thinned(n, most, log)
    assert len(positions) <= max(most, 0)
    assert (np.diff(positions) > 0).all()
    if n:
        assert positions[0] == 0
        assert positions[-1] == n - 1
