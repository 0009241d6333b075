#include "tests/support/probe_built.h"

#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"

const built_tables built_samples[BUILT_SAMPLES] = {
    {.game = "auale", .rules = "awari", .cycles = "even", .largest = "6", .depths = true},
    {.game = "auale", .rules = "abapa", .cycles = "forced", .largest = "5", .depths = true},
    {.game = "auale", .rules = "abapa", .cycles = "own-row", .largest = "5", .depths = true},
    {.game = "auale", .rules = "abapa", .cycles = "own-row-any", .largest = "5"},
    {.game = "doushouqi", .material = "Lr", .depths = true},
    {.game = "phutball", .board = "5x3", .depths = true},
    {.game = "oca", .largest = "2"},
    {.game = "oca-asesina", .rules = "base,board=20,lost-turns=die-with-token", .largest = "1"},
    {.game = "morris", .depths = true},
};

void build_sample(const built_tables *sample, const char *folder) {
  const game *game = game_find(sample->game);
  game_rules *rules = suite_rules(game, sample->rules, sample->cycles);
  const game_request request = {sample->largest, sample->material, sample->board};
  suite_build((build_job){.problem = {.game = game, .rules = rules},
                          .request = &request,
                          .folder = folder,
                          .depths = sample->depths,
                          .work = {.threads = 1, .memory = suite_budget(1 << 28)}});
}

tauler_tables *select_sample(tauler *db, const built_tables *sample) {
  tauler_tables *tables;
  if (tauler_select(db, sample->game, sample->rules, sample->cycles, &tables, hear()))
    ck_abort_msg("%s", said.text);
  return tables;
}
