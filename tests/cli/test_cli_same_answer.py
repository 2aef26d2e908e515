"""One question, one answer: from Python, and from the command line."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from cli_examples import call

import fewer
from common.cases import NAMES, QUICK, SPECIAL, case, tags_of
from fewer import registry


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


def written(folder, name):
    """A file that suits the method."""
    c = case(name, n_rows=60, n_noise=4)
    path = folder / f"{name}.csv"
    y = np.zeros(len(c.X)) if c.y is None else c.y
    header = ",".join([*(f"x{j}" for j in range(c.X.shape[1])), "y"])
    np.savetxt(path, np.column_stack([c.X, y]), delimiter=",", fmt="%.17g", header=header, comments="")
    return path


def plain(selection):
    return (
        selection["indices"],
        selection["order"],
        selection["scores"],
        selection["reasons"]["kind"],
        selection["meta"]["method"],
    )


@pytest.mark.parametrize("name", [None, *(n for n in NAMES if tags_of(n).needs_target)])
def test_a_file_gives_the_same_from_python_and_from_the_command_line(name, folder, capsys):
    path = written(folder, name or "InformationGain")
    fixed = {"random_state": 0} if "random_state" in SPECIAL.get(name, {}) else {}
    size = {"n_features_to_select": 2} if name is not None else {}
    quick = {key: value for key, value in QUICK.get(name, {}).items() if isinstance(value, int)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here = fewer.select(path, "y", name, **{**quick, **size, **fixed})
    words = ["select", path, "--target", "y", "--json"]
    if name is not None:
        words += ["--method", name, "-k", "2"]
    words += ["--seed", "0"] if fixed else []
    for key, value in quick.items():
        words += [f"--{key.replace('_', '-')}", str(value)]
    there = call(capsys, *words).json
    assert plain(there) == plain(json.loads(here.to_json()))
    assert registry.entry(here.meta["method"]).name == here.meta["method"]
