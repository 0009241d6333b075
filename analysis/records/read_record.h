/* The state that both parts of the reader share: read_record.c reads lines, tags, comments, brackets and
 * games, read_words.c the words. Private to them.
 *
 * A reader owns the current line; the file and the record belong to its caller. Only one thread may use it at
 * a time.
 */
#ifndef ANALYSIS_RECORDS_READ_RECORD_H
#define ANALYSIS_RECORDS_READ_RECORD_H

#include "analysis/records/record.h"

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
