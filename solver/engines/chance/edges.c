/* Gets the edges of a slice of chance from the game, and keeps them while memory is free. */
#include "solver/engines/chance/means.h"

#include <string.h>

static const char *const what = "the edges of a slice of chance";

enum { EVEN_STAGES = 128, LIKELY_CHOICES = 4, MOST_LIKELY_CHOICES = 16 };

uint64_t chance_stages(const solve_problem *problem, uint32_t slice) {
  if (problem->game->chance->stages) return problem->game->chance->stages(problem->rules, slice);
  const uint64_t positions = problem->game->positions(problem->rules, slice);
  return positions < EVEN_STAGES ? positions : EVEN_STAGES;
}

static uint64_t first_of_part(uint64_t n, uint64_t parts, uint64_t part) {
  return n / parts * part + n % parts * part / parts;
}

uint64_t chance_stage_first(const solve_problem *problem, uint32_t slice, uint64_t stage) {
  const game_chance *chance = problem->game->chance;
  const uint64_t positions = problem->game->positions(problem->rules, slice),
                 stages = chance_stages(problem, slice);
  if (stage >= stages) return positions;
  if (chance->stage_first) return chance->stage_first(problem->rules, slice, stage);
  return first_of_part(positions, stages, stage);
}

uint64_t chance_part_first(const chance_edges *edges, uint64_t stage, int rank) {
  const solve_job *job = edges->work->job->job;
  const uint64_t first = chance_stage_first(&job->problem, edges->work->slice, stage);
  const uint64_t end = chance_stage_first(&job->problem, edges->work->slice, stage + 1);
  return first + first_of_part(end - first, (uint64_t)comm_ranks(job->work.comm), (uint64_t)rank);
}

static chance_part make_part(const chance_edges *edges, uint64_t stage, uint64_t chunk) {
  const int rank = comm_rank(edges->work->job->job->work.comm);
  return (chance_part){chance_part_first(edges, stage, rank), chance_part_first(edges, stage, rank + 1),
                       chunk};
}

static void list_edge_arrays(arena *a, void *of) {
  chance_edges *edges = of;
  edges->parts = arena_allocate(a, edges->stages, sizeof *edges->parts);
  edges->kept = arena_allocate(a, edges->chunks, sizeof *edges->kept);
  edges->askers = arena_allocate(a, (uint64_t)edges->threads, sizeof *edges->askers);
}

tauler_error chance_edges_open(chance_edges *edges, const chance_work *work, tauler_message *message) {
  const solve_job *job = work->job->job;
  const chance_roll *rolls;
  const chance_gain(*rows)[CHANCE_MOST_QUANTITIES];
  *edges = (chance_edges){.work = work,
                          .rolls = job->problem.game->chance->rolls(job->problem.rules, &rolls),
                          .rows = job->problem.game->chance->gains(job->problem.rules, work->slice, &rows),
                          .stages = chance_stages(&job->problem, work->slice),
                          .threads = job->work.threads < 1 ? 1 : job->work.threads};
  for (uint64_t s = 0; s < edges->stages; s++) {
    const chance_part part = make_part(edges, s, 0);
    edges->chunks += chance_part_chunks(&part);
  }
  tauler_error error = arena_fill(&edges->lists, job->work.memory, what, list_edge_arrays, edges, message);
  if (error) {
    *edges = (chance_edges){.work = work};
    return error;
  }
  for (uint64_t s = 0, chunk = 0; s < edges->stages; s++) {
    edges->parts[s] = make_part(edges, s, chunk);
    chunk += chance_part_chunks(&edges->parts[s]);
  }
  for (int i = 0; i < edges->threads && !error; i++) {
    chance_asker *asker = &edges->askers[i];
    asker->edges = edges;
    asker->room = CHANCE_CHUNK * LIKELY_CHOICES * edges->rolls;
    error = memory_allocate_array(job->work.memory, asker->room, sizeof *asker->links.list, what,
                                  &asker->links.list, message);
  }
  return error;
}

void chance_edges_close(chance_edges *edges) {
  memory_budget *memory = edges->work->job->job->work.memory;
  for (int i = 0; i < edges->threads; i++) memory_free(memory, edges->askers[i].links.list);
  for (uint64_t i = 0; i < edges->chunks; i++) memory_free(memory, edges->kept[i].list);
  arena_close(&edges->lists);
}

uint64_t chance_edges_bytes(const solve_job *job, uint32_t slice) {
  const chance_roll *rolls;
  chance_edges planned = {.stages = chance_stages(&job->problem, slice),
                          .threads = job->work.threads < 1 ? 1 : job->work.threads};
  planned.chunks = job->problem.game->positions(job->problem.rules, slice) / CHANCE_CHUNK + planned.stages;
  const uint64_t links =
      CHANCE_CHUNK * MOST_LIKELY_CHOICES * job->problem.game->chance->rolls(job->problem.rules, &rolls);
  return arena_bytes(list_edge_arrays, &planned) +
         (uint64_t)planned.threads * 2 * links * sizeof(chance_link);
}

static tauler_error refuse_position(chance_asker *asker, const char *why) {
  return tauler_fail(&asker->message, TAULER_INTERNAL, "position %llu of slice %u cannot be solved: %s",
                     (unsigned long long)asker->index[asker->from], asker->edges->work->slice, why);
}

static tauler_error push_link(chance_asker *asker, chance_link link) {
  if (asker->links.used == asker->room) {
    const tauler_error error =
        memory_resize(asker->edges->work->job->job->work.memory, 2 * asker->room * sizeof link, what,
                      &asker->links.list, &asker->message);
    if (error) return error;
    asker->room *= 2;
  }
  asker->links.list[asker->links.used++] = link;
  return TAULER_OK;
}

static chance_link *last_link(const chance_asker *asker) {
  chance_link *last = asker->links.used ? &asker->links.list[asker->links.used - 1] : NULL;
  return last && !(last->flags & LINK_LAST) ? last : NULL;
}

static tauler_error end_position(chance_asker *asker) {
  chance_link *last = last_link(asker);
  if (last && last->roll != LINK_CERTAIN && last->roll + 1U != asker->edges->rolls)
    return refuse_position(asker, "the outcome of some roll is missing");
  const tauler_error error =
      last ? TAULER_OK : push_link(asker, (chance_link){0, GAME_OVER, LINK_NONE, 0, 0, 0});
  asker->links.list[asker->links.used - 1].flags |= LINK_LAST;
  asker->from++;
  return error;
}

static bool is_solved_place(const chance_work *work, game_place to) {
  if (to.slice == GAME_OVER) return true;
  if (to.slice == work->slice) return to.index < work->positions;
  const chance_slices *finished = work->job->finished;
  return finished && to.slice < finished->room && finished->list[to.slice].lower[0] &&
         to.index < finished->list[to.slice].positions;
}

static const char *find_fault(const chance_asker *asker, const chance_edge *edge) {
  const chance_quantities *quantities = &asker->edges->work->quantities;
  const chance_link *last = last_link(asker);
  const bool certain = edge->roll == CHANCE_CERTAIN;
  if (!certain && edge->roll >= asker->edges->rolls) return "there is no such roll";
  if (last && (certain || last->roll == LINK_CERTAIN)) return "an edge without a roll is not the only one";
  const unsigned next = last ? last->roll + 1U : 0;
  const bool chosen = last && edge->roll == last->roll;
  if (!certain && !chosen && edge->roll != next) return "its rolls are not in order";
  if (chosen && (!asker->aim[asker->from] || quantities->used > 1))
    return "there is a choice, but no seat that chooses";
  if (edge->gain >= asker->edges->rows) return "there is no such gain";
  if (edge->turn && edge->turn >= quantities->seats) return "there is no such seat";
  return is_solved_place(asker->edges->work, edge->to) ? NULL : "it leads to a position that is not solved";
}

static tauler_error add_links(void *user, const chance_edge *edges, size_t n) {
  chance_asker *asker = user;
  tauler_error error = TAULER_OK;
  for (const chance_edge *edge = edges; edge < edges + n && !error; edge++) {
    if (edge->from >= asker->positions || edge->from < asker->from)
      return refuse_position(asker, "edges do not come in order");
    while (asker->from < edge->from && !error) error = end_position(asker);
    if (error) return error;
    const char *fault = find_fault(asker, edge);
    if (fault) return refuse_position(asker, fault);
    const int8_t aim = asker->aim[asker->from];
    const uint8_t roll = edge->roll == CHANCE_CERTAIN ? LINK_CERTAIN : (uint8_t)edge->roll;
    const uint8_t flags = aim > 0 ? LINK_RAISES : aim < 0 ? LINK_LOWERS : 0;
    error =
        push_link(asker, (chance_link){edge->to.index, edge->to.slice, roll, edge->turn, edge->gain, flags});
  }
  return error;
}

static tauler_error find_links(chance_asker *asker, uint64_t first, uint64_t end) {
  const chance_work *work = asker->edges->work;
  const solve_job *job = work->job->job;
  const game_chance *chance = job->problem.game->chance;
  asker->positions = (uint32_t)(end - first);
  asker->from = 0;
  asker->links.used = 0;
  for (uint32_t i = 0; i < asker->positions; i++) asker->index[i] = first + i;
  chance->aims(job->problem.rules, work->slice, asker->index, asker->positions, asker->aim);
  chance_sink sink = {asker->sunk, 0, CHANCE_BATCH_EDGES, add_links, asker};
  tauler_error error = chance->expand(job->problem.rules, work->slice, asker->index, asker->positions, &sink);
  if (!error) error = chance_sink_flush(&sink);
  while (!error && asker->from < asker->positions) error = end_position(asker);
  return error;
}

/* Keeps the links of a chunk. If less than a sixteenth of the memory would be left, does nothing, since other
 * modules may need it. */
static void keep_links(const chance_asker *asker, chance_links *kept) {
  memory_budget *memory = asker->edges->work->job->job->work.memory;
  const uint64_t bytes = asker->links.used * sizeof *kept->list;
  if (memory_left(memory) < bytes + memory->limit / 16) return;
  if (memory_allocate(memory, bytes, what, &kept->list, NULL) != TAULER_OK) return;
  memcpy(kept->list, asker->links.list, bytes);
  kept->used = asker->links.used;
}

tauler_error chance_edges_of(chance_edges *edges, int worker, uint64_t stage, uint64_t i, chance_links *out) {
  const chance_part *part = &edges->parts[stage];
  chance_links *kept = &edges->kept[part->chunk + i];
  *out = *kept;
  if (kept->list) return TAULER_OK;
  chance_asker *asker = &edges->askers[worker];
  const uint64_t first = part->first + i * CHANCE_CHUNK;
  const uint64_t end = part->end - first < CHANCE_CHUNK ? part->end : first + CHANCE_CHUNK;
  const tauler_error error = find_links(asker, first, end);
  if (error) return error;
  keep_links(asker, kept);
  *out = asker->links;
  return TAULER_OK;
}
