/* Lists the commands of the program and runs one. */
#include <stdio.h>
#include <zstd.h>

#include "analysis/probe/tauler.h"
#include "base/command/command.h"
#include "parallel/comm_mpi.h"
#include "parallel/launcher.h"

#ifdef _OPENMP
#define OPENMP_VERSION _OPENMP
#else
#define OPENMP_VERSION 0
#endif

/* The commands in the order of the help. */
#define COMMANDS(_)                                                                                          \
  _(games)                                                                                                   \
  _(plan)                                                                                                    \
  _(build)                                                                                                   \
  _(tables)                                                                                                  \
  _(probe)                                                                                                   \
  _(analyse)                                                                                                 \
  _(uci)                                                                                                     \
  _(stats) _(verify) _(proof) _(learn) _(claims) _(figures) _(export) _(publish) _(fetch) _(serve) _(bench)

#define DECLARE(name) extern const command command_##name;
COMMANDS(DECLARE)

int main(int argc, char **argv) {
#define LIST(name) &command_##name,
  static const command *const commands[] = {COMMANDS(LIST)};
  char version[256];
  launcher_wait_asleep(argv);
  snprintf(version, sizeof version, "tauler %s\nMPI: %s\nOpenMP: %d\nzstd: %s", tauler_version(),
           comm_mpi_implementation().text, OPENMP_VERSION, ZSTD_versionString());
  const command_list list = {commands, sizeof commands / sizeof *commands, command_texts};
  return command_main(&list, version, argc, argv);
}
