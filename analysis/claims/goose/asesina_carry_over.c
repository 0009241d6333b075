/* oca-asesina-carry-over: does what is learnt on one board of la oca asesina help on another? */
#include <math.h>

#include "analysis/claims/goose/asesina_scores.h"

enum { BOARDS = 3, USUAL_TOKENS = 2, FULL_TOKENS = 4 };
enum { RANDOM, FURTHEST_FIRST, REARMOST_FIRST, CAPTURE_FIRST, HOME_FIRST, SIMPLE };

/* Squares of every kind elsewhere, and as many turns to lose. */
static const struct {
  const char *name, *rules;
} boards[BOARDS] = {
    {"20", "base,board=20"},
    {"early", "base,board=length-20_geese-5-9-14-16-20_bridges-6-11_dice-3-12_inn-13-1_prison-4-3_well-7-2_"
              "labyrinth-10-to-2_death-8-to-0"},
    {"late", "base,board=length-20_geese-3-7-11-15-20_bridges-2-9_dice-5-13_inn-8-1_prison-17-3_well-14-2_"
             "labyrinth-18-to-12_death-19-to-0"}};

/* Where simple ways to choose are held against each other. */
static const struct {
  const char *name, *rules;
  int tokens;
} grounds[] = {
    {"20", NULL, 2}, {"early", NULL, 2}, {"late", NULL, 2}, {"63", "base", 2}, {"63", "base", FULL_TOKENS}};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

typedef struct {
  claim_base c;
  score_bounds simple[BOARDS];          /* what capture-first scores against the best */
  score_bounds carried[BOARDS][BOARDS]; /* played on, learnt on; on the diagonal: learnt on all others */
  double ordered[GROUNDS][SIMPLE];      /* against random */
  double deviation;                     /* the largest standard error of these */
} findings;

/* --- learnt elsewhere --- */

static asesina_player learn(findings *f, size_t board, size_t from) {
  const size_t first = from != board ? from : board == 0 ? 1 : 0;
  asesina_player out;
  asesina_player_best(from != board ? boards[from].name : "both others", f->c.t[first].tables, &out);
  for (size_t other = first + 1; other < BOARDS && from == board; other++)
    if (other != board) match_best_add(&out.best, f->c.t[other].tables);
  return out;
}

/* On a board against best play: what was learnt on each, and a rule of thumb. */
static void play_on(findings *f, size_t board) {
  asesina_table at;
  asesina_player best;
  asesina_table_open(&at, &f->c.t[board], f->c.limit);
  asesina_player_best("best", f->c.t[board].tables, &best);
  for (size_t from = 0; from <= BOARDS && !f->c.out->error; from++) {
    asesina_player player;
    if (from < BOARDS) {
      player = learn(f, board, from);
    } else if (!asesina_player_simple(f->c.t[board].game, CAPTURE_FIRST, &player)) {
      report_keep(f->c.out, TAULER_INTERNAL);
    }
    const asesina_duel_result found = asesina_duel(&at, &player, &best);
    *(from < BOARDS ? &f->carried[board][from] : &f->simple[board]) = found.mean;
    REPORT_ADD(f->c.out, fig_text(boards[board].name), fig_text(player.name), fig_score(found.seats[0]),
               fig_score(found.seats[1]), fig_score(found.mean), fig_score(score_less_from(0.5, found.mean)));
  }
  asesina_table_close(&at);
}

/* --- the order of simple ways --- */

static void order_on(findings *f, size_t ground, claim_tables *t) {
  asesina_table at;
  double largest = 0;
  asesina_player random;
  if (asesina_table_open(&at, t, grounds[ground].tokens)) {
    REPORT_ADD(f->c.out, fig_text(grounds[ground].name), fig_number(grounds[ground].tokens));
    asesina_player_simple(t->game, RANDOM, &random);
    for (size_t p = FURTHEST_FIRST; p < SIMPLE; p++) {
      asesina_player player;
      asesina_player_simple(t->game, p, &player);
      const asesina_estimate found = asesina_simulate(&at, &player, &random);
      f->ordered[ground][p] = found.mean;
      REPORT_ADD(f->c.out, fig_mean(found.mean, 4));
      largest = fmax(largest, found.error);
    }
    REPORT_ADD(f->c.out, fig_mean(largest, 4));
    f->deviation = fmax(f->deviation, largest);
  }
  asesina_table_close(&at);
}

static void look_at_order(findings *f) {
  report_table_begin(f->c.out, "order");
  for (size_t ground = 0; ground < GROUNDS; ground++) {
    claim_tables t;
    if (!grounds[ground].rules) {
      order_on(f, ground, &f->c.t[ground]);
    } else if (claim_tables_open(&t, f->c.job, f->c.out, "oca-asesina", grounds[ground].rules, NULL)) {
      order_on(f, ground, &t);
      claim_tables_close(&t);
    }
  }
}

/* The policy that scores most on a ground; RANDOM: it is not surely ahead of the next. */
static int winner_on(const findings *f, size_t ground) {
  int best = FURTHEST_FIRST;
  for (int p = FURTHEST_FIRST; p < SIMPLE; p++)
    if (f->ordered[ground][p] > f->ordered[ground][best]) best = p;
  for (int p = FURTHEST_FIRST; p < SIMPLE; p++)
    if (p != best && f->ordered[ground][best] - f->ordered[ground][p] < 4 * f->deviation) return RANDOM;
  return best;
}

static bool same_winner(const findings *f) {
  bool same = true;
  for (size_t ground = 0; ground < GROUNDS; ground++)
    same = same && winner_on(f, ground) != RANDOM && winner_on(f, ground) == winner_on(f, 0);
  return same;
}

/* --- recheck --- */

static void recheck_by_play(findings *f) {
  const score_bounds solved = f->carried[0][1];
  asesina_table at;
  if (asesina_table_open(&at, &f->c.t[0], f->c.limit)) {
    const game_position start = asesina_start(&at);
    asesina_player best, player = learn(f, 0, 1);
    CLAIM_SHOW(&f->c.t[0], &start, "witness");
    asesina_player_best("best", f->c.t[0].tables, &best);
    const asesina_estimate found = asesina_simulate(&at, &player, &best);
    REPORT_RECHECK(f->c.out, "games played out", true, asesina_is_near(found, solved),
                   "recheck-games-played-out", fig_text(boards[1].name), fig_number(ASESINA_GAMES),
                   fig_mean(found.mean, 4), fig_mean(found.error, 4), fig_mean(solved.lower, 4));
  }
  asesina_table_close(&at);
}

/* --- the verdict --- */

static void judge(const findings *f) {
  bool helps = true, more = true;
  double least = 1, most = 0;
  for (size_t board = 0; board < BOARDS; board++) {
    for (size_t from = 0; from < BOARDS; from++) {
      const score_bounds found = f->carried[board][from];
      least = fmin(least, 0.5 - found.upper);
      most = fmax(most, 0.5 - found.lower);
      helps = helps && found.lower > f->simple[board].upper;
      more = more && f->carried[board][board].lower >= found.lower;
    }
  }
  REPORT_VERDICT(
      f->c.out, helps ? VERDICT_HOLDS_FOR : VERDICT_OPEN, "verdict", fig_number(f->c.limit),
      fig_mean(fmax(0, least), 4), fig_mean(most, 4),
      fig_text(helps ? "loses more" : "does not surely lose more"),
      fig_text(more ? "at least" : "not always"),
      fig_text(f->c.limited ? "The order of simple ways was not looked at"
               : same_winner(f)
                   ? "The same simple way to choose is the best one on all boards, also on 63 squares"
                   : "Which simple way to choose is the best one is not the same, or not sure, on all "
                     "boards"));
}

static void open_boards(findings *f) {
  report_table_begin(f->c.out, "boards");
  for (size_t board = 0; board < BOARDS; board++) {
    claim_tables *t = &f->c.t[board];
    const char *rules = boards[board].rules;
    if (!claim_tables_open(t, f->c.job, f->c.out, "oca-asesina", rules, NULL)) return;
    claim_tables_need_up_to(t, f->c.limit);
    REPORT_ADD(f->c.out, fig_text(boards[board].name), fig_text(rules));
  }
}

static void examine(void *user) {
  findings *f = user;
  if (f->c.limit == 1) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
    return;
  }
  open_boards(f);
  if (f->c.out->error) return;
  report_table_begin(f->c.out, "carried");
  for (size_t board = 0; board < BOARDS; board++) play_on(f, board);
  if (!f->c.limited) look_at_order(f);
  recheck_by_play(f);
  judge(f);
}

const claim_code claim_code_asesina_carry_over = {sizeof(findings), examine, NULL};
