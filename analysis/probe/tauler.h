/* Tauler's probe library: the exact value of a position, of every move in it, and lines of best play,
 * out of the tables that `tauler build` has made. This header is the manual.
 *
 *   tauler *db;
 *   tauler_tables *awari;
 *   tauler_answer *answer;
 *   tauler_message message;
 *   tauler_error error = tauler_open("tables", NULL, &db, &message);
 *   if (!error) error = tauler_select(db, "auale", "awari", NULL, &awari, &message);
 *   if (!error) error = tauler_probe(awari, "0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", &answer, &message);
 *   if (error) fprintf(stderr, "%s\n", message.text);
 *   else printf("%g, best %s\n", answer->worth.lower, answer->moves[0].name);
 *   tauler_answer_free(answer);
 *   tauler_close(db);
 *
 * Ownership. A `tauler` owns a cache of decoded table frames and every table it opens; a `tauler_tables` is
 * one rule set of one game over that folder and belongs to its `tauler`; an answer or a line belongs to the
 * caller, refers to nothing else and may outlive the `tauler`.
 *
 * Threads. Every function but tauler_close may be called from any number of threads at once on the
 * same objects, an answer, line or list being one thread's until it is freed. Tables are opened when first
 * needed and stay open, so one that is replaced goes on as it was; a table that was missing is looked
 * for again at the next question, so tables may be built meanwhile. Questions about lines of moves
 * (tauler_history) take turns within a rule set.
 *
 * Errors. Every cause has its own code (tauler_error.h), and `message`, which may be NULL, then holds
 * one sentence for a person; after TAULER_OK it is empty. A damaged or foreign file never yields a value.
 * Nothing is printed, no process is ended, no state is kept outside the objects. A pointer may
 * be NULL only where this manual says so.
 *
 *   TAULER_BAD_USAGE      no such game, rules, cycles, slice or index; a line of play of a game of dice
 *   TAULER_BAD_POSITION   a text that is no position of the game, or a line with a move that is not legal
 *   TAULER_TABLE_MISSING  no table holds what was asked for: the sentence says which command builds it, or
 *                         that none can. tauler_probe and tauler_play still give what is known
 *   TAULER_DAMAGED_FILE   a table that is cut off, changed, another than its place says, or contradicts the
 *                         rules or another table; it is looked at again at the next question
 *   TAULER_IO             a file or folder that is there cannot be opened or read
 *   TAULER_NO_MEMORY      of any function; nothing is lost, and the question may be asked again
 *   TAULER_INTERNAL       a game contradicts itself: please report it
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
  size_t cache_bytes; /* decoded frames kept at most; 0: 64 MiB */
  size_t most_moves;  /* a position with more is refused, unless dice decide; 0: 100,000 */
} tauler_settings;

#define TAULER_NO_DEPTH (-1)
#define TAULER_NO_INDEX UINT64_MAX

/* The worth of a position or a move for one side: net seeds, or 1, 0, −1 for win, draw and loss; in games of
 * dice what that side expects, see tauler_roll. The value lies in lower … upper; they differ where rules
 * leave infinite play open, and in games of dice. Depths are in plies: to the next move that settles the
 * value (scores, bounds), or to the end of the game (win, draw, loss). Bounds have one for either guarantee:
 * how soon the side makes good `lower`, and how soon the other makes good `upper`; elsewhere both are the
 * same. Where a repetition ends play they are stages, of a move those of where it leads: a side that holds to
 * moves of the least stage gets the bound. */
typedef struct {
  bool known; /* false: no table reaches, and the rest means nothing */
  double lower, upper;
  int depth_lower, depth_upper; /* TAULER_NO_DEPTH: there is none, or no table of depths */
} tauler_worth;

/* The sign of a worth; unknown where no table reaches or the bounds straddle. */
typedef enum { TAULER_UNKNOWN, TAULER_LOSS, TAULER_DRAW, TAULER_WIN } tauler_category;

typedef struct {
  const char *name;        /* "F" */
  const char *position;    /* after the move, canonical; "" if `over` */
  const char *slice;       /* of that position; "" if `over` */
  tauler_worth worth;      /* for the mover, gain included */
  tauler_worth child;      /* of `position`, for the side to move there; not known if `over` */
  tauler_category outcome; /* as of tauler_answer, after this move, for the mover; unknown in games of dice */
  bool over;               /* the move ends the game */
  bool converts;           /* leaves the slice or ends the game: nothing before it can come back */
  bool best;    /* no other move is better: it is worth as much as the first, of wins the soonest, of
                   losses the latest. Of dice: no other move under the roll is surely better, so bounds
                   that overlap are a tie. Of a search: no other move can be better. false while an
                   unknown move may be better */
  bool repeats; /* leads to a position of tauler_history, so play ends: `worth` is what that pays */
  tauler_worth after_line; /* as in tauler_history, gain included; not known without a line */
} tauler_move;

/* Under own-row and own-row-any of auale the first repetition since the last converting move ends play. So
 * the worth of a position depends on the positions met before. Tables of own-row are of the empty
 * history, as right after a capture; those of own-row-any hold after every history. After "POSITION moves …"
 * the worth, category and moves of an answer are those of the position without the line; this struct has the
 * worth after the line. A search through lines of play finds it, within a fixed effort, by the tables of
 * smaller slices or, of small ones, without; its bounds are always sound and mostly equal. It is not known in
 * slices of more than 1,400,000 positions (auale: of more than twelve seeds; without tables of more than ten)
 * unless play is over or nothing was met. Under own-row a position without a line is taken as right after a
 * capture. */
typedef struct {
  bool counts;        /* the rule is such */
  bool given;         /* and a line of moves led here; else the rest means nothing */
  size_t met;         /* positions since the last converting move, the start included, this one not */
  bool over;          /* this one is among them: play has ended, and no moves are listed */
  tauler_worth worth; /* for the side to move, without depths */
} tauler_history;

/* Games of dice. A position is worth one or more quantities, each between two certified bounds: a
 * probability, a score, an expected number of turns. `worth` of an answer and of a move is for the side to
 * move in that position: of two players' scores its own, which is 1 less the other's; of a quantity per seat
 * its own; of a single quantity that one, negated if the side lowers it. Bounds of an expected number may be
 * infinite. There are no depths.
 *
 * The category compares the bounds with half of the sum of two players' worths: a win if the lower bound is
 * above it, a loss if the upper one is below, both at one decimal of a percentage (50.03 % is 50.0 %, so no
 * win), a draw if both equal it; else, and with any other number of players, it is unknown.
 * tauler_category_of does not know of that: it is the sign of a worth. */
typedef struct {
  const char *name; /* "score-1", "win-2", "turns"; seats are counted from 1 at every turn */
  bool known;
  double lower, upper;
} tauler_quantity;

/* The moves under a roll; in place of tauler_answer's `moves`. Where a turn is lost nobody rolls: there is a
 * single one, called "pass", of weight 1, and its single move. */
typedef struct {
  const char *name;         /* "1" */
  uint32_t weight;          /* its probability is this ÷ the sum of all weights of the answer */
  const tauler_move *moves; /* best first for the side to move: by lower, then upper bound; not known last */
  size_t moves_used;
} tauler_roll;

/* The work of a search for an answer (tauler_search). */
typedef struct {
  bool done;   /* else tables or rules alone answered, and the rest means nothing */
  bool proven; /* the position's worth is exact */
  bool gained; /* its bounds are narrower than what the rules say of every position of its slice */
  double seconds;
  uint64_t positions; /* looked at, each as often as that was */
  uint64_t table_probes;
  int depth; /* plies for which every line was played on, where nothing ended it before; 0: none */
} tauler_searched;

typedef struct {
  const char *game, *rules, *cycles; /* canonical; cycles is "" where there is no choice */
  const char *position;              /* canonical */
  const char *drawing;               /* of the board, several lines */
  const char *turn;                  /* "S" */
  const char *slice;                 /* "12" */
  uint32_t slice_number;             /* for tauler_value_at; UINT32_MAX: no table can hold the position */
  uint64_t index; /* in the slice; TAULER_NO_INDEX: no move leads there, no slice, or of dice no table */
  bool ended;     /* the game is over here */
  tauler_category category; /* of the worth */
  tauler_category
      outcome; /* of the whole game for the side to move: `lead` and worth (after a line: its history's)
                  together, so whoever wins has more in `final`; without stores the category */
  tauler_worth worth; /* for the side to move */
  double lead; /* what the side to move has in its store beyond the other's; 0 where no stores are given */
  const char *table; /* digest of the slice's table ("LOWER+UPPER" of bounds, of dice so for each quantity,
                        joined by "+"); NULL: not built */
  bool has_final;    /* the position carries stores, and the value (after a line: its history's) is exact: */
  double final[2];   /* what both sides will have in the end, first player first */
  bool has_stores;
  const tauler_move *moves; /* best first: see tauler_probe */
  size_t moves_used;

  /* Of games of dice, whose answers have no depths, stores or `moves`. */
  bool dice;
  const tauler_quantity *quantities; /* the first `seats` are one per seat, in their order */
  size_t quantities_used, seats;
  const tauler_roll *rolls; /* none if the game is over */
  size_t rolls_used;

  bool stages; /* depths are stages: what one guarantee rests on has lower ones, not fewer plies */

  tauler_history history;

  tauler_searched searched; /* by tauler_search */
} tauler_answer;

/* How a line of play came to its end. */
typedef enum {
  TAULER_LINE_ENDED,   /* the game is over */
  TAULER_LINE_REPEATS, /* the last position stood before: `repeats` says where */
  TAULER_LINE_UNKNOWN, /* no table reaches further */
  TAULER_LINE_CUT      /* it goes on, but `most_moves` are played */
} tauler_line_end;

/* By which rule a line is chosen. TAULER_LINE_BY_LOWER_BOUND: a position on it is known by bounds that
 * differ, and each move is the one by which its side can force most: the greatest lower bound, of a sure gain
 * the soonest, then the greatest upper bound. How the game ends by best play need not show in such a line. */
typedef enum { TAULER_LINE_BY_VALUE, TAULER_LINE_BY_LOWER_BOUND } tauler_line_rule;

typedef struct {
  const char *move;
  const char *position; /* after it */
  tauler_worth worth;   /* of the move, for who made it */
  bool converts;
} tauler_step;

typedef struct {
  const char *start; /* canonical */
  const char *moves; /* joined, as they may follow "moves" in a position's text */
  const tauler_step *steps;
  size_t steps_used;
  tauler_line_end end;
  size_t repeats; /* moves before the position that the last one repeats; 0: the start */
  size_t before;  /* that position stood so many moves before the start, on the line that was given with it;
                     `repeats` is 0 then. Else 0 */
  tauler_line_rule rule;
} tauler_line;

/* Opens a folder of tables. It need not exist: then every table is missing.
 * Errors: TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_open(const char *folder, const tauler_settings *settings, tauler **out,
                                    tauler_message *message);

/* Closes all of its tables and rule sets; no other call on them may be under way. NULL is ignored. */
TAULER_API void tauler_close(tauler *db);

/* A game's rule set over the folder. `rules` and `cycles` are as on the command line; NULL is the
 * game's default, and so is "" of cycles. The same rule set is the same object however often it is selected.
 * Errors: TAULER_BAD_USAGE (no such game or rules), TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_select(tauler *db, const char *game, const char *rules, const char *cycles,
                                      tauler_tables **out, tauler_message *message);

/* The rule set and its cycle rule as answers and table files have them; cycles are "" where there is no
 * choice. The texts last as long as the `tauler`. */
TAULER_API const char *tauler_rules_text(const tauler_tables *tables);
TAULER_API const char *tauler_cycles_text(const tauler_tables *tables);

/* All about a position, given as text in any notation of the game, also followed by "moves …". Moves stand
 * best first: by lower, then upper; a winner's shorter ways before longer ones, a loser's longer before
 * shorter; then converting moves; then in the game's order. Moves not known stand last. Positions that no
 * move leads to, or whose turn is lost, are valued by their moves. An answer about a game of dice has `rolls`
 * in place of `moves`. Where a line of moves counts (tauler_history) they stand by what they are worth after
 * it, and a line that goes on after a repetition is a bad position.
 *
 * TAULER_TABLE_MISSING still gives an answer: legal moves, worth not known; the message names the
 * table and the command that builds it. An unknown move of a known
 * position is no error. After every other error *answer is NULL. Errors: TAULER_BAD_POSITION (also of one
 * with more moves than tauler_settings allows: in phutball chains of jumps may be without number),
 * TAULER_TABLE_MISSING, TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_probe(tauler_tables *tables, const char *position, tauler_answer **answer,
                                     tauler_message *message);
TAULER_API void tauler_answer_free(tauler_answer *answer);

/* The worth of a position alone, without depths and whatever line led there: cheaper. Errors as for
 * tauler_probe; on error worth->known is false. */
TAULER_API tauler_error tauler_value(tauler_tables *tables, const char *position, tauler_worth *worth,
                                     tauler_message *message);

/* Worths of many positions, each as tauler_value gives it. A position that no table holds is not known, and
 * no error. Tables are read in their own order, which takes a third of the time where frames do not fit in
 * the cache. Errors: those of tauler_value but TAULER_TABLE_MISSING; the message names the position of the
 * list, counted from 0, and `worths` means nothing then. */
TAULER_API tauler_error tauler_values(tauler_tables *tables, const char *const *positions, size_t count,
                                      tauler_worth *worths, tauler_message *message);

/* The same by number, without reading text: what programs that go through many positions want. An index that
 * stands for no position (tauler_position_at) is worth 0. Errors: TAULER_BAD_USAGE (no such slice or index),
 * and as above but for TAULER_BAD_POSITION. */
TAULER_API tauler_error tauler_value_at(tauler_tables *tables, uint32_t slice_number, uint64_t index,
                                        tauler_worth *worth, tauler_message *message);

/* A slice of a folder whose tables of values are complete for their rule set. Slices are called here as their
 * tables are, "12", "Lr", "2.1-0"; answers call them as people do ("rL", "1-0"), and `slice_number` is the
 * same in both. */
typedef struct {
  const char *game, *rules, *cycles; /* as tauler_select takes them; cycles is "" where there is no choice */
  const char *slice;
  uint32_t slice_number; /* for tauler_value_at and the functions below */
  uint64_t positions;    /* indexes 0 … positions − 1 */
  const char *table;     /* digest, as in an answer */
  const char *depths;    /* digest, written alike; NULL: no table of depths, or not of each */
} tauler_slice;

typedef struct {
  const tauler_slice *slices; /* by game, rules, cycles, then in the order in which slices are solved */
  size_t slices_used;
  size_t passed_over; /* files that are damaged, in the wrong place, of no game here, or numbered otherwise */
} tauler_contents;

/* Lists the folder as it is now. Headers are read and checked, cells are not: some 30,000 tables a second. A
 * folder that does not exist is empty. The list belongs to the caller, refers to nothing else and may outlive
 * the `tauler`.
 * Errors: TAULER_IO (a folder or a file cannot be read), TAULER_NO_MEMORY; *out is NULL then. */
TAULER_API tauler_error tauler_list(tauler *db, tauler_contents **out, tauler_message *message);
TAULER_API void tauler_contents_free(tauler_contents *contents);

/* The number of a slice by its name, as tauler_list gives it, and how many indexes it has, whether tables are
 * there or not; either pointer may be NULL. Errors: TAULER_BAD_USAGE (no such slice), TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_find_slice(tauler_tables *tables, const char *name, uint32_t *slice_number,
                                          uint64_t *positions, tauler_message *message);

/* The longest canonical text of a position of any game, NUL included. */
#define TAULER_POSITION_BYTES 512

/* The position of an index, canonical; of an index that stands for no position (games may have such) the text
 * is "", as it is on errors. No table is read. Errors: TAULER_BAD_USAGE (no such slice or index),
 * TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_position_at(tauler_tables *tables, uint32_t slice_number, uint64_t index,
                                           char text[TAULER_POSITION_BYTES], tauler_message *message);

/* Worths of the indexes first … first + count − 1, each as tauler_value_at gives it, frame by frame: for
 * going through a slice. A table may leave cells out. Then the slice is loaded, with the smaller slices that
 * it needs, after some of its cells were asked for and if all fit in a quarter of the available memory. Its
 * values stay in memory until another slice is asked for. If they do not fit, such cells come back one by
 * one, far slower. Errors: as tauler_value_at; `worths` means nothing then. */
TAULER_API tauler_error tauler_values_at(tauler_tables *tables, uint32_t slice_number, uint64_t first,
                                         size_t count, tauler_worth *worths, tauler_message *message);

/* The same as whole numbers of a byte: lower and upper bounds, an array each, of which either may be NULL.
 * This is the fastest way through a slice, in one call or in few large ones. Errors: as tauler_values_at, and
 * TAULER_BAD_USAGE (a game of dice, whose bounds are no whole numbers). */
TAULER_API tauler_error tauler_bounds_at(tauler_tables *tables, uint32_t slice_number, uint64_t first,
                                         size_t count, int8_t *lower, int8_t *upper, tauler_message *message);

/* Depths of the same indexes: how soon the side makes good its lower bound, and how soon the other makes good
 * the upper one; TAULER_NO_DEPTH where there is none. Errors: as tauler_bounds_at; TAULER_TABLE_MISSING where
 * depths are not built. */
TAULER_API tauler_error tauler_depths_at(tauler_tables *tables, uint32_t slice_number, uint64_t first,
                                         size_t count, int32_t *lower, int32_t *upper,
                                         tauler_message *message);

/* --- moves and positions of a slice as arrays, without tables --- */

#define TAULER_OVER UINT32_MAX
#define TAULER_NOT_ENDED INT16_MIN
#define TAULER_NO_POSITION INT8_MIN

/* By what moves are listed: the game's batches, fast; its rules, one position at a time, which share no code
 * with what solves a game; or those of the positions that have no index, since no move leads to them, counted
 * from 0 as well. */
typedef enum { TAULER_MOVES_BATCHES, TAULER_MOVES_BY_RULES, TAULER_MOVES_OUTSIDE } tauler_moves_kind;

/* All moves of the positions first … first + count − 1: number i of these has the moves offsets[i] …
 * offsets[i + 1] − 1, each place to which moves lead once. A move is worth its gain less the value of the
 * child, or the gain alone where it ends the game. A move is quiet if its slice is the position's own. */
typedef struct {
  uint64_t positions;
  const uint64_t *offsets; /* positions + 1 */
  const uint32_t *slices;  /* number of the child's slice; TAULER_OVER: the game is over */
  const uint64_t *indexes; /* of the child; 0 where the game is over */
  const int16_t *gains;    /* of the mover, at once */
  const int16_t *ended;    /* value of each position that has no move; TAULER_NOT_ENDED where play goes on */
} tauler_moves;

/* How many positions of a slice have no index. Errors: TAULER_BAD_USAGE (no such slice). */
TAULER_API tauler_error tauler_outside(tauler_tables *tables, uint32_t slice_number, uint64_t *positions,
                                       tauler_message *message);

/* threads: 0: one for each processor. The list belongs to the caller, refers to nothing else and may outlive
 * the `tauler`. A slice that does not fit is asked for in parts. Errors: TAULER_BAD_USAGE (no such slice or
 * index, a game of dice), TAULER_NO_MEMORY; *list is NULL then. */
TAULER_API tauler_error tauler_moves_at(tauler_tables *tables, uint32_t slice_number, uint64_t first,
                                        size_t count, tauler_moves_kind kind, int threads,
                                        tauler_moves **list, tauler_message *message);
TAULER_API void tauler_moves_free(tauler_moves *list);

/* Positions as rows of *width numbers, those with an index or those without (`outside`). NULL as `numbers`
 * asks for the width alone. In a row of an index that stands for no position all are TAULER_NO_POSITION.
 *
 *   auale        seeds in A–F of the mover, then in a–f
 *   doushouqi    squares a1, b1 … g9: 0 empty, 1–8 the rat … the elephant of White, to move; Black's negative
 *   phutball     points row by row from row 1: 0 empty, 1 a man, 2 the ball; Ohs to move
 *   oca          for each seat from the one to roll on: square, turns to lose
 *   oca-asesina  for each seat: squares of its tokens, turns to lose; then the seat to roll, from 0, and 1 +
 *                the colour of its token that must move on, or 0
 *
 * Errors: TAULER_BAD_USAGE (no such slice or index). */
TAULER_API tauler_error tauler_boards_at(tauler_tables *tables, uint32_t slice_number, bool outside,
                                         uint64_t first, size_t count, int threads, size_t *width,
                                         int8_t *numbers, tauler_message *message);

/* Slices and indexes of positions given as texts; TAULER_OVER and TAULER_NO_INDEX of one that no table can
 * hold. Errors: TAULER_BAD_POSITION; the message says which of the list. */
TAULER_API tauler_error tauler_places(tauler_tables *tables, const char *const *positions, size_t count,
                                      uint32_t *slices, uint64_t *indexes, tauler_message *message);

/* Plays best moves until the game ends, a position repeats since the last converting move, no table
 * reaches, or most_moves are played (0: 10000). Where a repetition ends play, positions on the given line of
 * moves count as met, and until a move converts the best moves are those after these positions. With tables
 * of depths the side that gains takes the least depth and never shuffles. `rule` of the line says how moves
 * are chosen where bounds differ. TAULER_TABLE_MISSING gives the line as far as it is known; after every
 * other error *line is NULL. Games of dice have no such line: TAULER_BAD_USAGE.
 */
TAULER_API tauler_error tauler_play(tauler_tables *tables, const char *position, size_t most_moves,
                                    tauler_line **line, tauler_message *message);
TAULER_API void tauler_line_free(tauler_line *line);

/* --- above the tables --- */

/* Limits of a search. Where it ends by time depends on the machine, so bounds may differ from one run to the
 * next; they are proven whatever the limit. */
typedef struct {
  double seconds;     /* 0: no limit */
  uint64_t positions; /* to look at; 0: no limit */
  uint64_t memory;    /* bytes to keep what is proven in; 0: 256 MiB, or a quarter of what is available */
  bool (*stop)(void *user); /* true ends the search, with what is proven so far; asked often, by the calling
                               thread. NULL: nobody asks */
  void *user;
} tauler_search_limits;

/* As tauler_probe; where no table reaches a position it plays on from it down to the tables, for as long as
 * the limits allow. All that it adds to the answer is proven: `worth` and the worth of moves are bounds,
 * exact where they are equal, without depths; at worst they are the bounds that the rules give. Without a
 * limit it ends when the position is solved. It searches nothing where tables know the position.
 *
 * Bounds mean what those of tables mean (net seeds under `even`, guarantees under `forced`, what holds right
 * after a capture under `own-row`). Any number of threads may search at once, each with its own memory.
 * Errors: as tauler_probe, save TAULER_TABLE_MISSING; TAULER_BAD_POSITION also: positions met on a line of
 * moves where they count (own-row); TAULER_BAD_USAGE: no table reaches a position of a game of dice, or
 * one whose guarantees hold whatever was met (own-row-any). */
TAULER_API tauler_error tauler_search(tauler_tables *tables, const char *position,
                                      const tauler_search_limits *limits, tauler_answer **answer,
                                      tauler_message *message);

/* The digest of bytes, as tables are named by that of their plain cells. Errors: TAULER_NO_MEMORY. */
#define TAULER_DIGEST_BYTES 33
TAULER_API tauler_error tauler_digest(const void *bytes, size_t count, char text[TAULER_DIGEST_BYTES],
                                      tauler_message *message);

/* The sign of a worth, and "win", "draw", "loss" or "unknown". */
TAULER_API tauler_category tauler_category_of(tauler_worth worth);
TAULER_API const char *tauler_category_name(tauler_category category);

/* "0.1.0": of the library that runs, which may be another than the one compiled against. Before 1.0.0 objects
 * of another version may be laid out otherwise. */
TAULER_API const char *tauler_version(void);

#ifdef __cplusplus
}
#endif
#endif
