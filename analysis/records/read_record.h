/* The state that both halves of reading share: read_record.c has the lines, tags, comments, brackets and
 * games, read_words.c the words. Private to them.
 *
 * A reader owns the line at hand; the file and the record belong to who reads. One thread at a time.
 */
#ifndef ANALYSIS_RECORDS_READ_RECORD_H
#define ANALYSIS_RECORDS_READ_RECORD_H

#include "analysis/records/record.h"

struct record_reader {
  FILE *file;
  const char *name, *game;
  char *line; /* at hand, without its end, NUL-terminated */
  size_t length, room, number;
  size_t at;              /* the next byte of it */
  bool begun;             /* there is a line at hand */
  bool unread;            /* no caller has read its first item yet */
  bool closed;            /* the file is at its end */
  bool cut;               /* the game before the next one had tags alone */
  bool parted;            /* an empty line stands before the next byte */
  size_t counted, column; /* bytes of the line at hand whose characters are counted, and how many these are */
  record *out;
  size_t depth;      /* of variations */
  record_item *open; /* where they begin, for messages */
  bool ended;        /* the ending was read: only comments may follow */
};

/* Characters from 1, of the byte `at` in the line at hand. */
size_t record_column_of(record_reader *r, size_t at);

/* TAULER_BAD_POSITION with file, line and column; without a place that of the next byte. */
tauler_error record_bad_at(const record_reader *r, size_t line, size_t column, const tauler_message *own,
                           tauler_message *message);
tauler_error record_bad(record_reader *r, tauler_message *message, const char *what);

/* Refuses a sign of the line at hand that no move and no position has. */
tauler_error record_bad_odd(record_reader *r, size_t at, tauler_message *message);

/* What went wrong with a record, with its line and column; TAULER_OK stays. */
tauler_error record_placed(record_reader *r, size_t column, tauler_error error, const tauler_message *own,
                           tauler_message *message);

/* Adds to the record that is read. Errors: those of record_add_item, with their place. */
tauler_error record_add_part(record_reader *r, record_kind kind, const char *text, const char *mark,
                             size_t line, size_t column, tauler_message *message);

/* Blanks, brackets, braces, quotes, semicolons and the end of the line. */
bool record_ends_word(char c);

/* Reads the word that begins at hand and adds what it stands for. Errors: TAULER_BAD_POSITION, and those of
 * record_add_part. */
tauler_error record_read_word(record_reader *r, tauler_message *message);

#endif
