/* Batches of la oca asesina against its moves one at a time and against its slow definition. */
#include "games/game_chance.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"

static const game *const ase = &oca_asesina_game;

/* --- what a roll leads to --- */

typedef struct {
  int gain;
  game_place to;
} result;

enum { MOST_RESULTS = 2 * NAIVE_ASE_MOST_TOKENS };

typedef struct {
  result list[MOST_RESULTS];
  int used;
} results;

static bool has(const results *r, result one) {
  for (int i = 0; i < r->used; i++) {
    const result *old = &r->list[i];
    if (old->gain == one.gain && old->to.slice == one.to.slice && old->to.index == one.to.index) return true;
  }
  return false;
}

static void add(results *r, result one) {
  if (!has(r, one)) r->list[r->used++] = one;
}

/* --- one move at a time --- */

static result locate(const game_rules *rules, const game_position *position) {
  result one = {0, {0, 0}};
  if (!ase->locate(rules, position, &one.to)) {
    char text[GAME_TEXT_BYTES];
    ase->print(rules, position, text);
    ck_abort_msg("%s: %s has no place", rules->base.text, text);
  }
  return one;
}

/* Behind all passes, each of which is one move. */
static result follow(const game_rules *rules, const game_move *move) {
  game_position position = move->child;
  if (move->over) return (result){move->gain, {GAME_OVER, 0}};
  while (ase->chance->must_pass(rules, &position)) {
    game_moves moves;
    if (ase->chance->moves(rules, &position, CHANCE_CERTAIN, &moves)) ck_abort();
    if (moves.used != 1 || strcmp(moves.moves[0].name, "pass") != 0 || moves.moves[0].over) ck_abort();
    position = moves.moves[0].child;
    game_moves_free(&moves);
  }
  return locate(rules, &position);
}

static void assert_names(const game_moves *moves) {
  for (size_t i = 0; i < moves->used; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(moves->moves[i].name, moves->moves[k].name) == 0)
        ck_abort_msg("two moves %s", moves->moves[i].name);
}

static results list_moves(const game_rules *rules, const game_position *position, size_t roll) {
  game_moves moves;
  results all = {.used = 0};
  if (ase->chance->moves(rules, position, roll, &moves)) ck_abort();
  if (moves.used == 0) ck_abort_msg("no move");
  assert_names(&moves);
  for (size_t i = 0; i < moves.used; i++) {
    const game_move *move = &moves.moves[i];
    const bool stays = !move->over && ase->slice_of(rules, &move->child) == ase->slice_of(rules, position);
    if (move->converts == stays) ck_abort_msg("%s: converts", move->name);
    add(&all, follow(rules, move));
  }
  game_moves_free(&moves);
  return all;
}

/* --- slowly --- */

static result follow_slowly(const game_rules *rules, const naive_ase_game *slow, naive_ase_event event) {
  while (!event.winners && naive_ase_must_pass(&event.after)) event = naive_ase_pass(slow, &event.after);
  if (event.winners) return (result){event.winners, {GAME_OVER, 0}};
  const ase_position fast = toy_ase_fast_position(rules, slow, &event.after);
  game_position position;
  ase_to_game(&fast, &position);
  return locate(rules, &position);
}

static results list_slowly(const game_rules *rules, const game_position *position, size_t roll) {
  const ase_position own = ase_from_game(position);
  const naive_ase_game slow = toy_ase_slow_game(rules, own.seats, own.tokens);
  const naive_ase_position from = toy_ase_slow_position(rules, &own);
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  results all = {.used = 0};
  const int used = naive_ase_events(&slow, &from, (int)roll + 1, events);
  for (int i = 0; i < used; i++) add(&all, follow_slowly(rules, &slow, events[i]));
  return all;
}

/* --- batches --- */

enum { BATCH = 50, ROOM = 7 };

typedef struct {
  const game_rules *rules;
  uint32_t slice;
  uint64_t index[BATCH];
  size_t n;
  results found[BATCH][ASE_DIE];
  uint32_t last; /* from · rolls + roll of the edge before */
} batch;

static tauler_error receive_edges(void *user, const chance_edge *edges, size_t n) {
  batch *b = user;
  for (size_t i = 0; i < n; i++) {
    const chance_edge *edge = &edges[i];
    if (edge->from >= b->n || edge->roll >= ASE_DIE || edge->turn != 0) ck_abort_msg("edge");
    const uint32_t here = edge->from * ASE_DIE + edge->roll;
    const result one = {edge->gain, edge->to};
    if (here < b->last) ck_abort_msg("edges are not roll by roll");
    b->last = here;
    if (edge->to.slice != GAME_OVER && edge->gain) ck_abort_msg("a gain before the end");
    if (has(&b->found[edge->from][edge->roll], one)) ck_abort_msg("an edge comes twice");
    add(&b->found[edge->from][edge->roll], one);
  }
  return TAULER_OK;
}

static bool are_equal(const results *a, const results *b) {
  for (int i = 0; i < a->used; i++)
    if (!has(b, a->list[i])) return false;
  return a->used == b->used;
}

static bool needs(const batch *b, uint32_t slice) {
  bool found = slice == GAME_OVER || slice == b->slice;
  if (found) return true;
  const game_slices list = suite_needs(ase, b->rules, b->slice);
  for (size_t i = 0; i < list.used; i++) found |= list.slices[i].slice == slice;
  return found;
}

static void compare_batches(const batch *b, size_t i) {
  game_position position;
  char text[GAME_TEXT_BYTES];
  uint8_t copies;
  ase->position_at(b->rules, (game_place){b->slice, b->index[i]}, &position);
  ase->copies(b->rules, b->slice, b->index[i], 1, &copies);
  ase->print(b->rules, &position, text);
  for (size_t roll = 0; roll < ASE_DIE; roll++) {
    const results *found = &b->found[i][roll];
    if (!copies) {
      if (found->used) ck_abort_msg("%s: %s cannot be, and has edges", b->rules->base.text, text);
      continue;
    }
    const results fast = list_moves(b->rules, &position, roll), slow = list_slowly(b->rules, &position, roll);
    if (!are_equal(found, &fast))
      ck_abort_msg("%s: %s, roll %zu: %d edges, %d moves", b->rules->base.text, text, roll + 1, found->used,
                   fast.used);
    if (!are_equal(&fast, &slow))
      ck_abort_msg("%s: %s, roll %zu: %d moves, slowly %d", b->rules->base.text, text, roll + 1, fast.used,
                   slow.used);
    for (int k = 0; k < found->used; k++)
      if (!needs(b, found->list[k].to.slice))
        ck_abort_msg("%s: %s leads elsewhere", b->rules->base.text, text);
  }
}

static void compare_batch(batch *b) {
  chance_edge edges[ROOM];
  chance_sink sink = {.edges = edges, .room = ROOM, .flush = receive_edges, .user = b};
  memset(b->found, 0, sizeof b->found);
  b->last = 0;
  if (ase->chance->expand(b->rules, b->slice, b->index, b->n, &sink)) ck_abort_msg("expand fails");
  if (sink.used) ck_abort_msg("edges are left in the sink");
  for (size_t i = 0; i < b->n; i++) compare_batches(b, i);
  b->n = 0;
}

static void compare_slice(const game_rules *rules, uint32_t slice, uint64_t wanted) {
  static batch b;
  const uint64_t positions = ase->positions(rules, slice), step = 1 + positions / wanted;
  b.rules = rules;
  b.slice = slice;
  b.n = 0;
  for (uint64_t index = step / 2; index < positions; index += step) {
    b.index[b.n++] = index;
    if (b.n == BATCH) compare_batch(&b);
  }
  if (b.n) compare_batch(&b);
}

/* About so many positions of each slice. */
static void compare_all(const char *text, const char *tokens, uint64_t wanted) {
  game_rules *rules = toy_ase_open(text);
  const game_slices slices = suite_slices(ase, rules, &(game_request){.largest = tokens});
  for (size_t i = 0; i < slices.used; i++) compare_slice(rules, slices.slices[i].slice, wanted);
}

CASE(short_board) {
  char text[320];
  snprintf(text, sizeof text, "%s%s%s", TOY_ASE_BOARD_12, _i ? "," : "", _i ? toy_ase_flags[_i] : "");
  compare_all(text, strstr(text, "colours") ? "1" : "2", suite_is_long() ? 4000 : 500);
  if (suite_is_long()) compare_all(text, strstr(text, "colours=3") ? "1" : "2", 1000);
}

CASE(long_boards) {
  compare_all("base", "1", 500);
  compare_all("board=20", "3", 50);
  compare_all("board=20,colours=2", "1", 100);
}

CASE(more_players) {
  static const char *const some[] = {
      "players=3", "board=20,players=3,last-turn=off", "board=20,players=3,lost-turns=die-with-token",
      "board=20,players=3,interaction=off", "board=20,players=4,last-token=immune"};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    compare_all(some[i], "1", suite_is_long() ? 4000 : 400);
}

/* --- by hand --- */

static void assert_moves(const game_rules *rules, const char *text, size_t roll, const char *expected) {
  const ase_position position = toy_ase_read(rules, text);
  game_position game;
  game_moves moves;
  char all[256] = "";
  ase_to_game(&position, &game);
  ck_assert(ase->chance->moves(rules, &game, roll, &moves) == TAULER_OK);
  for (size_t i = 0; i < moves.used; i++) {
    const game_move *move = &moves.moves[i];
    const size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i ? " " : "", move->name);
    if (move->over) snprintf(all + strlen(all), sizeof all - strlen(all), "!%d", move->gain);
  }
  ck_assert_str_eq(all, expected);
  game_moves_free(&moves);
}

CASE(names) {
  game_rules *one = toy_ase_open("base"), *two = toy_ase_open("colours=2");
  assert_moves(one, "0,5/12,63 lost=0,1 seat=1", 2, "0-3 5-8");
  assert_moves(one, "0,5/12,63 lost=0,1 seat=1", 3, "0-4 5-14");
  assert_moves(one, "0,5/12,63 lost=0,1 seat=1", CHANCE_CERTAIN, "");
  assert_moves(one, "0,5/12,63 lost=0,1 seat=2", CHANCE_CERTAIN, "pass");
  assert_moves(one, "0,5/12,63 lost=0,1 seat=2", 2, "");
  assert_moves(one, "42/0 lost=0,0 seat=1", 2, "pass");
  assert_moves(one, "60/0 lost=0,0 seat=1", 2, "60-63");
  assert_moves(one, "0/60 lost=0,0 seat=2", 2, "60-63!2");
  assert_moves(one, "63/60 lost=0,0 seat=2", 2, "60-63!3");
  assert_moves(one, "63/59 lost=0,0 seat=2", 0, "59-60!1");
  assert_moves(one, "60/0 lost=0,1 seat=1", 2, "60-63!1");
  assert_moves(one, "63/0 lost=0,0 seat=1 forced", 0, "63-62");
  assert_moves(two, "0a,5b/12a,63b lost=0,1 seat=1", 3, "0a-4 5b-14");
  assert_moves(two, "5a,5b/12a,63b lost=0,1 seat=1", 0, "5a-12 5b-12");
}

CASE(worth) {
  game_rules *two = toy_ase_open("base"), *three = toy_ase_open("players=3");
  const chance_gain(*rows)[CHANCE_MOST_QUANTITIES];
  chance_quantities quantities;
  const chance_roll *rolls;
  ck_assert_uint_eq(ase->chance->rolls(two, &rolls), 6);
  for (int i = 0; i < 6; i++) ck_assert(rolls[i].weight == 1 && rolls[i].name[0] == '1' + i);
  ase->chance->quantities(two, 1 << 9 | 2 << 4, &quantities);
  ck_assert(quantities.used == 1 && quantities.seats == 0 && quantities.list[0].most == 1);
  ck_assert_str_eq(quantities.list[0].name, "score-1");
  ck_assert_uint_eq(ase->chance->gains(two, 1 << 9 | 2 << 4, &rows), 4);
  static const int two_scores[4] = {0, 2, 0, 1};
  for (int set = 0; set < 4; set++)
    ck_assert_int_eq(2 * rows[set][0].numerator, two_scores[set] * rows[set][0].denominator);
  ase->chance->quantities(three, 3 << 6, &quantities);
  ck_assert(quantities.used == 3 && quantities.seats == 0);
  ck_assert_str_eq(quantities.list[2].name, "score-3");
  ck_assert_uint_eq(ase->chance->gains(three, 3 << 6, &rows), 8);
  ck_assert(rows[5][0].numerator == 1 && rows[5][0].denominator == 2 && rows[5][1].numerator == 0);
  ck_assert(rows[7][2].numerator == 1 && rows[7][2].denominator == 3 && rows[0][1].denominator == 1);
}

SUITE("asesina_batch") {
  LOOP(short_board, toy_ase_flag_sets);
  TESTS(long_boards, more_players, names, worth);
}
