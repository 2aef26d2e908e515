"""A comparison: deterministic, resumable, tolerant of methods that fail, honest about bad input."""

from __future__ import annotations

import contextlib
import json
import re
import signal

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score
from sklearn.naive_bayes import GaussianNB

import fewer
from fewer import registry
from fewer.core.records.errors import FewerError, FileError, InputError, ParameterError
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.runners import progress
from fewer.core.views.row_splits import make_splits
from fewer.evaluate.compare import Interrupted, compare
from fewer.evaluate.comparison import Comparison
from fewer.evaluate.stability import nogueira

SMALL = {"methods": ["FTest", "JMI", "FCBF"], "estimators": ["logistic", "neighbours"], "sizes": [1, 2, 4], "cv": 3}


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def found(iris):
    return compare(*iris, **SMALL)


def plain(comparison):
    return comparison.to_json(timings=False)


def test_axes_and_facts(found, iris):
    assert found.scores.shape == found.naive.shape == (3, 2, 3, 3)
    assert found.kept.shape == (3, 3, 3)
    assert found.whole.shape == (2, 3)
    assert found.chance == pytest.approx(1 / 3, abs=0.03)
    assert (found.n_train + found.n_test == 150).all()
    assert found.names == tuple(iris[0].columns)
    assert found.meta["data"]["classes"] == {"0": 50, "1": 50, "2": 50}
    assert set(found.meta["families"]) == set(found.methods)
    assert found.meta["families"]["JMI"] == "information"
    assert found.seconds["select"].shape == (3, 3)
    # Four of four features is what the estimators had without a method.
    np.testing.assert_array_equal(found.scores[0, :, 2], found.whole)


def test_table_has_one_row_per_setting(found):
    table = found.table()
    assert len(table) == 3 * 2 * 3
    wanted = {"method", "estimator", "size", "score", "low", "high", "stability", "seconds"}
    assert wanted <= set(table.columns)
    row = table[(table.method == "JMI") & (table.estimator == "logistic") & (table["size"] == 2)].iloc[0]
    assert row.score == pytest.approx(found.scores[1, 0, 1].mean())
    subsets = [found.chosen("JMI", 2, f) for f in range(3)]
    assert row.stability == pytest.approx(nogueira(subsets, 4).value)
    assert found.table("polars").shape[0] == 18


def test_headline_is_the_cheapest_within_one_standard_error(found):
    best, rows = found.best(), found.rows()
    top = max(rows, key=lambda row: (round(row["score"], 12), -row["kept"]))
    assert best.best_score == pytest.approx(top["score"])
    near = [row for row in rows if row["score"] >= best.best_score - best.best_error]
    assert best.kept == min(row["kept"] for row in near)
    assert len(best.features) == len(best.frequency) <= best.size
    assert best.sentence in repr(found)


def test_consensus_counts_methods_and_folds(found):
    consensus = found.consensus(2)
    for _, row in consensus.iterrows():
        times = [row["index"] in found.chosen(m, 2, f) for m in found.methods for f in range(3)]
        assert row.frequency == pytest.approx(np.mean(times))
    assert consensus.frequency.is_monotonic_decreasing
    assert consensus.frequency.sum() * 9 == pytest.approx(found.kept[:, 1].sum())


def test_agreement_ranks_and_redundancy(found):
    agreement = found.agreement()
    assert agreement.shape == (3, 3)
    np.testing.assert_allclose(np.diag(agreement), 1.0)
    ranks = found.ranks()
    assert ranks.methods == found.methods
    assert ranks.mean_ranks.sum() == pytest.approx(6)
    redundancy = found.redundancy()
    assert redundancy.kept.sum() == len(found.best().features)
    np.testing.assert_allclose(redundancy.matrix, redundancy.matrix.T)
    petal = [redundancy.names.index(f"petal {what} (cm)") for what in ("length", "width")]
    assert redundancy.matrix[petal[0], petal[1]] > 0.9
    assert redundancy.tree.shape == (len(redundancy.features) - 1, 4)


def test_portraits_count_every_row(found):
    for portrait in found.portraits:
        assert sum(map(sum, portrait["counts"])) + portrait["missing"] == 150
        assert len(portrait["edges"]) == len(portrait["counts"][0]) + 1


def test_json_round_trip(found, tmp_path):
    path = tmp_path / "c.json"
    text = found.to_json(path)
    again = Comparison.from_json(path)
    assert again.to_json() == text == Comparison.from_json(text).to_json()
    json.loads(text)
    # By their words: three folds have no interval of stability, and NaN equals nothing.
    assert repr(again.best()) == repr(found.best())
    assert again.table().equals(found.table())


def test_what_is_no_comparison_is_refused(tmp_path, iris):
    path = tmp_path / "s.json"
    fewer.FTest(2).fit(*iris).selection_.to_json(path)
    for source in (path, "{}", '{"format": 99, "kind": "comparison"}', "{oh"):
        with pytest.raises(FileError, match="comparison"):
            Comparison.from_json(source)
    with pytest.raises(FileError, match="no file"):
        Comparison.from_json(tmp_path / "absent.json")


def test_same_seed_same_json(found, iris):
    assert plain(compare(*iris, **SMALL)) == plain(found)
    assert plain(compare(*iris, **SMALL, random_state=1)) != plain(found)


def test_processes_change_nothing(found, iris):
    assert plain(compare(*iris, **SMALL, n_jobs=2)) == plain(found)


@pytest.fixture(scope="module")
def written(iris, found, tmp_path_factory):
    """The checkpoint of a run that came to its end."""
    path = tmp_path_factory.mktemp("checkpoint") / "work"
    assert plain(compare(*iris, **SMALL, checkpoint=path)) == plain(found)
    return path.read_bytes()


@pytest.mark.filterwarnings("ignore:The last line")
@pytest.mark.parametrize("share", [0.999, 0.5, 0.02, 0.0])
def test_resuming_a_cut_off_file_equals_an_uninterrupted_run(share, found, iris, written, tmp_path):
    path = tmp_path / "work"
    path.write_bytes(written[: int(share * len(written))])
    assert plain(compare(*iris, **SMALL, checkpoint=path)) == plain(found)
    # All units are there again, and nothing is left of the cut line.
    assert len(path.read_bytes().splitlines()) == len(written.splitlines())


def test_nothing_is_done_twice(iris, written, tmp_path, monkeypatch):
    path = tmp_path / "work"
    path.write_bytes(written)
    monkeypatch.setattr("fewer.evaluate.work.fold_units", lambda *_: pytest.fail("was done again"))
    compare(*iris, **SMALL, checkpoint=path)
    assert path.read_bytes() == written


def test_another_comparison_is_not_mixed_in(iris, written, tmp_path):
    path = tmp_path / "work"
    path.write_bytes(written)
    for change in ({"sizes": [1, 2]}, {"cv": 4}, {"methods": ["FTest"]}, {"scoring": "balanced_accuracy"}):
        with pytest.raises(FileError, match="written by other work"):
            compare(*iris, **{**SMALL, **change}, checkpoint=path)
    with pytest.raises(FileError, match="written by other work"):
        compare(iris[0] + 1.0, iris[1], **SMALL, checkpoint=path)
    path.write_text("precious\n")
    with pytest.raises(FileError, match="is left as it is"):
        compare(*iris, **SMALL, checkpoint=path)
    assert path.read_text() == "precious\n"
    with pytest.raises(FileError, match="cannot be used"):
        compare(*iris, **SMALL, checkpoint=tmp_path / "no" / "folder")


def interrupt_after(units):
    def listener(what, done, total):
        if what == "comparing methods" and done == units:
            signal.raise_signal(signal.SIGINT)

    return progress.listen(listener)


def test_an_interruption_leaves_a_state_to_go_on_from(found, iris, tmp_path):
    path, before = tmp_path / "work", signal.getsignal(signal.SIGINT)
    words = "5 of 24 units were finished and are kept in .*the same call goes on"
    with pytest.raises(Interrupted, match=words), interrupt_after(5):
        compare(*iris, **SMALL, checkpoint=path)
    assert signal.getsignal(signal.SIGINT) is before
    assert len(path.read_bytes().splitlines()) == 6
    assert plain(compare(*iris, **SMALL, checkpoint=path)) == plain(found)


def test_an_interruption_without_a_file_says_what_to_do(iris):
    with pytest.raises(KeyboardInterrupt, match="pass checkpoint="), interrupt_after(2):
        compare(*iris, **SMALL)


def test_an_interruption_without_leaks_is_gone_on_from_too(tmp_path, rng):
    y = np.arange(60) % 2
    X = pd.DataFrame({"a": rng.normal(size=60) + y, "b": rng.normal(size=60), "leak": 2.0 * y})
    settings = {"methods": ["FTest"], "estimators": "naive Bayes", "sizes": [1], "cv": 3, "naive": False}
    totals = []
    with progress.listen(lambda what, done, total: totals.append((done, total))):
        found = compare(X, y, **settings)
    # The second pass is a part of the work from the beginning.
    assert len({total for _, total in totals}) == 1
    total = totals[-1][1]
    assert totals[-1][0] == total
    path = tmp_path / "work"
    words = f"was finished, but interrupted .* leaks; {total - 1} of {total} units .* are kept"
    with pytest.raises(Interrupted, match=words), interrupt_after(total - 1):
        compare(X, y, **settings, checkpoint=path)
    with progress.listen(lambda what, done, total: totals.append((done, total))):
        totals.clear()
        assert plain(compare(X, y, **settings, checkpoint=path)) == plain(found)
    assert list(dict.fromkeys(totals)) == [(total - 1, total), (total, total)]
    assert found.meta["without_leaks"]["kept"] == ["a"]


class Patient(fewer.FTest):
    """Answers an interruption with what it has."""

    def _select(self, data, parts):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return super()._select(data, parts)


def test_a_method_that_swallows_the_interruption_is_not_taken_for_finished(iris, tmp_path):
    path = tmp_path / "work"
    with pytest.raises(Interrupted, match="1 of 10 units"):
        compare(*iris, [Patient()], **{k: v for k, v in SMALL.items() if k != "methods"}, checkpoint=path)


def test_a_method_that_fails_is_recorded_and_the_others_go_on(iris):
    got = compare(*iris, **{**SMALL, "methods": ["TTest", "FTest"]})
    assert got.methods == ("FTest",)
    (failure,) = got.failures
    assert failure.method == "TTest"
    assert "Only binary classification" in failure.words
    with pytest.raises(InputError, match="Every method of the comparison failed.*Only binary"):
        compare(*iris, **{**SMALL, "methods": ["TTest"]})


def test_an_estimator_that_fails_is_recorded(iris):
    class Strict(GaussianNB):
        def fit(self, X, y):
            if X.shape[1] > 2:
                raise ValueError("Too wide for me.")
            return super().fit(X, y)

    got = compare(*iris, ["FTest"], {"strict": Strict(), "plain": GaussianNB()}, [1, 4], cv=3)
    assert np.isnan(got.scores[0, 0, 1]).all()
    assert not np.isnan(got.scores[0, :, 0]).any()
    assert [(f.method, f.estimator) for f in got.failures] == [("FTest", "strict")]
    assert "Too wide" in got.failures[0].words
    assert len(got.table()) == 3
    with pytest.raises(InputError, match="Every estimator"):
        compare(*iris, ["FTest"], Strict(), [4], cv=3)


def test_the_default_panel_suits_the_data(rng):
    X, y = load_breast_cancer(return_X_y=True)
    got = compare(X[:120], y[:120], sizes=[2], cv=2, naive=False)
    assert 6 <= len(got.methods) <= 10
    assert not got.failures
    assert all(name in got.meta["panel"] for name in got.methods)
    frame = pd.DataFrame(X[:120]).rename(columns=str).assign(kind=rng.choice(["a", "b"], 120))
    frame.iloc[3, 2] = np.nan
    mixed = compare(frame, y[:120], sizes=[2], cv=2, naive=False)
    assert all(registry.load(m).method_tags.handles_nominal for m in mixed.methods)
    assert "FTest" in mixed.meta["panel"].split("Left out")[1]
    assert mixed.meta["data"]["n_nominal"] == 1
    sparse = compare(scipy.sparse.csr_array(X[:120]), y[:120], sizes=[2], cv=2, naive=False)
    assert all(registry.load(m).method_tags.handles_sparse for m in sparse.methods)


def test_regression():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    got = compare(X, y, sizes=[2, 5], cv=3, naive=False)
    assert (got.task, got.scoring) == ("regression", "r2")
    assert got.estimators == ("ridge", "neighbours", "tree")
    assert not got.failures
    assert got.best().beats_chance
    assert got.consensus().feature[0] in ("bmi", "s5")
    portrait = got.portraits[0]
    assert sum(portrait["rows"]) == len(y)
    assert compare(X[:60], y[:60], ["Pearson"], "ridge", [1], cv="loo").scoring == "neg_mean_absolute_error"


def test_labels_and_own_selectors(iris):
    got = compare(
        *iris,
        {"three": fewer.FTest("threshold:1000"), "bins": fewer.JMI(bins=3)},
        {"forest": RandomForestClassifier(5)},
        sizes=[1, 4],
        cv=3,
    )
    assert got.methods == ("three", "bins")
    # The selector's own rule holds besides the sizes.
    assert (got.kept[0, 1] < 4).all()
    assert (got.kept[1, 1] == 4).all()
    assert plain(got) == plain(
        compare(
            *iris,
            {"three": fewer.FTest("threshold:1000"), "bins": fewer.JMI(bins=3)},
            {"forest": RandomForestClassifier(5)},
            sizes=[1, 4],
            cv=3,
        )
    )
    twice = compare(*iris, [fewer.JMI(bins=3), fewer.JMI(bins=5)], "naive Bayes", [2], cv=2)
    assert twice.methods == ("JMI(bins=3)", "JMI(bins=5)")


def test_a_method_that_keeps_nothing_is_a_guess(iris):
    got = compare(*iris, [fewer.FTest("threshold:1e9"), "JMI"], "logistic", [1, 2], cv=3)
    assert (got.kept[0] == 0).all()
    splits = make_splits(3, iris[1], "classification")
    guesses = [
        accuracy_score(iris[1][test], np.repeat(np.bincount(iris[1][train]).argmax(), len(test)))
        for train, test in zip(splits.train, splits.test)
    ]
    np.testing.assert_array_equal(got.scores[0, 0], np.tile(guesses, (2, 1)))
    assert np.isnan(got.stability(got.methods[0], 1).value)


class Unnested(fewer.FTest):
    """Chooses the best for even sizes and the worst for odd ones."""

    method_tags = fewer.FTest.method_tags.__class__(**{**vars(fewer.FTest.method_tags), "nested": False})

    def _select(self, data, parts):
        found = super()._select(data, parts)
        if self.n_features_to_select % 2 == 0:
            return found
        worst = found.order[::-1][: self.n_features_to_select].copy()
        reasons = Reasons.of_kept(data.n_features, worst, NOT_REACHED)
        return fewer.Selection.build(worst, found.order[::-1], reasons, found.scores)


def test_choices_that_are_not_nested_are_made_for_every_size(iris):
    got = compare(*iris, {"odd": Unnested()}, "logistic", [1, 2, 3], cv=3)
    order = fewer.FTest(None).fit(*iris).selection_.order
    assert got.chosen("odd", 1, 0).tolist() == [order[-1]]
    assert set(got.chosen("odd", 2, 0)) == set(order[:2])
    assert Comparison.from_json(got.to_json()).chosen("odd", 3, 1).tolist() == got.chosen("odd", 3, 1).tolist()


def test_files_and_column_names(iris, tmp_path):
    frame = iris[0].assign(kind=np.array(["a", "b", "c"])[iris[1]])
    path = tmp_path / "iris.csv"
    frame.to_csv(path, index=False)
    from_file = compare(path, "kind", **SMALL)
    from_frame = compare(frame, "kind", **SMALL)
    np.testing.assert_array_equal(from_file.scores, from_frame.scores)
    assert f"{str(path)!r}, 'kind'" in from_file.meta["command"]


def test_the_command_makes_it_again(found, iris):
    X, y = iris
    again = eval(found.meta["command"], {"fewer": type("fewer", (), {"compare": compare}), "X": X, "y": y})
    np.testing.assert_array_equal(again.scores, found.scores)


def test_warnings_become_notes(iris):
    got = compare(*iris, ["FTest"], QuadraticDiscriminantAnalysis(), [1], cv=2, scoring=warns)
    assert got.meta["notes"] == ["UserWarning: Mind the gap. (5 times)"]


def warns(model, X, y):
    import warnings

    warnings.warn("Mind the gap.", stacklevel=1)
    return 0.5


X5, Y5 = np.arange(20.0).reshape(10, 2) % 7, np.array([0, 1] * 5)
BAD = [
    (lambda: (np.empty((0, 3)), []), "minimum of 2|0 sample"),
    (lambda: (np.empty((5, 0)), [0, 1, 0, 1, 0]), "0 feature"),
    (lambda: (X5[:1], [0]), "minimum of 2"),
    (lambda: (X5, None), "compare needs a target"),
    (lambda: (X5, np.zeros(10, int)), "compare needs at least two classes"),
    (lambda: (X5, Y5[:7]), "10 rows and y with 7"),
    (lambda: (X5, np.where(Y5 == 0, np.nan, 1.0)), "needs at least two classes, but y has only one class"),
    (lambda: (np.where(X5 == 3, np.inf, X5), Y5), "infinity"),
    (lambda: (pd.DataFrame(X5, columns=["a", "y"]), pd.Series(Y5, name="y")), "leak"),
    (lambda: (pd.DataFrame(X5, columns=["a", "a"]), Y5), "more than one column named a"),
    (lambda: (pd.DataFrame({"when": pd.date_range("2020", periods=10)}), Y5), r"left out \(date\)"),
    (lambda: ({"a": [1, 2]}, [0, 1]), "dictionary"),
    (lambda: (pd.DataFrame(X5, columns=["a", "b"]), "c"), "no column 'c'"),
    (lambda: (X5, "c"), "no column names"),
    (lambda: ("absent.csv", "y"), "absent.csv"),
    (lambda: (np.array([["a", "b"]] * 10), Y5), "."),
    (lambda: (X5, np.array([[0, 1]] * 10)), "."),
]


@pytest.mark.parametrize(("make", "words"), BAD)
def test_bad_input_is_refused_in_a_sentence(make, words):
    with pytest.raises((FewerError, ValueError, TypeError), match=words):
        compare(*make(), methods=["JMI"], cv=2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"methods": ["FTset"]}, "no method named 'FTset'.*Did you mean FTest"),
        ({"methods": []}, "methods is empty"),
        ({"methods": 5}, "methods got 5"),
        ({"methods": [GaussianNB()]}, "no selector of fewer"),
        ({"methods": ["RankOrderNB"]}, "selects no features"),
        ({"methods": ["FTest", "FTest"]}, "given twice"),
        ({"methods": [fewer.JMI(categorical_features=[0])]}, "categorical_features to compare"),
        ({"estimators": ["logisitc"]}, "Did you mean logistic"),
        ({"estimators": [GaussianNB]}, "does not fit and predict"),
        ({"estimators": {}}, "estimators is empty"),
        ({"estimators": 3}, "estimators got 3"),
        ({"sizes": [0, 1]}, "sizes got"),
        ({"sizes": [5]}, "from 1 to the 4 features"),
        ({"sizes": [1.5]}, "sizes got"),
        ({"sizes": []}, "sizes got"),
        ({"scoring": "acuracy"}, "no score of scikit-learn"),
        ({"cv": "often"}, "got cv='often'"),
        ({"task": "clustering"}, "task='clustering'"),
        ({"random_state": -1}, "random_state=-1"),
        ({"random_state": "x"}, "random_state='x'"),
    ],
)
def test_bad_parameters_are_refused_before_any_work(change, words, iris):
    with pytest.raises(ParameterError, match=words):
        compare(*iris, **{**SMALL, **change})


def test_the_comparison_answers_wrong_questions_in_a_sentence(found):
    with pytest.raises(InputError, match="no method 'JM'.*Did you mean JMI"):
        found.curve("JM")
    with pytest.raises(ParameterError, match="no estimator"):
        found.curve("JMI", "svm")
    with pytest.raises(ParameterError, match="no size 3"):
        found.consensus(3)
    with pytest.raises(InputError, match="'pandas' or 'polars'"):
        found.table("arrow")


def test_golub_leukaemia_in_a_reasonable_time(shared_data):
    data = shared_data("leukemia_golub")
    got = compare(data["X"], data["y"], ["FTest", "SymmetricalUncertainty"], ["naive Bayes"], [10, 50], cv=3)
    assert got.best().score > 0.85
    assert got.n_features == 7129


def test_methods_that_are_quadratic_leave_the_panel_of_large_data():
    from fewer.evaluate import panel

    assert panel._too_slow("n^2*d", type("D", (), {"n_rows": 10**6, "n_features": 10})())
    assert panel._too_slow("n*d^2", type("D", (), {"n_rows": 10, "n_features": 10**6})())
    costs = {entry.name: registry.load(entry.name).method_tags.cost for entry in registry.METHODS}
    assert not [name for name, cost in costs.items() if re.search(r"\*\*|\b(n|d)\*\1\b", cost)]


def test_training_rows_of_one_class_are_named_before_any_work():
    X, y = np.arange(4.0).reshape(-1, 1), np.array(["no", "no", "yes", "yes"])
    with pytest.raises(InputError, match="part 1 of 1 holds only the class no"):
        fewer.compare(X, y, ["FTest"], sizes=[1], cv=[([0, 1], [2, 3])])
