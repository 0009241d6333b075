/* Visits all positions of small boards of Phutball, for figures that count them. */
#include "analysis/claims/phutball/survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int phutball_worth(const phutball_surveyed *at, const phb_turn *turn) {
  if (turn->result != PHB_LIVE) return turn->result == PHB_MOVER_SCORES ? 1 : -1;
  return -at->values[phb_number_of(at->board, &turn->after)];
}

bool phutball_jumps_to(const game_rules *rules, const phb_position *position, int row, uint64_t *paths) {
  for (int direction = 0; direction < PHB_DIRECTIONS; direction++) {
    phb_position next = *position;
    phb_jump jump;
    if (!phb_find_jump(rules, position, direction, &jump)) continue;
    (*paths)++;
    if (position->side == PHB_OHS ? jump.to.row >= row : jump.to.row <= row) return true;
    phb_make_jump(&next, &jump);
    if (phb_may_jump_on(rules, &next, jump.to) && phutball_jumps_to(rules, &next, row, paths)) return true;
  }
  return false;
}

bool phutball_wins_at_once(const game_rules *rules, const phb_position *position) {
  uint64_t paths = 0;
  return phutball_jumps_to(rules, position, position->side == PHB_OHS ? position->rows - 1 : 0, &paths);
}

typedef struct {
  phutball_surveyed at;
  uint32_t slice;
  phutball_visit *visit;
} board_survey;

static void visit_piece(const void *user, uint64_t first, size_t count, counted *counts) {
  const board_survey *own = user;
  uint8_t copies[COUNTING_PIECE];
  phutball_surveyed at = own->at;
  phb_copies(at.rules, own->slice, first, count, copies);
  for (size_t i = 0; i < count; i++) {
    at.number = first + i;
    at.copies = copies[i];
    at.position = phb_position_of(at.board, at.number);
    at.value = at.values[at.number];
    own->visit(&at, counts);
  }
}

static void count_board(claim_tables *t, uint32_t slice, const phb_board *board, int wanted,
                        phutball_visit *visit, counted *out) {
  claim_error *kept = t->kept;
  board_survey own = {
      .at = {.rules = t->rules, .board = board, .wanted = wanted}, .slice = slice, .visit = visit};
  bulk *all = NULL;
  if (CLAIM_CATCH(kept, bulk_open(t->tables, slice, t->job->threads, t->job->memory, &all, &kept->message)))
    return;
  int8_t *values = counting_read_values(t, all, slice);
  own.at.values = values;
  if (values) counting_visit_all(t, t->game->positions(t->rules, slice), visit_piece, &own, out);
  memory_free(t->job->memory, values);
  bulk_close(all);
}

/* Returns the number of turns of jumps in the list of the rules, up to the first that wins. */
static uint64_t count_jump_turns(const claim_tables *t, game_place place) {
  const game_position position = claim_position_at(t, place);
  game_moves moves = {0};
  uint64_t jumps = 0;
  bool won = false;
  const tauler_error error = t->game->moves(t->rules, &position, &moves);
  if (error) claim_fail(t->kept, error, "the moves of a position cannot be had");
  for (size_t i = 0; i < moves.used && !won; i++) {
    jumps += strchr(moves.moves[i].name, '-') != NULL;
    won = moves.moves[i].over && moves.moves[i].gain > 0;
  }
  game_moves_free(&moves);
  return jumps;
}

void phutball_survey(claim_tables *t, json_writer *json, size_t kinds, int wanted, phutball_visit *visit) {
  game_slices slices;
  counted counts = {.most = 0};
  char name[GAME_TEXT_BYTES];
  int rows, columns;
  phb_board board;
  if (!claim_tables_slices(t, &(game_request){.board = t->job->board}, &slices)) return;
  const uint32_t slice = slices.slices[0].slice;
  free(slices.slices);
  t->game->slice_name(t->rules, slice, name);
  if (sscanf(name, "%dx%d", &rows, &columns) != 2 || !phb_board_open(rows, columns, &board))
    claim_fail(t->kept, TAULER_INTERNAL, "'%.40s' is no board", name);
  else
    count_board(t, slice, &board, wanted, visit, &counts);
  if (t->kept->error) return;
  json_field_unsigned(json, "most", counts.most);
  if (counts.most) {
    json_field_string(json, "position", claim_print_at(t, (game_place){slice, counts.place}).text);
    json_field_unsigned(json, "jumps", count_jump_turns(t, (game_place){slice, counts.place}));
  }
  json_field_array(json, "counts");
  for (size_t i = 0; i < kinds; i++) json_unsigned(json, counts.of[i]);
  json_end_array(json);
}
