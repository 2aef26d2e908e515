from __future__ import annotations

import numpy as np

from fewer.core.discretize.cuts import Cuts, code_type
from fewer.core.runners.threads import ThreadRunner


def test_layout():
    cuts = Cuts.from_lists([[0.5], [], [1.0, 2.0]], [[0, 1], [0], [1, 0, 1]])
    assert cuts.edges.tolist() == [0.5, 1.0, 2.0]
    assert cuts.offsets.tolist() == [0, 1, 1, 3]
    assert cuts.states.tolist() == [0, 1, 0, 1, 0, 1]
    assert cuts.n_levels.tolist() == [2, 1, 2]
    assert cuts.n_features == 3
    assert cuts.of(2).tolist() == [1.0, 2.0]
    assert cuts.states_of(2).tolist() == [1, 0, 1]
    assert (cuts.states.dtype, cuts.edges.dtype, cuts.offsets.dtype) == (np.uint16, np.float64, np.int64)


def test_table_equals_lists():
    rng = np.random.default_rng(0)
    values, keep = np.sort(rng.normal(size=(20, 5)), axis=1), rng.random((20, 5)) < 0.5
    one, other = Cuts.from_table(values, keep), Cuts.from_lists([v[k] for v, k in zip(values, keep)])
    for name in ("edges", "offsets", "states", "n_levels"):
        assert (getattr(one, name) == getattr(other, name)).all()


def test_edge_belongs_to_its_left_and_ends_are_open():
    codes, _ = Cuts.from_lists([[0.0, 1.0]]).encode(np.array([[-1e300], [0.0], [1e-300], [1.0], [1e300], [np.nan]]))
    assert codes.ravel().tolist() == [0, 0, 1, 1, 2, 3]


def test_threads_encode_rows_in_pieces():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(3000, 7))
    X[2999, 3] = np.nan
    cuts = Cuts.from_lists([np.sort(rng.normal(size=k)) for k in range(7)])
    with ThreadRunner(3) as run:
        codes, has_missing = cuts.encode(X, run=run)
    assert (codes == cuts.encode(X)[0]).all()
    assert np.flatnonzero(has_missing).tolist() == [3]


def test_no_features():
    codes, has_missing = Cuts.from_lists([]).encode(np.empty((4, 0)))
    assert codes.shape == (4, 0)
    assert len(has_missing) == 0


def test_code_type():
    assert code_type(256) is np.uint8
    assert code_type(257) is np.uint16
