/* auale-awari-in-abapa: what it costs in abapa to play the moves that awari's tables call best. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/auale/compare.h"
#include "analysis/claims/auale/followed.h"
#include "analysis/claims/reference.h"

enum { MOVE_COLUMNS = 12, FOLLOWED_COLUMNS = 11, DECIMALS = 4, SLOW_SEEDS = 8, FOLLOWED_SEEDS = 9 };

static const report_column move_columns[MOVE_COLUMNS] = {
    {"seeds", "seeds"},         {"choices", "choices"},     {"all", "all best"},
    {"some", "some best"},      {"none", "none best"},      {"none_share", "% none best"},
    {"surely", "surely none"},  {"winner", "winner lost"},  {"slams", "only grand slams best"},
    {"illegal", "all illegal"}, {"mean_loss", "mean loss"}, {"greatest", "greatest loss"}};
static const report_column followed_columns[FOLLOWED_COLUMNS] = {{"seeds", "seeds"},
                                                                 {"boards", "boards"},
                                                                 {"mean_well", "mean loss, well"},
                                                                 {"most_well", "greatest"},
                                                                 {"results_well", "% results"},
                                                                 {"mean_timely", "mean loss, in time"},
                                                                 {"most_timely", "greatest"},
                                                                 {"results_timely", "% results"},
                                                                 {"mean_badly", "mean loss, badly"},
                                                                 {"most_badly", "greatest"},
                                                                 {"results_badly", "% results"}};

enum { FORCED = PAIR_RULES, SETS };
static const auale_rule_set sets[SETS] = {{"awari", "even"}, {"abapa", "even"}, {"abapa", "forced"}};

typedef struct {
  uint64_t choices, all, some, none, surely, winner, slams, illegal;
  double lost; /* seeds, a move picked evenly among those that awari calls best */
  int greatest;
} layer_counts;

/* How much a board loses by a move of a pit. */
typedef struct {
  bool found;
  game_place place;
  int loss;
  game_place to;
} loss;

typedef struct {
  auale_tables sets[SETS];
  report *out;
  int seeds, followed_seeds;
  layer_counts layers[AUALE_MOST_SEEDS + 1], total;
  uint64_t wrong;       /* tables that disagree with the moves, followers who do better than best */
  loss first, greatest; /* of boards with few seeds */
  double followed_mean[FOLLOWED_WAYS][AUALE_MOST_SEEDS + 1];
  uint64_t followed_results[FOLLOWED_WAYS][AUALE_MOST_SEEDS + 1];
  int followed_most[FOLLOWED_WAYS][AUALE_MOST_SEEDS + 1];
} findings;

/* --- one move --- */

/* A board and the moves that awari calls best on it. */
typedef struct {
  int best[PAIR_RULES]; /* what the best move is worth under each rule set */
  int legal, good;      /* those moves: legal in abapa, best in abapa */
  int lost, greatest;   /* seeds, by those that are legal */
  bool surely;          /* each is worse than another move, whatever endless play is worth */
  bool loses_winner;    /* each has another result */
  bool slams;           /* abapa's best moves are all illegal in awari */
  game_place to;        /* by one that loses most */
} board_loss;

static void weigh_pit(const findings *f, game_place place, const auale_pit *pit, board_loss *b) {
  const auale_layer *forced = f->sets[FORCED].layers;
  if (!pit->legal[PAIR_ABAPA]) return;
  const game_place to = pit->to[PAIR_ABAPA];
  const int worth = auale_pair_worth(f->sets, pit, PAIR_ABAPA);
  const int lost = b->best[PAIR_ABAPA] - worth;
  if (lost == 0 && pit->legal[PAIR_AWARI]) b->slams = false;
  if (!pit->legal[PAIR_AWARI] || auale_pair_worth(f->sets, pit, PAIR_AWARI) < b->best[PAIR_AWARI]) return;
  const int most = pit->gain[PAIR_ABAPA] - forced[to.slice].lower[to.index];
  b->legal++;
  b->good += lost == 0;
  b->lost += lost;
  b->surely = b->surely && most < forced[place.slice].lower[place.index];
  b->loses_winner = b->loses_winner && auale_sign(worth) != auale_sign(b->best[PAIR_ABAPA]);
  if (lost < b->greatest) return;
  b->greatest = lost;
  b->to = to;
}

static void note_loss(findings *f, game_place place, const board_loss *b) {
  const loss found = {true, place, b->greatest, b->to};
  if (place.slice > SLOW_SEEDS || b->good > 0) return;
  if (!f->first.found) f->first = found;
  if (!f->greatest.found || found.loss > f->greatest.loss) f->greatest = found;
}

static void count_board(findings *f, game_place place, const auale_pair *pair) {
  layer_counts *c = &f->layers[place.slice];
  board_loss b = {.surely = true, .loses_winner = true, .slams = true};
  if (pair->legal[PAIR_ABAPA] == 0) return;
  for (int rules = 0; rules < PAIR_RULES; rules++) {
    b.best[rules] = auale_pair_best(f->sets, pair, rules);
    f->wrong += b.best[rules] != f->sets[rules].layers[place.slice].lower[place.index];
  }
  if (pair->legal[PAIR_ABAPA] < 2) return;
  for (int k = 0; k < pair->used; k++) weigh_pit(f, place, &pair->pits[k], &b);
  c->choices++;
  c->slams += b.slams;
  c->illegal += b.legal == 0;
  if (b.legal == 0) return;
  c->all += b.good == b.legal;
  c->some += b.good > 0 && b.good < b.legal;
  c->none += b.good == 0;
  c->surely += b.surely;
  c->winner += b.loses_winner;
  c->lost += (double)b.lost / b.legal;
  if (b.greatest > c->greatest) c->greatest = b.greatest;
  note_loss(f, place, &b);
}

static tauler_error count_layer(findings *f, int n, auale_pair *pairs, tauler_message *message) {
  const uint64_t boards = f->sets[PAIR_ABAPA].layers[n].boards;
  tauler_error error = TAULER_OK;
  for (uint64_t first = 0; first < boards && !error; first += AUALE_PAIRS_PIECE) {
    const uint64_t left = boards - first;
    const size_t count = left < AUALE_PAIRS_PIECE ? (size_t)left : AUALE_PAIRS_PIECE;
    error = auale_pairs_read(f->sets, (uint32_t)n, first, count, pairs, message);
    for (size_t i = 0; i < count && !error; i++)
      count_board(f, (game_place){(uint32_t)n, first + i}, &pairs[i]);
  }
  const layer_counts *c = &f->layers[n];
  f->total.choices += c->choices;
  f->total.all += c->all;
  f->total.none += c->none;
  f->total.surely += c->surely;
  f->total.lost += c->lost;
  if (c->greatest > f->total.greatest) f->total.greatest = c->greatest;
  return error;
}

static void add_moves(findings *f) {
  report_table_begin(f->out, "moves",
                     "Boards with two or more legal moves under abapa, infinite play worth 0: whether all, "
                     "some or none of the "
                     "moves that awari calls best are best in abapa; none, whatever endless play is worth; "
                     "none has the result of "
                     "the best move; abapa's best moves are all grand slams that awari forbids; awari's are "
                     "all illegal; net seeds (the mover's less the opponent's) "
                     "lost by one move picked evenly among awari's best, and by the worst of them:",
                     move_columns, MOVE_COLUMNS);
  for (int n = 1; n <= f->seeds; n++) {
    const layer_counts *c = &f->layers[n];
    if (c->choices == 0) continue;
    report_number(f->out, n);
    report_number(f->out, (int64_t)c->choices);
    report_number(f->out, (int64_t)c->all);
    report_number(f->out, (int64_t)c->some);
    report_number(f->out, (int64_t)c->none);
    report_mean(f->out, auale_percent(c->none, c->choices), DECIMALS);
    report_number(f->out, (int64_t)c->surely);
    report_number(f->out, (int64_t)c->winner);
    report_number(f->out, (int64_t)c->slams);
    report_number(f->out, (int64_t)c->illegal);
    report_mean(f->out, c->lost / (double)c->choices, DECIMALS);
    report_number(f->out, c->greatest);
  }
  report_plot_begin(f->out, "none", "Boards on which no best move of awari is best in abapa", PLOT_LINES,
                    "seeds", "seeds on the board", "% of the boards with a choice");
  report_plot_series(f->out, "none_share");
}

/* --- the rest of the game --- */

static void compare_layer(findings *f, auale_ties ties, int n, const auale_followed *followed) {
  const auale_layer *best = &f->sets[PAIR_ABAPA].layers[n];
  double lost = 0;
  for (uint64_t i = 0; i < best->boards; i++) {
    const int less = best->lower[i] - followed->moves[n][i];
    lost += less;
    f->wrong += less < 0;
    f->followed_results[ties][n] += auale_sign(best->lower[i]) != auale_sign(followed->moves[n][i]);
    if (less > f->followed_most[ties][n]) f->followed_most[ties][n] = less;
  }
  f->followed_mean[ties][n] = lost / (double)best->boards;
}

static tauler_error follow(findings *f, tauler_message *message) {
  auale_depths depths;
  f->followed_seeds = f->seeds < FOLLOWED_SEEDS ? f->seeds : FOLLOWED_SEEDS;
  tauler_error error = auale_depths_read(&f->sets[PAIR_AWARI], f->followed_seeds, &depths, message);
  for (int ties = 0; ties < FOLLOWED_WAYS && !error; ties++) {
    auale_followed followed;
    error = auale_followed_solve(f->sets, &depths, f->followed_seeds, (auale_ties)ties, &followed, message);
    for (int n = 1; n <= f->followed_seeds && !error; n++) compare_layer(f, (auale_ties)ties, n, &followed);
    auale_followed_free(&followed);
  }
  auale_depths_free(&depths);
  return error;
}

static void add_followed(findings *f) {
  report_table_begin(f->out, "followed",
                     "All boards, abapa, infinite play worth 0: what the mover loses who plays a best move "
                     "of awari at every turn "
                     "to the end of the game, against best play; of several, well: the one that suits them; "
                     "in time: one that in "
                     "awari settles a gain soonest or a loss latest; badly: the one that suits the other "
                     "side. Net seeds in the mean, "
                     "at most, and how often the result is another:",
                     followed_columns, FOLLOWED_COLUMNS);
  for (int n = 1; n <= f->followed_seeds; n++) {
    const uint64_t boards = f->sets[PAIR_ABAPA].layers[n].boards;
    report_number(f->out, n);
    report_number(f->out, (int64_t)boards);
    for (int ties = 0; ties < FOLLOWED_WAYS; ties++) {
      report_mean(f->out, f->followed_mean[ties][n], DECIMALS);
      report_number(f->out, f->followed_most[ties][n]);
      report_mean(f->out, auale_percent(f->followed_results[ties][n], boards), DECIMALS);
    }
  }
  report_plot_begin(f->out, "followed", "Net seeds lost in abapa by following awari's tables", PLOT_LINES,
                    "seeds", "seeds on the board", "mean loss in net seeds");
  report_plot_series(f->out, "mean_well");
  report_plot_series(f->out, "mean_timely");
  report_plot_series(f->out, "mean_badly");
}

/* --- witnesses --- */

/* The move of a pit that leads there. */
static tauler_error add_step(findings *f, const loss *shown, char *name, int *gain, tauler_message *message) {
  const tauler_tables *tables = f->sets[PAIR_ABAPA].t.tables;
  game_position position;
  game_moves moves = {0};
  *name = '\0';
  tables->game->position_at(tables->rules, shown->place, &position);
  tauler_error error = tables->game->moves(tables->rules, &position, &moves);
  if (error) tauler_fail(message, error, "the moves of a board cannot be had");
  for (size_t k = 0; k < moves.used && !error && !*name; k++) {
    game_place to;
    char text[GAME_TEXT_BYTES];
    const game_position *child = &moves.moves[k].child;
    if (!tables->game->locate(tables->rules, child, &to) || to.slice != shown->to.slice ||
        to.index != shown->to.index)
      continue;
    *name = moves.moves[k].name[0];
    *gain = moves.moves[k].gain;
    tables->game->print(tables->rules, child, text);
    report_add_step(f->out, tables->game->turn(tables->rules, &position), moves.moves[k].name, text,
                    "best in awari");
  }
  game_moves_free(&moves);
  return error;
}

/* Values of both rule sets by the moves alone. */
static tauler_error solve_slowly(findings *f, int rules, uint32_t largest, reference_scores *out,
                                 tauler_message *message) {
  const tauler_tables *tables = f->sets[rules].t.tables;
  return reference_scores_solve(tables->game, tables->rules, largest, REFERENCE_VALUES, out, message);
}

static tauler_error recheck(findings *f, const loss *shown, char name, int gain, tauler_message *message) {
  const game_place at = shown->place, to = shown->to;
  reference_scores awari, abapa;
  tauler_error error = solve_slowly(f, PAIR_AWARI, at.slice, &awari, message);
  if (error) return error;
  error = solve_slowly(f, PAIR_ABAPA, at.slice, &abapa, message);
  if (!error) {
    const int best = abapa.value[at.slice][at.index], worth = gain - abapa.value[to.slice][to.index];
    const bool best_in_awari = awari.value[at.slice][at.index] == gain - awari.value[to.slice][to.index];
    report_add_recheck(
        f->out, "plain iteration", true, best - worth == shown->loss && best_in_awari,
        "All boards of up to %u seeds solved under both rule sets by the moves of the rules alone: "
        "in awari %c is worth %d, as much as the board; in abapa %d, and the board %d.",
        at.slice, name, gain - awari.value[to.slice][to.index], worth, best);
    reference_scores_free(&abapa);
  }
  reference_scores_free(&awari);
  return error;
}

static tauler_error show(findings *f, const loss *shown, const char *what, tauler_message *message) {
  char title[256], name = '\0';
  int gain = 0;
  if (!shown->found) return TAULER_OK;
  snprintf(title, sizeof title, "%s: %u seeds, and a loss of %d net seeds, infinite play being worth 0.",
           what, shown->place.slice, shown->loss);
  auale_tables_show(&f->sets[PAIR_ABAPA], shown->place, title, f->out);
  const tauler_error error = add_step(f, shown, &name, &gain, message);
  return error ? error : recheck(f, shown, name, gain, message);
}

static void judge(const findings *f) {
  const layer_counts *c = &f->total;
  const int n = f->followed_seeds;
  if (f->wrong || !report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "%llu values do not agree with the moves or with each other.",
                   (unsigned long long)f->wrong);
    return;
  }
  if (c->none == 0) {
    report_verdict(f->out, VERDICT_OPEN,
                   "On every board that was looked at a best move of awari is best in abapa.");
    return;
  }
  report_verdict(
      f->out, VERDICT_HOLDS_FOR,
      "Of the %llu boards of 2-%d seeds whose opponent's row has an empty pit and on which abapa leaves a "
      "choice, "
      "infinite play being worth 0, every best move of awari is best in abapa on %.3f %%, and none on %llu "
      "(%.3f "
      "%%), on %llu of these whatever endless play is worth. One move of awari costs %.4f net seeds in the "
      "mean "
      "and %d "
      "at most; followed to the end with %d seeds, awari's table costs %.4f to %.4f in the mean, and "
      "%.4f if "
      "of its best moves one is played that makes a gain soonest.",
      (unsigned long long)c->choices, f->seeds, auale_percent(c->all, c->choices),
      (unsigned long long)c->none, auale_percent(c->none, c->choices), (unsigned long long)c->surely,
      c->lost / (double)c->choices, c->greatest, n, f->followed_mean[FOLLOWED_WELL][n],
      f->followed_mean[FOLLOWED_BADLY][n], f->followed_mean[FOLLOWED_IN_TIME][n]);
}

static tauler_error look_at_boards(findings *f, tauler_message *message) {
  auale_pair *pairs = malloc(AUALE_PAIRS_PIECE * sizeof *pairs);
  tauler_error error =
      pairs ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for the moves of boards");
  for (int n = 1; n <= f->seeds && !error; n++) error = count_layer(f, n, pairs, message);
  free(pairs);
  if (error) return error;
  error = follow(f, message);
  if (error) return error;
  add_moves(f);
  add_followed(f);
  error = show(f, &f->first, "The smallest board on which no best move of awari is best in abapa", message);
  if (!error) error = show(f, &f->greatest, "The greatest loss by one such move with few seeds", message);
  if (error) return error;
  judge(f);
  return auale_tables_tell_all(f->sets, SETS, f->out, message);
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings *f = calloc(1, sizeof *f);
  if (!f) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a claim about aualé");
  f->out = out;
  f->seeds = auale_tables_seeds(job);
  tauler_error error = auale_tables_open_all(job, sets, SETS, f->seeds, f->sets, message);
  if (!error) {
    report_rules(out, "awari and abapa");
    error = look_at_boards(f, message);
    auale_tables_close_all(f->sets, SETS);
  }
  free(f);
  return error;
}

extern const claim_text claim_text_awari_in_abapa;
extern const claim claim_auale_awari_in_abapa;
const claim claim_auale_awari_in_abapa = {.name = "auale-awari-in-abapa",
                                          .game = "auale",
                                          .text = &claim_text_awari_in_abapa,
                                          .options = "seeds",
                                          .run = run};
