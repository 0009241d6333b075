/* Runs the command uci: reads the commands and options of a graphical program, and answers them. */
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/uci/uci.h"
#include "base/clock.h"
#include "base/command/command.h"
#include "base/command/threads.h"
#include "base/text.h"
#include "games/game_options.h"
#include "games/game_text.h"

enum { MOST_LINE = 4 << 20, LINE_ROOM = 4096, MIB = 1 << 20, HASH_MIB = 64, MOST_HASH_MIB = 65536 };

/* A session with a graphical program. The calling thread reads commands and answers them while another one
 * thinks. Each line is written whole and at once. */
typedef struct {
  const game *game;
  char *rules, *cycles; /* NULL for the game's default */
  char *folder;
  tauler *db;
  player player;
  char *position; /* text that the game can read, or NULL if there is none or it is invalid */

  pthread_t thinker;
  bool thinks;          /* true while a thread is started and not joined */
  pthread_mutex_t lock; /* protects standard output and `held` */
  pthread_cond_t allowed;
  bool held;      /* true while the move must wait for stop or ponderhit */
  double seconds; /* seconds for the move, from go or ponderhit on, or 0 for no limit */
} session;

/* --- lines of the protocol --- */

__attribute__((format(printf, 2, 3))) static void session_say(session *s, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&s->lock);
  vfprintf(stdout, format, arguments);
  putchar('\n');
  fflush(stdout);
  pthread_mutex_unlock(&s->lock);
  va_end(arguments);
}

/* Returns the next word of a line, ended in place, or NULL at the end. Moves *rest past it. */
static char *session_take_word(char **rest) {
  *rest += strspn(*rest, " \t\r");
  if (!**rest) return NULL;
  char *word = *rest;
  *rest += strcspn(*rest, " \t\r");
  if (**rest) *(*rest)++ = '\0';
  return word;
}

/* --- opening and closing --- */

static void allow_move(session *s) {
  pthread_mutex_lock(&s->lock);
  s->held = false;
  pthread_cond_signal(&s->allowed);
  pthread_mutex_unlock(&s->lock);
}

/* Ends thinking and waits until the move is written. */
static void stop_thinking(session *s) {
  if (!s->thinks) return;
  atomic_store(&s->player.limits.stop, true);
  allow_move(s);
  pthread_join(s->thinker, NULL);
  s->thinks = false;
}

static tauler_error copy_text(const char *text, char **out, tauler_message *message) {
  if (!text) return TAULER_OK;
  *out = strdup(text);
  return *out ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for a session");
}

static void say_line(void *user, const char *line) {
  session_say(user, "%s", line);
}

/* The caller closes the session, after an error too. */
static tauler_error session_open(session *s, const game *game, const char *rules, const char *cycles,
                                 const char *folder, tauler_message *message) {
  *s = (session){.game = game};
  s->player = (player){.threads = 1, .say = say_line, .user = s};
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->allowed, NULL);
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
  if (!error) error = seen_open((uint64_t)HASH_MIB * MIB, &s->player.seen, message);
  return error;
}

static void session_close(session *s) {
  stop_thinking(s);
  seen_close(s->player.seen);
  tauler_close(s->db);
  free(s->rules);
  free(s->cycles);
  free(s->folder);
  free(s->position);
  pthread_cond_destroy(&s->allowed);
  pthread_mutex_destroy(&s->lock);
}

/* --- options --- */

static void say_reason(session *s, const tauler_message *message) {
  session_say(s, "info string %s", message->text);
}

static void set_rules(session *s, char **which, const char *value) {
  tauler_message message = {""};
  tauler_tables *tables;
  char *before = *which;
  *which = NULL;
  tauler_error error = copy_text(*value ? value : NULL, which, &message);
  if (!error) error = tauler_select(s->db, s->game->name, s->rules, s->cycles, &tables, &message);
  if (error) {
    say_reason(s, &message);
    free(*which);
    *which = before;
    return;
  }
  free(before);
  s->player.tables = tables;
  seen_clear(s->player.seen);
}

static void set_folder(session *s, const char *value) {
  tauler_message message = {""};
  tauler *db = NULL;
  tauler_tables *tables;
  char *folder = strdup(value);
  tauler_error error = folder ? tauler_open(folder, NULL, &db, &message)
                              : tauler_fail(&message, TAULER_NO_MEMORY, "no memory for a name");
  if (!error) error = tauler_select(db, s->game->name, s->rules, s->cycles, &tables, &message);
  if (error) {
    say_reason(s, &message);
    tauler_close(db);
    free(folder);
    return;
  }
  tauler_close(s->db);
  free(s->folder);
  s->db = db;
  s->folder = folder;
  s->player.tables = tables;
}

static void set_hash(session *s, uint64_t mib) {
  tauler_message message = {""};
  seen *made;
  if (seen_open(mib * MIB, &made, &message)) {
    say_reason(s, &message);
    return;
  }
  seen_close(s->player.seen);
  s->player.seen = made;
}

static bool read_option_number(session *s, const char *name, const char *value, uint64_t most,
                               uint64_t *out) {
  if (text_read_unsigned(value, 1, most, out)) return true;
  session_say(s, "info string %s must be a number from 1 to %llu", name, (unsigned long long)most);
  return false;
}

static void set_strength(session *s, const char *value) {
  const bool slips = strcasecmp(value, "slips") == 0;
  if (!slips && strcasecmp(value, "perfect") != 0) {
    session_say(s, "info string Strength must be perfect or slips");
    return;
  }
  s->player.slips = slips;
}

static void apply_option(session *s, const char *name, const char *value) {
  uint64_t number;
  if (strcasecmp(name, "Rules") == 0) set_rules(s, &s->rules, value);
  if (strcasecmp(name, "Cycles") == 0) set_rules(s, &s->cycles, value);
  if (strcasecmp(name, "TablesPath") == 0) set_folder(s, value);
  if (strcasecmp(name, "Strength") == 0) set_strength(s, value);
  if (strcasecmp(name, "Threads") == 0 &&
      read_option_number(s, name, value, (uint64_t)threads_available(), &number))
    s->player.threads = (int)number;
  if (strcasecmp(name, "Hash") == 0 && read_option_number(s, name, value, MOST_HASH_MIB, &number))
    set_hash(s, number);
}

static void set_option(session *s, char *words) {
  const char *word = session_take_word(&words), *name = word ? session_take_word(&words) : NULL;
  if (!name || strcasecmp(word, "name") != 0) return;
  word = session_take_word(&words);
  if (word && strcasecmp(word, "value") != 0) return; /* No option of this engine has a name of two words. */
  const text_line value = text_clean(words, strlen(words));
  words += value.text - words;
  words[value.length] = '\0';
  apply_option(s, name, words);
}

/* --- the command go --- */

enum { MOVES_LEFT = 30, MILLI = 1000 };
/* Largest shares of movetime and of the time on the clock that thinking may take. */
static const double FIXED_PART = 0.98, CLOCK_PART = 0.5, LEAST_SECONDS = 0.001;

typedef struct {
  uint64_t depth, nodes, movetime, time[2], gain[2], moves;
  bool has_depth, has_movetime, has_time[2], waits, ponders;
} go_words;

static bool read_number(char **rest, uint64_t *out) {
  const char *word = session_take_word(rest);
  if (!word) return false;
  if (*word == '-') { /* A clock that has run out is negative. */
    *out = 0;
    return true;
  }
  return text_read_unsigned(word, 0, UINT32_MAX, out);
}

static void read_go_word(const char *word, char **rest, go_words *go) {
  static const char *const clocks[2][2] = {{"wtime", "winc"}, {"btime", "binc"}};
  if (strcmp(word, "infinite") == 0) go->waits = true;
  if (strcmp(word, "ponder") == 0) go->waits = go->ponders = true;
  if (strcmp(word, "depth") == 0) go->has_depth = read_number(rest, &go->depth);
  if (strcmp(word, "nodes") == 0) read_number(rest, &go->nodes);
  if (strcmp(word, "movestogo") == 0) read_number(rest, &go->moves);
  if (strcmp(word, "movetime") == 0) go->has_movetime = read_number(rest, &go->movetime);
  for (int side = 0; side < 2; side++) {
    if (strcmp(word, clocks[side][0]) == 0) go->has_time[side] = read_number(rest, &go->time[side]);
    if (strcmp(word, clocks[side][1]) == 0) read_number(rest, &go->gain[side]);
  }
}

/* Returns the side to move, 0 for the one that begins a game or if there is no position. */
static int side_to_move(const session *s) {
  game_position position;
  const game *g = s->game;
  const game_rules *rules = s->player.tables->rules;
  if (!s->position || !g->sides || g->parse(rules, s->position, &position, NULL)) return 0;
  return strcmp(g->turn(rules, &position), g->sides[0].turn) != 0;
}

static double move_seconds(const session *s, const go_words *go) {
  double seconds = 0;
  const int side = side_to_move(s);
  if (go->has_movetime) {
    seconds = FIXED_PART * (double)go->movetime / MILLI;
  } else if (go->has_time[side]) {
    const double left = (double)go->time[side] / MILLI, moves = go->moves ? (double)go->moves : MOVES_LEFT;
    seconds = left / moves + (double)go->gain[side] / MILLI;
    if (seconds > CLOCK_PART * left) seconds = CLOCK_PART * left;
  } else {
    return 0;
  }
  return seconds < LEAST_SECONDS ? LEAST_SECONDS : seconds;
}

static void wait_until_allowed(session *s) {
  pthread_mutex_lock(&s->lock);
  while (s->held) pthread_cond_wait(&s->allowed, &s->lock);
  pthread_mutex_unlock(&s->lock);
}

static void *think_and_say_move(void *user) {
  session *s = user;
  player_choice choice = {0};
  tauler_message message = {""};
  if (s->position && player_think(&s->player, s->position, &choice, &message))
    session_say(s, "info string %s", message.text);
  wait_until_allowed(s);
  if (choice.answer) {
    session_say(s, "bestmove %s ponder %s", choice.move, choice.answer);
  } else {
    session_say(s, "bestmove %s", choice.move ? choice.move : "0000");
  }
  player_choice_free(&choice);
  return NULL;
}

static void start_thinking(session *s, char *words) {
  go_words go = {0};
  for (char *word; (word = session_take_word(&words));) read_go_word(word, &words, &go);
  stop_thinking(s);
  player *p = &s->player;
  const bool endless = go.waits && !go.ponders;
  p->depth = LOOK_MOST_DEPTH;
  if (go.has_depth && !endless && go.depth < LOOK_MOST_DEPTH) p->depth = go.depth > 0 ? (int)go.depth : 1;
  p->limits.nodes = endless ? 0 : go.nodes;
  p->may_stop = !go.waits;
  s->held = go.waits;
  s->seconds = endless ? 0 : move_seconds(s, &go);
  atomic_store(&p->limits.stop, false);
  atomic_store(&p->limits.until, go.waits || s->seconds <= 0 ? 0 : clock_wall() + s->seconds);
  s->thinks = pthread_create(&s->thinker, NULL, think_and_say_move, s) == 0;
  if (!s->thinks) {
    session_say(s, "info string the system starts no thread");
    session_say(s, "bestmove 0000");
  }
}

static void continue_after_ponderhit(session *s, char *words) {
  (void)words;
  if (!s->thinks) return;
  if (s->seconds > 0) atomic_store(&s->player.limits.until, clock_wall() + s->seconds);
  allow_move(s);
}

/* --- commands --- */

static void say_identity(session *s, char *words) {
  (void)words;
  const tauler_tables *tables = s->player.tables;
  session_say(s, "id name Tauler %s", tauler_version());
  session_say(s, "id author the authors of Tauler");
  session_say(s, "option name Rules type string default %s", tauler_rules_text(tables));
  if (*tauler_cycles_text(tables))
    session_say(s, "option name Cycles type string default %s", tauler_cycles_text(tables));
  session_say(s, "option name TablesPath type string default %s",
              s->folder && *s->folder ? s->folder : "<empty>");
  session_say(s, "option name Strength type combo default perfect var perfect var slips");
  session_say(s, "option name Threads type spin default 1 min 1 max %d", threads_available());
  session_say(s, "option name Hash type spin default %d min 1 max %d", HASH_MIB, MOST_HASH_MIB);
  session_say(s, "uciok");
}

static void say_ready(session *s, char *words) {
  (void)words;
  session_say(s, "readyok");
}

static void begin_game(session *s, char *words) {
  (void)words;
  seen_clear(s->player.seen);
}

/* Returns the text of a position as the game reads it, without "startpos" or "fen", which the caller frees.
 * Returns NULL if memory is short or, with a message, if there is none. */
static char *position_text(const session *s, char *words, tauler_message *message) {
  char *text;
  words += strspn(words, " \t");
  if (strncmp(words, "startpos", 8) != 0) return strdup(strncmp(words, "fen ", 4) == 0 ? words + 4 : words);
  if (s->game->start) return asprintf(&text, "%s%s", s->game->start, words + 8) < 0 ? NULL : text;
  (void)tauler_fail(message, TAULER_BAD_USAGE, "it has no first position; give one: position fen …");
  return NULL;
}

static void set_position(session *s, char *words) {
  tauler_message message = {"no memory for a position"};
  game_position position;
  free(s->position);
  s->position = position_text(s, words, &message);
  if (s->position &&
      !game_text_parse(s->game, s->player.tables->rules, s->position, &position, NULL, &message))
    return;
  session_say(s, "info string %s", message.text);
  free(s->position);
  s->position = NULL;
}

typedef struct {
  const char *name;
  bool stops; /* true if thinking ends before the command runs */
  void (*run)(session *s, char *words);
} session_command;

static const session_command commands[] = {{"uci", false, say_identity},
                                           {"isready", false, say_ready},
                                           {"setoption", true, set_option},
                                           {"ucinewgame", true, begin_game},
                                           {"position", true, set_position},
                                           {"go", false, start_thinking},
                                           {"ponderhit", false, continue_after_ponderhit},
                                           {"stop", true, NULL}};

/* Returns false for quit. */
static bool run_line(session *s, char *line) {
  char *rest = line, *word = session_take_word(&rest);
  if (!word) return true;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    if (strcmp(word, commands[i].name) != 0) continue;
    if (commands[i].stops) stop_thinking(s);
    if (commands[i].run) commands[i].run(s, rest);
  }
  return strcmp(word, "quit") != 0;
}

/* Reads a line without its end; leaves out zeros, and bytes beyond MOST_LINE. Returns false at the end of the
 * input, or if memory is short, when *lost becomes true. */
static bool read_line(char **line, size_t *room, bool *lost) {
  size_t used = 0;
  int c;
  while ((c = getchar()) != EOF && c != '\n') {
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

static tauler_error session_run(session *s, tauler_message *message) {
  size_t room = LINE_ROOM;
  char *line = malloc(room);
  bool lost = !line;
  while (!lost && read_line(&line, &room, &lost) && run_line(s, line)) {}
  stop_thinking(s);
  free(line);
  return lost ? tauler_fail(message, TAULER_NO_MEMORY, "no memory for a line of the protocol") : TAULER_OK;
}

/* --- command --- */

static const option_group *const groups[] = {&game_options_rules_group, &game_options_folder_group, NULL};

/* The game and the rules of the program Aualé, which apply if no GAME is named. */
static const char *const usual_game = "auale", *const usual_rules = "abapa", *const usual_cycles = "own-row";

static tauler_error run_uci(const options *parsed, tauler_message *message) {
  const game *chosen;
  session s;
  const bool named = options_arguments(parsed) > 0;
  const char *rules = options_get(parsed, "rules"), *cycles = options_get(parsed, "cycles");
  tauler_error error = game_options_find(named ? options_argument(parsed, 0) : usual_game, &chosen, message);
  if (error) return error;
  if (!named && !rules) rules = usual_rules;
  if (!named && !cycles) cycles = usual_cycles;
  error = session_open(&s, chosen, rules, cycles, game_options_folder(parsed), message);
  if (!error) error = session_run(&s, message);
  session_close(&s);
  return error;
}

const command command_uci = {.name = "uci",
                             .arguments = "[GAME]",
                             .arguments_completion = GAME_OPTIONS_COMPLETION,
                             .groups = groups,
                             .run = run_uci};
