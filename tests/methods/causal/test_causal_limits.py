"""Where data are not faithful or rows too few: near copies, columns that determine others, contradictions; all said."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fewer
from fewer.core.reading.table import ArrayTable
from fewer.core.records.errors import InputError, ParameterError
from fewer.independence import ConditionalInformation
from fewer.report import page
from fewer.results import Selection, to_networkx
from fewer.synth import make_lung_cancer

LOCAL = ["HITON", "MMMB", "HITONPC", "MMPC"]


def near_copies(seed, n=400, copies=2):
    """Columns that differ from one cause of y by little, and noise."""
    rng = np.random.default_rng(seed)
    cause = rng.normal(size=n)
    X = np.column_stack([*(cause + 0.05 * rng.normal(size=n) for _ in range(copies)), rng.normal(size=(n, 2))])
    return X, cause + rng.normal(size=n)


def notes_of(selection):
    return " ".join(selection.tables["notes"].columns["note"]) if "notes" in selection.tables else ""


@pytest.mark.parametrize("name", [*LOCAL, "PC"])
@pytest.mark.parametrize("copies", [2, 3])
def test_of_near_copies_one_is_kept(name, copies):
    """Each makes the others independent of y; both were dropped. The one that IAMB keeps comes back."""
    for seed in range(4):
        X, y = near_copies(seed, copies=copies)
        found = getattr(fewer, name)(alpha=0.01).fit(X, y).selection_
        (kept,) = found.indices.tolist()
        assert [kept] == fewer.IAMB(alpha=0.01).fit(X, y).selection_.indices.tolist()
        for other in set(range(copies)) - {kept}:
            reason = found.reason(other)
            assert (reason.kind, reason.related) == ("redundant", (f"x{kept}",))
            assert f"independent of y given {{x{kept}}}" in str(reason)
        assert found.tables["roles"].columns["feature"][0] == kept


@pytest.mark.parametrize("test", ["g", "information"])
def test_of_near_copies_of_levels_one_is_kept(test):
    """The smallest p-value by shuffles is above the square of alpha, and must do."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        cause = rng.integers(0, 2, 250)
        X = np.column_stack([np.where(rng.random(250) < 0.015, 1 - cause, cause) for _ in range(2)])
        y = np.where(rng.random(250) < 0.3, 1 - cause, cause)
        wanted = fewer.IAMB(test=test).fit(X, y).selection_.indices.tolist()
        assert len(wanted) == 1
        for name in ("HITONPC", "PC"):
            assert getattr(fewer, name)(test=test).fit(X, y).selection_.indices.tolist() == wanted, name


def test_a_near_copy_of_a_spouse_is_found():
    rng = np.random.default_rng(0)
    spouse, y = rng.normal(size=(2, 600))
    child = y + spouse + 0.5 * rng.normal(size=600)
    X = np.column_stack([child, *(spouse + 0.02 * rng.normal(size=600) for _ in range(2)), rng.normal(size=600)])
    for name in ("HITON", "MMMB", "PC"):
        found = getattr(fewer, name)(alpha=0.01).fit(X, y).selection_.indices.tolist()
        assert 0 in found, name
        assert len({1, 2} & set(found)) == 1, name


def test_columns_that_determine_each_other_are_not_all_dropped_by_pc():
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 500))
    y = x + rng.normal(size=500)
    assert fewer.PC().fit(np.column_stack([x, 2 * x, -x, noise]), y).selection_.indices.tolist() == [0]
    # A sum, given whose parts nothing of it can vary.
    parts = rng.normal(size=(500, 2))
    total = parts.sum(axis=1)
    X = np.column_stack([parts, total, noise])
    found = fewer.PC(alpha=0.01).fit(X, total + rng.normal(size=500)).selection_
    assert found.indices.tolist() == [2]
    # Indicators of one nominal column: two of them tell the third.
    level = rng.integers(0, 3, 1000)
    y = np.where(rng.random(1000) < 0.2, rng.integers(0, 3, 1000), level)
    X = np.column_stack([level == 0, level == 1, level == 2, rng.integers(0, 2, 1000)]).astype(int)
    assert sorted(fewer.PC(alpha=0.01).fit(X, y).selection_.indices.tolist()) == [0, 1]


def test_pc_directs_nothing_by_tests_with_too_few_rows():
    """a -> c <- b: 8 levels each leave rows for the pairs, but not for a and b given c."""
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 8, (2, 700))
    c = np.where(rng.random(700) < 0.5, a, b)
    found = fewer.PC(discretizer=None).fit(np.column_stack([a, b]), c).selection_
    assert found.tables["graph"].columns["edge"] == ["--?", "--?"]
    assert set(found.tables["roles"].columns["role"]) == {"parent or child"}
    assert '2 edges are marked "--?": rows are too few' in notes_of(found)
    assert "What to mind" in page.render(found)
    enough = fewer.PC(discretizer=None, h=0.5).fit(np.column_stack([a, b]), c).selection_
    assert enough.tables["graph"].columns["edge"] == ["->", "->"]
    assert notes_of(enough) == ""
    # Where rows do not even suffice for the pairs, edges are not known, and admit nothing.
    none = fewer.PC(discretizer=None, h=100).fit(np.column_stack([a, b]), c).selection_
    assert len(none) == 0
    assert set(none.tables["graph"].columns["edge"]) == {"?"}
    assert "too few to tell whether they exist" in notes_of(none)


def blanket_of_graph(selection):
    """Read the blanket off the drawn edges: neighbours, and what meets y in a collider."""
    edges = list(zip(*selection.tables["graph"].columns.values()))
    joined = {frozenset(edge[:2]) for edge in edges}
    into = {(a, b) for a, b, word in edges if word.startswith("->")}
    near = {a + b + 1 for a, b, word in edges if -1 in (a, b) and word != "?"}
    disputed = {frozenset(edge[:2]) for edge in edges if edge[2].endswith("!")}
    spouses, doubtful = set(), set()
    for a, child in into:
        if (-1, child) in into and a != -1 and frozenset((a, -1)) not in joined:
            both = {frozenset((a, child)), frozenset((-1, child))}
            (doubtful if both & disputed else spouses).add(a)
    return near | spouses, near | spouses | doubtful


def test_blanket_roles_and_graph_of_pc_agree():
    """Small samples, in which colliders contradict each other."""
    seen = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        weights = np.triu(rng.normal(size=(7, 7)) * (rng.random((7, 7)) < 0.5), 1)
        X = rng.normal(size=(60, 7))
        for j in range(7):
            X[:, j] += X @ weights[:, j]
        found = fewer.PC().fit(X[:, 1:], X[:, 0]).selection_
        if "graph" not in found.tables:
            continue
        least, most = blanket_of_graph(found)
        kept = set(found.indices.tolist())
        assert least <= kept <= most, seed
        roles = found.tables["roles"].columns
        assert {j for j, role in zip(roles["feature"], roles["role"]) if role != "outside the blanket"} == kept
        for a, b, word in zip(*found.tables["graph"].columns.values()):
            if -1 in (a, b) and word != "?":
                wanted = "parent or child" if word.startswith("--") else "cause" if b == -1 else "effect"
                assert roles["role"][roles["feature"].index(a + b + 1)].startswith(wanted), seed
        disputed = sum(word.endswith("!") for word in found.tables["graph"].columns["edge"])
        assert (f'{disputed} edges are marked "!"' in notes_of(found)) == (disputed > 0)
        seen += disputed > 0
    assert seen > 3


def reached(edges, start):
    """All nodes to which directed edges lead from one."""
    waiting, found = [start], set()
    while waiting:
        here = waiting.pop()
        new = {b for a, b in edges if a == here} - found
        found |= new
        waiting.extend(new)
    return found


def test_cycles_are_said():
    """Samples of 60 rows in which directed edges form a circle."""
    said = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 8))
        for j in range(8):
            X[:, j] += X[:, :j] @ (rng.normal(size=j) * (rng.random(j) < 0.5))
        found = fewer.PC(alpha=0.2).fit(X[:, 1:], X[:, 0]).selection_
        rows = list(zip(*found.tables["graph"].columns.values())) if "graph" in found.tables else []
        directed = {(a, b): word for a, b, word in rows if word.startswith("->")}
        circular = [edge for edge in directed if edge[0] in reached(directed, edge[1])]
        assert ("form a cycle" in notes_of(found)) == bool(circular), seed
        assert all(directed[edge] == "->!" for edge in circular), seed
        said += bool(circular)
    assert said


def test_relevance_that_could_not_be_tested_is_not_known():
    data = make_lung_cancer(60, random_state=0)
    table = fewer.RelevanceClasses(h=200).fit(data.X, data.y).selection_.tables["relevance"].columns
    assert set(table["relevance"]) == {"not known"}
    assert set(table["why"]) == {"too few rows"}
    data = make_lung_cancer(2000, random_state=0)
    table = fewer.RelevanceClasses().fit(data.X, data.y).selection_.tables["relevance"].columns
    assert set(table["relevance"]) <= {"strong", "weak", "irrelevant"}


def test_exact_relevance_uses_weights_and_values():
    """x and y are independent unless the weights say otherwise; y is the parity of six values, not of three bins."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    X[:, 0] = [0, 1, 0, 1]
    plain, weighted = (
        fewer.RelevanceClasses(exact=True).fit(X, y, sample_weight=w).selection_ for w in (None, [3, 1, 1, 3])
    )
    assert plain.tables["relevance"].columns["relevance"][0] == "irrelevant"
    assert weighted.tables["relevance"].columns["relevance"][0] != "irrelevant"
    repeated = np.repeat(np.arange(4), [3, 1, 1, 3])
    again = fewer.RelevanceClasses(exact=True).fit(X[repeated], y[repeated]).selection_
    assert again.tables["relevance"].columns == weighted.tables["relevance"].columns
    values = np.column_stack([np.repeat(np.arange(6.0), 6), np.tile(np.arange(6.0), 6)])
    found = fewer.RelevanceClasses(exact=True).fit(values, values[:, 0] % 2).selection_
    assert found.indices.tolist() == [0]
    with pytest.raises(InputError, match=r"RelevanceClasses\(exact=True\) got 17 features.*pass exact=False"):
        fewer.RelevanceClasses(exact=True).fit(np.zeros((4, 17)), [0, 1, 0, 1])


def test_fast_iamb_says_that_it_ended_for_lack_of_rows():
    data = make_lung_cancer(200, random_state=0)
    found = fewer.FastIAMB().fit(data.X, data.y).selection_
    assert found.meta["tests"]["too_few_rows"] > 0
    left = [j for j in range(10) if found.reason(j).kind == "not reached"]
    assert left
    assert all("too few rows to tell whether it depends on y given" in str(found.reason(j)) for j in left)
    assert "ended because rows are too few to admit more than" in notes_of(found)
    many = make_lung_cancer(20_000, random_state=0)
    assert notes_of(fewer.FastIAMB().fit(many.X, many.y).selection_) == ""


def test_shuffles_suffice_for_the_level_or_are_refused():
    data = make_lung_cancer(120, random_state=0)
    X = data.X[:, [7]]
    found = fewer.HITONPC(test="information", alpha=0.004).fit(X, data.y).selection_
    assert found.indices.tolist() == [0]
    assert found.columns["pvalue"].max() <= 0.004
    assert "1 row per cell for enough, not h = 5" in notes_of(found)
    assert notes_of(fewer.HITONPC(test="information", h=1).fit(X, data.y).selection_) == ""
    for made in ("information", ConditionalInformation()):
        with pytest.raises(ParameterError, match=r"HITONPC got alpha=1e-05 .* at least 1 / .*choose a larger alpha"):
            fewer.HITONPC(test=made, alpha=1e-5).fit(X, data.y)
    fewer.HITONPC(test=ConditionalInformation(0), alpha=1e-5).fit(X, data.y)


def test_the_target_has_its_name():
    data = make_lung_cancer(2000, random_state=0)
    frame = pd.DataFrame(data.X, columns=list(data.names))
    found = fewer.HITON().fit(frame, pd.Series(data.y, name="cancer")).selection_
    assert "independent of cancer given {Smoking}" in str(found.reason("Anxiety"))
    assert "depends on cancer given {Coughing}" in str(found.reason("Allergy"))
    assert "cancer" in found.to_frame(table="graph")["from"].tolist()
    again = Selection.from_json(found.to_json())
    assert again.tables["graph"].target == "cancer"
    assert str(again.reason("Anxiety")) == str(found.reason("Anxiety"))
    assert "<title>cancer</title>" in page.render(found)
    assert "cancer" in {text.get_text() for text in found.plot.graph().texts}
    few = make_lung_cancer(60, random_state=0)
    strict = fewer.HITON(h=200).fit(few.X, pd.Series(few.y, name="cancer")).selection_
    assert "too few rows to tell whether it depends on cancer" in str(strict.reason(0))
    nameless = fewer.HITON().fit(frame, pd.Series(data.y)).selection_
    assert "independent of y given {Smoking}" in str(nameless.reason("Anxiety"))


def test_the_exported_graph_has_the_name_of_the_target():
    pytest.importorskip("networkx")
    X, y = near_copies(0)
    assert "price" in to_networkx(fewer.PC().fit(X, pd.Series(y, name="price")).selection_)
    assert "y" in to_networkx(fewer.PC().fit(X, y).selection_)


def test_the_target_column_of_a_file_has_its_name(tmp_path):
    data = make_lung_cancer(500, random_state=0)
    frame = pd.DataFrame(data.X[:, :3], columns=["Anxiety", "Smoking", "Gene"]).assign(cancer=data.y)
    frame.to_csv(tmp_path / "lungs.csv", index=False)
    found = fewer.select(str(tmp_path / "lungs.csv"), "cancer", method="IAMB")
    assert "on cancer" in str(found.reason("Smoking"))
    streamed = ArrayTable(data.X, data.y, batch_rows=100)
    assert "on " + str(streamed.target) in str(fewer.IAMB().fit(streamed).selection_.reason(7))
