"""What a mutant is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One change of the code.

    The old text stands exactly once in its file. A mutant that changes no result is no mutant; replace it.

    Attributes
    ----------
    file : str
        Path below src/fewer.
    old, new : str
        Which text is changed into which.
    wrong : str
        What wrong reading that stands for.
    tests : str
        Arguments of pytest, as narrow as possible: a mutant is tried by these alone.
    """

    file: str
    old: str
    new: str
    wrong: str
    tests: str
