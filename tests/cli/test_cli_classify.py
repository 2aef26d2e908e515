"""fewer classify, and the page and plot that say why."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import fewer
from cli.cli_examples import call
from fewer import registry

NAMES = [entry.name for entry in registry.METHODS if entry.contract == "classifier"]
NO_TABLES = [name for name in NAMES if not registry.load(name).reads_tables]


@pytest.fixture
def patients(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    kinds = np.where(X[:, 0] > 0, "AML", "ALL")
    path = tmp_path / "patients.csv"
    rows = [[*map(repr, map(float, x)), kind] for x, kind in zip(X, kinds)]
    path.write_text("\n".join(",".join(row) for row in [["gene a", "gene b", "gene c", "kind"], *rows]) + "\n")
    return path, X, kinds


def test_chosen_rows_are_classified_by_all_others(patients, tmp_path, capsys):
    path, X, kinds = patients
    out, weights, page = (tmp_path / name for name in ("out.csv", "weights.csv", "why.html"))
    found = call(
        capsys, "classify", str(path), "--target", "kind", "-m", "ADAMENN", "--rows", "3,17", "--out", str(out),
        "--weights", str(weights), "--report", str(page),
    )  # fmt: skip
    assert found.code == 0
    others = np.setdiff1d(np.arange(60), [3, 17])
    fitted = fewer.ADAMENN().fit(X[others], kinds[others])
    lines = list(csv.DictReader(out.open()))
    assert [line["row"] for line in lines] == ["row 3", "row 17"]
    assert [line["predicted"] for line in lines] == fitted.predict(X[[3, 17]]).tolist()
    assert float(lines[0]["P(AML)"]) == pytest.approx(fitted.predict_proba(X[[3]])[0, 1])
    ours = np.loadtxt(weights, delimiter=",", skiprows=1, usecols=(1, 2, 3))
    np.testing.assert_allclose(ours, fitted.local_relevance(X[[3, 17]]))
    html = page.read_text()
    assert "gene a" in html
    assert "Who voted" in html
    assert f"row 3</bdi>: <bdi>{lines[0]['predicted']}" in html
    assert "learned from 58 rows" in found.out


@pytest.mark.parametrize("name", NO_TABLES)
def test_classifiers_of_texts_are_refused(name, patients, capsys):
    found = call(capsys, "classify", str(patients[0]), "--target", "kind", "-m", name, "--rows", "0,1")
    assert found.code == 2
    assert f"{name} takes " in found.err
    assert "reads tables of numbers and levels" in found.err


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NO_TABLES])
def test_every_classifier_answers(name, patients, capsys):
    path, _, _ = patients
    if registry.load(name).method_tags.nonnegative:
        rows = [line.replace("-", "") for line in path.read_text().splitlines()]
        path.write_text("\n".join(rows) + "\n")
    options = ["--class-order", "ALL,AML"] if name == "MonotoneTree" else []
    found = call(capsys, "classify", str(path), "--target", "kind", "-m", name, "--rows", "0,1", "--json", *options)
    assert found.code == 0, found.err
    assert [row["row"] for row in found.json["rows"]] == ["row 0", "row 1"]
    assert {row["predicted"] for row in found.json["rows"]} <= {"AML", "ALL"}
    has_weights = hasattr(registry.load(name), "local_relevance")
    assert all(bool(row["features"]) == has_weights for row in found.json["rows"])


def test_new_rows_and_rows_without_a_target(patients, tmp_path, capsys):
    path, X, kinds = patients
    new = tmp_path / "new.csv"
    new.write_text("gene c,gene a,gene b,note\n0.1,2.0,0.3,x\n0.1,-2.0,0.3,y\n")
    found = call(capsys, "classify", str(path), "-t", "kind", "-m", "DANN", "--new", str(new), "--json").json
    assert [row["predicted"] for row in found["rows"]] == ["AML", "ALL"]
    lines = path.read_text().splitlines()
    lines[5] = lines[5].rsplit(",", 1)[0] + ","
    path.write_text("\n".join(lines) + "\n")
    found = call(capsys, "classify", str(path), "-t", "kind", "-m", "DANN", "--json").json
    assert [row["row"] for row in found["rows"]] == ["row 4"]
    others = np.arange(60) != 4
    assert found["rows"][0]["predicted"] == fewer.DANN().fit(X[others], kinds[others]).predict(X[[4]])[0]


def test_what_classify_refuses(patients, tmp_path, capsys):
    path, _, _ = patients
    start = ["classify", str(path), "--target", "kind", "-m", "MC1"]
    new = tmp_path / "new.csv"
    new.write_text("gene a,gene b\n1,2\n")
    for words, sentence in (
        ([], "nothing to classify"),
        (["--rows", "a"], "--rows got 'a'"),
        (["--rows", "3,3"], "different numbers of rows"),
        (["--rows", "60"], "--rows names row 60"),
        (["--rows", "1", "--new", str(new)], "either says what to classify"),
        (["--new", str(new)], "lacks 1 of 3 columns"),
        (["--rows", "1", "--weights", str(tmp_path / "w.csv")], "has no weights at single rows"),
    ):
        found = call(capsys, *start, *words)
        assert found.code != 0
        assert sentence in " ".join(found.err.split())
    found = call(capsys, "classify", str(path), "--target", "kind", "-m", "ReliefF", "--rows", "1")
    assert "takes what is a classifier" in found.err


def test_reasons_plot_and_plain_values(patients):
    pytest.importorskip("matplotlib").use("Agg")
    _, X, kinds = patients
    reasons = fewer.Scythe().fit(X, kinds).explain(X[:4])
    ax = reasons.plot(most=2)
    assert len(ax.get_xticklabels()) == 2
    assert ax.get_yticklabels()[0].get_text() == f"row 0: {reasons.predicted[0]}"
    plain = json.loads(json.dumps(reasons.to_dict()))
    assert plain["method"] == "Scythe"
    assert len(plain["rows"][0]["voters"]["class"]) == 5
    np.testing.assert_allclose(sum(plain["rows"][0]["features"]["weight"]), 1.0)
    found = reasons.features(0, 1)
    j = reasons.weights[0].argmax()
    assert found["feature"] == [f"x{j}"]
    assert found["times"][0] == pytest.approx(reasons.weights[0, j] / reasons.average[j])
    assert "weight" in str(reasons)
    with pytest.raises(ValueError, match="There are 4 rows, but 1 names"):
        reasons.with_rows(["a"])
    bare = fewer.KendallKNN().fit(X, kinds)
    from fewer.core.estimators.point_reasons import point_reasons

    with pytest.raises(ValueError, match="KendallKNN has no weights at single rows to draw"):
        point_reasons(bare, X[:2]).plot()


def test_voters_are_numbered_as_rows_of_the_file(patients, capsys):
    """Left-out rows are counted, too: a row that is classified is no voter of another."""
    path, X, kinds = patients
    asked = list(range(0, 40, 2))
    text = ",".join(map(str, asked))
    found = call(capsys, "classify", str(path), "--target", "kind", "-m", "ADAMENN", "--rows", text, "--json")
    others = np.setdiff1d(np.arange(60), asked)
    index = fewer.ADAMENN().fit(X[others], kinds[others]).kneighbors(X[asked])[1]
    told = [row["voters"]["training row"] for row in json.loads(found.out)["rows"]]
    np.testing.assert_array_equal(told, others[index])
