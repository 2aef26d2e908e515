"""A package of methods as strangers would write it, installed by a folder on the path."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from fewer import plugged

SAMPLE = '''
"""A score that another package brings."""

import numpy as np

from fewer.criteria import Ranking, RankingCriterion
from fewer.plugins import MethodTags, NumberScore


class Ranges(RankingCriterion):
    """The range of a feature over its mean distance from the middle."""

    def scores(self, view):
        X = np.asarray(view.whole().X, float)
        return Ranking(X.max(axis=0) - X.min(axis=0))


class WidestRange(NumberScore):
    """Keep the features of the widest range.

    Parameters
    ----------
    n_features_to_select : int, float, str, tuple, Stop or None, default=10
        How many to keep.
    n_jobs : int or None, default=None
        Number of threads.
    verbose : int, default=0
        Whether to show progress.
    """

    method_tags = MethodTags(targets=("none",), views=("dense",), invariance=("row_order",))
    criterion = Ranges()


class FTest(WidestRange):
    """A name that is taken."""


class Other(WidestRange):
    """A class under another name than its entry point."""


number = 7
'''
BROKEN = "raise RuntimeError('no licence')\n"
# What compiled modules raise when they panic is no Exception.
PANICKED = "raise BaseException('panicked')\n"
STRANGE = '''
from fewer.plugins import MethodTags

from fewer_sample.ranges import WidestRange


class Strange(WidestRange):
    """Tags that nothing reads."""

    method_tags = MethodTags(targets=("binary",), views=("dense",))
'''
POINTS = """[fewer.methods]
WidestRange = fewer_sample.ranges:WidestRange
"""


def install(folder: Path, points: str = POINTS, name: str = "fewer-sample") -> None:
    """Put the package on the path of a folder, as pip would with its files."""
    package = folder / "fewer_sample"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "ranges.py").write_text(SAMPLE)
    (package / "broken.py").write_text(BROKEN)
    (package / "panicked.py").write_text(PANICKED)
    (package / "strange.py").write_text(STRANGE)
    info = folder / f"{name.replace('-', '_')}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(points)


def forget() -> None:
    """Look for plug-ins again, and import them again."""
    plugged._points.cache_clear()
    plugged.facts.cache_clear()
    importlib.invalidate_caches()
    for name in [name for name in sys.modules if name.split(".")[0] == "fewer_sample"]:
        del sys.modules[name]
