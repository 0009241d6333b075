/* Copies tables with every cell written out, for programs that know neither the games nor which cells a table
 * leaves out. A copy is a table with plain cells under the same name, which the program zstd decodes to the
 * flat array of cells; or it is this array, not compressed, after the header of numpy's .npy format, so that
 * numpy can map the file. Before a copy gets its name, the digest of its cells must be that of the table. One
 * thread calls, job->threads work; any number of exports to different folders may run at once. */
#ifndef ANALYSIS_EXPORT_EXPORT_H
#define ANALYSIS_EXPORT_EXPORT_H

#include "analysis/slices/bulk.h"
#include "base/command/options.h"
#include "base/durable_file.h"
#include "databases/folder.h"

typedef enum { EXPORT_TABLES, EXPORT_NUMPY, EXPORT_BOOK, EXPORT_CSV, EXPORT_PRISM } export_form;

/* A complete copy of a table, or another file of an export, whose slice is "total". */
typedef struct {
  const char *slice, *stream, *path;
  uint64_t positions, file_bytes;
  table_digest digest; /* digest of the cells, all zeros for files that are no copies of tables */
  bool made;           /* false if it existed */
} export_copy;

/* Receives the next plain cells of a stream. Streams follow slice by slice, values before depths. */
typedef tauler_error export_take(void *user, const table_header *header, const char *cells, size_t bytes,
                                 tauler_message *message);

typedef struct {
  tauler_tables *tables;
  const game_slices *slices;   /* slices to copy, and those that they need */
  const game_request *request; /* request that `slices` serve, for messages */
  const char *folder;
  export_take *take; /* receiver of the cells in place of a folder, or NULL */
  export_form form;
  bool depths; /* true to copy depths, which are always copied for outcomes */
  int level;
  int threads;
  memory_budget *memory;                               /* for tables of values, books and graphs */
  progress *shown;                                     /* or NULL */
  void (*report)(void *user, const export_copy *copy); /* called in the order of the slices, or NULL */
  void *user;
} export_job;

/* Copies the tables of a job, or passes their cells to `take`. Keeps existing copies that have the right
 * digest, so that a stopped export can be run again. Errors: TAULER_TABLE_MISSING (before the first copy),
 * TAULER_DAMAGED_FILE (the cells do not have the table's digest), TAULER_BAD_USAGE (the folder is that of the
 * tables), TAULER_NO_MEMORY, TAULER_NO_SPACE, TAULER_IO, those of `take`. */
tauler_error export_tables(const export_job *job, tauler_message *message);

/* Reports a complete file that is no copy of a table. */
void export_report(const export_job *job, const char *what, const char *path, uint64_t positions,
                   uint64_t bytes);

/* A graph has the moves of slices, for other programs: a list of edges, or a model for a probabilistic model
 * checker. The numbers of a slice's positions follow those of the slices before it, in solving order; the
 * file slices.csv lists the first number of each slice. The graph has the slices asked for and all that they
 * need, and comes from the rules; no table is read. */

/* Writes the graph in the form EXPORT_CSV or EXPORT_PRISM of the job, and replaces existing files;
 * docs/graphs.md describes them. Errors: TAULER_BAD_USAGE (a model of a game without dice or of gains that a
 * model cannot express, or slices with different quantities), TAULER_NO_MEMORY, TAULER_NO_SPACE, TAULER_IO,
 * those of the game. */
tauler_error export_graph(const export_job *job, tauler_message *message);

/* --- parts of all forms --- */

typedef struct {
  const export_job *job;
  const game *game;
  const game_rules *rules;
  uint64_t *first; /* [slice] number of its first position */
  uint64_t positions;
  chance_quantities quantities;
  const chance_roll *rolls;
  double weights; /* sum of the weights of the rolls */
  tauler_message *message;
} graph;

static inline uint64_t graph_number(const graph *g, game_place place) {
  return g->first[place.slice] + place.index;
}

/* A position of a game of dice and its edges, in the order of rolls. If it has no edges, the game is over or
 * the position is unused. */
typedef struct {
  game_place place;
  int aim;
  const chance_edge *edges;
  size_t used;
} graph_node;

/* Visits all positions of a game of dice in the order of their numbers; `step` names the progress. Errors:
 * those of the game and of `visit`. */
typedef tauler_error graph_visit(void *user, const graph_node *node);
tauler_error graph_walk(const graph *g, const char *step, graph_visit *visit, void *user);

/* Returns the probability of the edge's roll, or 1 if the turn is lost. */
double graph_chance(const graph *g, const chance_edge *edge);

double graph_gain(const graph *g, game_place from, const chance_edge *edge, int quantity);

tauler_error graph_model(const graph *g);

/* A text file that gets its name when it is complete. It keeps the first error, after which calls write
 * nothing. */

enum { GRAPH_FILE_ROOM = 1 << 16, GRAPH_FILE_LINE = 1024 };

typedef struct {
  durable_file *file;
  char path[FOLDER_PATH_BYTES];
  uint64_t bytes;
  size_t used;
  tauler_error error;
  tauler_message *message;
  char text[GRAPH_FILE_ROOM];
} graph_file;

/* Opens a file in a folder; *f must be all zeros. Errors: TAULER_BAD_USAGE (too long a path), those of
 * durable_file_create. */
tauler_error graph_file_open(graph_file *f, const char *folder, const char *name, tauler_message *message);

/* Adds a text of less than GRAPH_FILE_LINE bytes. */
void graph_file_print(graph_file *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Gives the file its name, or removes it after `error` or an error of the file. Errors: `error`, the
 * file's first error, those of durable_file_commit. */
tauler_error graph_file_close(graph_file *f, tauler_error error);

/* A book is a file of values for another program (game_book of game_record.h). */

/* Writes the values of all slices up to the largest of the job into a file in its folder, and reports it.
 * Errors: TAULER_BAD_USAGE (a game without a format, other rules, too large slices), TAULER_TABLE_MISSING
 * (also if bounds differ), those of tauler_bounds_at and durable_file_commit. */
tauler_error export_book(const export_job *job, tauler_message *message);

/* --- tables that the options of a command name --- */

/* Owns what the job points into; the caller closes it, after errors too. */
typedef struct {
  const game *game;
  game_rules *rules; /* NULL after the tables own them */
  game_request request;
  game_slices slices;
  memory_budget memory;
  progress shown;
  tauler *db;
} export_sources;

/* Reads GAME, its options, --threads, --memory and --quiet. Errors: those of game_options_open,
 * threads_option and options_size. */
tauler_error export_sources_read(const options *parsed, export_sources *sources, export_job *job,
                                 tauler_message *message);

/* Opens slices and tables. Errors: those of tauler_open and tauler_select. */
tauler_error export_sources_open(const options *parsed, export_sources *sources, export_job *job,
                                 tauler_message *message);
void export_sources_close(export_sources *sources);

#endif
