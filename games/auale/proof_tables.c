/* Makes the tables of a proof (rows, moves, landings, origins) from the rules. */
#include <string.h>

#include "games/auale/proof.h"

static void list_rows(arena *a, proof_group *group, unsigned k) {
  group->rows = (uint32_t)row_count(k);
  group->open = (uint32_t)open_row_count(k);
  group->rank = arena_allocate(a, group->rows, sizeof *group->rank);
  group->place = arena_allocate(a, group->rows, sizeof *group->place);
  group->pits = arena_allocate(a, group->rows, sizeof *group->pits);
  if (a->error) return;
  uint8_t row[ROW_PITS];
  row_unrank(k, 0, row);
  for (uint32_t rank = 0, open = 0; rank < group->rows; rank++, row_next(row)) {
    const uint32_t place = row_is_open(row) ? open++ : group->open + rank - open;
    group->rank[place] = rank;
    group->place[rank] = place;
    memcpy(group->pits[place], row, ROW_PITS);
  }
}

static auale_board board_of(const uint8_t own[ROW_PITS], const uint8_t other[ROW_PITS]) {
  auale_board board;
  memcpy(board.pits, own, ROW_PITS);
  memcpy(board.pits + ROW_PITS, other, ROW_PITS);
  return board;
}

static void list_moves(arena *a, proof_group *group, auale_grand_slam rule, bool alone) {
  static const uint8_t none[ROW_PITS] = {0};
  group->moves = arena_allocate(a, group->rows, sizeof *group->moves);
  for (uint32_t place = 0; place < group->rows && !a->error; place++) {
    const auale_board before = board_of(group->pits[place], none);
    /* Seeds in the opponent's row make every move legal that does not capture them all. */
    const unsigned legal = alone ? auale_legal_pits(rule, &before) : (1u << ROW_PITS) - 1;
    proof_move *move = group->moves[place];
    for (int pit = 0; pit < ROW_PITS; pit++) {
      if (!before.pits[pit] || !(legal >> pit & 1)) continue;
      auale_board sown = before;
      const int last = auale_sow(&sown, pit);
      *move++ = (proof_move){.after = (uint32_t)open_row_rank(sown.pits),
                             .landed = (uint8_t)row_seeds(sown.pits + ROW_PITS),
                             .pit = (int8_t)pit,
                             .last = last >= ROW_PITS};
    }
    if (move < group->moves[place] + ROW_PITS) move->pit = NO_PROOF_MOVE;
  }
}

static void add_landing_seeds(uint8_t row[ROW_PITS], unsigned u) {
  for (unsigned i = 0; i < u; i++) row[i % ROW_PITS]++;
}

typedef struct {
  uint32_t runs, captures;
} landing_counts;

/* Writes the runs and captures of a landing, or only counts them if out->runs is NULL. Returns their
 * numbers. */
static landing_counts fill_landing(const game_proof_run *run, unsigned s, unsigned u, proof_landing *out) {
  const proof_group *from = &run->groups[s], *to = &run->groups[s + u];
  const auale_grand_slam rule = run->job.rules->grand_slam;
  landing_counts n = {0, 0};
  proof_run now = {0};
  for (uint32_t z = 0; z < from->open; z++) {
    uint8_t row[ROW_PITS];
    memcpy(row, from->pits[z], ROW_PITS);
    add_landing_seeds(row, u);
    const uint32_t place = to->place[row_rank(row)];
    const unsigned captured = u ? auale_capture(rule, row, (int)(u + ROW_PITS - 1) % ROW_PITS) : 0;
    const bool begins = z % STRIP == 0;
    if (begins && out->runs) {
      out->first_run[z / STRIP] = n.runs;
      out->first_capture[z / STRIP] = n.captures;
    }
    if (begins || place != now.to + now.n || place % STRIP == 0 || now.quiet != (captured == 0)) {
      now = (proof_run){place, (uint8_t)(z % STRIP), 0, captured == 0};
      n.runs++;
    }
    now.n++;
    if (out->runs) out->runs[n.runs - 1] = now;
    if (captured && out->runs)
      out->captures[n.captures] =
          (proof_capture){(uint32_t)row_rank(row), (uint8_t)(z % STRIP), (uint8_t)captured};
    n.captures += captured > 0;
  }
  return n;
}

static void list_landings(arena *a, game_proof_run *run, unsigned s) {
  proof_group *group = &run->groups[s];
  const uint32_t strips = (group->open + STRIP - 1) / STRIP;
  group->landings = arena_allocate(a, run->seeds - s + 1, sizeof *group->landings);
  for (unsigned u = 0; u <= run->seeds - s && !a->error; u++) {
    proof_landing *landing = &group->landings[u];
    *landing = (proof_landing){0};
    const landing_counts n = fill_landing(run, s, u, landing);
    landing->first_run = arena_allocate(a, strips + 1, sizeof *landing->first_run);
    landing->first_capture = arena_allocate(a, strips + 1, sizeof *landing->first_capture);
    landing->captures = arena_allocate(a, n.captures, sizeof *landing->captures);
    landing->runs = arena_allocate(a, n.runs, sizeof *landing->runs);
    if (a->error) return;
    fill_landing(run, s, u, landing);
    landing->first_run[strips] = n.runs;
    landing->first_capture[strips] = n.captures;
  }
}

/* Rows are counted two entries ahead and filled in one entry ahead, so that no second array is needed. */
static void list_origins(arena *a, game_proof_run *run, unsigned s, unsigned u) {
  const proof_group *before = &run->groups[s + u];
  proof_origins *origins = &run->groups[s].origins[u];
  uint32_t moves = 0;
  origins->first = arena_allocate(a, run->groups[s].open + UINT64_C(2), sizeof *origins->first);
  if (a->error) return;
  memset(origins->first, 0, (run->groups[s].open + UINT64_C(2)) * sizeof *origins->first);
  for (int fill = 0; fill < 2; fill++) {
    for (uint32_t place = 0; place < before->rows; place++) {
      const proof_move *move = before->moves[place];
      for (int i = 0; i < ROW_PITS && move[i].pit != NO_PROOF_MOVE; i++) {
        if (move[i].landed != u) continue;
        if (fill)
          origins->rows[origins->first[move[i].after + 1]++] = place;
        else
          origins->first[move[i].after + 2]++;
        moves++;
      }
    }
    if (fill) return;
    for (uint32_t r = 2; r < run->groups[s].open + 2; r++) origins->first[r] += origins->first[r - 1];
    origins->rows = arena_allocate(a, moves, sizeof *origins->rows);
    if (a->error) return;
  }
}

static void allocate_cells(arena *a, game_proof_run *run, unsigned k) {
  proof_group *group = &run->groups[k];
  group->columns = run->groups[run->seeds - k].open;
  group->blocks = (group->rows + STRIP - 1) / STRIP;
  group->strips = (group->columns + STRIP - 1) / STRIP;
  const uint64_t strips = (uint64_t)group->strips * group->rows;
  for (int plane = 0; plane < run->job.planes; plane++) {
    group->worths[plane] = arena_allocate(a, (uint64_t)group->blocks * group->columns, STRIP);
    group->proven[plane] = arena_allocate(a, strips, sizeof *group->proven[plane]);
    group->filled[plane] = arena_allocate(a, strips, sizeof *group->filled[plane]);
    group->marks[plane] = arena_allocate(a, strips, 1);
    group->marked_blocks[plane] = arena_allocate(a, (uint64_t)group->strips * group->blocks, 1);
    if (a->error) return;
    memset(group->worths[plane], 0, (uint64_t)group->blocks * group->columns * STRIP);
    memset(group->proven[plane], 0, strips * sizeof *group->proven[plane]);
    memset(group->filled[plane], 0, strips * sizeof *group->filled[plane]);
    memset(group->marks[plane], MARKED_FIRST, strips);
    memset(group->marked_blocks[plane], 1, (uint64_t)group->strips * group->blocks);
  }
}

static void make_tables(arena *a, game_proof_run *run) {
  const unsigned n = run->seeds;
  for (unsigned k = 0; k <= n && !a->error; k++) {
    row_pair_lay_out(k, &run->index[k]);
    list_rows(a, &run->groups[k], k);
    if (!a->error) list_moves(a, &run->groups[k], run->job.rules->grand_slam, k == n);
  }
  for (unsigned s = 0; s <= n && !a->error; s++) {
    list_landings(a, run, s);
    run->groups[s].origins = arena_allocate(a, n - s + 1, sizeof *run->groups[s].origins);
    for (unsigned u = 0; u <= n - s && !a->error; u++) list_origins(a, run, s, u);
  }
  for (unsigned k = 0; k <= n && !a->error; k++) allocate_cells(a, run, k);
}

game_proof_run *auale_proof_open(const game_proof_job *job, arena *arrays) {
  game_proof_run *run = arena_allocate(arrays, 1, sizeof *run);
  if (!run) return NULL;
  *run = (game_proof_run){.job = *job, .seeds = job->slice};
  make_tables(arrays, run);
  return run;
}
