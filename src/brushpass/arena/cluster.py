"""A dask cluster as an engine: workers on many machines, started by others."""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from brushpass.arena.chunks import Batches, describe
from brushpass.arena.executors import Futures, WorkersLost
from brushpass.arena.jobs import Game, Job
from brushpass.errors import InvalidSetup, MissingExtra

PACKAGE = "brushpass"
CONNECT_SECONDS = 10.0
"""A scheduler that does not answer by then is not there."""
GATHER_SECONDS = 30.0
"""So long the workers asked for may take to appear, and so long a run goes on without any."""
CLOSE_SECONDS = 1.0


class DaskCluster:
    """Plays on the workers of the dask scheduler at an address (an `Engine`).

    It begins once `least` workers are there; those that come later are used as well. A worker that is lost costs
    nothing: its games are played by another. A game that gives no sign of life (see `pulse`) for about `limit`
    seconds ends its worker process, and dask's nanny starts another.
    """

    def __init__(self, scheduler: str, *, least: int = 1, limit: float | None = None) -> None:
        self._address = scheduler
        self._least = least
        self._limit = limit

    def play(
        self, game: Game, jobs: Iterator[Job], *, expected: int | None = None, ready: Callable[[], None]
    ) -> Batches:
        """See `Engine.play`.

        Raises:
            MissingExtra: dask is not installed.
            InvalidSetup: the address is none.
            WorkersLost: the scheduler or its workers cannot be reached, or do not fit.
        """
        with self._client() as client:
            workers = self._gathered(client)
            engine = Futures(
                client.get_executor(pure=False), workers, watch=_Watch(client, self._address), limit=self._limit
            )
            yield from engine.play(game, jobs, expected=expected, ready=ready)

    @contextmanager
    def _client(self) -> Iterator[Any]:
        try:
            dask: Any = importlib.import_module("distributed")  # it ships no types
        except ImportError as error:
            raise MissingExtra("--engine dask needs the extra dask: pip install 'brushpass[dask]'") from error
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is raised
        try:
            asyncio.run(_greet(dask, self._address))
            client = dask.Client(self._address, timeout=CONNECT_SECONDS, set_as_default=False)
        except ValueError as error:
            raise InvalidSetup(f"{self._address!r} is no address of a dask scheduler: {error}") from error
        except Exception as error:  # a server that is no scheduler may answer whatever it likes
            raise WorkersLost(f"no dask scheduler answers at {self._address}; start one or mend --scheduler") from error
        try:
            yield client
        finally:
            client.close(CLOSE_SECONDS)

    def _gathered(self, client: Any) -> int:  # noqa: ANN401  # dask ships no types
        """How many workers there are, all of them fit."""
        try:
            client.wait_for_workers(self._least, GATHER_SECONDS)
        except TimeoutError as error:
            found = len(client.nthreads())
            raise WorkersLost(
                f"the cluster at {self._address} has {found} workers, not {self._least}; start more"
            ) from error
        threads = client.nthreads()
        for worker, count in threads.items():
            if count != 1:
                raise WorkersLost(f"worker {worker} has {count} threads; start dask workers with --nthreads 1")
        ours = importlib.metadata.version(PACKAGE)
        for worker, theirs in client.run(importlib.metadata.version, PACKAGE, on_error="return").items():
            if isinstance(theirs, Exception):
                raise WorkersLost(f"worker {worker} has no {PACKAGE} ({describe(theirs)}); install {ours} there")
            if theirs != ours:
                raise WorkersLost(f"worker {worker} has {PACKAGE} {theirs}, this is {ours}; install {ours} there")
        return len(threads)


async def _greet(dask: Any, address: str) -> None:  # noqa: ANN401  # as above
    """See whether a scheduler answers: a client waits for ever for one that only takes the call.

    Raises:
        ValueError: `address` is none.
        Exception: nobody answers in time, or somebody who is no scheduler.
    """
    core: Any = importlib.import_module("distributed.comm")
    how = dask.Security().get_connection_args("client")
    comm = await asyncio.wait_for(core.connect(address, timeout=CONNECT_SECONDS, **how), CONNECT_SECONDS)
    comm.abort()


class _Watch:
    """Looks after a cluster while nothing comes back from it."""

    def __init__(self, client: Any, address: str) -> None:  # noqa: ANN401  # as above
        self._client = client
        self._address = address
        self._seen = monotonic()

    def __call__(self) -> None:
        if self._client.status != "running":
            raise WorkersLost(f"the dask scheduler at {self._address} is gone; go on with --resume when it is back")
        if self._client.nthreads():
            self._seen = monotonic()
        elif monotonic() - self._seen > GATHER_SECONDS:
            raise WorkersLost(
                f"the cluster at {self._address} has lost all its workers; start some and go on with --resume"
            )
