/* Computes the result in abapa of a side that follows awari's table. */
#include "analysis/claims/auale/followed.h"

#include <stdlib.h>

#include "analysis/slices/cells.h"
#include "base/memory.h"

enum { ENDS = -1, PIECE = 1 << 12 };

/* A move: the board of the same slice that it leads to, with the other side to move, or ENDS and what it is
 * worth to the side that follows. */
typedef struct {
  int32_t child;
  int8_t worth;
  bool followed; /* the side that follows may play it */
} edge;

typedef struct {
  const claim_tables *sets;
  const auale_depths *depths;
  auale_ties ties;
  auale_followed *out;
  uint32_t slice;
  uint64_t boards;
  uint32_t *first; /* edge of each board, and where the last one's end */
  edge *edges[2];  /* of who follows (0), of the other side */
  size_t used, rooms[2];
  bool *in[2];   /* by whose turn it is: worth the threshold or more, or minus that or less */
  int threshold; /* not 0 */
} layer;

static void add_end(layer *l, int value) {
  l->edges[0][l->used] = (edge){ENDS, (int8_t)value, true};
  l->edges[1][l->used++] = (edge){ENDS, (int8_t)-value, true};
}

static void add_move(layer *l, const auale_pit *pit, bool followed) {
  const game_place to = pit->to[PAIR_ABAPA];
  const int gain = pit->gain[PAIR_ABAPA];
  const bool stays = to.slice == l->slice;
  const int32_t child = stays ? (int32_t)to.index : ENDS;
  const int own = stays ? 0 : gain + l->out->waits[to.slice][to.index];
  const int other = stays ? 0 : -gain + l->out->moves[to.slice][to.index];
  l->edges[0][l->used] = (edge){child, (int8_t)own, followed};
  l->edges[1][l->used++] = (edge){child, (int8_t)other, true};
}

/* The depth of the position after a move in awari's tables, 0 if the move converts. */
static int depth_by(const layer *l, const auale_pit *pit) {
  const game_place to = pit->to[PAIR_AWARI];
  return to.slice < l->slice ? 0 : l->depths->of[to.slice][to.index];
}

/* Leaves of the good moves those that settle a gain soonest, a loss latest. */
static void keep_timely(const layer *l, const auale_pair *pair, int best, bool good[AUALE_PITS_OF_MOVER]) {
  int timely = -1;
  for (int k = 0; k < pair->used; k++) {
    const int depth = good[k] ? depth_by(l, &pair->pits[k]) : -1;
    if (!good[k]) continue;
    if (timely < 0 || (best > 0 ? depth < timely : depth > timely)) timely = depth;
  }
  for (int k = 0; k < pair->used; k++) good[k] = good[k] && depth_by(l, &pair->pits[k]) == timely;
}

static tauler_error add_board(void *user, uint64_t index, const auale_pair *pair) {
  layer *l = user;
  bool any = false, good[AUALE_PITS_OF_MOVER];
  for (int side = 0; side < 2; side++)
    if (!memory_make_room(&l->edges[side], &l->rooms[side], l->used + AUALE_PITS_OF_MOVER, sizeof **l->edges))
      return TAULER_NO_MEMORY;
  l->first[index] = (uint32_t)l->used;
  if (pair->legal[PAIR_ABAPA] == 0) {
    add_end(l, l->sets[PAIR_ABAPA].layers[l->slice].lower[index]);
    return TAULER_OK;
  }
  const int best = auale_pair_best(l->sets, pair, PAIR_AWARI);
  for (int k = 0; k < pair->used; k++) {
    const auale_pit *pit = &pair->pits[k];
    good[k] = pit->legal[PAIR_AWARI] && pit->legal[PAIR_ABAPA] &&
              auale_pair_worth(l->sets, pit, PAIR_AWARI) == best;
    any = any || good[k];
  }
  if (any && best != 0 && l->ties == FOLLOWED_IN_TIME) keep_timely(l, pair, best, good);
  for (int k = 0; k < pair->used; k++)
    if (pair->pits[k].legal[PAIR_ABAPA]) add_move(l, &pair->pits[k], good[k] || !any);
  return TAULER_OK;
}

/* True if a move leads to what the threshold asks for. */
static bool leads_in(const layer *l, const edge *e, int side) {
  if (e->child != ENDS) return l->in[!side][e->child];
  return l->threshold > 0 ? e->worth >= l->threshold : e->worth <= l->threshold;
}

/* True if the side to move plays towards the threshold: it needs one move that leads there, the other side
 * all. */
static bool needs_one(const layer *l, int side) {
  const bool upward = side == 0 && l->ties == FOLLOWED_WELL;
  return upward == (l->threshold > 0);
}

static bool comes_in(const layer *l, uint64_t board, int side) {
  const bool one = needs_one(l, side);
  for (uint32_t k = l->first[board]; k < l->first[board + 1]; k++) {
    const edge *e = &l->edges[side][k];
    if (e->followed && leads_in(l, e, side) == one) return one;
  }
  return !one;
}

static bool sweep(layer *l) {
  bool changed = false;
  for (uint64_t i = 0; i < l->boards; i++)
    for (int side = 0; side < 2; side++)
      if (!l->in[side][i] && comes_in(l, i, side)) l->in[side][i] = changed = true;
  return changed;
}

static void apply_threshold(layer *l, int threshold) {
  int8_t *values[2] = {l->out->moves[l->slice], l->out->waits[l->slice]};
  l->threshold = threshold;
  for (int side = 0; side < 2; side++)
    for (uint64_t i = 0; i < l->boards; i++) l->in[side][i] = false;
  while (sweep(l)) continue;
  for (int side = 0; side < 2; side++)
    for (uint64_t i = 0; i < l->boards; i++)
      if (l->in[side][i]) values[side][i] = (int8_t)threshold;
}

static tauler_error solve_layer(layer *l, tauler_message *message) {
  l->out->moves[l->slice] = calloc(l->boards, 1);
  l->out->waits[l->slice] = calloc(l->boards, 1);
  l->first = calloc(l->boards + 1, sizeof *l->first);
  for (int side = 0; side < 2; side++) l->in[side] = calloc(l->boards, sizeof(bool));
  const bool all = l->out->moves[l->slice] && l->out->waits[l->slice] && l->first && l->in[0] && l->in[1];
  tauler_error error = all ? auale_pairs_visit(l->sets, l->slice, add_board, l, message)
                           : tauler_fail(message, TAULER_NO_MEMORY, "no memory to follow a table");
  if (!error) l->first[l->boards] = (uint32_t)l->used;
  for (int threshold = 1; threshold <= (int)l->slice && !error; threshold++) {
    apply_threshold(l, threshold);
    apply_threshold(l, -threshold);
  }
  free(l->first);
  for (int side = 0; side < 2; side++) {
    free(l->edges[side]);
    free(l->in[side]);
  }
  return error;
}

static void read_depths(claim_tables *awari, uint32_t slice, int32_t **out) {
  const uint64_t boards = awari->layers[slice].boards;
  plain_cell cells[PIECE];
  *out = report_calloc(awari->out, boards, sizeof **out);
  for (uint64_t first = 0; first < boards && !awari->out->error; first += PIECE) {
    const size_t count = boards - first < PIECE ? (size_t)(boards - first) : PIECE;
    REPORT_CATCH(awari->out, cells_read(awari->tables, slice, awari->loaded, first, count, true, cells,
                                        &awari->out->message));
    for (size_t i = 0; i < count && !awari->out->error; i++) (*out)[first + i] = cells[i].depth_lower;
  }
}

void auale_depths_read(claim_tables *awari, int seeds, auale_depths *out) {
  *out = (auale_depths){.of = {NULL}};
  awari->values_only = false;
  claim_tables_need_up_to(awari, seeds);
  for (int n = 0; n <= seeds && !awari->out->error; n++) read_depths(awari, (uint32_t)n, &out->of[n]);
}

void auale_depths_free(auale_depths *depths) {
  for (int n = 0; n <= AUALE_MOST_SEEDS; n++) free(depths->of[n]);
}

tauler_error auale_followed_solve(const claim_tables sets[PAIR_RULES], const auale_depths *depths, int seeds,
                                  auale_ties ties, auale_followed *out, tauler_message *message) {
  tauler_error error = TAULER_OK;
  *out = (auale_followed){.moves = {NULL}};
  for (int n = 0; n <= seeds && !error; n++) {
    layer l = {.sets = sets,
               .depths = depths,
               .ties = ties,
               .out = out,
               .slice = (uint32_t)n,
               .boards = sets[PAIR_ABAPA].layers[n].boards};
    error = solve_layer(&l, message);
  }
  return error;
}

void auale_followed_free(auale_followed *followed) {
  for (int n = 0; n <= AUALE_MOST_SEEDS; n++) {
    free(followed->moves[n]);
    free(followed->waits[n]);
  }
}
