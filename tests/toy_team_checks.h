/* What every means of travel must do, checked the same way over threads (test_team.c) and over message
 * passing (mpi_team.c). */
#ifndef TOY_TEAM_CHECKS_H
#define TOY_TEAM_CHECKS_H

#include "solver/parallel/ranks.h"

typedef struct {
  char text[256]; /* the first check that failed; empty: none */
} team_verdict;

/* Collective; for teams of one as well. */
team_verdict team_check_all(team *team);

/* Bytes beyond what one message can count, from each rank in turn. */
team_verdict team_check_large(team *team);

#endif
