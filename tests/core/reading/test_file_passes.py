"""How often a file is read, counted; docs/scale.md states the same."""

from __future__ import annotations

import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv as pa_csv

import fewer
from fewer.core.criteria import fisher_z
from fewer.core.discretize import code_cache
from fewer.core.reading.io import columnar, delimited
from fewer.core.reading.table import open_table
from fewer.core.reading.table_views import is_table
from fewer.core.records.errors import ParameterError, RequirementError
from fewer.core.summaries import quantiles
from fewer.discretize import UserEdges

# Passes over the file of all methods that stream, the opening one included.
BY_LEVELS = {"quantile": 4, "few values": 3, "uniform": 2, "sigma": 3, "none": 2, "edges": 2}
WORDS = {
    "few values": "quantile, at most 16,384 different values in every column",
    "none": "none (levels given)",
    "edges": "edges given",
}
OTHERS = {
    **dict.fromkeys(["FTest", "TTest", "WelchTest", "SignalToNoise", "FisherScore", "Pearson"], 2),
    **dict.fromkeys(["DuplicateFilter", "MissingFilter", "IdentifierFilter"], 2),
    **dict.fromkeys(["ConstantFilter", "DriftFilter", "LeakSuspects"], 5),
    "CorrelationFilter": 3,
    "RandomRanking": 1,
    "RankOrderElimination": 2,
    "RedundancyTree": 2,
    **dict.fromkeys(["AggressiveTerms", "PIP", "PIPPoisson", "SpreadFx", "TextScore", "TopDownTextScore"], 2),
    # The numbers themselves are read again for each of the three chosen features.
    "GaussianMRMR": 2 + 3,
}
# A look at the columns, the folds, and for the candidates spread, products and predictions come on top of the levels,
# whose edges the look and the folds share.
DEFAULT_RECIPE = {"classes": 10, "numbers": 14}
# These need all rows at once, but only as codes.
ON_KEPT_CODES = ["CMIGreedy", "Consistency", "JMI3"]
DISCRETIZERS = {"few values": "quantile", "none": None, "edges": UserEdges([0.0])}


def streaming():
    made = {entry.name: fewer.get(entry.name) for entry in fewer.catalog()}
    tagged = {name: cls for name, cls in made.items() if getattr(cls, "method_tags", None) and cls.method_tags.streams}
    return {name: cls for name, cls in tagged.items() if name != "DefaultRecipe"}


@pytest.fixture(autouse=True)
def small_sketch(monkeypatch):
    """Let 3,000 rows be too many for one pass, as millions are."""
    monkeypatch.setattr(quantiles, "MOST_KEPT", 200)


@pytest.fixture
def reads(monkeypatch):
    """Count how often each column is read from its first row on."""
    counted: Counter[str] = Counter()
    for part in (delimited._Part, columnar._ParquetPart):
        read = part.read

        def counting(self, names, *rest, _read=read):
            counted.update(names)
            return _read(self, names, *rest)

        monkeypatch.setattr(part, "read", counting)
    return counted


def columns(n=3000, few=False):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, 5))
    X[:, 1] += y
    X[:, 3] += X[:, 1]
    if few:
        X = (X > 0).astype(float)
    return {**{f"x{j}": X[:, j] for j in range(5)}, "y": y}


def written(folder, name, data):
    path = folder / name
    if path.suffix == ".csv":
        pa_csv.write_csv(pa.table(data), str(path))
    else:
        pq.write_table(pa.table(data), path)
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("passes")
    kinds = [(kind, end) for kind in ("many", "few") for end in (".csv", ".parquet")]
    return {(kind, end): written(folder, kind + end, columns(few=kind == "few")) for kind, end in kinds}


def passes_of(selector, path, reads):
    reads.clear()
    selector.fit(open_table(path, "y", batch_rows=700))
    assert set(reads) == {*(f"x{j}" for j in range(5)), "y"}
    assert len(set(reads.values())) == 1
    return reads["y"]


def on_levels(cls):
    """Return whether a method puts numbers into bins, if nothing else is asked for."""
    return "discretizer" in cls._get_param_names() and cls.__name__ != "CorrelationFilter"


@pytest.mark.parametrize("levels", BY_LEVELS)
def test_every_streaming_method_on_levels_takes_the_stated_passes(files, reads, levels):
    path = files["few" if levels in ("few values", "none") else "many", ".parquet"]
    discretizer = DISCRETIZERS.get(levels, levels)
    names = [name for name, cls in streaming().items() if on_levels(cls)] + ON_KEPT_CODES
    made = {name: fewer.get(name)(n_features_to_select=3, discretizer=discretizer) for name in names}
    found = {name: passes_of(selector, path, reads) for name, selector in made.items()}
    assert found == dict.fromkeys(names, BY_LEVELS[levels])


def test_every_other_streaming_method_takes_the_stated_passes(files, reads):
    names = [name for name, cls in streaming().items() if not on_levels(cls)]
    # Counts and other amounts are not below 0.
    kinds = {name: "few" if fewer.get(name).method_tags.nonnegative else "many" for name in names}
    found = {name: passes_of(fewer.get(name)(3), files[kinds[name], ".parquet"], reads) for name in names}
    assert found == OTHERS


@pytest.mark.parametrize(("most_paired", "passes"), [(4096, 3), (2, 2)], ids=["all pairs", "column by column"])
@pytest.mark.parametrize("cache_bytes", [2**30, 100])
def test_correlations_of_a_search_for_causes_take_the_stated_passes(
    files, reads, monkeypatch, most_paired, passes, cache_bytes
):
    monkeypatch.setattr(fisher_z, "MOST_PAIRED", most_paired)
    names = [entry.name for entry in fewer.catalog(family="causal")]
    found = {}
    for name in names:
        reads.clear()
        table = open_table(files["many", ".parquet"], "y", batch_rows=700, cache_bytes=cache_bytes)
        fewer.get(name)(test="fisher_z").fit(table)
        found[name] = set(reads.values())
    assert found == {name: {passes} for name in names}
    assert len(names) == 10
    stated = f'| {", ".join(names)}: test="fisher_z", up to 4,096 features; more | 3; 2 |'
    assert stated in (Path(__file__).parents[3] / "docs" / "scale.md").read_text("utf-8")


def test_the_default_recipe_takes_the_stated_passes(tmp_path, reads):
    data = columns()
    assert passes_of(fewer.DefaultRecipe(), written(tmp_path, "t.parquet", data), reads) == DEFAULT_RECIPE["classes"]
    data["y"] = data["x0"] + data["x1"]
    assert passes_of(fewer.DefaultRecipe(), written(tmp_path, "n.parquet", data), reads) == DEFAULT_RECIPE["numbers"]
    stated = "| DefaultRecipe, used when no method is named | {classes}; numeric target {numbers} |"
    assert stated.format(**DEFAULT_RECIPE) in (Path(__file__).parents[3] / "docs" / "scale.md").read_text("utf-8")


def test_a_numeric_target_that_is_cut_takes_two_passes_more(tmp_path, reads):
    data = columns()
    data["y"] = data["x0"] + data["x1"]
    found = passes_of(fewer.MRMR(3), written(tmp_path, "n.parquet", data), reads)
    assert found == BY_LEVELS["quantile"] + 2
    data["y"] = np.round(data["y"]) + 0.5
    found = passes_of(fewer.MRMR(3), written(tmp_path, "f.parquet", data), reads)
    assert found == BY_LEVELS["quantile"] + 1


def test_the_documentation_states_the_same_passes():
    stated = dict.fromkeys(BY_LEVELS)
    for line in (Path(__file__).parents[3] / "docs" / "scale.md").read_text(encoding="utf-8").splitlines():
        for levels, words in {**dict(zip(BY_LEVELS, BY_LEVELS)), **WORDS}.items():
            if line.startswith(f"| {words} | "):
                stated[levels] = int(line.split("|")[2])
    assert stated == BY_LEVELS


@pytest.mark.parametrize("name", ["InformationGain", "MRMR"])
def test_delimited_text_is_read_as_often(files, reads, name):
    assert passes_of(fewer.get(name)(3), files["many", ".csv"], reads) == BY_LEVELS["quantile"]


@pytest.mark.parametrize("end", [".csv", ".parquet"])
def test_a_table_is_loaded_in_one_pass_and_not_read_to_see_what_it_is(files, reads, end):
    table = open_table(files["many", end], "y")
    assert is_table(table)
    assert not reads
    loaded = table.load()
    assert set(reads.values()) == {1}
    again = open_table(files["many", end], "y").read()
    assert loaded.read().X.tobytes() == again.X.tobytes()
    assert loaded.classes.tolist() == table.classes.tolist() == [0, 1]
    fewer.JMI(2).fit(loaded)
    assert set(reads.values()) == {2}
    reads.clear()
    fewer.select(files["many", end], "y", "MRMR", n_features_to_select=2)
    assert set(reads.values()) == {1}


def test_loading_leaves_out_rows_without_weight_and_finds_late_text(tmp_path, reads):
    data = columns(400)
    data["w"] = np.arange(400) % 3 * 1.0
    table = open_table(written(tmp_path, "t.csv", data), "y", weight="w").load()
    assert set(reads.values()) == {1}
    assert table.counted.tolist() == (data["w"] > 0).tolist()
    assert len(table.read().y) == np.count_nonzero(data["w"])
    path = tmp_path / "late.csv"
    path.write_text("x,y\n" + "1,0\n" * 700_000 + "red,1\n" * 700_000)
    late = open_table(path, "y").load()
    assert late.labels[0].tolist() == ["1", "red"]
    assert late.read().X.sum() == 700_000


def test_whole_numbers_become_classes_without_another_pass(tmp_path, reads):
    data = columns(900)
    data["y"] = np.arange(900) % 30 - 4
    path = written(tmp_path, "t.parquet", data)
    with warnings.catch_warnings():
        fewer.FTest(2).fit(table := open_table(path, "y"))
    assert set(reads.values()) == {2}
    loaded = table.load()
    want = fewer.FTest(2).fit(np.column_stack([data[f"x{j}"] for j in range(5)]), data["y"]).scores_
    np.testing.assert_allclose(fewer.FTest(2).fit(loaded).scores_, want)
    assert loaded.read_for("classification").read().y.tolist() == (data["y"] + 4).tolist()


def holed(n=2500):
    """Return columns with missing values, equal values, text and weights."""
    rng, data = np.random.default_rng(3), columns(n)
    data["x0"] = np.where(rng.random(n) < 0.2, np.nan, data["x0"])
    data["same"] = np.full(n, 3.25)
    data["zeros"] = np.where(rng.random(n) < 0.6, 0.0, data["x1"])
    data["word"] = rng.choice(["red", "green", "blue"], n)
    data["w"] = rng.integers(0, 4, n) / 4
    return data


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("name", ["MRMR", "JMI", "CMIM", "FCBF", "CFS", "InformationGain"])
def test_streamed_from_memory_from_disk_and_loaded_are_the_same(tmp_path, monkeypatch, name, weight):
    data = holed()
    path = written(tmp_path, "t.parquet", data if weight else {k: v for k, v in data.items() if k != "w"})
    on_disk = _spied(monkeypatch)
    results = []
    for cache_bytes in (2**20, 0):
        table = open_table(path, "y", weight=weight, batch_rows=300, cache_bytes=cache_bytes)
        results.append(fewer.get(name)(4).fit(table).selection_)
    assert len(on_disk) == (name != "InformationGain")
    results.append(fewer.get(name)(4).fit(open_table(path, "y", weight=weight).load()).selection_)
    first = results[0]
    for other in results[1:]:
        assert other.indices.tolist() == first.indices.tolist()
        assert np.array_equal(other.scores, first.scores, equal_nan=True)
        assert other.reasons.kind.tolist() == first.reasons.kind.tolist()


def _spied(monkeypatch):
    made = []

    class Spied(code_cache.FileBlocks):
        def __init__(self, file, view):
            made.append(file)
            super().__init__(file, view)

    monkeypatch.setattr(code_cache, "FileBlocks", Spied)
    return made


@pytest.mark.parametrize("fails", [False, True])
def test_the_cache_on_disk_leaves_nothing_behind(files, tmp_path, monkeypatch, fails):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    on_disk = _spied(monkeypatch)
    selector = fewer.JMI(3)
    if fails:
        monkeypatch.setattr(type(selector.criterion), "start", lambda *given: 1 / 0)
    table = open_table(files["many", ".parquet"], "y", batch_rows=700, cache_bytes=100)
    try:
        selector.fit(table)
    except ZeroDivisionError:
        assert fails
    (file,) = on_disk
    assert file.closed
    assert not list(Path(tmp_path).iterdir())


def test_codes_that_need_memory_say_so_if_it_is_short(files):
    table = open_table(files["many", ".parquet"], "y", cache_bytes=100)
    with pytest.raises(RequirementError, match="cache_bytes"):
        fewer.JMI3(3).fit(table)
    with pytest.raises(ParameterError, match="cache_bytes=-1"):
        open_table(files["many", ".parquet"], "y", cache_bytes=-1)
