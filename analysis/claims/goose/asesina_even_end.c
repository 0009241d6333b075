/* oca-asesina-even-end: does la oca asesina end close, and how often does the side behind come back? */
#include <stdio.h>

#include "analysis/claims/goose/asesina_courses.h"

static void add_left(const course_findings *f, int which) {
  const asesina_course *course = &f->courses->of[which];
  const bool played = course->games > 0;
  double within = 0;
  char name[32];
  snprintf(name, sizeof name, "%d: %d", played ? 63 : asesina_length(&f->t), course->tokens);
  REPORT_ADD(f->c.out, fig_text(name), fig_text(played ? "played" : "exact"));
  for (int left = 0; left <= COURSE_TOKENS; left++) {
    const course_ratio *r = &course->of[COURSE_LEFT + left];
    REPORT_ADD(f->c.out, fig_if(left <= course->tokens, fig_mean(100 * course_mean(r), 4)));
    if (1.96 * 100 * course_error(r) > within) within = 1.96 * 100 * course_error(r);
  }
  REPORT_ADD(f->c.out, fig_if(played, fig_mean(within, 4)));
}

/* One side leads; pairs are sorted by what both have left. */
static void add_pair(const course_findings *f, int first, int ahead, int behind, double unit, int decimals) {
  int ratio[COURSES];
  char name[32];
  snprintf(name, sizeof name, "%d-%d", ahead, behind);
  for (int which = 0; which < COURSES; which++) {
    const int tokens = f->courses->of[which].tokens;
    ratio[which] = tokens < behind ? -1 : first + course_pair(tokens - ahead, tokens - behind);
  }
  REPORT_ADD(f->c.out, fig_text(name));
  asesina_courses_add(f->c.out, f->courses, ratio, unit, decimals);
}

static void add_pairs(const course_findings *f, const char *table, int first, double unit, int decimals) {
  int most = 0;
  report_table_begin(f->c.out, table);
  for (int which = 0; which < COURSES; which++)
    if (f->courses->of[which].tokens > most) most = f->courses->of[which].tokens;
  for (int behind = 2; behind <= most; behind++)
    for (int ahead = behind - 1; ahead > 0; ahead--) add_pair(f, first, ahead, behind, unit, decimals);
}

static void add_tables(const course_findings *f) {
  report_table_begin(f->c.out, "left");
  for (int which = 0; which < COURSES; which++)
    if (f->courses->known[which]) add_left(f, which);
  add_pairs(f, "behind", COURSE_BEHIND, 1, 5);
  add_pairs(f, "reached", COURSE_REACHED, 100, 4);
}

/* --- the verdict --- */

/* Of a hundred games, how many end shared or with one token of the loser left. */
static double close_ends(const asesina_course *course) {
  return 100 * (course_mean(&course->of[COURSE_LEFT]) + course_mean(&course->of[COURSE_LEFT + 1]));
}

/* Returns the score of the side that has not brought the first token home. */
static double second_home(const asesina_course *course) {
  return course_mean(&course->of[COURSE_BEHIND + course_pair(1, 0)]);
}

static void judge(const course_findings *f) {
  const asesina_course *exact = &f->courses->of[COURSE_EXACT], *four = &f->courses->of[COURSE_FOUR];
  const bool played = f->courses->known[COURSE_FOUR];
  const asesina_course *of = played ? four : exact;
  const double error = 1.96 * 100 * course_error(&of->of[COURSE_LEFT + 1]);
  REPORT_VERDICT(f->c.out, close_ends(of) - error > 50 ? VERDICT_HOLDS_FOR : VERDICT_OPEN,
                 played ? "verdict-played" : "verdict", fig_number(of->tokens), fig_mean(close_ends(of), 1),
                 fig_mean(100 * course_mean(&of->of[COURSE_LEFT]), 2), fig_mean(second_home(of), 3));
}

static void examine(void *user) {
  asesina_courses_examine(user, add_tables, judge);
}

const claim_code claim_code_asesina_even_end = {sizeof(course_findings), examine, NULL};
