"""Libraries that a command does not use are not loaded, and are themselves where they are used."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
from fewer.cli.late_modules import LateModule, load_scikit_learn
load_scikit_learn()
assert "pandas" not in sys.modules and isinstance(sys.modules["scipy.stats"], LateModule)
from scipy.stats import chi2, rankdata
import scipy.stats
assert isinstance(sys.modules["scipy.stats"], LateModule)
assert rankdata([3.0, 1.0, 1.0]).tolist() == [3.0, 1.5, 1.5]
assert abs(chi2.sf(3.841458820694124, 1) - 0.05) < 1e-12
assert not isinstance(sys.modules["scipy.stats"], LateModule)
assert scipy.stats.norm.cdf(0.0) == 0.5
from scipy.stats import norm
assert norm is scipy.stats.norm
import sklearn.utils.fixes, pandas
kept = getattr(sklearn.utils.fixes, "pd", None)
assert kept is None or kept.DataFrame is pandas.DataFrame
"""


def test_late_libraries_are_themselves_when_used():
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)
