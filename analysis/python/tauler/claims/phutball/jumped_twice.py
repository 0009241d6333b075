"""Is the turn refused that the source calls illegal, and how often would a man be jumped twice if men stayed?"""
from typing import FrozenSet, Iterator, List, Optional, Tuple

from .. import Claim, RuleSet, Settings, share

SETTINGS = Settings(sets=[("base", None)])
# The source's example on rows 5-12 and columns G-K of its board, as rows 1-8 and columns A-D; a man on H9 or none.
WITH, WITHOUT = "4/1x2/x3/1x2/1x2/2x1/3o/4 O", "4/1x2/x3/4/1x2/2x1/3o/4 O"
STAYED = "4/1x2/x3/2o1/1x2/4/4/4 O"  # the ball on J9, had the man on H8 not been taken
EXAMPLE = [("K6-G9-G11-J11", WITHOUT, "D2-A5-A7-C7", True), ("K6-G9-J9", WITH, "D2-A5-C5", True),
           ("K6-G9-J9-G7", WITH, "D2-A5-C5-A3", False), ("J9-G7, had H8 stayed", STAYED, "C5-A3", True)]
ROWS, COLUMNS, CHECKED, DECIMALS = 4, 3, 16, 2

Point = Tuple[int, int]  # row and column from 0
Men = FrozenSet[Point]
WAYS = [(up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right]


def land(ball: Point, men: Men, way: Point) -> Optional[Tuple[Point, Men]]:
    """Where a jump ends, one row beyond a goal line at most, and the men that it takes."""
    over: List[Point] = []
    at = ball[0] + way[0], ball[1] + way[1]
    while at in men:
        over.append(at)
        at = at[0] + way[0], at[1] + way[1]
    return (at, frozenset(over)) if over and 0 <= at[1] < COLUMNS else None


def paths(ball: Point, men: Men, taken: Men = frozenset()) -> Iterator[Tuple[Tuple[Point, ...], bool]]:
    """Every path of jumps behind its start, and whether it could go on over a man that it has taken."""
    if not 0 <= ball[0] < ROWS:
        return
    for way in WAYS:
        jump = land(ball, men - taken, way)
        if jump:
            at, over = jump
            gone = taken | over
            again = (land(at, men, one) for one in WAYS) if 0 <= at[0] < ROWS else ()
            yield (at,), any(one and one[1] & gone for one in again)
            yield from (((at, *path), twice) for path, twice in paths(at, men, gone))


def place(board: List[int]) -> Tuple[Point, Men]:
    points = [divmod(at, COLUMNS) for at in range(len(board))]
    return points[board.index(2)], frozenset(point for point, what in zip(points, board) if what == 1)


def count(rules: RuleSet) -> Tuple[int, int, int, int, int]:
    """Positions, those with a jump, paths, positions in which a man could be jumped twice, and checked ones with other paths."""
    whole = rules.slice(f"{ROWS}x{COLUMNS}")
    jumping = listed = twice = wrong = 0
    for index, board in enumerate(whole.boards().tolist()):
        found = list(paths(*place(board)))
        jumping += bool(found)
        listed += len(found)
        twice += any(again for _, again in found)
        if index % CHECKED == 0:
            wrong += len(found) != sum("-" in move.name for move in rules.look(str(whole.position(index))).moves)
    return len(whole), jumping, listed, twice, wrong


def examine(claim: Claim) -> None:
    rules, table, right = claim.sets[0], claim.table("example"), True
    for said, position, path, expected in EXAMPLE:
        legal = rules.play(position, path) is not None
        right = right and legal == expected
        table.add(said, path, "legal" if legal else "refused")
    positions, jumping, listed, twice, wrong = count(rules)
    claim.table("boards").add(f"{ROWS}x{COLUMNS}", positions, jumping, listed, twice, share(twice, jumping, DECIMALS))
    witness = claim.show(rules, WITH, "witness")
    witness.recheck("listed paths", wrong == 0, "recheck-listed-paths", -(-positions // CHECKED), wrong)
    claim.judge("holds" if right else "fails", "verdict" if right else "fails", twice, jumping)
