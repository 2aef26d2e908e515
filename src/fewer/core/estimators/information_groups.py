"""What co-clusterers of joint distributions share: starts, blocks, and what the row clusters say of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse

from fewer.core.clustering.by_label import columns_added, dense, rows_added
from fewer.core.clustering.directions import unit_rows
from fewer.core.clustering.information_blocks import (
    InformationBlocks,
    Joint,
    inform_blocks,
    informed_start,
    nearest_profile,
)
from fewer.core.clustering.told import key_words, progress_table, refuse_too_many, shares
from fewer.core.estimators.clusterer import BaseClusterer, by_weight, rows_of
from fewer.core.records.errors import ParameterError
from fewer.core.records.params import StrOptions, number_from, whole_from
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.tags import MethodTags
from fewer.core.views.view import View

TAGS = MethodTags(
    targets=("none",),
    views=("dense",),
    handles_sparse=True,
    nonnegative=True,
    deterministic=False,
    invariance=(),
    cost="n*d*n_clusters",
)
CONSTRAINTS: dict = {
    "n_clusters": [whole_from(1)],
    "n_column_clusters": [whole_from(1), None],
    "init": [StrOptions({"k-means++", "random"}), "array-like"],
    "n_init": [whole_from(1)],
    "max_iter": [whole_from(1)],
    "tol": [number_from(0)],
    "random_state": "no_validation",
}


class InformationGroups(BaseClusterer):
    """Base of information-theoretic co-clusterers. What ties rows, and what moves them, is theirs to say."""

    method_tags = TAGS
    _parameter_constraints: dict = CONSTRAINTS
    n_clusters: int
    n_column_clusters: int | None
    init: Any
    n_init: int
    max_iter: int
    tol: float
    random_state: Any

    def _tied(self, data: View) -> np.ndarray:
        """Return the number of the unit that every row belongs to."""
        return np.arange(data.n_rows)

    def _repairing(self, data: View, joint: Joint, place: np.ndarray) -> Any:
        """Return what moves units after a step of the rows; `place` says where every unit is, -1 for nowhere."""
        return None

    def _group(self, data: View) -> None:
        rng, tied = np.random.default_rng(self.random_state), self._tied(data)
        P = scipy.sparse.csr_array(rows_of(data), dtype=np.float64)
        P = P if len(tied) == tied.max() + 1 else rows_added(P, tied, int(tied.max()) + 1)
        rows, columns = filled(P)
        shape = block_shape(self, len(rows), len(columns))
        # A copy of all rows is worth a look.
        joint = Joint.of(P if P.shape == (len(rows), len(columns)) else P[rows][:, columns])
        place = np.full(P.shape[0], -1)
        place[rows] = np.arange(len(rows))
        repair, best = self._repairing(data, joint, place), None
        for start in self._starts(joint, shape, rng, tied, (rows, columns)):
            found = inform_blocks(joint, start, shape, self.max_iter, self.tol, repair)
            if best is None or (found.violated, found.loss) < (best.violated, best.loss):
                best = found
        assert best is not None
        self._store(best, joint, rows, columns, tied, P.shape)

    def _store(
        self, best: InformationBlocks, joint: Joint, rows: np.ndarray, columns: np.ndarray, tied: np.ndarray, shape: Any
    ) -> None:
        units, groups = np.full(shape[0], -1, np.int64), np.full(shape[1], -1, np.int64)
        units[rows], groups[columns] = best.rows, best.columns
        self.labels_, self.column_labels_ = units[tied], groups
        self.blocks_, self.loss_ = best.joint, best.loss
        self.information_, self.n_iter_ = joint.information, len(best.history) // 2
        self.progress_ = progress_table("Information lost after every step", "loss", best.history, best.reseeded, 0)
        said = np.zeros((len(best.joint), shape[1]))
        said[:, columns] = pointwise(dense(rows_added(joint.P, best.rows, len(best.joint))))
        self._said = said

    def _starts(
        self, joint: Joint, shape: tuple[int, int], rng: np.random.Generator, tied: np.ndarray, live: Any
    ) -> Any:
        if isinstance(self.init, str):
            make = informed_start if self.init == "k-means++" else random_start
            return (make(joint, shape, rng) for _ in range(self.n_init))
        first = np.unique(tied, return_index=True)[1]
        rows, columns = given_start(self, (len(tied), self.n_features_in_), shape)
        return [(rows[first][live[0]], columns[live[1]])]

    def predict(self, X: Any) -> np.ndarray:
        """Return the cluster whose distribution is nearest to that of every row, -1 for rows without known columns."""
        rows, _ = unit_rows(scipy.sparse.csr_array(self._rows(X)))
        A = columns_added(rows, self.column_labels_, self.blocks_.shape[1])
        whole = A.sum(axis=1)
        A /= (whole + (whole == 0))[:, None]
        return np.where(whole > 0, nearest_profile(A, self.blocks_), -1)

    def _selection(self, data: View) -> Selection:
        return by_weight(
            shares(np.maximum(self._said.sum(axis=0), 0.0)),
            keywords=key_words(np.maximum(self._said, 0.0)),
            columns=column_table(self.column_labels_),
            loss=self.progress_,
        )


def pointwise(joint: np.ndarray) -> np.ndarray:
    """Return p ln(p / (p_row p_column)) of a table of probabilities."""
    product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    ratio = np.divide(joint, product, out=np.ones_like(joint), where=(joint > 0) & (product > 0))
    return joint * np.log(ratio)


def column_table(labels: np.ndarray) -> ResultTable:
    """Return which group every feature is in."""
    columns = {"feature": np.arange(len(labels)), "group": labels}
    return ResultTable("Groups of features", columns, features=("feature",))


def filled(P: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and the columns that hold something beside the largest number."""
    least = np.finfo(float).tiny * max(float(P.max()) if P.nnz else 0.0, 1.0)
    rows, columns = (np.flatnonzero(P.max(axis=axis).toarray().ravel() > least) for axis in (1, 0))
    return rows, columns


def block_shape(made: Any, n_rows: int, n_columns: int) -> tuple[int, int]:
    """Return the numbers of groups of rows and of columns; raise if there are fewer of these."""
    name, wanted = type(made).__name__, made.n_column_clusters
    refuse_too_many(name, made.n_clusters, n_rows, "the rows")
    if wanted is not None:
        refuse_too_many(name, wanted, n_columns, "the columns", "n_column_clusters")
    return made.n_clusters, min(made.n_clusters, n_columns) if wanted is None else wanted


def random_start(
    data: Any, shape: tuple[int, int], rng: np.random.Generator, size: tuple[int, int] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return labels drawn at random, no group empty."""
    n, d = data.P.shape if size is None else size
    rows, columns = (rng.permutation(np.arange(m) % groups) for m, groups in zip((n, d), shape))
    return rows, columns


def given_start(made: Any, size: tuple[int, int], shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return labels of rows and columns that were given as `init`; raise if they do not fit."""
    given = [np.asarray(labels) for labels in made.init] if len(made.init) == 2 else []
    fits = len(given) == 2 and all(
        a.shape == (n,) and a.dtype.kind in "iu" and ((a >= 0) & (a < k)).all() for a, n, k in zip(given, size, shape)
    )
    if not fits:
        raise ParameterError(
            f"{type(made).__name__} got init that does not fit, but takes two lists, {size[0]} labels of rows below "
            f"{shape[0]} and {size[1]} labels of columns below {shape[1]}; give these, or a word."
        )
    return given[0].astype(np.int64), given[1].astype(np.int64)
