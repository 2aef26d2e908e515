import json

import numpy as np
import pytest

import fewer
from fewer.core.records.errors import FileError, InputError
from fewer.core.records.reasons import IRRELEVANT, KEPT, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.trace import Step, Trace
from fewer.core.records.whole_files import whole_file, write_whole


def example() -> Selection:
    kind = np.array([KEPT, REDUNDANT, IRRELEVANT, KEPT], np.uint8)
    reasons = Reasons(kind, 0.25, "score of at least 0.25 needed", {1: (0,)}, {1: 0.9}, {2: "constant"})
    trace = Trace([Step((3,), (), 1.0, 4, 0.1), Step((0,), (), 1.5, 3, 0.1)])
    return Selection(
        indices=np.array([3, 0]),
        order=np.array([3, 0, 2]),
        reasons=reasons,
        scores=np.array([0.5, 0.4, 0.1, 1.0]),
        trace=trace,
        columns={"pvalue": np.array([0.1, 0.2, 1.0, np.inf])},
        names=("a", "b é", "<c>", "d"),
        meta={"method": "Example", "when": np.int64(3)},
    )


def test_ranks_names_and_mask():
    s = example()
    assert s.ranking.tolist() == [2, 4, 3, 1]
    assert s.support.tolist() == [True, False, False, True]
    assert s.kept_names == ["d", "a"]
    assert len(s) == 2
    assert "2 of 4" in repr(s)


def test_reasons_read_as_sentences():
    s = example()
    assert str(s.reason("b é")) == "b é is redundant to a by 0.9: score 0.4; p-value 0.2."
    assert "needed 0.25" in str(s.reason(2))
    assert "constant" in str(s.reason(2))
    assert str(s.reason("d")).startswith("d was kept: rank 1; score 1")


def test_unknown_features_are_refused_with_a_hint():
    with pytest.raises(InputError, match="Did you mean d"):
        example().reason("D")
    with pytest.raises(InputError, match="0 to 3"):
        example().reason(4)


def test_json_round_trip(tmp_path):
    s = example()
    path = tmp_path / "s.json"
    s.to_json(path)
    again = Selection.from_json(path)
    for a, b in zip((again.indices, again.order, again.scores), (s.indices, s.order, s.scores)):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(again.columns["pvalue"], s.columns["pvalue"])
    assert again.feature_names == s.feature_names
    assert again.trace == s.trace
    assert [str(again.reason(j)) for j in range(4)] == [str(s.reason(j)) for j in range(4)]
    assert again.meta == {"method": "Example", "when": 3}
    json.loads(path.read_text(encoding="utf-8"))


def test_threshold_per_feature_survives_json():
    s = Selection(np.array([0]), np.array([0]), Reasons(np.array([0, 1]), np.array([np.nan, 2.0])))
    again = Selection.from_json(s.to_json())
    assert again.reason(1).threshold == 2.0
    assert again.reason(0).threshold is None


@pytest.mark.parametrize("text", ["{", "{}", '{"format": 1}', "[1]", '{"format": 99}'])
def test_what_is_no_selection_is_refused(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(FileError):
        Selection.from_json(path)
    with pytest.raises(FileError, match="no file"):
        Selection.from_json(tmp_path / "absent.json")


def test_frames_and_representations():
    s = example()
    frame = s.to_frame()
    assert list(frame["feature"]) == ["d", "a", "<c>", "b é"]
    assert list(frame["redundant_to"]) == ["", "", "", "a"]
    assert s.to_frame("polars").shape == frame.shape
    assert "&lt;c&gt;" in s._repr_html_()
    assert "d" in str(s.explain())
    from rich.console import Console

    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(s)
    assert "redundant" in console.export_text()
    with pytest.raises(InputError, match="pandas"):
        s.to_frame("spark")


def test_names_are_made_when_absent():
    s = fewer.Selection(np.array([1]), np.array([1, 0]), Reasons(np.array([3, 0], np.uint8)))
    assert s.kept_names == ["x1"]


def test_files_are_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "out.txt"
    write_whole(path, "first")
    with pytest.raises(RuntimeError, match="cut off"), whole_file(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError("cut off")
    assert path.read_text() == "first"
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]
    with pytest.raises(FileError, match="could not be written"):
        write_whole(tmp_path / "absent" / "out.txt", "x")
