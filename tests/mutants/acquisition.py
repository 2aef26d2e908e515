"""Wrong readings of active acquisition."""

from __future__ import annotations

from mutant import Mutant

MAC = "tests/methods/active/test_mac.py"
CORRECTIONS = "tests/methods/active/test_corrections.py"
STATE = "tests/methods/active/test_acquisition_state.py"
ACQUISITION = [
    Mutant(
        "core/kernels/acquisition.py",
        "out[c] += theta[c, x] * moved * moved",
        "out[c] += moved * moved",
        "benefits are added without the chance of the value, as algorithm 5.2.1 prints them",
        MAC,
    ),
    Mutant(
        "core/kernels/acquisition.py",
        "change = (here - theta[c, v]) / (total + 1.0) if",
        "change = (here - theta[c, v]) / total if",
        "the change of a frequency forgets the value that makes it",
        MAC,
    ),
    Mutant(
        "core/kernels/acquisition.py",
        "n_best += left[f, c]",
        "n_best += 1",
        "ties are drawn over groups of cells",
        MAC,
    ),
    Mutant(
        "methods/active/_models.py",
        "self._after[c].clear()",
        "pass",
        "what cells would do is remembered when the model has changed",
        f"{MAC} {STATE}",
    ),
    Mutant(
        "core/records/durable.py",
        "if file.tell() != self._end:",
        "if False:",
        "of two who write the second overwrites what the first has told",
        STATE,
    ),
    Mutant(
        "core/estimators/acquirer.py",
        "        self._state.write(events)\n",
        "",
        "what is told does not reach the file",
        STATE,
    ),
    Mutant(
        "core/reading/partial_table.py",
        "    if isinstance(given, str):\n        if given in names:\n            return names.index(given)",
        "    if str(given) in names:\n        return names.index(str(given))\n    if isinstance(given, str):",
        "a number is the name of another row",
        CORRECTIONS,
    ),
    Mutant(
        "core/records/durable.py",
        "            os.ftruncate(file.fileno(), end)\n",
        "",
        "a full disk leaves part of a line",
        CORRECTIONS,
    ),
    Mutant(
        "core/estimators/acquisition_state.py",
        'del kept[("tell", *event["take back"])]',
        "pass",
        "what was taken back comes again with the file",
        CORRECTIONS,
    ),
]
