/* Declares the interface of every game, by which the solver and the probe library know its rules.
 *
 * A game is a const table of texts and functions. Its `open` makes a rule set (`game_rules`). Several threads
 * may use a rule set at once, and several rule sets may be open. Positions are numbered per slice, 0 … N − 1.
 * An unused index is reported as ended with value 0; no move leads to it, and `copies` writes 0 for it.
 * Slices form a DAG: a quiet move stays in its slice, a converting move leads to a slice solved earlier or
 * ends the game. A slice number is below 2^20, and greater than the numbers of the slices that it needs.
 *
 * A game implements as many of these six levels as are worth their code:
 *   text      One position at a time, written to be read: parse, print, moves. All input and output of
 *             text uses only this level, and so does the proof check of games of dice.
 *   batches   expand, retract and ended over lists of indexes of one slice; edges go to a sink, which
 *             the caller empties when it is full. The general solver and the proof check need no more.
 *             defaults.h derives slow batches from the text level and the index; tests compare faster
 *             ones to these.
 *   grid      Kernels over whole tiles of a slice, for games whose index has a structure to exploit
 *             (game_grid.h).
 *   bitboards Kernels over 64 cells, for games of win, draw and loss (game_bitboards.h).
 *   play      One position after the other, fast, for search (game_play.h).
 *   proof     Values compared with their moves, many cells at a time, for verify (game_proof.h).
 * Games of dice implement game_chance.h in place of batches.
 *
 * Memory that a game allocates is freed by the function beside the one that allocates it (open and close,
 * grid->prepare and release). Lists belong to the caller. Games start no threads and send no messages, and
 * only board_flag reads a file. games/README.md describes the games in these terms. */
#ifndef GAMES_GAME_H
#define GAMES_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/tauler_error.h"
#include "games/game_bitboards.h"

/* The kind of a solve (games/README.md). Scores: net result of the mover; infinite play is worth 0. Outcomes:
 * 1, 0 or −1 with the distance to the end of the game; infinite play is a draw. Guarantees: what each side
 * can force by finite play, as two bounds per position; if `repeated` says what a repetition pays, a side may
 * also force a repetition. Chance: expectations under dice and choice. */
typedef enum { SOLVE_SCORES, SOLVE_OUTCOMES, SOLVE_GUARANTEES, SOLVE_CHANCE } solve_kind;

enum {
  GAME_TEXT_BYTES = 512,    /* longest canonical text of a position in bytes, NUL included */
  GAME_DRAWING_BYTES = 4096 /* longest drawing of a board in bytes, NUL included */
};

/* The slice of a move that ends the game at once. The move's gain is then its whole value. */
#define GAME_OVER UINT32_MAX

/* The slice of a position that belongs to none. */
#define GAME_NO_SLICE UINT32_MAX

typedef struct {
  uint32_t slice;
  uint64_t index;
} game_place;

/* One move of the position numbered `from` in the batch. Its value is gain − value(to), or the gain alone if
 * to.slice == GAME_OVER. The successors of a position are distinct places, each listed once; moves that end
 * the game are listed once for each gain. */
typedef struct {
  uint32_t from;
  int16_t gain;
  game_place to;
} game_edge;

/* A buffer to which a game writes edges. If it is full, game_sink_push flushes it; the edges of one position
 * may be split between flushes. */
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

/* A position of the text level, with the side to move. Each game defines its own type over the words. Equal
 * positions have equal words. */
typedef struct {
  uint64_t words[64];
} game_position;

/* Defines two conversions of a game's own type. PREFIX_from_game reads it from the words of a position.
 * PREFIX_to_game writes it and fills the other words with zeros. */
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
  const char *name;    /* "F", "a3a4", "K6-G9", of any length */
  game_position child; /* position after the move, with the next side to move, unless `over` */
  int gain;            /* whole value of the move if `over`, otherwise the mover's gain by the move itself */
  bool over;           /* true if the move ends the game */
  bool converts;       /* true if the move leaves the slice or ends the game */
} game_move;

/* Moves of one position in the game's order. The caller frees them with game_moves_free. */
typedef struct {
  game_move *moves;
  size_t used, room;
  size_t most; /* largest number of moves, or 0 for no limit */
} game_moves;

/* Adds a copy of the move and of its name; both live as long as the list. Errors: TAULER_NO_MEMORY, also if
 * the list already has `most` moves. */
tauler_error game_moves_add(game_moves *moves, const game_move *move);
void game_moves_free(game_moves *moves);

/* Positions in the order of play. The caller frees them with game_past_free. */
typedef struct {
  game_position *positions;
  size_t used, room;
} game_past;

tauler_error game_past_add(game_past *past, const game_position *position);
void game_past_free(game_past *past);

/* The wanted slices, as the options of the command line name them. An option that is not given is NULL. */
typedef struct {
  const char *largest;  /* "12": seeds, pieces, players or tokens */
  const char *material; /* "Lr" */
  const char *board;    /* "7x3". NULL if boards of the game are flags (board_flag) */
} game_request;

/* A slice in the solving order. */
typedef struct {
  uint32_t slice;
  bool asked;         /* true if the request names it, false if only other slices need it */
  uint64_t positions; /* number of indexes */
} game_slice;

typedef struct {
  game_slice *slices;
  size_t used;
} game_slices;

/* Adds a slice. After an error the list is empty. Errors: TAULER_NO_MEMORY. */
tauler_error game_slices_add(game_slices *slices, game_slice slice, tauler_message *message);

/* Returns the greatest slice number in the list, or 0 if the list is empty. */
uint32_t game_slices_largest(const game_slices *slices);
uint64_t game_slices_positions(const game_slices *slices);

typedef struct game_rules game_rules;
typedef struct game_chance game_chance;
typedef struct game_grid game_grid;
typedef struct game_play game_play;
typedef struct game_proof game_proof;
typedef struct game_record game_record;
typedef struct game_notation game_notation;
typedef struct game_book game_book;

/* The moves from which a reader computes a cell that a table leaves out. */
typedef enum {
  LOOKUP_CONVERTING, /* the best converting move, or the value of an ended position */
  LOOKUP_ALL         /* the best of all moves */
} game_lookup;

/* Classes of positions with similar values, by which tables of values sort cells (databases/FORMAT.md). A
 * class follows from the position alone and takes little time to find. */
typedef struct {
  uint32_t version; /* counted from 1, raised whenever a class changes */
  bool (*are_used)(const game_rules *rules,
                   uint32_t slice); /* true if tables that are built now use classes */
  /* `open` returns the data of a slice that `find` reads, or NULL if there is no memory. `close` frees them.
   * `find` writes the classes of positions first … first + count − 1; any thread may call it. */
  void *(*open)(const game_rules *rules, uint32_t slice);
  void (*close)(void *opened);
  void (*find)(const void *opened, uint64_t first, size_t count, uint8_t *out);
} game_classes;

/* Neighbouring cells of a slice that statistics count under one name. A cell may belong to several parts. */
typedef struct {
  char name[GAME_TEXT_BYTES];
  uint64_t first, count;
} game_part;

/* A square of a track. */
typedef struct {
  const char *kind; /* "start", "goose", "end" */
  int to;           /* square to which it leads, or −1 */
  int turns;        /* turns that a player loses there */
  bool waits;       /* true if a token waits there until another one comes */
} game_square;

/* A side of a game for two. */
typedef struct {
  const char *turn; /* the letter in positions and records: "S" */
  const char *name; /* "South" */
} game_side;

enum { GAME_SIDES = 2 };

/* A game. A game must give the eight REQUIRED members: name, open, parse, print, moves (for games of dice,
 * `chance`), positions, locate, position_at. The comment of another member may name a GROUP, a macro of
 * defaults.h that derives some members, slower than a game's own. A game writes the macro in its table, or
 * gives all members of the group itself, of which only `retract` and, in games of dice, all batches may be
 * NULL. An OPTIONAL member may be NULL; its comment says what that means. */
typedef struct game {
  const char *name;          /* REQUIRED: "auale" */
  const char *title;         /* OPTIONAL: one line for readers. NULL: the name */
  const char *other_names;   /* OPTIONAL: other names that select the game: "oware awari". NULL: none */
  const char *rule_sets;     /* OPTIONAL: help text on rule sets and flags. NULL: there is no choice */
  const char *notation;      /* OPTIONAL: help text on notation. NULL: the example suffices */
  const char *example;       /* OPTIONAL: a position. NULL: the start */
  const char *unit;          /* GAME_ONE_SLICE: plural of a position: "boards" */
  const char *size_option;   /* OPTIONAL: option that selects what is built: "seeds". NULL: all is built */
  const char *size_help;     /* GAME_ONE_SLICE: help text on what can be built */
  const char *slice_unit;    /* OPTIONAL: unit of the number that names a slice: "seeds". NULL: none */
  const char *other_size;    /* OPTIONAL: a second option like size_option. NULL: there is none */
  const game_side *sides;    /* OPTIONAL: [GAME_SIDES] in order of first moves. NULL: no records are read */
  const char *start;         /* OPTIONAL: the first position of a game. NULL: each record has its own */
  const game_record *record; /* OPTIONAL: game_record.h. NULL: records have moves by name only */
  const game_notation *notations; /* OPTIONAL: game_record.h. The list ends with a name of NULL. NULL: none */
  const game_book *book;          /* OPTIONAL: game_record.h. NULL: export has no format of other programs */
  uint32_t
      index_version; /* OPTIONAL: counted from 1, raised whenever an index changes its meaning. 0 means 1 */

  /* --- rule sets --- */

  /* REQUIRED. `rules` and `cycles` are as on the command line, NULL for the default. Errors:
   * TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
  tauler_error (*open)(const char *rules, const char *cycles, game_rules **out, tauler_message *message);
  void (*close)(game_rules *rules);                   /* GAME_RULES */
  const char *(*rules_text)(const game_rules *rules); /* GAME_RULES: canonical text of the rules */
  solve_kind (*kind)(const game_rules *rules);        /* GAME_OUTCOMES */
  const char *(*cycles_text)(
      const game_rules *rules); /* GAME_OUTCOMES: canonical name, or "" if there is no choice */
  int (*largest_value)(const game_rules *rules, uint32_t slice); /* GAME_OUTCOMES: largest |value| */

  /* OPTIONAL. Returns the name of the cycle rule whose tables have the values after converting moves, or NULL
   * if the tables of these rules have them. Rules have such a fallback if their values are guarantees on
   * every history, since the history after a converting move is fresh. The child of a quiet move may have
   * been met before, so a side gets from this move its guarantee in the child or what the child pays if it
   * repeats, whichever is less. For an ended child `repeated` must return its value. NULL: no rule set has
   * such a cycle rule. */
  const char *(*fallback_cycles)(const game_rules *rules);

  /* OPTIONAL. Writes the board that --board names, a file or a name that the game knows, as a flag of the
   * rules ("board=…"). NULL: boards are no flags. Errors: TAULER_BAD_USAGE, TAULER_IO. */
  tauler_error (*board_flag)(const char *file, char flag[GAME_TEXT_BYTES], tauler_message *message);

  /* OPTIONAL. Describes a square of the track, whose start is square 0. Returns false beyond the last. NULL:
   * there is no track. */
  bool (*square)(const game_rules *rules, int number, game_square *out);

  /* --- one position at a time --- */

  /* REQUIRED. `parse` also plays the moves of "POSITION moves …". Use game_text_parse for text of users. */
  tauler_error (*parse)(const game_rules *rules, const char *text, game_position *out,
                        tauler_message *message);
  void (*print)(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]);
  tauler_error (*moves)(const game_rules *rules, const game_position *position, game_moves *out);

  /* GAME_STUCK_LOSES. True if the game has ended; *value is then the mover's value. */
  bool (*position_ended)(const game_rules *rules, const game_position *position, int *value);

  /* GAME_TEXTS. `turn` returns the letter of the side to move or, with dice, the number of the seat. */
  void (*draw)(const game_rules *rules, const game_position *position, char text[GAME_DRAWING_BYTES]);
  const char *(*turn)(const game_rules *rules, const game_position *position);

  /* OPTIONAL. Computes the expected final results of both sides, in the order of `sides`, from the value.
   * Returns false for a position without stores. NULL: no position has stores. */
  bool (*final)(const game_rules *rules, const game_position *position, double value, double out[2]);

  /* OPTIONAL. Does what parse does, and adds all positions before `out` to `past`. NULL: no repetition ends
   * play. */
  tauler_error (*parse_line)(const game_rules *rules, const char *text, game_position *out, game_past *past,
                             tauler_message *message);

  /* OPTIONAL. Returns the number of lines of exactly `plies` plies from a position. If `made`, the moves of
   * the last ply are made, otherwise they are only counted. NULL: lines are not counted. */
  uint64_t (*leaves)(const game_rules *rules, const game_position *position, int plies, bool made);

  /* --- slices and the index --- */

  /* GAME_ONE_SLICE. `slices` lists the slices that a request names and all that they need, each after those
   * that it needs. `slice_of` returns GAME_NO_SLICE if the position has no slice. */
  tauler_error (*slices)(const game_rules *rules, const game_request *request, game_slices *out,
                         tauler_message *message);
  void (*slice_name)(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);
  uint32_t (*slice_of)(const game_rules *rules, const game_position *position);

  /* REQUIRED. `positions` returns the number of indexes of a slice. `locate` finds the index of a position
   * and returns false if no table has the position. `position_at` does the reverse. */
  uint64_t (*positions)(const game_rules *rules, uint32_t slice);
  bool (*locate)(const game_rules *rules, const game_position *position, game_place *out);
  void (*position_at)(const game_rules *rules, game_place place, game_position *out);

  /* OPTIONAL. Writes the number of positions for which each of the indexes first … first + count − 1 stands.
   * NULL: 1 each. */
  void (*copies)(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);

  /* OPTIONAL. Writes a position as numbers (tauler_boards_at) and returns how many; `out` may be NULL. If the
   * member is NULL, the game has no such numbers. */
  size_t (*numbers)(const game_rules *rules, const game_position *position, int8_t *out);
  /* OPTIONAL. Positions of a slice that have no index, since no move leads to them. `outside` returns their
   * number, and `outside_at` the i-th one. expand_outside lists the moves of those numbered first … first +
   * count − 1, as expand does; ended ones have none. If `outside` is NULL, no positions are outside; if
   * expand_outside is NULL, the caller uses `moves`. */
  uint64_t (*outside)(const game_rules *rules, uint32_t slice);
  void (*outside_at)(const game_rules *rules, uint32_t slice, uint64_t i, game_position *out);
  tauler_error (*expand_outside)(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                                 game_sink *sink);

  /* OPTIONAL, for games with many slices. */
  /* Lists the other slices to which moves of this one lead, as slices() does. NULL: all before it. */
  tauler_error (*needs)(const game_rules *rules, uint32_t slice, game_slices *out, tauler_message *message);
  /* Finds the slice whose table has this name. Returns false if none has. NULL: only the names of requested
   * slices are known. */
  bool (*slice_named)(const game_rules *rules, const char *name, uint32_t *slice);
  /* Writes the folder of a slice's tables, below that of the rule set. NULL: the folder of the rule set. */
  void (*slice_folder)(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);
  /* Writes the options that request a slice, for messages: "--material Lr". NULL: size_option with the
   * slice's name. */
  void (*size_text)(const game_rules *rules, uint32_t slice, char text[GAME_TEXT_BYTES]);
  /* Describes row i of a slice in statistics. Returns false beyond the last. NULL: one row with the name of
   * the slice and all cells. */
  bool (*part)(const game_rules *rules, uint32_t slice, size_t i, game_part *out);
  /* True if a request for a slice includes this part of it. NULL: it includes all parts. */
  bool (*part_asked)(const game_rules *rules, const game_request *request, const game_part *part);
  /* Writes the name by which readers know the slice of a position or, if it has none, the slice to which it
   * would belong. NULL: the slice's name. */
  void (*position_slice)(const game_rules *rules, const game_position *position, char name[GAME_TEXT_BYTES]);
  /* Returns the next smaller slice with similar play, which is measured to estimate time and traffic of this
   * one, or GAME_NO_SLICE if there is none. If the member is NULL or returns the slice itself, the first
   * slices of a request are measured instead. */
  uint32_t (*alike)(const game_rules *rules, uint32_t slice);

  /* --- batches over n indexes of a slice --- */

  /* GAME_BATCHES. ended writes the value of each position, or GAME_NOT_ENDED. expand lists all moves of
   * positions that have not ended. retract lists quiet predecessors as edges: `from` is the child's ordinal
   * in `index`, `to` the predecessor. It lists each quiet edge that expand lists. If retract is NULL, every
   * wave examines all open positions, and slices are not divided into shards. */
  tauler_error (*ended)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                        int16_t *value);
  tauler_error (*expand)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         game_sink *sink);
  tauler_error (*retract)(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                          game_sink *sink);

  /* OPTIONAL. For guarantees if the first repetition since the last converting move ends play: writes the
   * mover's net result of a repetition of each of the positions first … first + count − 1. Returns false if
   * under these rules no repetition ends play. If `count` is 0, `value` may be NULL. NULL: no rule set has
   * such an end. */
  bool (*repeated)(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, int8_t *value);

  /* OPTIONAL. Implied cells, which readers compute from moves. left_out sets out[i] to 1 if tables may leave
   * out the cell first + i because LOOKUP_ALL computes it, otherwise to 0. NULL: there is no such cell. A
   * table may also leave out a cell because it equals the result of LOOKUP_CONVERTING. lookup returns how a
   * cell is computed if it is left out. NULL: only the cells of left_out are left out. */
  void (*left_out)(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);
  game_lookup (*lookup)(const game_rules *rules, game_place place);

  const game_classes *classes; /* OPTIONAL. NULL: cells of tables stay in index order. */

  /* --- OPTIONAL: faster interfaces, and dice. NULL: the game has none --- */

  const game_grid *grid;           /* kernels over tiles */
  const game_bitboards *bitboards; /* for outcomes: kernels over 64 cells */
  const game_play *play;           /* for search (game_play.h). NULL: searches use the text level, slowly */
  const game_proof *proof;         /* game_proof.h. NULL: verify uses the batches */
  const game_chance *chance;       /* for SOLVE_CHANCE, in place of ended, expand, retract and moves */
} game;

/* Declares functions with the type of a member of a game: `GAME_MEMBER(expand) auale_expand, toy_expand;`. */
#define GAME_MEMBER(member) __typeof__(*((const game *)0)->member)

static inline uint32_t game_index_version(const game *game) {
  return game->index_version ? game->index_version : 1;
}

/* Texts of the help for a game. Defaults replace those that the game does not have. */
typedef struct {
  const char *title, *rule_sets, *notation, *example;
} game_help;

game_help game_help_of(const game *game);

/* True if the first repetition ends play. */
static inline bool game_ends_by_repetition(const game *game, const game_rules *rules) {
  return game->repeated && game->repeated(rules, 0, 0, 0, NULL);
}

/* True if a repetition ends play and guarantees hold on a fresh history, right after a converting move. The
 * bounds of a slice may then be values: if the two are equal at all positions, one table stores both. */
static inline bool game_may_be_exact(const game *game, const game_rules *rules) {
  return game_ends_by_repetition(game, rules) && !(game->fallback_cycles && game->fallback_cycles(rules));
}

/* Writes the name of a slice in statistics: the name of its part if it has just one, otherwise its own. */
void game_slice_title(const game *game, const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);

enum { GAME_NOT_ENDED = INT16_MIN };

/* True if the list has the slice whose table has this name. */
bool game_slices_have(const game *game, const game_rules *rules, const game_slices *slices, const char *name);

/* Lists the slice whose table has this name, after the slices that it needs. If the game has no such slice,
 * the list is empty. Errors: TAULER_NO_MEMORY, errors of game->needs. */
tauler_error game_slices_under(const game *game, const game_rules *rules, const char *name, game_slices *out,
                               tauler_message *message);

#endif
