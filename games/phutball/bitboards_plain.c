/* Sweeps cell by cell, for boards without low bits. */
#include "games/phutball/bitboards.h"

typedef struct {
  const phb_tables *t;
  const game_bitboards_state *state;
  bool odd;
} sweep;

static bool has_cell(const uint64_t *words, uint64_t first, uint64_t cell) {
  return words[first + cell / 64] >> (cell % 64) & 1;
}

/* True if the ball at a point, with the men of `set` left, reaches a position that the wave searches. */
static bool origin_reaches_wanted(const sweep *s, int point, uint64_t set) {
  const phb_tables *t = s->t;
  bool mirrored;
  const phb_origin *origin = phb_origin_at(t, point, &mirrored);
  if (mirrored) set = phb_mirror_high(&t->board, set);
  return has_cell(s->state->spare, origin->spare, phb_remove_bit(set, origin->bit));
}

static bool lands_on_wanted(const sweep *s, int point, uint64_t set) {
  const phb_board *board = &s->t->board;
  const int row = point / board->columns;
  if (row == board->rows - 1) return true;
  return !(row == 0 && s->t->goal_line_stop) && origin_reaches_wanted(s, point, set);
}

static bool jumps_to_wanted(const sweep *s, const phb_origin *origin, uint64_t set) {
  for (int i = 0; i < PHB_DIRECTIONS; i++) {
    const phb_ray *ray = &origin->rays[i];
    uint64_t left = set;
    int k = 0;
    for (; k < ray->used && (left >> ray->bit[k] & 1); k++) left &= ~(UINT64_C(1) << ray->bit[k]);
    if (k == 0) continue;
    if (k < ray->used ? lands_on_wanted(s, ray->point[k], left) : ray->exit == EXIT_MOVER_SCORES) return true;
  }
  return false;
}

/* True if the wave searches the position after the turn. */
static bool is_wanted(const sweep *s, const phb_origin *origin, uint64_t set) {
  const phb_origin *flip = &s->t->origin[origin->flip];
  const uint64_t cell = phb_remove_bit(phb_flip_set(&s->t->board, set), flip->bit);
  return s->odd ? has_cell(s->state->lost, flip->first, cell) : !has_cell(s->state->won, flip->first, cell);
}

static bool places_to_wanted(const sweep *s, const phb_origin *origin, uint64_t set) {
  const uint64_t all = (UINT64_C(1) << s->t->board.points) - 1;
  for (uint64_t rest = all & ~(set | UINT64_C(1) << origin->bit); rest; rest &= rest - 1) {
    if (is_wanted(s, origin, set | (rest & -rest))) return true;
  }
  return false;
}

static void relax_origin(const sweep *s, const phb_origin *origin, uint64_t set, uint64_t *changed) {
  const game_bitboards_state *state = s->state;
  const uint64_t cell = phb_remove_bit(set, origin->bit), bit = UINT64_C(1) << (cell % 64);
  bool found = jumps_to_wanted(s, origin, set);
  uint64_t *spare = &state->spare[origin->spare + cell / 64];
  *spare = (*spare & ~bit) | (found || (origin->live && is_wanted(s, origin, set)) ? bit : 0);
  const uint64_t word = origin->first + cell / 64;
  if (!origin->live || ((state->won[word] | state->lost[word]) & bit)) return;
  found = found || places_to_wanted(s, origin, set);
  if (found != s->odd) return;
  (s->odd ? state->won : state->lost)[word] |= bit;
  phb_keep_code(state, word, (int)(cell % 64), bitboards_code(state->wave));
  ++*changed;
}

static void relax_set(const sweep *s, uint64_t set, uint64_t *changed) {
  for (int i = 0; i < s->t->origins; i++) {
    const phb_origin *origin = &s->t->origin[i];
    if (!(set >> origin->bit & 1)) relax_origin(s, origin, set, changed);
  }
}

/* All sides are one tile, since a word has sets of different sides. */
tauler_error phb_bits_sweep_cells(const void *tables, const game_bitboards_state *state, uint64_t tile,
                                  void *scratch, uint64_t *changed, uint32_t *latest) {
  const phb_tables *t = tables;
  const phb_board *board = &t->board;
  const sweep s = {t, state, state->wave & 1};
  (void)tile, (void)scratch, (void)latest;
  for (uint64_t i = 0; i < t->group_end[2 * board->side_bits]; i++) {
    const uint64_t sides = t->sides[i] << board->middle_bits, image = phb_mirror_high(board, sides);
    for (uint64_t middle = 0; middle < UINT64_C(1) << board->middle_bits; middle++) {
      relax_set(&s, sides | middle, changed);
      if (image != sides) relax_set(&s, image | middle, changed);
    }
  }
  return TAULER_OK;
}
