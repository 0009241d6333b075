#include "naive_wdl.h"

#include "naive_memory.h"

#include <stdlib.h>

static void release(void *thing) {
  free(((naive_graph *)thing)->next);
}

naive_graph *naive_graph_new(int most) {
  naive_graph *graph = naive_allocate(1, sizeof *graph);
  naive_owner(graph, release);
  graph->first = naive_allocate(most + 2, sizeof *graph->first);
  graph->result = naive_allocate(most, sizeof *graph->result);
  return graph;
}

void naive_graph_lead(naive_graph *graph, int next) {
  int *used = &graph->first[graph->count + 1];
  graph->next = naive_grown(graph->next, *used, &graph->room, sizeof *graph->next);
  graph->next[(*used)++] = next;
}

void naive_graph_end(naive_graph *graph, signed char result) {
  graph->result[graph->count++] = result;
  graph->first[graph->count + 1] = graph->first[graph->count];
}

naive_wdl *naive_graph_solve(const naive_graph *graph) {
  naive_wdl *answer = naive_allocate(graph->count, sizeof *answer);
  if (!naive_wdl_solve(graph, answer)) abort();
  return answer;
}

static bool is_valid_position(const naive_graph *graph, int position) {
  signed char result = graph->result[position];
  if (result < NAIVE_LOSS || result > NAIVE_OPEN) return false;
  if (result != NAIVE_OPEN) return true;
  if (graph->first[position] >= graph->first[position + 1]) return false;
  for (int e = graph->first[position]; e < graph->first[position + 1]; e++)
    if (graph->next[e] < 0 || graph->next[e] >= graph->count) return false;
  return true;
}

static bool is_valid(const naive_graph *graph) {
  for (int position = 0; position < graph->count; position++)
    if (!is_valid_position(graph, position)) return false;
  return true;
}

static void start(const naive_graph *graph, naive_wdl *answer) {
  for (int position = 0; position < graph->count; position++) {
    signed char result = graph->result[position];
    bool decided = result == NAIVE_WIN || result == NAIVE_LOSS;
    answer[position] = decided ? (naive_wdl){result, 0} : (naive_wdl){NAIVE_DRAW, -1};
  }
}

static bool is_within(naive_wdl answer, int value, int plies) {
  return answer.value == value && answer.depth <= plies;
}

static bool some_successor(const naive_graph *graph, const naive_wdl *answer, int position, int value,
                           int plies) {
  for (int e = graph->first[position]; e < graph->first[position + 1]; e++)
    if (is_within(answer[graph->next[e]], value, plies)) return true;
  return false;
}

static bool every_successor(const naive_graph *graph, const naive_wdl *answer, int position, int value,
                            int plies) {
  for (int e = graph->first[position]; e < graph->first[position + 1]; e++)
    if (!is_within(answer[graph->next[e]], value, plies)) return false;
  return true;
}

/* Decides the positions that are exactly `plies` from the end, from those that are nearer. */
static bool sweep(const naive_graph *graph, naive_wdl *answer, int plies) {
  bool changed = false;
  for (int position = 0; position < graph->count; position++) {
    if (graph->result[position] != NAIVE_OPEN || answer[position].value != NAIVE_DRAW) continue;
    if (some_successor(graph, answer, position, NAIVE_LOSS, plies - 1))
      answer[position] = (naive_wdl){NAIVE_WIN, plies};
    else if (every_successor(graph, answer, position, NAIVE_WIN, plies - 1))
      answer[position] = (naive_wdl){NAIVE_LOSS, plies};
    else
      continue;
    changed = true;
  }
  return changed;
}

bool naive_wdl_solve(const naive_graph *graph, naive_wdl *answer) {
  if (!is_valid(graph)) return false;
  start(graph, answer);
  for (int plies = 1; sweep(graph, answer, plies); plies++) continue;
  return true;
}
