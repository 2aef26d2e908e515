"""Records of several texts, such as a title and a body, as features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from fewer.core.estimators.contracts import BaseGenerator
from fewer.core.records.errors import InputError, ParameterError
from fewer.core.records.params import HasMethods, whole_from
from fewer.methods.text._text_generator import ON_TEXTS, of_texts
from fewer.methods.text.words import Words

PLANS = ("separate", "join", "ignore")


class TextFields(BaseGenerator):
    """Make features of records that have several texts, each field apart, some together, or not at all.

    A field is a namespace of its own, is joined with others, or is ignored (section 13.2.5 of [1]_). No term spans two
    fields. Names begin with the field: "title/word:ball".

    Parameters
    ----------
    generator : generator or None, default=None
        What makes features of a text, such as `Words` or a `FeatureUnion` of several; None is ``Words()``.
    fields : dict of str to {"separate", "join", "ignore"}, default=None
        What is done with every field; those that are not named are ignored. None keeps all fields separate. Fields
        that are joined count as one, "title+body".
    head : int, default=None
        So many characters at the beginning of every field, for very long texts, are a field beside it, "body.head";
        None makes none.

    Attributes
    ----------
    generators_ : dict of str to generator
        The fitted generator of every namespace.
    field_names_ : list of str
        The fields of the records of `fit`.

    Notes
    -----
    Which of the plans is best is a setting like others: give several to `TextSearch`.

    See Also
    --------
    Words : Takes one text per document.

    References
    ----------
    .. [1] G. Forman, "Feature selection for text classification", ch. 13 of H. Liu and H. Motoda (eds.),
       "Computational Methods of Feature Selection", 2008.

    Examples
    --------
    >>> made = TextFields().fit([{"title": "a ball", "body": "a game"}])
    >>> made.get_feature_names_out().tolist()
    ['title/word:a', 'title/word:ball', 'body/word:a', 'body/word:game']
    >>> joined = TextFields(fields={"title": "join", "body": "join"}).fit([{"title": "a ball", "body": "a game"}])
    >>> joined.transform([{"title": "a ball", "body": "a game"}]).toarray().tolist()
    [[2, 1, 1]]
    """

    method_tags = ON_TEXTS
    _parameter_constraints: dict = {
        "generator": [None, HasMethods(["fit", "transform", "get_feature_names_out"])],
        "fields": [None, dict],
        "head": [None, whole_from(1)],
    }

    def __init__(
        self, generator: Any = None, *, fields: Mapping[str, str] | None = None, head: int | None = None
    ) -> None:
        self.generator = generator
        self.fields = fields
        self.head = head

    def fit(self, X: Any, y: Any = None) -> TextFields:
        """Learn the terms of every field.

        Parameters
        ----------
        X : data frame, list of dicts or array of shape (n_documents, n_fields)
            The records; the fields of an array are called 0, 1, ... Missing texts are empty.
        y : None
            Ignored.

        Returns
        -------
        self : object
            The fitted generator.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learn the terms of every field and return their counts."""
        self._validate_params()
        columns = _columns(X)
        self.field_names_ = list(columns)
        self._check_plan()
        made = Words() if self.generator is None else self.generator
        texts = self._namespaces(columns)
        self.generators_ = {name: clone(made) for name in texts}
        return _stacked([self._made(name, texts[name]) for name in texts])

    def _made(self, name: str, texts: list[Any]) -> Any:
        made = self.generators_[name]
        if texts and isinstance(texts[0], tuple):
            _refuse_spanning(made)
        try:
            return made.fit_transform(texts)
        except ValueError as error:
            if any(isinstance(one, tuple) or str(one).strip() for one in texts):
                raise
            raise InputError(
                f"TextFields got the field {name!r} without any text, but makes features of each; name it 'ignore'."
            ) from error

    def transform(self, X: Any) -> Any:
        """Return the features of records.

        Parameters
        ----------
        X : data frame, list of dicts or array of shape (n_documents, n_fields)
            The records.

        Returns
        -------
        csr_array of shape (n_documents, n_terms)
        """
        check_is_fitted(self, "generators_")
        columns = _columns(X)
        missing = [name for name in self.field_names_ if name not in columns]
        if missing and len(columns):
            raise InputError(
                f"TextFields got records without the field {missing[0]!r} that those of fit had; pass the same fields."
            )
        texts = self._namespaces(columns)
        return _stacked([made.transform(texts[name]) for name, made in self.generators_.items()])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the features: field and term.

        Parameters
        ----------
        input_features : None
            Ignored.

        Returns
        -------
        ndarray of str objects
        """
        check_is_fitted(self, "generators_")
        names = [f"{field}/{name}" for field, made in self.generators_.items() for name in made.get_feature_names_out()]
        return np.array(names, dtype=object)

    def _check_plan(self) -> None:
        for name, plan in (self.fields or {}).items():
            if name not in self.field_names_ or plan not in PLANS:
                raise ParameterError(
                    f"TextFields got fields={{{name!r}: {plan!r}}}, but takes fields of the records "
                    f"({', '.join(map(repr, self.field_names_))}) and one of {', '.join(map(repr, PLANS))}; pass such."
                )
        if self.fields is not None and all(plan == "ignore" for plan in self.fields.values()):
            raise ParameterError(
                "TextFields got fields that are all ignored, but needs one at least; name one as 'separate'."
            )

    def _namespaces(self, columns: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
        """Return the documents of every namespace: texts, or tuples of joined texts."""
        plan = dict.fromkeys(self.field_names_, "separate") if self.fields is None else self.fields
        alone = [name for name in self.field_names_ if plan.get(name) == "separate"]
        joined = [name for name in self.field_names_ if plan.get(name) == "join"]
        out: dict[str, list[Any]] = {name: columns[name] for name in alone}
        if joined:
            out["+".join(joined)] = list(zip(*(columns[name] for name in joined)))
        if self.head is not None:
            out |= {f"{name}.head": [_first(one, self.head) for one in texts] for name, texts in list(out.items())}
        return out

    def __sklearn_tags__(self) -> Tags:
        return of_texts(super().__sklearn_tags__())


def _refuse_spanning(generator: Any) -> None:
    for one in (generator, *generator.get_params().values()):
        if isinstance(one, (CountVectorizer, HashingVectorizer)) and not callable(one.analyzer):
            raise ParameterError(
                f"TextFields got {type(one).__name__} for fields that are joined, but its terms would span them; pass "
                "Words, Phrases or CharacterNgrams, or name the fields 'separate'."
            )


def _first(one: Any, n: int) -> Any:
    """Return the first characters of a text, or of every text of a tuple."""
    return (
        tuple(_first(part, n) for part in one) if isinstance(one, tuple) else one[:n] if isinstance(one, str) else one
    )


def _columns(X: Any) -> dict[str, list[Any]]:
    """Return the texts of every field by its name."""
    if hasattr(X, "columns"):
        return {str(name): _filled(X[name]) for name in X.columns}
    rows = list(X)
    if rows and all(isinstance(row, Mapping) for row in rows):
        names = list(dict.fromkeys(str(name) for row in rows for name in row))
        return {name: _filled(row.get(name) for row in rows) for name in names}
    plain = bool(rows) and all(not isinstance(row, str) and np.ndim(np.asarray(row, object)) == 1 for row in rows)
    if plain and len({len(row) for row in rows}) == 1:
        return {str(j): _filled(row[j] for row in rows) for j in range(len(rows[0]))}
    raise InputError(
        f"TextFields got {type(X).__name__} without fields, but takes a data frame, a list of dicts or rows of equal "
        "length; pass such records, or use Words for single texts."
    )


def _filled(texts: Iterable[Any]) -> list[Any]:
    """Return texts, of which missing ones are empty."""
    return ["" if one is None or (isinstance(one, float) and one != one) else one for one in texts]


def _stacked(parts: list[Any]) -> Any:
    return scipy.sparse.csr_array(scipy.sparse.hstack([scipy.sparse.csr_array(part) for part in parts]))
