/* Stores a recorded game: tags, moves, comments, variations, result. */
#include "analysis/records/record.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "games/game_record.h"
#include "games/registry.h"

static tauler_error no_memory_for_record(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the record of a game");
}

void record_free(record *r) {
  text_pool_free(&r->pool);
  free(r->tags);
  free(r->items);
  *r = (record){.tags = NULL};
}

static tauler_error copy_text(record *r, const char *text, const char **out, tauler_message *message) {
  r->bytes += strlen(text) + 1;
  if (r->bytes > RECORD_MOST_BYTES)
    return tauler_fail(message, TAULER_BAD_POSITION, "the game has more than %d bytes of text",
                       RECORD_MOST_BYTES);
  *out = text_pool_add(&r->pool, text);
  return *out ? TAULER_OK : no_memory_for_record(message);
}

tauler_error record_add_tag(record *r, const record_tag *tag, tauler_message *message) {
  record_tag kept = *tag;
  if (r->tags_used == RECORD_MOST_TAGS)
    return tauler_fail(message, TAULER_BAD_POSITION, "the game has more than %d tags", RECORD_MOST_TAGS);
  if (!memory_make_room(&r->tags, &r->tags_room, r->tags_used + 1, sizeof *r->tags))
    return no_memory_for_record(message);
  tauler_error error = copy_text(r, tag->name, &kept.name, message);
  if (!error) error = copy_text(r, tag->value, &kept.value, message);
  if (!error) r->tags[r->tags_used++] = kept;
  return error;
}

tauler_error record_add_item(record *r, const record_item *item, tauler_message *message) {
  record_item kept = *item;
  kept.text = kept.mark = "";
  if (r->items_used == RECORD_MOST_ITEMS)
    return tauler_fail(message, TAULER_BAD_POSITION, "the game has more than %d moves and comments",
                       RECORD_MOST_ITEMS);
  if (!memory_make_room(&r->items, &r->items_room, r->items_used + 1, sizeof *r->items))
    return no_memory_for_record(message);
  tauler_error error = TAULER_OK;
  if (*item->text) error = copy_text(r, item->text, &kept.text, message);
  if (!error && *item->mark) error = copy_text(r, item->mark, &kept.mark, message);
  if (!error) r->items[r->items_used++] = kept;
  return error;
}

tauler_error record_set_position(record *r, const char *position, tauler_message *message) {
  return copy_text(r, position, &r->position, message);
}

const record_tag *record_tag_of(const record *r, const char *name) {
  for (size_t i = 0; i < r->tags_used; i++)
    if (strcasecmp(r->tags[i].name, name) == 0) return &r->tags[i];
  return NULL;
}

const char *record_tag_value(const record *r, const char *name) {
  const record_tag *tag = record_tag_of(r, name);
  return tag && *tag->value && strcmp(tag->value, "?") != 0 ? tag->value : NULL;
}

static bool is_own_tag(const game *game, const char *name) {
  const char *const *tags = game->record ? game->record->tags : NULL;
  while (tags && *tags && strcasecmp(*tags, name) != 0) tags++;
  return tags && *tags;
}

const char *record_game_name(const record *r, const char *otherwise) {
  const char *said = record_tag_value(r, "Game");
  if (said) return said;
  for (size_t tag = 0; tag < r->tags_used; tag++)
    for (const game *const *g = game_list(); *g; g++)
      if (is_own_tag(*g, r->tags[tag].name)) return (*g)->name;
  return otherwise;
}
