/* Tables made by the slow definition: all slices of aualé up to a few seeds, as cells that a test may
 * change, and as files of a database folder. Nothing of the solver is used, so that what reads tables can
 * be tested without it. */
#ifndef NAIVE_TABLES_H
#define NAIVE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "databases/table.h"
#include "games/game.h"
#include "tests/naive/naive_solve.h"

enum { NAIVE_RESERVED = INT8_MIN };

/* One slice, cells in the order of the game's index. plain: what is true; stored: what a file holds, with
 * NAIVE_RESERVED (depths: UINT16_MAX) for cells that come back by a look. One plane of values, or lower
 * and upper bounds. */
typedef struct {
  int positions;
  int *rank;  /* [index] rank in the naive layer */
  int *index; /* [naive rank] index, or -1 if no table holds the board */
  int8_t *plain[NAIVE_PLANES], *stored[NAIVE_PLANES];
  uint16_t *plain_depths[NAIVE_PLANES], *stored_depths[NAIVE_PLANES];
} naive_slice;

typedef struct naive_tables naive_tables;
struct naive_tables {
  const game *game;
  game_rules *rules;
  naive_game *naive;
  int max_seeds, planes;
  bool all_stored;     /* tables leave no cell out */
  naive_slice *slices; /* 0 ... max_seeds */
  naive_tables
      *fallback; /* tables that captures lead to, if they are others (game->fallback_cycles), or NULL */
};

/* Solves and encodes all slices. `rules` and `cycles` as on the command line. */
naive_tables *naive_tables_new(const char *rules, const char *cycles, int max_seeds);

/* Tables of own-row with their exact values, by every line of play, in place of bounds: up to 7 seeds. */
void naive_tables_make_exact(naive_tables *tables);

/* Stored cells from plain ones: left out where the game leaves out, reserved where a converting move is
 * as good. And plain cells from stored ones, as a reader gets them back. */
void naive_tables_encode(naive_tables *tables, int seeds);
void naive_tables_decode(naive_tables *tables, int seeds);

/* The best worth of all moves of a board, or of the end, from the plain cells of the slices. */
int naive_tables_best(const naive_tables *tables, int seeds, int index, int plane);

/* Gives the boards of a cycle of forced moves values that agree with each other and with all others, but
 * that no play which ends bears out, and stores them. Returns the length of the cycle, 0: there is none. */
int naive_tables_believe(naive_tables *tables, int seeds);

/* Writes one slice: its value streams, and with depth_cell TABLE_U8 or TABLE_U16 its depths (TABLE_I8:
 * none), under the names that the folder gives them; folders are created. */
tauler_error naive_tables_write_slice(const naive_tables *tables, const char *folder, int seeds,
                                      table_cell depth_cell, tauler_message *message);

/* Writes all slices, those of `fallback` too. */
tauler_error naive_tables_write(const naive_tables *tables, const char *folder, table_cell depth_cell,
                                tauler_message *message);

#endif
