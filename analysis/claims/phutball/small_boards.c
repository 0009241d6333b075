/* phutball-small-boards: are there positions from which neither side can win, and who wins from the empty
 * board? */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/phutball/boards.h"

enum { NAMES_BYTES = 1024, DECIMALS = 3 };

typedef struct {
  claim_base c;
  phutball_boards boards;
  int centres, centres_won, centres_lost; /* odd × odd boards, and those won and lost by Ohs */
  bool miscounted;
} findings;

/* --- figures --- */

static void add_board(findings *f, phutball_board *board) {
  int value = 0;
  phutball_board_count(f->c.t, board);
  const uint64_t positions = board->wins + board->losses + board->draws;
  const phutball_starts centre = phutball_board_centre(f->c.t, board, &value);
  f->miscounted = f->miscounted || positions != phutball_board_positions(board);
  f->centres += *centre.text != '\0';
  f->centres_won += value > 0;
  f->centres_lost += value < 0;
  REPORT_ADD(f->c.out, fig_text(board->name), fig_number(board->rows * board->columns), fig_count(positions),
             fig_count(board->wins), fig_count(board->losses), fig_count(board->draws),
             fig_if(board->longest_win, fig_number(board->longest_win)),
             fig_if(board->longest_loss, fig_number(board->longest_loss)),
             fig_if(*centre.text, fig_text(centre.text)));
}

static void add_starts(findings *f, const phutball_board *board) {
  for (int column = 0; column <= (board->columns - 1) / 2; column++) {
    const char name[2] = {"ABCDEFGHJKLMNOPQRST"[column], '\0'};
    REPORT_ADD(f->c.out, fig_text(board->name), fig_text(name),
               fig_text(phutball_board_column(f->c.t, board, column).text));
  }
}

static void add_draws(const findings *f, const phutball_board *board) {
  const game_position smallest = claim_position_at(f->c.t, (game_place){board->slice, board->smallest});
  if (board->draws)
    REPORT_ADD(f->c.out, fig_text(board->name), fig_count(board->draws), fig_number(board->fewest_men),
               fig_text(claim_print(f->c.t, &smallest).text));
}

/* Boards of so many columns: how far they go, and from how many rows on positions are drawn. */
static void add_shape(const findings *f, int columns) {
  uint64_t positions = 0, draws = 0;
  int boards = 0, most_rows = 0, drawn_rows = 0;
  for (size_t i = 0; i < f->boards.used; i++) {
    const phutball_board *board = &f->boards.boards[i];
    if (board->columns != columns) continue;
    boards++;
    most_rows = board->rows;
    if (board->draws && !drawn_rows) drawn_rows = board->rows;
    positions += phutball_board_positions(board);
    draws += board->draws;
  }
  if (boards)
    REPORT_ADD(f->c.out, fig_number(columns), fig_number(boards), fig_number(most_rows), fig_count(positions),
               fig_count(draws), fig_mean(1e6 * (double)draws / (double)positions, DECIMALS),
               fig_if(drawn_rows, fig_number(drawn_rows)));
}

/* --- the verdict --- */

static const phutball_board *smallest_drawn(const phutball_boards *boards) {
  const phutball_board *found = NULL;
  for (size_t i = 0; i < boards->used; i++) {
    const phutball_board *board = &boards->boards[i];
    if (board->draws == 0) continue;
    if (found && (found->rows * found->columns < board->rows * board->columns ||
                  found->fewest_men <= board->fewest_men))
      continue;
    found = board;
  }
  return found;
}

/* "7x3 (32), 6x4 (8)"; returns how many boards. */
static size_t name_drawn(const phutball_boards *boards, char names[NAMES_BYTES]) {
  size_t used = 0, n = 0;
  names[0] = '\0';
  for (size_t i = 0; i < boards->used; i++) {
    const phutball_board *board = &boards->boards[i];
    if (board->draws == 0) continue;
    if (used < NAMES_BYTES)
      used += (size_t)snprintf(names + used, NAMES_BYTES - used, "%s%s (%" PRIu64 ")", n ? ", " : "",
                               board->name, board->draws);
    n++;
  }
  return n;
}

static void say_who_starts(const findings *f, char text[NAMES_BYTES]) {
  text[0] = '\0';
  if (f->centres == 0) return;
  snprintf(text, NAMES_BYTES,
           " From the empty board with the ball in its centre, Ohs wins on %d and loses on %d of %d board%s "
           "of odd sides.",
           f->centres_won, f->centres_lost, f->centres, f->centres == 1 ? "" : "s");
}

static void say_others(size_t others, const phutball_board *largest, char text[NAMES_BYTES]) {
  text[0] = '\0';
  if (others == 0) return;
  snprintf(text, NAMES_BYTES, " On %s, of up to %d points, none was found.",
           others == 1 ? "the other board that was looked at" : "all other boards that were looked at",
           largest->rows * largest->columns);
}

static void judge(const findings *f) {
  char names[NAMES_BYTES], starts[NAMES_BYTES], others[NAMES_BYTES];
  const size_t all = f->boards.used, drawn = name_drawn(&f->boards, names);
  const phutball_board *largest = &f->boards.boards[all - 1];
  say_who_starts(f, starts);
  say_others(all - drawn, largest, others);
  if (f->miscounted) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails");
  } else if (drawn == 0) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open",
                   fig_text(all == 1 ? "the board" : "any of the boards looked at, the largest"),
                   fig_text(largest->name), fig_text(starts));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_text(names), fig_text(others),
                   fig_text(starts));
  }
}

static void examine(void *user) {
  findings *f = user;
  const phutball_boards *all = &f->boards;
  phutball_boards_choose(f->c.t, 0, &f->boards);
  report_table_begin(f->c.out, "boards");
  for (size_t i = 0; i < all->used && !f->c.out->error; i++) add_board(f, &all->boards[i]);
  report_table_begin(f->c.out, "empty_boards");
  for (size_t i = 0; i < all->used && !f->c.out->error; i++) add_starts(f, &all->boards[i]);
  report_table_begin(f->c.out, "shapes");
  for (int columns = 1; columns <= BOARD_MOST_COLUMNS && !f->c.out->error; columns++) add_shape(f, columns);
  report_table_begin(f->c.out, "drawn_positions");
  for (size_t i = 0; i < all->used && !f->c.out->error; i++) add_draws(f, &all->boards[i]);
  if (f->c.out->error) return;
  REPORT_NOTE(f->c.out, "note");
  const phutball_board *smallest = smallest_drawn(all);
  if (smallest) phutball_draw_witness(f->c.t, smallest);
  judge(f);
}

static void forget(void *user) {
  findings *f = user;
  free(f->boards.boards);
}

const claim_code claim_code_small_boards = {sizeof(findings), examine, forget};
