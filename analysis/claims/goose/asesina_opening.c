/* oca-asesina-opening: is the beginning of la oca asesina aggressive, and do long turns of one player become
 * rare as tokens come home? */
#include "analysis/claims/goose/asesina_courses.h"

static void add_rows(const course_findings *f, const char *table, int first, int rows, double unit,
                     int decimals) {
  report_table_begin(f->c.out, table);
  for (int row = 0; row < rows; row++) {
    int ratio[COURSES];
    bool any = false;
    for (int which = 0; which < COURSES; which++) {
      ratio[which] = first + row;
      any = any || f->courses->of[which].of[first + row].bottom > 0;
    }
    if (!any) continue;
    REPORT_ADD(f->c.out, fig_number(row));
    asesina_courses_add(f->c.out, f->courses, ratio, unit, decimals);
  }
}

/* Turns of at least so many rolls, by the tokens home of who rolls. */
static void add_lengths(const course_findings *f) {
  const int which = f->courses->known[COURSE_FOUR] ? COURSE_FOUR : COURSE_EXACT;
  const asesina_course *course = &f->courses->of[which];
  report_table_begin(f->c.out, "lengths");
  for (int rolls = 2; rolls <= COURSE_LONGEST; rolls++) {
    double within = 0;
    REPORT_ADD(f->c.out, fig_number(rolls));
    for (int home = 0; home < COURSE_TOKENS; home++) {
      const course_ratio *r = &course->of[course_long(home, rolls)];
      REPORT_ADD(f->c.out, fig_if(r->bottom > 0, fig_mean(100 * course_mean(r), 4)));
      if (1.96 * 100 * course_error(r) > within) within = 1.96 * 100 * course_error(r);
    }
    REPORT_ADD(f->c.out, fig_if(within > 0, fig_mean(within, 4)));
  }
}

static void add_tables(const course_findings *f) {
  add_rows(f, "captures", COURSE_CAPTURES, COURSE_PHASES, 100, 4);
  add_rows(f, "rolls", COURSE_ROLLS, COURSE_TOKENS, 1, 5);
  add_lengths(f);
}

/* --- the verdict --- */

static double captures(const asesina_course *course, int home) {
  return 100 * course_mean(&course->of[COURSE_CAPTURES + home]);
}

static double rolls(const asesina_course *course, int home) {
  return course_mean(&course->of[COURSE_ROLLS + home]);
}

/* With nobody home against one token each, and with none home against all but one. */
static bool falls(const asesina_course *course) {
  const int most = course->tokens - 1;
  return captures(course, 0) > captures(course, 2 * most) && rolls(course, 0) > rolls(course, most);
}

static void judge(const course_findings *f) {
  const int most = f->c.limit - 1;
  const bool played = f->courses->known[COURSE_FOUR];
  const asesina_course *course = &f->courses->of[played ? COURSE_FOUR : COURSE_EXACT];
  const asesina_course *exact = &f->courses->of[COURSE_EXACT];
  const claim_verdict verdict = falls(exact) && falls(course) ? VERDICT_HOLDS_FOR : VERDICT_OPEN;
  REPORT_NOTE(f->c.out, "note", fig_number(exact->tokens), fig_mean(captures(exact, 0), 2),
              fig_mean(captures(exact, 2 * most), 2), fig_mean(rolls(exact, 0), 3),
              fig_mean(rolls(exact, most), 3));
  if (played)
    REPORT_VERDICT(f->c.out, verdict, "verdict-played", fig_mean(captures(course, 0), 2),
                   fig_mean(captures(course, 6), 2), fig_mean(rolls(course, 0), 3),
                   fig_mean(rolls(course, 3), 3));
  else
    REPORT_VERDICT(f->c.out, verdict, "verdict", fig_number(exact->tokens), fig_mean(captures(exact, 0), 2),
                   fig_mean(captures(exact, 2 * most), 2), fig_mean(rolls(exact, 0), 3),
                   fig_mean(rolls(exact, most), 3));
}

static void examine(void *user) {
  asesina_courses_examine(user, add_tables, judge);
}

const claim_code claim_code_asesina_opening = {sizeof(course_findings), examine, NULL};
