/* Parts of the suites that build games of chance: a folder and a game (tests/support/toy/toy_chance.h) for
 * each test, builds by any number of ranks and threads, and the tables that come of them. */
#ifndef TOY_CHANCE_BUILD_H
#define TOY_CHANCE_BUILD_H

#include "solver/engines/chance/chance.h"
#include "solver/run/build.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_chance.h"

enum { MOST_RANKS = 4 };

/* Of the running test. */
extern toy_chance *chance_toy;

void chance_build_set_up(void);
void chance_build_tear_down(void);
void chance_build_empty_folder(void);

/* A table as it was reported. */
typedef struct {
  char slice[16], stream[CHANCE_STREAM_BYTES];
  table_digest digest;
  bool built;
} chance_build_line;

typedef struct {
  int ranks, threads;
  double width;
  uint64_t limit;     /* bytes, or 0 for no limit */
  uint64_t fail_take; /* ordinal of the allocation that fails on each rank */
  double interval;    /* seconds between checkpoints */
  int stops_at;       /* the how-maniest question whether to stop is answered yes */
  int stopping_rank;
  int asked[MOST_RANKS];
  int kept; /* questions at which a checkpoint of slice 0 was there */
  chance_build_line lines[TOY_CHANCE_TABLES];
  size_t used;
  tauler_error errors[MOST_RANKS];
  tauler_message messages[MOST_RANKS];
  uint64_t peak[MOST_RANKS];
  char said[4096]; /* on the progress of the first rank */
  build_plan plan;
  build_cost cost;
} chance_build;

/* With a width of 1e-9. */
chance_build chance_build_of(int ranks, int threads);
/* The error that all ranks met. */
tauler_error chance_build_try(chance_build *a);
/* Those that must succeed. */
chance_build chance_build_well(int ranks, int threads);
chance_build chance_build_to(int ranks, int threads, double width);

size_t chance_build_count(const chance_build *a); /* tables that were built and not found */
bool chance_build_same_table(const chance_build_line *a, const chance_build_line *b);
void chance_build_check_same(const chance_build *found, const chance_build *right);

void chance_build_path(uint32_t slice, const char *stream, char path[FOLDER_PATH_BYTES]);
table_header chance_build_header(uint32_t slice, const char *stream);
double *chance_build_read(uint32_t slice, const char *stream, table_header *header);
void chance_build_copy(const char *from, const char *to);

#endif
