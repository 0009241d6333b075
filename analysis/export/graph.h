/* The moves of slices for programs of others: an edge list, or a model for checkers of chances. Private to
 * analysis/.
 *
 * The numbers of a slice's positions follow those of the slices before it, in solving order, and the file
 * slices.csv says where each slice begins. The graph has the slices asked for and all that they need. It
 * comes from the rules; no table is read. One thread drives, job->threads list moves of games without dice.
 */
#ifndef ANALYSIS_EXPORT_GRAPH_H
#define ANALYSIS_EXPORT_GRAPH_H

#include "analysis/export/export.h"

/* As job->form says, EXPORT_CSV or EXPORT_PRISM; docs/graphs.md describes the files. Files that are there are
 * replaced. Errors: TAULER_BAD_USAGE (a model of a game without dice), TAULER_NO_MEMORY, TAULER_NO_SPACE,
 * TAULER_IO, of the game. */
tauler_error export_graph(const export_job *job, tauler_message *message);

/* --- shared by the forms --- */

typedef struct {
  const export_job *job;
  const game *game;
  const game_rules *rules;
  uint64_t *first; /* by number of a slice: of its first position */
  uint64_t positions;
  chance_quantities quantities; /* the quantities of a game of dice */
  const chance_roll *rolls;     /* the rolls of a game of dice */
  double weights;               /* sum of their weights */
  tauler_message *message;
} graph;

static inline uint64_t graph_number(const graph *g, game_place place) {
  return g->first[place.slice] + place.index;
}

/* A position of a game of dice and its edges, in the order of rolls; without edges it has ended or is
 * unused. */
typedef struct {
  game_place place;
  int aim;
  const chance_edge *edges;
  size_t used;
} graph_node;

/* Visits all positions of a game of dice in the order of their numbers. Errors: of the game and of `visit`.
 */
typedef tauler_error graph_visit(void *user, const graph_node *node);
tauler_error graph_walk(const graph *g, const char *step, graph_visit *visit, void *user);

/* The part of a roll in all rolls; 1 if the turn is lost. */
double graph_chance(const graph *g, const chance_edge *edge);

/* The sum that an edge adds to a quantity of the position. */
double graph_gain(const graph *g, game_place from, const chance_edge *edge, int quantity);

/* Says that a file is there. */
void graph_report(const graph *g, const char *path, uint64_t bytes, const char *what);

/* Writes the model of a game of dice. */
tauler_error graph_model(const graph *g);

#endif
