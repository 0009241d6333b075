/* phutball-one-dimension: who wins on boards of one column, of two, and who begins on every small board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/phutball/boards.h"
#include "analysis/claims/recheck.h"

enum { NARROW = 2, SLOW_ROWS = 11, MOST_ROWS = 64 };

typedef struct {
  claim_base c;
  phutball_boards boards;
  uint64_t narrow_draws;
  int most_rows[NARROW + 1];         /* by columns */
  int centres, centres_won;          /* of one column */
  phutball_starts starts[MOST_ROWS]; /* of one column, by rows */
  int compared, alike; /* boards of two columns, and those like the one column of as many rows */
} findings;

/* --- boards of one column and of two --- */

static void compare_starts(findings *f, const phutball_board *board, const phutball_starts *starts) {
  phutball_starts *of_one = &f->starts[board->rows];
  if (board->columns == 1) {
    *of_one = *starts;
  } else if (*of_one->text) {
    f->compared++;
    f->alike += strcmp(of_one->text, starts->text) == 0;
  }
}

static void add_narrow(findings *f, phutball_board *board) {
  phutball_board_count(f->c.t, board);
  const phutball_starts starts = phutball_board_column(f->c.t, board, 0);
  f->narrow_draws += board->draws;
  if (board->rows > f->most_rows[board->columns]) f->most_rows[board->columns] = board->rows;
  compare_starts(f, board, &starts);
  REPORT_ADD(f->c.out, fig_text(board->name), fig_count(board->wins + board->losses + board->draws),
             fig_count(board->wins), fig_count(board->losses), fig_count(board->draws),
             fig_number(board->longest_win), fig_number(board->longest_loss), fig_text(starts.text));
}

/* --- who begins --- */

static void add_starts(findings *f, const phutball_board *board) {
  int of[3] = {0, 0, 0}, value = 0; /* losses, draws, wins */
  for (int row = 2; row < board->rows; row++) {
    for (int column = 0; column < board->columns; column++) {
      value = phutball_board_ask(f->c.t, board, row, column, NULL);
      of[value + 1]++;
    }
  }
  const phutball_starts centre = phutball_board_centre(f->c.t, board, &value);
  f->centres += *centre.text && board->columns == 1;
  f->centres_won += value > 0 && board->columns == 1;
  REPORT_ADD(f->c.out, fig_text(board->name), fig_number(of[0] + of[1] + of[2]), fig_number(of[2]),
             fig_number(of[0]), fig_number(of[1]), fig_if(*centre.text, fig_text(centre.text)));
}

/* --- the witness --- */

/* The longest board of one column that is small enough. */
static const phutball_board *slow_board(const findings *f) {
  const phutball_board *found = NULL;
  for (size_t i = 0; i < f->boards.used; i++) {
    const phutball_board *board = &f->boards.boards[i];
    if (board->columns != 1 || board->rows > SLOW_ROWS) continue;
    if (!found || board->rows > found->rows) found = board;
  }
  return found;
}

static void recheck(findings *f, const phutball_board *board) {
  claim_tables *t = f->c.t;
  const recheck_results found = recheck_slice(t, board->slice);
  const game_position start = claim_position_at(t, phutball_board_start(t, board, (board->rows + 1) / 2, 0));
  CLAIM_SHOW(t, &start, "witness", fig_text(board->name));
  REPORT_RECHECK(f->c.out, "plain iteration", true, found.wrong == 0, "recheck-plain-iteration",
                 fig_count(found.positions), fig_count(found.wrong));
}

/* --- the verdict --- */

static void judge(const findings *f) {
  if (f->most_rows[1] == 0) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
  } else if (f->narrow_draws) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails-2", fig_count(f->narrow_draws));
  } else {
    char wider[256] = "";
    if (f->most_rows[2]) {
      snprintf(
          wider, sizeof wider,
          " Nor is one on boards of two columns and up to %d rows; empty, %d of %d of these are like one "
          "column of as many rows, in result and length.",
          f->most_rows[2], f->alike, f->compared);
    }
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_number(f->most_rows[1]),
                   fig_number(f->centres_won), fig_number(f->centres), fig_text(wider));
  }
}

static void examine(void *user) {
  findings *f = user;
  report *out = f->c.out;
  const phutball_boards *all = &f->boards;
  phutball_boards_choose(f->c.t, 0, &f->boards);
  report_table_begin(out, "narrow_boards");
  for (int columns = 1; columns <= NARROW; columns++) {
    for (size_t i = 0; i < all->used && !out->error; i++)
      if (all->boards[i].columns == columns) add_narrow(f, &all->boards[i]);
  }
  report_table_begin(out, "who_begins");
  for (size_t i = 0; i < all->used && !out->error; i++) add_starts(f, &all->boards[i]);
  if (out->error) return;
  const phutball_board *board = slow_board(f);
  if (board) recheck(f, board);
  judge(f);
}

static void forget(void *user) {
  findings *f = user;
  free(f->boards.boards);
}

const claim_code claim_code_one_dimension = {sizeof(findings), examine, forget};
