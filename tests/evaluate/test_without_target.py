"""Comparisons without a target: half-samples, clusters, agreement, stability."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import adjusted_rand_score, silhouette_score

import fewer
from fewer.core.records.errors import FewerError, FileError
from fewer.evaluate import half_samples
from fewer.evaluate.half_samples import best_means, clustered, halves, standardized, uniform_like
from fewer.evaluate.stability import nogueira


@pytest.fixture(scope="module")
def data():
    return fewer.synth.make_noise_feature_clusters(160, n_irrelevant=6, random_state=0)


def test_halves_share_no_row_and_use_all():
    for n in (16, 17):
        for first, second in halves(n, 5, seed=1):
            assert len(first) == len(second) == 8
            assert len({*first.tolist(), *second.tolist()}) == 16
    assert not np.array_equal(halves(20, 2, 0)[0][0], halves(20, 2, 0)[1][0])


def test_the_number_of_clusters_is_that_of_the_largest_silhouette():
    groups = fewer.synth.make_dim_dependent_clusters(120, random_state=0)
    X = standardized(groups.X)
    means, value = best_means(X, 6, 0)
    assert means.n_clusters == 3
    assert adjusted_rand_score(groups.y, means.labels_) > 0.9
    assert value == pytest.approx(silhouette_score(X, means.labels_))
    assert best_means(standardized(groups.X[:, :1]), 6, 0)[0].n_clusters == 2
    assert best_means(np.zeros((20, 2)), 6, 0) is None


def test_columns_are_standardized_whatever_their_units():
    X = np.random.default_rng(0).normal(size=(30, 3))
    for scaled in (X, X * 1e150, X * 1e-150, np.ldexp(X, 900)):
        np.testing.assert_allclose(standardized(scaled), standardized(X), atol=1e-9)
    np.testing.assert_allclose(standardized(X).std(axis=0), 1.0)
    assert (standardized(np.full((5, 1), 3.0)) == 0).all()


def test_who_finds_the_groups_comes_first(data):
    found = fewer.compare_without_target(
        data.X, ["RandomRanking", "MixtureOverlap"], size=2, labels=data.y, n_halves=4, max_clusters=5
    )
    first, *others = found.rows()
    assert first["method"] == "MixtureOverlap"
    assert first["agreement"] > 0.95
    assert first["nmi"] > 0.95
    assert first["stability"] == 1.0
    assert first["n_clusters"] == 2
    by_name = {line["method"]: line for line in others}
    assert by_name["RandomRanking"]["agreement"] < first["agreement"]
    assert np.isnan(by_name["all columns"]["stability"])
    assert by_name["all columns"]["n_features"] == 8
    assert list(found.chosen("MixtureOverlap")) == ["x0", "x1"]


def test_labels_change_nothing_but_the_last_column(data):
    one = fewer.compare_without_target(data.X, "MixtureOverlap", n_halves=2, max_clusters=3)
    other = fewer.compare_without_target(data.X, "MixtureOverlap", n_halves=2, max_clusters=3, labels=data.y)
    assert "nmi" not in one.rows()[0]
    for here, there in zip(one.rows(), other.rows()):
        assert list(there)[-1] == "nmi"
        for head in here:
            if head != "seconds":
                np.testing.assert_equal(here[head], there[head])


def test_columns_that_cannot_be_chosen_do_not_count_for_stability(data):
    X = pd.DataFrame(data.X, columns=list("abcdefgh"))
    more = X.assign(constant=3.0, copy=X["a"], word=["u", "v"] * 80, hole=np.where(np.arange(160) == 3, np.nan, X["c"]))
    plain, wide = (
        fewer.compare_without_target(x, "RandomRanking", size=3, n_halves=5, max_clusters=2) for x in (X, more)
    )
    assert wide.meta["left_out"] == {
        "constant": "constant",
        "copy": "duplicate",
        "word": "nominal",
        "hole": "missing values",
    }
    assert wide.candidates == plain.candidates == tuple(range(8))
    assert plain.stability("RandomRanking") == wide.stability("RandomRanking")
    subsets = [one.chosen for one in plain.halves["RandomRanking"]]
    assert plain.stability("RandomRanking") == pytest.approx(nogueira(subsets, 8).value)


def test_dates_of_a_file_are_left_out_and_nothing_else(data, tmp_path):
    X = pd.DataFrame(data.X[:, :4], columns=list("abcd"))
    X.insert(1, "day", pd.date_range("2020-01-01", periods=160))
    path = tmp_path / "days.csv"
    X.to_csv(path, index=False)
    found = fewer.compare_without_target(path, "RandomRanking", size=1, n_halves=2, max_clusters=2)
    assert found.meta["left_out"] == {"day": "date"}
    assert [found.names[j] for j in found.candidates] == list("abcd")


def test_equal_columns_have_equal_figures_whoever_chose_them(data):
    some = {"one": "RandomRanking", "two": "MixtureOverlap"}
    found = fewer.compare_without_target(data.X, some, size=99, n_halves=3, max_clusters=4)
    first, *others = ({**line, "method": "", "seconds": 0.0} for line in found.rows())
    for other in others:
        np.testing.assert_equal(other, first)
    alone = fewer.compare_without_target(data.X, {"two": "MixtureOverlap"}, size=99, n_halves=3, max_clusters=4)
    assert alone.to_dict(timings=False)["halves"]["two"] == found.to_dict(timings=False)["halves"]["two"]


def test_rows_without_groups_are_not_above_their_reference(data):
    noise = np.random.default_rng(0).random((120, 4))
    groups = np.random.default_rng(1).permutation(data.X[:120, :2])
    for X, above in (
        (noise[:, :2], False),
        (noise @ np.random.default_rng(2).normal(size=(4, 4)), False),
        (groups, True),
    ):
        line = fewer.compare_without_target(X, "RandomRanking", size=4, n_halves=4, max_clusters=5).rows()[0]
        assert (line["silhouette"] > line["silhouette_uniform"] + 0.1) == above
        assert (line["agreement"] > line["agreement_uniform"] + 0.1) <= above
    box = uniform_like(noise - noise.mean(axis=0), np.random.default_rng(0))
    assert box.shape == noise.shape
    # Along a line there is no width.
    line = np.outer(np.linspace(-1, 1, 50), [3.0, 4.0])
    drawn = uniform_like(line, np.random.default_rng(0))
    np.testing.assert_allclose(drawn @ [4.0, -3.0], 0.0, atol=1e-12)
    assert 4.5 < np.abs(drawn @ [0.6, 0.8]).max() <= 5.0 + 1e-12


def test_the_silhouette_is_that_of_the_half_on_which_nothing_was_chosen(data):
    first, second = data.X[:40, :2], np.random.default_rng(0).random((40, 2))
    found = clustered(first, second, None, 4, 0)
    assert found["silhouette"] == best_means(standardized(second), 4, 0)[1] < best_means(standardized(first), 4, 0)[1]
    assert found["n_clusters"] == best_means(standardized(second), 4, 0)[0].n_clusters


def test_missing_labels_do_not_count(data):
    labels = data.y.astype(object)
    labels[::3] = None
    some = {"n_halves": 2, "max_clusters": 3}
    found = fewer.compare_without_target(data.X[:, :2], "RandomRanking", 2, labels=labels, **some)
    assert found.rows()[0]["nmi"] > 0.95
    assert np.isnan(
        fewer.compare_without_target(data.X, "RandomRanking", labels=[np.nan] * 160, **some).rows()[0]["nmi"]
    )


def test_compare_without_y_is_the_comparison_without_a_target(data, tmp_path, monkeypatch):
    monkeypatch.setattr(half_samples, "STARTS", 1)
    X = data.X[:20, :2]
    want = fewer.compare_without_target(X, "RandomRanking", 1, random_state=3)
    path = tmp_path / "groups.csv"
    pd.DataFrame(X).add_prefix("x").to_csv(path, index=False)
    for source, sizes in ((X, 1), (path, [1])):
        found = fewer.compare(source, methods="RandomRanking", sizes=sizes, random_state=3)
        assert found.to_json(timings=False) == want.to_json(timings=False)
    for given, words in (
        ({"cv": 5}, "needs a target for cv, but y is None"),
        ({"estimators": "ridge", "groups": [1] * 40}, "for estimators and groups, but"),
        ({"dates": "expand"}, "for dates, but"),
        ({"sizes": [1, 2]}, "for 2 sizes, but"),
        ({"methods": "JMI"}, "pass y to fewer.compare"),
    ):
        with pytest.raises(FewerError, match=words):
            fewer.compare(data.X[:40], **given)


def test_what_is_no_comparison_is_told_in_a_sentence(tmp_path):
    for text in ('{"a": 1}', '{"format": 7, "kind": "comparison without target"}', "{]"):
        with pytest.raises(FileError) as caught:
            fewer.HalfComparison.from_json(text)
        assert str(caught.value).count(". ") == 0
    with pytest.raises(FileError, match="no file"):
        fewer.HalfComparison.from_json(tmp_path / "none.json")


def test_a_baseline_with_a_seed_of_its_own_is_not_stable(data):
    method = fewer.RandomRanking(random_state=3)
    found = fewer.compare_without_target(data.X, {"random": method}, size=3, n_halves=5, max_clusters=2)
    assert found.stability("random") < 0.9
    assert method.random_state == 3


def test_the_seed_decides_and_json_holds_everything(data):
    def run(seed):
        return fewer.compare_without_target(
            data.X, "RandomRanking", size=3, n_halves=3, max_clusters=3, random_state=seed
        )

    first = run(1)
    assert first.to_json(timings=False) == run(1).to_json(timings=False)
    assert first.to_json(timings=False) != run(2).to_json(timings=False)
    again = fewer.HalfComparison.from_json(first.to_json())
    assert again.to_dict() == first.to_dict()
    np.testing.assert_equal(again.rows(), first.rows())
    assert "NaN" not in first.to_json()


def test_a_method_that_fails_is_told_and_the_others_go_on(data):
    class Broken(type(fewer.MixtureOverlap())):
        def _select(self, *parts):
            raise RuntimeError("no more")

    found = fewer.compare_without_target(
        data.X, {"broken": Broken(), "good": "MixtureOverlap"}, size=2, n_halves=2, max_clusters=2
    )
    assert "no more" in found.failures()["broken"]
    assert found.rows()[-1]["method"] == "broken"
    assert found.rows()[-1]["failed"] == 2
    assert np.isnan(found.stability("broken"))
    assert "good" not in found.failures()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"methods": "JMI"}, "needs a target"),
        ({"methods": {"all columns": "MixtureOverlap"}}, "uses itself"),
        ({"size": 0}, "size"),
        ({"n_halves": 1}, "n_halves"),
        ({"max_clusters": 1}, "max_clusters"),
        ({"labels": [1, 2]}, "160 rows"),
        ({"X": np.ones((160, 2))}, "constant, so that none tells rows apart; check"),
        ({"X": pd.DataFrame({"word": ["u", "v"] * 80})}, "no column"),
        ({"X": np.random.default_rng(0).random((9, 2))}, "9 rows"),
    ],
)
def test_what_cannot_be_is_refused(data, change, words):
    with pytest.raises((FewerError, ValueError), match=words) as caught:
        fewer.compare_without_target(**{"X": data.X, **change})
    assert str(caught.value).count(". ") == 0


def test_sparse_rows_give_the_same(data):
    import scipy.sparse

    X = np.where(data.X > 0, data.X, 0.0)
    dense, sparse = (
        fewer.compare_without_target(x, "RandomRanking", size=2, n_halves=2, max_clusters=3)
        for x in (X, scipy.sparse.csr_array(X))
    )
    assert dense.to_json(timings=False) == sparse.to_json(timings=False)
    assert json.loads(dense.to_json())["format"].startswith("fewer comparison")
