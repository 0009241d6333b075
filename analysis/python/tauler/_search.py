"""Searches, which take as long as they may and have to be ended from outside."""
import threading
from typing import Any, Callable, List, TypeVar

from . import _library as c
from ._errors import BadUsage

T = TypeVar("T")


def run(call: Callable[[c.CSearchLimits], T], seconds: float, positions: int, memory: int,
        stops: Callable[[], bool]) -> T:
    """Makes the call with these limits, and has it end when `stops` says so, or at Ctrl-C.

    The call has a thread of its own: a signal reaches the main thread, and an exception cannot pass through the
    library's C from the function by which it asks whether to stop. So the main thread waits where it can hear."""
    if not 0 <= seconds < float("inf") or not 0 <= positions < 1 << 64 or not 0 <= memory < 1 << 64:
        raise BadUsage(f"the limits of a search are seconds from 0 on, and positions and memory from 0 to {(1 << 64) - 1}; "
                       f"these are {seconds}, {positions} and {memory}")
    found: List[T] = []
    raised: List[BaseException] = []
    leave, done = threading.Event(), threading.Event()

    def ends(_: Any) -> bool:
        try:
            return leave.is_set() or bool(stops())
        except BaseException as error:  # pylint: disable=broad-except
            raised.append(error)
            leave.set()
            return True

    limits = c.CSearchLimits(seconds, positions, memory, c.STOP(ends), None)

    def search() -> None:
        try:
            found.append(call(limits))
        except BaseException as error:  # pylint: disable=broad-except
            raised.append(error)
        finally:
            done.set()

    threading.Thread(target=search, name="tauler-search").start()
    try:
        done.wait()
    except BaseException:
        leave.set()
        raise
    if raised:
        raise raised[0]
    return found[0]
