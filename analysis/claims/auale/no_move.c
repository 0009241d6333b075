/* auale-no-move: how often has a player of aualé no legal move, and who gains? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/claim.h"

enum { USUAL_SEEDS = 16, BRUTE_SEEDS = 8, UNFED_SEEDS = 15, UNFED_ROWS = 720, COLUMNS = 9, DECIMALS = 4 };
enum { ABAPA, AWARI, AWARI_CAPTURES, RULE_SETS };

static const char *const rule_names[RULE_SETS] = {"abapa", "awari", "awari,grand-slam=captures"};

static const report_column columns[COLUMNS] = {
    {"seeds", "seeds"},          {"boards", "boards"},
    {"none", "mover has none"},  {"none_table", "after a sowing"},
    {"unfed", "cannot feed"},    {"unfed_after_move", "after a legal move"},
    {"abapa", "no move, abapa"}, {"percent", "% of boards"},
    {"awari", "no move, awari"}};

/* Boards of so many seeds without a legal move. */
typedef struct {
  uint64_t boards;
  uint64_t none, none_table;   /* the mover has no seeds: all; with an empty pit opposite */
  uint64_t unfed, unfed_table; /* the opponent has none and cannot be given any */
  uint64_t others;             /* neither, or not worth what it should be */
} ended;

typedef struct {
  report *out;
  int seeds;
  auale_rule_set rules[RULE_SETS];
  ended found[RULE_SETS][ROW_MAX_SEEDS];
  /* Rows from which no seed reaches the opponent, by fewer than 6 − i in pit i: a bit if a legal move leads
   * to the board, and one such board before it. */
  bool reached[UNFED_ROWS];
  uint8_t before[UNFED_ROWS][AUALE_BOARD_PITS];
} findings;

/* --- rows that feed nobody --- */

/* Pit i has at most 5 − i seeds: its number in mixed radix; UNFED_ROWS where it has more. */
static size_t unfed_number(const uint8_t row[ROW_PITS]) {
  size_t number = 0;
  for (int pit = 0; pit < ROW_PITS; pit++) {
    if (row[pit] >= ROW_PITS - pit) return UNFED_ROWS;
    number = number * (size_t)(ROW_PITS - pit) + row[pit];
  }
  return number;
}

static void unfed_row(size_t number, uint8_t row[ROW_PITS]) {
  for (int pit = ROW_PITS - 1; pit >= 0; pit--) {
    row[pit] = (uint8_t)(number % (size_t)(ROW_PITS - pit));
    number /= (size_t)(ROW_PITS - pit);
  }
}

/* Permutations of six with n inversions: the ways to write n as a sum of six numbers, the i-th at most i. */
static uint64_t inversions(unsigned n) {
  uint64_t ways[UNFED_SEEDS + 1] = {1};
  for (int most = 1; most < ROW_PITS; most++) {
    for (int sum = UNFED_SEEDS; sum >= 0; sum--) {
      for (int last = 1; last <= most && last <= sum; last++) ways[sum] += ways[sum - last];
    }
  }
  return n <= UNFED_SEEDS ? ways[n] : 0;
}

/* --- all boards --- */

typedef struct {
  findings *f;
  int rules;
  unsigned seeds;
} visit;

static tauler_error count_board(void *user, const game_position *board, bool table) {
  const visit *v = user;
  const auale_rule_set *set = &v->f->rules[v->rules];
  ended *found = &v->f->found[v->rules][v->seeds];
  uint8_t pits[AUALE_BOARD_PITS];
  int value = 0;
  found->boards++;
  if (!set->game->position_ended(set->rules, board, &value)) return TAULER_OK;
  auale_board_pits(set, board, pits);
  const unsigned own = row_seeds(pits), other = row_seeds(pits + ROW_PITS);
  if (own == 0 && value == -(int)other) {
    found->none++;
    found->none_table += table;
  } else if (other == 0 && unfed_number(pits) < UNFED_ROWS && value == (int)own) {
    found->unfed++;
    found->unfed_table += table;
  } else {
    found->others++;
  }
  return TAULER_OK;
}

static tauler_error count_boards(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int k = 0; k < RULE_SETS && !error; k++) {
    for (int n = 1; n <= f->seeds && !error; n++) {
      visit v = {f, k, (unsigned)n};
      error = auale_visit_boards(&f->rules[k], v.seeds, count_board, &v);
    }
  }
  return error ? tauler_fail(message, error, "the boards of aualé cannot be had") : TAULER_OK;
}

/* --- moves that lead there, under abapa --- */

/* What a board becomes by a move, if it has then ended. */
static tauler_error look_after(const auale_rule_set *set, const game_position *board, const char *name,
                               uint8_t after[AUALE_BOARD_PITS], bool *ends) {
  game_position child;
  bool legal = false;
  int gain = 0, value = 0;
  const tauler_error error = auale_play_move(set, board, name, &legal, &gain, &child);
  *ends = !error && legal && set->game->position_ended(set->rules, &child, &value);
  if (*ends) auale_board_pits(set, &child, after);
  return error;
}

/* The boards before a move that leaves a row unfed. The mover's own row is empty after it, so its seeds all
 * lay in the last pit, six at most; a pit of the other row that was not taken has not more than it has
 * afterwards, one that was taken held two at most. */
static tauler_error try_before(findings *f, int sown, const uint8_t row[ROW_PITS], tauler_message *message) {
  const auale_rule_set *set = &f->rules[ABAPA];
  uint8_t pits[AUALE_BOARD_PITS] = {0}, after[AUALE_BOARD_PITS];
  char text[GAME_TEXT_BYTES];
  game_position board;
  bool ends = false;
  pits[ROW_PITS - 1] = (uint8_t)sown;
  memcpy(pits + ROW_PITS, row, ROW_PITS);
  auale_board_text(pits, 'S', text);
  tauler_error error = set->game->parse(set->rules, text, &board, message);
  if (!error) error = look_after(set, &board, "F", after, &ends);
  if (error || !ends || row_seeds(after) == 0 || row_seeds(after + ROW_PITS) > 0) return error;
  const size_t number = unfed_number(after);
  if (number == UNFED_ROWS || f->reached[number]) return TAULER_OK;
  f->reached[number] = true;
  memcpy(f->before[number], pits, sizeof pits);
  return TAULER_OK;
}

static bool next_before(uint8_t row[ROW_PITS]) {
  for (int pit = 0; pit < ROW_PITS; pit++) {
    const int most = pit < ROW_PITS - 3 ? ROW_PITS - 1 - pit : 2;
    if (row[pit]++ < most) return true;
    row[pit] = 0;
  }
  return false;
}

static tauler_error find_reached(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int sown = 1; sown <= ROW_PITS; sown++) {
    uint8_t row[ROW_PITS] = {0};
    do { error = try_before(f, sown, row, message); } while (!error && next_before(row));
    if (error) break;
  }
  return error;
}

static uint64_t count_reached(const findings *f, int seeds) {
  uint64_t n = 0;
  for (size_t i = 0; i < UNFED_ROWS; i++) {
    uint8_t row[ROW_PITS];
    unfed_row(i, row);
    n += f->reached[i] && (int)row_seeds(row) == seeds;
  }
  return n;
}

/* --- figures --- */

static void add_rows(const findings *f) {
  report_table_begin(
      f->out, "boards",
      "Boards without a legal move, by why there is none: the mover has no seeds (of these, such "
      "with an empty pit opposite, as after every sowing); or, under abapa, the opponent has none "
      "and no move gives him any (of these, such that a legal move leads there):",
      columns, COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    const ended *abapa = &f->found[ABAPA][n], *awari = &f->found[AWARI][n];
    const uint64_t all = abapa->none + abapa->unfed;
    report_number(f->out, n);
    report_number(f->out, (int64_t)abapa->boards);
    report_number(f->out, (int64_t)abapa->none);
    report_number(f->out, (int64_t)abapa->none_table);
    report_number(f->out, (int64_t)abapa->unfed);
    report_number(f->out, (int64_t)count_reached(f, n));
    report_number(f->out, (int64_t)all);
    report_mean(f->out, 100.0 * (double)all / (double)abapa->boards, DECIMALS);
    report_number(f->out, (int64_t)(awari->none + awari->unfed));
  }
  report_plot_begin(f->out, "boards", "Boards without a legal move", PLOT_LINES, "seeds",
                    "seeds on the board", "boards");
  report_plot_series(f->out, "none");
  report_plot_series(f->out, "unfed");
  report_plot_series(f->out, "unfed_after_move");
  report_plot_logarithmic(f->out);
}

/* --- rechecks --- */

static bool as_formulae_say(const findings *f, int k, unsigned n) {
  const ended *found = &f->found[k][n];
  const uint64_t unfed = k == ABAPA ? inversions(n) : 0;
  return found->boards == auale_all_boards(n) && found->none == binomial(n + 5, 5) &&
         found->none_table == binomial(n + 5, 5) - binomial(n - 1, 5) && found->unfed == unfed &&
         found->unfed_table == unfed && found->others == 0;
}

static uint64_t count_disagreeing(const findings *f) {
  uint64_t wrong = 0;
  for (int k = 0; k < RULE_SETS; k++)
    for (int n = 1; n <= f->seeds; n++) wrong += !as_formulae_say(f, k, (unsigned)n);
  return wrong;
}

typedef struct {
  const findings *f;
  uint64_t moves, ending, wrong;
} brute;

/* Every move under abapa that leaves a board without one leaves a row that is known to be reached. */
static tauler_error try_moves(void *user, const game_position *board, bool table) {
  brute *b = user;
  const auale_rule_set *set = &b->f->rules[ABAPA];
  game_moves moves = {0};
  (void)table;
  const tauler_error error = set->game->moves(set->rules, board, &moves);
  for (size_t i = 0; i < moves.used && !error; i++) {
    uint8_t pits[AUALE_BOARD_PITS];
    int value = 0;
    b->moves++;
    if (!set->game->position_ended(set->rules, &moves.moves[i].child, &value)) continue;
    auale_board_pits(set, &moves.moves[i].child, pits);
    const size_t number = unfed_number(pits);
    b->ending++;
    b->wrong += row_seeds(pits + ROW_PITS) > 0 || number == UNFED_ROWS || !b->f->reached[number];
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error add_rechecks(const findings *f, tauler_message *message) {
  const uint64_t wrong = count_disagreeing(f);
  const int most = f->seeds < BRUTE_SEEDS ? f->seeds : BRUTE_SEEDS;
  brute b = {.f = f};
  tauler_error error = TAULER_OK;
  for (int n = 1; n <= most && !error; n++)
    error = auale_visit_boards(&f->rules[ABAPA], (unsigned)n, try_moves, &b);
  if (error) return tauler_fail(message, error, "the moves of a board cannot be had");
  report_add_recheck(
      f->out, "formulae", true, wrong == 0,
      "Of n seeds C(n + 11, 11) boards; C(n + 5, 5) with nothing to move, of which C(n − 1, 5) face "
      "a full row; under abapa as many that cannot feed as there are permutations of six with n "
      "inversions, under awari none. What was counted by the rules differs for %llu of %d numbers "
      "of seeds and rule sets.",
      (unsigned long long)wrong, RULE_SETS * f->seeds);
  report_add_recheck(
      f->out, "brute force", true, b.wrong == 0,
      "Of all %llu legal moves on boards of up to %d seeds under abapa %llu leave a board without "
      "one; %llu of these boards are not among those that were found from behind.",
      (unsigned long long)b.moves, most, (unsigned long long)b.ending, (unsigned long long)b.wrong);
  return TAULER_OK;
}

/* The reached row of most seeds. */
static size_t largest_reached(const findings *f) {
  size_t best = UNFED_ROWS;
  unsigned most = 0;
  for (size_t i = 0; i < UNFED_ROWS; i++) {
    uint8_t row[ROW_PITS];
    unfed_row(i, row);
    const unsigned seeds = row_seeds(row);
    if (!f->reached[i] || (int)seeds > f->seeds || seeds <= most) continue;
    most = seeds;
    best = i;
  }
  return best;
}

static tauler_error show_witness(const findings *f, tauler_message *message) {
  const auale_rule_set *set = &f->rules[ABAPA];
  const size_t number = largest_reached(f);
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES], remark[64];
  game_position before, after;
  bool legal = false;
  int gain = 0, value = 0;
  if (number == UNFED_ROWS) return TAULER_OK;
  auale_board_text(f->before[number], 'S', text);
  tauler_error error = set->game->parse(set->rules, text, &before, message);
  if (!error) error = auale_play_move(set, &before, "F", &legal, &gain, &after);
  if (error) return error;
  const bool ends = legal && set->game->position_ended(set->rules, &after, &value);
  set->game->draw(set->rules, &before, drawing);
  report_witness_begin(f->out, "A legal move of abapa after which the other side has none.", text, drawing);
  snprintf(remark, sizeof remark, "no legal move: North takes the %d seeds of its row", value);
  set->game->print(set->rules, &after, text);
  report_add_step(f->out, "S", "F", text, remark);
  report_add_recheck(f->out, "replay", true, ends && value > 0, "Played by the rules, the move is %s.",
                     ends ? "legal and ends the game" : "illegal or ends nothing");
  return add_rechecks(f, message);
}

static void judge(const findings *f) {
  uint64_t all = 0, none = 0, unfed = 0, reached = 0;
  for (int n = 1; n <= f->seeds; n++) {
    none += f->found[ABAPA][n].none;
    unfed += f->found[ABAPA][n].unfed;
    reached += count_reached(f, n);
    all += f->found[ABAPA][n].none + f->found[ABAPA][n].unfed;
  }
  char most[64] = "";
  if (f->seeds > UNFED_SEEDS) snprintf(most, sizeof most, ", which takes %d seeds at most", UNFED_SEEDS);
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "The boards are not those that the rules and the formulae say.");
  } else {
    report_verdict(
        f->out, reached ? VERDICT_HOLDS_FOR : VERDICT_OPEN,
        "Of boards with 1 to %d seeds %llu have no legal move under abapa: on %llu the mover has no "
        "seeds, on %llu the opponent has none and cannot be given any%s. "
        "After a legal move only the second comes up, on %llu boards: whoever is to move then takes all "
        "that is left. Under awari only a mover without seeds has no move.",
        f->seeds, (unsigned long long)all, (unsigned long long)none, (unsigned long long)unfed, most,
        (unsigned long long)reached);
  }
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about aualé");
  f->out = out;
  f->seeds = job->seeds ? job->seeds : USUAL_SEEDS;
  report_rules(out, "abapa, awari, and awari,grand-slam=captures");
  tauler_error error = TAULER_OK;
  for (int k = 0; k < RULE_SETS && !error; k++)
    error = auale_rules_open(rule_names[k], NULL, &f->rules[k], message);
  if (!error) error = count_boards(f, message);
  if (!error) error = find_reached(f, message);
  if (!error) add_rows(f);
  if (!error) error = show_witness(f, message);
  if (!error) judge(f);
  for (int k = 0; k < RULE_SETS; k++) auale_rules_close(&f->rules[k]);
  free(f);
  return error;
}

extern const claim_text claim_text_no_move;
extern const claim claim_auale_no_move;
const claim claim_auale_no_move = {
    .name = "auale-no-move", .game = "auale", .text = &claim_text_no_move, .options = "seeds", .run = run};
