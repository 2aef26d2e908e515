"""Callbacks of scikit-learn, from version 1.9 on: told of the same progress as our own listeners, and asked to stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any

from fewer.core.runners import progress

# Tasks are kept by scikit-learn until the fit ends: so many of one kind, and after them only one in a hundred.
MOST = 1000

try:
    from sklearn.callback import CallbackSupportMixin
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Before version 1.9 scikit-learn has no callbacks, and neither have selectors."""


@contextmanager
def called_back(estimator: Any, X: Any = None, y: Any = None) -> Iterator[None]:
    """Tell the callbacks of an estimator, if it has any, how far its fit is; to be put around the work of a fit."""
    if not getattr(estimator, "_skl_callbacks", None):
        yield
        return
    from sklearn.callback import with_callbacks

    # The decorator is the public way to have callbacks torn down whatever happens; a generator needs it in two halves.
    told = _Told(estimator, estimator._init_callback_context(task_name="fit", max_subtasks=None))
    try:
        told.root.call_on_fit_task_begin(estimator=estimator, X=X, y=y)
        with progress.listen(told):
            yield
        told.end()
        told.root.call_on_fit_task_end(estimator=estimator, X=X, y=y, reconstruction_attributes=dict)
    finally:
        with_callbacks(lambda _: None)(estimator)


class _Told:
    """Turns reports of progress into tasks: one task per kind of work, and in it one per step that was done."""

    def __init__(self, estimator: Any, root: Any) -> None:
        self.estimator, self.root, self.outer = estimator, root, progress.listener()
        self.open: dict[str, _Kind] = {}
        self.n_begun = 0

    def __call__(self, what: str, done: int, total: int | None) -> bool:
        stop = self.outer is not None and self.outer(what, done, total) is True
        kind = self.open.get(what)
        if kind is None or done < kind.done:
            # The same work again, such as another pass over a file.
            if kind is not None:
                kind.end(self.estimator)
                self.open[what] = kind
            if self.n_begun >= MOST:
                return stop
            self.n_begun += 1
            kind = self.open[what] = _Kind(self.root, self.estimator, what, done, total)
        return kind.advance(self.estimator, done) or stop

    def end(self) -> None:
        """End what is open."""
        for kind in self.open.values():
            kind.end(self.estimator)


class _Kind:
    """The task of one kind of work."""

    def __init__(self, root: Any, estimator: Any, what: str, done: int, total: int | None) -> None:
        self.unit = max(done, 1)
        parts = None if total is None else ceil(total / self.unit)
        self.most = parts if parts is not None and 0 < parts <= MOST else None
        self.task = root.subcontext(task_name=what, max_subtasks=self.most)
        self.done, self.n_told, self.ended = 0, 0, False
        self.task.call_on_fit_task_begin(estimator=estimator)

    def advance(self, estimator: Any, done: int) -> bool:
        """Tell of the steps that were done since the last call; return whether a callback asks for an end."""
        if self.ended or done <= self.done:
            return False
        if self.most is None and self.n_told >= MOST and done < 1.01 * self.done:
            return False
        self.done = done
        wanted = self.n_told + 1 if self.most is None else min(self.most, max(ceil(done / self.unit), 1))
        stop = False
        while self.n_told < wanted:
            step = self.task.subcontext(task_name="step")
            step.call_on_fit_task_begin(estimator=estimator)
            stop |= bool(step.call_on_fit_task_end(estimator=estimator))
            self.n_told += 1
        return stop

    def end(self, estimator: Any) -> None:
        """End the task, once."""
        if not self.ended:
            self.ended = True
            self.task.call_on_fit_task_end(estimator=estimator)
