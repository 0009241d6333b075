/* Lists the moves of boards of aualé under two rule sets at once. */
#include "analysis/claims/auale/pairs.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 12 };

/* Moves of a pit are mostly alike under both rule sets, and then known by where they lead. A board with
 * another move of awari is read again by the names of its moves. */
typedef struct {
  const claim_tables *sets;
  uint32_t slice;
  uint64_t first;
  auale_pair *out;
  bool *again;
} reader;

static auale_pit *add_pit(auale_pair *pair) {
  auale_pit *pit = &pair->pits[pair->used++];
  memset(pit, 0, sizeof *pit);
  return pit;
}

static void set_pit(auale_pair *pair, auale_pit *pit, int rules, int gain, game_place to) {
  pit->legal[rules] = true;
  pit->gain[rules] = gain;
  pit->to[rules] = to;
  pair->legal[rules]++;
}

static tauler_error take_abapa(void *user, const game_edge *edges, size_t n) {
  reader *r = user;
  for (size_t i = 0; i < n; i++) {
    auale_pair *pair = &r->out[edges[i].from];
    set_pit(pair, add_pit(pair), PAIR_ABAPA, edges[i].gain, edges[i].to);
  }
  return TAULER_OK;
}

static auale_pit *find_alike(auale_pair *pair, const game_edge *edge) {
  for (int k = 0; k < pair->used; k++) {
    auale_pit *pit = &pair->pits[k];
    const game_place to = pit->to[PAIR_ABAPA];
    if (!pit->legal[PAIR_AWARI] && pit->gain[PAIR_ABAPA] == edge->gain && to.slice == edge->to.slice &&
        to.index == edge->to.index)
      return pit;
  }
  return NULL;
}

static tauler_error take_awari(void *user, const game_edge *edges, size_t n) {
  reader *r = user;
  for (size_t i = 0; i < n; i++) {
    auale_pair *pair = &r->out[edges[i].from];
    auale_pit *pit = find_alike(pair, &edges[i]);
    r->again[edges[i].from] |= pit == NULL;
    if (pit) set_pit(pair, pit, PAIR_AWARI, edges[i].gain, edges[i].to);
  }
  return TAULER_OK;
}

static tauler_error expand_all(reader *r, int rules, size_t count, const uint64_t *index, game_edge *room,
                               tauler_message *message) {
  const claim_tables *t = &r->sets[rules];
  game_sink sink = {
      .edges = room, .room = PIECE, .flush = rules == PAIR_ABAPA ? take_abapa : take_awari, .user = r};
  tauler_error error = t->game->expand(t->rules, r->slice, index, count, &sink);
  if (!error) error = game_sink_flush(&sink);
  return error ? tauler_fail(message, error, "the moves of boards cannot be had") : TAULER_OK;
}

/* --- by name --- */

static tauler_error add_named(reader *r, int rules, auale_pair *pair, const char *names,
                              const game_move *move, tauler_message *message) {
  const claim_tables *t = &r->sets[rules];
  const char *at = strchr(names, move->name[0]);
  game_place to;
  if (!at || !t->game->locate(t->rules, &move->child, &to))
    return tauler_fail(message, TAULER_INTERNAL, "a move leads to a board without index");
  set_pit(pair, &pair->pits[at - names], rules, move->gain, to);
  return TAULER_OK;
}

static tauler_error read_by_name(reader *r, size_t i, tauler_message *message) {
  static const char names[] = "ABCDEF"; /* South is to move */
  auale_pair *pair = &r->out[i];
  tauler_error error = TAULER_OK;
  memset(pair, 0, sizeof *pair);
  pair->used = AUALE_PITS_OF_MOVER;
  for (int rules = 0; rules < PAIR_RULES && !error; rules++) {
    const claim_tables *t = &r->sets[rules];
    game_position position;
    game_moves moves = {0};
    t->game->position_at(t->rules, (game_place){r->slice, r->first + i}, &position);
    error = t->game->moves(t->rules, &position, &moves);
    if (error) error = tauler_fail(message, error, "the moves of a board cannot be had");
    for (size_t k = 0; k < moves.used && !error; k++)
      error = add_named(r, rules, pair, names, &moves.moves[k], message);
    game_moves_free(&moves);
  }
  return error;
}

static tauler_error read_piece(reader *r, size_t count, game_edge *room, uint64_t *index,
                               tauler_message *message) {
  memset(r->out, 0, count * sizeof *r->out);
  memset(r->again, 0, count * sizeof *r->again);
  for (size_t i = 0; i < count; i++) index[i] = r->first + i;
  tauler_error error = expand_all(r, PAIR_ABAPA, count, index, room, message);
  if (!error) error = expand_all(r, PAIR_AWARI, count, index, room, message);
  for (size_t i = 0; i < count && !error; i++)
    if (r->again[i]) error = read_by_name(r, i, message);
  return error;
}

tauler_error auale_pairs_visit(const claim_tables sets[PAIR_RULES], uint32_t slice,
                               tauler_error (*visit)(void *user, uint64_t index, const auale_pair *pair),
                               void *user, tauler_message *message) {
  const uint64_t boards = sets[PAIR_ABAPA].layers[slice].boards;
  game_edge *room = malloc(PIECE * sizeof *room);
  uint64_t *index = malloc(PIECE * sizeof *index);
  reader r = {sets, slice, 0, malloc(PIECE * sizeof *r.out), malloc(PIECE * sizeof *r.again)};
  tauler_error error = TAULER_OK;
  if (!room || !index || !r.out || !r.again)
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for the moves of boards");
  for (; r.first < boards && !error; r.first += PIECE) {
    const size_t count = boards - r.first < PIECE ? (size_t)(boards - r.first) : PIECE;
    error = read_piece(&r, count, room, index, message);
    for (size_t i = 0; i < count && !error; i++) error = visit(user, r.first + i, &r.out[i]);
  }
  free(room);
  free(index);
  free(r.out);
  free(r.again);
  return error;
}

int auale_pair_best(const claim_tables sets[PAIR_RULES], const auale_pair *pair, int rules) {
  int best = INT8_MIN;
  for (int k = 0; k < pair->used; k++) {
    if (!pair->pits[k].legal[rules]) continue;
    const int worth = auale_pair_worth(sets, &pair->pits[k], rules);
    best = worth > best ? worth : best;
  }
  return best;
}
