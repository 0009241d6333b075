/* Holds the search of the engine for graphical programs against values of the slow definition: small boards
 * of abapa where a repetition ends play, and of awari where it does not, without tables and with those of
 * smaller slices; what threads share of what they have seen; its limits. */
#include <limits.h>

#include "analysis/uci/look.h"
#include "base/text.h"
#include "games/registry.h"
#include "tests/naive/naive_solve.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/naive_tables.h"
#include "tests/support/suite.h"

enum { MOST_SEEDS = 4, DEPTH = 40, HUNDRED = 100, BYTES = 1 << 20 };

static const char *const no_folder = "/nonexistent/tauler";

typedef struct {
  tauler *db;
  tauler_tables *tables;
  seen *seen;
  look_limits limits;
} player;

static void open_player(player *p, const char *at, const char *rules, const char *cycles) {
  *p = (player){.limits = {.nodes = 0}};
  p->db = asked_at(at);
  MUST(tauler_select(p->db, "auale", rules, cycles, &p->tables, NULL));
  MUST(seen_open(BYTES, &p->seen, NULL));
}

static void close_player(player *p) {
  seen_close(p->seen);
}

/* The value of a position by its moves, INT_MIN if it has none. */
static int best_of(player *p, const char *text, int depth, uint64_t *probes) {
  const game *g = p->tables->game;
  game_position position;
  game_moves moves = {0};
  const game_past met = {0};
  looker l;
  int best = INT_MIN;
  MUST(g->parse(p->tables->rules, text, &position, NULL));
  MUST(g->moves(p->tables->rules, &position, &moves));
  MUST(look_open(&l, p->tables, p->seen, &p->limits, &position, &met, NULL));
  for (size_t i = 0; i < moves.used; i++) {
    const int value = look_value_after(&l, &moves.moves[i], depth, -LOOK_INFINITE, LOOK_INFINITE);
    if (value > best) best = value;
  }
  if (probes) *probes += l.known.probes;
  look_close(&l);
  game_moves_free(&moves);
  return best;
}

/* Every board of up to MOST_SEEDS seeds, each with nothing seen. */
static void hold_boards(player *p, const naive_game *naive, int *const *net, int depth, uint64_t *probes) {
  for (int seeds = 1; seeds <= naive->max_seeds; seeds++) {
    const naive_layer *layer = &naive->layers[seeds];
    for (int rank = 0; rank < layer->count; rank++) {
      char text[GAME_TEXT_BYTES];
      if (layer->ended[rank]) continue;
      naive_write(&layer->boards[rank], text);
      seen_clear(p->seen);
      const int value = best_of(p, text, depth, probes);
      EXPECT(value == HUNDRED * net[seeds][rank], "%s: %d, not %d", text, value, HUNDRED * net[seeds][rank]);
    }
  }
}

/* Up to three seeds; of more, what was seen on one line may be wrong on another. */
CASE(play_to_the_end_gives_exact_values) {
  player p;
  naive_game *naive = naive_game_new(NAIVE_ABAPA, 3);
  int8_t **seeds_of_mover = naive_solve_own_row_lines(naive);
  int *net[4];
  for (int seeds = 0; seeds <= naive->max_seeds; seeds++) {
    net[seeds] = suite_zeros((size_t)naive->layers[seeds].count, sizeof *net[seeds]);
    for (int rank = 0; rank < naive->layers[seeds].count; rank++)
      net[seeds][rank] = 2 * seeds_of_mover[seeds][rank] - seeds;
  }
  open_player(&p, no_folder, "abapa", "own-row");
  hold_boards(&p, naive, net, DEPTH, NULL);
  close_player(&p);
}

/* The same without windows, order or memory: converting moves are played on when the depth is used up. */
static int plainly(const tauler_tables *tables, const uint64_t *state, int depth) {
  const game_play *play = tables->game->play;
  game_play_list list = {.words = play->words(NULL, NULL)};
  int best = depth <= 0 ? play->guess(tables->rules, state) : -LOOK_INFINITE;
  MUST(play->moves(tables->rules, state, &list));
  if (list.used == 0) best = HUNDRED * play->ended(tables->rules, state);
  for (size_t i = 0; i < list.used; i++) {
    if (depth <= 0 && !list.moves[i].converts) continue;
    const int value = HUNDRED * list.moves[i].gain - plainly(tables, list.states + i * list.words, depth - 1);
    if (value > best) best = value;
  }
  game_play_list_free(&list);
  return best;
}

CASE(windows_lose_nothing) {
  player p;
  uint32_t random = 1;
  open_player(&p, no_folder, "abapa", "own-row");
  for (int board = 0; board < 300; board++) {
    char text[GAME_TEXT_BYTES] = "";
    game_position position;
    uint64_t state[GAME_PLAY_MOST_WORDS];
    for (int pit = 0; pit < 12; pit++) {
      random = random * 1664525 + 1013904223;
      text_add(text, sizeof text, "%u ", (random >> 24) % 5);
    }
    MUST(p.tables->game->parse(p.tables->rules, text, &position, NULL));
    p.tables->game->play->read(p.tables->rules, &position, state);
    seen_clear(p.seen);
    const int value = best_of(&p, text, 2, NULL);
    if (value == INT_MIN) continue;
    EXPECT(value == plainly(p.tables, state, 3), "%s: %d, not %d", text, value, plainly(p.tables, state, 3));
  }
  close_player(&p);
}

CASE(tables_answer_after_captures_and_at_the_end_of_a_line) {
  player p;
  uint64_t probes = 0;
  naive_tables *made = naive_tables_new("awari", "even", MOST_SEEDS);
  naive_game *naive = naive_game_new(NAIVE_AWARI, MOST_SEEDS);
  naive_forced *scores = naive_solve_even(naive);
  int *net[MOST_SEEDS + 1];
  MUST(naive_tables_write(made, folder, TABLE_I8, NULL));
  for (int seeds = 0; seeds <= MOST_SEEDS; seeds++) net[seeds] = scores[seeds].value[0];
  open_player(&p, folder, "awari", "even");
  hold_boards(&p, naive, net, 0, &probes);
  HOLDS(probes > 1000);
  close_player(&p);
}

CASE(a_limit_ends_a_search) {
  player p;
  open_player(&p, no_folder, "abapa", "own-row");
  for (int which = 0; which < 3; which++) {
    game_position position;
    game_moves moves = {0};
    const game_past met = {0};
    looker l;
    atomic_store(&p.limits.stop, which == 0);
    atomic_store(&p.limits.until, which == 1 ? 1e-9 : 0);
    p.limits.nodes = which == 2 ? 5000 : 0;
    MUST(p.tables->game->parse(p.tables->rules, "4 4 4 4 4 4 4 4 4 4 4 4", &position, NULL));
    MUST(p.tables->game->moves(p.tables->rules, &position, &moves));
    MUST(look_open(&l, p.tables, p.seen, &p.limits, &position, &met, NULL));
    look_value_after(&l, &moves.moves[0], LOOK_MOST_DEPTH, -LOOK_INFINITE, LOOK_INFINITE);
    HOLDS(l.over && l.nodes <= 5000);
    look_close(&l);
    game_moves_free(&moves);
  }
  close_player(&p);
}

CASE(what_was_seen_is_found_again) {
  seen *kept;
  seen_position out;
  MUST(seen_open(BYTES, &kept, NULL));
  for (uint64_t i = 1; i <= 1000; i++) {
    const uint64_t hash = i * UINT64_C(0x9E3779B97F4A7C15);
    seen_add(kept, hash, &(seen_position){(int)i - 500, (int)(i % 256), SEEN_AT_MOST, (size_t)i % 7});
  }
  size_t found = 0;
  for (uint64_t i = 1; i <= 1000; i++) {
    const uint64_t hash = i * UINT64_C(0x9E3779B97F4A7C15);
    HOLDS(!seen_find(kept, hash ^ 1, &out));
    if (!seen_find(kept, hash, &out)) continue;
    found++;
    HOLDS(out.value == (int)i - 500 && out.depth == (int)(i % 256) && out.bound == SEEN_AT_MOST &&
          out.best == i % 7);
  }
  HOLDS(found > 990);
  seen_clear(kept);
  HOLDS(!seen_find(kept, UINT64_C(0x9E3779B97F4A7C15), &out));
  seen_close(kept);
}

CASE(deeper_answers_stay_and_old_ones_go) {
  seen *kept;
  seen_position out;
  MUST(seen_open(1, &kept, NULL)); /* one bucket of four */
  for (int depth = 1; depth <= 8; depth++)
    seen_add(kept, (uint64_t)depth, &(seen_position){depth, depth, SEEN_EXACT, 0});
  for (int depth = 1; depth <= 8; depth++) HOLDS(seen_find(kept, (uint64_t)depth, &out) == (depth > 4));
  for (int search = 0; search < 4; search++) seen_next_search(kept);
  for (int depth = 11; depth <= 14; depth++)
    seen_add(kept, (uint64_t)depth, &(seen_position){depth, 1, SEEN_EXACT, 0});
  for (int depth = 11; depth <= 14; depth++) HOLDS(seen_find(kept, (uint64_t)depth, &out));
  seen_close(kept);
}

SUITE("uci_look") {
  TESTS(play_to_the_end_gives_exact_values, windows_lose_nothing, a_limit_ends_a_search,
        what_was_seen_is_found_again, deeper_answers_stay_and_old_ones_go);
  GROUP("tables");
  FIXTURE(make_folder, remove_folder);
  TEST(tables_answer_after_captures_and_at_the_end_of_a_line);
}
