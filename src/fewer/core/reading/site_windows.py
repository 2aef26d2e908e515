"""Windows around sites of long sequences, and around places that look alike and are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fewer.core.records.errors import InputError, ParameterError


@dataclass(frozen=True, eq=False)
class SiteWindows:
    """Windows of one length with their classes.

    Attributes
    ----------
    texts : list of str
        The windows, ``2 * flank`` letters each.
    y : ndarray of int
        1 around an annotated site, 0 around another place with the same pair of letters.
    sequence, site : ndarray of int
        Number of the sequence, and how many of its letters stand before the site.
    """

    texts: list[str]
    y: np.ndarray
    sequence: np.ndarray
    site: np.ndarray


def site_windows(
    sequences: Sequence[str],
    sites: Sequence[Sequence[int]],
    *,
    pair: str = "AG",
    side: str = "upstream",
    flank: int = 80,
    n_negatives: int | None = None,
    random_state: Any = None,
) -> SiteWindows:
    """Cut windows around annotated sites and around random places with the same pair of letters.

    Parameters
    ----------
    sequences : sequence of str
        Long sequences, such as pre-mRNA.
    sites : sequence of sequences of int
        For every sequence the number of letters before each of its sites.
    pair : str, default="AG"
        The letters that every site has; "GT" for donor sites. Small and capital letters are the same.
    side : {"upstream", "downstream"}, default="upstream"
        Where the pair stands: at the end of the upstream half (acceptor), or at the beginning of the other (donor).
    flank : int, default=80
        Number of letters on each side of the site.
    n_negatives : int, optional
        How many other places are drawn without replacement; all of them by default.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    SiteWindows
        First the sites, in their order, then the others, in the order of the sequences.

    Notes
    -----
    The chapter [1]_ says neither where in the window the pair stands nor what becomes of sites near an end. Here the
    pair touches the site, and sites with fewer than ``flank`` letters on a side are left out. An annotated site without
    the pair is refused.

    References
    ----------
    .. [1] R. Islamaj Dogan, L. Getoor and W. J. Wilbur, "A feature generation algorithm with applications to
       biological sequence classification", in Computational Methods of Feature Selection, 2008, section 18.4.1.

    Examples
    --------
    >>> found = site_windows(["ccAGttccAGtt"], [[4]], flank=2)
    >>> found.texts, found.y.tolist(), found.site.tolist()
    (['AGtt', 'AGtt'], [1, 0], [4, 10])
    """
    if side not in ("upstream", "downstream") or not isinstance(pair, str) or len(pair) < 1 or flank < len(pair):
        raise ParameterError(
            f"site_windows got pair={pair!r}, side={side!r} and flank={flank!r}, but needs letters, 'upstream' or "
            "'downstream', and a flank at least as long as the letters; pass such values."
        )
    if isinstance(sequences, str) or any(np.ndim(known) != 1 for known in sites):
        raise InputError(
            "site_windows got a single text, or a number among sites, but needs a list of sequences and a list of "
            "sites for each of them, such as ['ccAGtt'] and [[4]]; put them into lists."
        )
    if len(sites) != len(sequences):
        raise InputError(
            f"site_windows got {len(sequences)} sequences and sites of {len(sites)}, but needs a list of sites for "
            "every sequence, empty where there is none; pass both alike."
        )
    true, other = [], []
    for number, (text, known) in enumerate(zip(sequences, sites)):
        mine, others = _places(number, text, {int(p) for p in known}, pair.upper(), side, flank)
        true += mine
        other += others
    if n_negatives is not None and n_negatives > len(other):
        raise InputError(
            f"site_windows was asked for {n_negatives:,} places that are no site, but there are {len(other):,} with "
            f"{pair}; ask for fewer or give more sequences."
        )
    if n_negatives is not None:
        drawn = np.random.default_rng(random_state).choice(len(other), n_negatives, replace=False)
        other = [other[i] for i in np.sort(drawn)]
    chosen = [*true, *other]
    return SiteWindows(
        [sequences[number][place - flank : place + flank] for number, place in chosen],
        np.repeat([1, 0], [len(true), len(other)]),
        np.array([number for number, _ in chosen], dtype=np.int64),
        np.array([place for _, place in chosen], dtype=np.int64),
    )


def _places(
    number: int, text: str, known: set[int], pair: str, side: str, flank: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the sites of one sequence and its other places with the pair, without those near an end."""
    capital, shift = text.upper(), len(pair) if side == "upstream" else 0
    found, at = [], capital.find(pair)
    while at >= 0:
        found.append(at + shift)
        at = capital.find(pair, at + 1)
    wrong = sorted(known - set(found))
    if wrong:
        raise InputError(
            f"site_windows found no {pair} {side} of the site after letter {wrong[0]} of sequence {number}, but every "
            "site must have it; correct the sites, or pair and side."
        )
    inside = [place for place in found if flank <= place <= len(text) - flank]
    return ([(number, p) for p in inside if p in known], [(number, p) for p in inside if p not in known])
