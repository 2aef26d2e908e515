"""Values of terms: whether they occur, how often, and how rare they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils import Tags
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from fewer.core.estimators.contracts import BaseGenerator
from fewer.core.records.params import StrOptions
from fewer.core.records.tags import MethodTags
from fewer.core.views.sparse_input import check_structure
from fewer.methods.text._term_rows import refuse_negative, unit_rows


class TextValues(BaseGenerator):
    r"""Turn counts of terms into the values that a classifier reads: presence, counts or tf.idf.

    With :math:`tf` how often a term occurs in a document, :math:`df` the number of documents that have it and M the
    number of all (section 13.2.6 of [1]_): presence is :math:`[tf > 0]`, and
    :math:`tf.idf = tf \ln\frac{M + 1}{df + 1}`. Then rows may be divided by their lengths.

    Parameters
    ----------
    values : {"binary", "tf", "tfidf"}, default="tfidf"
        What a term becomes: 1 where it is present, its count, or its count times how rare it is.
    unit_rows : bool, default=True
        Whether rows are divided by their lengths, for documents whose lengths differ much. A document without terms
        stays zero.

    Attributes
    ----------
    idf_ : ndarray of shape (n_features,)
        How rare terms are in the rows of `fit`: 0 for one that every row has; 1 for all, if `values` does not ask.
    n_features_in_ : int
        Number of features seen during `fit`.
    feature_names_in_ : ndarray of str
        Names of the features, when X had names.

    Notes
    -----
    The logarithm is natural; the text names no base. ``TfidfTransformer(norm=None)`` of scikit-learn adds 1 to
    :math:`\ln\frac{M + 1}{df + 1}`, so that a term of all documents keeps its count; here it becomes 0. How rare terms
    are is learned in `fit`, so that inside a pipeline test rows are not looked at.

    See Also
    --------
    Words : Makes counts of texts.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", ch. 13 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> TextValues(unit_rows=False).fit_transform([[1, 2], [1, 0], [1, 0]]).round(3).tolist()
    [[0.0, 1.386], [0.0, 0.0], [0.0, 0.0]]
    >>> TextValues("binary", unit_rows=False).fit_transform([[1, 2], [1, 0], [1, 0]]).tolist()
    [[1.0, 1.0], [1.0, 0.0], [1.0, 0.0]]
    """

    method_tags = MethodTags(
        targets=("none",),
        views=("sparse", "dense"),
        handles_sparse=True,
        nonnegative=True,
    )
    _parameter_constraints: dict = {
        "values": [StrOptions({"binary", "tf", "tfidf"})],
        "unit_rows": ["boolean"],
    }

    def __init__(self, values: str = "tfidf", *, unit_rows: bool = True) -> None:
        self.values = values
        self.unit_rows = unit_rows

    def fit(self, X: Any, y: Any = None) -> TextValues:
        """Learn how rare terms are.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            How often every term occurs in every document.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted transformer.
        """
        self._validate_params()
        X = self._read(X, reset=True)
        self.idf_ = np.ones(X.shape[1])
        if self.values == "tfidf":
            documents = np.asarray((X != 0).sum(axis=0)).ravel()
            self.idf_ = np.log((X.shape[0] + 1.0) / (documents + 1.0))
        return self

    def transform(self, X: Any) -> Any:
        """Return the values of the terms.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            How often every term occurs in every document.

        Returns
        -------
        ndarray or csr_array of float64, shape (n_samples, n_features)
            Sparse where X is.
        """
        check_is_fitted(self, "idf_")
        X = self._read(X, reset=False)
        if self.values == "binary":
            X = (X != 0).astype(np.float64)
        elif scipy.sparse.issparse(X):
            X = X @ scipy.sparse.diags_array(self.idf_) if self.values == "tfidf" else X
        else:
            X = X * self.idf_
        if scipy.sparse.issparse(X):
            X = scipy.sparse.csr_array(X)
            X.eliminate_zeros()
        return unit_rows(X) if self.unit_rows else X

    def _read(self, X: Any, reset: bool) -> Any:
        X = check_structure(type(self).__name__, X)
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype=np.float64, copy=True)
        if scipy.sparse.issparse(X):
            X = scipy.sparse.csr_array(X)
            X.sum_duplicates()
        return refuse_negative(type(self).__name__, X)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the terms, which stay as they are.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the features; by default those seen during `fit`, or x0, x1, ...

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self, "idf_")
        return _check_feature_names_in(self, input_features)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        # The result is float64, whatever X is.
        tags.transformer_tags.preserves_dtype = []
        return tags
