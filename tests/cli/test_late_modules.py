"""A command that uses no frame loads no pandas; where one is used, all is as if pandas had been loaded first."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from fewer.cli import late_modules

pytest.importorskip("pandas")
FRAMES = """
import sys
{first}
from fewer.cli.late_modules import load_scikit_learn, can_wait
waits = can_wait()
load_scikit_learn()
assert waits is {waits} and ("pandas" in sys.modules) is not waits
import scipy.stats.mstats, sklearn.inspection
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
X = pd.DataFrame({{"a": [1.0, 2.0, None], "b": pd.Categorical(["u", "v", "u"]), "c": pd.array([1, None, 3], "Int64")}})
made = make_column_transformer((SimpleImputer(), ["a", "c"]), (OrdinalEncoder(), ["b"])).set_output(transform="pandas")
out = made.fit_transform(X)
assert type(out) is pd.DataFrame and out.shape == (3, 3) and not out.isna().any().any()
assert StandardScaler().fit(X[["a"]]).feature_names_in_.tolist() == ["a"]
import fewer
assert fewer.get("FTest")(1).fit(X[["a", "c"]].fillna(0), [0, 1, 0]).selection_.names is not None
"""


@pytest.mark.parametrize(("first", "waits"), [("", True), ("import pandas", False), ("import sklearn.base", False)])
def test_frames_are_frames_whenever_pandas_is_loaded(monkeypatch, first, waits):
    if first == "" and not late_modules.version("scikit-learn").startswith(late_modules.KNOWN):
        waits = False
    subprocess.run([sys.executable, "-c", FRAMES.format(first=first, waits=waits)], check=True)


def test_an_unknown_version_or_another_thread_is_no_time_to_wait(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] in ("sklearn", "pandas")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(late_modules, "version", lambda name: "1.9.3")
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert late_modules.can_wait()
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert not late_modules.can_wait()
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(late_modules, "version", lambda name: "2.0.0")
    assert not late_modules.can_wait()
