"""Categoricals are read by their codes; the oracle looks at every cell."""

from __future__ import annotations

import numpy as np
import pytest

from fewer.core.reading.frames import _encode_categories, _wide, encode_frame, encode_labels

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
TEXTS = [None, "b", "a", "b", None, "d", "", "a"]

PANDAS = {
    "unordered": pd.Categorical(TEXTS),
    "ordered": pd.Categorical(TEXTS, categories=["d", "b", "", "a"], ordered=True),
    "unused": pd.Categorical(TEXTS, categories=["z", "d", "b", "y", "a", "", "x"]),
    "whole numbers": pd.Categorical([3, 10, None, 3, -1]),
    "numbers": pd.Categorical([0.5, -0.0, None, 10.25], categories=[10.25, 0.5, -0.0, 7.0]),
    "booleans": pd.Categorical([True, False, None]),
    "none": pd.Categorical([None, None]),
    "no rows": pd.Categorical([], categories=["a", "b"]),
    "missing only": pd.Categorical([None, None], categories=["a", "b"]),
    "many": pd.Categorical([f"level {i}" for i in range(300)]),
}
POLARS = {
    "categorical": pl.Series("x", TEXTS, dtype=pl.Categorical),
    "enumeration": pl.Series("x", TEXTS, dtype=pl.Enum(["z", "d", "b", "", "a"])),
    "missing": pl.Series("x", [None, None], dtype=pl.Categorical),
    "no rows": pl.Series("x", [], dtype=pl.Enum(["a"])),
    "chunked": pl.concat([pl.Series("x", part, dtype=pl.Categorical) for part in (["q", "a"], ["a", None, "c"])]),
    "many": pl.Series("x", [f"level {i % 300}" for i in range(400)], dtype=pl.Categorical),
}
FRAMES = {f"pandas {name}": pd.DataFrame({"x": column}) for name, column in PANDAS.items()}
FRAMES |= {f"polars {name}": pl.DataFrame({"x": column}) for name, column in POLARS.items()}
FRAMES["pandas sliced"] = pd.DataFrame({"x": PANDAS["unused"]}).iloc[1::2]
FRAMES["polars sliced"] = pl.DataFrame({"x": POLARS["categorical"]})[3:]
FRAMES["polars filtered"] = pl.DataFrame({"x": POLARS["enumeration"]}).filter(pl.col("x") != "b")


@pytest.mark.parametrize("name", FRAMES)
def test_codes_say_what_cells_do(name):
    column = _wide(FRAMES[name]).get_column("x")
    by_codes = _encode_categories(column, "x")
    numbers, labels = encode_labels(np.array([*column.to_list(), None], dtype=object)[:-1], "x")
    assert by_codes is not None
    np.testing.assert_array_equal(by_codes[0], numbers)
    assert by_codes[1].tolist() == labels.tolist()
    if len(numbers):
        np.testing.assert_array_equal(encode_frame(FRAMES[name], np.ones(1, bool))[0][:, 0], numbers)


@pytest.mark.parametrize("frame", [pd.DataFrame({"x": ["a", "b"]}), pl.DataFrame({"x": ["a", "b"]})])
def test_other_columns_have_no_codes(frame):
    assert _encode_categories(_wide(frame).get_column("x"), "x") is None


def test_categories_that_mix_types_are_refused_by_name():
    frame = pd.DataFrame({"x": pd.Categorical([1, "a"])})
    with pytest.raises(ValueError, match="'x' mixes numbers and text"):
        encode_frame(frame, np.ones(1, bool))
