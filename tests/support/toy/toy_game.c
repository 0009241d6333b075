#include "tests/support/toy/toy_game.h"

#include "tests/support/suite.h"

struct game_rules {
  solve_kind kind;
  const toy_game *toy;
};

const toy_game *toy_of(const game_rules *rules) {
  return rules->toy;
}

static const toy_slice *slice_at(const game_rules *rules, uint32_t slice) {
  return &rules->toy->slices[slice];
}

static solve_kind kind(const game_rules *rules) {
  return rules->kind;
}

static const char *rules_text(const game_rules *rules) {
  return "random";
}

static const char *cycles_text(const game_rules *rules) {
  return "";
}

static tauler_error slices(const game_rules *rules, const game_request *request, game_slices *out,
                           tauler_message *message) {
  *out = (game_slices){calloc(rules->toy->used, sizeof *out->slices), rules->toy->used};
  for (uint32_t s = 0; s < rules->toy->used; s++) {
    out->slices[s] = (game_slice){s, true, rules->toy->slices[s].positions};
  }
  return TAULER_OK;
}

static void slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  snprintf(name, GAME_TEXT_BYTES, "%u", slice);
}

static uint64_t positions(const game_rules *rules, uint32_t slice) {
  return slice_at(rules, slice)->positions;
}

static int largest_value(const game_rules *rules, uint32_t slice) {
  return slice_at(rules, slice)->largest;
}

static tauler_error ended(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                          int16_t *value) {
  for (size_t i = 0; i < n; i++) value[i] = slice_at(rules, slice)->ended[index[i]];
  return TAULER_OK;
}

static tauler_error push_all(const uint64_t *first, const game_edge *edges, const uint64_t *index, size_t n,
                             game_sink *sink) {
  for (size_t i = 0; i < n; i++) {
    for (uint64_t e = first[index[i]]; e < first[index[i] + 1]; e++) {
      const game_edge edge = {(uint32_t)i, edges[e].gain, edges[e].to};
      const tauler_error error = game_sink_push(sink, edge);
      if (error) return error;
    }
  }
  return TAULER_OK;
}

static tauler_error expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                           game_sink *sink) {
  const toy_slice *of = slice_at(rules, slice);
  return push_all(of->first, of->edges, index, n, sink);
}

static tauler_error retract(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                            game_sink *sink) {
  const toy_slice *of = slice_at(rules, slice);
  return push_all(of->back_first, of->back, index, n, sink);
}

static game_lookup look(const game_rules *rules, game_place place) {
  return LOOKUP_CONVERTING;
}

static game_lookup look_beside(const game_rules *rules, game_place place) {
  return slice_at(rules, place.slice)->left_out[place.index] ? LOOKUP_ALL : LOOKUP_CONVERTING;
}

static void left_out(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  memcpy(out, slice_at(rules, slice)->left_out + first, count);
}

static const game toy_table = {.name = "toy",
                               .title = "a random graph",
                               .unit = "positions",
                               .kind = kind,
                               .rules_text = rules_text,
                               .cycles_text = cycles_text,
                               .slices = slices,
                               .slice_name = slice_name,
                               .positions = positions,
                               .largest_value = largest_value,
                               .ended = ended,
                               .expand = expand,
                               .retract = retract,
                               .lookup = look};

static void free_moves(void *toy) {
  free(((toy_game *)toy)->moves);
}

toy_game *toy_new(solve_kind solved_as, uint32_t used, const uint64_t sizes[]) {
  toy_game *toy = suite_zeros(1, sizeof *toy);
  toy->game = toy_table;
  toy->rules = suite_zeros(1, sizeof *toy->rules);
  *toy->rules = (game_rules){solved_as, toy};
  toy->used = used;
  for (uint32_t s = 0; s < used; s++) {
    toy_slice *slice = &toy->slices[s];
    slice->positions = sizes[s];
    slice->ended = suite_zeros(sizes[s], sizeof *slice->ended);
    slice->left_out = suite_zeros(sizes[s], sizeof *slice->left_out);
    for (uint64_t i = 0; i < sizes[s]; i++) slice->ended[i] = GAME_NOT_ENDED;
  }
  suite_own(toy, free_moves);
  return toy;
}

static void add_move(toy_game *toy, toy_move move) {
  if (toy->moves_used == toy->moves_room) {
    toy->moves_room = 2 * toy->moves_room + 64;
    toy->moves = realloc(toy->moves, toy->moves_room * sizeof *toy->moves);
    if (!toy->moves) abort();
  }
  toy->moves[toy->moves_used++] = move;
}

void toy_end(toy_game *toy, uint32_t slice, uint64_t index, int value) {
  toy->slices[slice].ended[index] = (int16_t)value;
}

void toy_convert(toy_game *toy, uint32_t slice, uint64_t from, int gain, uint32_t to_slice, uint64_t to) {
  add_move(toy, (toy_move){slice, from, {0, (int16_t)gain, {to_slice, to}}});
}

void toy_quiet(toy_game *toy, uint32_t slice, uint64_t from, uint64_t to) {
  toy_convert(toy, slice, from, 0, slice, to);
}

void toy_finish(toy_game *toy, uint32_t slice, uint64_t from, int worth) {
  toy_convert(toy, slice, from, worth, GAME_OVER, 0);
}

/* Counting sort of the moves of a slice, by the position that moves or, backwards, by the quiet child. */
static void sort_moves(const toy_game *toy, uint32_t s, bool backwards, uint64_t **first, game_edge **edges) {
  const uint64_t n = toy->slices[s].positions;
  *first = suite_zeros(n + 2, sizeof **first);
  *edges = suite_zeros(toy->moves_used, sizeof **edges);
  for (int pass = 0; pass < 2; pass++) {
    for (size_t m = 0; m < toy->moves_used; m++) {
      const toy_move *move = &toy->moves[m];
      if (move->slice != s || (backwards && move->edge.to.slice != s)) continue;
      const uint64_t key = backwards ? move->edge.to.index : move->index;
      if (pass == 0) {
        (*first)[key + 2]++;
        continue;
      }
      const game_place to = backwards ? (game_place){s, move->index} : move->edge.to;
      (*edges)[(*first)[key + 1]++] = (game_edge){0, move->edge.gain, to};
    }
    for (uint64_t i = 0; i < n && pass == 0; i++) (*first)[i + 2] += (*first)[i + 1];
  }
}

static void raise_largest(toy_slice *slice, int value) {
  if (value < 0) value = -value;
  if (value > slice->largest) slice->largest = value;
}

static void find_largest(const toy_game *toy, uint32_t s, toy_slice *slice) {
  for (uint64_t i = 0; i < slice->positions; i++) {
    if (slice->ended[i] != GAME_NOT_ENDED) raise_largest(slice, slice->ended[i]);
    for (uint64_t e = slice->first[i]; e < slice->first[i + 1]; e++) {
      const game_edge *edge = &slice->edges[e];
      if (edge->to.slice == s) continue;
      const int beyond = edge->to.slice == GAME_OVER ? 0 : toy->slices[edge->to.slice].largest;
      raise_largest(slice, abs(edge->gain) + beyond);
    }
  }
  if (slice->largest > INT8_MAX) abort();
}

void toy_seal(toy_game *toy, bool predecessors) {
  for (uint32_t s = 0; s < toy->used; s++) {
    toy_slice *slice = &toy->slices[s];
    sort_moves(toy, s, false, &slice->first, &slice->edges);
    sort_moves(toy, s, true, &slice->back_first, &slice->back);
    find_largest(toy, s, slice);
  }
  if (!predecessors) toy->game.retract = NULL;
}

uint64_t toy_draw(uint64_t *seed) {
  uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

uint64_t toy_draw_below(uint64_t *seed, uint64_t n) {
  return n > 0 ? toy_draw(seed) % n : 0;
}

bool toy_chance(uint64_t *seed, int percent) {
  return toy_draw_below(seed, 100) < (uint64_t)percent;
}

static int random_worth(const toy_shape *shape, uint64_t *seed) {
  if (toy_chance(seed, shape->draws_percent)) return 0;
  const int size =
      shape->kind == SOLVE_OUTCOMES ? 1 : 1 + (int)toy_draw_below(seed, (uint64_t)shape->most_gain);
  return toy_chance(seed, 50) ? size : -size;
}

bool toy_leads(const toy_game *toy, size_t first_move, game_place to) {
  for (size_t m = first_move; m < toy->moves_used; m++) {
    const game_place there = toy->moves[m].edge.to;
    if (there.slice == to.slice && there.index == to.index) return true;
  }
  return false;
}

static void add_random_moves(toy_game *toy, const toy_shape *shape, uint32_t s, uint64_t i, uint64_t *seed) {
  const size_t first_move = toy->moves_used;
  const uint64_t wanted = 1 + toy_draw_below(seed, (uint64_t)shape->most_moves);
  for (uint64_t m = 0; m < wanted; m++) {
    game_place to = {s, toy_draw_below(seed, shape->positions[s])};
    int gain = 0;
    if (toy_chance(seed, shape->finishes_percent)) {
      to = (game_place){GAME_OVER, 0};
      gain = random_worth(shape, seed);
    } else if (s > 0 && toy_chance(seed, shape->converts_percent)) {
      to.slice = (uint32_t)toy_draw_below(seed, s);
      to.index = toy_draw_below(seed, shape->positions[to.slice]);
      if (shape->kind != SOLVE_OUTCOMES) gain = (int)toy_draw_below(seed, (uint64_t)shape->most_gain + 1);
    }
    if (!toy_leads(toy, first_move, to)) toy_convert(toy, s, i, gain, to.slice, to.index);
  }
}

static bool has_neighbour_left_out(const toy_slice *slice, uint32_t s, uint64_t i) {
  for (uint64_t e = slice->first[i]; e < slice->first[i + 1]; e++) {
    const game_place to = slice->edges[e].to;
    if (to.slice == s && (to.index == i || slice->left_out[to.index])) return true;
  }
  for (uint64_t e = slice->back_first[i]; e < slice->back_first[i + 1]; e++) {
    if (slice->left_out[slice->back[e].to.index]) return true;
  }
  return false;
}

void toy_leave_out(toy_game *toy, int percent, bool look_too, uint64_t seed) {
  toy->game.left_out = left_out;
  toy->game.lookup = look_too ? look_beside : NULL;
  for (uint32_t s = 0; s < toy->used; s++) {
    toy_slice *slice = &toy->slices[s];
    for (uint64_t i = 0; i < slice->positions; i++) {
      slice->left_out[i] = toy_chance(&seed, percent) && !has_neighbour_left_out(slice, s, i);
    }
  }
}

toy_game *toy_random(const toy_shape *shape, uint64_t seed, bool predecessors) {
  toy_game *toy = toy_new(shape->kind, shape->slices, shape->positions);
  for (uint32_t s = 0; s < shape->slices; s++) {
    for (uint64_t i = 0; i < shape->positions[s]; i++) {
      if (toy_chance(&seed, shape->ended_percent)) {
        toy_end(toy, s, i, random_worth(shape, &seed));
      } else {
        add_random_moves(toy, shape, s, i, &seed);
      }
    }
  }
  toy_seal(toy, predecessors);
  return toy;
}

/* --- what it is worth --- */

static bool is_over(const void *user, int slice, int position, int *value) {
  const int16_t worth = ((const toy_game *)user)->slices[slice].ended[position];
  *value = worth;
  return worth != GAME_NOT_ENDED;
}

static bool step(const void *user, int from, int position, int number, naive_step *out) {
  const toy_slice *slice = &((const toy_game *)user)->slices[from];
  const uint64_t at = slice->first[position] + (uint64_t)number;
  if (at >= slice->first[position + 1]) return false;
  const game_edge *edge = &slice->edges[at];
  const int to = edge->to.slice == GAME_OVER ? NAIVE_OVER : (int)edge->to.slice;
  *out = (naive_step){edge->gain, to, (int)edge->to.index};
  return true;
}

naive_forced *toy_solve_slowly(const toy_game *toy) {
  naive_forced *answers = suite_zeros(toy->used, sizeof *answers);
  const naive_play play = {toy, is_over, step};
  const int planes = toy->game.kind(toy->rules) == SOLVE_GUARANTEES ? 2 : 1;
  for (uint32_t s = 0; s < toy->used; s++) {
    answers[s] = (naive_forced){(int)toy->slices[s].positions, toy->slices[s].largest, planes, {0}, {0}};
    naive_force(&play, answers, (int)s);
  }
  return answers;
}
