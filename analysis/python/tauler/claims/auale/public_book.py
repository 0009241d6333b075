"""Where a public book of abapa differs from the exact values."""
from math import comb
from pathlib import Path
from typing import Any, Dict, List, Tuple

import numpy as np

import tauler

from .. import Claim, Settings, share
from .._solve import own_row_play, parts
from ._boards import PITS, list_seeds

SETTINGS = Settings(options="seeds book", usual=12, most=12, sets=[("abapa", "own-row")])
BOOK_SEEDS, SMALLEST, WITNESSES, DECIMALS = 12, 10, 2, 3
BOARDS = comb(BOOK_SEEDS + PITS, PITS)
END_OF_HEADER = "\n\n".encode("utf-16-be")
AFTER_CAPTURE = (1, 3)  # the two low bits of a byte; the others are the seeds that the mover ends with


def read_book(path: str) -> Any:
    """The bytes of all boards of up to twelve seeds. A header of UTF-16 text ends with an empty line."""
    data = Path(path).read_bytes()
    at = data.find(END_OF_HEADER) + len(END_OF_HEADER)
    if at < len(END_OF_HEADER) or len(data) - at < BOARDS:
        raise tauler.DamagedFile(f"{path} is no book: it has no header that an empty line ends, or fewer than {BOARDS} bytes "
                                 "behind it")
    return np.frombuffer(data, dtype=np.uint8, offset=at)


def numbers(boards: Any) -> Any:
    """The numbers of boards in the book: binomial numbers over the pits from f down to A."""
    binomials = np.array([[comb(seeds + pit, pit + 1) for seeds in range(BOOK_SEEDS + 1)] for pit in range(PITS)])
    return binomials[np.arange(PITS), np.cumsum(boards, axis=1, dtype=np.int64)].sum(axis=1)


def compare(claim: Claim, book: Any, n: int) -> Tuple[Any, Any]:
    """The boards on which the book differs, and what it says there: net seeds, right after a capture."""
    abapa, table = claim.sets[0], claim.tables[0]
    of, value = abapa.slice(n), abapa.values(n)
    bytes_ = np.concatenate([book[numbers(of.boards(*part))] for part in parts(len(of))])
    said, held = 2 * (bytes_ >> 2).astype(np.int64) - n, np.isin(bytes_ & 3, AFTER_CAPTURE)
    differs = held & (said != value)
    winner = int((differs & (np.sign(said) != np.sign(value))).sum())
    table.add(n, int(held.sum()), int(differs.sum()), share(differs.sum(), held.sum(), DECIMALS), winner,
              int(np.abs(said - value)[differs].max(initial=0)))
    return np.flatnonzero(differs), said[differs]


def show(claim: Claim, smallest: List[Tuple[int, int, int]]) -> None:
    """Two of the smallest boards on which it differs, settled by the rules alone."""
    abapa, bounds, shown = claim.sets[0], {}, 0  # type: ignore[var-annotated]
    for n, index, said in smallest:
        for k in range(len(bounds), n + 1):
            pays = 2 * abapa.slice(k).boards()[:, :PITS // 2].sum(axis=1, dtype=np.int16) - k
            bounds[k] = own_row_play(abapa.slice(k), pays, bounds.__getitem__)
        lower, upper = (int(one[index]) for one in bounds[n])
        if shown == WITNESSES or lower <= said <= upper:
            continue
        shown += 1
        value = int(abapa.values(n)[index])
        witness = claim.show(abapa, abapa.position(n, index), "witness", n, said, value)
        right = lower <= value <= upper and not lower <= said <= upper
        witness.recheck("plain iteration", right, "recheck-plain-iteration", lower, upper, said)


def examine(claim: Claim) -> None:
    if claim.options.book is None:
        claim.judge("open", "no-book")
        return
    book, found = read_book(claim.options.book), {}
    claim.table("boards")
    claim.sets[0].depths = False
    claim.sets[0].need("--seeds", claim.limit)
    for n in range(1, claim.limit + 1):
        found[n] = compare(claim, book, n)
    smallest = [(n, int(index), int(said)) for n, of in found.items() for index, said in zip(*(one[:SMALLEST] for one in of))]
    show(claim, smallest[:SMALLEST])
    differing: Dict[int, int] = {n: len(of[0]) for n, of in found.items() if len(of[0])}
    first = min(differing, default=claim.limit + 1)
    if differing and first > 1:
        claim.judge("holds for", "holds-for", first - 1, sum(differing.values()), list_seeds(differing))
    else:
        claim.judge("fails" if differing else "holds", "fails" if differing else "holds", claim.limit)
