/* Names the tables of a slice: header texts and path. */
#include "databases/names.h"

#include <assert.h>
#include <string.h>

static void copy_name(char *to, size_t room, const char *from) {
  assert(from); /* of the planes that there are */
  memset(to, 0, room);
  memcpy(to, from, strnlen(from, room - 1));
}

void names_header(const game *game, const game_rules *rules, uint32_t slice, const char *stream,
                  table_header *header) {
  char name[GAME_TEXT_BYTES];
  game->slice_name(rules, slice, name);
  *header =
      (table_header){.positions = game->positions(rules, slice), .index_version = game_index_version(game)};
  copy_name(header->game, sizeof header->game, game->name);
  copy_name(header->rules, sizeof header->rules, game->rules_text(rules));
  copy_name(header->cycles, sizeof header->cycles, game->cycles_text(rules));
  copy_name(header->slice, sizeof header->slice, name);
  copy_name(header->stream, sizeof header->stream, stream);
}

void names_subfolder(const game *game, const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  name[0] = '\0';
  if (game->slice_folder) game->slice_folder(rules, slice, name);
}

tauler_error names_path(const game *game, const game_rules *rules, const char *folder, uint32_t slice,
                        const table_header *header, char path[FOLDER_PATH_BYTES], tauler_message *message) {
  char below[GAME_TEXT_BYTES];
  names_subfolder(game, rules, slice, below);
  return folder_table_path(folder, below, header, path, message);
}
