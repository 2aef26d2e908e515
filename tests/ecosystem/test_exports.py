"""Fitted selectors outside: plain columns, ONNX, skops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import fewer
from common.cases import NAMES, QUICK, case
from fewer import registry
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputError, MissingExtraError, ParameterError, RequirementError
from fewer.export import FACADES, chooses_columns, register_onnx, skops_types

COLUMNS = [name for name in NAMES if chooses_columns(registry.load(name))]
FEW = ["FTest", "MRMR", "FCBF", "SequentialSelector", "ReliefF", "RFE", "DefaultRecipe", "MissingFilter"]

# Hold arrays of scipy, which are for the reader of a file to trust.
HELD_ELSEWHERE = ["SpikeSlab", "VotingGibbs"]


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 5))
    return X, (X[:, 1] + X[:, 3] > 0).astype(int)


def of(name: str):
    c = case(name, n_rows=40)
    return registry.load(name)(**QUICK.get(name, {})).fit(c.X, c.y), c.X


@pytest.mark.parametrize("name", FEW)
def test_columns_stand_for_the_selector(name):
    made, X = of(name)
    assert np.array_equal(made.as_columns().transform(X), made.transform(X))


def test_columns_follow_names_and_the_form_of_the_output(data):
    X, y = data
    frame = pd.DataFrame(X, columns=list("abcde"))
    made = fewer.FTest(2).fit(frame, y)
    plain = made.as_columns()
    assert list(plain.get_feature_names_out()) == list(made.get_feature_names_out()) == ["b", "d"]
    # By name: another order of the columns, which the selector itself refuses, is no trap.
    assert np.array_equal(plain.transform(frame[list("edcba")]), made.transform(frame))
    made.set_output(transform="pandas")
    pd.testing.assert_frame_equal(made.as_columns().transform(frame), made.transform(frame))
    other = pl.DataFrame(frame)
    assert np.array_equal(fewer.FTest(2).fit(other, y).as_columns(other).transform(other), X[:, [1, 3]])


def test_columns_of_sparse_rows_stay_sparse(data):
    X, y = data
    rows = scipy.sparse.csr_array(np.where(X > 0, X, 0.0))
    made = fewer.InformationGain(2).fit(rows, y)
    assert not scipy.sparse.issparse(made.as_columns().transform(rows))
    out = made.as_columns(rows).transform(rows)
    assert scipy.sparse.issparse(out)
    assert np.array_equal(out.toarray(), made.transform(rows).toarray())


def test_what_makes_its_columns_is_refused():
    others = [name for name in NAMES if name not in COLUMNS]
    for name in others:
        made, _ = of(name)
        with pytest.raises(RequirementError, match="makes the columns that it keeps"):
            made.as_columns()


@pytest.fixture
def onnx():
    pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")

    def run(model, X, example=None, initial_types=None):
        from skl2onnx import to_onnx

        if initial_types is None and example is None:
            example = X[:1]
        made = to_onnx(model, example, initial_types=initial_types)
        session = runtime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
        if isinstance(X, dict):
            return session.run(None, X)
        if hasattr(X, "columns"):
            return session.run(None, {c: X[[c]].to_numpy() for c in X.columns})
        return session.run(None, {session.get_inputs()[0].name: X})

    register_onnx()
    return run


@pytest.mark.parametrize("name", COLUMNS)
def test_onnx_agrees_on_every_row(name, onnx):
    made, X = of(name)
    if not made.support_.any():
        pytest.skip("keeps nothing of these rows")
    X = X.astype(np.float32)
    assert np.array_equal(onnx(made, X)[0], made.transform(X))


def test_a_pipeline_in_onnx_agrees_on_every_row(data, onnx):
    X, y = data[0].astype(np.float32), data[1]
    # The last one is a classifier as well, of which skl2onnx would expect labels and probabilities.
    for selector in (fewer.FTest(2), fewer.JMI(3), fewer.Chain([fewer.FTest(3), fewer.MRMR(2)]), fewer.L1SVM()):
        model = make_pipeline(StandardScaler(), selector, LogisticRegression()).fit(X, y)
        labels, chances = onnx(model, X)[:2]
        assert np.array_equal(labels, model.predict(X))
        told = np.array([[row[c] for c in model.classes_] for row in chances])
        np.testing.assert_allclose(told, model.predict_proba(X), atol=1e-5)


def test_only_the_first_column_kept_is_that_column(onnx, data):
    # The converter of skl2onnx for selectors returns zeros here.
    X = data[0].astype(np.float32)
    made = fewer.FTest(1).fit(X, (X[:, 0] > 0).astype(int))
    assert made.get_support(indices=True).tolist() == [0]
    assert np.array_equal(onnx(made, X)[0], X[:, :1])
    assert np.array_equal(onnx(made, X.astype(np.float64))[0], X[:, :1])


def test_a_frame_is_one_input_per_column(onnx, data):
    frame = pd.DataFrame(data[0].astype(np.float32), columns=list("abcde"))
    made = fewer.FTest(2).fit(frame, data[1])
    assert np.array_equal(onnx(made, frame)[0], frame[["b", "d"]].to_numpy())
    with pytest.raises(InputError, match="joins columns of one type only"):
        onnx(made, frame.astype({"b": np.int64}))
    # What is dropped may be of any type.
    assert np.array_equal(onnx(made, frame.astype({"a": np.int64}))[0], frame[["b", "d"]].to_numpy())


def test_inputs_with_names_are_taken_by_name(onnx, data):
    from skl2onnx.common.data_types import FloatTensorType

    frame = pd.DataFrame(data[0].astype(np.float32), columns=list("abcde"))
    made = fewer.FTest(2).fit(frame, data[1])
    given = [(name, FloatTensorType([None, 1])) for name in "edcba"]
    assert np.array_equal(onnx(made, frame, initial_types=given)[0], frame[["b", "d"]].to_numpy())
    # Other names say nothing, so that the order counts; nor do those of rows without names.
    given = [(f"{name}{name}", FloatTensorType([None, 1])) for name in "abcde"]
    doubled = frame.rename(columns=lambda name: f"{name}{name}")
    assert np.array_equal(onnx(made, doubled, initial_types=given)[0], frame[["b", "d"]].to_numpy())


def test_blocks_of_columns_are_counted_through(onnx, data):
    from skl2onnx.common.data_types import FloatTensorType

    X = data[0].astype(np.float32)
    made = fewer.FTest(2).fit(X, data[1])
    blocks = {"first": X[:, :3], "second": X[:, 3:]}
    given = [(name, FloatTensorType([None, block.shape[1]])) for name, block in blocks.items()]
    assert np.array_equal(onnx(made, blocks, initial_types=given)[0], made.transform(X))
    with pytest.raises(InputError, match=r"inputs of 4 columns, but was fitted to 5 features"):
        onnx(made, X, X[:1, :4])


def test_texts_and_numbers_side_by_side(onnx, data):
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType

    X, y = data
    kinds = np.where(y == 1, "up", "down")
    kinds[:5] = "flat"
    frame = pd.DataFrame({"kind": kinds, "a": X[:, 1].astype(np.float32), "b": X[:, 0].astype(np.float32)})
    types = {"kind": StringTensorType([None, 1]), "a": FloatTensorType([None, 1]), "b": FloatTensorType([None, 1])}
    feed = {name: frame[[name]].to_numpy() for name in frame}
    words = fewer.InformationGain(1).fit(frame, y)
    assert words.selection_.kept_names == ["kind"]
    assert onnx(words, feed, initial_types=list(types.items()))[0].ravel().tolist() == kinds.tolist()
    model = make_pipeline(words, OneHotEncoder(), LogisticRegression()).fit(frame, y)
    assert np.array_equal(onnx(model, feed, initial_types=list(types.items()))[0], model.predict(frame))
    both = fewer.InformationGain(2).fit(frame, y)
    with pytest.raises(InputError, match="kept columns of the types FloatTensorType, StringTensorType"):
        onnx(both, feed, initial_types=list(types.items()))


def test_nothing_kept_has_no_onnx(onnx, data):
    made = fewer.FTest("threshold:1e9").fit(*data)
    assert not made.support_.any()
    with pytest.raises(InputError, match="kept no feature"):
        onnx(made, data[0].astype(np.float32))


def test_every_selector_of_columns_is_registered(onnx):
    names = register_onnx()
    assert set(COLUMNS) <= set(names)
    assert set(FACADES) <= set(names)
    for other in ("FTest", fewer.Kmers):
        with pytest.raises(ParameterError, match="takes classes of selectors"):
            register_onnx(other)


def test_all_selectors_beside_the_methods_are_known():
    made = {name: registry.public(name) for name in registry.FUNCTIONS}
    found = {name for name, one in made.items() if isinstance(one, type) and issubclass(one, BaseSelector)}
    assert found == set(FACADES)
    assert {registry.public(name).__name__ for name in FACADES} <= {name.rpartition(".")[2] for name in skops_types()}


def test_a_selector_around_another_in_onnx_and_skops(onnx, data):
    X = data[0].astype(np.float32)
    made = fewer.Constrained(fewer.FTest(2), fixed_features=[4]).fit(X, data[1])
    assert np.array_equal(onnx(made, X)[0], made.transform(X))
    files = pytest.importorskip("skops.io")
    assert np.array_equal(files.loads(files.dumps(made), trusted=skops_types()).transform(X), made.transform(X))


def test_without_skl2onnx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "skl2onnx", None)
    with pytest.raises(MissingExtraError, match=r"fewer\[onnx\]"):
        register_onnx()


@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in HELD_ELSEWHERE])
def test_skops_loads_what_the_list_names(name):
    files = pytest.importorskip("skops.io")
    made, X = of(name)
    again = files.loads(files.dumps(made), trusted=skops_types())
    assert np.array_equal(again.transform(X), made.transform(X))
    assert again.selection_.to_json() == made.selection_.to_json()


def test_skops_loads_parts_given_as_parameters(data):
    files = pytest.importorskip("skops.io")
    size = fewer.stop.FDR(0.05) if hasattr(fewer.stop, "FDR") else fewer.stop.Count(2)
    made = fewer.Chain([fewer.FTest(3), fewer.MRMR(size)]).fit(*data)
    again = files.loads(files.dumps(made), trusted=skops_types())
    assert again.selection_.indices.tolist() == made.selection_.indices.tolist()


def test_the_list_names_types_that_exist():
    names = skops_types()
    assert len(names) == len(set(names))
    for name in names:
        module, _, last = name.rpartition(".")
        assert registry.part(module, last).__name__ == last
    ours = {type(value).__module__ for value in vars(fewer.FTest(2).fit([[1.0], [2.0]], [0, 1]).selection_).values()}
    assert {m for m in ours if m.startswith("fewer.")} <= {name.rpartition(".")[0] for name in names}


def test_options_of_a_classifier_do_not_disturb_a_selector_that_is_one_too():
    pytest.importorskip("onnxruntime")
    skl2onnx = pytest.importorskip("skl2onnx")
    fewer.export.register_onnx()
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5)).astype(np.float32)
    y = (X[:, 1] > 0).astype(int)
    model = make_pipeline(fewer.L1SVM(2), LogisticRegression()).fit(X, y)
    made = skl2onnx.to_onnx(model, X[:1], options={id(model[-1]): {"zipmap": False}})
    found = onnxruntime_of(made)(X)
    assert (found[0] == model.predict(X)).all()
    assert found[1].shape == (60, 2)


def onnxruntime_of(made):
    import onnxruntime

    ready = onnxruntime.InferenceSession(made.SerializeToString())
    return lambda X: ready.run(None, {ready.get_inputs()[0].name: X})
