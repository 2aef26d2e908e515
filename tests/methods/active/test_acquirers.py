"""What acquirers take and refuse: domains, names, costs, stop rules, and what they show."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fewer

FRAME = pd.DataFrame(
    {"colour": ["red", None, "green", None], "dose": [1.0, np.nan, np.nan, 2.0], "age": [31.0, np.nan, 45.5, np.nan]},
    index=["a", "b", "c", "d"],
)
Y = ["ill", "well", "ill", "well"]
DOMAINS = {"colour": ["red", "green", "blue"], "age": {"edges": [30, 40]}}


def started(kind="MAC", domains=DOMAINS, **params):
    return fewer.get(kind)(random_state=0, **params).start(FRAME, Y, domains=domains, row_names=FRAME.index)


def test_domains_are_given_or_read_from_what_is_known():
    lab = started()
    assert lab.domains_ == {
        "colour": {"levels": ["red", "green", "blue"]},
        "dose": {"levels": [1.0, 2.0]},
        "age": {"edges": [30.0, 40.0]},
    }
    np.testing.assert_array_equal(lab.known_levels(), [[0, 0, 1], [-1, -1, -1], [1, -1, 2], [-1, 1, -1]])
    lab.tell("b", "age", 30).tell(3, "age", "29.999").tell("d", 0, " blue ").tell("b", "dose", "2")
    np.testing.assert_array_equal(lab.known_levels()[[1, 3, 3, 1], [2, 2, 0, 1]], [1, 0, 2, 1])
    plain = fewer.MAC().fit(FRAME, Y)
    assert plain.domains_["colour"] == {"levels": ["green", "red"]}
    for frame in (FRAME.astype({"colour": pd.CategoricalDtype(["x", "red", "green"])}), None):
        enum = pl.DataFrame(FRAME.reset_index(drop=True)).cast({"colour": pl.Enum(["x", "red", "green"])})
        found = fewer.MAC().fit(enum if frame is None else frame, Y)
        assert found.domains_["colour"] == {"levels": ["x", "red", "green"]}


def test_numbers_with_many_values_have_bins_that_are_said():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    X[:20, 1] = np.nan
    lab = fewer.MAC(bins=4, random_state=0).fit(X, np.arange(40) % 2)
    edges = lab.domains_["x0"]["edges"]
    assert len(edges) == 3
    assert np.bincount(lab.known_levels()[:, 0]).tolist() == [10, 10, 10, 10]
    assert "x1 is put into bins at" in " ".join(lab.selection_.meta["data"]["notes"])
    lab.tell(0, "x1", 1e9)
    assert lab.known_levels()[0, 1] == 3


REFUSED = {
    "outside": (("b", "colour", "pink"), "whose domain is 'red', 'green', 'blue'"),
    "text for a number": (("b", "age", "old"), "finite numbers, put into bins at 30, 40"),
    "infinite": (("b", "age", np.inf), "put into bins"),
    "missing": (("b", "dose", None), "whose domain is '1', '2'"),
    "not a number": (("b", "dose", np.nan), "whose domain is '1', '2'"),
    "known at first": (("a", "colour", "red"), "was known at first"),
    "no such row": (("z", "colour", "red"), "rows are given by number, from 0 to 3 or by name"),
    "row too large": ((4, "colour", "red"), "from 0 to 3"),
    "negative row": ((-1, "colour", "red"), "from 0 to 3"),
    "half a row": ((0.5, "colour", "red"), "from 0 to 3"),
    "no such column": (("b", "color", "red"), "Did you mean colour"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_told_is_refused_in_one_sentence(case):
    given, words = REFUSED[case]
    lab = started()
    with pytest.raises(ValueError, match=words) as error:
        lab.tell(*given)
    assert str(error.value).count("\n") == 0
    assert ";" in str(error.value)
    assert not lab.acquisitions_


def test_a_value_is_told_once_and_lists_are_taken_whole_or_not():
    lab = started().tell("b", "colour", "red")
    with pytest.raises(ValueError, match=r"was told already \(red\)"):
        lab.tell(1, 0, "green")
    with pytest.raises(ValueError, match="twice"):
        lab.tell_many([("b", "dose", 1), (1, 1, 1)])
    with pytest.raises(ValueError, match="whose domain"):
        lab.tell_many([("b", "dose", 1), ("d", "colour", "pink")])
    assert len(lab.acquisitions_) == 1
    assert len(lab.tell_many([("b", "dose", 1), ("d", "colour", "blue")]).acquisitions_) == 3


def test_data_that_cannot_be_used_are_refused():
    empty = FRAME.assign(dose=np.nan)
    with pytest.raises(ValueError, match="knows no value of 'dose'"):
        fewer.MAC().start(empty, Y, domains=DOMAINS)
    for domains, words in (
        ({"colour": ["red"]}, "got 'green' in 'colour'"),
        ({"color": ["red"]}, "Did you mean colour"),
        ({"colour": "red"}, "takes a list of values"),
        ({"colour": ["red", "red", "green"]}, "each once"),
        ({"age": {"edges": [3, 1]}}, "finite numbers that rise"),
        ({"dose": []}, "a domain lists values"),
    ):
        with pytest.raises(ValueError, match=words):
            fewer.MAC().start(FRAME, Y, domains=domains)
    with pytest.raises(ValueError, match="4 row names, 1 of them different"):
        fewer.MAC().start(FRAME, Y, row_names=["a"] * 4)
    with pytest.raises(ValueError, match="n=0"):
        started().ask(0)
    with pytest.raises(ValueError, match="not fitted"):
        fewer.MAC().ask()
    for costs, words in (([1, 2], "2 costs for 3"), ({"dose": 0}, "above 0"), ({"x": 1}, "column 'x'")):
        with pytest.raises(ValueError, match=words):
            started(costs=costs)


def values(asked):
    return {"colour": "red", "dose": 1, "age": 35}[asked.name]


def test_stop_rules():
    lab = started(budget=2).run(values)
    assert (len(lab.acquisitions_), lab.stopped_) == (2, "the budget of 2 values is spent")
    lab = started(max_cost=7.0, costs={"dose": 3, "age": 2}).run(values)
    assert lab.spent_ <= 7
    assert "costs at most what is left of 7" in lab.stopped_
    assert sum(q.cost for q in started(max_cost=7.0, costs={"dose": 3, "age": 2}).ask(6)) <= 7
    data = fewer.synth.make_binary_channels(100, random_state=0)
    nothing = np.full(data.X.shape, np.nan)
    lab = fewer.MAC(tol=0.004, patience=5, random_state=0).start(nothing, data.y, domains={f: [0, 1] for f in range(3)})
    lab.run(lambda asked: data.X[asked.row, asked.column])
    changes = np.abs(np.diff(lab.trajectory_, axis=0)).max(axis=1)
    assert changes[-5:].max() < 0.004
    assert all(changes[k : k + 5].max() >= 0.004 for k in range(len(changes) - 5))
    assert "the last 5 values" in lab.stopped_


def test_what_cannot_be_measured_is_asked_for_no_more():
    lab = started()
    first = lab.ask()
    lab.withdraw(first.row, first.column)
    assert first not in lab.ask(10)
    lab.run(lambda asked: None if asked.name == "age" else values(asked))
    assert {one.column for one in lab.acquisitions_} == {0, 1}
    assert lab.stopped_ == "no value is left to ask for"
    assert len(lab.tell("b", "age", 50).acquisitions_) == 4


def test_costs_turn_the_choice_only_if_asked_to():
    plain, dear = started(costs={"dose": 1000}), started(costs={"dose": 1000}, by_cost=True)
    assert plain.ask(6) == plain.ask(6)
    asked = dear.ask(6)
    assert [q.name for q in asked[-2:]] == ["dose", "dose"]
    worth = [q.benefit / q.cost for q in asked]
    assert all(a >= b * (1 - 1e-12) for a, b in zip(worth, worth[1:]))
    benefits = [q.benefit for q in plain.ask(6)]
    assert benefits == sorted(benefits, reverse=True)


def test_the_selection_shows_what_was_acquired():
    lab = started(n_features_to_select=2).run(values)
    found = lab.selection_
    assert len(found) == 2
    np.testing.assert_array_equal(found.scores, lab.relevances_)
    np.testing.assert_array_equal(found.columns["acquired"], [2, 2, 2])
    np.testing.assert_array_equal(found.columns["known"], [4, 4, 4])
    table = found.tables["acquisitions"].named(found.feature_names)
    assert table["row"] == [FRAME.index[one.row] for one in lab.acquisitions_]
    assert table["benefit"] == [one.benefit for one in lab.acquisitions_]
    path = found.tables["trajectory"]
    assert path.columns["values acquired"] == list(range(7))
    for f, line in path.coefficients.items():
        np.testing.assert_allclose(line, lab.trajectory_[:, f])
    again = fewer.Selection.from_json(found.to_json())
    assert again.tables["trajectory"].columns == path.columns
    assert started("RandomAcquisition").ask().benefit != started("RandomAcquisition").ask().benefit
