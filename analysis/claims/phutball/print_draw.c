/* The figures phutball-draw: the smallest drawn position of a board, proven by the moves. */
#include <stdlib.h>

#include "analysis/claims/draw_proof.h"
#include "analysis/claims/figures.h"
#include "analysis/claims/phutball/boards.h"
#include "analysis/slices/bulk.h"

enum { MOST_PROVED = 20000000 };

static void read_hint(void *user, uint64_t index, int8_t *value, uint16_t *depth) {
  bulk_outcomes(user, index, 1, value, depth);
}

static void print_proven(const claim_tables *t, json_writer *json, const phutball_board *board,
                         const draw_proven *proven) {
  const bool wrong = proven->done && !proven->holds;
  game_position at;
  if (wrong) at = claim_position_at(t, (game_place){board->slice, proven->wrong});
  json_field_bool(json, "done", proven->done);
  json_field_integer(json, "most", MOST_PROVED);
  json_field_unsigned(json, "drawn", proven->drawn);
  json_field_unsigned(json, "won", proven->won);
  json_field_unsigned(json, "lost", proven->lost);
  json_field_string(json, "wrong", wrong ? claim_print(t, &at).text : NULL);
}

/* Want of memory is a figure. */
static void prove(claim_tables *t, json_writer *json, const phutball_board *board) {
  bulk *values = NULL;
  bulk_slice hints = {.all = NULL};
  draw_proven proven = {.done = false};
  tauler_message why = {""};
  tauler_error error = bulk_open(t->tables, board->slice, t->job->threads, t->job->memory, &values, &why);
  if (!error) error = bulk_load(values, board->slice, &hints, &why);
  const draw_proof proof = {.game = t->game,
                            .rules = t->rules,
                            .slice = board->slice,
                            .hint = read_hint,
                            .user = &hints,
                            .memory = t->job->memory,
                            .most = MOST_PROVED};
  if (!error) error = draw_prove(&proof, board->smallest, &proven, &why);
  bulk_close(values);
  if (error && error != TAULER_NO_MEMORY) {
    claim_fail(t->kept, error, "%s", why.text);
    return;
  }
  json_field_string(json, "without", error ? why.text : NULL);
  print_proven(t, json, board, &proven);
}

static void print_draw(claim_tables *t, json_writer *json) {
  phutball_boards boards;
  phutball_boards_choose(t, 0, &boards);
  if (boards.used && !t->kept->error) phutball_board_count(t, boards.boards);
  if (boards.used && !t->kept->error && boards.boards->draws) prove(t, json, boards.boards);
  free(boards.boards);
}

extern const figures figures_phutball_draw;
const figures figures_phutball_draw = {"phutball-draw", "phutball", print_draw};
