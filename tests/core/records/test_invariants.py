"""What holds in every selection, how one is built, and how it is told of more features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fewer
from fewer.core.records.errors import BrokenResult, FileError
from fewer.core.records.needs import Need
from fewer.core.records.reasons import IRRELEVANT, KEPT, NOT_REACHED, REDUNDANT, Reasons
from fewer.core.records.result import Selection
from fewer.core.records.result_table import ResultTable
from fewer.core.records.trace import Step, Trace


def example(**changed) -> Selection:
    kind = np.array([KEPT, NOT_REACHED, REDUNDANT, KEPT], np.uint8)
    pvalues = np.array([0.1, 0.2, 0.3, 0.0])
    needs = (Need("p-value", pvalues, 0.25, how="at most"),)
    parts = {
        "indices": np.array([3, 0]),
        "order": np.array([3, 0, 2]),
        "reasons": Reasons(kind, needs=needs, related={2: (0,)}, amount={2: 0.5}, note={1: "why"}),
        "scores": np.array([0.5, 0.4, 0.1, 1.0]),
        "trace": Trace([Step((3,), (), 1.0), Step((0, 2), (), 1.5), Step((), (2,), 1.4)]),
        "columns": {"pvalue": pvalues},
        "tables": {"tree": ResultTable("Tree", {"feature": [3, 2], "below": [-1, 3]}, "tree", ("feature", "below"))},
    }
    return Selection(**{**parts, **changed})


def reasons_with(**changed) -> Reasons:
    return replace(example().reasons, **changed)


@pytest.mark.parametrize(("changed", "words"), [
    ({"order": np.array([0, 3, 2])}, "begin with the kept"),
    ({"order": np.array([3])}, "begin with the kept"),
    ({"order": np.array([3, 0, 4])}, "other than 0 to 3"),
    ({"order": np.array([3, 0, -1])}, "other than 0 to 3"),
    ({"order": np.array([3, 0, 2, 2])}, "twice"),
    ({"indices": np.array([3]), "order": np.array([3, 0])}, "reason kept"),
    ({"indices": np.array([3, 0, 2]), "order": np.array([3, 0, 2])}, "reason kept"),
    ({"names": ("a", "b")}, "2 names for 4"),
    ({"scores": np.ones(3)}, "scores are of shape"),
    ({"columns": {"pvalue": np.ones((4, 1))}}, "pvalue are of shape"),
    ({"reasons": reasons_with(threshold=np.ones(3))}, "needed of the scores"),
    ({"reasons": reasons_with(needs=(Need("gain", np.ones(2), 0.0),))}, "values of 'gain'"),
    ({"reasons": reasons_with(needs=(Need("gain", np.ones(4), np.ones(2)),))}, "needed of the gain"),
    ({"columns": {"pvalue": np.array([0.1, 0.2, 0.31, 0.0])}}, "beside other numbers"),
])  # fmt: skip
def test_what_breaks_a_rule_is_refused(changed, words):
    with pytest.raises(BrokenResult, match=words):
        example(**changed)


def test_the_method_that_broke_a_rule_is_named():
    class Careless(fewer.FTest):
        """Keeps nothing, but says it does."""

        def _select(self, data, parts):
            return replace(super()._select(data, parts), indices=np.array([], dtype=np.int64))

    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(BrokenResult, match="Careless: in its selection the kept features and those"):
        Careless(1).fit(X, np.arange(20) % 2)


def test_a_file_that_breaks_a_rule_is_no_selection():
    text = example().to_json().replace('"order": [3, 0, 2]', '"order": [0, 3, 2]')
    with pytest.raises(FileError, match="begin with the kept"):
        Selection.from_json(text)


@given(st.data())
@settings(max_examples=60)
def test_the_builder_puts_kept_features_first_and_others_by_their_numbers(data):
    n = data.draw(st.integers(1, 8))
    kept = data.draw(st.lists(st.integers(0, n - 1), unique=True))
    order = data.draw(st.lists(st.integers(0, n - 1), unique=True))
    then = np.array(data.draw(st.lists(st.sampled_from([0.0, 1.0, 2.0, np.nan]), min_size=n, max_size=n)))
    reasons = Reasons.of_kept(n, kept, NOT_REACHED)
    short = Selection.build(kept, order, reasons)
    assert short.order.tolist() == [*kept, *(j for j in order if j not in kept)]
    whole = Selection.build(kept, order, reasons, then=then).order.tolist()
    rest = [j for j in range(n) if j not in short.order]
    worth = {j: -np.inf if np.isnan(then[j]) else then[j] for j in rest}
    assert whole == [*short.order.tolist(), *sorted(rest, key=lambda j: (-worth[j], j))]


@given(st.permutations(range(7)))
def test_a_selection_on_more_features_says_the_same(numbers):
    few, numbers = example(names=("a", "b", "c", "d")), np.array(numbers[:4])
    wide = few.on(numbers, 7, IRRELEVANT, "never looked at")
    names = tuple(few.feature_names[list(numbers).index(j)] if j in numbers else f"z{j}" for j in range(7))
    wide = wide.with_names(names)
    assert wide.kept_names == few.kept_names
    assert [wide.feature_names[j] for j in wide.order] == [few.feature_names[j] for j in few.order]
    for name in "abcd":
        assert str(wide.reason(name)) == str(few.reason(name))
    others = [wide.reason(name) for name in names if name.startswith("z")]
    assert {(r.kind, r.note, r.rank, r.score) for r in others} == {("irrelevant", "never looked at", None, None)}
    assert [[names[j] for j in step.added] for step in wide.trace] == [["d"], ["a", "c"], []]
    assert wide.tables["tree"].named(names) == few.tables["tree"].named(few.feature_names)


def test_a_chain_tells_what_each_of_its_parts_did(rng):
    y = np.tile([0, 1], 60)
    X = rng.normal(size=(120, 6)) + np.outer(y, [0, 0, 3, 2, 1, 0])
    parts = [fewer.Simba(5, random_state=0), fewer.FTest("p:0.5"), fewer.RankSum("p:1e-9")]
    chain = fewer.Chain(parts).fit(X, y)
    found, alone = chain.selection_, [one.selection_ for one in chain.selectors_]
    assert (found.meta["method"], list(found.meta["parameters"])) == ("Chain", ["selectors"])
    overview = found.tables["parts"].columns
    assert overview["method"] == ["Simba", "FTest", "RankSum"]
    assert overview["kept"] == [len(one) for one in alone]
    assert "n_starts=5" in overview["parameters"][0]
    assert found.tables["climbs of selector 1"].columns == alone[0].tables["climbs"].columns
    seen = alone[0].indices
    np.testing.assert_array_equal(found.columns["score by FTest"][seen], alone[1].scores)
    np.testing.assert_array_equal(found.columns["pvalue by FTest"][seen], alone[1].columns["pvalue"])
    assert found.trace.size() == len(found)
    last = [found.reason(int(j)) for j in seen[alone[1].indices] if j not in found.indices]
    assert last
    for reason in last:
        assert (reason.kind, reason.quantity, reason.note) == (
            "irrelevant", "p-value by RankSum", "dropped by selector 3"
        )  # fmt: skip
        assert reason.measured > reason.needed == 1e-9
