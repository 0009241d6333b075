/* Tauler's probe library: the exact value of a position and of every move in it, and lines of best play, from
 * the tables that `tauler build` makes. This header is the manual.
 *
 *   tauler *db;
 *   tauler_tables *awari;
 *   tauler_answer *answer = NULL;
 *   tauler_message message;
 *   tauler_error error = tauler_open("tables", NULL, &db, &message);
 *   if (!error) error = tauler_select(db, "auale", "awari", NULL, &awari, &message);
 *   if (!error) error = tauler_probe(awari, "0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", &answer, &message);
 *   if (error) fprintf(stderr, "%s\n", message.text);
 *   else printf("%g, best %s\n", answer->worth.lower, answer->moves[0].name);
 *   tauler_answer_free(answer);
 *   tauler_close(db);
 *
 * Ownership. A `tauler` owns a cache of decoded table frames and every table that it opens. A `tauler_tables`
 * is one rule set of one game with its tables in the opened folder, and belongs to its `tauler`. An answer or
 * a line belongs to the caller, refers to nothing else and may outlive the `tauler`.
 *
 * Threads. Any number of threads may call all functions except tauler_close at once on the same objects; an
 * answer, line or list belongs to one thread until it is freed. Tables are opened when they are first needed
 * and stay open, so a table whose file is replaced stays as it was. A missing table is looked for again at
 * the next question, so tables may be built meanwhile. Questions about lines of moves (tauler_history) are
 * answered one at a time within a rule set.
 *
 * Errors. Every cause has its own code (tauler_error.h), and `message`, which may be NULL, then has one
 * sentence for the user; after TAULER_OK it is empty. A damaged or foreign file never gives a value. Nothing
 * is printed, the process is never ended, and no state is kept outside the objects. A pointer may be NULL
 * only if this manual says so.
 *
 *   TAULER_BAD_USAGE      no such game, rules, cycles, slice or index; a question that no game of this kind
 *                         answers, such as a line of play of a game of dice
 *   TAULER_BAD_POSITION   a text that is no position of the game, or a line with an illegal move
 *   TAULER_TABLE_MISSING  no table has what was asked for: the sentence says which command builds it,
 *                         or that none can. tauler_probe and tauler_play still return what is known
 *   TAULER_DAMAGED_FILE   a table that is cut off, changed, not what its path says, or in contradiction
 *                         to the rules or another table; the next question reads it again
 *   TAULER_IO             an existing file or folder cannot be opened or read
 *   TAULER_NO_MEMORY      from any function; nothing is lost, and the question may be asked again
 *   TAULER_INTERNAL       from any function; a game contradicts itself: please report it
 */
#ifndef TAULER_H
#define TAULER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tauler_error.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TAULER_API __attribute__((visibility("default")))
#else
#define TAULER_API
#endif

typedef struct tauler tauler;
typedef struct tauler_tables tauler_tables;

typedef struct {
  size_t cache_bytes; /* bytes for decoded frames in the cache, or 0 for 64 MiB. A few frames always fit */
  size_t most_moves;  /* positions with more moves are refused. 0 means 100,000. Unused in games of dice */
  /* More folders, ended by NULL: a table that `folder` lacks comes from the first of them that has it. NULL:
   * there are none. */
  const char *const *more_folders;
} tauler_settings;

#define TAULER_NO_DEPTH (-1)
#define TAULER_NO_INDEX UINT64_MAX

/* The worth of a position or a move for one side: net seeds, or 1, 0, −1 for win, draw and loss, or the
 * expectation in games of dice (tauler_quantity). The value is between lower and upper. The two may differ
 * in tables of guarantees (--cycles of auale other than even), in games of dice and after a search. Depths
 * are in plies: to the next converting move (scores, bounds), or to the end of the game (win, draw, loss).
 * Bounds have a depth for each guarantee: depth_lower tells how soon the side can force `lower`, depth_upper
 * how soon the other side can force `upper`. Otherwise both depths are the same. Under own-row of auale
 * depths are stages: a move has those of the position to which it leads, or 0 if it converts. A side gets its
 * bound if it always chooses, among the moves with this bound, one of the least stage. */
typedef struct {
  bool known; /* false if the worth is not known, and then the other members mean nothing */
  double lower, upper;
  int depth_lower, depth_upper; /* TAULER_NO_DEPTH if the bound or the table has no depth */
} tauler_worth;

/* The sign of a worth; unknown if the worth is not known or its bounds have different signs. */
typedef enum { TAULER_UNKNOWN, TAULER_LOSS, TAULER_DRAW, TAULER_WIN } tauler_category;

typedef struct {
  const char *name;     /* name of the move, "F" */
  const char *position; /* position after the move, canonical, or "" if `over` */
  const char *slice;    /* slice of that position, or "" if `over` */
  tauler_worth worth;   /* worth of the move for the mover, gain included */
  tauler_worth child;   /* worth of `position` for the side to move there, unknown if `over` */
  /* The mover's outcome after this move, as in tauler_answer; unknown in games of dice. */
  tauler_category outcome;
  bool over;
  bool converts; /* the move leaves the slice or ends the game: no earlier position can occur again */
  /* True if no other move is better. By tables or after a line, a move is better if its lower bound is
   * greater or, if lower bounds are equal, its upper bound, and in games of win, draw and loss also if it is
   * a sooner win or a later loss. In games of dice no move under the roll has a lower bound above this one's
   * upper bound; after a search no other move has an upper bound above this one's lower bound. False while an
   * unknown move may be better. */
  bool best;
  bool repeats; /* the move leads to a position met before (tauler_history), so play ends. `worth` is then
                   the result of the repetition */
  tauler_worth after_line; /* worth of the move after the line (tauler_history), gain included, unknown
                              without a line */
} tauler_move;

/* Under own-row and own-row-any of auale the first repetition since the last converting move ends play. So
 * the worth of a position depends on the positions met before. Tables of own-row hold for the empty history,
 * as right after a capture; those of own-row-any hold after every history. After "POSITION moves …" the worth
 * and category of an answer are those without the line, and so is the worth of a move that does not repeat;
 * this struct has the worth after the line, as sound bounds that a search finds within a fixed effort. It is
 * not known if the slice has more than 1,400,000 positions (auale: more than twelve seeds), or if a smaller
 * slice is too large to be solved and has no table (auale without tables: more than ten seeds), unless play
 * is over or nothing was met. Under own-row a position without a line is taken as right after a capture. */
typedef struct {
  bool counts; /* under these rules the worth depends on positions met before */
  bool given;  /* `counts`, and a line of moves led here. If false, the members below mean nothing */
  size_t met;  /* number of positions met since the last converting move or, if no move converts, since the
                  start of the line, without this position */
  bool over;   /* this position was met before, so play has ended, and no moves are listed */
  tauler_worth worth; /* worth after the line for the side to move, without depths */
} tauler_history;

/* Games of dice. A position has one or more quantities, each between two certified bounds: a probability, a
 * score, an expected number of turns. `worth` of an answer and of a move is for the side to move in the
 * answer's position:
 *   two players with scores    the score of that side; the two scores add up to the largest score, 1
 *   a quantity per seat        the quantity of the side's seat
 *   a single quantity q        q; for a side that tries to minimise q, (largest value) − q, or −q if no
 *                              largest value is known
 * Bounds of an expected number may be infinite. There are no depths.
 *
 * The category compares the bounds with the sum of both players' worths. It is a win if the lower bound is at
 * least 50.05 % of this sum, a loss if the upper bound is below 49.95 %, and a draw if both are exactly half:
 * a worth that is shown as 50.0 % is neither a win nor a loss. Otherwise, and with any other number of
 * players, the category is unknown. tauler_category_of does not use this: it is the sign of a worth.
 */
typedef struct {
  const char *name; /* name of the quantity, "score-1", "win-2" or "turns". Seats are numbered from 1,
                       whichever seat rolls */
  bool known;
  double lower, upper;
} tauler_quantity;

/* The moves under a roll, in place of tauler_answer's `moves`. If a turn is lost, nobody rolls: there is a
 * single roll, called "pass", with weight 1 and one move. */
typedef struct {
  const char *name; /* name of the roll, "1" */
  uint32_t weight;  /* probability times the sum of all weights of the answer */
  /* [moves_used] Best first for the side to move: by lower, then by upper bound, unknown ones last. */
  const tauler_move *moves;
  size_t moves_used;
} tauler_roll;

typedef struct {
  bool done;   /* false if tables or rules alone answered, and then the other members mean nothing */
  bool proven; /* the position's worth is exact */
  bool gained; /* the bounds of the position are narrower than those that the rules give all positions of its
                  slice */
  double seconds;
  uint64_t positions; /* positions examined, with repetitions */
  uint64_t table_probes;
  int depth; /* plies to which all lines were played, unless they ended before, or 0 */
} tauler_searched;

typedef struct {
  const char *game, *rules; /* names of the game and of its rules, canonical */
  const char *cycles;       /* cycle rule, canonical, or "" if the game has no choice */
  const char *position;     /* text of the position, canonical */
  const char *drawing;
  const char *turn;      /* name of the side to move, "S" */
  const char *slice;     /* name of the slice for readers, "12" */
  uint32_t slice_number; /* number of the slice, or UINT32_MAX if no table can hold the position */
  uint64_t index; /* index in the slice, or TAULER_NO_INDEX if no move leads to the position, no slice has it
                     or, in games of dice, its slice has no table */
  bool ended;
  tauler_category category;
  /* Outcome of the whole game for the side to move: the sign of `lead` plus the worth or, after a line, plus
   * the worth of `history`. So the winner has more in `final`. If there are neither stores nor a line, it is
   * the category. */
  tauler_category outcome;
  tauler_worth worth;
  double lead; /* store of the side to move minus that of the other side, or 0 if no stores are given */
  /* Digest of the slice's table, or NULL if it is not built. If each bound has a table, "LOWER+UPPER". In
   * games of dice such pairs, one for each quantity, are joined by "+". */
  const char *table;
  /* True if the position has stores, and its worth or, after a line, the worth of `history` is exact. */
  bool has_final;
  double final[2]; /* final stores of both sides under best play, the first player's first */
  bool has_stores;
  const tauler_move *moves; /* [moves_used] best first, in the order of tauler_probe */
  size_t moves_used;

  /* Members for games of dice, whose answers have no depths, stores or `moves`. */
  bool dice;
  const tauler_quantity *quantities; /* [quantities_used] the first `seats` are one per seat, in order */
  size_t quantities_used, seats;
  const tauler_roll *rolls; /* [rolls_used] no rolls if the game is over */
  size_t rolls_used;

  bool stages; /* depths are stages, which order the proof of a bound and are no numbers of plies */

  tauler_history history;

  tauler_searched searched;
} tauler_answer;

/* Why a line of play ended. */
typedef enum {
  TAULER_LINE_ENDED,
  TAULER_LINE_REPEATS, /* the last position occurred before: `repeats` and `before` say where */
  TAULER_LINE_UNKNOWN, /* tables do not say which move is best */
  TAULER_LINE_CUT      /* a limit of moves or of time was reached */
} tauler_line_end;

/* The rule by which a line is chosen. TAULER_LINE_BY_VALUE: no other move of a position on the line can be
 * better. TAULER_LINE_BY_LOWER_BOUND: bounds differ, so another move may be better; each move is the one by
 * which its side can force most. Such a line need not show how the game ends under best play. */
typedef enum { TAULER_LINE_BY_VALUE, TAULER_LINE_BY_LOWER_BOUND } tauler_line_rule;

typedef struct {
  const char *move;
  const char *position;
  tauler_worth worth; /* worth of the move for the side that made it */
  bool converts;
} tauler_step;

typedef struct {
  const char *start; /* text of the first position, canonical */
  const char *moves; /* moves of all steps, joined as they may follow "moves" in a position's text */
  const tauler_step *steps;
  size_t steps_used;
  tauler_line_end end;
  size_t repeats; /* number of moves from the start to the position that the last one repeats */
  size_t before;  /* number of moves from the repeated position to the start if it is on the given line before
                     the start (`repeats` is then 0), otherwise 0 */
  tauler_line_rule rule;
} tauler_line;

/* Opens a folder of tables. If it does not exist, every table is missing. If `settings` is NULL, the defaults
 * hold. Errors: TAULER_NO_MEMORY; *out is then NULL. */
TAULER_API tauler_error tauler_open(const char *folder, const tauler_settings *settings, tauler **out,
                                    tauler_message *message);

/* Closes a `tauler` with its tables and rule sets; no other call on them may be in progress. NULL is
 * ignored. */
TAULER_API void tauler_close(tauler *db);

/* Selects a rule set of a game. `rules` and `cycles` are as on the command line. NULL means the game's
 * default, and so does "" for cycles. Selecting the same rule set again returns the same object. Errors:
 * TAULER_BAD_USAGE (no such game, rules or cycles), TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_select(tauler *db, const char *game, const char *rules, const char *cycles,
                                      tauler_tables **out, tauler_message *message);

/* The texts last as long as the `tauler`. The cycle rule is "" if the game has no choice. */
TAULER_API const char *tauler_rules_text(const tauler_tables *tables);
TAULER_API const char *tauler_cycles_text(const tauler_tables *tables);

/* Answers everything about a position, given as text in any notation of the game; "moves …" may follow it.
 * Moves are sorted best first: by the greatest lower bound; if it is above 0, by the least depth; by the
 * greatest upper bound; if it is below 0, by the greatest depth; converting moves before others; in the
 * game's order. Unknown moves come last. A position without an index in its slice is valued by its moves. An
 * answer about a game of dice has `rolls` in place of `moves`. If a line of moves counts (tauler_history),
 * moves are sorted by their worth after it, and a line that continues after a repetition is a bad position.
 *
 * After TAULER_TABLE_MISSING the answer still has the legal moves, but its worth is not known; the message
 * names the command that builds the table, or says that none can. An unknown move of a known position is no
 * error. After every other error *answer is NULL. Errors: TAULER_BAD_POSITION (also for a position with more
 * moves than tauler_settings allows: in phutball the number of chains of jumps has no useful bound),
 * TAULER_TABLE_MISSING, TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY.
 */
TAULER_API tauler_error tauler_probe(tauler_tables *tables, const char *position, tauler_answer **answer,
                                     tauler_message *message);
/* Frees an answer. NULL is ignored. */
TAULER_API void tauler_answer_free(tauler_answer *answer);

/* Finds only the worth of a position, without depths and without regard to the line that led there. Errors:
 * those of tauler_probe; after an error worth->known is false. */
TAULER_API tauler_error tauler_value(tauler_tables *tables, const char *position, tauler_worth *worth,
                                     tauler_message *message);

/* Finds the worths of many positions, each as tauler_value does, in the order of the tables. If no table has
 * a position, its worth is not known, which is no error. Errors: those of tauler_value except
 * TAULER_TABLE_MISSING; the message names the position of the list, counted from 0, and `worths` then means
 * nothing. */
TAULER_API tauler_error tauler_values(tauler_tables *tables, const char *const *positions, size_t count,
                                      tauler_worth *worths, tauler_message *message);

/* Finds the worth of the position at an index as tauler_value does, but without reading text. An index
 * without a position (tauler_position_at) is worth 0; in games of dice its worth means nothing. Errors:
 * TAULER_BAD_USAGE (no such slice or index), those of tauler_value except TAULER_BAD_POSITION. */
TAULER_API tauler_error tauler_value_at(tauler_tables *tables, uint32_t slice_number, uint64_t index,
                                        tauler_worth *worth, tauler_message *message);

/* A slice of which the folders have all tables of values. Its name here is that of its tables, "12", "Lr",
 * "2.1-0"; answers have a name for readers ("rL", "1-0"). `slice_number` is the same in both. */
typedef struct {
  const char *game, *rules; /* names, as for tauler_select */
  const char *cycles;       /* cycle rule as for tauler_select, or "" if the game has no choice */
  const char *slice;
  uint32_t slice_number; /* number of the slice for tauler_value_at and the functions below */
  uint64_t positions;    /* indexes are 0 … positions − 1 */
  const char *table;     /* digests of the tables of values, as in an answer */
  const char *depths;    /* digests of the tables of depths, or NULL if tables of depths are missing */
} tauler_slice;

typedef struct {
  const tauler_slice *slices; /* [slices_used] sorted by game, rules and cycles, then in the order in which
                                 slices are solved */
  size_t slices_used;
  size_t passed_over; /* files that are damaged, in the wrong place, of an unknown game, or numbered
                         differently */
} tauler_contents;

/* Lists the slices that the folders have now. Headers are read and checked, cells are not. A folder that does
 * not exist counts as empty. The list belongs to the caller, refers to nothing else and may outlive the
 * `tauler`. Errors: TAULER_IO (a folder or a file cannot be read), TAULER_NO_MEMORY; *out is then NULL. */
TAULER_API tauler_error tauler_list(tauler *db, tauler_contents **out, tauler_message *message);
TAULER_API void tauler_contents_free(tauler_contents *contents);

/* Finds the number of the slice with this name (as tauler_list gives it) and the number of its indexes,
 * whether or not it has tables. Each of the two pointers may be NULL. Errors: TAULER_BAD_USAGE (no such
 * slice), TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_find_slice(tauler_tables *tables, const char *name, uint32_t *slice_number,
                                          uint64_t *positions, tauler_message *message);

/* The longest canonical text of a position of any game in bytes, NUL included. */
#define TAULER_POSITION_BYTES 512

/* Writes the position of an index as canonical text. If the index has no position (some games have such
 * indexes), and after errors, the text is "". No table is read. Errors: TAULER_BAD_USAGE (no such slice or
 * index), TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_position_at(tauler_tables *tables, uint32_t slice_number, uint64_t index,
                                           char text[TAULER_POSITION_BYTES], tauler_message *message);

/* Finds the worths of the indexes first … first + count − 1, each as tauler_value_at does, but reads frame by
 * frame: for visiting a whole slice. If a table leaves cells out, the slice is loaded with the smaller slices
 * that it needs as soon as this saves time, provided that all fit in a quarter of the available memory. Its
 * values stay in memory until another slice is asked for. If they do not fit, cells left out are computed one
 * by one, far more slowly. Errors: those of tauler_value_at; after an error `worths` means nothing. */
TAULER_API tauler_error tauler_values_at(tauler_tables *tables, uint32_t slice_number, uint64_t first,
                                         size_t count, tauler_worth *worths, tauler_message *message);

/* Finds the worths of tauler_values_at as integers of one byte, in arrays of lower and of upper bounds,
 * either of which may be NULL. This is the fastest way to visit a slice, in one call or in few large ones.
 * Errors: those of tauler_values_at, and TAULER_BAD_USAGE (a game of dice, whose bounds are not integers). */
TAULER_API tauler_error tauler_bounds_at(tauler_tables *tables, uint32_t slice_number, uint64_t first,
                                         size_t count, int8_t *lower, int8_t *upper, tauler_message *message);

/* Finds the depths of the indexes first … first + count − 1: how soon the side to move can force its lower
 * bound, and how soon the other side can force the upper one. If a bound has no depth, its depth is
 * TAULER_NO_DEPTH. Errors: those of tauler_bounds_at; TAULER_TABLE_MISSING if depths are not built. */
TAULER_API tauler_error tauler_depths_at(tauler_tables *tables, uint32_t slice_number, uint64_t first,
                                         size_t count, int32_t *lower, int32_t *upper,
                                         tauler_message *message);

/* --- moves and positions of a slice as arrays, without tables --- */

#define TAULER_OVER UINT32_MAX
#define TAULER_NOT_ENDED INT16_MIN
#define TAULER_NO_POSITION INT8_MIN

/* How moves are listed. TAULER_MOVES_BATCHES uses the game's batches, which are fast. TAULER_MOVES_BY_RULES
 * uses its rules, one position at a time, which share no code with the solver. TAULER_MOVES_OUTSIDE lists the
 * moves of the positions that have no index, since no move leads to them; they are also counted from 0. */
typedef enum { TAULER_MOVES_BATCHES, TAULER_MOVES_BY_RULES, TAULER_MOVES_OUTSIDE } tauler_moves_kind;

/* All moves of the positions first … first + count − 1. Number i of these has the moves offsets[i] …
 * offsets[i + 1] − 1, one for each place to which moves lead. A move is worth its gain less the value of the
 * child, or the gain alone if it ends the game. A move is quiet if its slice is the position's own. */
typedef struct {
  uint64_t positions;
  const uint64_t *offsets; /* [positions + 1] number of the first move of each position */
  const uint32_t *slices;  /* number of the child's slice, or TAULER_OVER if the game is over */
  const uint64_t *indexes; /* index of the child, or 0 if the game is over */
  const int16_t *gains;    /* gain of the mover by the move itself */
  const int16_t *ended;    /* value of each position without moves, TAULER_NOT_ENDED for all others */
} tauler_moves;

/* Counts the positions of a slice that have no index. Errors: TAULER_BAD_USAGE (no such slice),
 * TAULER_NO_MEMORY; *positions is then 0. */
TAULER_API tauler_error tauler_outside(tauler_tables *tables, uint32_t slice_number, uint64_t *positions,
                                       tauler_message *message);

/* Lists moves by at most `threads` threads or, if that is 0, by one for each processor. The list belongs to
 * the caller, refers to nothing else and may outlive the `tauler`. If a slice does not fit in memory, ask for
 * it in parts. Errors: TAULER_BAD_USAGE (no such slice, index or kind, a game of dice), TAULER_NO_MEMORY;
 * *list is then NULL. */
TAULER_API tauler_error tauler_moves_at(tauler_tables *tables, uint32_t slice_number, uint64_t first,
                                        size_t count, tauler_moves_kind kind, int threads,
                                        tauler_moves **list, tauler_message *message);
TAULER_API void tauler_moves_free(tauler_moves *list);

/* Writes positions as rows of *width numbers: those with an index, or those without (`outside`). If `numbers`
 * is NULL, only *width is set. If an index has no position, all numbers of its row are TAULER_NO_POSITION.
 *
 *   auale        seeds in A–F of the mover, then in a–f
 *   doushouqi    squares a1, b1 … g9, turned so that White is to move: 0 empty, 1 … 8 the rat … the elephant
 *                of White, −1 … −8 those of Black
 *   phutball     points row by row from row 1: 0 empty, 1 a man, 2 the ball. At an index Ohs is to move
 *   oca          square and turns to lose of each seat, in order of turns, the seat to roll first
 *   oca-asesina  squares of the tokens and turns to lose of each seat; then the seat to roll, counted from 0;
 *                then 1 + the colour of the token that this seat must move on, or 0
 *
 * Errors: TAULER_BAD_USAGE (no such slice or index, a game that writes no numbers), TAULER_NO_MEMORY; *width
 * is then 0.
 */
TAULER_API tauler_error tauler_boards_at(tauler_tables *tables, uint32_t slice_number, bool outside,
                                         uint64_t first, size_t count, int threads, size_t *width,
                                         int8_t *numbers, tauler_message *message);

/* Writes the row of one position given as text. If `numbers` is NULL, only *width is set. Errors:
 * TAULER_BAD_POSITION, TAULER_BAD_USAGE (a game that writes no numbers); *width is then 0. */
TAULER_API tauler_error tauler_board_of(tauler_tables *tables, const char *position, size_t *width,
                                        int8_t *numbers, tauler_message *message);

/* Sets reached[i] to 1 if some game from the start leads to the position first + i of a game of dice, with
 * any rolls and any legal moves, otherwise to 0. Each call follows the moves of the whole game; no table is
 * read. Errors: TAULER_BAD_USAGE (no such slice or index, a game without dice), TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_reached_at(tauler_tables *tables, uint32_t slice_number, uint64_t first,
                                          size_t count, int threads, uint8_t *reached,
                                          tauler_message *message);

/* Finds the slices and indexes of positions given as texts. If a position has no index, they are TAULER_OVER
 * and TAULER_NO_INDEX. Errors: TAULER_BAD_POSITION; the message says which position of the list is wrong. */
TAULER_API tauler_error tauler_places(tauler_tables *tables, const char *const *positions, size_t count,
                                      uint32_t *slices, uint64_t *indexes, tauler_message *message);

/* Plays best moves until the game ends, a position occurs again, no table covers more, or most_moves are
 * played (10000 if it is 0). If a repetition ends play, positions on the given line of moves count as met,
 * and until a move converts, moves are chosen by their worth after the line if it is known. If there are
 * tables of depths, the winning side chooses the least depth. `rule` of the line says how moves are chosen if
 * bounds differ. After TAULER_TABLE_MISSING the line has the moves that are known; after every other error
 * *line is NULL. Games of dice have no such line: TAULER_BAD_USAGE. */
TAULER_API tauler_error tauler_play(tauler_tables *tables, const char *position, size_t most_moves,
                                    tauler_line **line, tauler_message *message);
TAULER_API void tauler_line_free(tauler_line *line);

/* --- searches above the tables --- */

/* If a limit of time ends the search, its bounds depend on the speed of the machine. */
typedef struct {
  double seconds;     /* limit of time, or 0 for no limit */
  uint64_t positions; /* positions to examine, or 0 for no limit */
  uint64_t memory;    /* bytes for proven positions, or 0 for 256 MiB or, if that is less, a quarter of the
                         available memory */
  bool (*stop)(void *user); /* If it returns true, the search ends with the bounds proven so far. The calling
                               thread calls it often. May be NULL. */
  void *user;
} tauler_search_limits;

/* Answers as tauler_probe does. If no table has the position, searches from it down to positions that tables
 * have, within the limits. All that the search adds to the answer is proven: `worth` and the worths of moves
 * are bounds, exact if they are equal, without depths; at worst they are the bounds that the rules give.
 * Without a limit the search ends when the position is solved or deeper play proves nothing more, at the
 * latest at 250 plies.
 *
 * Bounds mean the same as those of tables (net seeds under `even`, guarantees under `forced`, what holds
 * right after a capture under `own-row`). Any number of threads may search at once, each with its own memory.
 * Errors: those of tauler_probe, except TAULER_TABLE_MISSING; TAULER_BAD_POSITION also for positions met on a
 * line of moves if they count (own-row); TAULER_BAD_USAGE if no table has the position and either the game
 * has dice or guarantees hold on every history (own-row-any).
 */
TAULER_API tauler_error tauler_search(tauler_tables *tables, const char *position,
                                      const tauler_search_limits *limits, tauler_answer **answer,
                                      tauler_message *message);

/* Computes the digest of bytes; tables are named by the digest of their plain cells. Errors:
 * TAULER_NO_MEMORY. */
#define TAULER_DIGEST_BYTES 33
TAULER_API tauler_error tauler_digest(const void *bytes, size_t count, char text[TAULER_DIGEST_BYTES],
                                      tauler_message *message);

/* Return the sign of a worth, and the name of a sign: "win", "draw", "loss" or "unknown". */
TAULER_API tauler_category tauler_category_of(tauler_worth worth);
TAULER_API const char *tauler_category_name(tauler_category category);

/* Returns the version of the running library, "0.1.0", which may differ from the one compiled against. Before
 * 1.0.0 other versions may have other layouts of objects. */
TAULER_API const char *tauler_version(void);

#ifdef __cplusplus
}
#endif
#endif
