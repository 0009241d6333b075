/* phutball-small-boards: are there positions from which neither side can win, and who wins from the empty
 * board? */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/phutball/boards.h"

enum { NAMES_BYTES = 1024, STARTS_BYTES = 512 };

static const report_column board_columns[] = {{"board", "board"},
                                              {"points", "points"},
                                              {"positions", "positions"},
                                              {"wins", "wins"},
                                              {"losses", "losses"},
                                              {"draws", "draws"},
                                              {"longest_win", "longest win"},
                                              {"longest_loss", "longest loss"},
                                              {"centre", "ball in the centre"}};
static const report_column start_columns[] = {
    {"board", "board"}, {"column", "column"}, {"rows", "ball on row 2, 3, …"}};
static const report_column draw_columns[] = {
    {"board", "board"}, {"draws", "draws"}, {"fewest_men", "fewest men"}, {"position", "one of them"}};
enum { BOARD_COLUMNS = 9, START_COLUMNS = 3, DRAW_COLUMNS = 4 };

typedef struct {
  claim_tables t;
  phutball_boards boards;
  report *out;
  int centres, centres_won, centres_lost; /* odd × odd boards, and those won and lost by Ohs */
  bool miscounted;
} findings;

/* --- figures --- */

static tauler_error ask_start(findings *f, const phutball_board *board, int row, int column, int *value,
                              int *depth, tauler_message *message) {
  game_place place;
  const tauler_error error = phutball_board_start(&f->t, board, row, column, &place, message);
  return error ? error : claim_tables_ask(&f->t, place, value, depth, message);
}

static tauler_error add_centre(findings *f, const phutball_board *board, tauler_message *message) {
  if (board->rows % 2 == 0 || board->columns % 2 == 0) {
    report_none(f->out);
    return TAULER_OK;
  }
  int value = 0, depth = 0;
  const tauler_error error =
      ask_start(f, board, (board->rows + 1) / 2, board->columns / 2, &value, &depth, message);
  if (error) return error;
  char text[32] = "draw";
  if (value) snprintf(text, sizeof text, "%s in %d", value > 0 ? "win" : "loss", depth);
  f->centres++;
  f->centres_won += value > 0;
  f->centres_lost += value < 0;
  report_text(f->out, text);
  return TAULER_OK;
}

static void add_depth(report *out, int depth) {
  if (depth) {
    report_number(out, depth);
  } else {
    report_none(out);
  }
}

static tauler_error add_board_row(findings *f, const phutball_board *board, tauler_message *message) {
  const uint64_t positions = board->wins + board->losses + board->draws;
  f->miscounted = f->miscounted || positions != phutball_board_positions(board);
  report_text(f->out, board->name);
  report_number(f->out, board->rows * board->columns);
  report_number(f->out, (int64_t)positions);
  report_number(f->out, (int64_t)board->wins);
  report_number(f->out, (int64_t)board->losses);
  report_number(f->out, (int64_t)board->draws);
  add_depth(f->out, board->longest_win);
  add_depth(f->out, board->longest_loss);
  return add_centre(f, board, message);
}

static tauler_error add_boards(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  report_table_begin(
      f->out, "boards",
      "Positions as the mover sees them, mirror images counted; longest play in plies; and what the "
      "empty board with the ball in its centre is worth to Ohs, who moves first:",
      board_columns, BOARD_COLUMNS);
  for (size_t i = 0; i < f->boards.used && !error; i++) {
    error = phutball_board_count(&f->t, &f->boards.boards[i], message);
    if (!error) error = add_board_row(f, &f->boards.boards[i], message);
  }
  report_plot_begin(f->out, "lengths", "Phutball on small boards, by size: the longest play to a goal",
                    PLOT_BARS, "board", "board (rows x columns), fewest points first", "plies");
  report_plot_series(f->out, "longest_win");
  report_plot_series(f->out, "longest_loss");
  return error;
}

static tauler_error add_start_row(findings *f, const phutball_board *board, int column,
                                  tauler_message *message) {
  char text[STARTS_BYTES], name[2] = {"ABCDEFGHJKLMNOPQRST"[column], '\0'};
  size_t used = 0;
  for (int row = 2; row < board->rows; row++) {
    int value = 0, depth = 0;
    const tauler_error error = ask_start(f, board, row, column, &value, &depth, message);
    if (error) return error;
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", row > 2 ? " " : "",
                             value > 0   ? "W"
                             : value < 0 ? "L"
                                         : "D");
    if (value) used += (size_t)snprintf(text + used, sizeof text - used, "%d", depth);
  }
  report_text(f->out, board->name);
  report_text(f->out, name);
  report_text(f->out, text);
  return TAULER_OK;
}

static tauler_error add_starts(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  report_table_begin(
      f->out, "empty_boards",
      "Empty boards, the ball on each point of the left half, Ohs to move and attacking the last row: "
      "W3 is a win in 3 plies, L6 a loss in 6, D a draw:",
      start_columns, START_COLUMNS);
  for (size_t i = 0; i < f->boards.used; i++) {
    const phutball_board *board = &f->boards.boards[i];
    for (int column = 0; column <= (board->columns - 1) / 2 && !error; column++)
      error = add_start_row(f, board, column, message);
  }
  return error;
}

static void add_draws(findings *f) {
  const tauler_tables *tables = f->t.tables;
  report_table_begin(f->out, "drawn_positions", "Boards with drawn positions:", draw_columns, DRAW_COLUMNS);
  for (size_t i = 0; i < f->boards.used; i++) {
    const phutball_board *board = &f->boards.boards[i];
    if (board->draws == 0) continue;
    char text[GAME_TEXT_BYTES];
    game_position position;
    tables->game->position_at(tables->rules, (game_place){board->slice, board->smallest}, &position);
    tables->game->print(tables->rules, &position, text);
    report_text(f->out, board->name);
    report_number(f->out, (int64_t)board->draws);
    report_number(f->out, board->fewest_men);
    report_text(f->out, text);
  }
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
      used += (size_t)snprintf(names + used, NAMES_BYTES - used, "%s%s (%llu)", n ? ", " : "", board->name,
                               (unsigned long long)board->draws);
    n++;
  }
  return n;
}

static void say_who_starts(const findings *f, char text[NAMES_BYTES]) {
  text[0] = '\0';
  if (f->centres == 0) return;
  snprintf(text, NAMES_BYTES,
           " From the empty board with the ball in its centre, Ohs wins on %d and loses on %d of %d board%s "
           "of odd "
           "sides.",
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
    report_verdict(f->out, VERDICT_FAILS,
                   "A table does not count as many positions as the rules give: (R − 2) · C · 2^(RC − 1).");
  } else if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "The drawn position does not stand up to being checked again.");
  } else if (drawn == 0) {
    report_verdict(
        f->out, VERDICT_OPEN, "No position is drawn on %s %s; larger boards may have drawn positions.%s",
        all == 1 ? "the board" : "any of the boards looked at, the largest", largest->name, starts);
  } else {
    report_verdict(f->out, VERDICT_HOLDS_FOR, "Positions are drawn on %s.%s%s", names, others, starts);
  }
}

static tauler_error look_at_boards(findings *f, tauler_message *message) {
  tauler_error error = phutball_boards_choose(&f->t, &f->boards, message);
  if (!error) error = add_boards(f, message);
  if (!error) error = add_starts(f, message);
  if (error) return error;
  add_draws(f);
  report_note(f->out, "Boards of one column are Phutball in one dimension.");
  const phutball_board *smallest = smallest_drawn(&f->boards);
  if (smallest) error = phutball_draw_witness(&f->t, smallest, f->out, message);
  if (!error) judge(f);
  return error;
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings f = {.out = out};
  tauler_error error = claim_tables_open(job, "phutball", job->rules, NULL, &f.t, message);
  if (error) return error;
  report_rules(out, f.t.tables->game->rules_text(f.t.tables->rules));
  error = look_at_boards(&f, message);
  if (!error) error = claim_tables_tell(&f.t, out, message);
  free(f.boards.boards);
  claim_tables_close(&f.t);
  return error;
}

extern const claim_text claim_text_small_boards;
extern const claim claim_phutball_small_boards;
const claim claim_phutball_small_boards = {.name = "phutball-small-boards",
                                           .game = "phutball",
                                           .text = &claim_text_small_boards,
                                           .options = "rules board",
                                           .run = run};
