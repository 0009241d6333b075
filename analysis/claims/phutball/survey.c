/* Goes through all positions of small boards of Phutball for claims that count them. */
#include "analysis/claims/phutball/survey.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/claims/recheck.h"
#include "analysis/slices/cells.h"

enum { PIECE = 1 << 12, MOST_POINTS = 20, RECHECK_POINTS = 15 };

void phutball_take(phutball_counts *counts, uint64_t most, uint64_t place) {
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
    if (error) report_fail(t->out, error, "%s", why.text);
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

/* Threads take pieces in turn; what is found does not depend on it. */
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
      phutball_take(out, own.most, own.place);
    }
  }
}

/* Visits every position of a board whose tables are there, on all threads. */
static void survey(claim_tables *t, const phutball_board *board, phutball_visit *visit,
                   phutball_counts *out) {
  report *r = t->out;
  const uint64_t total = t->game->positions(t->rules, board->slice);
  phb_board points;
  int8_t *values = NULL;
  *out = (phutball_counts){.most = 0};
  if (!phb_board_open(board->rows, board->columns, &points))
    report_fail(r, TAULER_INTERNAL, "'%s' is no board", board->name);
  if (REPORT_CATCH(r, memory_take(t->job->memory, total, "values of a board", &values, &r->message))) return;
  const phutball_surveyed all = {.rules = t->rules, .board = &points, .values = values};
  read_values(t, board->slice, total, values);
  if (!r->error) visit_all(t, &all, board->slice, total, visit, out);
  if (out->failed) report_fail(r, TAULER_NO_MEMORY, "no memory for the turns of a position");
  memory_give(t->job->memory, values);
}

/* --- all boards of a claim --- */

void phutball_survey_all(phutball_findings *f, phutball_visit *visit, phutball_add *add, bool smallest) {
  phutball_boards_choose(f->c.t, MOST_POINTS, &f->boards);
  report_table_begin(f->c.out, "boards");
  for (size_t i = 0; i < f->boards.used && !f->c.out->error; i++) {
    const phutball_board *board = &f->boards.boards[i];
    phutball_counts counts;
    survey(f->c.t, board, visit, &counts);
    add(f->c.out, board, &counts);
    add_counts(&f->sum, &counts);
    if (counts.most <= f->sum.most || (smallest && f->shown)) continue;
    f->sum.most = counts.most;
    f->sum.place = counts.place;
    f->shown = board;
  }
}

void phutball_forget(void *findings) {
  phutball_findings *f = findings;
  free(f->boards.boards);
}

void phutball_show(phutball_findings *f) {
  const phutball_board *board = f->shown;
  if (!board) return;
  claim_tables *t = f->c.t;
  const game_position position = claim_position_at(t, (game_place){board->slice, f->sum.place});
  CLAIM_SHOW(t, &position, "witness", fig_text(board->name));
  if (board->rows * board->columns > RECHECK_POINTS) return;
  const recheck_results found = recheck_slice(t, board->slice);
  report_add_recheck(f->c.out, "plain iteration", true, found.wrong == 0,
                     "All %" PRIu64 " positions of the board, solved by the moves of the rules alone, one "
                     "position at a time and ply by ply: %" PRIu64
                     " differ from the table in result or length.",
                     found.positions, found.wrong);
}
