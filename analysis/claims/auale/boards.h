/* Boards of aualé for claims: every board of so many seeds, boards as texts, bounds of boards that no move
 * leads to. Nothing is kept between calls.
 */
#ifndef ANALYSIS_CLAIMS_AUALE_BOARDS_H
#define ANALYSIS_CLAIMS_AUALE_BOARDS_H

#include "analysis/claims/claim_tables.h"
#include "indexers/rows.h"

enum { AUALE_BOARD_PITS = 2 * ROW_PITS, AUALE_MOST_SEEDS = CLAIM_MOST_LAYERS - 1 };

/* Calls `visit` for every board of so many seeds, those after a move first; `table` says whether it is one
 * of these. Ends after an error in the report. */
void auale_visit_boards(const claim_tables *t, int seeds,
                        void (*visit)(void *user, const game_position *board, bool table), void *user);

/* C(n + 11, 11): all boards of n seeds. */
uint64_t auale_all_boards(int seeds);

/* A board with empty stores, pits A–F, a–f. */
claim_position_text auale_board_text(const uint8_t pits[AUALE_BOARD_PITS], char turn);

/* The pits as the side to move sees them. */
void auale_board_pits(const claim_tables *t, const game_position *board, uint8_t pits[AUALE_BOARD_PITS]);

/* Bounds on the worth of a board that no move leads to, by those of the boards that it leads to, layer by
 * layer. Errors: of moves. */
typedef struct {
  int lower, upper; /* net seeds of the mover */
} auale_bounds;
tauler_error auale_outside_bounds(const game *game, const game_rules *rules, const solved_slice *layers,
                                  uint32_t seeds, uint64_t i, auale_bounds *out, tauler_message *message);

/* "2, 3 and 5-16": the seeds of which the flag is set, "none" if none is. */
enum { AUALE_LIST_BYTES = 128 };
void auale_list_seeds(const bool *set, int seeds, char text[AUALE_LIST_BYTES]);

#endif
