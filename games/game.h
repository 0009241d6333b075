/* One interface for every game: what the solver and the probe library need to know of its rules.
 *
 * A game is a const table of functions; `open` makes a rule set of it (`game_rules`), immutable
 * from then on, so any number of threads and rule sets live side by side. Positions are numbered
 * per slice, 0 … N − 1; an index that stands for nothing has ended with value 0, no move leads there,
 * and its copies are 0. Slices form a DAG: a move stays in its slice (quiet) or goes to one earlier in
 * the solving order, or ends the game (converting). Slice numbers are below 2^20 and rise with what a
 * slice needs.
 *
 * Five levels, of which a game gives as many as pay:
 *   text    one position at a time, written to be read: parse, print, moves. All input and output of text
 *           uses only this level, and so does the proof check of games of dice.
 *   batches expand, retract, ended over lists of indexes of one slice, into a sink that the caller
 *           empties when it is full. The general solver and the proof check need no more. defaults.h makes
 *           them of the text level and the index, slowly; tests hold faster ones against these.
 *   grid    kernels over whole tiles of a slice, for games whose index has a structure to exploit;
 *   bitboards kernels over 64 cells, for games of win, draw and loss (game_bitboards.h);
 *   play    one position after the other for search, fast (game_play.h).
 * Games of dice have a page of their own in place of batches (game_chance.h).
 *
 * Games own what they allocate in open and in grid->prepare; a call may allocate for its own duration; they
 * know of no file, thread or message passing. README.md sketches the games against this page.
 */
#ifndef GAMES_GAME_H
#define GAMES_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/tauler_error.h"
#include "games/game_bitboards.h"

/* The kind of a solve; see README.md. scores: net result of the mover, infinite play worth 0. outcomes: 1, 0,
 * −1 with the distance to the end of the game, infinite play drawn. guarantees: what each side can force, two
 * bounds per position: by finite play, or where `repeated` says what a repetition pays also by staying where
 * it pays. chance: expectations under dice and choice. */
typedef enum { SOLVE_SCORES, SOLVE_OUTCOMES, SOLVE_GUARANTEES, SOLVE_CHANCE } solve_kind;

enum {
  GAME_TEXT_BYTES = 512,    /* longest canonical text of a position, NUL included */
  GAME_DRAWING_BYTES = 4096 /* longest drawing of a board */
};

/* The slice of a move that ends the game at once: its gain is then what the mover gets. */
#define GAME_OVER UINT32_MAX

/* The slice of a position that no slice has. */
#define GAME_NO_SLICE UINT32_MAX

typedef struct {
  uint32_t slice;
  uint64_t index;
} game_place;

/* One move of the position numbered `from` in the batch: its value is gain − value(to), or gain
 * alone where to.slice == GAME_OVER. Successors of one position are distinct places, each once. */
typedef struct {
  uint32_t from;
  int16_t gain;
  game_place to;
} game_edge;

/* Where a game puts edges. When it is full, game_sink_push has it flushed; a position may span flushes. */
typedef struct {
  game_edge *edges;
  size_t used, room;
  tauler_error (*flush)(void *user, const game_edge *edges, size_t n);
  void *user;
} game_sink;

tauler_error game_sink_flush(game_sink *sink);

static inline tauler_error game_sink_push(game_sink *sink, game_edge edge) {
  if (sink->used == sink->room) {
    const tauler_error error = game_sink_flush(sink);
    if (error) return error;
  }
  sink->edges[sink->used++] = edge;
  return TAULER_OK;
}

/* A position as the slow path sees it, side to move and captured pieces included. Each game lays
 * its own type over the words. Equal positions have equal words. */
typedef struct {
  uint64_t words[64];
} game_position;

/* A game's own type over the words: PREFIX_from_game reads it, PREFIX_to_game writes it with zeros behind. */
#define GAME_POSITION(type, prefix)                                                                          \
  _Static_assert(sizeof(type) <= sizeof(game_position), "a position must fit");                              \
  static inline type prefix##_from_game(const game_position *position) {                                     \
    type own;                                                                                                \
    memcpy(&own, position->words, sizeof own);                                                               \
    return own;                                                                                              \
  }                                                                                                          \
  static inline void prefix##_to_game(const type *own, game_position *out) {                                 \
    memset(out, 0, sizeof *out);                                                                             \
    memcpy(out->words, own, sizeof *own);                                                                    \
  }

typedef struct {
  const char *name;    /* of the move: "F", "a3a4", "K6-G9", of any length */
  game_position child; /* with the other side to move; meaningless if `over` */
  int gain;            /* for the mover, at once; the whole value of the move if `over` */
  bool over;           /* the move ends the game */
  bool converts;       /* leaves the slice or ends the game */
} game_move;

/* Moves of one position, in the game's order; freed with game_moves_free. */
typedef struct {
  game_move *moves;
  size_t used, room;
  size_t most; /* no more are added; 0: any number */
} game_moves;

/* Copies the move and its name; the copy lives as long as the list. Errors: TAULER_NO_MEMORY, also of one
 * more than the most. */
tauler_error game_moves_add(game_moves *moves, const game_move *move);
void game_moves_free(game_moves *moves);

/* Positions in the order of play; freed with game_past_free. */
typedef struct {
  game_position *positions;
  size_t used, room;
} game_past;

tauler_error game_past_add(game_past *past, const game_position *position);
void game_past_free(game_past *past);

/* The wanted slices, as the options of the command line name them. */
typedef struct {
  const char *largest;  /* "12" (seeds, pieces, players, tokens), or NULL */
  const char *material; /* "Lr", or NULL */
  const char *board;    /* "7x3", "63", a file, or NULL */
} game_request;

/* A slice in the solving order. */
typedef struct {
  uint32_t slice;
  bool asked;         /* by the request itself, not only needed by others */
  uint64_t positions; /* stored cells */
} game_slice;

typedef struct {
  game_slice *slices;
  size_t used;
} game_slices; /* freed by the caller with free(slices) */

/* The greatest number among them, 0 if there are none. */
uint32_t game_slices_largest(const game_slices *slices);

typedef struct game_rules game_rules;
typedef struct game_chance game_chance; /* game_chance.h */
typedef struct game_play game_play;     /* game_play.h */
typedef struct game_record game_record; /* game_record.h */

/* How a cell that a table leaves out comes back. */
typedef enum {
  LOOKUP_CONVERTING, /* best move among those that convert (or the value of an ended position) */
  LOOKUP_ALL         /* best of all moves */
} game_lookup;

/* Finished cells of smaller slices, for grid kernels: `count` cells of a plane from `first` on, as a
 * pointer into memory or copied to scratch; NULL after an error that the owner keeps. */
typedef struct {
  const int8_t *(*read)(void *user, uint32_t slice, int plane, uint64_t first, size_t count, int8_t *scratch);
  void *user;
} game_finished;

enum { GRID_PLANES = 2, GRID_UNKNOWN_DEPTH = 0xFFFF };

/* Tiles of a grid whose cells lie in the same blocks. A block is a run of neighbouring cells; tile i of a
 * group owns columns i · tile_columns … of each of the group's blocks, the last tile perhaps fewer.
 * tile_columns is a multiple of 8 unless there is one tile. Each column has `bounds` bounds, neighbours in
 * the kernel's own order, each block (columns + 7) / 8 bytes of changed cells. A slice in shards is cut along
 * its bands, in rising order: most moves should stay in a band or lead to a neighbour. Each shard has the
 * same part of the columns of all groups in one band; a game that names no bands has one. */
typedef struct {
  uint64_t first_tile, tiles;
  uint64_t first_block, blocks;
  uint64_t columns, tile_columns;
  uint64_t first_cell;    /* index */
  uint64_t first_changed; /* byte */
  uint64_t first_bound, bounds;
  uint32_t band;
} game_grid_group;

/* The columns of a group that are at work here, whole tiles, and where they stand in the arrays of their
 * owner: column c of block b at first_cell + (b − first_block) · width + (c − from), its changed cells
 * likewise in rows of changed_width bytes. Columns may be 0. */
typedef struct {
  uint64_t from, columns;
  uint64_t first_cell, first_changed, first_bound;
  uint64_t width, changed_width;
} game_grid_slab;

/* Finished cells from `first` on. */
typedef struct {
  uint32_t slice;
  uint64_t first, count;
} game_run;

typedef struct {
  game_run *runs;
  size_t used, room;
} game_runs; /* freed by the caller with free(runs) */

tauler_error game_runs_add(game_runs *runs, game_run run);

/* A slice as a grid while it is solved. A tile is what one thread works on: it alone writes its
 * cells, bounds, and its bytes of `next_changed`; it reads the cells and `changed` of the blocks that it
 * reads. The engine owns all arrays (cells are set to plan.open, the rest to zero). Two kinds of layout:
 * `cells`, `changed`, `known` cover the whole slice in index order, though only the blocks that tiles
 * here read need be there; `own`, `bounds`, `depths`, `next_changed` hold what the tiles here own, by slabs.
 * An owner of the whole slice has one slab per group that is all of it. Own and cells, and next_changed and
 * changed, may be the same: slabs are then columns of the whole slice. Planes of cells: one for scores (the
 * value so far); two for guarantees (lower, upper). Planes of changed cells are always two: cells whose mover
 * can force more, and cells against which more is forced. relax_lower takes in changed cells of the second
 * plane and writes to the first, relax_upper the other way round. */
typedef struct {
  uint32_t slice;
  int planes;
  const game_grid_slab *slabs;         /* one per group */
  const int8_t *cells[GRID_PLANES];    /* in index order */
  int8_t *own[GRID_PLANES];            /* by slabs */
  int8_t *bounds[GRID_PLANES];         /* by slabs, in the kernel's own order */
  uint16_t *depths[GRID_PLANES];       /* by slabs; NULL when values are solved */
  const uint8_t *changed[GRID_PLANES]; /* cells that changed and are not taken in yet */
  const uint8_t *known; /* laid out as changed cells: cells with changed cells of the first plane in an
                           earlier wave; NULL when values are solved */
  uint8_t *next_changed[GRID_PLANES]; /* by slabs: cells that change in this round */
  const uint8_t *dirty[GRID_PLANES];  /* a byte per block: has changed cells */
  uint8_t *next_dirty[GRID_PLANES];   /* a byte per block: has cells that change in this round */
  const game_finished *finished;
  /* Where cells that a tile changes while values are solved are written as well, in index order, so that the
   * tiles after it see them in this round: those of the blocks with a bit in `mirrored`. NULL: own and cells
   * are the same, or no tile reads them in this round. */
  int8_t *mirror[GRID_PLANES];
  const uint8_t *mirrored;
  uint16_t wave; /* of depths: the number of this round */
} game_grid_state;

typedef struct {
  uint64_t tiles;
  uint64_t bounds;        /* per plane; at least as many as positions */
  uint64_t changed_bytes; /* per plane: a bit per cell, in the kernel's own layout */
  uint64_t blocks;
  size_t groups;
  size_t scratch_bytes; /* per thread */
  int planes;
  int8_t open[GRID_PLANES]; /* what cells hold at first: nothing is known */
} game_grid_plan;

/* Kernels over tiles. Values: `begin` once per tile, then rounds of relax_lower and relax_upper in
 * turn until nothing changes. The result does not depend on the order of tiles or on whether cells
 * written in a round are seen in it, since cells only ever move away from open.
 * Depths: `begin_depths`, then `relax_depths` rounds with wave = 1, 2, …, which decide exactly the
 * cells of that depth. `lookup` writes the value of the best converting move of each position (or the value
 * of an ended one, or INT8_MIN where there is none) into bounds, which then stand as cells do in own.
 * `recover` puts back cells that a table left out: first pass LOOKUP_CONVERTING, then LOOKUP_ALL. All add the
 * number of cells that they changed to *n_changed. Errors: of finished->read, as TAULER_IO. */
typedef tauler_error game_grid_kernel(const void *tables, game_grid_state *state, uint64_t tile,
                                      void *scratch, uint64_t *n_changed);

typedef struct {
  /* Tables for all slices up to the largest; freed by release. Errors: TAULER_NO_MEMORY. */
  tauler_error (*prepare)(const game_rules *rules, uint32_t largest_slice, void **tables);
  void (*release)(void *tables);
  uint64_t (*prepared_bytes)(const game_rules *rules, uint32_t largest_slice);
  void (*plan)(const game_rules *rules, uint32_t slice, game_grid_plan *plan);
  /* Group i < plan.groups; tiles, blocks, cells, changed cells and bounds of groups follow each other without
   * gaps. */
  void (*group)(const game_rules *rules, uint32_t slice, size_t i, game_grid_group *out);
  /* Sets the bytes of the blocks whose cells or changed cells a tile reads while values or depths are solved
   * or cells recovered, and adds the runs of finished cells that begin, depths, lookup and recover read. */
  void (*reads)(const void *tables, uint32_t slice, uint64_t tile, uint8_t *blocks);
  tauler_error (*reads_finished)(const void *tables, uint32_t slice, uint64_t tile, game_runs *runs);
  game_grid_kernel *begin, *relax_lower, *relax_upper, *begin_depths, *relax_depths, *lookup;
  tauler_error (*recover)(const void *tables, game_grid_state *state, uint64_t tile, void *scratch,
                          game_lookup pass, const int8_t *reserved);
} game_grid;

/* Cells first … first + count − 1 of a slice, counted under a name in statistics; several names may have
 * cells in common. */
typedef struct {
  char name[GAME_TEXT_BYTES];
  uint64_t first, count;
} game_part;

/* A square of a track. */
typedef struct {
  const char *kind; /* "start", "goose", "end" */
  int to;           /* where it leads; -1: nowhere */
  int turns;        /* lost there */
  bool waits;       /* a token stays until another one comes */
} game_square;

/* A side of a game for two. */
typedef struct {
  const char *turn; /* as positions and records write it: "S" */
  const char *name; /* "South" */
} game_side;

enum { GAME_SIDES = 2 };

/* A game. Eight members are REQUIRED: name, open, parse, print, moves (of games of dice `chance` in its
 * place), positions, locate, position_at. GROUPS of defaults.h make others of them, slower than a game's own;
 * a game names a group in its table or gives all members of that group itself. OPTIONAL members are NULL
 * where a game has none, and their comments say what holds then. Games of dice give `chance` in place of
 * moves and batches. */
typedef struct game {
  const char *name;        /* REQUIRED: "auale" */
  const char *title;       /* OPTIONAL: one line for people; NULL: the name */
  const char *other_names; /* OPTIONAL: "oware awari": other names of the same game, which select it too */
  const char *rule_sets;   /* OPTIONAL: help text: rule sets and flags; NULL: there is no choice */
  const char *notation;    /* OPTIONAL: help text; NULL: the example shows it */
  const char *example;     /* OPTIONAL: a position; NULL: the start */
  const char *unit;        /* GAME_ONE_SLICE: what a position is called: "boards" */
  const char
      *size_option; /* OPTIONAL: the option that says what to build: "seeds"; NULL: nothing is to be said */
  const char *size_help;  /* GAME_ONE_SLICE: what there is to build */
  const char *slice_unit; /* OPTIONAL: of slices named by a number: what it counts, "seeds" */
  const char *other_size; /* OPTIONAL: another such option; NULL: there is none */
  const game_side *sides; /* OPTIONAL: two, the first to move first; NULL: no records are read */
  const char *start;      /* OPTIONAL: the position that games begin with; NULL: a record says it */
  const game_record
      *record;            /* OPTIONAL: game_record.h; NULL: records have moves by their names, and no more */
  uint32_t index_version; /* OPTIONAL: from 1, raised whenever a numbering changes; 0: it is 1 */

  /* --- rule sets --- */

  /* REQUIRED. `rules` and `cycles` as on the command line, NULL for the default. Errors: TAULER_BAD_USAGE,
   * TAULER_NO_MEMORY. */
  tauler_error (*open)(const char *rules, const char *cycles, game_rules **out, tauler_message *message);
  void (*close)(game_rules *rules);                    /* GAME_RULES */
  const char *(*rules_text)(const game_rules *rules);  /* GAME_RULES: canonical */
  solve_kind (*kind)(const game_rules *rules);         /* GAME_OUTCOMES */
  const char *(*cycles_text)(const game_rules *rules); /* GAME_OUTCOMES: canonical; "": there is no choice */
  int (*largest_value)(const game_rules *rules, uint32_t slice); /* GAME_OUTCOMES: |value| never exceeds it */

  /* OPTIONAL. For guarantees on every history: the cycle rule whose tables give the value after a converting
   * move. A quiet move is worth the lesser of the child's value and what the child pays if it repeats;
   * `repeated` gives ended positions their value. NULL, or returning NULL: these rules' own tables give it.
   */
  const char *(*fallback_cycles)(const game_rules *rules);

  /* OPTIONAL. The content of a file given with --board, as a flag of the rules ("board=…"). NULL: boards are
   * no files. Errors: TAULER_BAD_USAGE, TAULER_IO. */
  tauler_error (*board_flag)(const char *file, char flag[GAME_TEXT_BYTES], tauler_message *message);

  /* OPTIONAL. The kind of a square of the track, as the flags have made it; the start is number 0. False
   * beyond the last. NULL: there is no track. */
  bool (*square)(const game_rules *rules, int number, game_square *out);

  /* --- one position at a time --- */

  /* REQUIRED. parse also plays the moves of "POSITION moves …"; text from outside comes by game_text_parse.
   */
  tauler_error (*parse)(const game_rules *rules, const char *text, game_position *out,
                        tauler_message *message);
  void (*print)(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]);
  tauler_error (*moves)(const game_rules *rules, const game_position *position, game_moves *out);

  /* GAME_STUCK_LOSES. True with the mover's value where no move is left. */
  bool (*position_ended)(const game_rules *rules, const game_position *position, int *value);

  void (*draw)(const game_rules *rules, const game_position *position,
               char text[GAME_DRAWING_BYTES]);                                 /* GAME_TEXTS */
  const char *(*turn)(const game_rules *rules, const game_position *position); /* GAME_TEXTS */

  /* OPTIONAL. The expected end result of both sides, from the value; false where a position carries no
   * stores. NULL: none carries any. */
  bool (*final)(const game_rules *rules, const game_position *position, double value, double out[2]);

  /* OPTIONAL. parse that also adds the positions on the way to `past`, all but the last, which is `out`.
   * NULL: under no rule set does the first repetition end play. */
  tauler_error (*parse_line)(const game_rules *rules, const char *text, game_position *out, game_past *past,
                             tauler_message *message);

  /* OPTIONAL. Lines of play of so many plies from a position; those that end sooner are none. `made`: the
   * moves of the last ply are made, else only counted. NULL: they are not counted. */
  uint64_t (*leaves)(const game_rules *rules, const game_position *position, int plies, bool made);

  /* --- slices and the index --- */

  /* GAME_ONE_SLICE. slices: those asked for and all they need; every slice stands behind those that it needs.
   * slice_of: GAME_NO_SLICE where there is none. */
  tauler_error (*slices)(const game_rules *rules, const game_request *request, game_slices *out,
                         tauler_message *message);
  void (*slice_name)(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);
  uint32_t (*slice_of)(const game_rules *rules, const game_position *position);

  /* REQUIRED. locate: false for positions that no table holds. */
  uint64_t (*positions)(const game_rules *rules, uint32_t slice);
  bool (*locate)(const game_rules *rules, const game_position *position, game_place *out);
  void (*position_at)(const game_rules *rules, game_place place, game_position *out);

  /* OPTIONAL. How many positions an index stands for, of `count` from `first` on. NULL: 1 each. */
  void (*copies)(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);

  /* OPTIONAL. Writes a position as numbers (tauler_boards_at) and returns how many; `out` may be NULL. */
  size_t (*numbers)(const game_rules *rules, const game_position *position, int8_t *out);
  /* OPTIONAL. Positions of a slice that have no index (no move leads to them): how many, and the i-th. NULL:
   * none. expand_outside lists the moves of outside positions first … first + count − 1, as expand does;
   * ended ones have none. NULL: by `moves`. */
  uint64_t (*outside)(const game_rules *rules, uint32_t slice);
  void (*outside_at)(const game_rules *rules, uint32_t slice, uint64_t i, game_position *out);
  tauler_error (*expand_outside)(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                                 game_sink *sink);

  /* OPTIONAL, of games with many slices. */
  /* The slices that moves of this one lead to, itself left out, as slices() lists them. NULL: all before it.
   */
  tauler_error (*needs)(const game_rules *rules, uint32_t slice, game_slices *out, tauler_message *message);
  /* The slice of a table's name. NULL: the name of one of those asked for. */
  bool (*slice_named)(const game_rules *rules, const char *name, uint32_t *slice);
  /* The folder below that of the rule set in which a slice's tables stand. NULL: that itself. */
  void (*slice_folder)(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);
  /* The options that ask for a slice, for messages: "--material Lr". NULL: size_option and the slice's name.
   */
  void (*size_text)(const game_rules *rules, uint32_t slice, char text[GAME_TEXT_BYTES]);
  /* Rows of a slice's own in statistics; false beyond the last. NULL: one row, the slice's name, all cells.
   */
  bool (*part)(const game_rules *rules, uint32_t slice, size_t i, game_part *out);
  /* True if a request is about a part of a slice that it asks for. NULL: about all. */
  bool (*part_asked)(const game_rules *rules, const game_request *request, const game_part *part);
  /* The name of a position's slice, for people; also of a position without slice. NULL: the slice's name. */
  void (*position_slice)(const game_rules *rules, const game_position *position, char name[GAME_TEXT_BYTES]);
  /* The next smaller slice whose play is alike, for estimates of time and traffic; GAME_NO_SLICE: there is
   * none. NULL, or the slice itself: it and the slices that it needs are small enough to measure. */
  uint32_t (*alike)(const game_rules *rules, uint32_t slice);

  /* --- batches over n indexes of a slice --- */

  /* GAME_BATCHES. ended: value of each, GAME_NOT_ENDED where play goes on. expand: all moves of positions
   * that have not ended. retract: quiet predecessors, as edges (from: ordinal of the given child, to: the
   * predecessor), each as often as expand gives the child; it may be NULL, and every wave looks at all open
   * positions then. */
  tauler_error (*ended)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                        int16_t *value);
  tauler_error (*expand)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         game_sink *sink);
  tauler_error (*retract)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                          game_sink *sink);

  /* OPTIONAL. For guarantees where the first repetition since the last converting move ends play: the mover's
   * net result if that happens on the positions first … first + count − 1. false: under these rules it does
   * not end play (asked with count 0 as well). NULL: under none. */
  bool (*repeated)(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, int8_t *value);

  /* OPTIONAL. Cells that tables do without. left_out: sets out[i] for the cells first + i that a table never
   * stores because LOOKUP_ALL gives them back. NULL: there are none. lookup: how a reserved cell comes back.
   * NULL: none is reserved but those left out. */
  void (*left_out)(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);
  game_lookup (*lookup)(const game_rules *rules, game_place place);

  /* --- OPTIONAL: more speed, and dice --- */

  const game_grid *grid;           /* kernels over tiles */
  const game_bitboards *bitboards; /* of outcomes: kernels over 64 cells */
  const game_play *play;           /* game_play.h: NULL: searches use the text level, slowly */
  const game_chance *chance;       /* of SOLVE_CHANCE, in place of ended, expand, retract and moves */
} game;

/* The version of its indexes. */
static inline uint32_t game_index_version(const game *game) {
  return game->index_version ? game->index_version : 1;
}

/* The texts of the help for a game: its own, or the fallbacks. */
typedef struct {
  const char *title, *rule_sets, *notation, *example;
} game_help;

game_help game_help_of(const game *game);

/* True if the first repetition ends play. */
static inline bool game_ends_by_repetition(const game *game, const game_rules *rules) {
  return game->repeated && game->repeated(rules, 0, 0, 0, NULL);
}

/* True if guarantees are those on a fresh history, right after a converting move: there they may meet, so
 * that the position has a value. */
static inline bool game_may_be_exact(const game *game, const game_rules *rules) {
  return game_ends_by_repetition(game, rules) && !(game->fallback_cycles && game->fallback_cycles(rules));
}

/* The name of a slice in statistics: its part where it has just one, else the slice itself. */
void game_slice_title(const game *game, const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);

enum { GAME_NOT_ENDED = INT16_MIN };

/* The slice of a table's name behind all that it needs; the list is empty when the game has no such slice.
 * Errors: TAULER_NO_MEMORY, of game->needs. */
tauler_error game_slices_under(const game *game, const game_rules *rules, const char *name, game_slices *out,
                               tauler_message *message);

#endif
