/* Batches of aualé by the rules of rules.c. Moves that neighbouring boards share are sown once.
 *
 * Boards with the same own row are neighbours, numbered by the opponent's row. The own row alone determines
 * what a sowing does to it, and which seeds land in the opponent's pits, so auale_sow is called once per pit
 * for the whole run (`sowing`). Each board then needs an addition of the landing seeds, a capture and the
 * rank of a row. A row is held as a word, a byte per pit, pit 0 highest: one addition adds rows, and one
 * multiplication gives all sums from the right.
 */
#include <string.h>

#include "games/auale/position.h"
#include "indexers/row_pair.h"

typedef uint64_t packed_row;

static packed_row pack_row(const uint8_t row[ROW_PITS]) {
  packed_row packed = 0;
  for (int pit = 0; pit < ROW_PITS; pit++) packed = packed << 8 | row[pit];
  return packed;
}

static void unpack_row(packed_row packed, uint8_t row[ROW_PITS]) {
  for (int pit = ROW_PITS - 1; pit >= 0; pit--, packed >>= 8) row[pit] = (uint8_t)packed;
}

static unsigned shift_of(unsigned pit) {
  return 8 * (ROW_PITS - 1 - pit);
}

/* row_rank explains the sum. */
static inline uint64_t rank_packed_row(packed_row row, unsigned seeds) {
  const uint64_t sums = row * 0x0101010101010101u;
  uint64_t behind = 0;
  for (unsigned after = 1; after < ROW_PITS; after++) {
    behind += row_binomials[after][(sums >> shift_of(ROW_PITS - after) & 0xFF) + after - 1];
  }
  return row_binomials[ROW_PITS - 1][seeds + ROW_PITS - 1] - 1 - behind;
}

/* A move that all boards with the same own row have. */
typedef struct {
  packed_row landing;
  unsigned landing_seeds;
  int last; /* pit of the opponent's row with the last seed, or −1 if that stays in the own row */
  uint64_t left,
      width; /* open rank of the own row after the move, and number of open rows with as many seeds */
} sowing;

/* The opponent's row before u seeds landed in it. After the move it is the own row of a run. */
typedef struct {
  bool open;            /* false if it is full, so that no board with an index has it */
  uint64_t rank, width; /* open rank, and number of open rows with as many seeds */
} row_before;

typedef enum { FORWARDS, BACKWARDS } direction;

/* The current board of a walk through the boards of a slice, either those with an index or those outside,
 * whose opponent's row is full. */
typedef struct {
  const game_rules *rules;
  uint32_t slice;
  direction to;
  packed_row full;       /* a seed in each pit for boards outside the index, whose `z` leaves these seeds out.
                            Otherwise 0 */
  uint64_t run, run_end; /* indexes of the boards with this own row */
  uint64_t index;
  uint8_t own[ROW_PITS], z[ROW_PITS]; /* the mover's row and the opponent's */
  unsigned z_seeds;
  /* Forwards: */
  sowing sowings[ROW_PITS]; /* moves of the pits that are not empty */
  unsigned used;
  /* Backwards: */
  row_before rows_before[AUALE_MAX_SEEDS + 1]; /* [landed seeds] */
  unsigned most_landing;                       /* largest number of seeds that can have landed */
  bool stays[ROW_PITS];                        /* [pit] true if a last seed there captures nothing */
  /* In both directions: */
  bool laid_out[AUALE_MAX_SEEDS + 1];
  row_pair_groups groups[AUALE_MAX_SEEDS + 1]; /* [slice] groups of the slices used so far */
} walk;

static void start_walk(walk *at, const game_rules *rules, uint32_t slice, direction to) {
  at->rules = rules;
  at->slice = slice;
  at->to = to;
  at->full = 0;
  at->run = at->run_end = 0;
  memset(at->laid_out, 0, sizeof at->laid_out);
}

static inline uint64_t first_index_of_group(walk *at, unsigned seeds, unsigned free_seeds) {
  if (!at->laid_out[seeds]) {
    row_pair_lay_out(seeds, &at->groups[seeds]);
    at->laid_out[seeds] = true;
  }
  return at->groups[seeds].first[free_seeds];
}

static auale_board board_of_walk(const walk *at) {
  auale_board board;
  memcpy(board.pits, at->own, ROW_PITS);
  memcpy(board.pits + ROW_PITS, at->z, ROW_PITS);
  return board;
}

static void work_out_sowings(walk *at) {
  at->used = 0;
  for (unsigned pit = 0; pit < ROW_PITS; pit++) {
    if (at->own[pit] == 0) continue;
    auale_board board = {{0}};
    memcpy(board.pits, at->own, ROW_PITS);
    const int last = auale_sow(&board, (int)pit);
    at->sowings[at->used++] = (sowing){.landing = pack_row(board.pits + ROW_PITS),
                                       .landing_seeds = row_seeds(board.pits + ROW_PITS),
                                       .last = last < ROW_PITS ? -1 : last - ROW_PITS,
                                       .left = open_row_rank(board.pits),
                                       .width = open_row_count(row_seeds(board.pits))};
  }
}

static inline bool can_capture(packed_row row, int pit) {
  const packed_row seeds = row >> shift_of((unsigned)pit) & 0xFF;
  return seeds == 2 || seeds == 3;
}

/* Does what auale_capture does, for a packed row. */
static unsigned capture_packed(auale_grand_slam rule, packed_row *row, int last) {
  packed_row left = *row;
  unsigned captured = 0;
  for (int pit = last; pit >= 0 && can_capture(left, pit); pit--) {
    const packed_row seeds = left >> shift_of((unsigned)pit) & 0xFF;
    captured += (unsigned)seeds;
    left -= seeds << shift_of((unsigned)pit);
  }
  if (rule == GRAND_SLAM_KEEPS && left == 0) return 0;
  *row = left;
  return captured;
}

/* The last move dropped u ≥ 0 seeds into the row that is now at->own. Lists this row before the move for each
 * possible u, by removing seeds one by one, and the pits where a last seed captures nothing. */
static void work_out_rows_before(walk *at) {
  uint8_t before[ROW_PITS];
  memcpy(before, at->own, ROW_PITS);
  for (unsigned u = 0;; u++) {
    at->most_landing = u;
    at->rows_before[u] = (row_before){.open = row_is_open(before)};
    if (at->rows_before[u].open)
      at->rows_before[u] = (row_before){true, open_row_rank(before), open_row_count(row_seeds(before))};
    if (before[u % ROW_PITS] == 0) break;
    before[u % ROW_PITS]--;
  }
  for (int pit = 0; pit < ROW_PITS; pit++) {
    packed_row row = pack_row(at->own);
    at->stays[pit] = !can_capture(row, pit) || capture_packed(at->rules->grand_slam, &row, pit) == 0;
  }
}

/* Finds the group of a board: all boards with as many seeds in the own row. Returns its first index.
 * *own_seeds receives these seeds, *width the number of boards per own row. Outside, groups have the order of
 * outside_at. */
static uint64_t find_group(walk *at, uint64_t index, unsigned *own_seeds, uint64_t *width) {
  unsigned k = 0;
  uint64_t group = 0;
  if (!at->full) {
    while (index >= first_index_of_group(at, at->slice, k + 1)) k++;
    group = first_index_of_group(at, at->slice, k);
    *width = open_row_count(at->slice - k);
  } else {
    const unsigned seeds = at->slice - ROW_PITS;
    for (; index - group >= row_count(k) * row_count(seeds - k); k++)
      group += row_count(k) * row_count(seeds - k);
    *width = row_count(seeds - k);
  }
  *own_seeds = k;
  return group;
}

static void unrank_other_row(walk *at, uint64_t rank) {
  if (at->full) {
    row_unrank(at->z_seeds - ROW_PITS, rank, at->z);
  } else {
    open_row_unrank(at->z_seeds, rank, at->z);
  }
}

static void open_run_at(walk *at, uint64_t index) {
  unsigned k;
  uint64_t width;
  const uint64_t group = find_group(at, index, &k, &width), rank = (index - group) / width;
  at->run = group + rank * width;
  at->run_end = at->run + width;
  at->z_seeds = at->slice - k;
  row_unrank(k, rank, at->own);
  unrank_other_row(at, index - at->run);
  if (at->to == FORWARDS) {
    work_out_sowings(at);
  } else {
    work_out_rows_before(at);
  }
}

static void move_walk_to(walk *at, uint64_t index) {
  enum { STEPS = 6 }; /* up to this many steps cost less than an unranking */
  if (index < at->run || index >= at->run_end) {
    open_run_at(at, index);
  } else if (index >= at->index && index - at->index <= STEPS) {
    for (uint64_t i = at->index; i < index; i++) (void)(at->full ? row_next(at->z) : open_row_next(at->z));
  } else {
    unrank_other_row(at, index - at->run);
  }
  at->index = index;
}

/* The children of a board, legal or not, one for each of the walk's sowings. */
typedef struct {
  packed_row after[ROW_PITS];
  unsigned captured[ROW_PITS];
  unsigned legal; /* a bit for each legal sowing of the walk */
} children;

static inline void work_out_children(const walk *at, children *out) {
  const auale_grand_slam rule = at->rules->grand_slam;
  const packed_row z = pack_row(at->z) + at->full;
  unsigned feeding = 0, slams = 0;
  for (unsigned i = 0; i < at->used; i++) {
    const sowing *move = &at->sowings[i];
    const packed_row sown = z + move->landing;
    packed_row after = sown;
    unsigned captured = 0;
    if (move->last >= 0 && can_capture(sown, move->last)) {
      captured = capture_packed(rule, &after, move->last);
    }
    out->after[i] = after;
    out->captured[i] = captured;
    feeding |= (unsigned)(after != 0) << i;
    slams |= (unsigned)(after == 0 && captured > 0) << i;
  }
  out->legal = auale_select_legal(rule, (1u << at->used) - 1, feeding, slams);
}

static inline game_place place_of_child(walk *at, const children *all, unsigned i) {
  const sowing *move = &at->sowings[i];
  const unsigned seeds = at->slice - all->captured[i];
  const unsigned k = at->z_seeds + move->landing_seeds - all->captured[i];
  return (game_place){seeds, first_index_of_group(at, seeds, k) +
                                 rank_packed_row(all->after[i], k) * move->width + move->left};
}

static tauler_error push_children(walk *at, const children *all, uint32_t from, game_sink *sink) {
  for (unsigned move = 0; move < at->used; move++) {
    if (!(all->legal >> move & 1)) continue;
    const tauler_error error =
        game_sink_push(sink, (game_edge){from, (int16_t)all->captured[move], place_of_child(at, all, move)});
    if (error) return error;
  }
  return TAULER_OK;
}

tauler_error auale_ended(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         int16_t *value) {
  walk at;
  children all = {.legal = 0};
  start_walk(&at, rules, slice, FORWARDS);
  for (size_t i = 0; i < n; i++) {
    move_walk_to(&at, index[i]);
    work_out_children(&at, &all);
    const auale_board board = board_of_walk(&at);
    value[i] = all.legal ? GAME_NOT_ENDED : (int16_t)auale_end_value(&board);
  }
  return TAULER_OK;
}

/* Expands the boards of a list of indexes or, if `index` is NULL, n boards from `first` on. */
static tauler_error expand_boards(walk *at, const uint64_t *index, uint64_t first, size_t n,
                                  game_sink *sink) {
  children all = {.legal = 0};
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n && !error; i++) {
    move_walk_to(at, index ? index[i] : first + i);
    work_out_children(at, &all);
    error = push_children(at, &all, (uint32_t)i, sink);
  }
  return error;
}

tauler_error auale_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                          game_sink *sink) {
  walk at;
  start_walk(&at, rules, slice, FORWARDS);
  return expand_boards(&at, index, 0, n, sink);
}

tauler_error auale_expand_outside(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                                  game_sink *sink) {
  static const uint8_t full[ROW_PITS] = {1, 1, 1, 1, 1, 1};
  walk at;
  start_walk(&at, rules, slice, FORWARDS);
  at.full = pack_row(full);
  return expand_boards(&at, NULL, first, count, sink);
}

static bool is_legal(const walk *at, packed_row own, packed_row z, unsigned pit) {
  auale_board board;
  unpack_row(own, board.pits);
  unpack_row(z, board.pits + ROW_PITS);
  return auale_legal_pits(at->rules->grand_slam, &board) >> pit & 1;
}

/* Adds the boards before a quiet move from `origin`, an empty pit of the row that moved. Takes back one seed
 * more in each step, in the order of sowing, until a pit has none. A move that left the opponent a seed is
 * legal. */
static tauler_error retract_into_pit(walk *at, unsigned origin, uint32_t from, game_sink *sink) {
  packed_row own = pack_row(at->z);
  unsigned pit = origin, landed = 0;
  for (unsigned hand = 1;; hand++) {
    pit = (pit + 1) % AUALE_PITS;
    if (pit == origin) pit++;
    if (pit < ROW_PITS) {
      if ((own >> shift_of(pit) & 0xFF) == 0) return TAULER_OK;
      own -= UINT64_C(1) << shift_of(pit);
    } else {
      if (landed == at->most_landing) return TAULER_OK;
      landed++;
    }
    const row_before *z = &at->rows_before[landed];
    if (!z->open || (pit >= ROW_PITS && !at->stays[pit - ROW_PITS])) continue;
    const packed_row before = own + ((packed_row)hand << shift_of(origin));
    const unsigned k = at->z_seeds + landed;
    if (at->z_seeds == at->slice && !is_legal(at, before, 0, origin)) continue;
    const uint64_t index =
        first_index_of_group(at, at->slice, k) + rank_packed_row(before, k) * z->width + z->rank;
    const tauler_error error = game_sink_push(sink, (game_edge){from, 0, {at->slice, index}});
    if (error) return error;
  }
}

tauler_error auale_retract(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                           game_sink *sink) {
  walk at;
  start_walk(&at, rules, slice, BACKWARDS);
  for (size_t i = 0; i < n; i++) {
    move_walk_to(&at, index[i]);
    for (unsigned pit = 0; pit < ROW_PITS; pit++) {
      if (at.z[pit] != 0) continue;
      const tauler_error error = retract_into_pit(&at, pit, (uint32_t)i, sink);
      if (error) return error;
    }
  }
  return TAULER_OK;
}
