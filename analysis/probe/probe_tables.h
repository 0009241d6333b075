/* Private to analysis/: the tables of a rule set, opened when they are needed, and the values and depths of
 * numbered positions, implied cells included.
 *
 * Tables stay open as they were opened. A server must notice if the folder gets other files: tables_recheck
 * increments `asked`, and each table used afterwards is compared with its file once. A difference sets
 * `changed`, and the caller discards its answers since the recheck.
 *
 * Games of dice have two tables per quantity, of the kinds STREAMS_LOWER and STREAMS_UPPER, and the number of
 * the quantity takes the place of the plane. Scores and outcomes have one plane (0). Guarantees have two, 0
 * for the lower and 1 for the upper bound. Since a move changes the side to move, a bound of a position
 * follows from the opposite bounds of its children (plane_of_child).
 *
 * The entry of a slice is linked into its bucket once and stays there until tauler_close. Its tables appear
 * by an atomic store, under the lock; readers take no lock. The lock of a tauler_tables is held while an
 * entry is added or a file is opened, the lock of a tauler while a rule set is selected, lines_lock while a
 * question about a line of moves is answered, and whole_lock while `whole` is read or replaced.
 */
#ifndef ANALYSIS_PROBE_PROBE_TABLES_H
#define ANALYSIS_PROBE_PROBE_TABLES_H

#include <pthread.h>
#include <stdatomic.h>

#include "analysis/probe/tauler.h"
#include "databases/plain_slice.h"
#include "databases/table.h"
#include "games/game_chance.h"

/* EXACT_PLANE is the number of a table of values that serves as both planes, since all bounds of its slice
 * are equal. */
enum { MOST_PLANES = 2, EXACT_PLANE = 2, SLICE_BUCKETS = 256 };

typedef enum { STREAMS_VALUE, STREAMS_DEPTH, STREAMS_LOWER, STREAMS_UPPER, STREAMS_KINDS } stream_kind;

/* A table of a slice: its kind, and its plane or quantity. */
typedef struct {
  stream_kind kind;
  int plane;
} value_stream;

typedef struct answering answering;
typedef struct line_question line_question;
typedef struct slice_entry slice_entry;
struct slice_entry {
  uint32_t slice;
  uint64_t positions;
  int largest;                  /* largest possible |value|, or 0 for games of dice */
  chance_quantities quantities; /* quantities of a game of dice */
  slice_entry *next;
  _Atomic(table *) tables[STREAMS_KINDS][CHANCE_MOST_QUANTITIES];
  /* Value of `asked` when each table was last compared with its file. */
  _Atomic uint64_t compared[STREAMS_KINDS][CHANCE_MOST_QUANTITIES];
};

/* Plain values of the slice through which a program iterates (analysis/slices/numbered.c). */
typedef struct {
  uint32_t slice;
  uint64_t asked;             /* number of cells asked for while no cells were in memory */
  bool tried;                 /* loading was tried, whether or not it succeeded */
  int8_t *cells[MOST_PLANES]; /* NULL if they are not in memory */
} whole_slice;

/* Data that a module above this one stores with the tables of a rule set. */
typedef struct kept_lines kept_lines;
struct kept_lines {
  void (*close)(kept_lines *lines);
};

struct tauler {
  char **folders; /* names of the folders, ended by NULL. A table comes from the first folder that has it */
  const char *folder; /* names of all folders, for messages */
  /* Answers a question about a line of moves, which tables alone cannot answer. It takes lines_lock itself.
   * Errors: TAULER_NO_MEMORY, those of slice_table except TAULER_TABLE_MISSING, those of the game. */
  tauler_error (*after_line)(const line_question *asked, tauler_message *message);
  frame_cache *cache;
  size_t most_moves;
  double most_seconds; /* seconds of processor time for the search or the line of a question, or 0 for no
                          limit */
  /* True if nobody waits for the answer to the calling thread's question, which then ends early. May be
   * NULL. */
  bool (*stop)(void *user);
  void *user;
  pthread_mutex_t lock;
  tauler_tables *selected;
  _Atomic uint64_t asked;
  atomic_bool changed;
  atomic_size_t opened;
};

struct tauler_tables {
  tauler *db;
  const game *game;
  game_rules *rules;
  solve_kind kind;
  int planes;        /* 0 for games of dice */
  bool may_be_exact; /* slices with two planes may have one table of values */
  const answering *answers;
  /* The tables for the positions after converting moves: this object, unless game->fallback_cycles names
   * another cycle rule. Then worth_on_arrival bounds the positions after quiet moves. */
  tauler_tables *fallback;
  pthread_mutex_t lock;
  _Atomic(slice_entry *) buckets[SLICE_BUCKETS];
  pthread_mutex_t lines_lock;
  kept_lines *lines; /* data about lines of moves that were asked about, or NULL */
  pthread_rwlock_t whole_lock;
  whole_slice whole;
  tauler_tables *next;
};

/* Returns the error. If there is none, clears the message, which may be about a missing table. */
static inline tauler_error clear_message(tauler_error error, tauler_message *message) {
  if (!error && message) message->text[0] = '\0';
  return error;
}

static inline int plane_of_child(const tauler_tables *tables, int plane) {
  return tables->planes - 1 - plane;
}

/* True if a value of this plane guarantees nothing, so that it has no depth. */
static inline bool value_is_nothing(const tauler_tables *tables, int plane, int value, int largest) {
  if (tables->planes == 1) return value == 0;
  return value == (plane == 0 ? -largest : largest);
}

/* True if depths are stages (docs/proofs.md, "Own row"): numbers that order the proof of a bound, not
 * plies. */
static inline bool tables_have_stages(const tauler_tables *tables) {
  const game *game = tables->game;
  return tables->fallback == tables && game->repeated && game->repeated(tables->rules, 0, 0, 0, NULL);
}

/* True if the side to move forces the value, and so chooses the least depth. */
static inline bool mover_gains(const tauler_tables *tables, int plane, int value) {
  return tables->planes == 1 ? value > 0 : plane == 0;
}

/* Returns a bound of a position to which a quiet move leads. If guarantees hold after every history, the
 * position may have been met before: a lower bound is then at most, an upper one at least the result of a
 * repetition. */
int worth_on_arrival(const tauler_tables *tables, int plane, game_place place, int value);

/* Opens folders as tauler_open does, with the function that answers about lines of moves. */
tauler_error tables_open(const char *folder, const tauler_settings *settings,
                         tauler_error (*after_line)(const line_question *asked, tauler_message *message),
                         tauler **out, tauler_message *message);

/* Selects a rule set whose rules the caller has opened. Takes over the rules, also after an error. */
tauler_error tables_select(tauler *db, const game *chosen, game_rules *rules, tauler_tables **out,
                           tauler_message *message);

tauler_error value_of_position(tauler_tables *tables, const game_position *position, tauler_worth *worth,
                               tauler_message *message);

/* Returns NULL if out of memory. */
slice_entry *slice_entry_of(tauler_tables *tables, uint32_t slice, tauler_message *message);

/* Finds a slice, which may not exist. Errors: TAULER_BAD_USAGE (no such slice), TAULER_NO_MEMORY. */
tauler_error slice_entry_find(tauler_tables *tables, uint32_t slice, slice_entry **out,
                              tauler_message *message);

/* Opens the table if necessary; it stays open. It may be the one that serves as both planes. Errors:
 * TAULER_TABLE_MISSING (the message says how to build it), TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY.
 */
tauler_error slice_table(tauler_tables *tables, slice_entry *entry, stream_kind kind, int plane,
                         const table **out, tauler_message *message);

bool tables_stopped(const tauler *db);

/* True if tables_stopped, or if the question has used up its time. `began` is the processor time of the
 * thread at its start. */
bool tables_time_is_up(const tauler *db, double began);

/* Returns the number of tables of values: two per quantity of dice; otherwise one per plane, or 1 if an open
 * table serves as both bounds. */
int slice_streams(const tauler_tables *tables, const slice_entry *entry);
/* True if a table of values that serves as both bounds of the slice has been opened. */
bool slice_is_exact(const slice_entry *entry);
value_stream slice_stream(const tauler_tables *tables, int i);

/* Writes the digests of a slice's tables of values as in tauler_answer, and opens these tables. *first
 * becomes the first of them; `first` may be NULL. Errors: those of slice_table. */
typedef struct {
  char text[2 * CHANCE_MOST_QUANTITIES * TABLE_DIGEST_TEXT];
} slice_digests;
tauler_error slice_digests_of(tauler_tables *tables, slice_entry *entry, slice_digests *out,
                              const table **first, tauler_message *message);

/* Asks for a comparison of each table with its file when it is next used; a difference sets db->changed. */
void tables_recheck(tauler *db);

/* Counts the slices of the rule set whose first slice in the list is number i. */
size_t contents_count_rule_set(const tauler_contents *contents, size_t i);

bool rules_match_header(const game *game, const game_rules *rules, const table_header *header);

void slice_table_header(const tauler_tables *tables, const slice_entry *entry, stream_kind kind, int plane,
                        table_header *header);

/* *have becomes true if the slice has all its tables of depths. Errors: those of slice_table except
 * TAULER_TABLE_MISSING. */
tauler_error slice_open_depths(tauler_tables *tables, uint32_t slice, bool *have, tauler_message *message);

/* Writes the name of a position's slice for readers. */
void position_slice_name(const tauler_tables *tables, const game_position *position,
                         char name[GAME_TEXT_BYTES]);

tauler_error fail_beyond_tables(const tauler_tables *tables, const game_position *position,
                                tauler_message *message);

/* Returns TAULER_TABLE_MISSING with a message that tells how to build all that a request asks for. */
tauler_error fail_slice_missing(const tauler_tables *tables, const game_request *request, uint32_t slice,
                                bool with_depths, tauler_message *message);

/* Finds a value: the stored cell or, if the table leaves it out, the result of the moves. `known` is the cell
 * if the caller has read it, otherwise NULL. Errors: those of slice_table, TAULER_INTERNAL. */
tauler_error resolve_value(tauler_tables *tables, int plane, game_place place, const int64_t *known,
                           int *value, tauler_message *message);

/* *depth becomes TAULER_NO_DEPTH if the position has none. Errors: those of resolve_value. */
tauler_error resolve_depth(tauler_tables *tables, int plane, game_place place, int value, int *depth,
                           tauler_message *message);

/* Neighbouring positions whose depths are asked for, at most DEPTH_RANGE. */
enum { DEPTH_RANGE = 256 };
typedef struct {
  uint32_t slice;
  int plane;
  uint64_t first;
  size_t count;
  const int *values;       /* [count] values of the positions in this plane */
  const int64_t *cells;    /* [count] cells of the table of depths, or NULL if they have not been read */
  const solved_slice *all; /* plain values by slice, or NULL if none are in memory */
} depth_range;

/* Finds the depths of a range as resolve_depth does: depths[i] is that of the position first + i. */
tauler_error resolve_depths(tauler_tables *tables, const depth_range *range, int *depths,
                            tauler_message *message);

#endif
