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
