/* Measures the speed of a game's move generator. */
#include "analysis/bench/bench.h"
#include "base/clock.h"
#include "base/command/signals.h"
#include "games/registry.h"

enum { PLIES_BETWEEN_STOPS = 5, MOST_PUBLISHED = sizeof((bench_walk *)0)->published / sizeof(uint64_t) };

typedef struct {
  const bench *bench;
  const game *game;
  game_rules *rules;
  bool made; /* true if the moves of the last ply are made */
} counting;

/* Adds the number of lines to *n. Counts long lines move by move, so that the count can be stopped. */
static tauler_error count_lines(const counting *c, const game_position *position, int plies, uint64_t *n,
                                tauler_message *message) {
  if (plies <= PLIES_BETWEEN_STOPS) {
    *n += c->game->leaves(c->rules, position, plies, c->made);
    return TAULER_OK;
  }
  if (signals_asked()) return tauler_fail(message, TAULER_STOPPED, "stopped on request");
  game_moves moves = {0};
  tauler_error error = c->game->moves(c->rules, position, &moves);
  if (error) error = tauler_fail(message, error, "no memory for moves");
  for (size_t i = 0; i < moves.used && !error; i++) {
    if (!moves.moves[i].over) error = count_lines(c, &moves.moves[i].child, plies - 1, n, message);
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error check_lines(int plies, uint64_t found, uint64_t expected, tauler_message *message) {
  if (found == expected) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "there are %llu lines of %d plies instead of %llu",
                     (unsigned long long)found, plies, (unsigned long long)expected);
}

static tauler_error check_published(const counting *c, const bench_walk *walk, const game_position *start,
                                    int plies, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int ply = 1; ply <= plies && !error; ply++) {
    uint64_t found = 0;
    error = count_lines(c, start, ply, &found, message);
    if (!error) error = check_lines(ply, found, walk->published[ply - 1], message);
  }
  return error;
}

static tauler_error time_lines(counting *c, const game_position *start, int plies, bool made, uint64_t *n,
                               const char *key, tauler_message *message) {
  c->made = made;
  *n = 0;
  const double begin = clock_thread_cpu();
  const tauler_error error = count_lines(c, start, plies, n, message);
  if (!error) bench_write_number(c->bench, key, (double)*n / (clock_thread_cpu() - begin));
  return error;
}

static tauler_error count_and_report_lines(counting *c, const bench_walk *walk, const game_position *start,
                                           int plies, tauler_message *message) {
  json_writer *json = c->bench->json;
  int known = 0;
  while (known < plies && known < MOST_PUBLISHED && walk->published[known]) known++;
  json_fields(json, JSON_TEXT("game", walk->game), JSON_TEXT("rules", walk->rules),
              JSON_TEXT("start", walk->start), JSON_INTEGER("plies", plies));
  uint64_t made, counted;
  tauler_error error = time_lines(c, start, plies, true, &made, "made_per_cpu_second", message);
  if (!error) error = time_lines(c, start, plies, false, &counted, "counted_per_cpu_second", message);
  if (error) return error;
  json_fields(json, JSON_COUNT("leaves", made), JSON_INTEGER("plies_checked", known));
  error = check_lines(plies, counted, made, message);
  return error ? error : check_published(c, walk, start, known, message);
}

tauler_error bench_count_lines(const bench *bench, const benchmark *one, tauler_message *message) {
  const bench_walk *walk = &one->walk;
  counting c = {.bench = bench, .game = game_find(walk->game)};
  tauler_error error = c.game->open(walk->rules, NULL, &c.rules, message);
  if (error) return error;
  game_position start;
  error = c.game->parse(c.rules, walk->start, &start, message);
  const int plies = (int)bench_size(bench, "plies", (uint64_t)walk->plies);
  if (!error) error = count_and_report_lines(&c, walk, &start, plies, message);
  c.game->close(c.rules);
  return error;
}
