"""Tables of what was found beside a ranking."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewer.core.records import json_text
from fewer.core.records.errors import BrokenResult, InputError
from fewer.core.records.reasons import NOT_REACHED, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable

number = st.integers(-5, 5) | st.floats(width=32)
text = st.text(max_size=4) | st.sampled_from(["inf", "-inf", "nan", "None", "1"])
columns = st.integers(0, 4).flatmap(
    lambda n: st.dictionaries(
        st.text(max_size=3),
        st.lists(number, min_size=n, max_size=n) | st.lists(text, min_size=n, max_size=n),
        min_size=1,
    )
)


@given(columns, st.sampled_from(["rows", "curve", "matrix"]))
def test_numbers_and_texts_survive_json(values, kind):
    table = ResultTable("A title", values, kind)
    again = ResultTable.from_dict(json.loads(json_text.written(table.to_dict())))
    assert (again.title, again.kind, list(again.columns)) == (table.title, kind, list(table.columns))
    for head, before in table.columns.items():
        assert list(map(repr, again.columns[head])) == list(map(repr, before))


@pytest.mark.parametrize("wrong", [{"columns": {"a": [1], "b": [1, 2]}}, {"columns": {}}, {"kind": "picture"}])
def test_what_is_no_table_is_refused(wrong):
    with pytest.raises(BrokenResult, match="A title"):
        ResultTable(**{"title": "A title", "columns": {"a": [1]}, **wrong})


def test_frames_of_tables_have_names():
    table = ResultTable("Levels", {"feature": [1, 0, -1], "up": [0.5, np.nan, 1.0]}, features=("feature",))
    found = Selection.build(
        [0], [0, 1], Reasons.of_kept(2, [0], NOT_REACHED), names=("a", "b"), tables={"levels": table}
    )
    for library in ("pandas", "polars"):
        frame = found.to_frame(library, table="levels")
        assert list(frame["feature"]) == ["b", "a", ""]
    with pytest.raises(InputError, match="tables of this selection are levels"):
        found.to_frame(table="tree")


def test_files_without_tables_are_still_read():
    found = Selection.build([0], [0, 1], Reasons.of_kept(2, [0], NOT_REACHED))
    old = json.loads(found.to_json())
    assert old["format"] == 2
    del old["tables"]
    old["format"] = 1
    assert not Selection.from_json(json.dumps(old)).tables


def test_a_path_leaves_out_features_without_coefficients_and_follows_renumbering():
    found = ResultTable.path("Path", "lambda1", [2.0, 0.0], np.array([[0, 0, 0], [0.5, 0, -1.0]]), [4, 7, 9])
    assert list(found.coefficients) == [4, 9]
    moved = found.on(np.array([0, 0, 0, 0, 2, 0, 0, 0, 0, 1]))
    assert moved.named(("a", "b", "c")) == {"lambda1": [2.0, 0.0], "c": [0.0, 0.5], "b": [0.0, -1.0]}
    assert list(moved.narrowed(1).coefficients) == [2]
    assert ResultTable.from_dict(moved.to_dict()) == moved


def test_a_feature_named_as_the_parameter_keeps_its_own_column():
    found = ResultTable.path("Path", "lambda1", [2.0, 0.0], np.array([[0.0], [0.5]]))
    assert found.named(("lambda1",)) == {"lambda1": [2.0, 0.0], "lambda1 (feature)": [0.0, 0.5]}
