/* Reads the commands of a graphical program, and answers them. */
#include "analysis/uci/uci.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "games/game_text.h"

enum { MOST_LINE = 4 << 20, LINE_ROOM = 4096, MIB = 1 << 20 };

/* --- opening --- */

static tauler_error copy_text(const char *text, char **out, tauler_message *message) {
  if (!text) return TAULER_OK;
  *out = strdup(text);
  return *out ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for a session");
}

static void say_line(void *user, const char *line) {
  session_say(user, "%s", line);
}

tauler_error session_open(session *s, const game *game, const char *rules, const char *cycles,
                          const char *folder, FILE *in, FILE *out, tauler_message *message) {
  *s = (session){.game = game, .in = in, .out = out};
  s->player = (player){.threads = 1, .say = say_line, .user = s};
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->released, NULL);
  if (game->chance)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%s is a game of dice, which this protocol has no words for; ask tauler probe",
                       game->name);
  tauler_error error = copy_text(rules, &s->rules, message);
  if (!error) error = copy_text(cycles, &s->cycles, message);
  if (!error) error = copy_text(folder, &s->folder, message);
  if (!error && game->start) error = copy_text(game->start, &s->position, message);
  if (!error) error = tauler_open(folder, NULL, &s->db, message);
  if (!error) error = tauler_select(s->db, game->name, rules, cycles, &s->player.tables, message);
  if (!error) error = seen_open((uint64_t)SESSION_HASH_MIB * MIB, &s->player.seen, message);
  return error;
}

void session_close(session *s) {
  go_stop(s);
  seen_close(s->player.seen);
  tauler_close(s->db);
  free(s->rules);
  free(s->cycles);
  free(s->folder);
  free(s->position);
  pthread_cond_destroy(&s->released);
  pthread_mutex_destroy(&s->lock);
}

/* --- lines --- */

void session_say(session *s, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&s->lock);
  vfprintf(s->out, format, arguments);
  fputc('\n', s->out);
  fflush(s->out);
  pthread_mutex_unlock(&s->lock);
  va_end(arguments);
}

char *session_word(char **rest) {
  *rest += strspn(*rest, " \t\r");
  if (!**rest) return NULL;
  char *word = *rest;
  *rest += strcspn(*rest, " \t\r");
  if (**rest) *(*rest)++ = '\0';
  return word;
}

/* --- commands --- */

static void identify(session *s, char *words) {
  (void)words;
  session_say(s, "id name Tauler %s", tauler_version());
  session_say(s, "id author the authors of Tauler");
  options_say(s);
  session_say(s, "uciok");
}

static void synchronize(session *s, char *words) {
  (void)words;
  session_say(s, "readyok");
}

static void begin_game(session *s, char *words) {
  (void)words;
  go_stop(s);
  seen_clear(s->player.seen);
}

static void stop(session *s, char *words) {
  (void)words;
  go_stop(s);
}

static void hit(session *s, char *words) {
  (void)words;
  go_hit(s);
}

static void set_option(session *s, char *words) {
  go_stop(s);
  options_set(s, words);
}

/* The text of a position as the game reads it, "startpos" and "fen" replaced. */
static char *position_text(const session *s, char *words) {
  char *text;
  words += strspn(words, " \t");
  if (strncmp(words, "startpos", 8) == 0) {
    if (!s->game->start) return NULL;
    return asprintf(&text, "%s%s", s->game->start, words + 8) < 0 ? NULL : text;
  }
  return strdup(strncmp(words, "fen ", 4) == 0 ? words + 4 : words);
}

static void place(session *s, char *words) {
  tauler_message message = {"it has no first position; give one: position fen …"};
  game_position position;
  go_stop(s);
  free(s->position);
  s->position = position_text(s, words);
  if (s->position &&
      !game_text_parse(s->game, s->player.tables->rules, s->position, &position, NULL, &message))
    return;
  session_say(s, "info string %s", message.text);
  free(s->position);
  s->position = NULL;
}

typedef struct {
  const char *name;
  void (*run)(session *s, char *words);
} session_command;

static const session_command commands[] = {
    {"uci", identify},   {"isready", synchronize}, {"setoption", set_option}, {"ucinewgame", begin_game},
    {"position", place}, {"go", go_start},         {"ponderhit", hit},        {"stop", stop}};

/* Returns false if it was the last command. */
static bool answer(session *s, char *line) {
  char *rest = line, *word = session_word(&rest);
  if (!word) return true;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(word, commands[i].name) == 0) commands[i].run(s, rest);
  }
  return strcmp(word, "quit") != 0;
}

/* Reads a line without its end. Returns false at the end of the input. Bytes beyond MOST_LINE are left out.
 */
static bool read_line(session *s, char **line, size_t *room, bool *lost) {
  size_t used = 0;
  int c;
  while ((c = getc(s->in)) != EOF && c != '\n') {
    if (used + 1 >= *room && *room < MOST_LINE) {
      char *larger = realloc(*line, 2 * *room);
      if (!larger) {
        *lost = true;
        return false;
      }
      *line = larger;
      *room *= 2;
    }
    if (used + 1 < *room && c) (*line)[used++] = (char)c;
  }
  (*line)[used] = '\0';
  return c != EOF || used > 0;
}

tauler_error session_run(session *s, tauler_message *message) {
  size_t room = LINE_ROOM;
  char *line = malloc(room);
  bool lost = !line;
  while (!lost && read_line(s, &line, &room, &lost) && answer(s, line)) {}
  go_stop(s);
  free(line);
  return lost ? tauler_fail(message, TAULER_NO_MEMORY, "no memory for a line of the protocol") : TAULER_OK;
}
