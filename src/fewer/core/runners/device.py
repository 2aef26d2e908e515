"""A CUDA device: rows are copied there once, summaries are computed there, everything else is as on threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from fewer.core.records.errors import MissingExtraError, RequirementError
from fewer.core.runners import progress
from fewer.core.runners.device_memory import SHARE, DeviceMemory
from fewer.core.runners.device_summaries import on_device, summarised
from fewer.core.runners.kept_work import KeptWork
from fewer.core.runners.memory import Memory
from fewer.core.runners.runner import Blocks
from fewer.core.runners.stream import StreamRunner
from fewer.core.runners.threads import ThreadRunner
from fewer.core.summaries.both import Both
from fewer.core.summaries.summary import Result, Summary

Found = TypeVar("Found")
# Pieces are made smaller so often, each time to a quarter, when the device has no room for them.
TRIES = 4
# Tables of more bytes are made in tiles on threads rather than at once on the device.
MOST_BACK = 2**30


class DeviceRunner(ThreadRunner):
    """Computes counts, moments and products on the device; what it cannot, threads do.

    Parameters
    ----------
    n_jobs : int, optional
        Number of threads.
    memory : int, optional
        Bytes of device memory that may be used; by default four fifths of what is free.
    budget : Memory, optional
        How many bytes the threads may take.
    """

    name = "cuda"

    def __init__(self, n_jobs: int | None = None, memory: int | None = None, budget: Memory | None = None) -> None:
        super().__init__(n_jobs, budget)
        self.memory = open_device(memory)

    def tiles(self, summary: Summary[Result], block: Any) -> Result:
        """Summarise one row block on the device, or on all threads."""
        if isinstance(summary, Both):
            return (self.tiles(summary.first, block), self.tiles(summary.second, block))  # type: ignore[return-value]
        if not on_device(summary, block):
            return super().tiles(summary, block)
        return self.attempt(lambda: summarised(self.memory, summary, block))

    def takes_over(self, summary: Summary[Any], block: Any) -> bool:
        """Return whether the device computes a summary of a row block, and the tables that come back are not large."""
        if not on_device(summary, block):
            return False
        return summary.bytes_per_feature(block) * block.n_features <= MOST_BACK

    def attempt(self, work: Callable[[], Found]) -> Found:
        """Return what a function finds, with less and less of the device's memory if it does not suffice."""
        for left in range(TRIES)[::-1]:
            try:
                return work()
            except Exception as error:
                if not out_of_memory(error):
                    raise
                self.memory.clear()
                self.memory.most //= 4
                if not left:
                    raise RequirementError(
                        f"The CUDA device has no memory left even for pieces of {self.memory.most:,} bytes, but the "
                        "rows go there; end other programs that use it, or leave the runner 'cuda' out."
                    ) from error
        raise AssertionError

    def close(self) -> None:
        """Let go of what is on the device, and end the threads."""
        self.memory.clear()
        super().close()


class DeviceStreamRunner(StreamRunner):
    """Reads batches as a stream does, and summarises each on the device; codes that are kept stay there if they fit."""

    name = "cuda stream"
    # A device makes bits of codes itself.
    packs = False

    def __init__(
        self,
        n_jobs: int | None = None,
        keeps: bool = False,
        budget: Memory | None = None,
        kept: KeptWork | None = None,
    ) -> None:
        super().__init__(n_jobs, keeps, budget, kept)
        self.threads.close()
        self.threads = self.device = DeviceRunner(n_jobs, budget=self.budget)
        self._held: dict[int, tuple[Any, list[Any]]] = {}

    def fold(self, summary: Summary[Result], blocks: Blocks) -> Result:
        """Summarise batches, those that the device holds without reading them again."""
        if not getattr(blocks, "kept", False):
            return super().fold(summary, blocks)
        if id(blocks) in self._held:
            held = self._held[id(blocks)][1]
            if held and all(on_device(summary, block) for block in held):
                return summary.merge_all([self.threads.tiles(summary, block) for block in held])
        elif blocks.n_bytes <= self.device.memory.most / 2:
            self._held[id(blocks)] = (blocks, self._hold(blocks))
            return self.fold(summary, blocks)
        return super().fold(summary, blocks)

    def ahead(self, blocks: Iterable[Any]) -> Iterator[Any]:
        """Yield row blocks; what the device keeps of one goes with it, and so does the block."""
        for block in super().ahead(blocks):
            yield block
            del block
            self.device.memory.clear()

    def _hold(self, blocks: Blocks) -> list[Any]:
        """Return the batches with their codes on the device; none of them if it has less room than it said."""
        from fewer.core.runners.device_counts import held_codes, plane_bytes

        held: list[Any] = []
        rows, size = 0, 0
        for block in blocks:
            try:
                held.append(held_codes(block) if block.kind == "codes" else block)
            except Exception as error:
                if not out_of_memory(error):
                    raise
                return []
            size += plane_bytes(block) * block.n_rows if block.kind == "codes" else 0
            rows += block.n_rows
            progress.report("copying codes to the device", rows, blocks.n_rows)
        # What stays there leaves so much less for all else.
        self.device.memory.most -= size
        return held


def open_device(memory: int | None = None) -> DeviceMemory:
    """Return the memory of the device, or say in one sentence why there is none."""
    try:
        from fewer.core.kernels.device import cuda_compiling
    except ImportError as error:
        raise MissingExtraError(
            f"The runner 'cuda' needs numba with its CUDA target, but that cannot be imported ({error}); install the "
            "extra with pip install 'fewer[cuda]', or leave the runner out."
        ) from error
    missing = cuda_compiling.why_no_device()
    if missing:
        raise RequirementError(
            f"The runner 'cuda' needs an NVIDIA GPU with its driver and the extra fewer[cuda], but {missing}; use a "
            "machine with such a device, or leave the runner out: the selection is the same."
        )
    return DeviceMemory(int(SHARE * cuda_compiling.free_bytes()) if memory is None else memory)


def out_of_memory(error: Exception) -> bool:
    """Return whether an error says that the device has no room."""
    return isinstance(error, MemoryError) or "OUT_OF_MEMORY" in str(error).upper().replace(" ", "_")
