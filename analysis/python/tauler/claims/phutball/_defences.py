"""Threats, chains of jumps that win at once, and the turns that stop them: what C counts of them.

A position is threatened if the mover cannot win at once and the other side could, were it to move; a threatened position is
saved if it is not lost. In saved positions turns are counted that stop all threats, and those that keep the value: men that make
a row longer, men that leave a jump no vacant point before the side line, and jumps.
"""
(THREATENED, SPOILT, SAVED, STOPS_LONGER, STOPS_EDGE, STOPS_JUMP, KEPT_LONGER, KEPT_EDGE, KEPT_JUMP, ONLY_MEN, ONLY_EDGE,
 ONLY_JUMPS, EDGE_JUMPS, EDGE_BLOCKED) = range(14)
DECIMALS = 2
