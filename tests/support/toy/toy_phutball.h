/* Positions and rule sets of Phutball by chance, for suites that look at its rules. */
#ifndef TESTS_TOY_PHUTBALL_H
#define TESTS_TOY_PHUTBALL_H

#include "games/phutball/turns.h"

enum { TOY_PHB_RULE_SETS = 4 };
extern const char *const toy_phb_rule_sets[TOY_PHB_RULE_SETS];

/* Opens a rule set, or ends the test. */
game_rules *toy_phb_open(const char *text);

/* The parsed position; a text that does not parse fails the test. */
phb_position toy_phb_read(const game_rules *rules, const char *text);
void toy_phb_print(const phb_position *position, char text[GAME_TEXT_BYTES]);

/* Any live position of the board, a man on each point with a chance of men in 100; *state is the
 * generator's. */
phb_position toy_phb_position(int rows, int columns, uint64_t men, uint64_t *state);

/* Left and right exchanged; and the board turned by 180°, with the sides. */
phb_position toy_phb_mirror(const phb_position *position);
phb_position toy_phb_turn_round(const phb_position *position);

#endif
