"""How CUDA kernels are compiled, and whether there is a device that runs them.

The same source runs in numba's simulator (``NUMBA_ENABLE_CUDASIM=1``), which is how kernels are tested without a
device. So no kernel uses what the simulator does not know: operations of a warp, grids that wait for each other.
"""

from __future__ import annotations

from numba import config, cuda

SIMULATED = bool(config.ENABLE_CUDASIM)
# Threads of a block; the simulator starts a Python thread for each.
THREADS = 16 if SIMULATED else 256

if SIMULATED:

    def product(a, b):
        """Return a * b, rounded."""
        return a * b

else:
    from numba.cuda import libdevice

    @cuda.jit(device=True)
    def product(a, b):
        """Return a * b, rounded before anything is added to it, as processors do here: never a fused operation."""
        return libdevice.dmul_rn(a, b)


def why_no_device() -> str:
    """Return what is missing for CUDA kernels, nothing if they can run."""
    try:
        if not cuda.is_available():
            return "numba finds no CUDA device with a driver that answers"
        cuda.current_context()
    # What a driver, or half of one, raises is not one class.
    except Exception as error:
        return f"the CUDA device does not answer ({type(error).__name__})"
    return ""


def free_bytes() -> int:
    """Return how many bytes of device memory are free; of the simulator's a sixteenth of a GiB."""
    return 2**26 if SIMULATED else int(cuda.current_context().get_memory_info().free)


def device_name() -> str:
    """Return the name of the device."""
    return "simulator" if SIMULATED else str(cuda.get_current_device().name)
