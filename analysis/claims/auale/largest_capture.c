/* auale-largest-capture: how many seeds can one move take? */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/auale/capture.h"
#include "analysis/claims/claim.h"

enum {
  SOURCE_SAYS = 15,
  BRUTE_SEEDS = 8,
  SEEDS_COLUMNS = 7,
  SOWN_COLUMNS = 8,
  RECORD_COLUMNS = 6,
  KINDS = 3,
  TITLE_BYTES = 256
};

static const char *const rule_names[CAPTURE_RULES] = {"abapa", "awari", "awari,grand-slam=captures"};

static const report_column seeds_columns[SEEDS_COLUMNS] = {{"seeds", "seeds on the board"},
                                                           {"abapa", "abapa"},
                                                           {"awari", "awari"},
                                                           {"captures", "grand slams capture"},
                                                           {"abapa_open", "empty pit opposite: abapa"},
                                                           {"awari_open", "empty pit opposite: awari"},
                                                           {"captures_open", "and grand slams capture"}};
static const report_column sown_columns[SOWN_COLUMNS] = {{"sown", "seeds sown"},
                                                         {"kroo", "kroo"},
                                                         {"abapa", "abapa"},
                                                         {"abapa_seeds", "fewest seeds"},
                                                         {"awari", "awari"},
                                                         {"awari_seeds", "fewest seeds"},
                                                         {"captures", "grand slams capture"},
                                                         {"captures_seeds", "fewest seeds"}};
static const report_column record_columns[RECORD_COLUMNS] = {
    {"rules", "rules"},        {"sowing", "sowing"}, {"captured", "largest"},
    {"seeds", "fewest seeds"}, {"sown", "sown"},     {"board", "a board"}};

/* Both sides help, and every move is legal under all rule sets. */
static const char start[] = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
static const struct {
  const char *moves, *what;
} games[] = {
    {"EeDdCeEfFaBfAc", "A game from the start in which both sides help: the last move takes fifteen."},
    {"CaDbEfEcEaDeCdEeBfF", "Another such game, in which fifteen are taken by sowing a kroo of sixteen."}};

typedef struct {
  report *out;
  int seeds;
  capture_records records[CAPTURE_RULES];
  auale_rule_set rules[CAPTURE_RULES];
} findings;

static void name_pit(int origin, char name[2]) {
  name[0] = (char)('A' + origin);
  name[1] = '\0';
}

/* --- figures --- */

static void add_seeds(const findings *f) {
  report_table_begin(
      f->out, "by_seeds",
      "The most that one legal move takes, over all boards of so many seeds; under awari more "
      "than under abapa only where no move leaves the opponent a seed. And of these the boards whose "
      "opponent's row has an empty pit, as it has after every move:",
      seeds_columns, SEEDS_COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    report_number(f->out, n);
    for (int k = 0; k < CAPTURE_RULES; k++) report_number(f->out, f->records[k].by_seeds[n].captured);
    for (int k = 0; k < CAPTURE_RULES; k++) report_number(f->out, f->records[k].open[n].captured);
  }
  report_plot_begin(f->out, "by-seeds", "The largest capture by the seeds on the board", PLOT_LINES, "seeds",
                    "seeds on the board", "seeds taken by one move");
  report_plot_series(f->out, "abapa");
  report_plot_series(f->out, "awari");
  report_plot_series(f->out, "abapa_open");
  report_plot_series(f->out, "awari_open");
}

static void add_captured(report *out, const capture_move *move) {
  report_number(out, move->captured);
  if (move->captured) {
    report_number(out, move->seeds);
  } else {
    report_none(out);
  }
}

static void add_sown(const findings *f) {
  report_table_begin(f->out, "by_sown",
                     "The most that a move takes by the seeds it sows, over all boards that were looked at, "
                     "and the fewest seeds on a board where it does:",
                     sown_columns, SOWN_COLUMNS);
  for (int sown = 1; sown <= f->seeds; sown++) {
    report_number(f->out, sown);
    report_text(f->out, sown >= CAPTURE_KROO ? "yes" : "no");
    for (int k = 0; k < CAPTURE_RULES; k++) add_captured(f->out, &f->records[k].by_sown[sown]);
  }
  report_plot_begin(f->out, "by-sown", "The largest capture by the seeds that are sown", PLOT_LINES, "sown",
                    "seeds sown", "seeds taken by one move");
  report_plot_series(f->out, "abapa");
  report_plot_series(f->out, "awari");
}

/* The most that is taken, on the fewest seeds, by sowing from `least` to `most`. */
static const capture_move *best_sown(const capture_records *records, int least, int most) {
  const capture_move *best = &records->by_sown[least];
  for (int sown = least; sown <= most; sown++)
    if (capture_is_better(&records->by_sown[sown], best)) best = &records->by_sown[sown];
  return best;
}

static void add_record(const findings *f, int rules, const char *sowing, const capture_move *move) {
  char text[GAME_TEXT_BYTES];
  if (move->captured == 0) return;
  auale_board_text(move->pits, 'S', text);
  report_text(f->out, rule_names[rules]);
  report_text(f->out, sowing);
  report_number(f->out, move->captured);
  report_number(f->out, move->seeds);
  report_number(f->out, move->sown);
  report_text(f->out, text);
}

static void add_records(const findings *f) {
  report_table_begin(f->out, "records",
                     "The largest capture, and the fewest seeds on a board where a move makes it:",
                     record_columns, RECORD_COLUMNS);
  for (int k = 0; k < CAPTURE_RULES; k++) {
    add_record(f, k, "any", best_sown(&f->records[k], 1, f->seeds));
    if (f->seeds >= CAPTURE_KROO) add_record(f, k, "kroo", best_sown(&f->records[k], CAPTURE_KROO, f->seeds));
  }
}

/* --- witnesses --- */

/* The records of every number of seeds and every number sown, played by the rules. */
static tauler_error replay_records(const findings *f, int k, uint64_t *played, uint64_t *wrong,
                                   tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int i = 0; i < KINDS * f->seeds && !error; i++) {
    const capture_records *all = &f->records[k];
    const capture_move *kinds[KINDS] = {all->by_seeds, all->by_sown, all->open};
    const capture_move *move = &kinds[i % KINDS][1 + i / KINDS];
    char text[GAME_TEXT_BYTES], name[2];
    game_position board, after;
    bool legal = false;
    int gain = 0;
    if (move->captured == 0) continue;
    auale_board_text(move->pits, 'S', text);
    name_pit(move->origin, name);
    error = f->rules[k].game->parse(f->rules[k].rules, text, &board, message);
    if (!error) error = auale_play_move(&f->rules[k], &board, name, &legal, &gain, &after);
    ++*played;
    *wrong += !legal || gain != move->captured;
  }
  return error;
}

typedef struct {
  const auale_rule_set *rules;
  uint64_t boards;
  int most;
} brute;

static tauler_error look_at_board(void *user, const game_position *board, bool table) {
  brute *b = user;
  int taken = 0;
  (void)table;
  const tauler_error error = auale_most_taken(b->rules, board, &taken);
  b->boards++;
  if (taken > b->most) b->most = taken;
  return error;
}

static tauler_error brute_force(const findings *f, int k, int seeds, uint64_t *boards, bool *right,
                                tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int n = 1; n <= seeds && !error; n++) {
    brute b = {.rules = &f->rules[k]};
    error = auale_visit_boards(b.rules, (unsigned)n, look_at_board, &b);
    if (error) tauler_fail(message, error, "the moves of a board cannot be had");
    *right =
        *right && b.most == f->records[k].by_seeds[n].captured && b.boards == auale_all_boards((unsigned)n);
    *boards += b.boards;
  }
  return error;
}

static tauler_error show_record(const findings *f, int k, tauler_message *message) {
  const capture_move *move = best_sown(&f->records[k], 1, f->seeds);
  const game *g = f->rules[k].game;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES], title[TITLE_BYTES], name[2];
  game_position board, after;
  bool legal = false, right = true;
  int gain = 0;
  const int brute_seeds = f->seeds < BRUTE_SEEDS ? f->seeds : BRUTE_SEEDS;
  uint64_t boards = 0, played = 0, wrong = 0;
  auale_board_text(move->pits, 'S', text);
  name_pit(move->origin, name);
  tauler_error error = g->parse(f->rules[k].rules, text, &board, message);
  if (!error) error = auale_play_move(&f->rules[k], &board, name, &legal, &gain, &after);
  if (!error) error = brute_force(f, k, brute_seeds, &boards, &right, message);
  if (!error) error = replay_records(f, k, &played, &wrong, message);
  if (error) return error;
  g->draw(f->rules[k].rules, &board, drawing);
  snprintf(title, sizeof title, "The largest capture under %s on the fewest seeds: %s takes %d.",
           rule_names[k], name, move->captured);
  report_witness_begin(f->out, title, text, drawing);
  g->print(f->rules[k].rules, &after, text);
  report_add_step(f->out, "S", name, text, NULL);
  report_add_recheck(f->out, "replay", true, legal && gain == move->captured && wrong == 0,
                     "This move and those behind all figures of the tables, %llu, played by the rules of the "
                     "game: %llu are illegal or take another number.",
                     (unsigned long long)played, (unsigned long long)wrong);
  report_add_recheck(
      f->out, "brute force", true, right,
      "All %llu boards of 1 to %d seeds, every legal move of each by the rules of the game: the "
      "most that is taken is %s.",
      (unsigned long long)boards, brute_seeds, right ? "the same for every number of seeds" : "another");
  return TAULER_OK;
}

/* Plays a line from the start; *taken is what the last move takes, −1 if a move is not legal. */
static tauler_error play_game(const findings *f, int k, const char *line, report *out, int *taken,
                              tauler_message *message) {
  const game *g = f->rules[k].game;
  char text[GAME_TEXT_BYTES];
  game_position position;
  tauler_error error = g->parse(f->rules[k].rules, start, &position, message);
  *taken = 0;
  for (const char *at = line; *at && *taken >= 0 && !error; at++) {
    const char name[2] = {*at, '\0'};
    const char *turn = g->turn(f->rules[k].rules, &position);
    game_position after;
    bool legal = false;
    error = auale_play_move(&f->rules[k], &position, name, &legal, taken, &after);
    if (!legal) *taken = -1;
    if (error || !legal) break;
    position = after;
    g->print(f->rules[k].rules, &position, text);
    if (out) report_add_step(out, turn, name, text, at[1] ? NULL : "takes fifteen");
  }
  return error;
}

static tauler_error show_game(const findings *f, const char *line, const char *what,
                              tauler_message *message) {
  bool right = true;
  int taken = 0;
  tauler_error error = TAULER_OK;
  report_witness_begin(f->out, what, start, NULL);
  for (int k = 0; k < CAPTURE_RULES && !error; k++) {
    error = play_game(f, k, line, k == 0 ? f->out : NULL, &taken, message);
    right = right && taken == SOURCE_SAYS;
  }
  if (!error)
    report_add_recheck(f->out, "replay", true, right,
                       "Played by the rules of the game under all three rule sets, the moves are %s.",
                       right ? "legal and the last takes fifteen" : "not what is said");
  return error;
}

/* --- the verdict --- */

/* Seeds of the smallest board with an empty pit opposite on which awari lets a move take so many. */
static int fewest_open(const findings *f, int captured) {
  int n = 1;
  while (n < f->seeds && f->records[CAPTURE_AWARI].open[n].captured < captured) n++;
  return n;
}

static void judge(const findings *f) {
  const capture_move *most = best_sown(&f->records[CAPTURE_ABAPA], 1, f->seeds);
  const capture_move *awari = best_sown(&f->records[CAPTURE_AWARI], 1, f->seeds);
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "The cases do not agree with the rules of the game.");
  } else if (most->captured > SOURCE_SAYS) {
    report_verdict(f->out, VERDICT_FAILS, "A move takes %d seeds under abapa.", most->captured);
  } else if (f->seeds < CAPTURE_MOST_SEEDS) {
    report_verdict(
        f->out, VERDICT_OPEN,
        "On boards of up to %d seeds one move takes at most %d under abapa; --seeds goes further, and "
        "without it all boards are looked at.",
        f->seeds, most->captured);
  } else {
    const capture_move *kroo = best_sown(&f->records[CAPTURE_ABAPA], CAPTURE_KROO, f->seeds);
    report_verdict(
        f->out,
        most->captured == SOURCE_SAYS && kroo->captured == SOURCE_SAYS ? VERDICT_HOLDS : VERDICT_FAILS,
        "On no board of up to 48 seeds does a legal move take more than %d under abapa. %d seeds on the "
        "board are enough for that; a kroo needs %d. Under awari a move takes up to %d, but more than %d "
        "only where no move leaves the opponent a seed; with an empty pit opposite, as after every move, "
        "it takes %d seeds on the board at least to take %d.",
        most->captured, most->seeds, kroo->seeds, awari->captured, most->captured,
        fewest_open(f, awari->captured), awari->captured);
  }
}

static tauler_error look(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  capture_search(f->seeds, f->records);
  add_records(f);
  add_seeds(f);
  add_sown(f);
  for (int k = 0; k < CAPTURE_RULES && !error; k++)
    if (f->seeds > 2) error = show_record(f, k, message);
  for (size_t i = 0; i < sizeof games / sizeof *games && f->seeds == CAPTURE_MOST_SEEDS && !error; i++)
    error = show_game(f, games[i].moves, games[i].what, message);
  if (error) return error;
  if (f->seeds == CAPTURE_MOST_SEEDS)
    report_note(f->out,
                "Captures as large as the largest under abapa are shown in games from the start; whether a "
                "grand slam of eighteen under awari can come up in one is not looked at.");
  judge(f);
  return TAULER_OK;
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about aualé");
  f->out = out;
  f->seeds = job->seeds ? job->seeds : CAPTURE_MOST_SEEDS;
  report_rules(out, "abapa, awari, and awari,grand-slam=captures");
  tauler_error error = TAULER_OK;
  for (int k = 0; k < CAPTURE_RULES && !error; k++)
    error = auale_rules_open(rule_names[k], NULL, &f->rules[k], message);
  if (!error) error = look(f, message);
  for (int k = 0; k < CAPTURE_RULES; k++) auale_rules_close(&f->rules[k]);
  free(f);
  return error;
}

extern const claim_text claim_text_largest_capture;
extern const claim claim_auale_largest_capture;
const claim claim_auale_largest_capture = {.name = "auale-largest-capture",
                                           .game = "auale",
                                           .text = &claim_text_largest_capture,
                                           .options = "seeds",
                                           .run = run};
