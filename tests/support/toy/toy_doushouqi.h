/* Positions and rule sets of Dou Shou Qi by chance and by counting, for suites that look at its rules. */
#ifndef TESTS_TOY_DOUSHOUQI_H
#define TESTS_TOY_DOUSHOUQI_H

#include "games/doushouqi/moves.h"
#include "games/registry.h"

enum { TOY_DSQ_RULE_SETS = 592 };

/* Opens a rule set, or ends the test. */
game_rules *toy_dsq_open(const char *text);

/* The parsed position; a text that does not parse fails the test. */
dsq_position toy_dsq_read(const game_rules *rules, const char *text);

/* All combinations of flags that do not contradict each other, in no text's order: number <
 * TOY_DSQ_RULE_SETS. The text names every flag, behind "base". */
void toy_dsq_rule_set(int number, char text[RULE_BYTES]);

/* Any position of a rule set, from two animals to sixteen; *state is the generator's. */
dsq_position toy_dsq_position(const game_rules *rules, uint64_t *state);

/* Left and right exchanged. */
dsq_position toy_dsq_mirror(const dsq_position *position);

/* Moves as sets: "a3a4 b3c3", by rising name. */
enum { TOY_DSQ_MOVES_BYTES = 6 * DSQ_MOST_MOVES };
void toy_dsq_moves(const game_rules *rules, const dsq_position *position, char text[TOY_DSQ_MOVES_BYTES]);

#endif
