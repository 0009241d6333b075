/* Opens the folders that a command's options name. */
#include "analysis/print/open_folders.h"

#include "games/game_options.h"

tauler_error open_folders(const options *parsed, size_t cache_bytes, tauler **out, tauler_message *message) {
  game_options_folders folders;
  *out = NULL;
  const tauler_error error = game_options_folders_read(parsed, &folders, message);
  if (error) return error;
  const tauler_settings settings = {.cache_bytes = cache_bytes, .more_folders = folders.names + 1};
  return tauler_open(folders.names[0], &settings, out, message);
}
