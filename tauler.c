#include <stdio.h>
#include <zstd.h>

#include "base/command.h"
#include "solver/launcher.h"
#include "solver/team_mpi.h"

#ifdef _OPENMP
#define OPENMP_VERSION _OPENMP
#else
#define OPENMP_VERSION 0
#endif

extern const command command_games, command_plan, command_build, command_probe, command_stats, command_verify,
    command_claims, command_bench;

int main(int argc, char **argv) {
  static const command *const commands[] = {&command_games, &command_plan,   &command_build,  &command_probe,
                                            &command_stats, &command_verify, &command_claims, &command_bench};
  char version[256];
  launcher_wait_asleep(argv);
  snprintf(version, sizeof version, "tauler 0.1.0\nMPI: %s\nOpenMP: %d\nzstd: %s",
           team_mpi_implementation().text, OPENMP_VERSION, ZSTD_versionString());
  return command_main(commands, sizeof commands / sizeof *commands, version, argc, argv);
}
