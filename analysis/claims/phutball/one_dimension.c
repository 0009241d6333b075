/* phutball-one-dimension: who wins on boards of one column, of two, and who begins on every small board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/phutball/boards.h"
#include "analysis/claims/reference.h"

enum {
  NARROW = 2,
  SLOW_ROWS = 11,
  NARROW_COLUMNS = 8,
  START_COLUMNS = 6,
  STARTS_BYTES = 512,
  MOST_ROWS = 64
};

static const report_column narrow_columns[] = {{"board", "board"},
                                               {"positions", "positions"},
                                               {"wins", "wins"},
                                               {"losses", "losses"},
                                               {"draws", "draws"},
                                               {"longest_win", "longest win"},
                                               {"longest_loss", "longest loss"},
                                               {"rows", "ball on row 2, 3, …"}};
static const report_column start_columns[] = {{"board", "board"},   {"starts", "points of the ball"},
                                              {"wins", "Ohs wins"}, {"losses", "Ohs loses"},
                                              {"draws", "draws"},   {"centre", "centre"}};

typedef struct {
  claim_tables t;
  phutball_boards boards;
  report *out;
  uint64_t narrow_draws;
  int most_rows[NARROW + 1];            /* by columns */
  int centres, centres_won;             /* of one column */
  char starts[MOST_ROWS][STARTS_BYTES]; /* of one column, by rows */
  int compared, alike; /* boards of two columns, and those like the one column of as many rows */
} findings;

static tauler_error ask_start(findings *f, const phutball_board *board, int row, int column, int *value,
                              int *depth, tauler_message *message) {
  game_place place;
  const tauler_error error = phutball_board_start(&f->t, board, row, column, &place, message);
  return error ? error : claim_tables_ask(&f->t, place, value, depth, message);
}

/* --- boards of one column and of two --- */

/* "L6 L6 W7": the ball in the first column. */
static tauler_error write_starts(findings *f, const phutball_board *board, char text[STARTS_BYTES],
                                 tauler_message *message) {
  size_t used = 0;
  text[0] = '\0';
  for (int row = 2; row < board->rows; row++) {
    int value = 0, depth = 0;
    const tauler_error error = ask_start(f, board, row, 0, &value, &depth, message);
    if (error) return error;
    used += (size_t)snprintf(text + used, STARTS_BYTES - used, "%s%c", row > 2 ? " " : "", "LDW"[value + 1]);
    if (value) used += (size_t)snprintf(text + used, STARTS_BYTES - used, "%d", depth);
  }
  return TAULER_OK;
}

static void compare_starts(findings *f, const phutball_board *board, const char *text) {
  if (board->columns == 1) {
    snprintf(f->starts[board->rows], STARTS_BYTES, "%s", text);
  } else if (f->starts[board->rows][0]) {
    f->compared++;
    f->alike += strcmp(f->starts[board->rows], text) == 0;
  }
}

static tauler_error add_narrow(findings *f, phutball_board *board, tauler_message *message) {
  char text[STARTS_BYTES];
  tauler_error error = phutball_board_count(&f->t, board, message);
  if (!error) error = write_starts(f, board, text, message);
  if (error) return error;
  const uint64_t positions = board->wins + board->losses + board->draws;
  f->narrow_draws += board->draws;
  if (board->rows > f->most_rows[board->columns]) f->most_rows[board->columns] = board->rows;
  compare_starts(f, board, text);
  report_text(f->out, board->name);
  report_number(f->out, (int64_t)positions);
  report_number(f->out, (int64_t)board->wins);
  report_number(f->out, (int64_t)board->losses);
  report_number(f->out, (int64_t)board->draws);
  report_number(f->out, board->longest_win);
  report_number(f->out, board->longest_loss);
  report_text(f->out, text);
  return TAULER_OK;
}

static tauler_error add_narrow_boards(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  report_table_begin(
      f->out, "narrow_boards",
      "Boards of one and two columns: positions as the mover sees them, longest play in plies, and the "
      "empty board with the ball in the first column, Ohs to move and attacking the last row (W3: Ohs wins "
      "in 3 plies, L6: loses in 6, D: a draw):",
      narrow_columns, NARROW_COLUMNS);
  for (int columns = 1; columns <= NARROW; columns++) {
    for (size_t i = 0; i < f->boards.used && !error; i++)
      if (f->boards.boards[i].columns == columns) error = add_narrow(f, &f->boards.boards[i], message);
  }
  report_plot_begin(f->out, "lengths", "Phutball on one and two columns: the longest play to a goal",
                    PLOT_BARS, "board", "board (rows x columns)", "plies");
  report_plot_series(f->out, "longest_win");
  report_plot_series(f->out, "longest_loss");
  return error;
}

/* --- who begins --- */

static void add_centre(findings *f, const phutball_board *board, int value, int depth) {
  char text[32] = "draw";
  if (value) snprintf(text, sizeof text, "%s in %d", value > 0 ? "win" : "loss", depth);
  report_text(f->out, text);
  if (board->columns > 1) return;
  f->centres++;
  f->centres_won += value > 0;
}

static tauler_error add_starts_row(findings *f, const phutball_board *board, tauler_message *message) {
  int of[3] = {0, 0, 0}, centre = 0, centre_depth = 0; /* losses, draws, wins */
  for (int row = 2; row < board->rows; row++) {
    for (int column = 0; column < board->columns; column++) {
      int value = 0, depth = 0;
      const tauler_error error = ask_start(f, board, row, column, &value, &depth, message);
      if (error) return error;
      of[value + 1]++;
      if (2 * row != board->rows + 1 || 2 * column != board->columns - 1) continue;
      centre = value;
      centre_depth = depth;
    }
  }
  report_text(f->out, board->name);
  report_number(f->out, of[0] + of[1] + of[2]);
  report_number(f->out, of[2]);
  report_number(f->out, of[0]);
  report_number(f->out, of[1]);
  if (board->rows % 2 && board->columns % 2) {
    add_centre(f, board, centre, centre_depth);
  } else {
    report_none(f->out);
  }
  return TAULER_OK;
}

static tauler_error add_starts(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  report_table_begin(
      f->out, "who_begins",
      "Every board that was built, empty, the ball on each point between the goal lines: how many of these "
      "Ohs, who begins, wins; and from the centre, where there is one:",
      start_columns, START_COLUMNS);
  for (size_t i = 0; i < f->boards.used && !error; i++)
    error = add_starts_row(f, &f->boards.boards[i], message);
  report_plot_begin(f->out, "starts", "Phutball on the empty board: from how many points whoever begins wins",
                    PLOT_STACKED_BARS, "board", "board (rows x columns)", "points of the ball");
  report_plot_series(f->out, "wins");
  report_plot_series(f->out, "losses");
  report_plot_series(f->out, "draws");
  return error;
}

/* --- the witness --- */

static tauler_error differs(findings *f, const phutball_board *board, const reference_results *slow,
                            uint64_t *wrong, tauler_message *message) {
  for (uint64_t i = 0; i < slow->positions; i++) {
    int value = 0, depth = 0;
    const tauler_error error =
        claim_tables_ask(&f->t, (game_place){board->slice, i}, &value, &depth, message);
    if (error) return error;
    const int slow_depth = slow->value[i] ? slow->depth[i] : TAULER_NO_DEPTH;
    *wrong += value != slow->value[i] || depth != slow_depth;
  }
  return TAULER_OK;
}

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

static tauler_error recheck(findings *f, const phutball_board *board, tauler_message *message) {
  const tauler_tables *tables = f->t.tables;
  reference_results slow;
  uint64_t wrong = 0;
  game_place place;
  game_position start;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES], title[96];
  tauler_error error = phutball_board_start(&f->t, board, (board->rows + 1) / 2, 0, &place, message);
  if (!error) error = reference_results_solve(tables->game, tables->rules, board->slice, &slow, message);
  if (error) return error;
  error = differs(f, board, &slow, &wrong, message);
  if (!error) {
    tables->game->position_at(tables->rules, place, &start);
    tables->game->print(tables->rules, &start, text);
    tables->game->draw(tables->rules, &start, drawing);
    snprintf(title, sizeof title, "The board %s, empty, Ohs to move.", board->name);
    report_witness_begin(f->out, title, text, drawing);
    report_add_recheck(
        f->out, "plain iteration", true, wrong == 0,
        "All %llu positions of the board, solved by the moves of the rules alone, one position at a time "
        "and ply by ply: %llu differ from the table in result or length.",
        (unsigned long long)slow.positions, (unsigned long long)wrong);
  }
  reference_results_free(&slow);
  return error;
}

/* --- the verdict --- */

static void judge(const findings *f) {
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "The tables do not agree with the moves of the rules.");
  } else if (f->most_rows[1] == 0) {
    report_verdict(f->out, VERDICT_OPEN, "No board of one column was looked at.");
  } else if (f->narrow_draws) {
    report_verdict(f->out, VERDICT_FAILS, "%llu positions of boards of one or two columns are drawn.",
                   (unsigned long long)f->narrow_draws);
  } else {
    char wider[256] = "";
    if (f->most_rows[2]) {
      snprintf(
          wider, sizeof wider,
          " Nor is one on boards of two columns and up to %d rows; empty, %d of %d of these are like one "
          "column of as many rows, in result and length.",
          f->most_rows[2], f->alike, f->compared);
    }
    report_verdict(
        f->out, VERDICT_HOLDS_FOR,
        "On boards of one column and up to %d rows no position is drawn. With the ball in the middle of "
        "the empty column whoever begins wins on %d of %d boards.%s",
        f->most_rows[1], f->centres_won, f->centres, wider);
  }
}

static tauler_error look_at_boards(findings *f, tauler_message *message) {
  tauler_error error = phutball_boards_choose(&f->t, &f->boards, message);
  if (!error) error = add_narrow_boards(f, message);
  if (!error) error = add_starts(f, message);
  if (error) return error;
  const phutball_board *board = slow_board(f);
  if (board) error = recheck(f, board, message);
  if (!error) judge(f);
  return error;
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about Phutball");
  f->out = out;
  tauler_error error = claim_tables_open(job, "phutball", job->rules, NULL, &f->t, message);
  if (!error) {
    report_rules(out, f->t.tables->game->rules_text(f->t.tables->rules));
    error = look_at_boards(f, message);
    if (!error) error = claim_tables_tell(&f->t, out, message);
    free(f->boards.boards);
    claim_tables_close(&f->t);
  }
  free(f);
  return error;
}

extern const claim_text claim_text_one_dimension;
extern const claim claim_phutball_one_dimension;
const claim claim_phutball_one_dimension = {.name = "phutball-one-dimension",
                                            .game = "phutball",
                                            .text = &claim_text_one_dimension,
                                            .options = "rules board",
                                            .run = run};
