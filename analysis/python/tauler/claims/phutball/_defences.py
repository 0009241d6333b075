"""Threats, chains of jumps that win at once, and the turns that stop them: what C counts of them.

A position is threatened if the mover cannot win at once and the other side could, were it to move; a threatened position is
saved if it is not lost. In saved positions turns are counted that stop all threats, and those that keep the value: men that make
a row longer, men that leave a jump no vacant point before the side line, and jumps.
"""
KEYS = "threatened spoilt saved longer edge jumps longer_kept edge_kept jumps_kept only_men only_edge only_jumps edge_jumps " \
    "blocked"
