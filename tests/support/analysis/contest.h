/* Rule sets of la oca asesina for two players, and tables of them. Failures end the test. */
#ifndef TESTS_CONTEST_H
#define TESTS_CONTEST_H

#include "analysis/dice/matches.h"
#include "tests/support/toy/toy_asesina_slow.h"

enum { CONTEST_POLICIES = 5 };

/* The policies of a rule set and the slices of so many tokens. */
typedef struct {
  game_rules *rules;
  game_slices slices;
  memory_budget *memory;
  match_simple simple[CONTEST_POLICIES];
} contest;

void contest_open(const char *rules, const char *tokens, contest *t);

/* A folder for each test, and tables built in it. */
extern tauler *contest_db;
void contest_open_folder(void);
tauler_tables *contest_build(const char *rules, const char *tokens);

#endif
