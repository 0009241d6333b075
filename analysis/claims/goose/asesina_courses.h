/* The courses of la oca asesina that several claims read, made by the first of them and kept for the others
 * of the run.
 *
 * They are exact on the board of the job, and, unless the job has limits, of games played out with two, three
 * and four tokens on 63 squares between players who learned.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_COURSES_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_COURSES_H

#include "analysis/claims/goose/asesina_course.h"

enum { COURSE_EXACT, COURSE_TWO, COURSE_THREE, COURSE_FOUR, COURSES };
enum { COURSE_GAMES = 10000, COURSE_LESSONS = 1500 };

/* Lies in claim_kept. */
typedef struct {
  bool known[COURSES];
  asesina_course of[COURSES];
  asesina_course replayed; /* the exact one's games played out; `games` 0: not yet */
} asesina_courses;

/* Of a claim. */
typedef struct {
  claim_base c;
  claim_tables t; /* of the exact one */
  const asesina_courses *courses;
} course_findings;

/* Makes what the courses lack, adds figures, rechecks, judges; one token each leaves the claim open.
 * Errors are kept in the report. */
void asesina_courses_examine(course_findings *f, void (*add)(const course_findings *f),
                             void (*judge)(const course_findings *f));

/* The exact course under the base rules, made with the tables of `at`; NULL after an error. */
const asesina_course *asesina_courses_exact(const claim_base *c, const asesina_table *at);

/* Adds the start as a witness, and checks games played out from it against the exact course, which must be
 * there. */
void asesina_courses_recheck(const claim_base *c, const asesina_table *at);

/* Adds the four figures of a ratio and 1.96 times their largest standard error, all times `unit`. A ratio
 * that no game counts for has no figure. */
void asesina_courses_add(report *out, const asesina_courses *courses, const int ratio[COURSES], double unit,
                         int decimals);

#endif
