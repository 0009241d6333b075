/* What test_mpi.py starts as ranks: mpi_team checks|large|broken|stall|lone. Prints one line for each rank.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "solver/parallel/ranks_mpi.h"
#include "solver/parallel/watchdog.h"
#include "tests/toy_team_checks.h"

static int say(const team *team, const char *words) {
  printf("rank %d of %d: %s\n", team_rank(team), team_ranks(team), *words ? words : "fine");
  fflush(stdout);
  return *words != '\0';
}

/* A call that message passing itself refuses, on the last rank alone: the others wait for it. */
static int break_team(team *team) {
  uint64_t number = 1;
  if (team_rank(team) < team_ranks(team) - 1)
    return team_combine(team, TEAM_SUM, &number, 1, NULL) == TAULER_OK;
  char byte = 0;
  tauler_message message = {""};
  const tauler_error error = team_spread(team, 99, &byte, 1, &message);
  const bool later = team_spread(team, 0, &byte, 1, NULL) == TAULER_IO && team_is_broken(team);
  fprintf(stderr, "%s: %s%s\n", tauler_error_name(error), message.text, later ? "" : " and goes on");
  return tauler_exit_code(error);
}

/* The last rank never comes; the others wait, watched. */
static int stall(team *team) {
  watchdog *dog = NULL;
  char who[32];
  snprintf(who, sizeof who, "rank %d", team_rank(team));
  if (watchdog_start(1, STDERR_FILENO, who, &dog, NULL) != TAULER_OK) return 1;
  team_set_watchdog(team, dog);
  for (int round = 0; round < 15; round++) { /* longer than a second, but something moves */
    uint64_t number = 1;
    usleep(100000);
    if (team_combine(team, TEAM_SUM, &number, 1, NULL) != TAULER_OK) return 1;
  }
  say(team, "moved");
  if (team_rank(team) == team_ranks(team) - 1) {
    team_set_watchdog(team, NULL);
    watchdog_stop(dog);
    for (;;) pause();
  }
  uint64_t number = 1;
  team_combine(team, TEAM_SUM, &number, 1, NULL);
  return 1;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  tauler_message message = {""};
  team *team = NULL;
  const tauler_error error = team_open_mpi(&team, &message);
  if (error) {
    fprintf(stderr, "%s\n", message.text);
    return tauler_exit_code(error);
  }
  int status = 0;
  if (strcmp(what, "checks") == 0) status = say(team, team_check_all(team).text);
  if (strcmp(what, "large") == 0) status = say(team, team_check_large(team).text);
  if (strcmp(what, "lone") == 0) say(team, team ? "has a team" : "no team");
  if (strcmp(what, "broken") == 0) status = break_team(team);
  if (strcmp(what, "stall") == 0) status = stall(team);
  team_close(team);
  return status;
}
