/* Collects the worths of boards after histories. */
#include "analysis/claims/auale/histories.h"

#include <stdlib.h>

#include "analysis/dice/dice_random.h"

enum { SMALLEST_CAPTURE = 2, LARGEST_CAPTURE = 3, SEED_OF_WALKS = 48, WALK_BUDGET = 20, WALK_EFFORT = 3000 };

/* --- boards right after a capture --- */

static tauler_error note_captures(auale_histories *h, game_place from, tauler_message *message) {
  const game *game = h->lines->game;
  game_position position;
  game_moves moves = {0};
  int value;
  game->position_at(h->lines->rules, from, &position);
  if (game->position_ended(h->lines->rules, &position, &value)) return TAULER_OK;
  tauler_error error = game->moves(h->lines->rules, &position, &moves);
  if (error) error = tauler_fail(message, error, "the moves of a board cannot be had");
  for (size_t i = 0; i < moves.used && !error; i++) {
    game_place to;
    if (!game->locate(h->lines->rules, &moves.moves[i].child, &to)) continue;
    if (to.slice == (uint32_t)h->slice->seeds && h->before[to.index].slice == 0) h->before[to.index] = from;
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error find_boards_after_captures(auale_histories *h, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int captured = SMALLEST_CAPTURE; captured <= LARGEST_CAPTURE; captured++) {
    const uint32_t slice = (uint32_t)(h->slice->seeds + captured);
    const uint64_t boards = h->lines->game->positions(h->lines->rules, slice);
    for (uint64_t i = 0; i < boards && !error; i++) error = note_captures(h, (game_place){slice, i}, message);
  }
  return error;
}

static void find_reached_boards(auale_histories *h) {
  const lines_slice *s = h->slice;
  for (uint32_t i = 0; i < s->boards; i++) h->reached[i] = h->before[i].slice != 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < s->boards; i++) {
      const lines_board *board = &s->board[i];
      for (int m = 0; m < board->moves && h->reached[i]; m++) {
        if (board->move[m].captured || h->reached[board->move[m].to]) continue;
        h->reached[board->move[m].to] = true;
        changed = true;
      }
    }
  }
}

static void list_arrays(arena *a, void *of) {
  auale_histories *h = of;
  const uint64_t boards = h->slice->boards;
  h->before = arena_allocate(a, boards, sizeof *h->before);
  h->reached = arena_allocate(a, boards, sizeof *h->reached);
  h->line = arena_allocate(a, 2 * boards, sizeof *h->line);
  h->low = arena_allocate(a, boards, 1);
  h->high = arena_allocate(a, boards, 1);
}

tauler_error auale_histories_open(auale_lines *lines, int seeds, auale_histories *out,
                                  tauler_message *message) {
  lines_slice *s = &lines->slice[seeds];
  *out = (auale_histories){.lines = lines, .slice = s};
  tauler_error error = arena_fill(&out->arrays, NULL, "histories", list_arrays, out, message);
  if (!error) error = find_boards_after_captures(out, message);
  if (error) {
    auale_histories_close(out);
    return error;
  }
  find_reached_boards(out);
  for (uint32_t i = 0; i < s->boards; i++) {
    const bool captured = out->before[i].slice != 0;
    out->low[i] = captured ? s->fresh[i] : INT8_MAX;
    out->high[i] = captured ? s->fresh[i] : INT8_MIN;
  }
  return TAULER_OK;
}

void auale_histories_close(auale_histories *h) {
  arena_close(&h->arrays);
}

/* --- random lines of play --- */

static bool has_seen_bounds(const auale_histories *h, uint32_t board) {
  return h->low[board] == h->slice->least[board] && h->high[board] == h->slice->most[board];
}

static void note_worth(auale_histories *h, uint32_t node) {
  lines_slice *s = h->slice;
  int8_t *low = &h->low[node / 2], *high = &h->high[node / 2];
  if (has_seen_bounds(h, node / 2)) return;
  int worth;
  if (*low <= *high) {
    const bool more = *high < s->most[node / 2] && auale_lines_gets(s, node, *high + 1, WALK_BUDGET) == 1;
    const bool less = *low > s->least[node / 2] && !more && auale_lines_gets(s, node, *low, WALK_BUDGET) == 0;
    if (!more && !less) return;
  }
  if (!auale_lines_worth(s, node, WALK_BUDGET, &worth)) return;
  if (worth < *low) *low = (int8_t)worth;
  if (worth > *high) *high = (int8_t)worth;
}

/* Returns the number of a random quiet move to a position that was not met, inside the part if possible, or
 * −1 if there is none. */
static int choose_move(const lines_slice *s, uint32_t node, dice_random *random) {
  const lines_board *board = &s->board[node / 2];
  int choices[LINES_MOST_MOVES];
  uint64_t used = 0;
  for (int i = 0; i < board->moves; i++) {
    if (i == board->inner && used) break;
    if (board->move[i].captured || s->met[lines_node_after(node, board->move[i])]) continue;
    choices[used++] = i;
  }
  return used ? choices[dice_random_below(random, used)] : -1;
}

/* Plays a random line, then notes worths from its last position back, since a worth is found sooner if more
 * positions are met. */
static void walk_line(auale_histories *h, uint32_t entry, dice_random *random) {
  lines_slice *s = h->slice;
  const uint64_t end = s->work + WALK_EFFORT;
  uint32_t node = 2 * entry;
  size_t met = 0;
  for (int move = 0; move >= 0;) {
    s->met[node] = true;
    h->line[met++] = node;
    move = choose_move(s, node, random);
    if (move >= 0) node = lines_node_after(node, s->board[node / 2].move[move]);
  }
  s->work += met;
  while (met > 0) {
    node = h->line[--met];
    s->met[node] = false;
    if (s->work < end) note_worth(h, node);
  }
}

static bool has_seen_all_bounds(const auale_histories *h) {
  for (uint32_t i = 0; i < h->slice->boards; i++)
    if (h->reached[i] && !has_seen_bounds(h, i)) return false;
  return true;
}

void auale_histories_walk(auale_histories *h, uint64_t effort) {
  dice_random random = dice_random_open(SEED_OF_WALKS, (uint64_t)h->slice->seeds);
  const uint64_t end = h->slice->work + effort;
  while (h->slice->work < end && !has_seen_all_bounds(h)) {
    const uint32_t entry = (uint32_t)dice_random_below(&random, h->slice->boards);
    if (h->before[entry].slice) walk_line(h, entry, &random);
  }
}

/* --- pairs of short histories --- */

typedef struct {
  auale_histories *of;
  history_pair *pairs; /* [boards] histories with the least and the largest worth so far */
  int gap, length;
  auale_history line;
  const history_pair *found;
} pair_search;

enum { PAIR_BUDGET = 10000 };

static void note_history(pair_search *p, uint32_t node) {
  lines_slice *s = p->of->slice;
  history_pair *pair = &p->pairs[node / 2];
  if (s->most[node / 2] - s->least[node / 2] < p->gap) return;
  if (!auale_lines_worth(s, node, PAIR_BUDGET, &p->line.worth)) return;
  if (p->line.worth < pair->low.worth) pair->low = p->line;
  if (p->line.worth > pair->high.worth) pair->high = p->line;
  if (pair->high.worth - pair->low.worth >= p->gap) p->found = pair;
}

static void lengthen_line(pair_search *p, uint32_t node) {
  lines_slice *s = p->of->slice;
  const lines_board *board = &s->board[node / 2];
  if (p->line.moves == p->length) {
    note_history(p, node);
    return;
  }
  s->met[node] = true;
  for (int i = 0; i < board->moves && !p->found; i++) {
    const uint32_t next = lines_node_after(node, board->move[i]);
    if (board->move[i].captured || s->met[next]) continue;
    p->line.move[p->line.moves++] = (uint8_t)i;
    lengthen_line(p, next);
    p->line.moves--;
  }
  s->met[node] = false;
}

tauler_error auale_histories_find(auale_histories *h, int gap, int longest, history_pair *out, bool *found,
                                  tauler_message *message) {
  const uint32_t boards = h->slice->boards;
  pair_search p = {.of = h, .pairs = calloc(boards, sizeof *p.pairs), .gap = gap};
  if (!p.pairs) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for histories");
  for (uint32_t i = 0; i < boards; i++) {
    p.pairs[i].board = i;
    p.pairs[i].low.worth = INT8_MAX;
    p.pairs[i].high.worth = INT8_MIN;
  }
  for (; p.length <= longest && !p.found; p.length++) {
    for (uint32_t entry = 0; entry < boards && !p.found; entry++) {
      p.line = (auale_history){.entry = entry};
      if (h->before[entry].slice) lengthen_line(&p, 2 * entry);
    }
  }
  *found = p.found != NULL;
  if (p.found) *out = *p.found;
  free(p.pairs);
  return TAULER_OK;
}

uint32_t auale_history_set_marks(lines_slice *slice, const auale_history *history, bool mark) {
  uint32_t node = 2 * history->entry;
  for (int i = 0; i < history->moves; i++) {
    slice->met[node] = mark;
    node = lines_node_after(node, slice->board[node / 2].move[history->move[i]]);
  }
  return node;
}
