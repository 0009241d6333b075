/* Copies of tables with every cell written out, for programs that know neither our games nor which cells a
 * table leaves out. Private to analysis/.
 *
 * A copy is a table with plain cells under the same name, which stock zstd decodes to the flat array of
 * cells, or that array with the header of numpy's .npy format in front, not compressed, so that numpy maps
 * it as it is. It holds the same cells as its table, so its digest is known beforehand and is checked before
 * a copy gets its name. One thread drives, settings.threads work; any number of exports to different folders
 * may run at once.
 */
#ifndef ANALYSIS_EXPORT_EXPORT_H
#define ANALYSIS_EXPORT_EXPORT_H

#include "analysis/slices/bulk.h"
#include "base/durable_file.h"
#include "databases/folder.h"

typedef enum { EXPORT_TABLES, EXPORT_NUMPY, EXPORT_BOOK, EXPORT_CSV, EXPORT_PRISM } export_form;

/* A copy that is there now. */
typedef struct {
  const char *slice, *stream, *path;
  uint64_t positions, file_bytes;
  table_digest digest; /* digest of the cells */
  bool made;           /* this call made it, otherwise it was there */
} export_copy;

/* Takes the next plain cells of a stream; a stream comes whole, slice by slice, values before depths. */
typedef tauler_error export_take(void *user, const table_header *header, const char *cells, size_t bytes,
                                 tauler_message *message);

typedef struct {
  tauler_tables *tables;
  const game_slices *slices; /* slices to copy, and others that help to recover cells */
  const game_request *request;
  const char *folder; /* where copies go */
  export_take *take;  /* or NULL: takes the cells in place of a folder */
  export_form form;
  bool depths; /* also depths, which must be there. Outcomes always have them */
  int level;   /* level of compression */
  int threads;
  memory_budget *memory;                               /* tables that do not fit are looked up cell by cell */
  progress *shown;                                     /* or NULL */
  void (*report)(void *user, const export_copy *copy); /* called in the order of the slices, or NULL */
  void *user;
} export_job;

/* A copy that is there and right is kept, so an export that was stopped goes on where it was. Errors:
 * TAULER_TABLE_MISSING (before anything is written), TAULER_DAMAGED_FILE (cells that are not what the table's
 * digest says), TAULER_BAD_USAGE (the folder is that of the tables), TAULER_NO_MEMORY, TAULER_NO_SPACE,
 * TAULER_IO, what `take` returns. */
tauler_error export_tables(const export_job *job, tauler_message *message);

/* The moves of slices for programs of others: an edge list, or a model for checkers of chances. Private to
 * analysis/.
 *
 * The numbers of a slice's positions follow those of the slices before it, in solving order, and the file
 * slices.csv says where each slice begins. The graph has the slices asked for and all that they need. It
 * comes from the rules; no table is read. One thread drives, job->threads list moves of games without dice.
 */

/* As job->form says, EXPORT_CSV or EXPORT_PRISM; docs/graphs.md describes the files. Files that are there are
 * replaced. Errors: TAULER_BAD_USAGE (a model of a game without dice), TAULER_NO_MEMORY, TAULER_NO_SPACE,
 * TAULER_IO, of the game. */
tauler_error export_graph(const export_job *job, tauler_message *message);

/* --- shared by the forms --- */

typedef struct {
  const export_job *job;
  const game *game;
  const game_rules *rules;
  uint64_t *first; /* by number of a slice: of its first position */
  uint64_t positions;
  chance_quantities quantities; /* the quantities of a game of dice */
  const chance_roll *rolls;     /* the rolls of a game of dice */
  double weights;               /* sum of their weights */
  tauler_message *message;
} graph;

static inline uint64_t graph_number(const graph *g, game_place place) {
  return g->first[place.slice] + place.index;
}

/* A position of a game of dice and its edges, in the order of rolls; without edges it has ended or is
 * unused. */
typedef struct {
  game_place place;
  int aim;
  const chance_edge *edges;
  size_t used;
} graph_node;

/* Visits all positions of a game of dice in the order of their numbers. Errors: of the game and of `visit`.
 */
typedef tauler_error graph_visit(void *user, const graph_node *node);
tauler_error graph_walk(const graph *g, const char *step, graph_visit *visit, void *user);

/* The chance of the edge's roll; 1 if the turn is lost. */
double graph_chance(const graph *g, const chance_edge *edge);

/* The sum that an edge adds to a quantity of the position. */
double graph_gain(const graph *g, game_place from, const chance_edge *edge, int quantity);

/* Says that a file is there. */
void graph_report(const graph *g, const char *path, uint64_t bytes, const char *what);

/* Writes the model of a game of dice. */
tauler_error graph_model(const graph *g);

/* A text file that appears under its name when it is complete. Private to analysis/export. A graph_file owns
 * the hidden file until it is closed; the first error stays with it, and later calls do nothing. One thread
 * at a time. */

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

/* Errors: those of durable_file_create; nothing is open then. */
tauler_error graph_file_open(graph_file *f, const char *folder, const char *name, tauler_message *message);

/* At most GRAPH_FILE_LINE bytes. */
void graph_file_print(graph_file *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keeps the file if there was no error, here or before in `error`. Errors: `error`, the file's first error,
 * those of durable_file_commit. */
tauler_error graph_file_close(graph_file *f, tauler_error error);

/* Writes the values of a rule set as a file of another program (game_book of game_record.h). Private to
 * analysis/. */

/* Writes the positions of all slices of the job into its folder, and reports the file. Errors:
 * TAULER_BAD_USAGE (no such format, other rules, more than it can have), those of tauler_bounds_at,
 * TAULER_NO_MEMORY, those of durable_file_commit. */
tauler_error export_book(const export_job *job, tauler_message *message);

#endif
