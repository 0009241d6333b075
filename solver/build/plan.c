/* Computes what a build needs before it starts: memory, disk and traffic. */
#include <math.h>

#include "solver/build/chance.h"
#include "solver/build/run.h"
#include "solver/engines/bitboard/bitboard.h"
#include "solver/engines/chance/tables.h"
#include "solver/engines/engines.h"

/* Bits a position of the larger tables at level 9, from the measurements in databases/README.md: a
 * little more than seen, since a build that is begun should not end on a full disk. */
static const double value_bits = 2.0, depth_bits = 4.5;
/* Of games with words, half of whose cells are left out: dou shou qi of three pieces, 0.37 and 0.84; of four,
 * 0.19–0.29 and 0.44–0.64. */
static const double words_value_bits = 0.4, words_depth_bits = 0.9;

bool build_is_chance(const build_job *job) {
  return job->game->kind(job->rules) == SOLVE_CHANCE;
}

bool build_wants_depths(const build_job *job) {
  return !build_is_chance(job) && (job->depths || job->game->kind(job->rules) == SOLVE_OUTCOMES);
}

/* Whether what converts counts on with the depth of where it leads. */
bool build_keeps_depths(const build_job *job) {
  return job->game->kind(job->rules) == SOLVE_OUTCOMES;
}

bool build_uses_grid(const build_job *job) {
  return job->game->grid && !job->general;
}

static bool is_own_row(const build_job *job) {
  return solve_is_own_row(job->game, job->rules);
}

bool build_solves_at_once(const build_job *job) {
  return build_wants_depths(job) && (!build_uses_grid(job) || build_keeps_depths(job) || is_own_row(job));
}

/* Whether kernels solve; the own-row engine has them for what tables leave out alone. */
static bool is_solved_by_grid(const build_job *job) {
  return build_uses_grid(job) && !is_own_row(job);
}

/* About what the tables of a slice take: values, depths or both. */
uint64_t build_table_bytes(const build_job *job, const game_slice *slice, bool values, bool depths) {
  if (build_is_chance(job)) return values ? chance_tables_bytes(job, slice->slice) : 0;
  const uint64_t planes = (uint64_t)slice_streams_of(job->game, job->rules).planes;
  const bool words = job->game->words != NULL;
  const double of_values = words ? words_value_bits : value_bits;
  const double of_depths = words ? words_depth_bits : depth_bits;
  const double bits = (values ? of_values : 0) + (depths ? of_depths : 0);
  const uint64_t rules = solve_is_own_row_any(job->game, job->rules) ? 2 : 1; /* and those they rest on */
  return rules * planes *
         ((uint64_t)((double)slice->positions * bits / 8) + (uint64_t)(values + depths) * 4096);
}

/* The program itself, its libraries and their working space, of which no budget knows: measured, with Open
 * MPI 4.1. Of each peer on the same host it has buffers in shared memory; more than `most_peers` do not share
 * one. */
static const uint64_t program_bytes = UINT64_C(6000) << 10, message_passing_bytes = UINT64_C(10500) << 10;
static const uint64_t peer_bytes = UINT64_C(320) << 10, most_peers = 128;
/* Of each further thread: its stack and state of zstd at the level of tables. */
static const uint64_t thread_bytes = UINT64_C(1500) << 10;
/* Where parts of slices are mapped, one part in so many more is resident than what was counted as touched. */
enum { MAPPING_PART = 10 };
/* Of cells of finished slices, compressed in memory. */
static const double packed_bits = 3.4;

static uint64_t finished_cell_bytes(const build_job *job) {
  const uint64_t planes = (uint64_t)slice_streams_of(job->game, job->rules).planes;
  return planes + (build_keeps_depths(job) ? sizeof(uint16_t) : 0);
}

/* Without tables the grid counts as prepared, and what shares read is guessed. */
static solve_job solving_for(const build_job *job, const void *grid_tables) {
  static const int marker = 0;
  return (solve_job){.game = job->game,
                     .rules = job->rules,
                     .threads = job->threads,
                     .general = job->general,
                     .team = job->team,
                     .piece_bytes = job->piece_bytes,
                     .grid_tables = !build_uses_grid(job) ? NULL
                                    : grid_tables         ? grid_tables
                                                          : &marker,
                     .planning = !grid_tables};
}

uint64_t build_overhead_bytes(const build_job *job, const game_slices *slices, int ranks) {
  const uint64_t peers = (uint64_t)ranks < most_peers ? (uint64_t)ranks : most_peers;
  uint64_t bytes = program_bytes + (uint64_t)(job->threads - 1) * thread_bytes;
  if (ranks > 1) bytes += message_passing_bytes + peers * peer_bytes;
  if (build_uses_grid(job)) bytes += job->game->grid->prepared_bytes(job->rules, game_slices_largest(slices));
  return bytes;
}

uint64_t build_whole_bytes(const build_job *job, const game_slices *slices) {
  const solve_job solving = solving_for(job, NULL);
  uint64_t finished = 0, most = 0;
  for (size_t i = 0; i < slices->used; i++) {
    const uint64_t need =
        finished + solve_bytes(&solving, slices->slices[i].slice, build_wants_depths(job), 1, 1, NULL);
    if (need > most) most = need;
    finished += finished_cell_bytes(job) * slices->slices[i].positions;
  }
  return most + build_overhead_bytes(job, slices, 1);
}

static uint64_t packed_slice_bytes(const build_job *job, const game_slice *slice) {
  return (uint64_t)((double)(finished_cell_bytes(job) * slice->positions) * packed_bits / 8);
}

/* Per rank, in shares, and what waits on the disk. Slices that are much smaller than the largest need less,
 * whatever is packed. */
static void plan_memory(const build_job *job, const game_slices *slices, const void *grid_tables,
                        build_plan *plan) {
  solve_job solving = solving_for(job, grid_tables);
  solving.plans_compressed = true;
  const uint32_t shares = (uint32_t)plan->ranks * plan->shares_per_rank;
  uint64_t packed = 0, most = 0, waits = 0, packed_all = 0;
  for (size_t i = 0; i < slices->used; i++) {
    const game_slice *slice = &slices->slices[i];
    if (slice->positions >= plan->largest - plan->largest / 8) {
      uint64_t waiting = 0;
      const uint64_t solve = solve_bytes(&solving, slice->slice, build_wants_depths(job), shares,
                                         plan->shares_per_rank, &waiting);
      /* The slice itself is packed as it is written, before its depths are solved. */
      const uint64_t own = plan->packed_on_disk ? 0 : packed_slice_bytes(job, slice) / (uint64_t)plan->ranks;
      const uint64_t solved = solve + (build_wants_depths(job) ? own : 0);
      const uint64_t written = own + solve_writing_bytes(&solving, slice->slice, build_wants_depths(job),
                                                         shares, plan->shares_per_rank);
      const uint64_t need = packed + (solved > written ? solved : written);
      if (need > most) most = need;
      if (plan->shares_per_rank > 1 && shares * waiting > waits) waits = shares * waiting;
    }
    packed_all += packed_slice_bytes(job, slice);
    if (!plan->packed_on_disk) packed += packed_slice_bytes(job, slice) / (uint64_t)plan->ranks;
  }
  plan->waiting = waits + (plan->packed_on_disk ? packed_all : 0);
  plan->memory = most + build_overhead_bytes(job, slices, plan->ranks);
  plan->mapping = plan->shares_per_rank > 1 ? plan->memory / MAPPING_PART : 0;
  plan->memory += plan->mapping;
}

/* As few shares as fit; smaller slices go to the disk before parts of this one do. */
static void plan_shares(const build_job *job, const game_slices *slices, const void *grid_tables,
                        build_plan *plan) {
  enum { MOST_SHARES = 4096, MOST_VAIN = 6 };
  const uint64_t limit = job->memory->limit;
  plan->in_shares = true;
  plan->in_words = false;
  plan_memory(job, slices, grid_tables, plan);
  if (plan->memory <= limit) return;
  build_plan next = *plan;
  next.packed_on_disk = true;
  const uint32_t most = is_own_row(job) ? 1 : MOST_SHARES; /* its shares do not wait on the disk */
  for (uint32_t shares = 1, vain = 0; shares <= most && vain < MOST_VAIN;
       shares += shares < 4 ? 1 : shares / 3, vain++) {
    next.shares_per_rank = shares;
    plan_memory(job, slices, grid_tables, &next);
    const uint64_t less = shares > 1 ? plan->memory / 100 : 0; /* a share more must pay */
    if (next.memory + less >= plan->memory) continue;
    *plan = next;
    if (plan->memory <= limit) return;
    vain = 0;
  }
}

/* Without a grid, measured with awari of 12 and 13 seeds: bytes a position on one rank if it told itself, and
 * more for each doubling of ranks; what depths add; and how processor time grows in shares. */
static const double batches_told = 2.42, batches_spread = 0.42, batches_depths = 0.12;
static const double batches_shared_base = 0.7, batches_shared = 0.8;
/* The same of the own-row engine, with abapa of up to 11 to 13 seeds on 2 to 4 ranks. */
static const double own_row_told = 5, own_row_spread = 0.6;
/* And of bounds on every history, beside the tables that they rest on. */
static const double any_history_told = 2.9;

static double doublings_beyond_a_million(uint64_t positions) {
  return positions > UINT64_C(1) << 20 ? log2((double)positions) - 20 : 0;
}

double build_effort(const build_job *job, uint64_t positions) {
  if (!is_solved_by_grid(job)) return 1;
  return pow(1 + job->game->grid->costs.slowing, doublings_beyond_a_million(positions));
}

/* Doublings of shares, up to where one is so few tiles that still smaller ones read no less. */
static double doublings_of_shares(const build_job *job, uint32_t slice, double shares) {
  if (!is_solved_by_grid(job)) return log2(shares);
  game_grid_plan grid;
  job->game->grid->plan(job->rules, slice, &grid);
  const double apart = sqrt((double)grid.tiles);
  return log2(shares < apart ? shares : apart);
}

/* What a share tells goes to all that read it, so traffic grows as what they read does. */
static void plan_work(const build_job *job, const game_slices *slices, build_plan *plan) {
  static const game_grid_costs nobody = {0};
  const bool own_row = is_own_row(job);
  const game_grid_costs *costs = is_solved_by_grid(job) ? &job->game->grid->costs : &nobody;
  const double ranks = plan->ranks, shares = ranks * plan->shares_per_rank;
  const double planes = (double)slice_streams_of(job->game, job->rules).planes;
  double told = costs->told_value + (build_wants_depths(job) ? costs->told_depth : 0), sent = 0, worked = 0;
  told *= 1 + costs->told_growth * doublings_beyond_a_million(plan->positions);
  for (size_t i = 0; i < slices->used; i++) {
    const double doublings = doublings_of_shares(job, slices->slices[i].slice, shares);
    const double n = (double)slices->slices[i].positions;
    if (is_solved_by_grid(job)) {
      sent += n * told * (1 + costs->reads * doublings) * (ranks - 1) / ranks;
      worked += n * (costs->shared_base + costs->shared * doublings);
    } else {
      double told_here =
          own_row ? own_row_told + own_row_spread * log2(ranks) : batches_told + batches_spread * log2(ranks);
      if (solve_is_own_row_any(job->game, job->rules)) told_here += any_history_told;
      sent += n * told_here * (build_wants_depths(job) ? 1 + batches_depths : 1);
      worked += n * (batches_shared_base + batches_shared * doublings);
    }
  }
  plan->network = ranks > 1 && !plan->in_words ? (uint64_t)(planes * sent) : 0; /* words go by the tables */
  plan->effort = build_effort(job, plan->positions);
  if (plan->in_shares && worked > (double)plan->positions) plan->effort *= worked / (double)plan->positions;
}

void build_plan_for(const build_job *job, const game_slices *slices, const void *grid_tables, int ranks,
                    build_plan *plan) {
  *plan = (build_plan){.ranks = ranks, .shares_per_rank = 1};
  for (size_t i = 0; i < slices->used; i++) {
    const game_slice *slice = &slices->slices[i];
    if (slice->positions > plan->largest) plan->largest = slice->positions;
    plan->positions += slice->positions;
    plan->disk += build_table_bytes(job, slice, true, build_wants_depths(job));
  }
  if (build_is_chance(job)) {
    plan->in_chance = true;
    plan->memory = plan->whole_memory = build_chance_bytes(job, slices, ranks);
    plan->network = build_chance_network(job, slices, ranks);
    plan->effort = 1;
    return;
  }
  plan->in_words = words_serve(job->game, job->general);
  plan->whole_memory =
      plan->in_words ? build_words_bytes(job, slices, ranks) : build_whole_bytes(job, slices);
  plan->memory = plan->whole_memory;
  const bool too_large = plan->whole_memory > job->memory->limit, apart = ranks > 1 && !plan->in_words;
  const build_plan whole = *plan;
  if (too_large || apart) plan_shares(job, slices, grid_tables, plan);
  if (!apart && plan->memory >= whole.memory) *plan = whole;
  plan_work(job, slices, plan);
}
