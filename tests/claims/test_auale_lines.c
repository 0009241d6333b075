/* Holds worths after histories of aualé against the slow definition: right after a capture, after histories
 * at random, and after every history there is of two seeds (of three in long tests). */

#include "analysis/claims/auale/histories.h"
#include "games/registry.h"
#include "tests/naive/naive_solve.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum {
  SEEDS = 4,
  HISTORIES = 3,
  HISTORY_CAPTURES = 3,
  LONG_CAPTURES = 6,
  WALKS = 400,
  BUDGET = 1000000,
  EFFORT = 4000000
};

typedef struct {
  const game *game;
  game_rules *rules;
  auale_lines lines;
  naive_game *naive;
  int8_t *fresh[SEEDS + 1];   /* net for the mover, by rank */
  uint32_t *index[SEEDS + 1]; /* index of each rank */
  bool own_row;
} setting;

static uint32_t index_of(const setting *s, const naive_board *board) {
  char text[64] = "";
  game_position position;
  game_place place;
  for (int pit = 0; pit < 12; pit++) sprintf(text + strlen(text), pit < 11 ? "%d " : "%d", board->pit[pit]);
  ck_assert_int_eq(s->game->parse(s->rules, text, &position, NULL), TAULER_OK);
  ck_assert(s->game->locate(s->rules, &position, &place));
  return (uint32_t)place.index;
}

static void open_fresh(setting *s) {
  naive_forced *even = s->own_row ? NULL : naive_solve_even(s->naive);
  naive_bounds *exact = s->own_row ? naive_solve_own_row_search(s->naive) : NULL;
  ck_assert(even || exact);
  for (int n = 0; n <= SEEDS; n++) {
    const int count = s->naive->layers[n].count;
    s->fresh[n] = suite_zeros((size_t)count, 1);
    s->index[n] = suite_zeros((size_t)count, sizeof *s->index[n]);
    for (int rank = 0; rank < count; rank++) {
      s->fresh[n][rank] = (int8_t)(even ? even[n].value[0][rank] : 2 * exact[n].mover[rank] - n);
      s->index[n][rank] = index_of(s, &s->naive->layers[n].boards[rank]);
    }
  }
}

static setting open_setting(bool own_row) {
  setting s = {.game = game_find("auale"), .own_row = own_row};
  s.rules = suite_rules(s.game, own_row ? "abapa" : "awari", own_row ? "own-row" : "even");
  ck_assert_int_eq(auale_lines_open(s.game, s.rules, SEEDS, &s.lines, NULL), TAULER_OK);
  s.naive = naive_game_new(own_row ? NAIVE_ABAPA : NAIVE_AWARI, SEEDS);
  open_fresh(&s);
  return s;
}

static void close_setting(setting *s) {
  auale_lines_close(&s->lines);
}

CASE(right_after_a_capture) {
  setting s = open_setting(_i);
  for (int n = 0; n <= SEEDS; n++) {
    ck_assert_uint_eq(s.lines.slice[n].boards, (uint32_t)s.naive->layers[n].count);
    for (int rank = 0; rank < s.naive->layers[n].count; rank++) {
      const uint32_t i = s.index[n][rank];
      const int is = s.lines.slice[n].fresh[i];
      ck_assert_msg(is == s.fresh[n][rank], "%d seeds, rank %d: %d", n, rank, is);
    }
  }
  close_setting(&s);
}

/* --- every line by the slow rules --- */

typedef struct {
  const setting *s;
  const naive_layer *layer;
  bool *met;          /* 2 · rank + turn */
  int8_t *low, *high; /* by rank, or NULL if nobody asks */
} slow_line;

static int pays(const slow_line *l, int rank) {
  int own = 0;
  if (!l->s->own_row) return 0;
  for (int pit = 0; pit < 6; pit++) own += l->layer->boards[rank].pit[pit];
  return 2 * own - l->layer->seeds;
}

static int play_all(slow_line *l, int rank, int turn) {
  const naive_layer *layer = l->layer;
  int best = layer->ended[rank] ? layer->net[rank] : -layer->seeds;
  l->met[2 * rank + turn] = true;
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    const naive_edge edge = layer->edges[rank][e];
    int worth;
    if (edge.captured)
      worth = edge.captured - l->s->fresh[layer->seeds - edge.captured][edge.child];
    else if (l->met[2 * edge.child + !turn])
      worth = -pays(l, edge.child);
    else
      worth = -play_all(l, edge.child, !turn);
    if (worth > best) best = worth;
  }
  l->met[2 * rank + turn] = false;
  if (l->low && best < l->low[rank]) l->low[rank] = (int8_t)best;
  if (l->high && best > l->high[rank]) l->high[rank] = (int8_t)best;
  return best;
}

static slow_line open_line(const setting *s, int seeds) {
  const naive_layer *layer = &s->naive->layers[seeds];
  return (slow_line){.s = s, .layer = layer, .met = suite_zeros(2 * (size_t)layer->count, sizeof(bool))};
}

/* --- histories at random --- */

static void compare_worth(setting *s, slow_line *l, int rank, int turn) {
  lines_slice *slice = &s->lines.slice[l->layer->seeds];
  const uint32_t i = s->index[l->layer->seeds][rank], node = 2 * i + (uint32_t)turn;
  const int wanted = play_all(l, rank, turn);
  int is;
  ck_assert(auale_lines_worth(slice, node, BUDGET, &is));
  ck_assert_msg(is == wanted, "rank %d: %d, not %d", rank, is, wanted);
  ck_assert_msg(slice->least[i] <= wanted && wanted <= slice->most[i], "rank %d: %d is out of %d … %d", rank,
                wanted, slice->least[i], slice->most[i]);
  for (int net = -l->layer->seeds; net <= l->layer->seeds + 1; net++)
    ck_assert_msg(auale_lines_gets(slice, node, net, BUDGET) == (wanted >= net), "rank %d: %d", rank, net);
}

static int choose_quiet(const slow_line *l, int rank, int turn) {
  int choices[6], used = 0;
  for (int e = 0; e < l->layer->edge_count[rank]; e++) {
    const naive_edge edge = l->layer->edges[rank][e];
    if (!edge.captured && !l->met[2 * edge.child + !turn]) choices[used++] = edge.child;
  }
  return used ? choices[rand() % used] : -1;
}

CASE(after_histories_at_random) {
  setting s = open_setting(_i);
  slow_line l = open_line(&s, HISTORIES);
  lines_slice *slice = &s.lines.slice[HISTORIES];
  int changed = 0;
  srand(3);
  for (int w = 0; w < SOME(WALKS / 2, WALKS); w++) {
    int rank = rand() % l.layer->count, turn = rand() % 2;
    const int moves = rand() % 60;
    for (int i = 0; i < moves; i++) {
      const int next = choose_quiet(&l, rank, turn);
      if (next < 0) break;
      l.met[2 * rank + turn] = slice->met[2 * s.index[HISTORIES][rank] + (uint32_t)turn] = true;
      rank = next;
      turn = !turn;
    }
    compare_worth(&s, &l, rank, turn);
    changed += play_all(&l, rank, turn) != s.fresh[HISTORIES][rank];
    memset(l.met, 0, 2 * (size_t)l.layer->count * sizeof *l.met);
    memset(slice->met, 0, 2 * (size_t)slice->boards * sizeof *slice->met);
  }
  ck_assert_int_gt(changed, 5);
  close_setting(&s);
}

/* --- boards right after a capture, and all histories from there --- */

/* From boards on which the other row has an empty pit. Larger captures than of three seeds lead to no other
 * boards on which play goes on. */
static bool *find_captures(const setting *s, int seeds) {
  const naive_layer *to = &s->naive->layers[seeds];
  naive_game *larger = naive_game_new(s->naive->rules, seeds + LONG_CAPTURES);
  bool *after = suite_zeros((size_t)to->count, sizeof *after);
  for (int captured = 1; captured <= LONG_CAPTURES; captured++) {
    const naive_layer *from = &larger->layers[seeds + captured];
    for (int rank = 0; rank < from->count; rank++) {
      if (!naive_is_table_board(&from->boards[rank])) continue;
      for (int e = 0; e < from->edge_count[rank]; e++) {
        const naive_edge edge = from->edges[rank][e];
        if (edge.captured != captured) continue; /* its child is in another layer */
        if (captured <= HISTORY_CAPTURES || !to->ended[edge.child]) after[edge.child] = true;
      }
    }
  }
  return after;
}

static void all_histories(setting *s, int seeds) {
  auale_histories h;
  slow_line l = open_line(s, seeds);
  bool *after = find_captures(s, seeds);
  l.low = suite_zeros((size_t)l.layer->count, 1);
  l.high = suite_zeros((size_t)l.layer->count, 1);
  memset(l.low, INT8_MAX, (size_t)l.layer->count);
  memset(l.high, INT8_MIN, (size_t)l.layer->count);
  ck_assert_int_eq(auale_histories_open(&s->lines, seeds, &h, NULL), TAULER_OK);
  auale_histories_walk(&h, EFFORT);
  for (int rank = 0; rank < l.layer->count; rank++)
    if (after[rank]) play_all(&l, rank, 0);
  for (int rank = 0; rank < l.layer->count; rank++) {
    const uint32_t i = s->index[seeds][rank];
    const bool reached = l.low[rank] <= l.high[rank];
    ck_assert_msg((h.before[i].slice != 0) == after[rank], "rank %d: a capture", rank);
    ck_assert_msg(h.reached[i] == reached, "rank %d: reached", rank);
    if (!reached) continue;
    ck_assert_msg(h.low[i] == l.low[rank] && h.high[i] == l.high[rank], "rank %d: %d … %d, not %d … %d", rank,
                  h.low[i], h.high[i], l.low[rank], l.high[rank]);
    ck_assert_msg((h.slice->least[i] < h.slice->most[i]) == (l.low[rank] < l.high[rank]), "rank %d: bounds",
                  rank);
  }
  auale_histories_close(&h);
}

CASE(after_every_history) {
  setting s = open_setting(_i);
  all_histories(&s, 1);
  all_histories(&s, 2);
  if (suite_is_long()) all_histories(&s, 3);
  close_setting(&s);
}

CASE(two_short_histories) {
  setting s = open_setting(true);
  auale_histories h;
  history_pair pair;
  bool found;
  ck_assert_int_eq(auale_histories_open(&s.lines, 2, &h, NULL), TAULER_OK);
  ck_assert_int_eq(auale_histories_find(&h, 4, 12, &pair, &found, NULL), TAULER_OK);
  ck_assert(!found); /* nobody wins what somebody else could */
  ck_assert_int_eq(auale_histories_find(&h, 2, 12, &pair, &found, NULL), TAULER_OK);
  ck_assert(found && pair.low.worth + 2 == pair.high.worth);
  for (int which = 0; which < 2; which++) {
    const auale_history *one = which ? &pair.high : &pair.low;
    ck_assert(h.before[one->entry].slice != 0);
    const uint32_t node = auale_history_set_marks(h.slice, one, true);
    ck_assert_uint_eq(node / 2, pair.board);
    int worth;
    ck_assert(auale_lines_worth(h.slice, node, BUDGET, &worth) && worth == one->worth);
    auale_history_set_marks(h.slice, one, false);
  }
  ck_assert(memchr(h.slice->met, 1, 2 * (size_t)h.slice->boards * sizeof(bool)) == NULL);
  auale_histories_close(&h);
  close_setting(&s);
}

SUITE("auale_lines") {
  LOOP(right_after_a_capture, 2);
  LOOP(after_histories_at_random, 2);
  LOOP(after_every_history, 2);
  TEST(two_short_histories);
}
