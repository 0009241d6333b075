/* All positions of a small board of Phutball, each with what its turns are worth, for claims that count
 * them. Turns are those of the rules; only their worth comes from the table. */
#ifndef ANALYSIS_CLAIMS_PHUTBALL_SURVEY_H
#define ANALYSIS_CLAIMS_PHUTBALL_SURVEY_H

#include "analysis/claims/claim.h"
#include "analysis/claims/phutball/boards.h"
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
} phutball_surveyed;

/* Counts of a claim's own kinds, copies counted; and the position with the most of what it looks for, of
 * those the one with the least number. */
enum { PHUTBALL_COUNTS = 16 };
typedef struct {
  uint64_t of[PHUTBALL_COUNTS];
  uint64_t most, place; /* most 0: there is none */
  bool failed;          /* want of memory */
} phutball_counts;

void phutball_take(phutball_counts *counts, uint64_t most, uint64_t place);

/* Returns the worth of a turn to the mover: 1, 0 or −1. */
int phutball_worth(const phutball_surveyed *at, const phb_turn *turn);

/* True if the side to move can jump to a row, or beyond it as it attacks. Adds to *paths how many paths are
 * looked at until it is known, in the order of phb_each_turn with Ohs to move. */
bool phutball_jumps_to(const game_rules *rules, const phb_position *position, int row, uint64_t *paths);
bool phutball_wins_at_once(const game_rules *rules, const phb_position *position);

/* Takes a position of a board whose tables are there; all threads call it. */
typedef void phutball_visit(const phutball_surveyed *at, phutball_counts *counts);

/* Findings of a claim that surveys boards. */
typedef struct {
  claim_base c;
  phutball_boards boards;
  phutball_counts sum;         /* of all boards; most and place are those of `shown` */
  const phutball_board *shown; /* NULL: none has what is looked for */
} phutball_findings;

/* Surveys the board of the command line, or all of three columns or more up to 20 points, with a row for each
 * in the table "boards"; shown is the board with the most of what is looked for, or of the `smallest` with
 * any of it. */
typedef void phutball_add(report *out, const phutball_board *board, const phutball_counts *counts);
void phutball_survey_all(phutball_findings *f, phutball_visit *visit, phutball_add *add, bool smallest);
void phutball_forget(void *findings);

/* Shows the position of `shown`, where there is one, as the claim's "witness". If the board is small it is
 * solved once more by the moves of the rules alone. */
void phutball_show(phutball_findings *f);

#endif
