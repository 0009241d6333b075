"""In awari, where a cycle splits the seeds evenly, the way to a board does not matter."""
from typing import Tuple

from .. import Claim, Settings
from ._histories import find_histories, show_pair

SETTINGS = Settings(options="seeds", usual=12, most=12, sets=[("awari", "even")])
ENDING = "met before, the seeds left are split evenly"


def add_histories(claim: Claim) -> Tuple[int, str]:
    """What depends on the history if the first repetition ends the game: how many boards disagree with the tables or the rules,
    and what is said of those with three seeds."""
    table, wrong, formal = claim.table("histories"), 0, ""
    for of in find_histories(claim):
        unlike, turned = (of.fresh != claim.sets[0].values(of.seeds)).sum(), ((of.least < 0) & (of.most > 0)).sum()
        depends, most = of.depends(1)
        table.add(of.seeds, len(of.fresh), unlike, of.reached.sum(), depends, most, turned)
        wrong += int(unlike + turned)
        if show_pair(claim, of, ENDING):
            formal = (" If a game is ended by its first repetition, it no longer holds: with 3 seeds a win can be lost to an even split "
                      f"because the way to it leads over a position met before, on {depends} of {of.reached.sum()} boards"
                      f"{'' if depends == most else ' at least'}; with fewer it cannot.")
    return wrong, formal


def examine(claim: Claim) -> None:
    awari = claim.sets[0]
    awari.need("--seeds", claim.limit)
    table = claim.table("values")
    for n in range(1, claim.limit + 1):
        value = awari.values(n)
        table.add(n, len(value), (value > 0).sum(), (value == 0).sum(), (value < 0).sum())
    proven = [line["verdict"] == "proven" for line in awari.ask("verify", "--seeds", str(claim.limit), may_fail=(1,))]
    wrong, formal = add_histories(claim)
    claim.note("note", claim.limit, sum(proven), proven.count(False))
    claim.note("note-2")
    if wrong or not all(proven) or not claim.is_sound():
        claim.judge("fails", "fails")
    else:
        claim.judge("holds for", "holds-for", table.sum("boards"), claim.limit, formal)
