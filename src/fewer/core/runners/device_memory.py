"""What is kept in the memory of a device, and in which pieces rows go there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

# Of what is free when the device is opened, so much may be used; the rest is for results and other programs.
SHARE = 0.8
# A piece of rows that come and go takes up so much of that.
PIECE = 0.25
# A device numbers no more blocks of threads for the words of one column.
MOST_ROWS = 2**29
# Rows are copied in portions of so many bytes.
PORTION = 2**28


class DeviceMemory:
    """Keeps what was made of arrays, the last used ones, up to a number of bytes.

    Parameters
    ----------
    most : int
        Bytes that may be kept.
    """

    def __init__(self, most: int) -> None:
        self.most, self.used = most, 0
        self._kept: OrderedDict[tuple[int, str], tuple[Any, Any, int]] = OrderedDict()

    def kept(self, host: Any, what: str, n_bytes: int, make: Callable[[], Any]) -> Any:
        """Return what ``make`` makes of an array, made once while there is room for it."""
        key = (id(host), what)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][1]
        while self._kept and self.used + n_bytes > self.most:
            _, (_, _, old) = self._kept.popitem(last=False)
            self.used -= old
        made = make()
        # The array is held too, so that no other one gets its number.
        self._kept[key] = (host, made, n_bytes)
        self.used += n_bytes
        return made

    def pieces(self, n_rows: int, bytes_per_row: int) -> list[tuple[int, int]]:
        """Return ranges of rows, all of them if they fit; each but the last a multiple of 32."""
        if n_rows <= MOST_ROWS and n_rows * bytes_per_row <= self.most * (1 - PIECE):
            return [(0, n_rows)]
        step = min(MOST_ROWS, max(32, int(self.most * PIECE) // max(1, bytes_per_row) // 32 * 32))
        return [(top, min(top + step, n_rows)) for top in range(0, n_rows, step)]

    def clear(self) -> None:
        """Let go of everything."""
        self._kept.clear()
        self.used = 0
