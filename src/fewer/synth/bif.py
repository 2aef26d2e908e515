"""Bayesian networks in files of the Interchange Format (.bif), as collections of networks offer them."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from fewer.core.graphs.network import Network
from fewer.core.records.errors import InputError

_WORDS = re.compile(r"[^\s{}()\[\]|,;]+|[{}()\[\]|,;]")


def read_bif(path: str | Path) -> Network:
    """Read a network.

    Parameters
    ----------
    path : str or path
        A .bif file with discrete variables and tables of probabilities.

    Returns
    -------
    Network
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"read_bif cannot read {str(path)!r} ({error}); name a .bif file of text.") from error
    text = re.sub(r"//.*|/\*.*?\*/|property[^;]*;", "", text, flags=re.DOTALL if "/*" in text else 0)
    variables = r"variable\s+(\S+)\s*\{[^{}]*?\{([^}]*)\}\s*;?\s*\}"
    levels = {name: _WORDS.findall(words.replace(",", " ")) for name, words in re.findall(variables, text)}
    nodes: dict[str, Any] = {}
    for head, body in re.findall(r"probability\s*\(([^)]*)\)\s*\{([^}]*)\}", text):
        name, *parents = [word for word in _WORDS.findall(head) if word not in "|,"]
        unknown = [word for word in (name, *parents) if word not in levels]
        if unknown:
            raise InputError(
                f"read_bif found probabilities of {unknown[0]!r} in {str(path)!r}, but no such variable; correct the "
                "file."
            )
        nodes[name] = (parents, _table(str(path), name, parents, levels, body))
    missing = [name for name in levels if name not in nodes]
    if missing or not nodes:
        what = f"no probabilities of {missing[0]!r}" if missing else "no variables"
        raise InputError(
            f"read_bif found {what} in {str(path)!r}, but a network needs them of every variable; add them."
        )
    return Network.of({name: nodes[name] for name in levels})


def _table(path: str, name: str, parents: list[str], levels: dict[str, list[str]], body: str) -> np.ndarray:
    shape = [len(levels[word]) for word in (*parents, name)]
    plain = re.search(r"table\s+([^;]*);", body)
    try:
        if plain:
            # Of a table without labels the levels of the node itself change slowest.
            values = np.array([float(word) for word in plain.group(1).replace(",", " ").split()])
            return np.moveaxis(values.reshape([shape[-1], *shape[:-1]]), 0, -1)
        default = re.search(r"default\s+([^;]*);", body)
        table = np.full(shape, np.nan)
        if default:
            table[:] = [float(word) for word in default.group(1).replace(",", " ").split()]
        for given, numbers in re.findall(r"\(([^)]*)\)\s*([^;]*);", body):
            place = [levels[p].index(word) for p, word in zip(parents, given.replace(",", " ").split())]
            table[tuple(place)] = [float(word) for word in numbers.replace(",", " ").split()]
    except ValueError as error:
        raise InputError(
            f"read_bif cannot read the table of {name!r} in {path!r} ({error}); correct the file."
        ) from error
    if np.isnan(table).any():
        left = next(c for c in product(*map(range, shape[:-1])) if np.isnan(table[c]).any())
        raise InputError(
            f"read_bif found no probabilities of {name!r} for levels {left} of its parents in {path!r}, but needs all; "
            "add them."
        )
    return table
