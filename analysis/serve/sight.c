/* Looks a few plies ahead by the rules alone. */
#include "analysis/serve/api_parts.h"

#include <stdlib.h>
#include <string.h>

/* A single capture counts more than any difference of game_play_move.eager. */
enum { CAPTURE = 1024, MOST_NODES = 50000 };

static const game_play *game_play_of(const sight *s) {
  return s->tables->game->play;
}

static tauler_error read_state(const sight *s, const char *text, uint64_t *state, tauler_message *message) {
  game_position position;
  const tauler_error error = s->tables->game->parse(s->tables->rules, text, &position, message);
  if (!error) game_play_of(s)->read(s->tables->rules, &position, state);
  return error;
}

/* Finds the place of a move in the list: that of an entry that leads to the same state, or that ends the game
 * with the same gain. Of several entries chooses the most eager one. *found becomes s->n if there is none. */
static tauler_error find_move(sight *s, const tauler_move *move, size_t *found, tauler_message *message) {
  uint64_t state[GAME_PLAY_MOST_WORDS];
  *found = s->n;
  if (!move->over) {
    const tauler_error error = read_state(s, move->position, state, message);
    if (error) return error;
  }
  for (size_t i = 0; i < s->n; i++) {
    const game_play_move *is = &s->list.moves[i];
    if (is->over != move->over || (move->over && is->gain != move->worth.lower)) continue;
    if (!move->over && memcmp(s->list.states + i * s->words, state, s->words * sizeof *state) != 0) continue;
    if (*found == s->n || is->eager > s->list.moves[*found].eager) *found = i;
  }
  return TAULER_OK;
}

static tauler_error rate_moves(sight *s, const tauler_answer *answer, int *looks, tauler_message *message) {
  for (size_t i = 0; i < answer->moves_used; i++) {
    const tauler_error error = find_move(s, &answer->moves[i], &s->found[i], message);
    if (error) return error;
    if (s->found[i] == s->n)
      return tauler_fail(message, TAULER_INTERNAL, "%s: %s has no move %s for a search", answer->game,
                         answer->position, answer->moves[i].name);
    const game_play_move *is = &s->list.moves[s->found[i]];
    looks[i] = CAPTURE * is->gain + is->eager;
  }
  return TAULER_OK;
}

tauler_error sight_open(const tauler_tables *tables, const tauler_answer *answer, sight *out, int *looks,
                        tauler_message *message) {
  uint64_t state[GAME_PLAY_MOST_WORDS];
  game_position position;
  *out = (sight){.tables = tables};
  memset(looks, 0, answer->moves_used * sizeof *looks);
  if (!game_play_of(out)) return TAULER_OK;
  tauler_error error = tables->game->parse(tables->rules, answer->position, &position, message);
  if (error) return error;
  out->words = out->list.words = game_play_of(out)->words(tables->rules, &position);
  out->found = calloc(answer->moves_used + 1, sizeof *out->found);
  game_play_of(out)->read(tables->rules, &position, state);
  if (!out->found || game_play_of(out)->moves(tables->rules, state, &out->list))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to look ahead");
  out->n = out->list.used;
  return rate_moves(out, answer, looks, message);
}

void sight_close(sight *s) {
  game_play_list_free(&s->list);
  free(s->found);
}

static tauler_error search_state(sight *s, const uint64_t *state, int plies, int least, int most, int *value);

static tauler_error worth_ahead(sight *s, size_t i, int plies, int least, int most, int *worth) {
  const game_play_move move = s->list.moves[i];
  uint64_t state[GAME_PLAY_MOST_WORDS];
  int value = 0;
  *worth = move.gain;
  if (move.over || plies <= 1) return TAULER_OK;
  memcpy(state, s->list.states + i * s->words, s->words * sizeof *state);
  const tauler_error error = search_state(s, state, plies - 1, move.gain - most, move.gain - least, &value);
  *worth = move.gain - value;
  return error;
}

/* Computes the value of a state by an alpha-beta search of `plies` plies: exactly if it is between least and
 * most, otherwise a number on the same side of them. After the last ply nothing is gained. Once MOST_NODES
 * are counted, values mean nothing. */
static tauler_error search_state(sight *s, const uint64_t *state, int plies, int least, int most,
                                 int *value) {
  const size_t first = s->list.used;
  tauler_error error = game_play_of(s)->moves(s->tables->rules, state, &s->list);
  const size_t end = s->list.used;
  s->nodes += 1 + end - first;
  *value = end == first && !error ? game_play_of(s)->ended(s->tables->rules, state) : INT16_MIN;
  for (size_t i = first; i < end && !error && *value < most && s->nodes < MOST_NODES; i++) {
    int worth;
    error = worth_ahead(s, i, plies, *value > least ? *value : least, most, &worth);
    if (worth > *value) *value = worth;
  }
  s->list.used = first;
  return error;
}

/* Such moves are no alternatives to each other. */
static bool same_result(const sight *s, size_t a, size_t b) {
  const game_play_move *one = &s->list.moves[a], *other = &s->list.moves[b];
  if (one->over || other->over) return one->over && other->over && one->gain == other->gain;
  return memcmp(s->list.states + a * s->words, s->list.states + b * s->words, s->words * sizeof(uint64_t)) ==
         0;
}

static tauler_error find_whether_best(sight *s, size_t at, int plies, bool *best) {
  int worth = 0;
  *best = false;
  tauler_error error = worth_ahead(s, at, plies, INT16_MIN, INT16_MAX, &worth);
  for (size_t i = 0; i < s->n && !error; i++) {
    int other = 0;
    if (same_result(s, i, at)) continue;
    error = worth_ahead(s, i, plies, worth - 1, worth, &other);
    if (!error && other >= worth) return TAULER_OK;
  }
  *best = true;
  return error;
}

tauler_error sight_count_plies(sight *s, size_t move, int *plies) {
  *plies = SIGHT_NONE;
  s->nodes = 0;
  for (int ahead = 1; game_play_of(s) && ahead <= SIGHT_MOST_PLIES; ahead++) {
    bool best;
    const tauler_error error = find_whether_best(s, s->found[move], ahead, &best);
    if (error) return error;
    if (s->nodes >= MOST_NODES) return TAULER_OK;
    if (best) *plies = ahead;
    if (best) break;
  }
  return TAULER_OK;
}
