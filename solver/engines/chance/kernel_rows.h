/* Computes one strip of lanes in one sweep, both bounds side by side. Private to the kernel for strips.
 *
 * Eight lanes are computed side by side, since their plays are mostly the same. The kernel unpacks the cells
 * that a strip reads into scratch, eight lanes to a row, computes the rows in the section's order, and packs
 * them again. A play that sends a token back leads to other lanes, a different one from each lane, so values
 * after such plays are read from the cells directly.
 *
 * columns.c and kernel_wide.c include this file, each for another width of registers (lanes.h), and define
 * STRIP_RELAX as the name of the function.
 */
#include "solver/engines/chance/lanes.h"
#include "solver/engines/chance/sweeps.h"

/* A row of scratch has the lower bounds of its lanes and then the upper bounds, or the marks of endless play
 * twice. */
enum { LANES = STRIP_LANES, SIDES = 2, ROW = SIDES * LANES, SQUARES = 256 };

/* A lane in which a play sends a token back, and the cells after that play. */
typedef struct {
  unsigned lane, patch;
  uint8_t kind;
  uint64_t cell[STRIP_PLANES];
} strip_hit;

/* A play of a row. `hits` has a bit for each lane in which the play sends a token back. */
typedef struct {
  uint32_t mover, hit; /* row after the play, and first of its hits, which are in the order of lanes */
  uint8_t kind, hits;
  uint16_t patch; /* number of the entry of scratch->patch with the values after its hits */
} play_here;

/* A lane whose plays under a roll may differ from those of the other lanes. */
typedef struct {
  unsigned lane;
  int first, end;
} odd_lane;

/* The plays of a row: those of all lanes roll by roll, followed by those of odd lanes. */
typedef struct {
  play_here list[STRIP_PLAYS * (1 + LANES)];
  strip_hit hit[2 * STRIP_PLAYS * LANES];
  odd_lane odd[CHANCE_MOST_ROLLS * LANES];
  int used, hits, patches, odds;
  /* [roll] Ends of the plays in `list` and of the odd lanes in `odd`. */
  int end[CHANCE_MOST_ROLLS], odd_end[CHANCE_MOST_ROLLS];
} plays_here;

struct strip_scratch {
  plays_here plays;
  double patch[STRIP_PLAYS][STRIP_PLANES][ROW];
  double *local[STRIP_SOURCES]; /* [row][side][lane] unpacked cells */
  uint64_t room[STRIP_SOURCES]; /* number of rows in `local` */
};

/* Returns the margin by which a mean of n rolls is moved outward. Bounds and means are between 0 and 1. Each
 * summand is rounded n + 1 times (n − 1 additions, the reciprocal of n, the product) by 2⁻⁵³ of itself, and
 * the shift by the margin once more. In all, the error is less than (n + 3)·2⁻⁵³, second orders included. The
 * margin is more than twice that, so a check that rounds every step outward accepts the bounds, too. */
static double rounding_margin(int rolls) {
  return (2 * rolls + 12) * 0x1p-53;
}

/* The arrays from which cells of a slice are read: both bounds, or marks of endless play. If all are NULL,
 * all cells are 0. */
typedef struct {
  const double *bounds[SIDES];
  const uint8_t *endless;
} strip_view;

typedef struct {
  const strip_section *section;
  const chance_work *work;
  strip_scratch *scratch;
  bool endless;
  uint32_t strip, first_lane, lanes;
  uint32_t fill;                 /* fill of the first lane */
  uint8_t filling;               /* bits of the lanes with another fill */
  uint8_t on_square[SQUARES];    /* [square] bits of the lanes with a token on the square */
  uint32_t back[SQUARES][LANES]; /* [square][lane] lane after the token there is sent back */
  strip_view view[STRIP_SOURCES];
  /* [plane][kind of play] First of the rows to which such a play leads, and the distance between rows. */
  const double *local[STRIP_PLANES][STRIP_KINDS];
  uint64_t step[STRIP_PLANES][STRIP_KINDS];
} strip_at_work;

/* When marks of endless play are computed, other slices have none, since endless play within a slice never
 * leaves it. */
static strip_view make_view(const strip_at_work *at, const strip_source *source) {
  const chance_work *work = at->work;
  if (source->way == STRIP_CONSTANT) return (strip_view){{NULL, NULL}, NULL};
  const bool own = source->slice == work->slice;
  if (at->endless) return (strip_view){{NULL, NULL}, own ? work->endless : NULL};
  if (own) return (strip_view){{work->lower[0], work->upper[0]}, NULL};
  const chance_slice *finished = &work->job->finished->list[source->slice];
  return (strip_view){{finished->lower[0], finished->upper[0]}, NULL};
}

static inline double read_cell(const strip_view *view, int side, uint64_t cell) {
  if (view->bounds[side]) return view->bounds[side][cell];
  return view->endless ? view->endless[cell] : 0;
}

/* Unpacks a tile into rows. A lane without a cell becomes 0; a row in which no lane has a cell is not
 * written. */
static inline void unpack_tile(const strip_view *view, uint64_t cell, const strip_tile *tile, double *rows) {
  cell += tile->first;
  for (uint64_t left = tile->there; left; left >>= LANES, rows += ROW) {
    const uint8_t there = (uint8_t)left;
    if (!there) continue;
    for (int side = 0; side < SIDES; side++) {
      if (view->bounds[side]) {
        lanes_store(rows + side * LANES, lanes_expand(there, view->bounds[side] + cell));
      } else {
        uint64_t mark = cell;
        for (int i = 0; i < LANES; i++)
          rows[side * LANES + i] = there >> i & 1 && view->endless ? view->endless[mark++] : 0;
      }
    }
    cell += (unsigned)__builtin_popcount(there);
  }
}

/* Unpacks a tile whose rows and lanes are exchanged: each row of the tile is a lane here, and its lanes are
 * the `movers` rows here. */
static inline void unpack_turned(const strip_view *view, uint64_t cell, const strip_tile *tile,
                                 uint32_t movers, double *rows) {
  double turned[LANES * ROW] = {0};
  unpack_tile(view, cell, tile, turned);
  for (uint32_t mover = 0; mover < movers; mover++)
    for (uint32_t side = 0; side < SIDES; side++)
      for (uint32_t i = 0; i < LANES; i++)
        rows[mover * ROW + side * LANES + i] = turned[i * ROW + side * LANES + mover];
}

/* Unpacks a source, except strips that no play reads. The row of a constant source becomes its value if
 * `scores`, otherwise 0. */
static void unpack_source(const strip_at_work *at, int number, bool scores) {
  const strip_source *source = &at->section->source[number];
  const strip_pairs *pairs = source->pairs;
  double *rows = at->scratch->local[number];
  if (source->way == STRIP_CONSTANT) {
    for (int i = 0; i < ROW; i++) rows[i] = scores ? source->constant : 0;
    return;
  }
  for (uint32_t k = 0; k < source->mover_strips; k++) {
    if (source->wanted && !source->wanted[k]) continue;
    const uint32_t first = source->mover_first[k];
    double *to = rows + (uint64_t)first * ROW;
    if (source->way == STRIP_TURNED) {
      const strip_tile *tile = &pairs->tile[(uint64_t)k * pairs->row_strips + at->strip];
      unpack_turned(&at->view[number], source->first_cell, tile, source->mover_first[k + 1] - first, to);
    } else {
      const strip_tile *tile = &pairs->tile[(uint64_t)at->strip * pairs->row_strips + k];
      unpack_tile(&at->view[number], source->first_cell, tile, to);
    }
  }
}

static void store_tile(const strip_at_work *at, uint64_t cell, uint64_t there, const double *rows) {
  const chance_work *work = at->work;
  for (; there; there &= there - 1, cell++) {
    const unsigned bit = (unsigned)__builtin_ctzll(there);
    const double *from = rows + bit / LANES * ROW + bit % LANES;
    if (at->endless) {
      work->endless[cell] = *from > 0;
      continue;
    }
    work->lower[0][cell] = from[0];
    work->upper[0][cell] = from[LANES];
  }
}

static void store_plane(const strip_at_work *at, int plane) {
  const strip_source *source = &at->section->source[plane];
  const strip_pairs *pairs = source->pairs;
  for (uint32_t k = 0; k < source->mover_strips; k++) {
    const strip_tile *tile = &pairs->tile[(uint64_t)at->strip * pairs->row_strips + k];
    store_tile(at, source->first_cell + tile->first, tile->there,
               at->scratch->local[plane] + (uint64_t)source->mover_first[k] * ROW);
  }
}

/* If two tokens are on one square, `back` is that of the first. */
static void find_tokens(strip_at_work *at) {
  const strip_section *section = at->section;
  memset(at->on_square, 0, sizeof at->on_square);
  for (uint32_t lane = 0; lane < at->lanes; lane++) {
    const uint64_t first = (uint64_t)(at->first_lane + lane) * (unsigned)section->tokens;
    for (int i = section->tokens - 1; i >= 0; i--) {
      const uint8_t square = section->square[first + (unsigned)i];
      at->on_square[square] |= (uint8_t)(1U << lane);
      at->back[square][lane] = section->sent_back[first + (unsigned)i];
    }
  }
  at->on_square[0] = 0;
  at->fill = section->fill[at->first_lane];
  at->filling = 0;
  for (uint32_t lane = 0; lane < at->lanes; lane++)
    at->filling |= (uint8_t)((section->fill[at->first_lane + lane] != at->fill) << lane);
}

static uint32_t lane_after_hit(const strip_section *section, uint32_t lane, uint8_t square) {
  const uint64_t first = (uint64_t)lane * (unsigned)section->tokens;
  for (int i = 0; i < section->tokens && square; i++)
    if (section->square[first + (unsigned)i] == square) return section->sent_back[first + (unsigned)i];
  return lane;
}

static inline uint32_t find_lane_after(const strip_at_work *at, const strip_play *play, unsigned lane) {
  if (!(at->on_square[play->sent[0]] >> lane & 1)) return at->back[play->sent[1]][lane];
  return lane_after_hit(at->section, at->back[play->sent[0]][lane], play->sent[1]);
}

static inline uint64_t find_pair(const strip_source *source, uint32_t mover, uint32_t lane) {
  const uint32_t mover_strip = source->mover_strip[mover], other_strip = source->other_strip[lane];
  const uint32_t own = mover - source->mover_first[mover_strip];
  const uint32_t other = lane - source->other_first[other_strip];
  return source->way == STRIP_ROWS ? strip_pairs_rank(source->pairs, mover_strip, own, other_strip, other)
                                   : strip_pairs_rank(source->pairs, other_strip, other, mover_strip, own);
}

/* Finds the cells after a play in a lane in which it sends a token back, and prefetches them. Sources of
 * neighbouring planes mostly have the same pairs, so the pair is computed once for them. */
static inline void find_hit(const strip_at_work *at, const strip_play *play, unsigned lane, strip_hit *out) {
  const strip_section *section = at->section;
  const uint32_t there = find_lane_after(at, play, lane);
  const strip_source *before = NULL;
  uint64_t pair = 0;
  out->lane = lane;
  out->kind = play->kind;
  for (int plane = 0; plane < section->planes; plane++) {
    const int number = section->leads[plane][play->kind];
    const strip_source *source = &section->source[number];
    if (source->way == STRIP_CONSTANT) continue;
    if (!before || before->pairs != source->pairs || before->way != source->way)
      pair = find_pair(source, play->mover, there);
    before = source;
    out->cell[plane] = source->first_cell + pair;
    const strip_view *view = &at->view[number];
    for (int side = 0; side < SIDES && view->bounds[side]; side++)
      __builtin_prefetch(&view->bounds[side][out->cell[plane]]);
  }
}

static inline void add_play(const strip_at_work *at, const strip_play *play, uint8_t lanes, plays_here *out) {
  const uint8_t sent = (at->on_square[play->sent[0]] | at->on_square[play->sent[1]]) & lanes;
  const unsigned patch = (unsigned)out->patches;
  out->list[out->used++] = (play_here){play->mover, (uint32_t)out->hits, play->kind, sent, (uint16_t)patch};
  for (unsigned hits = sent; hits; hits &= hits - 1) {
    out->hit[out->hits].patch = patch;
    find_hit(at, play, (unsigned)__builtin_ctz(hits), &out->hit[out->hits++]);
  }
}

static inline const uint64_t *find_lists(const strip_section *section, uint32_t fill, uint32_t row) {
  return section->play_first + ((uint64_t)fill * section->rows + row) * (unsigned)section->rolls;
}

static inline void find_odd_lanes(const strip_at_work *at, uint32_t row, uint8_t valid,
                                  uint8_t odd[CHANCE_MOST_ROLLS]) {
  const strip_section *section = at->section;
  memset(odd, 0, (size_t)section->rolls);
  for (unsigned lanes = at->filling & valid; lanes; lanes &= lanes - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(lanes);
    const uint64_t fill = section->fill[at->first_lane + lane], all = at->fill;
    for (unsigned rolls = section->odd[fill * section->rows + row] | section->odd[all * section->rows + row];
         rolls; rolls &= rolls - 1)
      odd[__builtin_ctz(rolls)] |= (uint8_t)(1U << lane);
  }
}

static void find_odd_plays(const strip_at_work *at, uint32_t row, int roll, unsigned lane, plays_here *out) {
  const strip_section *section = at->section;
  const uint64_t *first = find_lists(section, section->fill[at->first_lane + lane], row) + roll;
  odd_lane *odd = &out->odd[out->odds++];
  odd->lane = lane;
  odd->first = out->used;
  for (uint64_t i = first[0]; i < first[1]; i++) add_play(at, &section->play[i], (uint8_t)(1U << lane), out);
  odd->end = out->used;
}

static inline void read_patches(const strip_at_work *at, const plays_here *plays, int hits) {
  const strip_section *section = at->section;
  for (const strip_hit *hit = plays->hit; hit < plays->hit + hits; hit++) {
    for (int plane = 0; plane < section->planes; plane++) {
      const int number = section->leads[plane][hit->kind];
      double *to = at->scratch->patch[hit->patch][plane] + hit->lane;
      for (int side = 0; side < SIDES; side++) {
        to[side * LANES] = section->source[number].way == STRIP_CONSTANT
                               ? at->scratch->local[number][0]
                               : read_cell(&at->view[number], side, hit->cell[plane]);
      }
    }
  }
}

static inline void find_plays(const strip_at_work *at, uint32_t row, uint8_t valid, plays_here *out) {
  const strip_section *section = at->section;
  const uint64_t *first = find_lists(section, at->fill, row);
  uint8_t odd[CHANCE_MOST_ROLLS];
  find_odd_lanes(at, row, valid, odd);
  out->used = out->hits = out->odds = out->patches = 0;
  for (int roll = 0; roll < section->rolls; roll++) {
    for (uint64_t i = first[roll]; i < first[roll + 1]; i++) {
      add_play(at, &section->play[i], valid & (uint8_t)~odd[roll], out);
      out->patches += out->list[out->used - 1].hits > 0;
    }
    out->end[roll] = out->used;
  }
  const int hits = out->hits;
  for (int roll = 0; roll < section->rolls; roll++) {
    for (unsigned lanes = odd[roll]; lanes; lanes &= lanes - 1)
      find_odd_plays(at, row, roll, (unsigned)__builtin_ctz(lanes), out);
    out->odd_end[roll] = out->odds;
  }
  read_patches(at, out, hits);
}

/* Returns the row of values after a play, as if it sent no token back. */
static inline const double *find_row(const strip_at_work *at, int plane, const play_here *play) {
  return at->local[plane][play->kind] + play->mover * at->step[plane][play->kind];
}

static double find_odd_value(const strip_at_work *at, int plane, const plays_here *plays, const odd_lane *odd,
                             int side, bool up) {
  double best = 0;
  for (int k = odd->first; k < odd->end; k++) {
    const play_here *play = &plays->list[k];
    const int number = at->section->leads[plane][play->kind];
    const bool reads = play->hits && at->section->source[number].way != STRIP_CONSTANT;
    const double x = reads ? read_cell(&at->view[number], side, plays->hit[play->hit].cell[plane])
                           : find_row(at, plane, play)[side * LANES + (int)odd->lane];
    if (k == odd->first || (up ? x > best : x < best)) best = x;
  }
  return best;
}

static inline lanes find_values(const strip_at_work *at, int plane, const play_here *play, int side) {
  const double *x = find_row(at, plane, play) + side * LANES;
  return lanes_pick(play->hits, at->scratch->patch[play->patch][plane] + side * LANES, lanes_load(x));
}

static inline lanes pick_better(bool up, lanes a, lanes b) {
  return up ? lanes_greater(a, b) : lanes_less(a, b);
}

static inline void replace_odd_best(const strip_at_work *at, int plane, const plays_here *plays,
                                    const odd_lane *odd, bool up, lanes best[SIDES]) {
  for (int side = 0; side < SIDES; side++) {
    double all[LANES];
    lanes_store(all, lanes_all(find_odd_value(at, plane, plays, odd, side, up)));
    best[side] = lanes_pick((uint8_t)(1U << odd->lane), all, best[side]);
  }
}

/* Computes in all lanes, for both bounds, the mean over rolls of the best play's value. If marks of endless
 * play are computed, it is the least over rolls instead. */
static inline void find_mean(const strip_at_work *at, int plane, const plays_here *plays, bool up,
                             lanes mean[SIDES]) {
  const int rolls = at->section->rolls;
  mean[0] = mean[1] = lanes_all(at->endless ? 1 : 0);
  for (int roll = 0, k = 0, o = 0; roll < rolls; roll++) {
    lanes best[SIDES];
    for (int side = 0; side < SIDES; side++) best[side] = find_values(at, plane, &plays->list[k], side);
    for (k++; k < plays->end[roll]; k++)
      for (int side = 0; side < SIDES; side++)
        best[side] = pick_better(up, find_values(at, plane, &plays->list[k], side), best[side]);
    for (; o < plays->odd_end[roll]; o++) replace_odd_best(at, plane, plays, &plays->odd[o], up, best);
    for (int side = 0; side < SIDES; side++)
      mean[side] = at->endless ? lanes_less(mean[side], best[side]) : lanes_add(mean[side], best[side]);
  }
  const lanes part = lanes_all(at->endless ? 1 : 1.0 / rolls);
  for (int side = 0; side < SIDES; side++) mean[side] = lanes_multiply(mean[side], part);
}

/* The measures of a strip's rows, lane by lane. */
typedef struct {
  double change[LANES], width[LANES];
  uint64_t refused;
} lanes_met;

static inline void raise_lanes(double most[LANES], uint8_t valid, lanes x) {
  const lanes before = lanes_load(most);
  double raised[LANES];
  lanes_store(raised, lanes_greater(x, before));
  lanes_store(most, lanes_pick(valid, raised, before));
}

static inline void narrow_lanes(double cells[ROW], const lanes mean[SIDES], uint8_t valid, double margin,
                                lanes_met *met) {
  const lanes lower = lanes_load(cells), upper = lanes_load(cells + LANES), by = lanes_all(margin);
  double low[LANES], high[LANES];
  lanes_store(low, lanes_greater(lanes_subtract(mean[0], by), lanes_all(0)));
  lanes_store(high, lanes_less(lanes_add(mean[1], by), lanes_all(1)));
  const uint8_t rises = valid & lanes_reaching(lanes_load(low), lower);
  const uint8_t falls = valid & lanes_reaching(upper, lanes_load(high));
  const lanes new_lower = lanes_pick(rises, low, lower), new_upper = lanes_pick(falls, high, upper);
  met->refused += (unsigned)__builtin_popcount(valid & ~rises) + (unsigned)__builtin_popcount(valid & ~falls);
  raise_lanes(met->change, valid,
              lanes_greater(lanes_subtract(new_lower, lower), lanes_subtract(upper, new_upper)));
  raise_lanes(met->width, valid, lanes_subtract(new_upper, new_lower));
  lanes_store(cells, new_lower);
  lanes_store(cells + LANES, new_upper);
}

/* Removes the marks of the positions that are no longer endless. A position stays endless if under every roll
 * some choice leads to an endless position. */
static inline void unmark_endless(double cells[ROW], const lanes mean[SIDES], uint8_t valid, lanes_met *met) {
  double least[LANES];
  lanes_store(least, mean[0]);
  for (int i = 0; i < LANES; i++) {
    if (!(valid >> i & 1) || least[i] >= cells[i]) continue;
    met->refused++;
    cells[i] = cells[LANES + i] = 0;
  }
}

static inline void compute_row(const strip_at_work *at, uint32_t row, lanes_met *met) {
  const strip_section *section = at->section;
  const strip_pairs *pairs = section->source[0].pairs;
  const uint32_t row_strip = section->row_strip[row];
  const strip_tile *tile = &pairs->tile[(uint64_t)at->strip * pairs->row_strips + row_strip];
  const uint8_t valid = (uint8_t)(tile->there >> (LANES * (row - section->row_first[row_strip])));
  if (!valid) return;
  plays_here *plays = &at->scratch->plays;
  find_plays(at, row, valid, plays);
  for (int plane = 0; plane < section->planes; plane++) {
    double *cells = at->scratch->local[plane] + (uint64_t)row * ROW;
    lanes mean[SIDES];
    find_mean(at, plane, plays, at->endless || section->aim > 0, mean);
    if (at->endless) {
      unmark_endless(cells, mean, valid, met);
    } else {
      narrow_lanes(cells, mean, valid, rounding_margin(section->rolls), met);
    }
  }
}

static void open_strip(strip_at_work *at) {
  const strip_section *section = at->section;
  find_tokens(at);
  for (int k = 0; k < section->sources; k++) {
    at->view[k] = make_view(at, &section->source[k]);
    unpack_source(at, k, !at->endless);
  }
  for (int plane = 0; plane < section->planes; plane++) {
    for (int kind = 0; kind < STRIP_KINDS; kind++) {
      const int number = section->leads[plane][kind];
      at->local[plane][kind] = at->scratch->local[number];
      at->step[plane][kind] = section->source[number].way == STRIP_CONSTANT ? 0 : ROW;
    }
  }
}

void STRIP_RELAX(const strip_section *section, uint32_t strip, const chance_work *work, bool endless,
                 strip_scratch *scratch, chance_measures *measures) {
  strip_at_work at = {
      .section = section, .work = work, .scratch = scratch, .endless = endless, .strip = strip};
  lanes_met met = {.refused = 0};
  at.first_lane = section->lane_first[strip];
  at.lanes = section->lane_first[strip + 1] - at.first_lane;
  open_strip(&at);
  for (uint32_t i = 0; i < section->rows; i++) compute_row(&at, section->order[i], &met);
  for (int plane = 0; plane < section->planes; plane++) store_plane(&at, plane);
  for (int i = 0; i < LANES; i++) {
    chance_raise_to(&measures->change[0], met.change[i]);
    chance_raise_to(&measures->width, met.width[i]);
  }
  measures->refused += met.refused;
}
