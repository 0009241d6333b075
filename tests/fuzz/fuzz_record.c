/* Any bytes as a file of records: it is refused with a sentence that has a place, or its games, written and
 * read again, are the same but for bytes that are written escaped, and so is what is written then. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/records/record.h"
#include "base/text_show.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds) {
  if (!holds) abort();
}

/* `again` is what `text` became when it was written. */
static bool is_same(const char *text, const char *again) {
  char *shown = malloc(TEXT_CHARACTER * strlen(text) + 1);
  check(shown != NULL);
  text_show(text, shown, TEXT_CHARACTER * strlen(text) + 1);
  const bool same = strcmp(shown, again) == 0;
  free(shown);
  return same;
}

static void check_same(const record *a, const record *b) {
  check(a->tags_used == b->tags_used && a->items_used == b->items_used);
  check(!a->position == !b->position && (!a->position || is_same(a->position, b->position)));
  for (size_t i = 0; i < a->tags_used; i++)
    check(strcmp(a->tags[i].name, b->tags[i].name) == 0 && is_same(a->tags[i].value, b->tags[i].value));
  for (size_t i = 0; i < a->items_used; i++) {
    const record_item *l = &a->items[i], *r = &b->items[i];
    check(l->kind == r->kind && is_same(l->text, r->text) && strcmp(l->mark, r->mark) == 0);
  }
}

static void write_to(const record *r, char **text, size_t *length) {
  FILE *out = open_memstream(text, length);
  check(out != NULL);
  record_write(r, out);
  fclose(out);
}

static void check_round_trip(const record *r, const char *game) {
  char *text, *again;
  size_t length, again_length;
  record_reader *reader = NULL;
  record back, none;
  bool found;
  tauler_message message = {""};
  write_to(r, &text, &length);
  FILE *in = fmemopen(text, length ? length : 1, "rb");
  check(in && !record_reader_open(in, "again", game, &reader, NULL));
  check(!record_read(reader, &back, &found, &message) && found);
  check_same(r, &back);
  write_to(&back, &again, &again_length);
  check(length == again_length && memcmp(text, again, length) == 0);
  check(!record_read(reader, &none, &found, &message) && !found);
  record_free(&back);
  record_reader_close(reader);
  fclose(in);
  free(text);
  free(again);
}

static void read_all(const uint8_t *data, size_t size, const char *game) {
  record_reader *reader = NULL;
  FILE *in = fmemopen((void *)(uintptr_t)data, size, "rb");
  check(in && !record_reader_open(in, "a file", game, &reader, NULL));
  for (;;) {
    record r;
    bool found;
    tauler_message message = {""};
    const tauler_error error = record_read(reader, &r, &found, &message);
    check(!error == !message.text[0]);
    check(!error || (error == TAULER_BAD_POSITION && !found && strncmp(message.text, "a file:", 7) == 0));
    if (error || !found) break;
    check_round_trip(&r, game);
    record_free(&r);
  }
  record_reader_close(reader);
  fclose(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0 || size > 65536) return 0;
  read_all(data, size, "auale");
  read_all(data, size, "phutball");
  read_all(data, size, NULL);
  return 0;
}
