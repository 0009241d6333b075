/* Shared by the suites of table files and durable files: a folder for each test, tables made from a
 * recipe, and whole files as bytes. */
#ifndef TABLE_FIXTURE_H
#define TABLE_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "databases/table.h"
#include "tests/support/suite.h"

enum { NONE = -1 };

/* The folder of the running test and the table file in it. */
extern char path[300];

/* How the cells of a test table come about. */
typedef struct {
  table_cell cell;
  table_coding coding;
  uint64_t seed;
  bool noise;         /* every value as likely, so that frames do not compress */
  int64_t fail_at;    /* the fill with this cell fails */
  int64_t lie_at;     /* this stored cell is neither implied nor the value */
  int64_t corrupt_at; /* at the fill with this cell, a byte written before is changed on the disk */
} recipe;

extern const recipe plain_bytes;

uint64_t mix(uint64_t x);

/* The plain value of a cell, what the file stores for it, and the cell that stands for implied ones. */
int64_t value_at(const recipe *r, uint64_t i);
int64_t stored_at(const recipe *r, uint64_t i);
int64_t reserved_of(const recipe *r);
void put_cell(const recipe *r, void *cells, size_t i, int64_t value);

/* The arguments of table_write for a recipe, which is the user of fill. */
table_header header_of(const recipe *r, uint64_t positions);
tauler_error fill(void *user, uint64_t first, size_t count, void *stored, void *plain,
                  tauler_message *message);

/* Write and open the table at path. */
tauler_error try_write(const recipe *r, uint64_t positions, uint32_t frame_bytes, int threads,
                       tauler_message *message);
void must_write(const recipe *r, uint64_t positions, uint32_t frame_bytes, int threads);
table *must_open(void);

/* Counts hidden files too. */
size_t files_in_folder(bool remove_them);

/* The running test owns the bytes, of which there is room for one more. */
unsigned char *read_file(const char *name, size_t *n);
void write_file(const unsigned char *bytes, size_t n);

/* n times the same byte, into the file at path. */
void overwrite_in_place(size_t at, unsigned char byte, size_t n);

/* Each test has a new folder. */
void table_fixture(suite_cases *suite);

#endif
