"""Targets that are known for some rows, in all forms: arrays, frames, files, the command line."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import fewer
from fewer.core.records.errors import InputError
from fewer.report.html import data_facts

N = 60
KNOWN = np.arange(N) < 12


def rows():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, N))
    return np.column_stack([6 * a, 6 * b, np.zeros(N)]) + rng.normal(size=(N, 3)), b


X, LABELS = rows()
TEXTS = np.array(["no", "yes"])[LABELS]
NUMBERS = np.where(KNOWN, LABELS, -1)
FORMS = {
    "float": np.where(KNOWN, LABELS, np.nan),
    "text": np.where(KNOWN, TEXTS, "-1"),
    "objects": np.array([v if here else -1 for v, here in zip(TEXTS, KNOWN)], object),
    "none": [v if here else None for v, here in zip(TEXTS, KNOWN)],
    "hidden": np.ma.array(LABELS, mask=~KNOWN),
    "categories": pd.Categorical(np.where(KNOWN, TEXTS, "-1")),
    "numbered categories": pd.Categorical(NUMBERS),
    "nullable": pd.Series(NUMBERS, dtype="Int64").where(KNOWN),
    "string": pd.Series(TEXTS, dtype="string").where(KNOWN),
}


def wanted():
    return fewer.SSelect(1).fit(X, NUMBERS).scores_


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_say_the_same(form):
    np.testing.assert_array_equal(fewer.SSelect(1).fit(X, FORMS[form]).scores_, wanted())


@pytest.mark.parametrize("form", ["float", "text", "none"])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files_keep_rows_without_a_label(form, suffix, tmp_path):
    path = tmp_path / f"rows.{suffix}"
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=FORMS[form])
    frame.to_csv(path, index=False) if suffix == "csv" else frame.to_parquet(path)
    found = fewer.select(path, "y", "SSelect")
    np.testing.assert_allclose(found.scores, wanted(), rtol=1e-9)
    assert (found.meta["data"]["n_labelled"], found.meta["data"].get("n_without_target")) == (12, None)
    held = fewer.open_table(path, target="y").load()
    np.testing.assert_allclose(fewer.SSelect(1).fit(held).scores_, wanted(), rtol=1e-9)
    assert data_facts(found.meta["data"], 3, None)[0]["Rows with a label"] == "12"
    # Other methods leave these rows out as before.
    others = fewer.select(path, "y", "FTest")
    assert form == "text" or others.meta["data"]["n_without_target"] == N - 12


@pytest.mark.parametrize("form", [FORMS["float"], NUMBERS])
def test_matrices_keep_rows_without_a_label(form, tmp_path):
    np.savez(tmp_path / "rows.npz", X=X, y=form)
    np.testing.assert_allclose(fewer.select(tmp_path / "rows.npz", None, "SSelect").scores, wanted(), rtol=1e-9)


def test_projectors_on_files_read_no_label_as_none(tmp_path):
    expected = fewer.RCA().fit(X, NUMBERS).components_
    for form in ("float", "text"):
        path = tmp_path / f"{form}.csv"
        pd.DataFrame(X, columns=list("abc")).assign(y=FORMS[form]).to_csv(path, index=False)
        made = fewer.RCA().fit(fewer.open_table(path, target="y").load())
        np.testing.assert_allclose(made.components_, expected, rtol=1e-9)


def test_one_class_beside_rows_without_a_label_is_refused():
    with pytest.raises(InputError, match=r"only one class \(1\) beside rows of -1 or a missing value"):
        fewer.SSelect(1).fit(X, np.where(LABELS, 1, -1))


@pytest.mark.parametrize("locality", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_sparse_columns_agree_as_dense_ones(locality, seed):
    rng = np.random.default_rng(seed)
    some = np.where(rng.random((40, 6)) < 0.6, 0.0, rng.integers(-2, 4, (40, 6)) + 0.0)
    some[:, 5] = 1e6 + rng.integers(0, 3, 40)
    y = np.where(rng.random(40) < 0.5, rng.integers(0, 3, 40), -1)
    made = fewer.SSelect(2, locality=locality)
    np.testing.assert_allclose(made.fit(scipy.sparse.csr_array(some), y).scores_, made.fit(some, y).scores_, atol=1e-9)


def test_labels_of_all_sparse_rows_make_nothing_dense():
    texts = scipy.sparse.random_array(
        (1000, 20_000), density=0.002, random_state=np.random.default_rng(0), format="csr"
    )
    y = np.arange(1000) % 3
    made = fewer.SSelect(5)
    made.fit(texts[:50], y[:50])
    tracemalloc.start()
    made.fit(texts, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1000 * 20_000 * 8 / 2
