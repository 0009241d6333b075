/* Holds searches above the tables against the slow definition of aualé, where no table is there at all: every
 * small board, by the game's fast page and by its text level alone. Pages list the moves of the text level,
 * and what a search has proven of one position is never taken for another's. */
#include <pthread.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/search/search.h"
#include "games/game_play.h"
#include "games/registry.h"
#include "tests/naive/naive_solve.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

enum { RULES = 3, FAST_SEEDS = 3, PLAIN_SEEDS = 2, WORK = 60000, MEMORY = 1 << 20, THREADS = 4 };

static const char *const no_folder = "/nonexistent/tauler";
static const char *const rules_names[RULES] = {"awari", "awari,grand-slam=captures", "abapa"};
static const naive_rules all_rules[RULES] = {NAIVE_AWARI, NAIVE_AWARI_CAPTURES, NAIVE_ABAPA};

static const tauler_search_limits usual = {.positions = WORK, .memory = MEMORY};

static tauler_tables *select_auale(tauler *db, const char *rules, const char *cycles) {
  tauler_tables *tables;
  MUST(tauler_select(db, "auale", rules, cycles, &tables, NULL));
  return tables;
}

/* Aualé without its page for search. `plain` must outlive the tables. */
static tauler_tables *select_plain(tauler *db, const char *rules, const char *cycles, game *plain) {
  tauler_tables *tables;
  game_rules *opened;
  *plain = *game_find("auale");
  plain->play = NULL;
  MUST(plain->open(rules, cycles, &opened, NULL));
  MUST(tables_select(db, plain, opened, &tables, NULL));
  return tables;
}

/* The running test owns the answer. */
static tauler_answer *search(tauler_tables *tables, const char *position,
                             const tauler_search_limits *limits) {
  tauler_answer *answer;
  const tauler_error error = tauler_search(tables, position, limits, &answer, hear());
  if (error) ck_abort_msg("%s: %s", position, said.text);
  asked_own(answer);
  return answer;
}

/* The least and the most that each side gets. */
typedef struct {
  int lower, upper;
} range;

static bool is_within(range inner, tauler_worth outer) {
  return outer.known && outer.lower <= inner.lower && inner.upper <= outer.upper;
}

/* By the slow definition. */
typedef struct {
  naive_game *game;
  naive_forced *scores;
  naive_bounds *bounds; /* bounds of forced, or NULL */
} truth;

static range true_range(const truth *of, int seeds, int rank) {
  if (!of->bounds) return (range){of->scores[seeds].value[0][rank], of->scores[seeds].value[0][rank]};
  return (range){2 * of->bounds[seeds].mover[rank] - seeds, seeds - 2 * of->bounds[seeds].other[rank]};
}

static void check_moves(const truth *of, int seeds, int rank, const tauler_answer *answer) {
  const naive_layer *layer = &of->game->layers[seeds];
  naive_move moves[6];
  const int n = naive_moves(of->game->rules, &layer->boards[rank], moves);
  for (size_t i = 0; i < answer->moves_used; i++) {
    int m = 0;
    while (m < n && answer->moves[i].name[0] != 'A' + moves[m].pit) m++;
    if (m == n) ck_abort_msg("%s has no move %s", answer->position, answer->moves[i].name);
    const int gain = moves[m].captured, left = seeds - gain;
    const range child = true_range(of, left, layer->edges[rank][m].child);
    if (!is_within((range){gain - child.upper, gain - child.lower}, answer->moves[i].worth))
      ck_abort_msg("%s %s: %g to %g", answer->position, answer->moves[i].name, answer->moves[i].worth.lower,
                   answer->moves[i].worth.upper);
  }
}

/* Returns whether the bounds are those of the slow definition. */
static bool check_board(const truth *of, int seeds, int rank, tauler_tables *tables,
                        const tauler_search_limits *limits) {
  char text[64];
  naive_write(&of->game->layers[seeds].boards[rank], text);
  tauler_answer *answer = search(tables, text, limits);
  const range is = true_range(of, seeds, rank);
  if (!is_within(is, answer->worth))
    ck_abort_msg("%s is worth %d to %d, not %g to %g", text, is.lower, is.upper, answer->worth.lower,
                 answer->worth.upper);
  const bool exact = answer->worth.lower == is.lower && answer->worth.upper == is.upper;
  if (answer->searched.proven != (answer->searched.done && answer->worth.lower == answer->worth.upper))
    ck_abort_msg("%s is proven: %d", text, answer->searched.proven);
  if (!of->game->layers[seeds].ended[rank]) check_moves(of, seeds, rank, answer);
  return exact;
}

static truth solve(naive_rules rules, int seeds, bool forced) {
  truth of = {.game = naive_game_new(rules, seeds)};
  of.scores = naive_solve_even(of.game);
  if (forced) of.bounds = naive_solve_forced(of.game);
  return of;
}

CASE(every_small_board_is_found) {
  tauler *db = asked_at(no_folder);
  static game plain; /* until the handle is closed */
  truth of = solve(all_rules[_i], FAST_SEEDS, false);
  tauler_tables *fast = select_auale(db, rules_names[_i], "even");
  for (int seeds = 1; seeds <= FAST_SEEDS; seeds++) {
    for (int rank = 0; rank < of.game->layers[seeds].count; rank++) {
      if (!check_board(&of, seeds, rank, fast, &usual))
        ck_abort_msg("board %d of %d seeds is not found", rank, seeds);
    }
  }
  db = asked_at(no_folder);
  tauler_tables *slow = select_plain(db, rules_names[_i], "even", &plain);
  for (int rank = 0; rank < of.game->layers[PLAIN_SEEDS].count; rank++) {
    if (!check_board(&of, PLAIN_SEEDS, rank, slow, &usual)) ck_abort_msg("board %d is not found", rank);
  }
}

CASE(little_work_says_nothing_wrong) {
  static const uint64_t works[] = {1, 2, 5, 20, 100, 700};
  tauler *db = asked_at(no_folder);
  const bool forced = _i >= RULES;
  truth of = solve(all_rules[_i % RULES], FAST_SEEDS + 1, forced);
  tauler_tables *tables = select_auale(db, rules_names[_i % RULES], forced ? "forced" : "even");
  int rank = 0;
  for (int seeds = 1; seeds <= FAST_SEEDS + 1; seeds++) {
    for (rank %= 7; rank < of.game->layers[seeds].count; rank += 7) {
      const tauler_search_limits limits = {.positions = works[rank % 6], .memory = MEMORY};
      check_board(&of, seeds, rank, tables, &limits);
    }
  }
}

/* --- pages --- */

static bool has_state(const game_play_list *list, const game_move *move, const uint64_t *state) {
  for (size_t i = 0; i < list->used; i++) {
    const game_play_move *is = &list->moves[i];
    if (is->over != move->over || is->gain != move->gain || is->converts != move->converts) continue;
    if (move->over || memcmp(list->states + i * list->words, state, list->words * sizeof *state) == 0)
      return true;
  }
  return false;
}

static void compare_moves(const game *g, const game_rules *rules, const game_position *position,
                          const game_moves *moves) {
  uint64_t state[GAME_PLAY_MOST_WORDS];
  game_play_list list = {.words = g->play->words(rules, position)};
  char text[GAME_TEXT_BYTES];
  int value = 0;
  g->print(rules, position, text);
  g->play->read(rules, position, state);
  MUST(g->play->moves(rules, state, &list));
  if (list.used != moves->used) ck_abort_msg("%s has %zu moves, not %zu", text, list.used, moves->used);
  for (size_t i = 0; i < moves->used; i++) {
    uint64_t after[GAME_PLAY_MOST_WORDS];
    if (!moves->moves[i].over) g->play->read(rules, &moves->moves[i].child, after);
    if (!has_state(&list, &moves->moves[i], after))
      ck_abort_msg("%s: the page has no %s", text, moves->moves[i].name);
  }
  const bool ended = g->position_ended(rules, position, &value);
  if (ended != (list.used == 0)) ck_abort_msg("%s has ended: %d", text, ended);
  if (ended && g->play->ended(rules, state) != value) ck_abort_msg("%s is not worth %d", text, value);
  game_position written;
  uint64_t again[GAME_PLAY_MOST_WORDS];
  g->play->write(rules, state, &written);
  g->play->read(rules, &written, again);
  if (memcmp(state, again, list.words * sizeof *state) != 0) ck_abort_msg("%s changes when written", text);
  game_play_list_free(&list);
}

static void play_randomly(const game *g, const game_rules *rules, const char *start, uint64_t seed,
                          int plies) {
  game_position position;
  MUST(g->parse(rules, start, &position, NULL));
  for (int ply = 0; ply < plies; ply++) {
    game_moves moves = {0};
    MUST(g->moves(rules, &position, &moves));
    compare_moves(g, rules, &position, &moves);
    const game_move *move = moves.used ? &moves.moves[toy_draw(&seed) % moves.used] : NULL;
    const bool over = !move || move->over;
    if (!over) position = move->child;
    game_moves_free(&moves);
    if (over) break;
  }
}

CASE(pages_list_the_moves_of_the_text_level) {
  static const struct {
    const char *game, *rules, *start;
  } cases[] = {{"auale", "awari", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"},
               {"auale", "awari,grand-slam=captures", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"},
               {"auale", "abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"},
               {"auale", "abapa", "0-1-0-0-2-0-1-0-0-0-0-0-0-0-N"},
               {"doushouqi", "base", "startpos"},
               {"doushouqi", "liacs", "7/7/3e3/7/r5L/2R4/7/7/7 b"},
               {"phutball", "base", "3/1x1/1o1/3/3 O"},
               {"phutball", "base,corner=exit", "5/1x1x1/2o2/1x1x1/5/5 E"},
               {"phutball", "base,goal-line=stop", "5/1x1x1/2o2/1x1x1/5/5 O"},
               {"phutball", "base", "15/15/15/15/7x7/15/7o7/6x8/15 O"}};
  const game *g = game_find(cases[_i].game);
  game_rules *rules = suite_rules(g, cases[_i].rules, NULL);
  for (uint64_t seed = 0; seed < 12; seed++) play_randomly(g, rules, cases[_i].start, seed, 40);
}

/* --- what is proven so far --- */

CASE(full_keys_are_compared) {
  enum { STATES = 4000, WORDS = 2 };
  memo *kept;
  memory_budget *budget = suite_budget(0);
  MUST(memo_open(budget, 4096, WORDS, &kept, NULL));
  for (uint64_t i = 0; i < STATES; i++) {
    const uint64_t state[WORDS] = {i % 61, i / 61};
    memo_entry *entry = memo_add(kept, 0, state, 48); /* all have one hash */
    ck_assert(entry->lower == -48 && entry->upper == 48);
    entry->lower = entry->upper = (int16_t)(i % 40);
    for (uint64_t j = i > 20 ? i - 20 : 0; j <= i; j++) {
      const memo_entry *found = memo_find(kept, 0, (const uint64_t[WORDS]){j % 61, j / 61});
      if (found && found->lower != (int16_t)(j % 40)) ck_abort_msg("%d stands for another", (int)j);
      if (j == i && !found) ck_abort_msg("%d is forgotten at once", (int)j);
    }
  }
  memo_close(kept);
}

CASE(growing_keeps_what_is_proven) {
  enum { STATES = 200000, WORDS = 3 };
  memo *kept;
  memory_budget *budget = suite_budget(0);
  MUST(memo_open(budget, 64 << 20, WORDS, &kept, NULL));
  size_t forgotten = 0;
  for (uint64_t i = 0; i < STATES; i++) {
    const uint64_t state[WORDS] = {i, ~i, i * i};
    memo_add(kept, states_hash(WORDS, state), state, 1000)->lower = (int16_t)(i % 1000);
    memo_grow(kept);
  }
  for (uint64_t i = 0; i < STATES; i++) {
    const uint64_t state[WORDS] = {i, ~i, i * i};
    const memo_entry *entry = memo_find(kept, states_hash(WORDS, state), state);
    if (entry && entry->lower != (int16_t)(i % 1000)) ck_abort_msg("%d has changed", (int)i);
    forgotten += !entry;
  }
  ck_assert_uint_lt(forgotten, STATES / 20);
  ck_assert_uint_le(memory_peak(budget), 64 << 20);
  memo_close(kept);
}

CASE(growing_stays_within_its_memory) {
  enum { STATES = 100000, WORDS = 3 };
  for (uint64_t mib = 5; mib < 40; mib += 3) {
    memo *kept;
    memory_budget *budget = suite_budget(0);
    MUST(memo_open(budget, mib << 20, WORDS, &kept, NULL));
    for (uint64_t i = 0; i < STATES; i++) {
      const uint64_t state[WORDS] = {i, ~i, i * i};
      memo_add(kept, states_hash(WORDS, state), state, 1000);
      memo_grow(kept);
    }
    memo_close(kept);
    ck_assert_uint_le(memory_peak(budget), mib << 20);
  }
}

/* --- limits --- */

static bool stop_at_third(void *user) {
  return ++*(int *)user >= 3;
}

CASE(whoever_asks_can_stop_it) {
  int asked = 0;
  tauler *db = asked_at(no_folder);
  tauler_tables *tables = select_auale(db, "awari", "even");
  const tauler_search_limits limits = {.memory = MEMORY, .stop = stop_at_third, .user = &asked};
  tauler_answer *answer = search(tables, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", &limits);
  ck_assert(answer->searched.done && !answer->searched.proven && answer->worth.known);
  ck_assert_uint_lt(answer->searched.positions, 1000);
}

typedef struct {
  tauler_tables *tables;
  tauler_worth worth[8];
} asker;

static const char *const asked_together[] = {"0-0-1-0-1-0-0-0-0-0-1-0-0-0-S", "1-0-1-0-0-0-1-0-0-0-0-0-0-0-S",
                                             "0-1-0-1-0-0-0-0-1-0-0-0-0-0-S",
                                             "0-0-0-2-1-0-0-0-1-1-0-0-0-0-S"};

static void *ask_all(void *user) {
  asker *a = user;
  for (size_t i = 0; i < sizeof asked_together / sizeof *asked_together; i++) {
    tauler_answer *answer = search(a->tables, asked_together[i], &usual);
    a->worth[i] = answer->worth;
  }
  return NULL;
}

CASE(threads_search_at_once) {
  tauler *db = asked_at(no_folder);
  asker askers[THREADS], alone = {.tables = select_auale(db, "awari", "even")};
  pthread_t threads[THREADS];
  ask_all(&alone);
  for (int i = 0; i < THREADS; i++) {
    askers[i] = (asker){.tables = alone.tables};
    ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_all, &askers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    for (size_t j = 0; j < sizeof asked_together / sizeof *asked_together; j++)
      ck_assert(askers[i].worth[j].lower == alone.worth[j].lower &&
                askers[i].worth[j].upper == alone.worth[j].upper);
  }
}

SUITE("search") {
  LOOP(every_small_board_is_found, RULES);
  LOOP(little_work_says_nothing_wrong, 2 * RULES);
  LOOP(pages_list_the_moves_of_the_text_level, 10);
  TESTS(full_keys_are_compared, growing_keeps_what_is_proven, growing_stays_within_its_memory,
        whoever_asks_can_stop_it, threads_search_at_once);
}
