/* Inside the probe library: the tables of a rule set, opened as they are needed, and the values and
 * depths of numbered positions with implied cells put back. Private to analysis/.
 *
 * Tables stay open as they were opened. A server must notice when the folder holds other files:
 * tables_recheck increments `asked`, and each table used from then on is compared with its file once; a
 * difference sets `changed`, and the caller discards its answers since then. Without a recheck `asked` stays
 * 0 and costs one load.
 *
 * Games of dice have a table per quantity and bound, named by STREAMS_LOWER and STREAMS_UPPER, with the
 * quantity in place of the plane. Planes: scores and outcomes have one (0); guarantees have two, 0 the lower
 * and 1 the upper bound. A move turns the board, so what one plane says of a position follows from
 * plane_of_child of the next.
 *
 * A slice's entry is linked into its bucket once and never taken out; its tables appear by an atomic
 * store, under the lock. Readers take no lock. The lock of a tauler_tables is held while a file is
 * opened, that of a tauler only in tauler_select; lines_lock while lines of play are searched.
 */
#ifndef ANALYSIS_PROBE_PROBE_TABLES_H
#define ANALYSIS_PROBE_PROBE_TABLES_H

#include <pthread.h>
#include <stdatomic.h>

#include "analysis/probe/tauler.h"
#include "databases/plain_slice.h"
#include "databases/table.h"
#include "games/game_chance.h"

/* EXACT_PLANE: where bounds may meet, the table of values that stands for both. */
enum { MOST_PLANES = 2, EXACT_PLANE = 2, SLICE_BUCKETS = 256 };

typedef enum { STREAMS_VALUE, STREAMS_DEPTH, STREAMS_LOWER, STREAMS_UPPER, STREAMS_KINDS } stream_kind;

/* A table of values: its kind, and its plane or quantity. */
typedef struct {
  stream_kind kind;
  int plane;
} value_stream;

typedef struct answering answering;         /* answer.h */
typedef struct line_question line_question; /* answer.h */
typedef struct slice_entry slice_entry;
struct slice_entry {
  uint32_t slice;
  uint64_t positions;
  int largest;                  /* |value| never exceeds it; of dice 0 */
  chance_quantities quantities; /* of dice */
  slice_entry *next;
  _Atomic(table *) tables[STREAMS_KINDS][CHANCE_MOST_QUANTITIES];
  _Atomic uint64_t compared[STREAMS_KINDS][CHANCE_MOST_QUANTITIES]; /* `asked` when it was last compared */
};

/* Plain values of the slice that a program goes through (slices/whole.h). */
typedef struct {
  uint32_t slice;
  uint64_t asked;             /* cells, one by one; 0: no slice yet */
  bool tried;                 /* it was loaded, or cannot be */
  int8_t *cells[MOST_PLANES]; /* NULL: not in memory */
} whole_slice;

/* What a room above keeps with the tables of a rule set. */
typedef struct kept_lines kept_lines;
struct kept_lines {
  void (*close)(kept_lines *lines);
};

struct tauler {
  char *folder;
  /* Answers what tables alone do not know; takes turns by lines_lock of the fallback. Errors:
   * TAULER_NO_MEMORY, of the game. */
  tauler_error (*after_line)(const line_question *asked, tauler_message *message);
  frame_cache *cache;
  size_t most_moves;
  double most_seconds; /* of processor time that a question searches or plays a line; 0: no limit */
  bool (*stop)(
      void *user); /* or NULL; true: nobody waits for what the calling thread asks, which ends early */
  void *user;      /* of stop */
  pthread_mutex_t lock;
  tauler_tables *selected;
  _Atomic uint64_t asked;
  atomic_bool changed;
  atomic_size_t opened; /* tables */
};

struct tauler_tables {
  tauler *db;
  const game *game;
  game_rules *rules;
  solve_kind kind;
  int planes;               /* of dice 0 */
  bool may_be_exact;        /* slices of two planes may have one table of values */
  const answering *answers; /* with dice or without */
  /* Those that say what converting moves lead to: these, unless the game has others (game->fallback_cycles).
   * Quiet moves are then worth what worth_on_arrival says. */
  tauler_tables *fallback;
  pthread_mutex_t lock;
  _Atomic(slice_entry *) buckets[SLICE_BUCKETS];
  pthread_mutex_t lines_lock;
  kept_lines *lines; /* of lines of moves that were asked about; NULL: none yet */
  pthread_rwlock_t whole_lock;
  whole_slice whole;
  tauler_tables *next;
};

/* The end of a public function: without an error there is no message, though something was missing on the
 * way. */
static inline tauler_error clear_message(tauler_error error, tauler_message *message) {
  if (!error && message) message->text[0] = '\0';
  return error;
}

static inline int plane_of_child(const tauler_tables *tables, int plane) {
  return tables->planes - 1 - plane;
}

/* True if a value of that plane guarantees nothing, so that it has no depth. */
static inline bool value_is_nothing(const tauler_tables *tables, int plane, int value, int largest) {
  if (tables->planes == 1) return value == 0;
  return value == (plane == 0 ? -largest : largest);
}

/* True if depths are stages (docs/proofs.md, "Own row"): numbers that order how a bound is proven, not
 * plies. */
static inline bool tables_have_stages(const tauler_tables *tables) {
  const game *game = tables->game;
  return tables->fallback == tables && game->repeated && game->repeated(tables->rules, 0, 0, 0, NULL);
}

/* True if the side to move is the one that makes the value good, and so takes the least depth. */
static inline bool mover_gains(const tauler_tables *tables, int plane, int value) {
  return tables->planes == 1 ? value > 0 : plane == 0;
}

/* The value of a position to which a quiet move has led, where guarantees hold whatever was met before: it
 * may have been met. Elsewhere the value as it is. */
int worth_on_arrival(const tauler_tables *tables, int plane, game_place place, int value);

/* tauler_open, and what answers about lines of moves. */
tauler_error tables_open(const char *folder, const tauler_settings *settings,
                         tauler_error (*after_line)(const line_question *asked, tauler_message *message),
                         tauler **out, tauler_message *message);

/* tauler_select for a game that is at hand; takes over the rules. */
tauler_error tables_select(tauler *db, const game *chosen, game_rules *rules, tauler_tables **out,
                           tauler_message *message);

/* The value of a position that was read, without depths; the errors of tauler_value. */
tauler_error value_read(tauler_tables *tables, const game_position *position, tauler_worth *worth,
                        tauler_message *message);

/* NULL: no memory. */
slice_entry *slice_entry_of(tauler_tables *tables, uint32_t slice, tauler_message *message);

/* The same for a number that a caller gives. Errors: TAULER_BAD_USAGE (no such slice), TAULER_NO_MEMORY. */
tauler_error slice_entry_asked(tauler_tables *tables, uint32_t slice, slice_entry **out,
                               tauler_message *message);

/* The table of a slice and stream; it stays open. Errors: TAULER_TABLE_MISSING (the message says how to
 * build it), TAULER_DAMAGED_FILE (also: not what its path says), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error slice_table(tauler_tables *tables, slice_entry *entry, stream_kind kind, int plane,
                         const table **out, tauler_message *message);

/* True if nobody waits for what the calling thread asks. */
bool tables_stopped(const tauler *db);

/* The same, or a question that began at this time of the thread's clock has had its time. */
bool tables_time_is_up(const tauler *db, double began);

/* The tables of a slice's values; of dice two per quantity. */
int slice_streams(const tauler_tables *tables, const slice_entry *entry);
/* True if the slice has one table of values for both bounds, as far as its tables have been opened. */
bool slice_is_exact(const slice_entry *entry);
value_stream slice_stream(const tauler_tables *tables, int i);

/* The digests of these, "LOWER+UPPER", which are open then; the first of them in *first (or NULL). Errors: as
 * slice_table. */
typedef struct {
  char text[2 * CHANCE_MOST_QUANTITIES * TABLE_DIGEST_TEXT];
} slice_digests;
tauler_error slice_digests_of(tauler_tables *tables, slice_entry *entry, slice_digests *out,
                              const table **first, tauler_message *message);

/* From now on tables are compared with their files as they are used, and db->changed is set by a difference.
 */
void tables_recheck(tauler *db);

/* Fills in the header of a slice's table as far as it follows from the rules. */
void slice_table_header(const tauler_tables *tables, const slice_entry *entry, stream_kind kind, int plane,
                        table_header *header);

/* True if the slice's depths can be had; *have is false when a table of them is missing. Errors: as above,
 * save TAULER_TABLE_MISSING. */
tauler_error slice_has_depths(tauler_tables *tables, uint32_t slice, bool *have, tauler_message *message);

/* The name of a position's slice, for people. */
void position_slice_name(const tauler_tables *tables, const game_position *position,
                         char name[GAME_TEXT_BYTES]);

/* Says that no table can hold a position: TAULER_TABLE_MISSING. */
tauler_error position_is_beyond(const tauler_tables *tables, const game_position *position,
                                tauler_message *message);

/* Says that a slice has no table, and how to build all that a request asks for: TAULER_TABLE_MISSING. */
tauler_error slice_is_missing(const tauler_tables *tables, const game_request *request, uint32_t slice,
                              bool with_depths, tauler_message *message);

/* The value of a position, from its stored cell, or a lookup of its moves where the table leaves it out.
 * `known`: the cell, where it is read already; else NULL. Errors: as slice_table. */
tauler_error resolve_value(tauler_tables *tables, int plane, game_place place, const int64_t *known,
                           int *value, tauler_message *message);

/* The depth of a position whose value is known; TAULER_NO_DEPTH where it has none. */
tauler_error resolve_depth(tauler_tables *tables, int plane, game_place place, int value, int *depth,
                           tauler_message *message);

/* Positions side by side whose depths are asked for, at most DEPTH_RANGE. */
enum { DEPTH_RANGE = 256 };
typedef struct {
  uint32_t slice;
  int plane;
  uint64_t first;
  size_t count;
  const int *values;
  const int64_t *cells;    /* of the table of depths, read already; or NULL */
  const solved_slice *all; /* plain values by slice, where they are in memory; or NULL */
} depth_range;

/* The same for all of them: depths[i] of the position first + i. */
tauler_error resolve_depths(tauler_tables *tables, const depth_range *range, int *depths,
                            tauler_message *message);

#endif
