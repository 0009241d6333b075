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
 * Who owns what. A `tauler` owns a cache of decoded table frames and every table it opens; a
 * `tauler_tables` is one rule set of one game over that folder and belongs to its `tauler`; an answer
 * or a line belongs to the caller, refers to nothing else and may outlive the `tauler`.
 *
 * Threads. Every function but tauler_close may be called from any number of threads at once on the
 * same objects. Tables are opened when first needed and stay open; a table that was missing is looked
 * for again at the next question, so tables may be built meanwhile.
 *
 * Errors. Every cause has its own code (tauler_error.h), and `message`, which may be NULL, then holds
 * one sentence for a person. A damaged or foreign file never yields a value: TAULER_DAMAGED_FILE.
 * Nothing is printed, no process is ended, no state is kept outside the objects.
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
} tauler_settings;

#define TAULER_NO_DEPTH (-1)
#define TAULER_NO_INDEX UINT64_MAX

/* What a position or a move is worth for one side: net seeds, or 1, 0, −1 for win, draw and loss; in games of
 * dice what that side expects, see tauler_roll.
 * The value lies in lower … upper; they differ where rules leave infinite play open, and in games of dice.
 * Depths are in plies: to the next move that settles the value (scores, bounds), or to the end of the game
 * (win, draw, loss). Bounds have one for either guarantee: how soon the side makes good `lower`, and how soon
 * the other makes good `upper`; elsewhere both are the same. Where a repetition ends play they are stages, of
 * a move those of where it leads: whoever holds to moves of the least stage gets the bound. */
typedef struct {
  bool known; /* false: no table reaches, and the rest means nothing */
  double lower, upper;
  int depth_lower, depth_upper; /* TAULER_NO_DEPTH: there is none, or no table of depths */
} tauler_worth;

/* The sign of a worth; unknown where no table reaches or the bounds straddle. */
typedef enum { TAULER_UNKNOWN, TAULER_LOSS, TAULER_DRAW, TAULER_WIN } tauler_category;

typedef struct {
  const char *name;     /* "F" */
  const char *position; /* after the move, canonical; "" if `over` */
  const char *slice;    /* of that position; "" if `over` */
  tauler_worth worth;   /* for the mover, gain included */
  tauler_worth child;   /* of `position`, for the side to move there; not known if `over` */
  bool over;            /* the move ends the game */
  bool converts;        /* leaves the slice or ends the game: nothing before it can come back */
  bool best;            /* of dice: no other move under the roll is surely better; bounds that overlap are a
                           tie. false while some are not known, and in other games */
  bool repeats;         /* leads to a position of tauler_history, so play ends: `worth` is what that pays */
  tauler_worth after_line; /* as in tauler_history, gain included; not known without a line */
} tauler_move;

/* Where the first repetition since the last converting move ends play (auale, own-row and own-row-any), what
 * a position is worth depends on those met before, and tables speak of other histories: of own-row of none,
 * as right after a capture, of own-row-any of all. So after "POSITION moves …" worth, category and the worth
 * of moves of an answer are those of the position without the line, and this is what holds after it. It is
 * found by lines of play, within a fixed effort, in bounds that are always sound and mostly equal; no table
 * is needed. Not known of slices of more than 400,000 positions (auale: of more than ten seeds) unless play
 * is over or nothing was met. */
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
 * its own; where there is only one quantity that one, negated if the side wants little of it. Bounds of an
 * expected number may be infinite. There are no depths.
 *
 * The category compares with one half, of what two players' worths add up to: a win if the lower bound is
 * above it, a loss if the upper one is below, a draw if both are it; else, and with any other number of
 * players, it is unknown. tauler_category_of does not know of that: it is the sign of a worth. */
typedef struct {
  const char *name; /* "score-1", "win-2", "turns"; seats are counted from 1, whoever is to move */
  bool known;
  double lower, upper;
} tauler_quantity;

/* What may be done with a roll; in place of tauler_answer's `moves`. Where a turn is lost nobody rolls: there
 * is a single one, called "pass", of weight 1, and its single move. */
typedef struct {
  const char *name;         /* "1" */
  uint32_t weight;          /* its probability is this ÷ the sum of all weights of the answer */
  const tauler_move *moves; /* best first for the side to move: by lower, then upper bound; not known last */
  size_t moves_used;
} tauler_roll;

typedef struct {
  const char *game, *rules, *cycles; /* canonical; cycles is "" where there is no choice */
  const char *position;              /* canonical */
  const char *drawing;               /* of the board, several lines */
  const char *turn;                  /* "S" */
  const char *slice;                 /* "12" */
  uint32_t slice_number;             /* for tauler_value_at; UINT32_MAX: no table can hold the position */
  uint64_t index; /* in the slice; TAULER_NO_INDEX: no move leads there, no slice, or of dice no table */
  bool ended;     /* the game is over here */
  tauler_category category;
  tauler_worth worth; /* for the side to move */
  const char *table;  /* digest of the slice's table ("LOWER+UPPER" of bounds, of dice so for each quantity,
                         joined by "+"); NULL: not built */
  bool has_final;     /* the position carries stores, and the value (after a line: its history's) is exact: */
  double final[2];    /* what both sides will have in the end, first player first */
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
} tauler_answer;

/* How a line of play came to its end. */
typedef enum {
  TAULER_LINE_ENDED,   /* the game is over */
  TAULER_LINE_REPEATS, /* the last position stood before: `repeats` says where */
  TAULER_LINE_UNKNOWN, /* no table reaches further */
  TAULER_LINE_CUT      /* it goes on, but `most_moves` are played */
} tauler_line_end;

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
} tauler_line;

/* Opens a folder of tables. It need not exist: then every table is missing.
 * Errors: TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_open(const char *folder, const tauler_settings *settings, tauler **out,
                                    tauler_message *message);

/* Closes all of its tables and rule sets; no other call on them may be under way. NULL is ignored. */
TAULER_API void tauler_close(tauler *db);

/* A game's rule set over the folder. `rules` and `cycles` are as on the command line; NULL is the
 * game's default. The same rule set is the same object however often it is selected.
 * Errors: TAULER_BAD_USAGE (no such game or rules), TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_select(tauler *db, const char *game, const char *rules, const char *cycles,
                                      tauler_tables **out, tauler_message *message);

/* All about a position, given as text in any notation of the game, also followed by
 * "moves …". Moves stand best first: by lower, then upper; a winner's shorter ways before longer
 * ones, a loser's longer before shorter; then converting moves; then in the game's order. Moves not
 * known stand last. Positions that no move leads to, or whose turn is lost, are valued by their moves. Of a
 * game of dice an answer has `rolls` in place of `moves`. Where a line of moves counts (tauler_history) they
 * stand by what they are worth after it, and a line that goes on after a repetition is a bad position.
 *
 * TAULER_TABLE_MISSING still gives an answer: legal moves, worth not known; the message names the
 * table and the command that builds it. When the position itself is known, moves that are not do not
 * make an error. After every other error *answer is NULL. Errors: TAULER_BAD_POSITION,
 * TAULER_TABLE_MISSING, TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY. */
TAULER_API tauler_error tauler_probe(tauler_tables *tables, const char *position, tauler_answer **answer,
                                     tauler_message *message);
TAULER_API void tauler_answer_free(tauler_answer *answer);

/* The worth of a position alone, without depths and whatever line led there: cheaper. Errors as for
 * tauler_probe; on error worth->known is false. */
TAULER_API tauler_error tauler_value(tauler_tables *tables, const char *position, tauler_worth *worth,
                                     tauler_message *message);

/* The same by number, without reading text: what programs that go through many positions want.
 * Errors: TAULER_BAD_USAGE (no such index), and as above. */
TAULER_API tauler_error tauler_value_at(tauler_tables *tables, uint32_t slice_number, uint64_t index,
                                        tauler_worth *worth, tauler_message *message);

/* Plays best moves until the game ends, a position repeats since the last converting move, no table
 * reaches, or most_moves are played (0: 10000). Where a repetition ends play, positions on the line of moves
 * that is given repeat too, and until a move converts the best are those for what was met. With tables of
 * depths whoever gains takes the least depth and never shuffles. TAULER_TABLE_MISSING gives the line as far
 * as it is known; after every other error *line is NULL. Games of dice have no such line: TAULER_BAD_USAGE.
 */
TAULER_API tauler_error tauler_play(tauler_tables *tables, const char *position, size_t most_moves,
                                    tauler_line **line, tauler_message *message);
TAULER_API void tauler_line_free(tauler_line *line);

/* The sign of a worth, and "win", "draw", "loss" or "unknown". */
TAULER_API tauler_category tauler_category_of(tauler_worth worth);
TAULER_API const char *tauler_category_name(tauler_category category);

#ifdef __cplusplus
}
#endif
#endif
