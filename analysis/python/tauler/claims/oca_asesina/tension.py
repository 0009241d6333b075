"""Which repair of la oca asesina keeps it exciting and lets skill win?"""
from .. import Claim, Mean, Settings
from ._courses import best_course, pair, recheck
from ._rules import VARIANTS, duel, open_on_board

SETTINGS = Settings(options="board tokens", usual=2, most=4, rules="base and variants")


def examine(claim: Claim) -> None:
    if claim.limit < 2:
        return
    table, tension, skill = claim.table("rules"), [], []
    for variant in VARIANTS:
        rules = open_on_board(claim, variant)
        rules.need("--tokens", claim.limit)
        course, against = best_course(claim, rules), duel(claim, rules, claim.limit, "best", "random")
        behind, rolls = course.behind[pair(1, 0)], course.open[0]
        tension.append(rolls.mean)
        skill.append((against.mean.lower + against.mean.upper) / 2)
        table.add(variant, Mean(rolls.mean, 5), against.mean, Mean(behind.mean, 5) if behind.weight > 0 else None,
                  Mean(100 * course.one_each.mean, 3), Mean(rolls.weight, 3), against.turns)
    picture = claim.table("picture")
    for rule, of in enumerate(skill):  # each rule set is a point: a row that has its own column alone
        picture.add(Mean(of, 4), *(Mean(tension[rule], 4) if column == rule else None for column in range(len(VARIANTS))))
    recheck(claim, claim.sets[0], best_course(claim, claim.sets[0]))
    best = 0
    for rule in range(1, len(VARIANTS)):
        if skill[rule] > skill[best] and tension[rule] >= 0.9 * tension[0]:
            best = rule
    if best == 0:
        claim.judge("open", "none", claim.limit)
    else:
        claim.judge("holds for", "verdict", claim.limit, VARIANTS[best], Mean(skill[best], 4), Mean(skill[0], 4),
                    Mean(tension[best], 3), Mean(tension[0], 3))
