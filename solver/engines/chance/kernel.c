/* Computes one strip of lanes under all rows in one sweep. */
#include "solver/engines/chance/kernel.h"

#include <math.h>
#include <string.h>

enum { LANES = STRIP_LANES };

/* Bounds are in 0 … 1, and so is what is made of them. A mean of n rolls is off by (n + 3)·2⁻⁵³ at most:
 * n − 1 additions, the reciprocal of n, the product and the shift by the margin round, each by 2⁻⁵³ of a mean
 * that is 1 at most. The margin is more than twice that, so that whoever sums with directed rounding finds
 * the bounds kept. */
static double margin_of(int rolls) {
  return (2 * rolls + 12) * 0x1p-53;
}

/* A lane in which a play sends a token back: where its values stand. */
typedef struct {
  unsigned lane;
  uint64_t cell[STRIP_PLANES];
} strip_hit;

typedef struct {
  uint64_t first;     /* double of the child in the rows of its source */
  uint32_t hit;       /* the first of its hits, lane by lane */
  uint8_t kind, hits; /* lanes in which it sends a token back */
} play_here;

/* A lane which has plays of its own under a roll. */
typedef struct {
  unsigned lane;
  int first, end; /* of the plays */
} odd_lane;

/* Those of a row. Plays of all lanes come roll by roll, and behind them those of odd lanes. */
typedef struct {
  play_here list[STRIP_PLAYS * (1 + LANES)];
  strip_hit hit[2 * STRIP_PLAYS * LANES];
  odd_lane odd[CHANCE_MOST_ROLLS * LANES];
  int used, hits, odds;
  int end[CHANCE_MOST_ROLLS], odd_end[CHANCE_MOST_ROLLS]; /* of each roll */
} plays_here;

struct strip_scratch {
  plays_here plays;
  double *local[STRIP_SOURCES]; /* [row][lane] */
  uint64_t room[STRIP_SOURCES]; /* rows */
};

/* --- scratch --- */

static uint64_t rows_of(const strip_source *source) {
  return source->way == STRIP_CONSTANT ? 1 : source->hand_first[source->hand_strips];
}

uint64_t strip_scratch_bytes(uint64_t source_rows) {
  return sizeof(strip_scratch) + source_rows * LANES * sizeof(double);
}

tauler_error strip_scratch_open(const strip_tables *tables, memory_budget *memory, strip_scratch **out,
                                tauler_message *message) {
  tauler_error error = memory_take(memory, sizeof **out, "the work on a strip", out, message);
  for (int i = 0; i < tables->sections && !error; i++) {
    for (int k = 0; k < tables->section[i].sources; k++) {
      const uint64_t rows = rows_of(&tables->section[i].source[k]);
      if (rows > (*out)->room[k]) (*out)->room[k] = rows;
    }
  }
  for (int k = 0; k < STRIP_SOURCES && !error; k++) {
    if ((*out)->room[k] == 0) continue;
    error = memory_take_array(memory, (*out)->room[k], LANES * sizeof(double), "the rows of a strip",
                              &(*out)->local[k], message);
  }
  return error;
}

void strip_scratch_close(memory_budget *memory, strip_scratch *scratch) {
  if (!scratch) return;
  for (int k = 0; k < STRIP_SOURCES; k++) memory_give(memory, scratch->local[k]);
  memory_give(memory, scratch);
}

/* --- cells --- */

/* What is endless ends with the slice. */
static strip_view view_of(const chance_work *work, strip_pass pass, const strip_source *source) {
  if (source->way == STRIP_CONSTANT) return (strip_view){NULL, NULL};
  const bool own = source->slice == work->slice;
  if (pass == STRIP_ENDLESS) return (strip_view){NULL, own ? work->endless : NULL};
  if (own) return (strip_view){pass == STRIP_LOWER ? work->lower[0] : work->upper[0], NULL};
  const chance_slice *finished = &work->job->finished->list[source->slice];
  return (strip_view){pass == STRIP_LOWER ? finished->lower[0] : finished->upper[0], NULL};
}

static inline double read_cell(const strip_view *view, uint64_t cell) {
  if (view->bounds) return view->bounds[cell];
  return view->endless ? view->endless[cell] : 0;
}

static void spread_tile(const strip_view *view, uint64_t cell, uint64_t there, bool turned, double *rows) {
  for (; there; there &= there - 1, cell++) {
    const unsigned bit = (unsigned)__builtin_ctzll(there);
    rows[turned ? bit % LANES * LANES + bit / LANES : bit] = read_cell(view, cell);
  }
}

static void load_source(const strip_source *source, const strip_view *view, uint32_t strip, double *rows) {
  if (source->way == STRIP_CONSTANT) {
    for (int i = 0; i < LANES; i++) rows[i] = source->constant;
    return;
  }
  const strip_pairs *pairs = source->pairs;
  const bool turned = source->way == STRIP_TURNED;
  for (uint32_t k = 0; k < source->hand_strips; k++) {
    if (source->wanted && !source->wanted[k]) continue;
    const uint64_t row_strip = turned ? strip : k, lane_strip = turned ? k : strip;
    const strip_tile *tile = &pairs->tile[lane_strip * pairs->row_strips + row_strip];
    spread_tile(view, source->first_cell + tile->first, tile->there, turned,
                rows + (uint64_t)source->hand_first[k] * LANES);
  }
}

/* `scores`: what games that are over are worth counts; else 0. */
static void load_sources(const strip_section *section, const strip_view *views, bool scores, uint32_t strip,
                         const strip_scratch *scratch) {
  for (int k = 0; k < section->sources; k++) {
    strip_source source = section->source[k];
    if (!scores) source.constant = 0;
    load_source(&source, &views[k], strip, scratch->local[k]);
  }
}

static void store_bounds(const chance_work *work, strip_pass pass, uint64_t cell, uint64_t there,
                         const double *rows, chance_round *round) {
  double *lower = work->lower[0], *upper = work->upper[0];
  for (; there; there &= there - 1, cell++) {
    const double bound = rows[__builtin_ctzll(there)];
    if (pass == STRIP_LOWER) {
      lower[cell] = bound;
      continue;
    }
    upper[cell] = bound;
    if (bound - lower[cell] > round->width) round->width = bound - lower[cell];
  }
}

static void store_marks(uint8_t *endless, uint64_t cell, uint64_t there, const double *rows) {
  for (; there; there &= there - 1, cell++) endless[cell] = rows[__builtin_ctzll(there)] > 0;
}

static void store_plane(const strip_source *source, const chance_work *work, strip_pass pass, uint32_t strip,
                        const double *rows, chance_round *round) {
  const strip_pairs *pairs = source->pairs;
  for (uint32_t k = 0; k < source->hand_strips; k++) {
    const strip_tile *tile = &pairs->tile[(uint64_t)strip * pairs->row_strips + k];
    const double *from = rows + (uint64_t)source->hand_first[k] * LANES;
    const uint64_t cell = source->first_cell + tile->first;
    if (pass == STRIP_ENDLESS) {
      store_marks(work->endless, cell, tile->there, from);
    } else {
      store_bounds(work, pass, cell, tile->there, from, round);
    }
  }
}

/* --- plays that send a token back --- */

typedef struct {
  const strip_section *section;
  strip_pass pass;
  uint32_t strip, first_lane, lanes;
  strip_scratch *scratch;
  uint8_t on_square[256]; /* lanes with a token there */
  uint8_t filling;        /* lanes that fill squares */
  strip_view view[STRIP_SOURCES];
} strip_at_work;

static void find_tokens(strip_at_work *at) {
  const strip_section *section = at->section;
  memset(at->on_square, 0, sizeof at->on_square);
  for (uint32_t lane = 0; lane < at->lanes; lane++) {
    const uint8_t *square = section->square + (uint64_t)(at->first_lane + lane) * (unsigned)section->tokens;
    for (int i = 0; i < section->tokens; i++) at->on_square[square[i]] |= (uint8_t)(1U << lane);
  }
  at->on_square[0] = 0;
  for (uint32_t lane = 0; lane < at->lanes; lane++)
    at->filling |= (uint8_t)((section->fill[at->first_lane + lane] > 0) << lane);
}

static uint32_t send_back(const strip_section *section, uint32_t lane, uint8_t square) {
  const uint64_t first = (uint64_t)lane * (unsigned)section->tokens;
  for (int i = 0; i < section->tokens && square; i++)
    if (section->square[first + (unsigned)i] == square) return section->sent_back[first + (unsigned)i];
  return lane;
}

static uint64_t pair_of(const strip_source *source, uint32_t mover, uint32_t lane) {
  const uint32_t hand_strip = source->hand_strip[mover], other_strip = source->other_strip[lane];
  const uint32_t hand = mover - source->hand_first[hand_strip];
  const uint32_t other = lane - source->other_first[other_strip];
  return source->way == STRIP_ROWS ? strip_pairs_rank(source->pairs, hand_strip, hand, other_strip, other)
                                   : strip_pairs_rank(source->pairs, other_strip, other, hand_strip, hand);
}

/* --- rows --- */

/* Sources of neighbouring planes mostly have their pairs in common. */
static void find_hit(const strip_at_work *at, const strip_play *play, unsigned lane, strip_hit *out) {
  const strip_section *section = at->section;
  const uint32_t there =
      send_back(section, send_back(section, at->first_lane + lane, play->sent[0]), play->sent[1]);
  const strip_source *before = NULL;
  uint64_t pair = 0;
  out->lane = lane;
  for (int plane = 0; plane < section->planes; plane++) {
    const int number = section->leads[plane][play->kind];
    const strip_source *source = &section->source[number];
    if (source->way == STRIP_CONSTANT) continue;
    if (!before || before->pairs != source->pairs || before->way != source->way)
      pair = pair_of(source, play->hand, there);
    before = source;
    out->cell[plane] = source->first_cell + pair;
    const strip_view *view = &at->view[number];
    if (view->bounds) __builtin_prefetch(&view->bounds[out->cell[plane]]);
  }
}

static void add_play(const strip_at_work *at, const strip_play *play, uint8_t lanes, plays_here *out) {
  const uint8_t sent = (at->on_square[play->sent[0]] | at->on_square[play->sent[1]]) & lanes;
  out->list[out->used++] = (play_here){(uint64_t)play->hand * LANES, (uint32_t)out->hits, play->kind, sent};
  for (unsigned hits = sent; hits; hits &= hits - 1)
    find_hit(at, play, (unsigned)__builtin_ctz(hits), &out->hit[out->hits++]);
}

/* Of a row under a fill. */
static const uint64_t *find_lists(const strip_section *section, uint32_t fill, uint32_t row) {
  return section->play_first + ((uint64_t)fill * section->rows + row) * (unsigned)section->rolls;
}

/* Lanes in which each roll has plays of its own. */
static void find_odd(const strip_at_work *at, uint32_t row, uint8_t valid, uint8_t odd[CHANCE_MOST_ROLLS]) {
  const strip_section *section = at->section;
  memset(odd, 0, (size_t)section->rolls);
  for (unsigned lanes = at->filling & valid; lanes; lanes &= lanes - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(lanes);
    const uint64_t fill = section->fill[at->first_lane + lane];
    for (unsigned rolls = section->odd[fill * section->rows + row]; rolls; rolls &= rolls - 1)
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

static void find_plays(const strip_at_work *at, uint32_t row, uint8_t valid, plays_here *out) {
  const strip_section *section = at->section;
  const uint64_t *first = find_lists(section, 0, row);
  uint8_t odd[CHANCE_MOST_ROLLS];
  find_odd(at, row, valid, odd);
  out->used = out->hits = out->odds = 0;
  for (int roll = 0; roll < section->rolls; roll++) {
    for (uint64_t i = first[roll]; i < first[roll + 1]; i++)
      add_play(at, &section->play[i], valid & (uint8_t)~odd[roll], out);
    out->end[roll] = out->used;
  }
  for (int roll = 0; roll < section->rolls; roll++) {
    for (unsigned lanes = odd[roll]; lanes; lanes &= lanes - 1)
      find_odd_plays(at, row, roll, (unsigned)__builtin_ctz(lanes), out);
    out->odd_end[roll] = out->odds;
  }
}

/* The values after a play in all lanes. */
static inline const double *find_values(const strip_at_work *at, int plane, const play_here *here,
                                        const strip_hit *hit, double patched[LANES]) {
  const int number = at->section->leads[plane][here->kind];
  if (at->section->source[number].way == STRIP_CONSTANT) return at->scratch->local[number];
  const double *x = at->scratch->local[number] + here->first;
  if (!here->hits) return x;
  memcpy(patched, x, LANES * sizeof *x);
  hit += here->hit;
  for (unsigned hits = here->hits; hits; hits &= hits - 1, hit++)
    patched[hit->lane] = read_cell(&at->view[number], hit->cell[plane]);
  return patched;
}

static double find_odd_value(const strip_at_work *at, int plane, const plays_here *plays, const odd_lane *odd,
                             bool up) {
  double best = 0, patched[LANES];
  for (int k = odd->first; k < odd->end; k++) {
    const double x = find_values(at, plane, &plays->list[k], plays->hit, patched)[odd->lane];
    if (k == odd->first || (up ? x > best : x < best)) best = x;
  }
  return best;
}

static inline void take_greater(double best[LANES], const double x[LANES]) {
  for (int i = 0; i < LANES; i++) best[i] = x[i] > best[i] ? x[i] : best[i];
}

static inline void take_less(double best[LANES], const double x[LANES]) {
  for (int i = 0; i < LANES; i++) best[i] = x[i] < best[i] ? x[i] : best[i];
}

/* In all lanes: the mean over rolls of the best play, or (`least`) the least. */
static inline void find_mean(const strip_at_work *at, int plane, const plays_here *plays, bool up, bool least,
                             double mean[LANES]) {
  const int rolls = at->section->rolls;
  double sum[LANES] = {0}, patched[LANES];
  for (int roll = 0, k = 0, o = 0; roll < rolls; roll++) {
    double best[LANES];
    memcpy(best, find_values(at, plane, &plays->list[k++], plays->hit, patched), sizeof best);
    for (; k < plays->end[roll]; k++) {
      const double *x = find_values(at, plane, &plays->list[k], plays->hit, patched);
      if (up) {
        take_greater(best, x);
      } else {
        take_less(best, x);
      }
    }
    for (; o < plays->odd_end[roll]; o++)
      best[plays->odd[o].lane] = find_odd_value(at, plane, plays, &plays->odd[o], up);
    if (!least) {
      for (int i = 0; i < LANES; i++) sum[i] += best[i];
    } else if (roll == 0) {
      memcpy(sum, best, sizeof sum);
    } else {
      take_less(sum, best);
    }
  }
  const double part = least ? 1 : 1.0 / rolls;
  for (int i = 0; i < LANES; i++) mean[i] = sum[i] * part;
}

static void close_bounds(double *cells, const double mean[LANES], uint8_t valid, bool upper, double margin,
                         chance_round *round) {
  for (int i = 0; i < LANES; i++) {
    if (!(valid >> i & 1)) continue;
    const double low = mean[i] - margin, high = mean[i] + margin;
    const double bound = upper ? (high < 1 ? high : 1) : (low > 0 ? low : 0);
    const bool kept = upper ? bound <= cells[i] : bound >= cells[i];
    round->refused += !kept;
    if (!kept) continue;
    const double step = fabs(bound - cells[i]);
    if (step > round->change[0]) round->change[0] = step;
    cells[i] = bound;
  }
}

/* Endless stays what somebody can keep so under every roll. */
static void unmark(double *cells, const double least[LANES], uint8_t valid, chance_round *round) {
  for (int i = 0; i < LANES; i++) {
    if (!(valid >> i & 1) || least[i] >= cells[i]) continue;
    round->refused++;
    cells[i] = 0;
  }
}

static void relax_row(const strip_at_work *at, uint32_t row, chance_round *round) {
  const strip_section *section = at->section;
  const strip_pairs *pairs = section->source[0].pairs;
  const uint32_t row_strip = section->row_strip[row];
  const strip_tile *tile = &pairs->tile[(uint64_t)at->strip * pairs->row_strips + row_strip];
  const uint8_t valid = (uint8_t)(tile->there >> (LANES * (row - section->row_first[row_strip])));
  if (!valid) return;
  plays_here *plays = &at->scratch->plays;
  find_plays(at, row, valid, plays);
  const bool endless = at->pass == STRIP_ENDLESS, up = endless || section->aim > 0;
  for (int plane = 0; plane < section->planes; plane++) {
    double mean[LANES], *cells = at->scratch->local[plane] + (uint64_t)row * LANES;
    find_mean(at, plane, plays, up, endless, mean);
    if (endless) {
      unmark(cells, mean, valid, round);
    } else {
      close_bounds(cells, mean, valid, at->pass == STRIP_UPPER, margin_of(section->rolls), round);
    }
  }
}

void strip_relax(const strip_section *section, uint32_t strip, const chance_work *work, strip_pass pass,
                 strip_scratch *scratch, chance_round *round) {
  strip_at_work at = {.section = section,
                      .pass = pass,
                      .strip = strip,
                      .first_lane = section->lane_first[strip],
                      .lanes = section->lane_first[strip + 1] - section->lane_first[strip],
                      .scratch = scratch};
  find_tokens(&at);
  for (int k = 0; k < section->sources; k++) at.view[k] = view_of(work, pass, &section->source[k]);
  load_sources(section, at.view, pass != STRIP_ENDLESS, strip, scratch);
  for (uint32_t i = 0; i < section->rows; i++) relax_row(&at, section->order[i], round);
  for (int plane = 0; plane < section->planes; plane++)
    store_plane(&section->source[plane], work, pass, strip, scratch->local[plane], round);
}
