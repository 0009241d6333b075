/* Goes through boards of aualé for claims, and writes them as text. */
#include "analysis/claims/auale/boards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void auale_visit_boards(const claim_tables *t, int seeds,
                        void (*visit)(void *user, const game_position *board, bool table), void *user) {
  const uint32_t slice = (uint32_t)seeds;
  const uint64_t after_moves = t->game->positions(t->rules, slice);
  const uint64_t all = after_moves + t->game->outside(t->rules, slice);
  for (uint64_t i = 0; i < all && !t->out->error; i++) {
    game_position board;
    if (i < after_moves) {
      t->game->position_at(t->rules, (game_place){slice, i}, &board);
    } else {
      t->game->outside_at(t->rules, slice, i - after_moves, &board);
    }
    visit(user, &board, i < after_moves);
  }
}

uint64_t auale_all_boards(int seeds) {
  return binomial((unsigned)seeds + AUALE_BOARD_PITS - 1, AUALE_BOARD_PITS - 1);
}

claim_position_text auale_board_text(const uint8_t pits[AUALE_BOARD_PITS], char turn) {
  claim_position_text out;
  size_t used = 0;
  for (int i = 0; i < AUALE_BOARD_PITS; i++)
    used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%u-", (unsigned)pits[i]);
  snprintf(out.text + used, sizeof out.text - used, "0-0-%c", turn);
  return out;
}

void auale_board_pits(const claim_tables *t, const game_position *board, uint8_t pits[AUALE_BOARD_PITS]) {
  const claim_position_text text = claim_print(t, board);
  const char *at = text.text;
  const int first = t->game->turn(t->rules, board)[0] == 'N' ? ROW_PITS : 0;
  for (int i = 0; i < AUALE_BOARD_PITS; i++) {
    char *end;
    pits[(i + first) % AUALE_BOARD_PITS] = (uint8_t)strtoul(at, &end, 10);
    at = end + 1;
  }
}

tauler_error auale_outside_bounds(const game *game, const game_rules *rules, const solved_slice *layers,
                                  uint32_t seeds, uint64_t i, auale_bounds *out, tauler_message *message) {
  game_position position;
  game_moves moves = {0};
  int value = 0;
  game->outside_at(rules, seeds, i, &position);
  const bool ended = game->position_ended(rules, &position, &value);
  *out = ended ? (auale_bounds){value, value} : (auale_bounds){INT8_MIN, INT8_MIN};
  tauler_error error = ended ? TAULER_OK : game->moves(rules, &position, &moves);
  if (error) error = tauler_fail(message, error, "the moves of a board cannot be had");
  for (size_t k = 0; k < moves.used && !error; k++) {
    const game_move *move = &moves.moves[k];
    game_place to;
    if (!game->locate(rules, &move->child, &to)) {
      error = tauler_fail(message, TAULER_INTERNAL, "a move leads to a board without index");
      break;
    }
    const int least = move->gain - layers[to.slice].cells[1][to.index];
    const int most = move->gain - layers[to.slice].cells[0][to.index];
    out->lower = least > out->lower ? least : out->lower;
    out->upper = most > out->upper ? most : out->upper;
  }
  game_moves_free(&moves);
  return error;
}

/* The last of a run of flags that begins at n. */
static int end_of_run(const bool *set, int n, int seeds) {
  while (n < seeds && set[n + 1]) n++;
  return n;
}

void auale_list_seeds(const bool *set, int seeds, char text[AUALE_LIST_BYTES]) {
  size_t used = 0;
  int last = -1;
  for (int n = 0; n <= seeds; n++)
    if (set[n]) last = n;
  snprintf(text, AUALE_LIST_BYTES, "none");
  for (int n = 0; n <= last; n++) {
    if (!set[n]) continue;
    const int end = end_of_run(set, n, seeds);
    const char *before = used == 0 ? "" : end == last ? " and " : ", ";
    used +=
        (size_t)snprintf(text + used, AUALE_LIST_BYTES - used, end > n ? "%s%d-%d" : "%s%d", before, n, end);
    n = end;
  }
}
