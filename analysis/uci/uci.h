/* An engine that speaks the Universal Chess Interface. Private to analysis/uci. */
#ifndef ANALYSIS_UCI_UCI_H
#define ANALYSIS_UCI_UCI_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "analysis/probe/answer.h"
#include "analysis/search/search.h"
#include "analysis/uci/look.h"
#include "base/memory.h"

/* A player: chooses a move in a position, from tables at once where they know it, otherwise by search.
 * Private to analysis/uci/.
 *
 * A player owns what its searches have seen. One thread at a time may call player_think; while it runs, other
 * threads may change `limits`, and nothing else.
 */

typedef struct {
  tauler_tables *tables;
  seen *seen;
  int threads;
  bool slips; /* plays the second best move in some positions */
  look_limits limits;
  int depth;     /* plies to look ahead, at most LOOK_MOST_DEPTH */
  bool may_stop; /* false: goes on until `limits` ends the search, even if no more can be found out */
  /* Called by the thread that thinks, with a line of the protocol. */
  void (*say)(void *user, const char *line);
  void *user;
} player;

/* Texts belong to the caller, who frees them with player_choice_free. */
typedef struct {
  char *move;   /* NULL: there is none */
  char *answer; /* the answer expected from the other side, or NULL */
} player_choice;

/* Chooses a move in a position given as text, "moves …" included, where a repetition counts if the rules say
 * so. `say` receives reports meanwhile. If the game is over, *choice is empty and `say` receives the reason.
 * Errors: TAULER_BAD_POSITION, TAULER_NO_MEMORY. Then the choice is empty. */
tauler_error player_think(player *p, const char *position, player_choice *choice, tauler_message *message);
void player_choice_free(player_choice *choice);

/* The position that a player thinks about: its moves by name, the line that led there, and what is said about
 * it. Private to analysis/uci/. */

typedef struct {
  const char *text;
  game_position position;
  line_past past;
  game_moves moves;
  int lead; /* seeds that the side to move has captured more than the other */
  bool over;
  int known; /* the position's value by tables, as a search counts, or LOOK_INFINITE if they have none */
  double began;
} root;

/* Reads a position. The root may be closed after an error too. Errors: those of player_think. */
tauler_error root_open(root *r, const tauler_tables *tables, const char *text, tauler_message *message);
void root_close(root *r);

/* The result of a search. */
typedef struct {
  size_t best; /* a move of the root */
  int value, depth;
  uint64_t nodes, probes;
} root_found;

/* Writes the moves that follow each other by what was seen, the best of the root first, and at most `depth`,
 * and gives the second one as an answer; *answer may be NULL. */
void root_say(const root *r, const player *p, const root_found *found, char **answer);

/* Says what a move is worth by tables, with best play after it, of which *answer receives the first move.
 * Errors: TAULER_NO_MEMORY. */
tauler_error root_say_table(const root *r, const player *p, const tauler_move *move,
                            const tauler_worth *worth, char **answer, tauler_message *message);

/* The move that tables alone give. Private to analysis/uci/. */

/* Chooses by tables if they say enough, says what they do, and sets *chosen. If a repetition ends play, the
 * tables' values of quiet moves do not know that the present position was met: then a converting move worth
 * as much as the position is chosen, or, in small slices, the best move after the line; otherwise r->known
 * receives what they say of the position. `slips` asks for the second best move. Errors: TAULER_NO_MEMORY. */
tauler_error tables_choose(player *p, root *r, bool slips, player_choice *choice, bool *chosen,
                           tauler_message *message);

/* Says why tables are not used, unless `trouble` is "". */
void tables_say_trouble(const player *p, const char *trouble);

/* A conversation with a graphical program in the protocol UCI. Private to analysis/uci/.
 *
 * The calling thread reads commands; another one thinks, so that commands are answered meanwhile. Every line
 * that is written is written whole and at once.
 */

typedef struct {
  const game *game;
  char *rules, *cycles; /* NULL: the game's default */
  char *folder;
  tauler *db;
  player player;
  char *position; /* as the game reads it, or NULL if it could not be read or a move in it is none */

  pthread_t thinker;
  bool thinks;          /* a thread was started and not joined yet */
  pthread_mutex_t lock; /* protects standard output and the members below */
  pthread_cond_t released;
  bool held;      /* the move is said only after stop or ponderhit */
  double seconds; /* time for the move, counted from ponderhit if there is one, or 0 for no limit */
} session;

/* Writes a line. */
__attribute__((format(printf, 2, 3))) void session_say(session *s, const char *format, ...);

/* The next word of a line, ended in place; NULL at the end. *rest is moved on. */
char *session_word(char **rest);

/* --- go.c --- */

/* Starts to think as "go" asks: "depth 10 movetime 1000". */
void go_start(session *s, char *words);
void go_hit(session *s, char *words);

/* Ends thinking; the move is said before it returns. */
void go_stop(session *s);

#endif
