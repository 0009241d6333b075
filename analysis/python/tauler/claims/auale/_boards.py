"""Boards of aualé: lists of seeds, texts of boards."""
from typing import Iterable, List, Sequence

MOST_SEEDS = 24
PITS = 12


def list_seeds(chosen: Iterable[int]) -> str:
    """"2, 3 and 5-16", "none" of none."""
    runs: List[List[int]] = []
    for n in sorted(chosen):
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    words = [f"{first}-{last}" if last > first else str(first) for first, last in runs]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "none"


def board_text(pits: Sequence[int], turn: str = "S") -> str:
    """A board with empty stores, pits A–F, a–f."""
    return "-".join(map(str, pits)) + f"-0-0-{turn}"
