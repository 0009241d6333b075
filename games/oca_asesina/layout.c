/* Lays out the index of a slice of la oca asesina for two players. */
#include "games/oca_asesina/layout.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "games/oca_asesina/slices.h"

enum { HOMES = ASE_MOST_TOKENS + 1 };

/* A layout is made under the lock and never changes afterwards. */
struct ase_layouts {
  pthread_mutex_t lock;
  ase_arrangements *arrangements[ASE_MOST_TOKENS + 1][HOMES]; /* [tokens of each colour][tokens at home] */
  _Atomic(ase_layout *) layout[ASE_SLICES];
  atomic_bool has_ways[ASE_MOST_TOKENS + 1];
  /* [tokens of each colour] ways of two players (ase_arrangements_ways) */
  uint64_t ways[ASE_MOST_TOKENS + 1][ARRANGEMENTS_MOST_STANDS * ARRANGEMENTS_MOST_STANDS];
};

tauler_error ase_layouts_open(ase_layouts **out) {
  *out = calloc(1, sizeof **out);
  if (!*out) return TAULER_NO_MEMORY;
  if (pthread_mutex_init(&(*out)->lock, NULL) == 0) return TAULER_OK;
  free(*out);
  *out = NULL;
  return TAULER_NO_MEMORY;
}

static void close_layout(ase_layout *layout) {
  if (!layout) return;
  for (int seat = 0; seat < 2; seat++) strip_pairs_close(&layout->pairs[seat]);
  free(layout);
}

void ase_layouts_close(ase_layouts *layouts) {
  if (!layouts) return;
  for (int i = 0; i < ASE_SLICES; i++) close_layout(layouts->layout[i]);
  for (int tokens = 0; tokens <= ASE_MOST_TOKENS; tokens++)
    for (int home = 0; home < HOMES; home++) ase_arrangements_close(layouts->arrangements[tokens][home]);
  pthread_mutex_destroy(&layouts->lock);
  free(layouts);
}

/* --- planes --- */

/* Lists the planes: one for no turns to lose and, unless it is a last turn, one for each number of turns that
 * a seat can have to lose. Under lost-turns=die-with-token there is one for each such number and each square
 * where the turns can be lost. Returns the number of planes. */
static int list_planes(const game_rules *rules, bool last_turn, ase_lost out[ASE_MOST_PLANES]) {
  const bool die = rules->flags.lost_turns_die;
  int planes = 1;
  out[0] = (ase_lost){0, 0};
  for (int square = 1; square < ase_home(rules) && !last_turn; square++) {
    const int most = rules->board.square[square].turns;
    for (int turns = die ? 1 : planes; turns <= most && planes < ASE_MOST_PLANES; turns++)
      out[planes++] = (ase_lost){(uint8_t)turns, (uint8_t)(die ? square : 0)};
  }
  return planes;
}

int ase_layout_plane(const ase_layout *layout, int turns, int culprit) {
  for (int plane = 0; plane < layout->planes; plane++)
    if (layout->lost[plane].turns == turns && layout->lost[plane].culprit == culprit) return plane;
  return -1;
}

/* --- layouts, made while the lock is held --- */

static tauler_error find_arrangements(const game_rules *rules, int tokens, int home,
                                      const ase_arrangements **out) {
  ase_arrangements **arrangements = &rules->layouts->arrangements[tokens][home];
  const tauler_error error =
      *arrangements ? TAULER_OK : ase_arrangements_open(rules, tokens, home, arrangements);
  *out = *arrangements;
  return error;
}

static tauler_error add_section(ase_layout *layout, int seat) {
  const strip_side rows = ase_arrangements_rows(layout->arrangements[seat]),
                   lanes = ase_arrangements_lanes(layout->arrangements[!seat]);
  layout->rolls[seat] = true;
  layout->first[seat] = layout->positions;
  const tauler_error error = strip_pairs_open(&rows, &lanes, &layout->pairs[seat]);
  layout->positions += (uint64_t)layout->planes * layout->pairs[seat].pairs;
  return error;
}

static tauler_error make_layout(const game_rules *rules, uint32_t number, const ase_slice *slice,
                                ase_layout **out) {
  ase_layout *layout = calloc(1, sizeof *layout);
  if (!layout) return TAULER_NO_MEMORY;
  layout->slice = number;
  layout->tokens = slice->tokens;
  layout->last_turn = slice->first_to_roll > 0;
  layout->planes = list_planes(rules, layout->last_turn, layout->lost);
  tauler_error error = TAULER_OK;
  for (int seat = 0; seat < 2 && !error; seat++) {
    layout->home[seat] = slice->home[seat];
    error = find_arrangements(rules, slice->tokens, slice->home[seat], &layout->arrangements[seat]);
  }
  for (int seat = slice->first_to_roll; seat < 2 && !error; seat++) error = add_section(layout, seat);
  if (error) {
    close_layout(layout);
    return error;
  }
  *out = layout;
  return TAULER_OK;
}

tauler_error ase_layout_of(const game_rules *rules, uint32_t number, const ase_layout **out) {
  ase_layouts *layouts = rules->layouts;
  ase_layout *layout = NULL;
  ase_slice slice;
  *out = NULL;
  if (rules->flags.players != 2 || !ase_slice_open(rules, number, &slice)) return TAULER_BAD_USAGE;
  layout = atomic_load_explicit(&layouts->layout[number], memory_order_acquire);
  if (!layout) {
    pthread_mutex_lock(&layouts->lock);
    layout = atomic_load_explicit(&layouts->layout[number], memory_order_relaxed);
    const tauler_error error = layout ? TAULER_OK : make_layout(rules, number, &slice, &layout);
    if (!error) atomic_store_explicit(&layouts->layout[number], layout, memory_order_release);
    pthread_mutex_unlock(&layouts->lock);
    if (error) return error;
  }
  *out = layout;
  return TAULER_OK;
}

/* --- positions of a slice --- */

static const uint64_t *find_ways(const game_rules *rules, int tokens) {
  ase_layouts *layouts = rules->layouts;
  uint64_t *ways = layouts->ways[tokens];
  if (atomic_load_explicit(&layouts->has_ways[tokens], memory_order_acquire)) return ways;
  pthread_mutex_lock(&layouts->lock);
  if (!atomic_load_explicit(&layouts->has_ways[tokens], memory_order_relaxed)) {
    ase_arrangements_ways(rules, tokens, 2, ways);
    atomic_store_explicit(&layouts->has_ways[tokens], true, memory_order_release);
  }
  pthread_mutex_unlock(&layouts->lock);
  return ways;
}

uint64_t ase_layout_positions(const game_rules *rules, uint32_t number) {
  ase_slice slice;
  if (!ase_slice_open(rules, number, &slice)) return 0;
  const uint64_t *ways = find_ways(rules, slice.tokens);
  ase_lost lost[ASE_MOST_PLANES];
  const uint64_t planes = (uint64_t)list_planes(rules, slice.first_to_roll > 0, lost);
  uint64_t positions = 0;
  for (int seat = slice.first_to_roll; seat < 2; seat++) {
    const uint64_t pairs =
        ase_arrangements_pairs(rules, slice.tokens, ways, slice.home[seat], slice.home[!seat]);
    if (pairs > UINT64_MAX / (2 * planes)) return UINT64_MAX;
    positions += planes * pairs;
  }
  return positions;
}
