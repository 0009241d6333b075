/* A conversation with a graphical program in the protocol UCI. Private to analysis/uci/.
 *
 * The calling thread reads commands; another one thinks, so that commands are answered meanwhile. Every line
 * that is written is written whole and at once.
 */
#ifndef ANALYSIS_UCI_SESSION_H
#define ANALYSIS_UCI_SESSION_H

#include <pthread.h>
#include <stdio.h>

#include "analysis/uci/player.h"

enum { SESSION_HASH_MIB = 64, SESSION_MOST_HASH_MIB = 65536 };

typedef struct {
  const game *game;
  char *rules, *cycles; /* NULL: the game's default */
  char *folder;
  FILE *in, *out;
  tauler *db;
  player player;
  char *position; /* as the game reads it, or NULL if it could not be read or a move in it is none */

  pthread_t thinker;
  bool thinks;          /* a thread was started and not joined yet */
  pthread_mutex_t lock; /* protects `out` and the members below */
  pthread_cond_t released;
  bool held;      /* the move is said only after stop or ponderhit */
  double seconds; /* time for the move, counted from ponderhit if there is one, or 0 for no limit */
} session;

/* Opens the folder of tables and the rule set. Texts and files must outlive the session, which may be closed
 * after an error too. Errors: those of tauler_select, TAULER_BAD_USAGE (a game of dice). */
tauler_error session_open(session *s, const game *game, const char *rules, const char *cycles,
                          const char *folder, FILE *in, FILE *out, tauler_message *message);
void session_close(session *s);

/* Answers until `quit` or the end of the input. Errors: TAULER_NO_MEMORY, TAULER_IO. */
tauler_error session_run(session *s, tauler_message *message);

/* Writes a line. */
__attribute__((format(printf, 2, 3))) void session_say(session *s, const char *format, ...);

/* The next word of a line, ended in place; NULL at the end. *rest is moved on. */
char *session_word(char **rest);

/* --- options.c --- */

/* Writes the lines that name options. */
void options_say(session *s);

/* "name X value Y". An unknown name is ignored; a value that cannot be is answered with a reason. */
void options_set(session *s, char *words);

/* --- go.c --- */

/* Starts to think as "go" asks: "depth 10 movetime 1000". */
void go_start(session *s, char *words);
void go_hit(session *s);

/* Ends thinking; the move is said before it returns. */
void go_stop(session *s);

#endif
