"""In abapa the same board has one winner or another, by the last capture."""
from .. import Claim, Settings
from ._histories import find_histories, show_pair

SETTINGS = Settings(options="seeds", usual=5, most=5, sets=[("abapa", "own-row")], loaded=True)
OTHER_WINNER = 4  # net seeds between two worths of a board
ENDING = "met before, each side takes its own row"


def examine(claim: Claim) -> None:
    abapa, table = claim.sets[0], claim.table("histories")
    slices = {of.seeds: of for of in find_histories(claim)}
    outside, shown = 0, {}
    for n, of in slices.items():
        lower, upper = abapa.bounds(n)
        outside += int(((of.fresh < lower) | (of.fresh > upper)).sum())
        table.add(n, len(lower), (of.captured & of.reached).sum(), of.reached.sum(), *of.depends(1), *of.depends(OTHER_WINNER),
                  of.apart.max())
        shown[n] = show_pair(claim, of, ENDING)
    claim.note("note", table.sum("boards"), outside)
    claim.note("note-2")
    if outside or not claim.is_sound():
        claim.judge("fails", "fails")
    elif shown.get(3):
        apart, most = slices[3].depends(OTHER_WINNER)
        claim.judge("holds", "holds", apart, slices[3].reached.sum(), "" if apart == most else ", at least", slices[2].depends(1)[0],
                    slices[2].reached.sum())
    elif shown.get(2):
        claim.judge("holds for", "holds-for", slices[2].depends(1)[0], slices[2].reached.sum())
