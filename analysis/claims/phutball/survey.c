/* Goes through all positions of small boards of Phutball for figures that count them. */
#include "analysis/claims/phutball/survey.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/slices/cells.h"

enum { PIECE = 1 << 12, MOST_POINTS = 20 };

void phutball_note_most(phutball_counts *counts, uint64_t most, uint64_t place) {
  if (most < counts->most || (most == counts->most && place >= counts->place)) return;
  counts->most = most;
  counts->place = place;
}

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

/* --- one board --- */

static void add_counts(phutball_counts *sum, const phutball_counts *one) {
  for (int i = 0; i < PHUTBALL_COUNTS; i++) sum->of[i] += one->of[i];
  sum->failed |= one->failed;
}

static tauler_error read_piece(const claim_tables *t, uint32_t slice, uint64_t first, size_t count,
                               int8_t *values, tauler_message *message) {
  plain_cell cells[PIECE];
  const tauler_error error = cells_read(t->tables, slice, NULL, first, count, false, cells, message);
  for (size_t i = 0; i < count && !error; i++) values[first + i] = (int8_t)cells[i].lower;
  return error;
}

static size_t piece_at(uint64_t first, uint64_t total) {
  return (size_t)(total - first < PIECE ? total - first : PIECE);
}

static void read_values(claim_tables *t, uint32_t slice, uint64_t total, int8_t *values) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(t->job->threads)
  for (uint64_t first = 0; first < total; first += PIECE) {
    tauler_message why = {""};
    const tauler_error error = read_piece(t, slice, first, piece_at(first, total), values, &why);
#pragma omp critical(claims_survey)
    if (error) claim_fail(t->kept, error, "%s", why.text);
  }
}

static void visit_piece(const phutball_surveyed *all, uint32_t slice, uint64_t first, size_t count,
                        phutball_visit *visit, phutball_counts *counts) {
  uint8_t copies[PIECE];
  phutball_surveyed at = *all;
  phb_copies(at.rules, slice, first, count, copies);
  for (size_t i = 0; i < count; i++) {
    at.number = first + i;
    at.copies = copies[i];
    at.position = phb_position_of(at.board, at.number);
    at.value = at.values[at.number];
    visit(&at, counts);
  }
}

/* Threads take pieces in turn; the result does not depend on it. */
static void visit_all(const claim_tables *t, const phutball_surveyed *all, uint32_t slice, uint64_t total,
                      phutball_visit *visit, phutball_counts *out) {
#pragma omp parallel num_threads(t->job->threads)
  {
    phutball_counts own = {.most = 0};
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t first = 0; first < total; first += PIECE)
      visit_piece(all, slice, first, piece_at(first, total), visit, &own);
#pragma omp critical(claims_survey)
    {
      add_counts(out, &own);
      phutball_note_most(out, own.most, own.place);
    }
  }
}

/* Visits every position of a board whose tables are there, on all threads. */
static void survey(claim_tables *t, const phutball_board *board, phutball_visit *visit,
                   phutball_counts *out) {
  claim_error *r = t->kept;
  const uint64_t total = t->game->positions(t->rules, board->slice);
  phb_board points;
  int8_t *values = NULL;
  *out = (phutball_counts){.most = 0};
  if (!phb_board_open(board->rows, board->columns, &points))
    claim_fail(r, TAULER_INTERNAL, "'%s' is no board", board->name);
  if (CLAIM_CATCH(r, memory_allocate(t->job->memory, total, "values of a board", &values, &r->message)))
    return;
  const phutball_surveyed all = {.rules = t->rules, .board = &points, .values = values};
  read_values(t, board->slice, total, values);
  if (!r->error) visit_all(t, &all, board->slice, total, visit, out);
  if (out->failed) claim_fail(r, TAULER_NO_MEMORY, "no memory for the turns of a position");
  memory_free(t->job->memory, values);
}

/* --- all boards --- */

/* Turns of jumps, listed by the rules: up to the first that wins, or all. */
static uint64_t list_jumps(const claim_tables *t, const game_position *position) {
  game_moves moves;
  uint64_t jumps = 0;
  bool won = false;
  claim_moves(t, position, &moves);
  for (size_t i = 0; i < moves.used && !won; i++) {
    jumps += strchr(moves.moves[i].name, '-') != NULL;
    won = moves.moves[i].over && moves.moves[i].gain > 0;
  }
  game_moves_free(&moves);
  return jumps;
}

static void print_board(const claim_tables *t, json_writer *json, const phutball_board *board, size_t kinds,
                        const phutball_counts *counts) {
  json_begin_object(json);
  json_field_string(json, "board", board->name);
  json_field_integer(json, "points", board->rows * board->columns);
  json_field_unsigned(json, "most", counts->most);
  if (counts->most) {
    const game_position position = claim_position_at(t, (game_place){board->slice, counts->place});
    json_field_string(json, "position", claim_print(t, &position).text);
    json_field_unsigned(json, "jumps", list_jumps(t, &position));
  }
  json_key(json, "counts");
  json_begin_array(json);
  for (size_t i = 0; i < kinds; i++) json_unsigned(json, counts->of[i]);
  json_end_array(json);
  json_end_object(json);
}

void phutball_survey(claim_tables *t, json_writer *json, size_t kinds, phutball_visit *visit) {
  phutball_boards boards;
  phutball_boards_choose(t, MOST_POINTS, &boards);
  json_key(json, "boards");
  json_begin_array(json);
  for (size_t i = 0; i < boards.used && !t->kept->error; i++) {
    phutball_counts counts;
    survey(t, &boards.boards[i], visit, &counts);
    if (!t->kept->error) print_board(t, json, &boards.boards[i], kinds, &counts);
  }
  json_end_array(json);
  free(boards.boards);
}
