/* Reads records of aualé as other programs write them. */
#include <stdlib.h>

#include "games/auale/position.h"

static bool shares(const char *position, game_shares *out) {
  *out = (game_shares){.all = AUALE_MAX_SEEDS};
  for (int i = 0; i < AUALE_PITS + GAME_SIDES; i++) {
    char *end;
    const int n = (int)strtol(position, &end, 10);
    if (end == position || *end != '-') return false;
    if (i < AUALE_PITS) {
      out->row[i / ROW_PITS] += n;
    } else {
      out->store[i - AUALE_PITS] = n;
    }
    position = end + 1;
  }
  const int captured = out->store[0] + out->store[1];
  if (captured) out->all = out->row[0] + out->row[1] + captured;
  return true;
}

static const char *const tags[] = {"Variant", "South", "North", NULL};

static const game_variant variants[] = {{"Oware Abapa", "abapa"},
                                        {"Abapa", "abapa"},
                                        {"Awari", "awari"},
                                        {"awari,grand-slam=captures", "awari,grand-slam=captures"},
                                        {NULL, NULL}};

const game_record auale_record = {.tags = tags, .variants = variants, .letters = true, .shares = shares};
