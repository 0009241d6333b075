/* A recorded game, as it is read from a file and written to one: tags, moves, comments, variations and its
 * end. Private to analysis/.
 *
 * The syntax is that of PGN, of which the Oware Game Notation of aualé is one use: tags [Name "value"], moves
 * with or without numbers, {comments}, ; comments to the end of a line, (variations), and the result as the
 * last word. A list of moves without tags is read too, alone or as "POSITION moves …". Only the game knows
 * what a move means; here it is a word, except that moves of aualé are single letters, which need no blanks
 * between them.
 *
 * A record owns its texts until record_free; a zeroed one is empty. A reader borrows its stream and stores at
 * most one record of it: RECORD_MOST_ITEMS and RECORD_MOST_BYTES limit a game, not a file. Only one thread
 * may use each at a time.
 */
#ifndef ANALYSIS_RECORDS_RECORD_H
#define ANALYSIS_RECORDS_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/probe/text_pool.h"
#include "base/tauler_error.h"

enum {
  RECORD_MOST_ITEMS = 1 << 17,
  RECORD_MOST_BYTES = 4 << 20, /* bytes of all texts */
  RECORD_MOST_LINE = 1 << 20,
  RECORD_MOST_DEPTH = 64, /* depth of variations */
  RECORD_MOST_TAGS = 256,
  RECORD_LINE_WIDTH = 79 /* columns of written lines, if words allow it */
};

typedef enum {
  RECORD_MOVE,
  RECORD_COMMENT,
  RECORD_OPEN,  /* a variation begins */
  RECORD_CLOSE, /* a variation ends */
  RECORD_ENDING /* "1-0", "25-23", "1/2-1/2", "*". Outside variations only comments may follow it */
} record_kind;

typedef struct {
  record_kind kind;
  const char *text; /* text with each run of blanks and line breaks as one blank, or "" for brackets */
  const char *mark; /* annotation after a move, "+3", "!?", "! $3", or "" */
  size_t line;      /* line in the file, from 1 */
  size_t column;    /* character in the line, from 1 */
} record_item;

typedef struct {
  const char *name, *value;
  size_t line, column;
} record_tag;

typedef struct {
  record_tag *tags;
  size_t tags_used, tags_room;
  const char *position; /* position before the word moves, or NULL */
  record_item *items;
  size_t items_used, items_room;
  size_t line; /* line on which it begins */
  bool cut;    /* only tags come before it, and may have been meant for it */
  size_t bytes;
  text_pool pool;
} record;

void record_free(record *r);

/* Texts are copied. Errors: TAULER_BAD_POSITION (more than a record may have), TAULER_NO_MEMORY. */
tauler_error record_add_tag(record *r, const record_tag *tag, tauler_message *message);
tauler_error record_add_item(record *r, const record_item *item, tauler_message *message);
tauler_error record_set_position(record *r, const char *position, tauler_message *message);

/* The tag with this name, in upper or lower case, or NULL; and its value, also NULL if that is "" or "?". */
const record_tag *record_tag_of(const record *r, const char *name);
const char *record_tag_value(const record *r, const char *name);

/* The game of a record: that of its tag Game, otherwise the only game that has one of its tags, otherwise
 * `otherwise`, which may be NULL. */
const char *record_game_name(const record *r, const char *otherwise);

typedef struct record_reader record_reader;

/* Messages call the file `name`; `game` is that of records that name none, or NULL. Both must outlive the
 * reader. Errors: TAULER_NO_MEMORY. */
tauler_error record_reader_open(FILE *file, const char *name, const char *game, record_reader **out,
                                tauler_message *message);
void record_reader_close(record_reader *reader);

/* Reads the next game into an empty record. At the end of the file *found is false, and nothing needs to be
 * freed. After an error the reader cannot continue. Errors: TAULER_BAD_POSITION with file, line and column
 * (no record: something is not closed, a NUL byte, too large a game …), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error record_read(record_reader *reader, record *out, bool *found, tauler_message *message);

/* Writes a record so that reading it gives the same: tags, an empty line, numbered moves; in ASCII, except
 * for tags and comments. If a write fails, closing the stream reports it. */
void record_write(const record *r, FILE *out);

/* The state that both parts of the reader share: read_record.c reads lines, tags, comments, brackets and
 * games, read_words.c the words. Private to them.
 *
 * A reader owns the current line; the file and the record belong to its caller. Only one thread may use it at
 * a time.
 */

struct record_reader {
  FILE *file;
  const char *name, *game;
  char *line; /* current line without its end, NUL-terminated */
  size_t length, room, number;
  size_t at;   /* next byte of it */
  bool begun;  /* there is a current line */
  bool unread; /* no item of it has been read yet */
  bool closed; /* the file is at its end */
  bool cut;    /* the game before the next one had only tags */
  bool parted; /* an empty line is before the next byte */
  size_t counted,
      column; /* bytes of the current line whose characters are counted, and number of these characters */
  record *out;
  size_t depth;      /* depth of variations */
  record_item *open; /* where they begin, for messages */
  bool ended;        /* the ending was read: only comments may follow */
};

/* The column of the byte `at` in the current line: characters, from 1. */
size_t record_column_of(record_reader *r, size_t at);

/* Fail with TAULER_BAD_POSITION and file, line and column; record_bad uses the place of the next byte. */
tauler_error record_bad_at(const record_reader *r, size_t line, size_t column, const tauler_message *own,
                           tauler_message *message);
tauler_error record_bad(record_reader *r, tauler_message *message, const char *what);

/* Refuses a character of the current line that occurs in no move and no position. */
tauler_error record_bad_odd(record_reader *r, size_t at, tauler_message *message);

/* Adds line and column to the error of a record; TAULER_OK stays. */
tauler_error record_placed(record_reader *r, size_t column, tauler_error error, const tauler_message *own,
                           tauler_message *message);

/* Adds an item to the record that is read. Errors: those of record_add_item, with their place. */
tauler_error record_add_part(record_reader *r, record_kind kind, const char *text, const char *mark,
                             size_t line, size_t column, tauler_message *message);

/* True for blanks, brackets, braces, quotes, semicolons and the end of the line. */
bool record_ends_word(char c);

/* Reads the next word and adds what it stands for. Errors: TAULER_BAD_POSITION, those of record_add_part. */
tauler_error record_read_word(record_reader *r, tauler_message *message);

#endif
