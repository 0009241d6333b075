#include "base/command.h"

extern const command command_games, command_plan, command_build, command_probe, command_stats, command_verify,
    command_bench;

int main(int argc, char **argv) {
  static const command *const commands[] = {&command_games, &command_plan,   &command_build, &command_probe,
                                            &command_stats, &command_verify, &command_bench};
  return command_main(commands, sizeof commands / sizeof *commands, "tauler 0.1.0", argc, argv);
}
