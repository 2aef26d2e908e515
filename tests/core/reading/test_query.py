"""Queries of DuckDB as tables."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import fewer
from fewer.core.records.errors import FewerError, FileError, MissingExtraError, ParameterError

duckdb = pytest.importorskip("duckdb")
ROWS = 5000


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("sql") / "sales.db"
    with duckdb.connect(str(path)) as made:
        made.execute("SELECT setseed(0.5)")
        made.execute(
            "CREATE TABLE t AS SELECT i % 2 AS y, i % 2 + random() AS x, random() AS noise, "
            "CASE WHEN i % 7 = 0 THEN NULL ELSE 'k' || (i % 3) END AS word, (i * 3 % 11)::DECIMAL(10, 2) AS price "
            f"FROM range({ROWS}) AS r(i)"
        )
        made.execute('CREATE TABLE "odd ""name" AS SELECT * FROM t')
    return path


def frame(database):
    pd = pytest.importorskip("pandas")
    with duckdb.connect(str(database), read_only=True) as opened:
        rows = opened.execute("SELECT * FROM t").fetchall()
    return pd.DataFrame(rows, columns=["y", "x", "noise", "word", "price"]).astype({"price": float})


@pytest.mark.parametrize("asked", ["table=t", "query=SELECT * FROM t", "query=select * from t ; ", 'table=odd "name'])
@pytest.mark.parametrize("stream", [True, False])
def test_a_query_gives_what_a_frame_gives(database, asked, stream):
    data = frame(database)
    table = fewer.open_table(f"duckdb:{database}?{asked}", "y", batch_rows=700)
    found = fewer.InformationGain(2).fit(table if stream else table.load())
    wanted = fewer.InformationGain(2).fit(data.drop(columns="y"), data["y"])
    assert table.n_rows == ROWS
    assert table.names == ("x", "noise", "word", "price")
    np.testing.assert_array_equal(found.scores_, wanted.scores_)
    assert found.selection_.kept_names == wanted.selection_.kept_names


def test_a_query_may_end_in_a_comment_and_need_no_database(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    parquet.write_table(
        pa.table({"a": rng.normal(size=300), "b": y + rng.normal(size=300), "y": y}), tmp_path / "r.parquet"
    )
    address = f"duckdb:?query=SELECT * FROM '{tmp_path / 'r.parquet'}' -- all of it"
    assert fewer.select(address, "y", "FTest", n_features_to_select=1).kept_names == ["b"]


def test_the_command_line_leaves_the_text_of_a_query_as_it_is(database):
    text = f"duckdb:{database}?query=SELECT y, x, noise FROM t WHERE 'a//b' = 'a/' || '/b'"
    words = ["select", text, "--target", "y", "-m", "FTest", "-n", "1"]
    done = subprocess.run([sys.executable, "-m", "fewer", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 of 2 features" in done.stdout


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("", "names no query"),
        ("?query=", "names no query"),
        ("?question=1", "names no query"),
        ("?query=SELECT * FROM nowhere", "nowhere does not exist"),
        ("?table=nowhere", "nowhere does not exist"),
        ("?query=SELECT nothing FROM t", "nothing"),
        ("?query=SELECT * FROM t WHERE x < 0", "gives no rows"),
        ("?query=DELETE FROM t", "is DELETE, but one SELECT"),
        ("?query=SELECT 1; SELECT 2", "is SELECT and SELECT, but one SELECT"),
        ("?query=SELECT 1) AS a, (SELECT 2", "could not answer"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(database, asked, words):
    with pytest.raises(FewerError, match=".") as caught:
        fewer.open_table(f"duckdb:{database}{asked}", "y")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_database_is_made_where_there_is_none(tmp_path, database):
    with pytest.raises(FileError, match="does not exist"):
        fewer.open_table(f"duckdb:{tmp_path / 'none.db'}?table=t", "y")
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("no database\n" * 100)
    with pytest.raises(FileError, match="could not answer the query"):
        fewer.open_table(f"duckdb:{tmp_path / 'text.db'}?table=t", "y")


def test_the_database_is_only_read(database, tmp_path):
    address = f"duckdb:{database}?query=COPY t TO '{tmp_path / 'out.csv'}'"
    with pytest.raises(FileError, match="one SELECT"):
        fewer.open_table(address, "y")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    "asked",
    [
        "SELECT random() AS x, y FROM t",
        "SELECT x, y FROM t ORDER BY random()",
        "SELECT x, y FROM t WHERE random() > 0.5",
    ],
)
def test_a_query_that_answers_otherwise_the_next_time_is_refused(database, asked):
    table = fewer.open_table(f"duckdb:{database}?query={asked}", "y", batch_rows=700)
    with pytest.raises(FileError, match=r"other values of 'x'|other rows or values"):
        fewer.InformationGain(1).fit(table)


def test_a_budget_is_handed_on_to_duckdb(database, monkeypatch):
    seen = []
    connect = duckdb.connect
    monkeypatch.setattr(
        duckdb,
        "connect",
        lambda *rest, config, **given: (seen.append(config), connect(*rest, config=config, **given))[1],
    )
    table = fewer.open_table(f"duckdb:{database}?table=t", "y", memory="600MB")
    fewer.FTest(1).fit(fewer.open_table(f"duckdb:{database}?query=SELECT x, noise, y FROM t", "y", memory="600MB"))
    assert table.budget.total == 600_000_000
    limits = [config["memory_limit"] for config in seen if "memory_limit" in config]
    assert limits
    assert all(64 <= int(limit.removesuffix("MiB")) <= 150 for limit in limits)


def test_without_duckdb_one_sentence_says_what_to_install(database, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match=r"fewer\[sql\]"):
        fewer.open_table(f"duckdb:{database}?table=t", "y")


def test_how_text_is_written_says_nothing_of_a_query(database):
    with pytest.raises(ParameterError, match="leave it out"):
        fewer.open_table(f"duckdb:{database}?table=t", "y", decimal=",")
