/* A recorded game, as it is read from a file and written to one: tags, moves, comments, variations and how it
 * ended. Private to analysis/.
 *
 * The syntax is that of PGN, of which the Oware Game Notation of aualé's players is one use: tags
 * [Name "value"], moves numbered or not, {comments}, ; comments to the end of a line, (variations), the
 * result as the last word. A list of moves without tags is read as well, alone or as "POSITION moves …". Only
 * the game knows what a move means; here it is a word, save that those of aualé are single letters, which may
 * stand together.
 *
 * A record owns its texts until record_free; a zeroed one is empty. A reader borrows its stream and holds one
 * record's worth of it at most: RECORD_MOST_ITEMS and RECORD_MOST_BYTES bound a game, not a file. One thread
 * at a time for each.
 */
#ifndef ANALYSIS_RECORDS_RECORD_H
#define ANALYSIS_RECORDS_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/probe/text_pool.h"
#include "base/tauler_error.h"

enum {
  RECORD_MOST_ITEMS = 1 << 17,
  RECORD_MOST_BYTES = 4 << 20, /* of texts */
  RECORD_MOST_LINE = 1 << 20,
  RECORD_MOST_DEPTH = 64, /* of variations */
  RECORD_MOST_TAGS = 256,
  RECORD_LINE_WIDTH = 79 /* of what is written, where words allow it */
};

typedef enum {
  RECORD_MOVE,
  RECORD_COMMENT,
  RECORD_OPEN,  /* a variation begins */
  RECORD_CLOSE, /* and ends */
  RECORD_ENDING /* "1-0", "25-23", "1/2-1/2", "*"; but for comments the last item, outside variations */
} record_kind;

typedef struct {
  record_kind kind;
  const char *text;    /* runs of blanks and line breaks are one blank; "" of brackets */
  const char *mark;    /* what follows a move: "+3", "!?", "! $3"; "" if nothing does */
  size_t line, column; /* in the file, from 1; columns count characters */
} record_item;

typedef struct {
  const char *name, *value;
  size_t line, column;
} record_tag;

typedef struct {
  record_tag *tags;
  size_t tags_used, tags_room;
  const char *position; /* that stands before the word moves; NULL: none */
  record_item *items;
  size_t items_used, items_room;
  size_t line; /* where it begins */
  bool cut;    /* tags alone stand before it, and may have been meant for it */
  size_t bytes;
  text_pool pool;
} record;

void record_free(record *r);

/* Texts are copied. Errors: TAULER_BAD_POSITION (more than a record may hold), TAULER_NO_MEMORY. */
tauler_error record_add_tag(record *r, const record_tag *tag, tauler_message *message);
tauler_error record_add_item(record *r, const record_item *item, tauler_message *message);
tauler_error record_set_position(record *r, const char *position, tauler_message *message);

/* The tag of that name, NULL where there is none; and its value, NULL also where that is "" or "?". */
const record_tag *record_tag_of(const record *r, const char *name);
const char *record_tag_value(const record *r, const char *name);

/* The game that a record is of: what its tag Game says, else the game that alone has one of its tags, else
 * `otherwise`, which may be NULL. */
const char *record_game_name(const record *r, const char *otherwise);

typedef struct record_reader record_reader;

/* `name` is how messages call the file; `game` is that of records that do not say, or NULL. Both must outlive
 * the reader. Errors: TAULER_NO_MEMORY. */
tauler_error record_reader_open(FILE *file, const char *name, const char *game, record_reader **out,
                                tauler_message *message);
void record_reader_close(record_reader *reader);

/* Reads the next game into an empty record; *found is false, and nothing is owned, at the end of the file.
 * After an error there is no going on. Errors: TAULER_BAD_POSITION with file, line and column (what is no
 * record: what is not closed, a NUL byte, too large a game …), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error record_read(record_reader *reader, record *out, bool *found, tauler_message *message);

/* Writes a record so that it reads back as the same: tags, an empty line, numbered moves; ASCII but for what
 * tags and comments hold. A lost write is found when the stream is closed. */
void record_write(const record *r, FILE *out);

#endif
