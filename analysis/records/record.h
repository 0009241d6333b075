/* A recorded game that is read from a file or written to one: tags, moves, comments, variations and its
 * result. Private to analysis/.
 *
 * The syntax is that of PGN, of which the Oware Game Notation of aualé is one use: tags [Name "value"], moves
 * with or without numbers, {comments}, ; comments to the end of a line, (variations), and the result as the
 * last word. A list of moves without tags is read too, alone or as "POSITION moves …". A move is a word that
 * only its game interprets, except that moves of aualé need no blanks between them.
 *
 * A record owns its texts until record_free; a zeroed one is empty. A reader does not own its stream and
 * reads one game after the other: RECORD_MOST_ITEMS and RECORD_MOST_BYTES limit a game, not a file. Only one
 * thread may use a record or a reader at a time.
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
  RECORD_MOST_LINE = 1 << 20,  /* bytes of a line or of a comment */
  RECORD_MOST_DEPTH = 64,      /* greatest number of open variations */
  RECORD_MOST_TAGS = 256,
  RECORD_LINE_WIDTH = 79 /* most columns of moves and comments in braces, unless a word is longer */
};

typedef enum {
  RECORD_MOVE,
  RECORD_COMMENT,
  RECORD_OPEN,
  RECORD_CLOSE,
  RECORD_ENDING /* a result, "1-0", "25-23", "1/2-1/2", "*". After the result of the game only comments follow
                 */
} record_kind;

typedef struct {
  record_kind kind;
  const char *text; /* text, in which blanks and line breaks in a row are one blank, or "" for brackets */
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
  const char *position; /* position before the word "moves", or NULL */
  record_item *items;
  size_t items_used, items_room;
  size_t line;
  bool cut; /* the record before has only tags, which may belong to this one */
  size_t bytes;
  text_pool pool;
} record;

void record_free(record *r);

/* Copy the texts. Errors: TAULER_BAD_POSITION (too many or too long texts), TAULER_NO_MEMORY. */
tauler_error record_add_tag(record *r, const record_tag *tag, tauler_message *message);
tauler_error record_add_item(record *r, const record_item *item, tauler_message *message);
tauler_error record_set_position(record *r, const char *position, tauler_message *message);

/* Return the first tag with this name, whatever its case, and the value of this tag. Return NULL if no tag
 * has the name; record_tag_value also if the value is "" or "?". */
const record_tag *record_tag_of(const record *r, const char *name);
const char *record_tag_value(const record *r, const char *name);

/* Returns the game in the tag Game, or the game to which another tag belongs, or `otherwise`, which may be
 * NULL. */
const char *record_game_name(const record *r, const char *otherwise);

typedef struct record_reader record_reader;

/* Opens a reader of records. Messages call the file `name`. `game` is the game of records that name none, or
 * NULL. Both texts must outlive the reader. Errors: TAULER_NO_MEMORY. */
tauler_error record_reader_open(FILE *file, const char *name, const char *game, record_reader **out,
                                tauler_message *message);
void record_reader_close(record_reader *reader);

/* Reads the next game into *out, which it overwrites. At the end of the file *found is false. Then, and after
 * an error, nothing needs to be freed. After an error no more games can be read. Errors: TAULER_BAD_POSITION
 * with file, line and column (a bracket or comment is not closed, a NUL byte, too large a game …), TAULER_IO,
 * TAULER_NO_MEMORY. */
tauler_error record_read(record_reader *reader, record *out, bool *found, tauler_message *message);

/* Writes tags, an empty line and numbered moves. Apart from lines and columns, a reader reads the same record
 * from them. If a write fails, closing the stream reports the error. */
void record_write(const record *r, FILE *out);

/* The state that both parts of the reader share. A reader owns the current line. The file and the record
 * belong to its caller. */

struct record_reader {
  FILE *file;
  const char *name, *game;
  char *line; /* current line without its end, NUL-terminated */
  size_t length, room, number;
  size_t at;
  bool begun;  /* a current line exists */
  bool unread; /* the line began outside comments, and only comments of it have been read */
  bool closed; /* the end of the file was reached */
  bool cut;    /* the last game read has only tags */
  bool parted; /* an empty line stands before the next byte */
  /* Bytes of the current line whose characters are counted, and number of these characters. */
  size_t counted, column;
  record *out;
  size_t depth;                        /* number of open variations */
  record_item open[RECORD_MOST_DEPTH]; /* places at which the open variations begin, for messages */
  bool ended;                          /* the result of the game was read, so only comments may follow */
  tauler_message own;                  /* message of an error before its place is added */
};

/* Returns the column of the byte `at` in the current line, in characters from 1. */
size_t record_column_of(record_reader *r, size_t at);

/* Returns the error. Adds line and column to its message, r->own, if it is TAULER_BAD_POSITION. */
tauler_error record_error_at(record_reader *r, size_t line, size_t column, tauler_error error,
                             tauler_message *message);

/* Fails with TAULER_BAD_POSITION at the next byte. */
tauler_error record_fail(record_reader *r, tauler_message *message, const char *what);

/* Fails since the character at byte `at` of the line is not ASCII, as moves and positions must be. */
tauler_error record_refuse_odd(record_reader *r, size_t at, tauler_message *message);

/* Adds an item to the record that is read. Errors: those of record_add_item, with line and column. */
tauler_error record_add_part(record_reader *r, record_kind kind, const char *text, const char *mark,
                             size_t line, size_t column, tauler_message *message);

/* True for blanks, brackets, braces, quotes, semicolons and the end of the line. */
bool record_ends_word(char c);

/* Reads the next word and adds its moves, its mark or its result. Errors: TAULER_BAD_POSITION, those of
 * record_add_part. */
tauler_error record_read_word(record_reader *r, tauler_message *message);

#endif
