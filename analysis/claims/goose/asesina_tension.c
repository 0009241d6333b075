/* oca-asesina-tension: which repair of la oca asesina keeps it exciting and lets skill win? */
#include "analysis/claims/goose/asesina_courses.h"

enum { BASE = 0, RULES = 8, RANDOM = 0 };

/* The author's repairs, in all and in part, and ours. */
static const char *const variants[RULES] = {
    [BASE] = "base",           "last-token=immune",    "last-token=no-death", "last-token=no-lost-turns",
    "last-token=no-overshoot", "last-token=no-bounce", "home=one-left",       "interaction=off"};

typedef struct {
  claim_base c;
  double tension[RULES], skill[RULES];
} findings;

static void add_rules(findings *f, claim_tables *t, const asesina_table *at, int rule) {
  asesina_course own;
  const asesina_course *course = &own;
  asesina_player best, random;
  asesina_player_best("best", t->tables, &best);
  if (!asesina_player_simple(t->game, RANDOM, &random)) report_keep(t->out, TAULER_INTERNAL);
  if (rule == BASE)
    course = asesina_courses_exact(&f->c, at);
  else
    asesina_course_exact(at, f->c.limit, &own);
  if (t->out->error) return;
  const asesina_duel_result duel = asesina_duel(at, &best, &random);
  const int home = f->c.limit - 1;
  const course_ratio *behind = &course->of[COURSE_BEHIND + course_pair(1, 0)];
  f->tension[rule] = course_mean(&course->of[COURSE_OPEN]);
  f->skill[rule] = (duel.mean.lower + duel.mean.upper) / 2;
  REPORT_ADD(t->out, fig_text(variants[rule]), fig_mean(f->tension[rule], 5), fig_score(duel.mean),
             fig_if(behind->bottom > 0, fig_mean(course_mean(behind), 5)),
             fig_mean(100 * course_mean(&course->of[COURSE_REACHED + course_pair(home, home)]), 3),
             fig_mean(course->of[COURSE_OPEN].bottom, 3), fig_score(duel.turns));
}

static void look_at_rules(findings *f, int rule) {
  claim_tables t;
  asesina_table at;
  if (!asesina_open_board(&t, &f->c, ASESINA_BOARD_20, variants[rule])) return;
  if (claim_tables_need_up_to(&t, f->c.limit)) {
    asesina_table_open(&at, &t, f->c.limit);
    if (!f->c.out->error) add_rules(f, &t, &at, rule);
    asesina_table_close(&at);
  }
  claim_tables_close(&t);
}

/* Each rule set is a point: a row that has its own column alone. */
static void add_picture(findings *f) {
  report_table_begin(f->c.out, "picture");
  for (int rule = 0; rule < RULES; rule++) {
    REPORT_ADD(f->c.out, fig_mean(f->skill[rule], 4));
    for (int column = 0; column < RULES; column++)
      REPORT_ADD(f->c.out, fig_if(column == rule, fig_mean(f->tension[rule], 4)));
  }
}

/* The start under the base rules, followed exactly and played out. */
static void recheck_base(findings *f) {
  claim_tables t;
  asesina_table at;
  if (f->c.out->error || !asesina_open_board(&t, &f->c, ASESINA_BOARD_20, variants[BASE])) return;
  if (claim_tables_need_up_to(&t, f->c.limit) && asesina_table_open(&at, &t, f->c.limit)) {
    asesina_courses_recheck(&f->c, &at);
    asesina_table_close(&at);
  }
  claim_tables_close(&t);
}

/* --- the verdict --- */

/* Where best play wins more than under the base rules, and nine tenths of the tension are left. */
static bool is_repair(const findings *f, int rule) {
  return f->skill[rule] > f->skill[BASE] && f->tension[rule] >= 0.9 * f->tension[BASE];
}

static void judge(const findings *f) {
  int best = BASE;
  for (int rule = BASE + 1; rule < RULES; rule++)
    if (is_repair(f, rule) && f->skill[rule] > f->skill[best]) best = rule;
  if (best == BASE)
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open", fig_number(f->c.limit));
  else
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "verdict", fig_number(f->c.limit), fig_text(variants[best]),
                   fig_mean(f->skill[best], 4), fig_mean(f->skill[BASE], 4), fig_mean(f->tension[best], 3),
                   fig_mean(f->tension[BASE], 3));
}

static void examine(void *user) {
  findings *f = user;
  if (f->c.limit < 2) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open-1");
    return;
  }
  report_table_begin(f->c.out, "rules");
  for (int rule = 0; rule < RULES && !f->c.out->error; rule++) look_at_rules(f, rule);
  add_picture(f);
  recheck_base(f);
  if (!f->c.out->error) judge(f);
}

const claim_code claim_code_asesina_tension = {sizeof(findings), examine, NULL};
