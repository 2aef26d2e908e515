from __future__ import annotations

import json
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
from comparison_examples import alone, beside_chance, cancer, diabetes, mixed, noise
from test_report_page import EVIL, Page

import fewer
from fewer.core.records.errors import FileError, MissingExtraError
from fewer.evaluate.compare import compare
from fewer.evaluate.comparison import Comparison
from fewer.report.comparison import render_comparison, write_comparison
from fewer.report.comparison_facts import headline_selection, leaves, measure, often_size
from fewer.report.comparison_words import by_lot
from fewer.report.heat import BLUES, ORANGES, Heat, in_order, shade
from fewer.report.words import number

EVERY = [cancer, noise, diabetes, mixed, beside_chance, alone]


def checked(comparison: Comparison) -> Page:
    """Render a comparison and check what must hold for every page."""
    html = render_comparison(comparison)
    page = Page(html)
    assert page.problems == []
    assert all(reference.startswith("#") and reference[1:] in page.ids for reference in page.references)
    assert len(page.ids) == len(set(page.ids))
    assert not re.search(r"url\(|@import|<link|<iframe|<img|<object", html)
    assert not re.search(r"https?://", html)
    assert not [attrs for _, attrs in page.tags if any(k.startswith("on") for k in attrs)], "no inline handlers"
    assert all(attrs.get("role") == "img" and attrs.get("aria-label") for tag, attrs in page.tags if tag == "svg")
    assert not any("nan" in str(attrs.get(key, "")).lower() for _, attrs in page.tags for key in ("d", "cx", "x1", "y"))
    return page


def rows_under(page: Page, head: list[str]) -> list[dict[str, str]]:
    start = next(i for i, row in enumerate(page.rows) if row[: len(head)] == head)
    heads = page.rows[start]
    rows = []
    for row in page.rows[start + 1 :]:
        if len(row) != len(heads) or row[0] == "method":
            break
        rows.append(dict(zip(heads, row)))
    return rows


@pytest.mark.parametrize("make", EVERY)
def test_pages_are_well_formed_and_stand_alone(make):
    assert checked(make()).words


@pytest.mark.parametrize("make", EVERY)
def test_a_comparison_read_from_json_makes_the_same_page(make):
    again = Comparison.from_json(make().to_json())
    assert render_comparison(again) == render_comparison(make())


def test_the_headline_says_how_few_and_how_sure():
    found, words = cancer(), checked(cancer()).words
    head = found.best()
    assert head.all_best
    assert f"{len(head.features)} of 30 features give {head.score:.3g}, all of them {head.best_whole:.3g}" in words
    assert f"Chosen by {head.method} and used by {head.estimator}" in words
    for value in (head.honest, head.score, head.stability, head.chance, head.whole):
        assert f"{value:.3g}" in words
    assert all(found.names[j] in words for j in head.features)
    assert found.meta["command"] in words
    assert f"fewer {found.meta['versions']['fewer']}" in words


def test_noise_is_said_plainly_to_be_noise():
    found, words = noise(), checked(noise()).words
    head = found.best()
    # The data hold nothing, so that only a leaking protocol can find something.
    assert not head.beats_chance
    assert max(row["naive"] for row in found.bias()) > 0.75
    assert "Nothing here is shown to beat chance" in words
    assert "are enough" not in words.split("How many features are enough")[0]
    assert "do not rely on what is promised above it" in words


def test_tables_hold_what_the_comparison_holds():
    found, page = cancer(), checked(cancer())
    by_method = rows_under(page, ["method", "family"])
    assert {row["method"] for row in by_method} == set(found.methods)
    best = {method: np.nanmax(found.scores.mean(axis=-1)[m]) for m, method in enumerate(found.methods)}
    for row in by_method:
        assert float(row["best accuracy"]) == pytest.approx(best[row["method"]], abs=1e-4)
        assert int(row["enough"]) <= int(row["size"])
    results = rows_under(page, ["method", "estimator"])
    expected = sorted(found.rows(), key=lambda row: -row["score"])[:25]
    assert [(r["method"], r["estimator"], int(r["size"])) for r in results] == [
        (e["method"], e["estimator"], e["size"]) for e in expected
    ]
    stored = json.loads(next(text for attrs, text in page.scripts if attrs.get("id") == "results-rest"))
    assert len(stored[0]["cells"]) == len(found.rows())


def test_reasons_are_those_of_the_headline():
    found = cancer()
    head, selection = found.best(), headline_selection(found)
    assert selection.indices.tolist() == list(head.features)
    rows = rows_under(checked(found), ["rank", "feature"])
    assert len(rows) == 30
    assert {row["feature"] for row in rows if row["status"] == "kept"} == {found.names[j] for j in head.features}
    dropped = next(row for row in rows if row["status"] == "not reached")
    assert "enough" in dropped["why"]
    assert any("most like" in row["why"] for row in rows)
    kept = next(row for row in rows if row["status"] == "kept")
    assert re.search(r"chosen in \d of 5 folds", kept["why"])


def test_every_method_and_estimator_has_its_curve():
    found, html = cancer(), render_comparison(cancer())
    figures = re.findall(r'<figure data-estimator="([^"]*)">\s*<figcaption><b>Error rate.*?</figure>', html, re.DOTALL)
    assert sorted(figures) == sorted(found.estimators)
    wide = re.findall(r'<div class="wide"><svg class="chart lines".*?</svg>', html, re.DOTALL)
    assert len(wide) == len(found.estimators)
    for drawing in wide:
        assert sorted(re.findall(r'data-series="(\d)"', drawing)) == ["0", "1", "2", "3"]
        assert drawing.count("<circle") == len(found.methods) * len(found.sizes) + drawing.count('class="ring"')
    assert sum('class="ring"' in drawing for drawing in wide) == 1


def test_a_baseline_is_drawn_as_a_band_below_the_methods():
    found, page, html = beside_chance(), checked(beside_chance()), render_comparison(beside_chance())
    drawing = re.findall(r'<div class="wide"><svg class="chart lines".*?</svg>', html, re.DOTALL)[0]
    series = re.findall(r'<g class="series ([^"]*)" data-series="(\d)">(.*?)</g>', drawing, re.DOTALL)
    # Grey, drawn first, last in the legend.
    assert series[0][:2] == ("lot", "2")
    assert sum("lot" in classes for classes, _, _ in series) == 1
    band = found.curve("RandomRanking")
    assert f"the middle of 5 random subsets: {number(float(band.low[1]))} to {number(float(band.high[1]))}" in html
    assert "the middle of the 5 random subsets of every size that RandomRanking drew" in page.words
    assert "over all methods and splits; RandomRanking not counted." in page.words
    assert "over all methods and splits." in checked(cancer()).words
    assert "picked out of 6 settings" in page.words
    assert "grey band" not in checked(cancer()).words
    # The whole band is inside the chart.
    path = re.search(r'class="band"[^>]*d="([^"]*)"|d="([^"]*)"[^>]*class="band"', series[0][2])
    heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([-\d.]+)", path[1] or path[2])]
    assert len(heights) == 2 * len(found.sizes)
    assert min(heights) >= 28
    assert max(heights) <= 430 - 44


def test_the_words_about_the_band_say_what_its_subsets_can_tell():
    scores = np.zeros((25, 1, 1))
    told = by_lot(replace(beside_chance(), random={"one": scores[:1], "few": scores[:4], "many": scores}))
    one, few, many = told.split("The grey ")[1:]
    assert one.startswith("line is the one random subset of every size that one drew")
    assert few.startswith("band holds the middle of the 4 random subsets of every size that few drew")
    assert many.startswith("band holds nine tenths of the 25 random subsets of every size that many drew")
    assert ["95 %" in words for words in (one, few, many)] == [False, False, True]


def test_a_baseline_alone_makes_a_page():
    lots = compare(
        np.eye(12)[:, :4], np.arange(12) % 2, [fewer.RandomRanking(n_subsets=2)], ["naive Bayes"], [1, 4], cv=2
    )
    words = checked(lots).words
    assert "Random choices look at no rows" in words


def test_single_features_show_their_distribution_and_relatives():
    found, page = cancer(), checked(cancer())
    cards = [attrs for tag, attrs in page.tags if tag == "details" and attrs.get("class") == "card"]
    assert {attrs["id"] for attrs in cards} == {f"feature-{one['index']}" for one in found.portraits}
    assert [attrs["data-name"] for attrs in cards][: len(found.best().features)] == [
        found.names[j] for j in found.best().features if j in {one["index"] for one in found.portraits}
    ]
    assert "Says much the same" in page.words


def test_what_failed_is_said():
    words = checked(mixed()).words
    assert "What could not be used" in words
    assert "FTest" in words
    assert mixed().failures[0].words in words


def test_odd_names_harm_nothing():
    page = checked(mixed(EVIL))
    assert "alert(" not in "".join(text for attrs, text in page.scripts if "type" not in attrs)
    assert EVIL in " ".join(page.text)


def test_the_file_stays_small():
    assert len(render_comparison(cancer()).encode()) < 350_000
    # 2,500 features: the table is stored once, the pages of single features are few.
    assert len(render_comparison(noise()).encode()) < 700_000


def test_write_is_whole_or_nothing(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    cancer().report(path)
    assert path.read_text(encoding="utf-8") == render_comparison(cancer())
    with pytest.raises(FileError, match="could not be written"):
        write_comparison(cancer(), tmp_path / "missing" / "report.html")

    def fail(*_):
        raise OSError(28, "No space left on device")

    path.write_text("old")
    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(FileError, match="No space left"):
        write_comparison(cancer(), path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_without_jinja_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtraError, match=r"fewer\[report\]"):
        render_comparison(alone())


@pytest.mark.parametrize(
    ("scoring", "score", "name", "drawn"),
    [
        ("accuracy", 0.9, "error rate", 0.1),
        ("neg_mean_absolute_error", -2.5, "mean absolute error", 2.5),
        ("roc_auc", 0.8, "roc auc", 0.8),
        ("r2", 0.3, "R²", 0.3),
    ],
)
def test_errors_are_drawn_where_a_score_has_one(scoring, score, name, drawn):
    one = measure(scoring)
    assert (one.name, one(score)) == (name, pytest.approx(drawn))


def test_choices_are_counted_at_a_size_that_says_something():
    assert often_size(cancer(), cancer().best()) in cancer().sizes
    # Ten of ten features would all be chosen always.
    assert often_size(diabetes(), diabetes().best()) < 10


def test_shades_run_from_light_to_dark_on_both_sides():
    assert [shade(v) for v in (0.0, 1.0, -1.0)] == [BLUES[0], BLUES[-1], ORANGES[-1]]
    assert shade(0.5) != shade(0.9)


def test_trees_keep_their_leaves_beside_their_rows():
    from scipy.cluster.hierarchy import leaves_list, linkage

    tree = linkage(np.array([[0.0], [9.0], [0.4], [9.3]]), "average")
    order = leaves(tree, 4)
    assert order == leaves_list(tree).tolist()
    renamed = in_order(tree, order)
    assert sorted(renamed[:2, :2].ravel().tolist()) == [0, 1, 2, 3]
    # No branch of a tree in order crosses another: joined leaves are neighbours.
    assert all(abs(a - b) == 1 for a, b in renamed[:2, :2])
    assert "NaN" not in Heat(list("abcd"), list("abcd"), np.eye(4), "t", tree=renamed).draw()
