/* An engine that speaks the Universal Chess Interface. Private to analysis/uci. */
#ifndef ANALYSIS_UCI_UCI_H
#define ANALYSIS_UCI_UCI_H

#include "analysis/probe/answer.h"
#include "analysis/search/search.h"
#include "analysis/uci/look.h"

/* A player chooses a move: from tables if they know the position, otherwise by search. One thread at a time
 * may call player_think; while it runs, other threads may change only `stop` and `until` of the limits. */

typedef struct {
  tauler_tables *tables;
  seen *seen;
  int threads;
  bool slips; /* true if the second best move is played in some positions */
  look_limits limits;
  int depth;     /* largest depth of a search in plies, at most LOOK_MOST_DEPTH */
  bool may_stop; /* true if a search may end before its limits, when its result is certain */
  /* Writes a line of the protocol; the thread that thinks calls it. */
  void (*say)(void *user, const char *line);
  void *user;
} player;

/* Texts belong to the caller, who frees them with player_choice_free. */
typedef struct {
  char *move;   /* NULL if no move is legal */
  char *answer; /* name of the expected answer, or NULL */
} player_choice;

/* Chooses a move in a position given as text, "moves …" included, where a repetition counts if the rules say
 * so. Calls `say` with reports. If the game is over, *choice is empty and `say` receives the reason. After an
 * error *choice is empty, too. Errors: TAULER_BAD_POSITION, TAULER_NO_MEMORY. */
tauler_error player_think(player *p, const char *position, player_choice *choice, tauler_message *message);
void player_choice_free(player_choice *choice);

typedef struct {
  const char *text; /* position as the caller wrote it */
  game_position position;
  line_past past;
  game_moves moves;
  int lead; /* captured seeds of the side to move less those of the other side */
  bool over;
  int known;    /* value of the position by tables, in units of a search, or LOOK_INFINITE if not known */
  double began; /* time of clock_wall at which the root was opened */
} root;

/* Reads a position. The root may be closed after an error too. Errors: those of player_think. */
tauler_error root_open(root *r, const tauler_tables *tables, const char *text, tauler_message *message);
void root_close(root *r);

typedef struct {
  size_t best; /* number of a move of the root */
  int value, depth;
  uint64_t nodes, probes;
} root_found;

/* Reports the result of a search, with the beginning of the best line that `seen` contains. If the
 * line has a second move, *answer becomes its name; `answer` may be NULL. */
void root_say(const root *r, const player *p, const root_found *found, char **answer);

/* Reports the worth of a move by tables, and best play after it. If best play has a move, *answer becomes its
 * name. Errors: TAULER_NO_MEMORY. */
tauler_error root_say_table(const root *r, const player *p, const tauler_move *move,
                            const tauler_worth *worth, char **answer, tauler_message *message);

#endif
