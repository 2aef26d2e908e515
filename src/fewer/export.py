"""Selections on their way out: plain columns of scikit-learn, ONNX, skops, and the form of written files."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from fewer import registry
from fewer.core.estimators.selector import BaseSelector
from fewer.core.records.errors import InputError, MissingExtraError, ParameterError
from fewer.core.records.schemas import SCHEMAS, schema

__all__ = ["SCHEMAS", "register_onnx", "schema", "skops_types"]

# Selectors that are made of others, or of parts, and stand beside the methods of the registry.
FACADES = ("Selector", "Chain", "Constrained", "AcrossTargets")


def register_onnx(*more: type) -> list[str]:
    """Tell skl2onnx how to convert selectors: the kept columns are gathered.

    Call it once before `skl2onnx.to_onnx`; every selector whose `transform` is a choice of columns is then converted,
    alone and in pipelines.

    Parameters
    ----------
    *more : type
        Classes of selectors beside those of the registry, such as your own.

    Returns
    -------
    list of str
        Names of the classes that can be converted.
    """
    try:
        from skl2onnx import update_registered_converter
    except ImportError as error:
        raise MissingExtraError(
            "register_onnx needs skl2onnx, which is not installed; run pip install 'fewer[onnx]'."
        ) from error
    for one in more:
        if not chooses_columns(one):
            raise ParameterError(
                f"register_onnx got {one!r}, but takes classes of selectors whose transform is a choice of columns, "
                "beside those it knows; leave it out."
            )
    names = [*FACADES, *(e.name for e in registry.listed() if e.contract == "selector")]
    made = [one for one in (*map(registry.public, names), *more) if chooses_columns(one)]
    for one in made:
        # With options for some classifier skl2onnx sets this one for every other, of which a selector has no use.
        options = {"zipmap": [True, False, "columns"]} if issubclass(one, ClassifierMixin) else None
        update_registered_converter(one, _alias(one), _shapes, _converter, parser=_parser, options=options)
    return [one.__name__ for one in made]


def chooses_columns(made: Any) -> bool:
    """Return whether a class is a selector whose `transform` is a choice of columns, and not of terms of texts."""
    return isinstance(made, type) and issubclass(made, BaseSelector) and made.transform is BaseSelector.transform


def _alias(made: type) -> str:
    return f"Fewer{made.__name__}"


def _parser(scope: Any, model: Any, inputs: list[Any], custom_parsers: Any = None) -> list[Any]:
    """Say to skl2onnx that there is one output, also of a selector that is a classifier as well."""
    operator = scope.declare_local_operator(_alias(type(model)), model)
    operator.inputs = inputs
    operator.outputs.append(scope.declare_local_variable("variable", inputs[0].type))
    return operator.outputs


def _shapes(operator: Any) -> None:
    """Say to skl2onnx what comes out: as many rows, the kept columns, their type."""
    pieces = _pieces(operator)
    kinds = {type(given.type) for given, _ in pieces}
    if len(kinds) > 1:
        raise InputError(
            f"{_name(operator)} kept columns of the types {', '.join(sorted(kind.__name__ for kind in kinds))}, but "
            "ONNX joins columns of one type only; declare these inputs alike, or put a ColumnTransformer before it."
        )
    first = pieces[0][0]
    width = sum(len(columns) for _, columns in pieces)
    operator.outputs[0].type = type(first.type)([first.get_first_dimension(), width])


def _converter(scope: Any, operator: Any, container: Any) -> None:
    """Gather the kept columns of every input, and join them."""
    from onnx import TensorProto

    out, made = operator.outputs[0].full_name, []
    pieces = _pieces(operator)
    for given, columns in pieces:
        numbers = scope.get_unique_variable_name("kept")
        container.add_initializer(numbers, TensorProto.INT64, [len(columns)], columns)
        made.append(out if len(pieces) == 1 else scope.get_unique_variable_name("columns"))
        name = scope.get_unique_operator_name("Gather")
        container.add_node("Gather", [given.full_name, numbers], made[-1], name=name, op_version=13, axis=1)
    if len(made) > 1:
        container.add_node("Concat", made, out, name=scope.get_unique_operator_name("Concat"), op_version=13, axis=1)


def _pieces(operator: Any) -> list[tuple[Any, list[int]]]:
    """Return which columns of which inputs are kept, in the order of the features."""
    selector, name = operator.raw_operator, _name(operator)
    kept = selector.get_support(indices=True)
    if not len(kept):
        raise InputError(f"{name} kept no feature, and ONNX has no array without columns; fit one that keeps some.")
    inputs = _in_order(operator.inputs, getattr(selector, "feature_names_in_", None))
    widths: list[Any] = [given.type.shape[1] if len(given.type.shape or ()) > 1 else None for given in inputs]
    if len(inputs) == 1 and not isinstance(widths[0], int):
        return [(inputs[0], kept.tolist())]
    if not all(isinstance(width, int) for width in widths) or sum(widths) != selector.n_features_in_:
        raise InputError(
            f"{name} got inputs of {' + '.join(map(str, widths))} columns, but was fitted to "
            f"{selector.n_features_in_} features; declare all of its columns, and how many each input has."
        )
    ends: np.ndarray = np.cumsum(widths)
    places = np.searchsorted(ends, kept, side="right")
    starts = ends - widths
    return [(inputs[p], (kept[places == p] - starts[p]).tolist()) for p in np.unique(places)]


def _in_order(inputs: list[Any], names: Any) -> list[Any]:
    """Return inputs that are named as the features, one column each, in the order of the features; others as given."""
    named = {given.raw_name: given for given in inputs}
    if names is None or len(inputs) == 1 or set(named) != set(names):
        return list(inputs)
    return [named[name] for name in names]


def _name(operator: Any) -> str:
    return type(operator.raw_operator).__name__


# What fitted selectors hold, and what their parameters may be: names of facades with classes of this library.
HELD = (
    "fewer.core.records.evidence.Evidence",
    "fewer.core.records.needs.Need",
    "fewer.core.records.reasons.Reasons",
    "fewer.core.records.result.Selection",
    "fewer.core.records.result_table.ResultTable",
    "fewer.core.records.trace.Step",
    "fewer.core.records.trace.Trace",
    "fewer.core.summaries.term_counts.TermCounts",
    "fewer.methods.embedded._posterior.SampledPosterior",
    "fewer.methods.embedded._winnow_state.WinnowState",
    "fewer.methods.relief.online_irelief.Running",
)
PARTS = ("stop", "discretize", "search", "criteria")


def skops_types() -> list[str]:
    """Return the types of this library that a file of skops may hold, for ``skops.io.load(file, trusted=...)``.

    Returns
    -------
    list of str
        All methods, the records of a selection, and the parts that parameters can be: what selectors hold, not all
        that classifiers, clusterers and makers of features do. Estimators of other libraries, such as the one of a
        wrapper, and methods of plug-ins are not among them: whether these are trusted is for the reader of the file to
        say, with the help of ``skops.io.get_untrusted_types``.

    Examples
    --------
    >>> "fewer.core.records.result.Selection" in skops_types()
    True
    """
    made = [registry.load(entry.name) for entry in registry.METHODS]
    made += [registry.public(name) for name in FACADES]
    for module in map(registry.public, PARTS):
        made += [part for part in vars(module).values() if isinstance(part, type)]
    names = (f"{one.__module__}.{one.__qualname__}" for one in made)
    return sorted({*HELD} | {name for name in names if name.startswith("fewer.")})
