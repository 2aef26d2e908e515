"""What holds for every generator."""

import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest

import fewer.synth
from fewer.core.records.errors import ParameterError
from fewer.synth import GENERATORS, Synthetic

SEEDLESS = {"parity", "m_of_n", "boolean_redundant", "corral", "monks"}  # by default whole truth tables


@pytest.mark.parametrize("name", GENERATORS)
def test_shapes_and_truth_fit_together(name):
    s = GENERATORS[name].make(random_state=0)
    assert isinstance(s, Synthetic)
    n, d = s.X.shape
    assert s.y.shape == (n,)
    assert len(s.names) == len(set(s.names)) == d == s.n_features
    assert np.isfinite(s.X).all()
    assert list(s.relevant) == sorted(set(s.relevant))
    assert all(0 <= j < d for j in [*s.relevant, *s.redundant, *s.redundant.values(), *s.nominal])
    assert not set(s.relevant) & set(s.redundant)
    assert not set(s.relevant) & set(s.irrelevant)
    assert s.task in ("classification", "regression", "none")
    assert s.description.endswith(".")
    if s.task != "regression":
        # Signs where the source has signs.
        signs = name == "drsvm_toy"
        assert np.array_equal(np.unique(s.y), [-1, 1] if signs else np.arange(s.y.max() + 1))


@pytest.mark.parametrize("name", GENERATORS)
def test_the_seed_decides_everything(name):
    make = GENERATORS[name].make
    first, again, other = make(random_state=1), make(random_state=1), make(random_state=2)
    from_generator = make(random_state=np.random.default_rng(1))
    for s in (again, from_generator):
        np.testing.assert_array_equal(first.X, s.X)
        np.testing.assert_array_equal(first.y, s.y)
    if name not in SEEDLESS:
        assert not np.array_equal(first.X, other.X)


@pytest.mark.parametrize("name", GENERATORS)
def test_the_table_serves_a_command_line(name):
    make, words = GENERATORS[name]
    assert make.__name__ == f"make_{name}"
    assert words
    assert len(words) < 80
    assert "\n" not in words
    for parameter in inspect.signature(make).parameters.values():
        assert parameter.default is not inspect.Parameter.empty
        assert parameter.annotation is not inspect.Parameter.empty
        assert parameter.name in make.__doc__


def test_the_table_is_complete():
    made = {name for name in fewer.synth.__all__ if name.startswith("make_")}
    assert made == {f"make_{name}" for name in GENERATORS}


@pytest.mark.parametrize("name", GENERATORS)
def test_bad_sizes_and_seeds_are_answered_in_one_sentence(name):
    make = GENERATORS[name].make
    # Truth tables look at the seed, too: whoever asks for a sample later shall not be surprised.
    wrong = [{"random_state": "seed"}, {"random_state": -1}]
    for parameter in inspect.signature(make).parameters.values():
        if parameter.annotation in ("int", "int | None"):
            wrong += [{parameter.name: value} for value in (-1, 2.5, "3", True)]
        if parameter.annotation in ("float", "float | None"):
            wrong += [{parameter.name: value} for value in (-1.0, float("nan"), "x", True)]
    assert wrong
    for bad in wrong:
        with pytest.raises(ParameterError) as caught:
            make(**bad)
        message = str(caught.value)
        assert f"make_{name}" in message or name == "waveform40"
        assert next(iter(bad)) in message
        assert message.endswith(".")
        assert "\n" not in message


@pytest.mark.parametrize("name", GENERATORS)
def test_frames_hold_the_same_data(name):
    s = GENERATORS[name].make(random_state=0)
    frame = s.to_frame()
    assert list(frame.columns) == [*s.names, "y"]
    for j, column in enumerate(s.names):
        if j in s.nominal:
            assert frame[column].dtype == "category"
            assert [int(v[1:]) for v in frame[column]] == s.X[:, j].tolist()
        else:
            np.testing.assert_array_equal(frame[column], s.X[:, j])
    assert "y" not in s.to_frame(target=None).columns


def test_results_can_be_pickled():
    s = fewer.synth.make_planted(random_state=0)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(s)).X, s.X)


def test_the_room_stands_alone():
    code = "import sys, fewer.synth; print({'numba', 'sklearn', 'pandas', 'scipy'} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "set()"
