"""Sparse matrices that lie about themselves are refused before anything reads them, and none is changed."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import fewer
from fewer.core.records.errors import FileError, InputError, InputTypeError
from fewer.core.views.sparse_input import check_structure, tidy

DAMAGES = {
    "index above": lambda X: X.indices.__setitem__(3, 10**6),
    "index below": lambda X: X.indices.__setitem__(3, -5),
    "pointer falls": lambda X: X.indptr.__setitem__(2, X.indptr[3] + 3),
    "pointer beyond": lambda X: X.indptr.__setitem__(-1, 10**7),
    # scipy looks at nothing then.
    "last pointer 0": lambda X: (X.indptr.__setitem__(-1, 0), X.indptr.__setitem__(2, 10**6)),
    "last pointer below": lambda X: X.indptr.__setitem__(-1, -1),
    "pointer below": lambda X: X.indptr.__setitem__(1, -(10**6)),
}


def whole(kind="csc"):
    return sp.random(60, 12, 0.3, format=kind, random_state=0), np.arange(60) % 2


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", ["csc", "csr", "bsr"])
def test_damaged_matrices_are_refused(damage, kind):
    X, y = whole(kind)
    DAMAGES[damage](X)
    fitted = fewer.Chi2().fit(*whole())
    for ask in (
        lambda: check_structure("Here", X),
        lambda: fewer.Chi2().fit(X, y),
        lambda: fewer.Chi2().fit(X, y, sample_weight=np.arange(60)),
        lambda: fewer.select(X, y),
        lambda: fewer.compare(X, y),
        lambda: fitted.transform(X),
    ):
        with pytest.raises(InputError, match="contradict each other"):
            ask()


def test_coordinates_outside_are_refused():
    X = sp.coo_array(whole()[0])
    X.row[0] = 70
    with pytest.raises(InputError, match="axis 0 has places from"):
        check_structure("Here", X)


MISLEADING = {
    "row list beyond": ("lil", lambda X: X.rows.__setitem__(0, [1000]) or X.data.__setitem__(0, [1.0])),
    "row list below": ("lil", lambda X: X.rows.__setitem__(0, [-3]) or X.data.__setitem__(0, [1.0])),
    "row list too long": ("lil", lambda X: X.rows.__setitem__(0, [1, 2, 3]) or X.data.__setitem__(0, [1.0])),
    "one place twice": ("lil", lambda X: X.rows.__setitem__(0, [1, 1]) or X.data.__setitem__(0, [1.0, 2.0])),
    "rows missing": ("lil", lambda X: setattr(X, "rows", X.rows[:3])),
    "diagonals missing": ("dia", lambda X: setattr(X, "offsets", X.offsets[:3])),
    "diagonal twice": ("dia", lambda X: setattr(X, "offsets", np.zeros_like(X.offsets))),
    "key outside": ("dok", lambda X: X._dict.__setitem__((1000, 5), 1.0)),
    "key of text": ("dok", lambda X: X._dict.__setitem__("ab", 1.0)),
    "float places": ("csr", lambda X: setattr(X, "indices", X.indices.astype(float))),
    "list of places": ("csr", lambda X: setattr(X, "indices", X.indices.tolist())),
    "coordinates of floats": ("coo", lambda X: setattr(X, "coords", (X.row * 0.5, X.col))),
}

# Entries of lists and keys are Python objects, of whatever type.
STRANGE_ENTRIES = {
    "text in a list": ("lil", lambda X: X.rows.__setitem__(0, [0]) or X.data.__setitem__(0, ["x"])),
    "huge in a list": ("lil", lambda X: X.rows.__setitem__(0, [0]) or X.data.__setitem__(0, [10**400])),
    "text at a key": ("dok", lambda X: X._dict.__setitem__((0, 0), "x")),
    "a list at a key": ("dok", lambda X: X._dict.__setitem__((0, 0), [1.0, 2.0])),
}


@pytest.mark.parametrize("damage", STRANGE_ENTRIES)
def test_entries_that_are_no_numbers_are_refused(damage):
    kind, change = STRANGE_ENTRIES[damage]
    X, y = whole(kind)
    fitted = fewer.Chi2().fit(X, y)
    change(X)
    for ask in (lambda: fewer.Chi2().fit(X, y), lambda: fewer.select(X, y), lambda: fitted.transform(X)):
        with pytest.raises(InputError, match="with an entry that is no number of the type float64"):
            ask()


def test_a_shape_below_zero_is_refused():
    X, y = whole("dia")
    X._shape = (-1, 12)
    with pytest.raises(InputError, match=r"contradict each other \(shape"):
        fewer.Chi2().fit(X, y)


def test_lists_that_may_not_be_written_to_are_read():
    X, y = whole("lil")
    expected = fewer.FTest(3).fit(X, y).selection_.indices
    X.rows.flags.writeable = X.data.flags.writeable = False
    assert np.array_equal(fewer.FTest(3).fit(X, y).selection_.indices, expected)


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr"])
@pytest.mark.parametrize("types", [("i4", "u8"), ("u8", "i4"), ("i8", "i4"), ("u1", "i2"), ("u4", "u4")])
def test_places_of_other_whole_numbers_are_read(kind, types):
    X, y = whole(kind)
    expected = fewer.FTest(3).fit(X, y).selection_.indices
    # Not sorted, so that scipy's loops read them before ours.
    X.indices[:2], X.data[:2] = X.indices[1::-1].copy(), X.data[1::-1].copy()
    X.has_sorted_indices = X.has_canonical_format = False
    X.indices, X.indptr = X.indices.astype(types[0]), X.indptr.astype(types[1])
    assert np.array_equal(fewer.FTest(3).fit(X, y).selection_.indices, expected)


@pytest.mark.parametrize("damage", MISLEADING)
def test_every_format_is_looked_at(damage):
    kind, change = MISLEADING[damage]
    X, y = whole(kind)
    change(X)
    with pytest.raises(InputError, match="contradict each other"):
        fewer.Chi2().fit(X, y)


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo", "dia", "lil"])
@pytest.mark.parametrize("dtype", ["longdouble", "float16", ">f8", ">f4"])
def test_numbers_of_other_types_are_read_as_doubles(kind, dtype):
    X, y = whole(kind)
    expected = fewer.FTest(3).fit(X.astype("f4" if dtype in ("float16", ">f4") else "f8"), y).selection_.indices
    if kind == "lil":
        X = X.astype("longdouble")
    else:
        X.data = X.data.astype(dtype)
    assert np.array_equal(fewer.FTest(3).fit(X, y).selection_.indices, expected)


@pytest.mark.parametrize("dtype", ["M8[s]", "m8[s]", "O", "U3"])
def test_what_is_no_number_is_refused(dtype):
    X, y = whole("csr")
    X.data = X.data.astype(dtype)
    with pytest.raises(InputError, match="but takes numbers"):
        fewer.Chi2().fit(X, y)


def test_one_dimension_is_refused():
    with pytest.raises(InputError, match="two dimensions"):
        fewer.Chi2().fit(sp.coo_array(np.arange(6)), np.arange(6) % 2)


def test_a_damaged_archive_is_one_sentence(tmp_path):
    X, y = whole("csr")
    X.indices[0] = 4000
    path = tmp_path / "bad.npz"
    np.savez(path, X_data=X.data, X_indices=X.indices, X_indptr=X.indptr, X_shape=np.array(X.shape), y=y)
    with pytest.raises(FileError, match="could not be read as npz"):
        fewer.open_table(path)


def test_a_matrix_is_no_path():
    with pytest.raises(InputTypeError, match="takes the path of a file"):
        fewer.open_table(whole()[0])


@pytest.mark.parametrize("kind", ["csc", "csr"])
@pytest.mark.parametrize("method", ["Chi2", "FTest"])
def test_the_matrix_given_is_not_changed(kind, method):
    X, y = whole(kind)
    X.data[::3] = 0
    before = [part.copy() for part in (X.data, X.indices, X.indptr)]
    expected = fewer.get(method)().fit(X.toarray(), y).selection_.indices
    for part in (X.data, X.indices, X.indptr):
        part.flags.writeable = False
    found = fewer.get(method)().fit(X, y).selection_.indices
    assert np.array_equal(found, expected)
    assert all(np.array_equal(a, b) for a, b in zip(before, (X.data, X.indices, X.indptr), strict=True))


def test_tidy_joins_and_sorts_a_copy():
    X = sp.csc_array((np.array([1.0, 2.0, 0.0]), np.array([2, 2, 0]), np.array([0, 3])), shape=(3, 1))
    assert tidy(X).toarray().ravel().tolist() == [0, 0, 3]
    assert len(X.data) == 3
