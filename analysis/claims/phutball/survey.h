/* All positions of a small board of Phutball with the worths of their turns, for figures that count them.
 * Turns come from the rules; only their worths come from the table. */
#ifndef ANALYSIS_CLAIMS_PHUTBALL_SURVEY_H
#define ANALYSIS_CLAIMS_PHUTBALL_SURVEY_H

#include "analysis/claims/counting.h"
#include "base/json.h"
#include "games/phutball/board.h"
#include "games/phutball/turns.h"

/* A position, Ohs to move. */
typedef struct {
  const game_rules *rules;
  const phb_board *board;
  const int8_t *values; /* [number] value for the mover */
  uint64_t number, copies;
  phb_position position;
  int value;
  int wanted; /* count whose positions may be shown, if the figure chooses one */
} phutball_surveyed;

/* Returns the worth of a turn to the mover: 1, 0 or −1. */
int phutball_worth(const phutball_surveyed *at, const phb_turn *turn);

/* True if the side to move can jump to a row, or beyond it in its direction. Stops at the first such path.
 * Adds to *paths the number of paths examined, in the order of phb_each_turn with Ohs to move. */
bool phutball_jumps_to(const game_rules *rules, const phb_position *position, int row, uint64_t *paths);
bool phutball_wins_at_once(const game_rules *rules, const phb_position *position);

/* Counts a position; all threads call it. */
typedef void phutball_visit(const phutball_surveyed *at, counted *counts);

/* Visits the positions of the board of t->job, whose tables exist. Prints `kinds` counts and the largest
 * number noted; if any is, also its position and the number of turns of jumps that the rules list there until
 * one wins. Keeps errors with the tables. */
void phutball_survey(claim_tables *t, json_writer *json, size_t kinds, int wanted, phutball_visit *visit);

#endif
