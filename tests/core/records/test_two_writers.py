"""Two processes on one file: one of their results, whole; and a checkpoint that holds what both have done."""

from __future__ import annotations

import subprocess
import sys

from fewer.core.records.journal import Journal

WRITER = """
import sys
from fewer.core.records.whole_files import write_whole
for _ in range(60):
    write_whole(sys.argv[1], sys.argv[2] * 50_000)
"""
KEEPER = """
import sys
from fewer.core.records.journal import Journal
journal = Journal(sys.argv[1], "test", {"seed": "1"})
for number in range(60):
    journal.append([f"{sys.argv[2]}{number}"])
"""


def both(script, path):
    return [
        subprocess.Popen([sys.executable, "-c", script, str(path), name], stderr=subprocess.PIPE, text=True)
        for name in "ab"
    ]


def test_an_output_is_that_of_one_of_them_at_any_moment(tmp_path):
    path, seen = tmp_path / "out", set()
    all_ = both(WRITER, path)
    while any(one.poll() is None for one in all_):
        if path.exists():
            seen.add(path.read_text())
    assert [(one.communicate()[1], one.returncode) for one in all_] == [("", 0)] * 2
    assert seen <= {"a" * 50_000, "b" * 50_000}
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


def test_a_checkpoint_keeps_the_lines_of_both(tmp_path):
    path = tmp_path / "point"
    all_ = both(KEEPER, path)
    assert [(one.communicate()[1], one.returncode) for one in all_] == [("", 0)] * 2
    lines = list(Journal(path, "test", {"seed": "1"}).lines)
    assert sorted(lines) == sorted(f"{name}{number}" for name in "ab" for number in range(60))
