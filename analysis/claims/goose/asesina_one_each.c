/* oca-asesina-one-each: does la oca asesina come down to one token against one, and how even is it then? */
#include <stdio.h>

#include "analysis/claims/goose/asesina_courses.h"

/* The percentage of games that come to one token each if a coin chooses the side whose token comes home next.
 * C(2k − 2, k − 1) / 2^(2k − 2). */
static double by_coin(int tokens) {
  double share = 100;
  for (int i = 1; i < tokens; i++) share *= (double)(tokens - 1 + i) / i / 4;
  return share;
}

static double one_each(const asesina_course *course) {
  const int home = course->tokens - 1;
  return 100 * course_mean(&course->of[COURSE_REACHED + course_pair(home, home)]);
}

static void add_course(const course_findings *f, int which) {
  const asesina_course *course = &f->courses->of[which];
  const int home = course->tokens - 1;
  const course_ratio *reached = &course->of[COURSE_REACHED + course_pair(home, home)],
                     *even = &course->of[COURSE_EVEN];
  const bool played = course->games > 0;
  const int length = played ? 63 : asesina_length(&f->t);
  char name[48];
  snprintf(name, sizeof name, "%d: %d, %s", length, course->tokens, played ? "played" : "exact");
  REPORT_ADD(f->c.out, fig_number(length), fig_number(course->tokens), fig_text(name),
             fig_mean(one_each(course), 4), fig_mean(by_coin(course->tokens), 2),
             fig_if(even->bottom > 0, fig_mean(course_mean(even), 5)),
             fig_if(played, fig_mean(1.96 * 100 * course_error(reached), 4)),
             fig_if(played, fig_mean(1.96 * course_error(even), 5)));
}

static void add_tables(const course_findings *f) {
  report_table_begin(f->c.out, "one_each");
  for (int which = 0; which < COURSES; which++)
    if (f->courses->known[which]) add_course(f, which);
}

/* --- the verdict --- */

/* Surely more often than by a coin. */
static bool is_more_often(const asesina_course *course) {
  const int home = course->tokens - 1;
  const course_ratio *reached = &course->of[COURSE_REACHED + course_pair(home, home)];
  return one_each(course) - 1.96 * 100 * course_error(reached) > by_coin(course->tokens);
}

static void judge(const course_findings *f) {
  bool holds = true;
  for (int which = 0; which < COURSES; which++)
    holds = holds && (!f->courses->known[which] || is_more_often(&f->courses->of[which]));
  const asesina_course *exact = &f->courses->of[COURSE_EXACT], *four = &f->courses->of[COURSE_FOUR];
  const claim_verdict verdict = holds ? VERDICT_HOLDS_FOR : VERDICT_OPEN;
  if (f->courses->known[COURSE_FOUR])
    REPORT_VERDICT(f->c.out, verdict, "verdict-played", fig_number(exact->tokens),
                   fig_mean(one_each(exact), 2), fig_mean(one_each(&f->courses->of[COURSE_TWO]), 1),
                   fig_mean(one_each(&f->courses->of[COURSE_THREE]), 1), fig_mean(one_each(four), 1),
                   fig_mean(by_coin(2), 1), fig_mean(by_coin(3), 1), fig_mean(by_coin(4), 1),
                   fig_mean(course_mean(&four->of[COURSE_EVEN]), 3));
  else
    REPORT_VERDICT(f->c.out, verdict, "verdict", fig_number(exact->tokens), fig_mean(one_each(exact), 2),
                   fig_mean(by_coin(exact->tokens), 1), fig_mean(course_mean(&exact->of[COURSE_EVEN]), 3));
}

static void examine(void *user) {
  asesina_courses_examine(user, add_tables, judge);
}

const claim_code claim_code_asesina_one_each = {sizeof(course_findings), examine, NULL};
