/* Boards of aualé for claims: a rule set without tables, every board of so many seeds, boards as texts, and
 * moves by the rules. Nothing is kept between calls.
 */
#ifndef ANALYSIS_CLAIMS_AUALE_BOARDS_H
#define ANALYSIS_CLAIMS_AUALE_BOARDS_H

#include "analysis/claims/report.h"
#include "games/game.h"
#include "indexers/rows.h"

enum { AUALE_BOARD_PITS = 2 * ROW_PITS };

typedef struct {
  const game *game;
  game_rules *rules;
} auale_rule_set;

/* auale_rules_close after success. Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
tauler_error auale_rules_open(const char *rules, const char *cycles, auale_rule_set *out,
                              tauler_message *message);
void auale_rules_close(auale_rule_set *set);

/* Calls `visit` for every board of so many seeds, those after a move first; `table` says whether it is one
 * of these. Errors: those of `visit`, after which no more are visited. */
tauler_error auale_visit_boards(const auale_rule_set *set, unsigned seeds,
                                tauler_error (*visit)(void *user, const game_position *board, bool table),
                                void *user);

/* C(n + 11, 11): all boards of n seeds. */
uint64_t auale_all_boards(unsigned seeds);

/* A board with empty stores, pits A–F, a–f. */
void auale_board_text(const uint8_t pits[AUALE_BOARD_PITS], char turn, char text[GAME_TEXT_BYTES]);

/* The pits as the side to move sees them. */
void auale_board_pits(const auale_rule_set *set, const game_position *board, uint8_t pits[AUALE_BOARD_PITS]);

/* Plays a move of a position; *legal is false if there is none of that name. Errors: of moves. */
tauler_error auale_play_move(const auale_rule_set *set, const game_position *from, const char *name,
                             bool *legal, int *gain, game_position *to);

/* The most that a legal move of a position takes, 0 if none takes any. Errors: of moves. */
tauler_error auale_most_taken(const auale_rule_set *set, const game_position *from, int *taken);

#endif
