/* The judgement of tables on every move of a recorded game: its worth, the best one's, what it gave away.
 * Private to analysis/.
 *
 * Worths are for the side to move, as in answers (tauler.h): net of what is still on the board, or 1, 0, −1.
 * Bounds stay bounds: what a move gave away is at least `given_lower` and at most `given_upper`, INFINITY
 * where nothing bounds it. Where the first repetition ends play (tauler_history) tables speak of other
 * histories; moves are then judged by what they are worth after the moves of the record before them. The
 * position that a record begins with is taken as one that nothing was met before.
 *
 * A judged_game owns what it shows until judged_free, but for the texts of its record, which must outlive it.
 */
#ifndef ANALYSIS_RECORDS_JUDGE_H
#define ANALYSIS_RECORDS_JUDGE_H

#include "analysis/probe/tauler.h"
#include "analysis/records/record.h"
#include "base/progress.h"
#include "games/game.h"

enum { JUDGED_SIDES = 2, JUDGED_CONTRADICTIONS = 3 };

typedef struct {
  const record_item *item;
  const char *name;     /* canonical */
  const char *position; /* before it, canonical */
  const char *slice;
  const char *turn;                  /* "S" */
  int side;                          /* 0: who moves first in the game's start position */
  tauler_worth made, best;           /* by the tables, with depths */
  tauler_worth line_made, line_best; /* after the line, where a repetition ends play; else not known */
  bool by_line;                      /* those judge the move, else made and best */
  bool judged;                       /* given_lower or given_upper says something */
  double given_lower, given_upper;
  const char *best_moves; /* all that are worth as much as the best, of wins the soonest, of losses the
                             latest, joined by blanks; "": not known */
  size_t best_moves_used;
  bool made_best;                /* it is one of them */
  tauler_category before, after; /* the result of the game for the mover under best play, stores counted */
} judged_move;

typedef struct {
  size_t moves, judged;
  size_t bounded; /* of those judged: what they gave away is known by bounds alone */
  double given_lower,
      given_upper;     /* what the others gave away in all; of more than all seeds, these at least */
  size_t worst;        /* the ordinal of the move that gave away most, by given_lower; SIZE_MAX: none */
  size_t first_change; /* of the first that changed the result; SIZE_MAX: none */
} judged_side;

/* How the record's own result stands to its last position. */
typedef enum {
  RESULT_UNSAID, /* the record has none */
  RESULT_OPEN,   /* the game is not over there */
  RESULT_AGREES,
  RESULT_DIFFERS
} result_check;

typedef struct {
  const game *game;
  const char *rules, *cycles; /* canonical */
  const char *start, *end;    /* positions; `end` is "" if the last move ended the game */
  judged_move *moves;
  size_t moves_used;
  judged_side sides[JUDGED_SIDES];
  const char *side_names[JUDGED_SIDES]; /* "South" */
  const char *players[JUDGED_SIDES];    /* by the tags; NULL: not said */
  bool counts;                          /* a repetition ends play under these rules */
  bool stages;                          /* depths are stages */
  bool over, repeated;                  /* at the end: by the rules; the last position stood before */
  tauler_worth end_worth;               /* of `end` for the side to move, after the line where that counts */
  const char *result;                   /* as the record says; NULL: not said */
  size_t result_line;                   /* where it says so */
  const char *reached;                  /* what the end comes to, written alike; NULL: the game goes on */
  const char *expected; /* what best play from there comes to, alike; NULL: not known, or over */
  result_check check;
  const char *contradictions[JUDGED_CONTRADICTIONS]; /* of the record with itself, sentences without a stop */
  size_t contradictions_used;
  const char *missing; /* the message of the last table that was missing; NULL: none was */
  text_pool pool;
} judged_game;

/* The rule set and cycles of the command line; NULL: those of the record hold. */
typedef struct {
  const char *game; /* of records that do not say */
  const char *rules, *cycles;
  double until;    /* of clock_thread_cpu; 0: no end */
  progress *shown; /* of the moves of each game; NULL: none */
} judge_wish;

/* The game of a record, and its rules as tauler_select takes them, NULL for the game's own. `file` is how
 * messages call the record's. Errors: TAULER_BAD_USAGE (no game is said, one without moves to judge, a
 * variant that is not known). */
tauler_error judge_choose(const record *r, const char *file, const judge_wish *wish, const game **game,
                          const char **rules, const char **cycles, tauler_message *message);

/* Errors: as judge_choose; TAULER_BAD_POSITION (a move that is not legal, with file, line, column, position
 * and the moves that are; one said to capture another number of seeds; a result that the game cannot have; no
 * position to begin with), those of tauler_probe but TAULER_TABLE_MISSING; TAULER_STOPPED (`until`). After
 * an error nothing is owned. */
tauler_error judge_record(tauler *db, const record *r, const char *file, const judge_wish *wish,
                          judged_game *out, tauler_message *message);
void judged_free(judged_game *judged);

/* The worths that judge a move. */
tauler_worth judged_made(const judged_move *move);
tauler_worth judged_best(const judged_move *move);

/* For a person; `number` is that of the game in its file. */
void judged_print(FILE *out, const judged_game *judged, const record *r, const char *file, size_t number,
                  bool colored);

/* One object on a line. */
tauler_error judged_print_json(FILE *out, const judged_game *judged, const record *r, const char *file,
                               size_t number, tauler_message *message);

/* Adds what was found to a record as comments that begin with "tauler: ", each behind its move and before
 * other comments; those of an earlier analysis go. A record without tags gets those that say game, rules and
 * position. Errors: as record_add_item. */
tauler_error judged_annotate(const judged_game *judged, const record *r, record *out,
                             tauler_message *message);

#endif
