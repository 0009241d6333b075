/* Thinks in a thread of its own, within the limits of the command go. */
#include <string.h>

#include "analysis/uci/uci.h"
#include "base/clock.h"
#include "base/text.h"

/* The number of moves left if the command go does not tell it. */
enum { MOVES_LEFT = 30, MILLI = 1000 };
/* Largest shares of movetime and of the time on the clock that thinking may take. */
static const double FIXED_PART = 0.98, CLOCK_PART = 0.5, LEAST_SECONDS = 0.001;

typedef struct {
  uint64_t depth, nodes, movetime, time[2], gain[2], moves;
  bool has_depth, has_movetime, has_time[2], waits, ponders;
} go_words;

static bool read_number(char **rest, uint64_t *out) {
  const char *word = session_word(rest);
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

/* Returns the side to move, 0 for the one that begins a game. */
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

void go_start(session *s, char *words) {
  go_words go = {0};
  for (char *word; (word = session_word(&words));) read_go_word(word, &words, &go);
  go_stop(s);
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

static void allow_move(session *s) {
  pthread_mutex_lock(&s->lock);
  s->held = false;
  pthread_cond_signal(&s->allowed);
  pthread_mutex_unlock(&s->lock);
}

void go_ponderhit(session *s, char *words) {
  (void)words;
  if (!s->thinks) return;
  if (s->seconds > 0) atomic_store(&s->player.limits.until, clock_wall() + s->seconds);
  allow_move(s);
}

void go_stop(session *s) {
  if (!s->thinks) return;
  atomic_store(&s->player.limits.stop, true);
  allow_move(s);
  pthread_join(s->thinker, NULL);
  s->thinks = false;
}
