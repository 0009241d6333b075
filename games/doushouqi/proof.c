/* Compares the values and depths of a slice of Dou Shou Qi with its moves, a row of cells at a time. */
#include "games/doushouqi/proof.h"

#include <stdlib.h>
#include <string.h>

/* A row of the table: the squares of all pieces but the last, seen from White's side, and its cells. */
typedef struct {
  int side;
  uint8_t square[DSQ_MOST_PIECES];
  uint64_t men[2];
  uint64_t rats, others;
  uint64_t first;
  size_t cells;
  uint8_t lane[LANES]; /* lane of each cell, in the order of the index */
} row;

/* --- worths --- */

/* Returns the worth of a move to a position whose mover gets `own`. */
static int16_t worth_of_child(int own) {
  return (int16_t)((own > 0) - (own < 0) - own);
}

static int worth_of_cell(const game_proof_job *job, int8_t cell, uint16_t depth) {
  if (cell == job->reserved[0] || depth >= WIN) return UNKNOWN;
  if (cell == 0) return depth == 0 ? 0 : UNKNOWN;
  if (cell == 1) return WIN - depth;
  return cell == -1 ? depth - WIN : UNKNOWN;
}

static int16_t *lanes_of(const game_proof_run *run, int side, const uint8_t square[]) {
  uint64_t number = side ? run->rows : 0;
  for (int i = 0; i < run->last; i++) number += run->ordinal[i][square[i]] * run->stride[i];
  return run->worths + number * LANES;
}

static void mirror_all(const game_proof_run *run, uint8_t square[]) {
  for (int i = 0; i <= run->last; i++) square[i] = run->mirror[square[i]];
}

/* --- rows --- */

static void describe_row(const game_proof_run *run, row *r) {
  r->men[0] = r->men[1] = r->rats = r->others = 0;
  for (int i = 0; i < run->last; i++) {
    const dsq_piece piece = run->slice->piece[i];
    r->men[piece.side] |= dsq_bit(r->square[i]);
    *(piece.animal == DSQ_RAT ? &r->rats : &r->others) |= dsq_bit(r->square[i]);
  }
}

static void find_row(const game_proof_run *run, int part, uint64_t number, row *r) {
  const placement_index *place = &run->slice->place;
  const placement_run cells = placement_unrank_block(place, number, r->square);
  r->side = part ? DSQ_BLACK : DSQ_WHITE;
  r->first = (uint64_t)part * placement_count(place) + cells.first;
  r->cells = placement_order(cells, r->lane);
  for (int i = 0; part && i < run->last; i++) r->square[i] = (uint8_t)dsq_flip(r->square[i]);
  for (size_t i = 0; part && i < r->cells; i++) r->lane[i] = (uint8_t)dsq_flip(r->lane[i]);
  describe_row(run, r);
}

/* True if the mirror image of a row has numbers of its own. */
static bool is_stored_twice(const game_proof_run *run, const row *r) {
  return run->last > 1 && run->mirror[r->square[0]] == r->square[0] &&
         run->mirror[r->square[1]] == r->square[1];
}

/* Stores the worth of the position with colours exchanged, for slices with one part. Rows have the first
 * piece on the middle file or left of it, so an image with that piece on the right is not stored. */
static void write_twin(const game_proof_run *run, const uint8_t square[], int16_t worth) {
  uint8_t turned[DSQ_MOST_PIECES] = {0};
  for (int i = 0; i <= run->last; i++) turned[run->twin[i]] = (uint8_t)dsq_flip(square[i]);
  if (!dsq_is_right(turned[0])) lanes_of(run, DSQ_BLACK, turned)[turned[run->last]] = worth;
}

static uint64_t place_row(game_proof_run *run, row *r) {
  const bool twice = is_stored_twice(run, r), images = run->mirror[r->square[0]] == r->square[0] && !twice;
  uint8_t image[DSQ_MOST_PIECES];
  memcpy(image, r->square, sizeof image);
  image[run->last] = 0;
  mirror_all(run, image);
  int16_t *own = lanes_of(run, r->side, r->square), *other = images ? lanes_of(run, r->side, image) : own;
  const int8_t *cells = run->job.cells[run->slice->slice] + r->first;
  for (size_t i = 0; i < r->cells; i++) {
    const int value = worth_of_cell(&run->job, cells[i], run->job.depths[r->first + i]);
    const int16_t worth = value == UNKNOWN ? UNKNOWN : worth_of_child(value);
    own[r->lane[i]] = worth;
    if (images) other[run->mirror[r->lane[i]]] = worth;
    if (run->slice->parts == 2) continue;
    r->square[run->last] = r->lane[i];
    image[run->last] = run->mirror[r->lane[i]];
    write_twin(run, r->square, worth);
    if (!twice) write_twin(run, image, worth);
  }
  return 0;
}

/* --- moves --- */

static void raise_worth(int16_t *best, int worth) {
  if (worth > *best) *best = (int16_t)worth;
}

static void raise_lanes(int16_t best[LANES], const int16_t worths[LANES]) {
  for (int i = 0; i < LANES; i++) best[i] = worths[i] > best[i] ? worths[i] : best[i];
}

static void raise_masked_lanes(int16_t best[LANES], const int16_t *worths, const int16_t mask[LANES]) {
  for (int i = 0; i < LANES; i++) {
    const int16_t worth = (int16_t)((worths[i] & mask[i]) | (NO_MOVE & ~mask[i]));
    best[i] = worth > best[i] ? worth : best[i];
  }
}

static void raise_set_of_lanes(int16_t best[LANES], uint64_t set, int worth) {
  for (; set; set &= set - 1) raise_worth(&best[__builtin_ctzll(set)], worth);
}

/* `square` has the squares of all pieces after the capture. */
static int capture_worth(const game_proof_run *run, int captured, const uint8_t square[]) {
  const remainder *left = &run->remainders[captured];
  if (!left->slice) return WIN - 1;
  uint8_t placed[DSQ_MOST_PIECES];
  for (int i = 0; i < left->slice->pieces; i++) {
    const int at = square[left->from[i]];
    placed[i] = (uint8_t)(left->turned ? dsq_flip(at) : at);
  }
  const uint64_t index = dsq_index(left->slice, left->part, placed);
  const uint32_t slice = left->slice->slice;
  const int own = worth_of_cell(&run->job, run->job.cells[slice][index], run->job.other_depths[slice][index]);
  return own == UNKNOWN ? UNKNOWN : worth_of_child(own);
}

static int find_piece_on(const game_proof_run *run, const row *r, int square) {
  int i = 0;
  while (i < run->last && r->square[i] != square) i++;
  return i;
}

static bool may_capture(const game_proof_run *run, const dsq_target *target, int piece, int captured) {
  const dsq_piece victim = run->slice->piece[captured];
  return dsq_may_capture(run->job.rules, target, run->slice->piece[piece].animal, victim.side, victim.animal);
}

static void capture_piece(const game_proof_run *run, const row *r, int piece, int captured, uint64_t lanes,
                          int16_t best[LANES]) {
  uint8_t square[DSQ_MOST_PIECES];
  memcpy(square, r->square, sizeof square);
  square[piece] = r->square[captured];
  for (; lanes; lanes &= lanes - 1) {
    square[run->last] = (uint8_t)__builtin_ctzll(lanes);
    raise_worth(&best[square[run->last]], capture_worth(run, captured, square));
  }
}

/* Raises lanes by the row that a move leads to, except the lanes in `forbids`. */
static void raise_by_row(const game_proof_run *run, int side, const uint8_t square[], uint64_t forbids,
                         int16_t best[LANES]) {
  int16_t lanes[LANES];
  const int16_t *child;
  if (dsq_is_right(square[0])) {
    uint8_t image[DSQ_MOST_PIECES];
    memcpy(image, square, sizeof image);
    image[run->last] = 0;
    mirror_all(run, image);
    const int16_t *other = lanes_of(run, side, image);
    for (int i = 0; i < DSQ_SQUARES; i++) lanes[i] = other[run->mirror[i]];
    lanes[DSQ_NOWHERE] = NO_MOVE;
    child = lanes;
  } else {
    child = lanes_of(run, side, square);
  }
  if (!forbids) {
    raise_lanes(best, child);
    return;
  }
  int16_t mask[LANES];
  proof_fill_mask(~forbids, mask);
  raise_masked_lanes(best, child, mask);
}

static void raise_by_quiet_move(const game_proof_run *run, const row *r, int piece, const dsq_target *target,
                                int16_t best[LANES]) {
  const uint64_t forbids = proof_forbidding(run, target);
  uint8_t square[DSQ_MOST_PIECES];
  memcpy(square, r->square, sizeof square);
  square[piece] = target->to;
  raise_by_row(run, !r->side, square, forbids, best);
  if (run->slice->piece[run->last].side == r->side || !may_capture(run, target, piece, run->last)) return;
  square[run->last] = target->to;
  if (!(forbids >> target->to & 1)) raise_worth(&best[target->to], capture_worth(run, run->last, square));
}

static void move_piece(const game_proof_run *run, const row *r, int piece, uint64_t lanes,
                       int16_t best[LANES]) {
  const game_rules *rules = run->job.rules;
  const int animal = run->slice->piece[piece].animal, from = r->square[piece];
  for (int t = 0; t < rules->targets_used[r->side][animal][from]; t++) {
    const dsq_target *target = &rules->targets[r->side][animal][from][t];
    if (!dsq_way_is_free(target, r->rats, r->others) || r->men[r->side] & dsq_bit(target->to)) continue;
    const uint64_t allowed = lanes & ~proof_forbidding(run, target);
    if (target->to == rules->den[!r->side]) {
      raise_set_of_lanes(best, allowed, WIN - 1);
    } else if (r->men[!r->side] & dsq_bit(target->to)) {
      const int captured = find_piece_on(run, r, target->to);
      if (may_capture(run, target, piece, captured)) capture_piece(run, r, piece, captured, allowed, best);
    } else {
      raise_by_quiet_move(run, r, piece, target, best);
    }
  }
}

/* Returns the squares among `lanes` from which the last piece may move to the square `to`, where it captures
 * the piece `captured` (nothing if `captured` is the last piece). */
static uint64_t sources_of(const game_proof_run *run, const row *r, int to, int captured, uint64_t lanes) {
  const game_rules *rules = run->job.rules;
  const dsq_piece piece = run->slice->piece[run->last];
  uint64_t from = 0;
  for (int i = 0; i < rules->sources_used[piece.side][piece.animal][to]; i++) {
    const dsq_source source = rules->sources[piece.side][piece.animal][to][i];
    const dsq_target *target = &rules->targets[piece.side][piece.animal][source.from][source.target];
    if (proof_forbidding(run, target) >> source.from & 1) continue;
    if (!dsq_way_is_free(target, r->rats, r->others)) continue;
    if (captured == run->last || may_capture(run, target, run->last, captured)) from |= dsq_bit(source.from);
  }
  return from & lanes;
}

static void raise_by_last_piece(const game_proof_run *run, const row *r, uint64_t lanes,
                                int16_t best[LANES]) {
  const int16_t *child = lanes_of(run, !r->side, r->square);
  for (int i = 0; i < run->shifts_used; i++) {
    const last_shift *shift = &run->shifts[i];
    if (shift->no_rat & r->rats || shift->no_drinker & r->others) continue;
    raise_masked_lanes(best, child + shift->by, shift->lanes);
  }
  raise_set_of_lanes(best, sources_of(run, r, run->job.rules->den[!r->side], run->last, lanes), WIN - 1);
  uint8_t square[DSQ_MOST_PIECES];
  memcpy(square, r->square, sizeof square);
  for (int i = 0; i < run->last; i++) {
    if (run->slice->piece[i].side == r->side) continue;
    const uint64_t from = sources_of(run, r, r->square[i], i, lanes);
    square[run->last] = r->square[i];
    if (from) raise_set_of_lanes(best, from, capture_worth(run, i, square));
  }
}

static void judge_row(const game_proof_run *run, const row *r, int16_t best[LANES]) {
  const uint64_t lanes =
      run->job.rules->ground[run->slice->piece[run->last].animal] & ~(r->men[0] | r->men[1]);
  for (int i = 0; i < LANES; i++) best[i] = NO_MOVE;
  for (int i = 0; i < run->last; i++) {
    if (run->slice->piece[i].side == r->side) move_piece(run, r, i, lanes, best);
  }
  if (run->slice->piece[run->last].side == r->side) raise_by_last_piece(run, r, lanes, best);
  const int16_t stuck = run->job.rules->base.flag[DSQ_STALEMATE_LOSES] ? -WIN : 0;
  for (int i = 0; i < LANES; i++) best[i] = best[i] == NO_MOVE ? stuck : best[i];
}

/* --- work on one row --- */

static uint64_t fill_row(game_proof_run *run, row *r) {
  int8_t *cells = run->job.cells[run->slice->slice];
  const int reserved = run->job.reserved[0];
  if (reserved < INT8_MIN || !memchr(cells + r->first, (uint8_t)reserved, r->cells)) return 0;
  int16_t best[LANES];
  judge_row(run, r, best);
  uint64_t wrong = 0;
  for (size_t i = 0; i < r->cells; i++) {
    const uint64_t index = r->first + i;
    const int worth = best[r->lane[i]];
    if (cells[index] != reserved) continue;
    if (worth == UNKNOWN || run->job.depths[index] != LEFT_OUT) {
      wrong++;
      continue;
    }
    cells[index] = (int8_t)((worth > 0) - (worth < 0));
    run->job.depths[index] = worth ? (uint16_t)(WIN - abs(worth)) : 0;
    __atomic_fetch_or(&run->filled[index / 64], UINT64_C(1) << index % 64, __ATOMIC_RELAXED);
  }
  return wrong;
}

static uint64_t check_row(game_proof_run *run, row *r) {
  const int8_t *cells = run->job.cells[run->slice->slice];
  int16_t best[LANES];
  judge_row(run, r, best);
  uint64_t wrong = 0;
  for (size_t i = 0; i < r->cells; i++) {
    const int stored = worth_of_cell(&run->job, cells[r->first + i], run->job.depths[r->first + i]);
    wrong += stored == UNKNOWN || stored != best[r->lane[i]];
  }
  return wrong;
}

static uint64_t undo_row(game_proof_run *run, row *r) {
  for (uint64_t index = r->first; index < r->first + r->cells; index++) {
    if (!(run->filled[index / 64] >> index % 64 & 1)) continue;
    run->job.cells[run->slice->slice][index] = (int8_t)run->job.reserved[0];
    run->job.depths[index] = LEFT_OUT;
  }
  return 0;
}

/* --- members of game_proof --- */

/* Stored cells are placed first, since quiet moves of cells that are left out lead only to them. */
typedef uint64_t row_work(game_proof_run *run, row *r);
static row_work *const STEPS[] = {place_row, fill_row, place_row, check_row};
enum { STEPS_USED = sizeof STEPS / sizeof *STEPS };

static bool serves_proof(const game_rules *rules, bool depths) {
  return depths;
}

static uint64_t count_parts(const game_proof_run *run, game_proof_aim aim) {
  const uint64_t once = (uint64_t)run->slice->parts;
  return aim == PROOF_VALUES ? STEPS_USED * once : aim == PROOF_UNDO ? once : 0;
}

static uint64_t count_items(const game_proof_run *run, game_proof_aim aim, uint64_t part) {
  return (placement_count(&run->slice->place) + ITEM - 1) / ITEM;
}

/* An item has the rows whose first cell is among its ITEM numbers. */
static uint64_t work_on_item(game_proof_run *run, game_proof_aim aim, uint64_t part, uint64_t item) {
  const uint64_t count = placement_count(&run->slice->place);
  const uint64_t end = (item + 1) * ITEM < count ? (item + 1) * ITEM : count;
  const int side = (int)(part % (uint64_t)run->slice->parts);
  row_work *const step = aim == PROOF_UNDO ? undo_row : STEPS[part / (uint64_t)run->slice->parts];
  uint64_t cells = 0;
  row r;
  for (uint64_t number = item * ITEM; number < end;) {
    find_row(run, side, number, &r);
    const uint64_t first = r.first - (side ? count : 0);
    if (first >= item * ITEM) cells += step(run, &r);
    number = first + r.cells;
  }
  return cells;
}

const game_proof dsq_proof = {.serves = serves_proof,
                              .open = dsq_proof_open,
                              .parts = count_parts,
                              .items = count_items,
                              .work = work_on_item};
