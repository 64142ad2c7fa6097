"""Sweeps: many trials of a scene, on threads, or by any executor of concurrent.futures."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Callable, Iterator, Mapping, Optional, Protocol, Union

from . import _arrays, _tact
from ._arrays import view
from ._record import Record

_AHEAD = 64  #: pieces that an executor has at a time
_local = threading.local()
_has_numpy = getattr(_arrays, "numpy") is not None


class Promise(Protocol):
    """What submit() gives: a future of concurrent.futures, or one of Dask's."""

    def result(self) -> Any: ...

    def cancel(self) -> Any: ...

    def add_done_callback(self, function: Callable[[Any], object], /) -> Any: ...


class Submitter(Protocol):
    """Anything that makes calls elsewhere: an executor of concurrent.futures, a client of Dask."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any: ...


class Sweep:
    """What came out of a sweep: a column by its name, how often each outcome came, the rows.

    >>> len(Sweep.__doc__) > 0
    True
    """

    def __init__(self, plan: Mapping[str, Any], block: Any, table: Optional[str], made: int) -> None:
        self.columns: list[str] = list(plan["columns"])
        self.outcomes: list[str] = list(plan["outcomes"])
        self.varied: list[str] = self.columns[plan["first_varied"] : plan["first_varied"] + plan["varied_count"]]
        self.measured: list[str] = self.columns[plan["first_measured"] : plan["first_measured"] + plan["measured_count"]]
        self.table = table  #: path of the CSV file; None: it was not kept
        self.made = made  #: trials of this call; the others were in the table
        self._block = view(block) if _has_numpy else memoryview(block)
        self._outcome_column = int(plan["outcome_column"])

    def __len__(self) -> int:
        return int(self._block.shape[0])

    def __getitem__(self, column: str) -> Any:
        """Numbers of a column, a trial each: an array, or a list without NumPy; outcomes as words."""
        if column not in self.columns:
            raise KeyError(f"no column is called {column!r}; there are {', '.join(self.columns)}")
        index = self.columns.index(column)
        if index == self._outcome_column:
            return [self.outcomes[int(x)] for x in self._numbers(index)]
        return self._block[:, index] if _has_numpy else self._numbers(index)

    def _numbers(self, index: int) -> list[float]:
        if _has_numpy:
            return list(self._block[:, index])
        return [self._block[row, index] for row in range(len(self))]

    @property
    def shares(self) -> dict[str, Record]:
        """How often each outcome came: count, share, and its interval of 95 % (Wilson)."""
        found = self._numbers(self._outcome_column)
        result = {}
        for number, name in enumerate(self.outcomes):
            count = sum(int(x) == number for x in found)
            share, lo, hi = _tact.sweep_share(count, len(found))
            result[name] = Record(count=count, share=share, lo=lo, hi=hi)
        return result

    def __repr__(self) -> str:
        told = ", ".join(f"{name} {share.count}" for name, share in self.shares.items())
        return f"<tact.Sweep: {len(self)} trials, {told}>"


def _opened(name: str, text: str) -> _tact.Sweep:
    """The sweep of this thread: whoever makes trials opens it once."""
    if getattr(_local, "key", None) != (name, text):
        opened = _tact.Sweep()
        opened._open(name, text)
        _local.key, _local.sweep = (name, text), opened
    return _local.sweep  # type: ignore[no-any-return]


def _trials(name: str, text: str, numbers: list[int], failures: Optional[str]) -> list[bytes]:
    """Makes trials, wherever an executor takes them."""
    return _opened(name, text)._run_trials(numbers, failures)


def _pieces(numbers: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(numbers), size):
        yield numbers[start : start + size]


def _execute(executor: Submitter, job: tuple[str, str, Optional[str]], opened: _tact.Sweep, missing: list[int], size: int) -> None:
    name, text, failures = job
    pieces = _pieces(missing, size)
    running: dict[int, tuple[Promise, list[int]]] = {}  # by a number: what it is
    done: SimpleQueue[int] = SimpleQueue()  # numbers, told by whatever thread the executor has
    number = 0
    try:
        while True:
            for piece in pieces:
                promise = executor.submit(_trials, name, text, piece, failures)
                running[number] = promise, piece
                promise.add_done_callback(lambda _, which=number: done.put(which))
                number += 1
                if len(running) == _AHEAD:
                    break
            if not running:
                return
            promise, piece = running.pop(done.get())
            for trial, line in zip(piece, promise.result()):
                opened._add(trial, line)
    finally:
        for promise, _ in running.values():
            promise.cancel()


def sweep(
    what: Union[str, "os.PathLike[str]", Mapping[str, Any]],
    out: Optional[Union[str, "os.PathLike[str]"]] = None,
    *,
    threads: int = 0,
    executor: Optional[Submitter] = None,
    piece: int = 16,
    failures: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> Sweep:
    """Makes the trials of a sweep, a file or a dict as in the guide ("format": "tact-sweep/1").

    out: the table, a CSV file; what is there of it is not made again. threads: 0, as many as there are
    processors. executor: anything with submit() makes the trials instead, in pieces of so many: a process
    pool of concurrent.futures, mpi4py.futures.MPIPoolExecutor, a client of Dask. The rows are the same
    bytes in all cases. failures: folder for contact problems that are not certified.
    """
    if isinstance(what, Mapping):
        name, text = str(Path.cwd() / "sweep.json"), json.dumps({"format": "tact-sweep/1", **what})
    else:
        name = str(Path(what).absolute())
        text = Path(what).read_text(encoding="utf-8")
    opened = _tact.Sweep()
    opened._open(name, text)
    plan = opened._plan()
    folder = None if failures is None else str(Path(failures).absolute())
    with tempfile.TemporaryDirectory() as scratch:
        path = str(Path(scratch) / "table.csv") if out is None else os.fspath(out)
        if executor is None:
            made = opened._run(path, folder, threads)
        else:
            missing = opened._open_table(path)
            try:
                _execute(executor, (name, text, folder), opened, missing, max(piece, 1))
            finally:
                opened._close_table()
            made = len(missing)
        return Sweep(plan, opened._results(path), None if out is None else path, made)
