"""Methods of other packages: found by name, in lists, on the command line, in reports, comparisons and checks."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings

import numpy as np
import pytest

import fewer
from ecosystem.sample_package import POINTS, forget, install
from fewer import registry
from fewer.cli.main import main
from fewer.core.records.errors import ParameterError, PluginWarning
from fewer.plugins import CHECKS, MethodTags, NumberScore, check_selector


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


@pytest.fixture
def installed(folder):
    install(folder)
    return folder


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4)) * [1, 5, 2, 1]
    lines = ["a,b,c,d,y", *(",".join(map(str, [*row.round(4), int(row[2] > 0)])) for row in X)]
    path = tmp_path / "data.csv"
    path.write_text("\n".join(lines))
    return path


def test_a_method_of_another_package_is_found_in_any_case(installed):
    entry = registry.entry("widestrange")
    assert (entry.name, entry.family, entry.source) == ("WidestRange", "fewer-sample", "fewer-sample 1.2")
    assert (entry.contract, entry.shape, entry.task) == ("selector", "ranking", "none")
    assert fewer.WidestRange is fewer.get("WidestRange")
    assert [e.name for e in fewer.catalog(family="fewer-sample")] == ["WidestRange"]
    assert "WidestRange" not in {e.name for e in registry.METHODS}
    X = np.arange(12.0).reshape(4, 3) * [1, 3, 2]
    assert fewer.select(X, method="WidestRange", n_features_to_select=1).indices.tolist() == [1]
    with pytest.raises(ParameterError, match="Did you mean WidestRange"):
        registry.entry("WidestRang")


def test_the_command_line_reports_and_compares_it(installed, table, capfd):
    assert main(["methods", "--family", "fewer-sample"]) == 0
    assert "Keep the features of the widest range" in capfd.readouterr().out.replace("\n", " ")
    assert main(["describe", "WidestRange"]) == 0
    assert "fewer-sample 1.2" in capfd.readouterr().out
    out, page, found = (installed / name for name in ("s.json", "r.html", "c.json"))
    words = ["-m", "WidestRange", "-n", "2", "--target", "y", "--out", str(out), "--report", str(page)]
    assert main(["select", str(table), *words]) == 0
    assert json.loads(out.read_text())["meta"]["family"] == "fewer-sample"
    assert fewer.Selection.from_json(out).kept_names == ["b", "c"]
    assert "widest range" in page.read_text()
    words = [
        "--methods",
        "WidestRange,FTest",
        "--target",
        "y",
        "--sizes",
        "1,2",
        "--cv",
        "2",
        "-j",
        "1",
        "--out",
        str(found),
    ]
    assert main(["compare", str(table), *words]) == 0
    compared = fewer.Comparison.from_json(found)
    assert compared.methods == ("WidestRange", "FTest")
    assert compared.meta["families"]["WidestRange"] == "fewer-sample"


def test_it_can_be_checked(installed):
    assert check_selector(fewer.WidestRange(2), scikit_learn=False) == list(CHECKS)
    own = {"fit": lambda self, X, y=None: careless_fit(self, X), "__doc__": fewer.WidestRange.__doc__}
    careless = type("Careless", (fewer.WidestRange,), own)
    with pytest.raises(AssertionError, match="'inputs stay as they are': it changes X"):
        check_selector(careless(), scikit_learn=False)
    with pytest.raises(ParameterError, match=r"fewer\.plugins\.BaseSelector"):
        check_selector(object())


def careless_fit(made, X):
    super(type(made), made).fit(X)
    if isinstance(X, np.ndarray):
        X *= 2
    return made


def test_scikit_learns_checks_run_too(installed):
    assert check_selector(fewer.WidestRange(2))[0] == "scikit-learn's checks"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Broken = fewer_sample.broken:Broken", "RuntimeError: no licence"),
        ("Panicked = fewer_sample.panicked:Panicked", "BaseException: panicked"),
        ("Strange = fewer_sample.strange:Strange", r"targets=\('binary',\), but takes a tuple of 'none', 'survival'"),
        ("Absent = fewer_sample.ranges:Absent", "AttributeError"),
        ("Gone = fewer_nowhere:Gone", "ModuleNotFoundError"),
        ("number = fewer_sample.ranges:number", "is no class that derives from a base class"),
        ("Another = fewer_sample.ranges:Other", "both must be one name"),
    ],
)
def test_a_broken_plug_in_is_a_sentence_and_no_more(folder, line, words):
    install(folder, POINTS + line)
    with pytest.warns(PluginWarning, match=words) as caught:
        names = [e.name for e in registry.listed()]
    assert len(caught) == 1
    assert str(caught[0].message).count(". ") == 0
    assert names[-1] == "WidestRange"
    with pytest.raises(ParameterError, match=words):
        registry.entry(line.split(" =")[0])


@pytest.mark.parametrize(
    ("tags", "words"),
    [
        ({"targets": "classes"}, "change 'classes'"),
        ({"views": ("dens",)}, "change 'dens'. Did you mean dense"),
        ({"invariance": ("rows",)}, "takes a tuple of 'scale'"),
    ],
)
def test_tags_that_nothing_reads_are_refused(tags, words):
    with pytest.raises(ParameterError, match=words):
        MethodTags(**{"targets": ("classes",), "views": ("dense",), **tags})


def test_a_score_without_a_criterion_says_so():
    class Empty(NumberScore):
        """It scores nothing."""

        method_tags = MethodTags(targets=("none",), views=("dense",))

    with pytest.raises(ParameterError, match="Empty scores features, but its class has no criterion"):
        Empty(1).fit(np.eye(3))


def test_a_name_that_is_taken_is_refused(folder):
    install(folder, POINTS + "FTest = fewer_sample.ranges:FTest\nselect = fewer_sample.ranges:Other\n")
    with pytest.warns(PluginWarning, match="fewer has that name already") as caught:
        assert sum(e.name == "FTest" for e in registry.listed()) == 1
    assert len(caught) == 2
    assert registry.load("FTest").__module__.startswith("fewer.")
    install(folder, POINTS.replace("ranges:", "more:"), name="zzz-later")
    forget()
    with pytest.warns(PluginWarning, match="of zzz-later is left out, because fewer-sample has a method"):
        assert registry.entry("WidestRange").module == "fewer_sample.ranges"


def test_one_package_found_twice_is_one(installed, tmp_path_factory, monkeypatch):
    again = tmp_path_factory.mktemp("again")
    install(again)
    monkeypatch.syspath_prepend(str(again))
    forget()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [e.name for e in registry.listed()][-1] == "WidestRange"


def test_importing_fewer_looks_for_no_plug_in(installed):
    (installed / "fewer_sample" / "ranges.py").write_text("raise RuntimeError")
    code = (
        f"import sys; sys.path.insert(0, {str(installed)!r}); import fewer; fewer.get('FTest'); fewer.select\n"
        "assert not [m for m in sys.modules if m.startswith('fewer_sample')]"
    )
    subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", code], check=True)
