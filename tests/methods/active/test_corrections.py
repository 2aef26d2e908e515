"""What a laboratory gets wrong: names that are numbers, mistyped values, a crash between values, a full disk."""

from __future__ import annotations

import numpy as np
import pytest

import fewer
from fewer.core.records.errors import FileError

DATA = fewer.synth.make_binary_channels(20, random_state=0)
NOTHING = np.full(DATA.X.shape, np.nan)
DOMAINS = {f: [0, 1] for f in range(3)}


def begun(path=None, names=None, **params):
    made = fewer.MAC(**{"random_state": 3, **params})
    return made.start(NOTHING, DATA.y, domains=DOMAINS, state=path, row_names=names)


def answer(asked):
    return DATA.X[asked.row, asked.column]


def facts(lab):
    return lab.acquisitions_, lab.trajectory_.tolist(), lab.relevances_.tolist(), lab.ask(3), lab.spent_


def test_questions_are_answered_where_they_were_asked_whatever_rows_and_columns_are_called():
    """Numbers are places, also where they are names of other rows or columns."""
    plain = begun(budget=30).run(answer)
    named = begun(budget=30, names=range(1, 41)).run(answer)
    assert named.acquisitions_ == plain.acquisitions_
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(NOTHING, columns=["2", "0", "1"])
    lab = fewer.MAC(random_state=3, budget=30).start(frame, DATA.y, domains=DOMAINS)
    assert [one[:3] for one in lab.run(answer).acquisitions_] == [one[:3] for one in plain.acquisitions_]


def test_text_is_a_name_and_a_number_only_where_no_name_is_one():
    lab = begun(names=range(1, 41))
    assert lab.tell("5", "x1", 1).acquisitions_[-1].row == 4
    assert lab.tell(5, "1", 1).acquisitions_[-1][:2] == (5, 1)
    with pytest.raises(ValueError, match="got the row '0', but rows .* by name, as text such as '1'"):
        lab.tell("0", "x1", 1)
    assert begun().tell("5", "x1", 1).acquisitions_[-1].row == 5


def test_categories_count_where_columns_are_numbers():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"1": [1.0, 2.0, None, 1.0], "0": pd.Categorical(["a", None, "b", None], ["a", "b", "c"])})
    lab = fewer.MAC(random_state=0).start(frame, [0, 1, 0, 1])
    assert lab.domains_ == {"1": {"levels": [1, 2]}, "0": {"levels": ["a", "b", "c"]}}


@pytest.mark.parametrize("params", [{}, {"n_components": 2, "candidate_fraction": 0.05}])
def test_a_corrected_value_is_as_if_it_had_been_told_at_once(tmp_path, params):
    path, right, wrong = tmp_path / "lab.json", begun(**params), begun(tmp_path / "lab.json", **params)
    cells = [(0, 0), (25, 0), (1, 1), (30, 2), (2, 0)]
    for k, (i, f) in enumerate(cells):
        value = DATA.X[i, f]
        right.tell(i, f, value)
        wrong.tell(i, f, 1 - value if k in (1, 3) else value)
    assert wrong.relevances_.tolist() != right.relevances_.tolist()
    for k in (3, 1):
        wrong.tell(*cells[k], DATA.X[cells[k]], replace=True)
    strip = [one._replace(benefit=0) for one in wrong.acquisitions_]
    assert strip == [one._replace(benefit=0) for one in right.acquisitions_]
    assert facts(wrong)[1:] == facts(right)[1:]
    assert facts(fewer.MAC.restore(path)) == facts(wrong)
    wrong.tell(3, 0, 1).tell(3, 0, 0, replace=True).tell(3, 0, 1, replace=True)
    assert facts(fewer.MAC.restore(path)) == facts(wrong)
    assert wrong.trajectory_.shape == (7, 3)


def test_what_is_taken_back_was_never_told(tmp_path):
    path, plain, lab = tmp_path / "lab.json", begun(), begun(tmp_path / "lab.json")
    plain.tell(0, 0, 1).withdraw(4, 1).tell(2, 1, 0)
    lab.tell(0, 0, 1).tell(7, 2, 1).withdraw(4, 1).tell(2, 1, 0).take_back(7, 2)
    for one in (lab, fewer.MAC.restore(path)):
        assert facts(one) == facts(plain)
        assert (4, 1) not in {(asked.row, asked.column) for asked in one.ask(200)}
        assert (7, 2) in {(asked.row, asked.column) for asked in one.ask(200)}
    lab.tell(7, 2, 0)
    assert fewer.MAC.restore(path).acquisitions_[-1][:3] == (7, 2, 0)


def test_corrections_that_cannot_be_made_are_refused(tmp_path):
    known = NOTHING.copy()
    known[3, 0] = 1
    lab = fewer.MAC(random_state=0).start(known, DATA.y, domains=DOMAINS, state=tmp_path / "lab.json")
    lab.tell(0, 0, 1)
    before = (tmp_path / "lab.json").read_bytes()
    for call, words in (
        (lambda: lab.tell(0, 0, 0), r"was told already \(1\); .*replace=True, --replace"),
        (lambda: lab.tell(3, 0, 0, replace=True), "was known at first .*begin again"),
        (lambda: lab.tell(0, 0, 2, replace=True), "whose domain is"),
        (lambda: lab.take_back(3, 0), "was known at first"),
        (lambda: lab.take_back(1, 0), "is missing; take back only"),
        (lambda: lab.withdraw(0, 0), "was told already .*; withdraw only"),
        (lambda: lab.tell_many([(1, 0)]), "takes row, column and value"),
        (lambda: lab.tell_many(["abc"]), "takes row, column and value"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    assert (tmp_path / "lab.json").read_bytes() == before
    assert len(lab.acquisitions_) == 1


def test_of_several_values_a_crash_leaves_all_or_none(tmp_path):
    path = tmp_path / "lab.json"
    begun(path)
    start = path.stat().st_size
    several = [(0, 0, 1), (1, 1, 0), (2, 2, 1)]
    fewer.MAC.restore(path).tell_many(several)
    whole = path.read_bytes()
    assert len(fewer.MAC.restore(path).acquisitions_) == 3
    for end in range(start + 1, len(whole), 7):
        path.write_bytes(whole[:end])
        with pytest.warns(UserWarning, match="was damaged"):
            lab = fewer.MAC.restore(path)
        assert not lab.acquisitions_
    lab.tell_many(several)
    assert path.read_bytes() == whole


def test_a_full_disk_leaves_no_part_of_a_line(tmp_path):
    """The system takes some bytes and then no more; later there is room again."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "lab.json"
    lab = begun(path).tell(0, 0, 1)
    before = path.read_bytes()
    _, hard = limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 30, hard))
    try:
        with pytest.raises(FileError, match=r"cannot be used .*has space left"):
            lab.tell(1, 0, 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert len(lab.acquisitions_) == 1
    assert len(lab.tell(1, 0, 0).acquisitions_) == 2
    assert fewer.MAC.restore(path).acquisitions_ == lab.acquisitions_
