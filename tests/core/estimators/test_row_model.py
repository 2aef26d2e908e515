"""New rows that a fitted classifier or regressor cannot take are refused in one sentence that says which."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.records.errors import InputError

NUMBERS_ONLY = ["MC1", "KendallKNN", "MonotoneTree"]
WITH_GAPS = ["RankOrderNB", "ReliefKNN", "ReliefTree", "ReliefKNNRegressor", "ReliefTreeRegressor"]


def fitted(name):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 6, (60, 3)).astype(float), columns=["a", "b", "c"])
    return getattr(fewer, name)().fit(frame, (frame["a"] > 2).to_numpy().astype(int)), frame


@pytest.mark.parametrize("name", NUMBERS_ONLY)
def test_missing_values_are_refused_in_one_sentence(name):
    made, frame = fitted(name)
    for new in (frame.mask(frame == 3.0), frame.mask(frame == 3.0).astype(object)):
        with pytest.raises(InputError, match=r"takes no missing values, but the new rows hold \d+ of them") as error:
            made.predict(new)
        assert "\n" not in str(error.value)
        assert name in str(error.value)


@pytest.mark.parametrize("name", WITH_GAPS)
def test_missing_values_are_taken_where_the_tags_say_so(name):
    made, frame = fitted(name)
    assert made.predict(frame.mask(frame == 3.0)).shape == (60,)


@pytest.mark.parametrize("name", [*NUMBERS_ONLY, *WITH_GAPS])
def test_text_in_a_column_of_numbers_is_named(name):
    made, frame = fitted(name)
    for words in ("x", pd.Categorical(["x"] * 60)):
        with pytest.raises(InputError, match="'a'") as error:
            made.predict(frame.assign(a=words))
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", [*NUMBERS_ONLY, *WITH_GAPS])
def test_numbers_written_as_text_are_numbers(name):
    made, frame = fitted(name)
    if name in ("KendallKNN", "RankOrderNB"):
        pytest.skip("columns that are compared with each other are not read out of text")
    np.testing.assert_array_equal(made.predict(frame.astype(object)), made.predict(frame))


@pytest.mark.parametrize("name", [*NUMBERS_ONLY, *WITH_GAPS])
def test_infinity_and_other_columns_are_refused(name):
    made, frame = fitted(name)
    with pytest.raises(ValueError, match="infinity"):
        made.predict(frame.assign(a=np.inf))
    with pytest.raises(ValueError, match="feature names"):
        made.predict(frame.rename(columns={"a": "q"}))
    with pytest.raises(ValueError, match="now missing"):
        made.predict(frame[["a", "b"]])
