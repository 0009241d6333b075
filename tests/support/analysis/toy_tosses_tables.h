/* Tables of chosen cells for the toys of tests/support/toy/toy_tosses.h, in a folder of the running test, and
 * the handle that asks them.
 *
 * Duels by pile and seat, in sixty-fourths: 0: 8, 16; 1: 24, 32; 2: 40, 48, and one more at most; 3: exactly
 * 32; 56, and one more at most. */
#ifndef TOY_TOSSES_TABLES_H
#define TOY_TOSSES_TABLES_H

#include "analysis/probe/probe_tables.h"
#include "tests/support/suite.h"

extern tauler *tosses_db;

extern const double tosses_duel_lower[2][4], tosses_duel_upper[2][4];

/* Each test has a folder and a handle on it. */
void tosses_fixture(suite_cases *suite);

tauler_tables *tosses_select(const char *name); /* tables of any files that are there */
tauler_tables *tosses_duels(void);              /* written first */
tauler_tables *tosses_carousels(void);

/* Answers without an error, freed by the caller. */
tauler_answer *tosses_ask(tauler_tables *tables, const char *position);

#endif
