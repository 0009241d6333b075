/* Holds the repetition engine against the slow definition for aualé; and on small random games against the
 * nested fixpoint written down, against every line of play, and against what its stages say. */
#include "solver/engines/cells.h"

#include "games/registry.h"
#include "tests/support/naive_tables.h"
#include "tests/support/rules.h"
#include "tests/support/solver/world.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_repetition.h"

enum { MAX_SEEDS = 6, MOST_THREADS = 3, GAMES = 1500, POSITIONS = 7, LARGEST = 3 };

static world solve_all(const game *game, game_rules *rules, uint32_t slices, int threads, bool stages) {
  world w = world_open(game, rules, slices, threads);
  for (uint32_t slice = 0; slice < slices; slice++) {
    const uint64_t before = memory_allocated(w.memory);
    MUST(solve_alone(&w.job, slice, stages, &w.list[slice], NULL));
    ck_assert_uint_le(memory_peak(w.memory) - before,
                      engine_repetition.cells->bytes(&w.job, slice, stages, 1, 1, NULL));
  }
  return w;
}

static bool find_place(const world *solved, const naive_board *board, char text[64], game_place *out) {
  game_position position;
  text[0] = '\0';
  for (int pit = 0; pit < 12; pit++) sprintf(text + strlen(text), pit < 11 ? "%d " : "%d", board->pit[pit]);
  MUST(solved->game->parse(solved->rules, text, &position, NULL));
  return solved->game->locate(solved->rules, &position, out);
}

static void compare_layer(const world *solved, const naive_layer *layer, const naive_bounds *bounds) {
  const solved_slice *slice = &solved->list[layer->seeds];
  uint64_t compared = 0;
  for (int rank = 0; rank < layer->count; rank++) {
    char text[64];
    game_place place;
    if (!find_place(solved, &layer->boards[rank], text, &place)) continue;
    compared++;
    const int lower = slice->cells[0][place.index], upper = slice->cells[1][place.index];
    ck_assert_msg(lower == naive_lower(layer, bounds, rank) && upper == naive_upper(layer, bounds, rank),
                  "%s: bounds %d %d", text, lower, upper);
  }
  ck_assert_uint_eq(compared, slice->positions);
}

CASE(agrees_with_the_definition) {
  const char *const sets[] = {"abapa", "awari", "awari,grand-slam=captures"};
  const naive_rules same[] = {NAIVE_ABAPA, NAIVE_AWARI, NAIVE_AWARI_CAPTURES};
  const game *auale = game_find("auale");
  game_rules *rules = suite_rules(auale, sets[_i], "own-row");
  naive_game *naive = naive_game_new(same[_i], MAX_SEEDS);
  naive_bounds *bounds = naive_solve_own_row(naive);
  for (int threads = 1; threads <= MOST_THREADS; threads++) {
    const world solved = solve_all(auale, rules, MAX_SEEDS + 1, threads, false);
    for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) compare_layer(&solved, &naive->layers[seeds], bounds);
  }
}

/* --- random games --- */

static int pays(const toy_game *toy, uint32_t slice, uint64_t i) {
  int8_t value;
  toy_repetition_pays(toy->rules, slice, i, 1, &value);
  return value;
}

/* In the plane where the side moves, or not: what a move by which play leaves the slice gives the side. */
static int given(const world *solved, int plane, const game_edge *edge) {
  int worth = edge->gain;
  if (edge->to.slice != GAME_OVER) worth -= solved->list[edge->to.slice].cells[!plane][edge->to.index];
  return plane ? -worth : worth;
}

typedef struct {
  const toy_game *toy;
  const world *solved;
  uint32_t slice;
  int threshold;
  bool sure[2][POSITIONS], held[2][POSITIONS];
} regions;

static bool forces(const regions *r, int plane, uint64_t i, bool with_held) {
  const toy_slice *slice = &r->toy->slices[r->slice];
  if (slice->ended[i] != GAME_NOT_ENDED) return (plane ? -slice->ended[i] : slice->ended[i]) >= r->threshold;
  for (uint64_t e = slice->first[i]; e < slice->first[i + 1]; e++) {
    const game_edge *edge = &slice->edges[e];
    const uint64_t to = edge->to.index;
    const bool there = edge->to.slice != r->slice ? given(r->solved, plane, edge) >= r->threshold
                                                  : r->sure[!plane][to] || (with_held && r->held[!plane][to]);
    if (there == (plane == 0)) return there;
  }
  return plane == 1;
}

static void hold(regions *r) {
  for (int plane = 0; plane < 2; plane++) {
    for (uint64_t i = 0; i < POSITIONS; i++) {
      const int paid = pays(r->toy, r->slice, i);
      r->held[plane][i] =
          (plane ? -paid : paid) >= r->threshold && r->toy->slices[r->slice].ended[i] == GAME_NOT_ENDED;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int plane = 0; plane < 2; plane++) {
      for (uint64_t i = 0; i < POSITIONS; i++) {
        if (!r->held[plane][i] || forces(r, plane, i, true)) continue;
        r->held[plane][i] = false;
        changed = true;
      }
    }
  }
}

static void find_sure(regions *r) {
  for (bool changed = true; changed;) {
    changed = false;
    hold(r);
    for (int plane = 0; plane < 2; plane++) {
      for (uint64_t i = 0; i < POSITIONS; i++) {
        if (r->sure[plane][i] || !(r->held[plane][i] || forces(r, plane, i, false))) continue;
        r->sure[plane][i] = changed = true;
      }
    }
  }
}

static void check_fixpoint(const toy_game *toy, const world *solved, uint32_t slice, int number) {
  const int largest = toy->slices[slice].largest;
  int8_t expected[2][POSITIONS];
  memset(expected, -largest, sizeof expected);
  for (int t = 1 - largest; t <= largest; t++) {
    regions r = {.toy = toy, .solved = solved, .slice = slice, .threshold = t};
    find_sure(&r);
    for (int plane = 0; plane < 2; plane++) {
      for (int i = 0; i < POSITIONS; i++)
        if (r.sure[plane][i]) expected[plane][i] = (int8_t)t;
    }
  }
  for (int i = 0; i < POSITIONS; i++) {
    ck_assert_msg(solved->list[slice].cells[0][i] == expected[0][i] &&
                      solved->list[slice].cells[1][i] == -expected[1][i],
                  "game %d, slice %u, position %d: %d %d, not %d %d", number, slice, i,
                  solved->list[slice].cells[0][i], solved->list[slice].cells[1][i], expected[0][i],
                  -expected[1][i]);
  }
}

/* The guarantees of stages; see repetition/work.h. */
static bool keeps_promise(const toy_game *toy, const world *solved, uint32_t slice, int plane, uint64_t i) {
  const toy_slice *graph = &toy->slices[slice];
  const solved_slice *cells = &solved->list[slice];
  const int sign = plane ? -1 : 1, sure = sign * cells->cells[plane][i];
  const uint16_t stage = cells->depths[plane][i];
  if (graph->ended[i] != GAME_NOT_ENDED) return sign * graph->ended[i] >= sure;
  for (uint64_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
    const game_edge *edge = &graph->edges[e];
    bool kept;
    if (edge->to.slice != slice) {
      kept = given(solved, plane, edge) >= sure;
    } else {
      const int there = -sign * cells->cells[!plane][edge->to.index];
      const uint16_t next = cells->depths[!plane][edge->to.index];
      const bool stays = sign * pays(toy, slice, i) >= sure && next <= stage;
      kept = there > sure || (there == sure && (next < stage || stays));
    }
    if (kept == (plane == 0)) return kept;
  }
  return plane == 1;
}

static void check_stages(const toy_game *toy, const world *solved, uint32_t slice, int number) {
  for (int plane = 0; plane < 2; plane++) {
    for (uint64_t i = 0; i < POSITIONS; i++) {
      const int sure = (plane ? -1 : 1) * solved->list[slice].cells[plane][i];
      const bool none = sure == -toy->slices[slice].largest;
      if (none) {
        ck_assert_uint_eq(solved->list[slice].depths[plane][i], SOLVE_NO_DEPTH);
      } else {
        ck_assert_msg(keeps_promise(toy, solved, slice, plane, i), "game %d, slice %u, plane %d, position %d",
                      number, slice, plane, (int)i);
      }
    }
  }
}

static void check_lines(const toy_game *toy, const world *solved, int number) {
  int8_t exact[TOY_SLICES][POSITIONS];
  solved_slice list[TOY_SLICES];
  for (uint32_t slice = 0; slice < toy->used; slice++) {
    toy_line line = {.toy = toy, .list = list, .slice = slice};
    for (uint64_t i = 0; i < POSITIONS; i++) {
      const int value = toy_line_value(&line, i, 0);
      ck_assert_msg(solved->list[slice].cells[0][i] <= value && value <= solved->list[slice].cells[1][i],
                    "game %d, slice %u, position %d: %d is not between %d and %d", number, slice, (int)i,
                    value, solved->list[slice].cells[0][i], solved->list[slice].cells[1][i]);
      exact[slice][i] = (int8_t)value;
    }
    list[slice] = (solved_slice){.cells = {exact[slice], exact[slice]}};
  }
}

CASE(random_games) {
  for (int number = 0; number < GAMES; number++) {
    toy_game *toy = toy_repetition_random(number, POSITIONS, LARGEST);
    const world solved = solve_all(&toy->game, toy->rules, toy->used, 1, true);
    for (uint32_t slice = 0; slice < toy->used; slice++) {
      check_fixpoint(toy, &solved, slice, number);
      check_stages(toy, &solved, slice, number);
    }
    check_lines(toy, &solved, number);
  }
}

CASE(refuses_what_it_has_no_memory_for) {
  toy_game *toy = toy_repetition_random(1, POSITIONS, LARGEST);
  int refused = 0;
  for (uint64_t nth = 1;; nth++) {
    const world w = world_open(&toy->game, toy->rules, toy->used, 1);
    memory_fail_allocation(w.memory, nth, false);
    const tauler_error error = solve_alone(&w.job, 0, true, &w.list[0], NULL);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    refused++;
  }
  ck_assert_int_gt(refused, 8);
}

SUITE("own row") {
  LOOP(agrees_with_the_definition, 3);
  TESTS(random_games, refuses_what_it_has_no_memory_for);
}
