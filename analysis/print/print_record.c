/* Prints lines of play as records. */
#include <string.h>

#include "analysis/print/print.h"
#include "base/text.h"
#include "games/game_record.h"

enum { LINE_WIDTH = 79 };

/* Prints a tag "Variant" if other programs have a name for the rule set. */
static void print_tags(FILE *out, const game *game, const tauler_answer *answer) {
  const game_variant *variant = game->record ? game->record->variants : NULL;
  while (variant && variant->name && strcmp(variant->rules, answer->rules) != 0) variant++;
  if (variant && variant->name) fprintf(out, "[Variant \"%s\"]\n", variant->name);
  fprintf(out, "[Game \"%s\"]\n[Rules \"%s\"]\n", answer->game, answer->rules);
  if (*answer->cycles) fprintf(out, "[Cycles \"%s\"]\n", answer->cycles);
  fprintf(out, "[FEN \"%s\"]\n\n", answer->position);
}

void line_print_record(FILE *out, const game *game, const tauler_answer *answer, const tauler_line *line) {
  size_t column = 0;
  print_tags(out, game, answer);
  for (size_t i = 0; i < line->steps_used; i++) {
    char number[32] = "";
    const char *move = line->steps[i].move;
    if (i % 2 == 0) snprintf(number, sizeof number, "%zu. ", i / 2 + 1);
    const size_t width = strlen(number) + strlen(move);
    if (column && column + 1 + width > LINE_WIDTH) {
      fputc('\n', out);
      column = 0;
    }
    fprintf(out, "%s%s%s", column ? " " : "", number, move);
    column += width + (column > 0);
  }
  fprintf(out, "%s*\n", column ? " " : "");
}
