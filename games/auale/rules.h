/* The rules of aualé, one board at a time, written to be read. Everything that is proven about a
 * table is proven against this file. Pure functions of a board and a rule set; nothing is owned. */
#ifndef GAMES_AUALE_RULES_H
#define GAMES_AUALE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "indexers/rows.h"

enum { AUALE_PITS = 2 * ROW_PITS, AUALE_MAX_SEEDS = 48 };

/* Seen from the player to move: pits 0–5 are the mover's, 6–11 the opponent's, in sowing order. */
typedef struct {
  uint8_t pits[AUALE_PITS];
} auale_board;

/* The rule for a move that captures every seed the opponent has. */
typedef enum {
  GRAND_SLAM_ILLEGAL,  /* awari: not allowed while another move leaves the opponent a seed */
  GRAND_SLAM_CAPTURES, /* awari,grand-slam=captures: allowed, captures everything */
  GRAND_SLAM_KEEPS     /* abapa: allowed, captures nothing */
} auale_grand_slam;

typedef enum { CYCLES_EVEN, CYCLES_FORCED, CYCLES_OWN_ROW, CYCLES_OWN_ROW_ANY } auale_cycles;

/* True if play goes on, as abapa and awari differ on it, when no move leaves the opponent a seed. */
static inline bool auale_ends_without_feeding(auale_grand_slam rule) {
  return rule == GRAND_SLAM_KEEPS;
}

/* True if tables leave a board of `seeds` seeds out, of which its mover's row holds `own`: a quiet
 * move turns the board and gives away u ≥ 0 of them, so the child's mover has seeds − own + u, and
 * one of parent and child always has at least half. */
static inline bool auale_is_left_out(unsigned seeds, unsigned own) {
  return 2 * own < seeds;
}

unsigned auale_seeds(const auale_board *board);

/* Sows the seeds of a pit one by one, skipping the pit of origin; returns the pit of the last seed. */
int auale_sow(auale_board *board, int origin);

/* Plays a non-empty own pit whether or not the move is legal. `child` is the board seen by the other
 * side, captured seeds gone. Returns the seeds captured. */
int auale_play(auale_grand_slam rule, const auale_board *board, int pit, auale_board *child);

/* For the moves of the non-empty pits (sets of bits 0–5): which are legal, given those that leave the
 * opponent a seed and those that captured all of them. */
unsigned auale_legal_among(auale_grand_slam rule, unsigned nonempty, unsigned feeding, unsigned slams);

/* Own pits that may be played, as a set of bits 0–5; 0 when the game has ended. */
unsigned auale_legal_pits(auale_grand_slam rule, const auale_board *board);

/* The net seeds that the mover has of a board without a legal move: each side takes its own row. */
int auale_end_value(const auale_board *board);

#endif
