"""The same few launches again and again: recorded once as a graph of the driver, then replayed."""

from __future__ import annotations

from fewer.core.kernels.device.cuda_compiling import SIMULATED

# Recording and making a graph takes longer than so many steps.
FEW = 8


def repeat(step, times, stream):
    """Call ``step``, which launches kernels on a stream with the same arguments each time, so many times.

    Meant to spare the launches from Python; at 7,129 features it made no measurable difference.
    """
    # The first one compiles, which cannot be recorded.
    step()
    stream.synchronize()
    graph = None if SIMULATED or times <= FEW else _recorded(step, stream)
    for _ in range(times - 1):
        if graph is None:
            step()
        else:
            _checked(graph[0].cuGraphLaunch(graph[1], graph[2]))
    stream.synchronize()
    if graph is not None:
        _checked(graph[0].cuGraphExecDestroy(graph[1]))


def _recorded(step, stream):
    """Return driver, graph and stream; None where the driver's functions are not at hand."""
    try:
        from cuda.bindings import driver
    except ImportError:
        return None
    handle = driver.CUstream(int(getattr(stream.handle, "value", stream.handle)))
    _checked(driver.cuStreamBeginCapture(handle, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED))
    try:
        step()
    finally:
        made = _checked(driver.cuStreamEndCapture(handle))
    graph = _checked(driver.cuGraphInstantiate(made, 0))
    _checked(driver.cuGraphDestroy(made))
    return driver, graph, handle


def _checked(found):
    """Return what a function of the driver returned, or raise its error."""
    error, *values = found
    if int(error) != 0:
        raise RuntimeError(
            f"The CUDA driver answered {error!r} to a graph of kernels, but it must accept one; use a newer driver."
        )
    return values[0] if values else None
