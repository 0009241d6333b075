/* Positions and rule sets of Dou Shou Qi by chance and by counting, for suites that look at its rules; and
 * classes for suites of slices in parts. */
#ifndef TESTS_TOY_DOUSHOUQI_H
#define TESTS_TOY_DOUSHOUQI_H

#include "games/doushouqi/doushouqi.h"
#include "games/doushouqi/moves.h"
#include "solver/engines/bitboard/bitboard.h"
#include "solver/engines/solve.h"

enum { TOY_DSQ_RULE_SETS = 592 };

/* Opens a rule set, or ends the test. */
game_rules *toy_dsq_open(const char *text);

/* The parsed position; a text that does not parse fails the test. */
dsq_position toy_dsq_read(const game_rules *rules, const char *text);

/* All combinations of flags that do not contradict each other, in no text's order: number <
 * TOY_DSQ_RULE_SETS. The text names every flag, behind "base". */
void toy_dsq_rule_set(int number, char text[DSQ_RULES_BYTES]);

/* Any position of a rule set, from two animals to sixteen; *state is the generator's. */
dsq_position toy_dsq_position(const game_rules *rules, uint64_t *state);

uint64_t toy_dsq_any(uint64_t *state, uint64_t below);

/* Left and right exchanged. */
dsq_position toy_dsq_mirror(const dsq_position *position);

/* Moves as sets: "a3a4 b3c3", by rising name. */
enum { TOY_DSQ_MOVES_BYTES = 6 * DSQ_MOST_MOVES };
void toy_dsq_moves(const game_rules *rules, const dsq_position *position, char text[TOY_DSQ_MOVES_BYTES]);

/* A material whose smaller slices are solved. */
typedef struct {
  game_rules *rules;
  game_slices list;
  uint32_t slice;
  memory_budget memory;
  solve_job job;
  bitboard_slices finished;
  solved_slice right; /* solved whole */
  uint16_t longest;
} toy_class;

/* Materials with a jumper first or none, with swimmers, with drinkers, and materials that are their own flip.
 */
enum { TOY_CLASSES = 8 };
typedef struct {
  const char *rules, *material;
} toy_class_name;
extern const toy_class_name toy_classes[TOY_CLASSES];

toy_class toy_class_open(const char *rules, const char *material);
void toy_class_close(toy_class *w);
void toy_class_solve_smaller(toy_class *w);
void toy_class_solve_whole(toy_class *w); /* and the smaller ones */
void toy_class_solve(const toy_class *w, uint32_t slice, bitboard_slice *out);
/* Room for the slice in so many parts, 2 or more; false if it has no such cut. */
bool toy_class_set_room(toy_class *w, uint32_t parts);
void toy_class_compare(toy_class *w, const bitboard_slice *slice);

#endif
