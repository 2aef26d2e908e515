"""The pages in a real browser with the network cut; skipped where no Chromium is installed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from browser import Browser, in_font, installed
from comparison_examples import cancer, noise
from report_examples import with_redundancy

import fewer
from fewer.report.page import write

pytest.importorskip("tornado")
PROGRAM = installed()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")
WIDTHS = (1280, 390)
# Fractions of the width of DejaVu Sans, the usual font of Linux: narrower than any usual font, itself, wider than
# Verdana.
FONTS = (70, 100, 130)
VISIBLE = "(e => e.getClientRects().length > 0)"


@pytest.fixture(scope="module")
def browser():
    one = Browser(PROGRAM)
    yield one
    one.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    cancer().report(folder / "cancer.html")
    noise().report(folder / "noise.html")
    write(with_redundancy(), folder / "selection.html")
    for name in ("cancer", "noise", "selection"):
        page = (folder / f"{name}.html").read_text(encoding="utf-8")
        for font in FONTS:
            (folder / f"{name}-{font}.html").write_text(in_font(page, font), encoding="utf-8")
    return folder


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["cancer", "noise", "selection"])
def test_pages_load_without_complaint_and_fit_the_window(browser, pages, name, width):
    browser.open(pages / f"{name}.html", width)
    assert browser.problems == []
    assert browser.asked == []
    assert browser.run("document.querySelector('h1').textContent.length") > 5
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.run("document.querySelector('#features-search').closest('.controls').hidden") is False


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["cancer", "noise", "selection"])
def test_charts_are_drawn(browser, pages, name, width):
    browser.open(pages / f"{name}.html", width)
    # Hidden are the other form (wide, narrow), other estimators, and closed pages of single features.
    sizes = browser.run(
        f"[...document.querySelectorAll('svg.chart')].filter({VISIBLE}).map(s => "
        "{ const b = s.getBBox(), r = s.getBoundingClientRect(); return [b.width, b.height, r.width, r.height]; })"
    )
    assert len(sizes) >= (2 if name == "selection" else 6)
    assert all(min(one) > 20 for one in sizes)
    assert (
        browser.run("[...document.querySelectorAll('svg [d]')].filter(e => /NaN|Infinity/.test(e.outerHTML)).length")
        == 0
    )
    assert_words_have_room(browser)


def assert_words_have_room(browser):
    """Text that leaves its chart would be cut off, and text wider than its room would cover bars."""
    outside = browser.run(
        f"[...document.querySelectorAll('svg.chart text')].filter({VISIBLE}).filter(t => "
        "{ const a = t.getBoundingClientRect(), b = t.ownerSVGElement.getBoundingClientRect(); "
        "return a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 2 || a.bottom > b.bottom + 2; })"
        ".map(t => t.textContent)"
    )
    assert outside == []
    wide = browser.run(
        f"[...document.querySelectorAll('svg.chart text[data-room]')].filter({VISIBLE}).filter(t => "
        "t.getComputedTextLength() > Number(t.dataset.room) + 1).map(t => t.textContent)"
    )
    assert wide == []


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["cancer", "noise", "selection"])
def test_words_fit_in_narrow_and_in_wide_fonts(browser, pages, name, width, font):
    browser.open(pages / f"{name}-{font}.html", width)
    assert browser.run("document.fonts.ready.then(() => document.fonts.check('12px forced'))") is True
    assert browser.problems == []
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert browser.run("document.querySelectorAll('svg.chart text').length") > 10
    assert_words_have_room(browser)
    browser.run("document.querySelectorAll('[data-estimator]').forEach(f => { f.hidden = false; })")
    browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    browser.run("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert_words_have_room(browser)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["cancer", "noise", "selection"])
def test_words_fit_without_scripts(browser, pages, name, width):
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(pages / f"{name}-100.html", width)
        browser.run("document.fonts.ready.then(() => true)")
        assert browser.run("document.querySelectorAll('svg text[textLength]').length") == 0
        assert_words_have_room(browser)
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


@pytest.mark.parametrize("width", WIDTHS)
def test_reasons_can_be_searched_filtered_and_sorted(browser, pages, width):
    browser.open(pages / "cancer.html", width)
    names = "[...document.querySelectorAll('#features tbody tr .feature')].map(e => e.textContent)"
    assert len(browser.run(names)) == 30
    browser.run("document.querySelector('#features-search').focus()")
    browser.type("worst con")
    assert sorted(browser.run(names)) == ["worst concave points", "worst concavity"]
    assert browser.run("document.querySelector('[data-for=features] .found').textContent") == "2 features"
    browser.run(
        "(s => { s.value = ''; s.dispatchEvent(new Event('input')); })(document.querySelector('#features-search'))"
    )
    browser.run("document.querySelector('[data-for=features] [data-value=kept]').click()")
    assert sorted(browser.run(names)) == sorted(cancer().names[j] for j in cancer().best().features)
    browser.run("document.querySelector('[data-for=features] [data-value=\"\"]').click()")
    head = "[...document.querySelectorAll('#features th button')].find(b => b.textContent === '{}')"
    browser.run(head.format("feature") + ".click()")
    assert browser.run(names) == sorted(cancer().names)
    browser.run(head.format("chosen, %") + ".click()")
    cells = "[...document.querySelectorAll('#features td[data-head=\"chosen, %\"]')].map(c => c.textContent)"
    shares = [int(share) for share in browser.run(cells)]
    assert shares == sorted(shares, reverse=True)
    assert browser.run(head.format("chosen, %") + ".closest('th').getAttribute('aria-sort')") == "descending"
    assert browser.problems == []


def test_a_stored_table_is_searched_to_its_end(browser, pages):
    browser.open(pages / "noise.html", 1280)
    browser.run("document.querySelector('#features-search').focus()")
    browser.type("x2499")
    assert browser.run("document.querySelector('#features tbody tr .feature').textContent") == "x2499"
    browser.open(pages / "cancer.html", 1280)
    rows = "document.querySelectorAll('#results tbody tr').length"
    assert browser.run(rows) == 25
    browser.run("document.querySelector('[data-more=results]').click()")
    assert browser.run(rows) == len(cancer().rows())
    browser.run(
        "[...document.querySelectorAll('[data-for=results] button')].find(b => b.textContent === 'naive Bayes').click()"
    )
    assert browser.run(
        "[...new Set([...document.querySelectorAll('#results .estimator')].slice(1).map(e => e.textContent))]"
    ) == ["naive Bayes"]


@pytest.mark.parametrize("width", WIDTHS)
def test_curves_switch_estimator_and_method(browser, pages, width):
    browser.open(pages / "cancer.html", width)
    shown = f"[...document.querySelectorAll('figure[data-estimator]')].filter({VISIBLE}).map(f => f.dataset.estimator)"
    first = cancer().best().estimator
    other = next(name for name in cancer().estimators if name != first)
    assert set(browser.run(shown)) == {first}
    browser.run(f"document.querySelector('[data-show=\"{other}\"]').click()")
    assert set(browser.run(shown)) == {other}
    on = f"[...document.querySelectorAll('.series.on')].filter({VISIBLE}).map(s => s.dataset.series)"
    assert browser.run(on) == ["0"]
    browser.run("document.querySelector('#series button[data-series=\"2\"]').focus()")
    browser.press("Enter")
    assert sorted(browser.run(on)) == ["0", "2"]
    bands = f"[...document.querySelectorAll('.band')].filter({VISIBLE}).length"
    assert browser.run(bands) == 2


@pytest.mark.parametrize("width", WIDTHS)
def test_hovering_tells_numbers(browser, pages, width):
    browser.open(pages / "cancer.html", width)
    place = (
        "(e => { e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); "
        "return [r.x + r.width / 2, r.y + r.height / 2]; })"
    )
    dot = f"[...document.querySelectorAll('.series.on circle')].filter({VISIBLE})[2]"
    browser.move(*browser.run(f"{place}({dot})"))
    tip = browser.run("document.querySelector('#tip').textContent")
    assert tip.startswith(cancer().best().method)
    assert "4 features: accuracy 0." in tip
    heat = f"[...document.querySelectorAll('svg.heat[data-heat]')].filter({VISIBLE})[0]"
    browser.move(*browser.run(f"{place}({heat})"))
    assert browser.run("document.querySelector('#tip').textContent").split(" · ")[0] in cancer().methods


def test_a_link_opens_the_page_of_a_feature(browser, pages):
    last = cancer().portraits[-1]["index"]
    browser.open(pages / "cancer.html", 1280, more=f"#feature-{last}")
    assert browser.run(f"document.getElementById('feature-{last}').open") is True
    browser.run("document.querySelector('#cards-search').focus()")
    browser.type("worst")
    names = f"[...document.querySelectorAll('.card')].filter({VISIBLE}).map(c => c.dataset.name)"
    assert all("worst" in name for name in browser.run(names))


def test_everything_can_be_reached_by_keyboard(browser, pages):
    browser.open(pages / "cancer.html", 1280)
    seen = set()
    kind = "(e => e.tagName + (e.dataset.show ? ':show' : e.dataset.series ? ':series' : ''))"
    for _ in range(60):
        browser.press("Tab")
        seen.add(browser.run(f"{kind}(document.activeElement)"))
    assert {"A", "BUTTON:show", "BUTTON:series", "BUTTON"} <= seen


def test_print_shows_all_estimators_and_no_buttons(browser, pages):
    browser.open(pages / "cancer.html", 1280)
    browser.send("Emulation.setEmulatedMedia", media="print")
    assert browser.run(f"[...document.querySelectorAll('.controls, nav, .switch')].filter({VISIBLE}).length") == 0
    shown = browser.run(f"[...document.querySelectorAll('#sizes ~ .panels figure')].filter({VISIBLE}).length")
    assert shown == len(cancer().estimators)


def test_hostile_names_do_nothing(browser, tmp_path):
    names = [
        "<script>document.title = 'broken'</script>",
        "<img src=x onerror=\"document.title = 'broken'\">",
        "</script><script>document.title = 'broken'</script>",
        '"><svg onload="document.title = \'broken\'">',
        "<link rel=stylesheet href=http://127.0.0.1:9/a.css>",
        "javascript:document.title='broken'",
        "--><iframe src='http://127.0.0.1:9/'></iframe>",
    ]
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, len(names))), columns=names)
    y = pd.Series(np.where(X.iloc[:, 0] > 0, names[0], names[1]), name=f"{names[2]}y")
    write(fewer.MRMR(3).fit(X, y).selection_, tmp_path / "selection.html")
    fewer.compare(X, y, methods=["FTest"], cv=3, sizes=[2]).report(tmp_path / "comparison.html")
    for name in ("selection", "comparison"):
        browser.open(tmp_path / f"{name}.html", WIDTHS[0])
        browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert browser.problems == []
        assert browser.asked == []
        assert browser.run("document.title") != "broken"
        assert browser.run("document.querySelectorAll('iframe, img, link[href^=http]').length") == 0
        assert browser.run("document.body.textContent").count("onerror") > 0
