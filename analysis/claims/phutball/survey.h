/* All positions of a small board of Phutball, each with what its turns are worth, for figures that
 * count them. Turns are those of the rules; only their worth comes from the table. */
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
  const int8_t *values; /* by number, for the mover */
  uint64_t number, copies;
  phb_position position;
  int value;
  int wanted; /* kind of position to show */
} phutball_surveyed;

/* Returns the worth of a turn to the mover: 1, 0 or −1. */
int phutball_worth(const phutball_surveyed *at, const phb_turn *turn);

/* True if the side to move can jump to a row, or beyond it as it attacks. Adds to *paths how many paths are
 * looked at until it is known, in the order of phb_each_turn with Ohs to move. */
bool phutball_jumps_to(const game_rules *rules, const phb_position *position, int row, uint64_t *paths);
bool phutball_wins_at_once(const game_rules *rules, const phb_position *position);

/* Takes a position of a board whose tables are there; all threads call it. */
typedef void phutball_visit(const phutball_surveyed *at, counted *counts);

/* Surveys the board of t->job, whose tables are there, and prints so many counts; and what was the most, its
 * position, and how many jumps the rules list there until one wins. Errors are kept with the tables. */
void phutball_survey(claim_tables *t, json_writer *json, size_t kinds, int wanted, phutball_visit *visit);

#endif
