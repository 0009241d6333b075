/* Answers whether a side gets a threshold after a history. Positions of the history are ends with fixed
 * payments; with these ends play continues as on a fresh history. So the nested fixpoint of the rules
 * (docs/proofs.md, "Own row") proves guarantees of either side. If it leaves the question open, the moves are
 * tried one by one, with the position added to the history. */
#include "analysis/claims/auale/lines.h"

#include <string.h>

typedef struct {
  lines_slice *slice;
  int side;      /* turn bit of the side in question */
  int threshold; /* net result in question */
  long budget;   /* positions that may still be searched */
} question;

/* Converts a net result of the mover of a node to that of the side in question. */
static int net_for_side(const question *q, uint32_t node, int of_mover) {
  return (int)(node & 1) == q->side ? of_mover : -of_mover;
}

static bool forces_threshold(const question *q, uint32_t node, bool with_held) {
  const lines_slice *s = q->slice;
  const lines_board *board = &s->board[node / 2];
  const bool own = (int)(node & 1) == q->side;
  if (board->leaves != INT8_MIN && (net_for_side(q, node, board->leaves) >= q->threshold) == own) return own;
  for (int i = 0; i < board->inner; i++) {
    const uint32_t next = lines_node_after(node, board->move[i]);
    const bool gets = s->met[next] ? net_for_side(q, next, s->board[next / 2].pays) >= q->threshold
                                   : s->sure[next] || (with_held && s->held[next]);
    if (gets == own) return own;
  }
  return !own;
}

static const uint32_t *predecessors(const lines_slice *s, uint32_t node, size_t *used) {
  const uint32_t first = s->first_before[node / 2];
  *used = s->first_before[node / 2 + 1] - first;
  return s->before + first;
}

/* Lists a node and all nodes that play inside its part can reach from it without a node that was met. */
static void list_nodes_ahead(lines_slice *s, uint32_t from) {
  s->used = 0;
  s->list[s->used++] = from;
  s->ahead[from] = true;
  for (size_t i = 0; i < s->used; i++) {
    const uint32_t node = s->list[i];
    const lines_board *board = &s->board[node / 2];
    for (int m = 0; m < board->inner; m++) {
      const uint32_t next = lines_node_after(node, board->move[m]);
      if (s->ahead[next] || s->met[next]) continue;
      s->ahead[next] = true;
      s->list[s->used++] = next;
    }
  }
}

static void clear_ahead(lines_slice *s) {
  s->work += s->used;
  for (size_t i = 0; i < s->used; i++) s->ahead[s->list[i]] = false;
}

/* Updates the predecessors of the nodes on the stack, whose flags have changed, until no flag changes. */
static void update_predecessors(const question *q, size_t height, bool *flags, bool held) {
  lines_slice *s = q->slice;
  while (height > 0) {
    const uint32_t changed = s->stack[--height];
    size_t n;
    const uint32_t *boards = predecessors(s, changed, &n);
    for (size_t i = 0; i < n; i++) {
      const uint32_t node = 2 * boards[i] + !(changed & 1);
      if (!s->ahead[node] || flags[node] != held || forces_threshold(q, node, held) == held) continue;
      flags[node] = !held;
      s->stack[height++] = node;
    }
  }
}

static void change_flags(const question *q, bool *flags, bool held) {
  lines_slice *s = q->slice;
  size_t height = 0;
  for (size_t i = s->used; i-- > 0;) {
    const uint32_t node = s->list[i];
    if (flags[node] != held || forces_threshold(q, node, held) == held) continue;
    flags[node] = !held;
    s->stack[height++] = node;
  }
  update_predecessors(q, height, flags, held);
}

/* Adds the region in which the side can keep play to the sure nodes. Returns false if it is empty. */
static bool add_held_region(const question *q) {
  lines_slice *s = q->slice;
  bool any = false;
  for (size_t i = 0; i < s->used; i++) {
    const uint32_t node = s->list[i];
    s->held[node] = !s->sure[node] && net_for_side(q, node, s->board[node / 2].pays) >= q->threshold;
  }
  change_flags(q, s->held, true);
  for (size_t i = 0; i < s->used; i++) {
    if (!s->held[s->list[i]]) continue;
    s->sure[s->list[i]] = true;
    s->held[s->list[i]] = false;
    any = true;
  }
  return any;
}

/* Computes all sure nodes if `all`, otherwise only until the first listed node is sure. Returns true if the
 * first listed node is sure. */
static bool compute_sure_nodes(const question *q, bool all) {
  lines_slice *s = q->slice;
  for (size_t i = 0; i < s->used; i++) s->sure[s->list[i]] = false;
  do { change_flags(q, s->sure, false); } while ((all || !s->sure[s->list[0]]) && add_held_region(q));
  return s->sure[s->list[0]];
}

/* Returns 1 or 0 if a guarantee of either side decides the question, otherwise LINES_UNKNOWN. */
static int find_guarantee(const question *q, uint32_t node) {
  const question other = {q->slice, !q->side, 1 - q->threshold, 0};
  list_nodes_ahead(q->slice, node);
  const int gets = compute_sure_nodes(q, false) ? 1 : compute_sure_nodes(&other, false) ? 0 : LINES_UNKNOWN;
  clear_ahead(q->slice);
  return gets;
}

static int search_moves(question *q, uint32_t node) {
  lines_slice *s = q->slice;
  const lines_board *board = &s->board[node / 2];
  const bool own = (int)(node & 1) == q->side;
  const int least = own ? s->least[node / 2] : -s->most[node / 2];
  const int most = own ? s->most[node / 2] : -s->least[node / 2];
  if (least >= q->threshold) return 1;
  if (most < q->threshold) return 0;
  if (q->budget-- <= 0) return LINES_UNKNOWN;
  const int sure = find_guarantee(q, node);
  if (sure != LINES_UNKNOWN) return sure;
  if (board->leaves != INT8_MIN && (net_for_side(q, node, board->leaves) >= q->threshold) == own) return own;
  int gets = !own;
  s->met[node] = true;
  for (int i = 0; i < board->inner && gets == !own; i++) {
    const uint32_t next = lines_node_after(node, board->move[i]);
    gets =
        s->met[next] ? net_for_side(q, next, s->board[next / 2].pays) >= q->threshold : search_moves(q, next);
  }
  s->met[node] = false;
  return gets;
}

int auale_lines_gets(lines_slice *slice, uint32_t node, int net, long budget) {
  question q = {slice, (int)(node & 1), net, budget};
  return search_moves(&q, node);
}

bool auale_lines_worth(lines_slice *slice, uint32_t node, long budget, int *worth) {
  *worth = slice->most[node / 2];
  for (; *worth > slice->least[node / 2]; (*worth)--) {
    const int gets = auale_lines_gets(slice, node, *worth, budget);
    if (gets == LINES_UNKNOWN) return false;
    if (gets) return true;
  }
  return true;
}

/* --- parts --- */

static uint32_t lesser_of(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* Numbers the parts that a node leads to, by Tarjan's algorithm: a part after all parts that it leads to. */
static void number_part(lines_slice *s, uint32_t node) {
  const lines_board *board = &s->board[node / 2];
  s->number[node] = s->low[node] = ++s->numbers;
  s->stack[s->height++] = node;
  s->waits[node] = true;
  for (int i = 0; i < board->moves; i++) {
    if (board->move[i].captured) continue;
    const uint32_t next = lines_node_after(node, board->move[i]);
    if (!s->number[next]) {
      number_part(s, next);
      s->low[node] = lesser_of(s->low[node], s->low[next]);
    } else if (s->waits[next]) {
      s->low[node] = lesser_of(s->low[node], s->number[next]);
    }
  }
  if (s->low[node] != s->number[node]) return;
  uint32_t member;
  do {
    member = s->stack[--s->height];
    s->waits[member] = false;
    s->part[member] = s->parts;
  } while (member != node);
  s->parts++;
}

/* --- slice --- */

static bool stays_in_part(const lines_slice *s, uint32_t index, lines_move move) {
  return !move.captured && s->part[2 * index] == s->part[2 * move.to + 1];
}

/* Moves the moves inside the part to the front, and sets `leaves`. */
static void sort_moves(const auale_lines *lines, lines_slice *s, uint32_t index) {
  lines_board *board = &s->board[index];
  for (int i = 0; i < board->moves; i++) {
    const lines_move move = board->move[i];
    if (stays_in_part(s, index, move)) {
      board->move[i] = board->move[board->inner];
      board->move[board->inner++] = move;
      continue;
    }
    const int worth = move.captured - lines->slice[s->seeds - move.captured].fresh[move.to];
    if (worth > board->leaves) board->leaves = (int8_t)worth;
  }
  if (board->ended) board->leaves = board->net;
}

/* Computes the bounds of a board from those of its successors. A position that a move inside the part leads
 * to may have been met or not. Returns true if a bound changed. */
static bool update_bounds(lines_slice *s, uint32_t index) {
  const lines_board *board = &s->board[index];
  int least = -s->seeds, most = least;
  if (board->leaves != INT8_MIN) least = most = board->leaves;
  for (int i = 0; i < board->inner; i++) {
    const uint32_t to = board->move[i].to;
    const int pays = s->board[to].pays;
    const int low = s->most[to] > pays ? s->most[to] : pays, high = s->least[to] < pays ? s->least[to] : pays;
    if (-low > least) least = -low;
    if (-high > most) most = -high;
  }
  const bool changed = least != s->least[index] || most != s->most[index];
  s->least[index] = (int8_t)least;
  s->most[index] = (int8_t)most;
  return changed;
}

static void list_part_nodes(lines_slice *s, uint32_t part) {
  s->used = 0;
  for (uint32_t node = 0; node < 2 * s->boards; node++)
    if (s->part[node] == part) s->list[s->used++] = node;
}

static void bound_part(lines_slice *s) {
  for (size_t i = 0; i < s->used; i++) {
    s->least[s->list[i] / 2] = (int8_t)s->seeds;
    s->most[s->list[i] / 2] = (int8_t)-s->seeds;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < s->used; i++) changed = update_bounds(s, s->list[i] / 2) || changed;
  }
}

/* True if the side gets the threshold on a fresh history. The first guaranteed node on a line decides: no
 * guaranteed node was met before. */
static bool gets_threshold_on_fresh(const question *q, uint32_t node) {
  lines_slice *s = q->slice;
  const lines_board *board = &s->board[node / 2];
  const bool own = (int)(node & 1) == q->side;
  if (s->met[node]) return net_for_side(q, node, board->pays) >= q->threshold;
  if (s->sure[node] || s->denied[node]) return s->sure[node];
  if (board->leaves != INT8_MIN && (net_for_side(q, node, board->leaves) >= q->threshold) == own) return own;
  bool gets = !own;
  s->met[node] = true;
  for (int i = 0; i < board->inner && gets == !own; i++)
    gets = gets_threshold_on_fresh(q, lines_node_after(node, board->move[i]));
  s->met[node] = false;
  return gets;
}

static void raise_fresh_values(lines_slice *s, int side, int threshold) {
  const question q = {s, side, threshold, 0}, other = {s, !side, 1 - threshold, 0};
  compute_sure_nodes(&other, true);
  for (size_t i = 0; i < s->used; i++) s->denied[s->list[i]] = s->sure[s->list[i]];
  compute_sure_nodes(&q, true);
  for (size_t i = 0; i < s->used; i++) {
    const uint32_t node = s->list[i];
    if ((int)(node & 1) == side && gets_threshold_on_fresh(&q, node)) s->fresh[node / 2] = (int8_t)threshold;
  }
}

/* Solves a part, unless the other nodes of its boards are solved: both nodes of a board are alike. */
static void solve_lines_part(const auale_lines *lines, lines_slice *s, uint32_t part) {
  list_part_nodes(s, part);
  if (s->fresh[s->list[0] / 2] != INT8_MIN) return;
  for (size_t i = 0; i < s->used; i++) {
    const uint32_t index = s->list[i] / 2;
    s->ahead[s->list[i]] = true;
    if (s->fresh[index] == INT8_MIN) sort_moves(lines, s, index);
    s->fresh[index] = (int8_t)-s->seeds;
  }
  bound_part(s);
  for (int threshold = 1 - s->seeds; threshold <= s->seeds; threshold++) {
    raise_fresh_values(s, 0, threshold);
    raise_fresh_values(s, 1, threshold);
  }
  clear_ahead(s);
}

static tauler_error read_moves(const auale_lines *lines, lines_slice *s, uint32_t index,
                               tauler_message *message) {
  lines_board *board = &s->board[index];
  const game *game = lines->game;
  game_position position;
  game_moves moves = {0};
  int net = 0;
  game->position_at(lines->rules, (game_place){(uint32_t)s->seeds, index}, &position);
  board->leaves = INT8_MIN;
  game->repeated(lines->rules, (uint32_t)s->seeds, index, 1, &board->pays);
  board->ended = game->position_ended(lines->rules, &position, &net);
  board->net = (int8_t)net;
  if (board->ended) return TAULER_OK;
  tauler_error error = game->moves(lines->rules, &position, &moves);
  for (size_t i = 0; i < moves.used && !error; i++) {
    game_place to;
    if (moves.used > LINES_MOST_MOVES || moves.moves[i].over ||
        !game->locate(lines->rules, &moves.moves[i].child, &to))
      error = tauler_fail(message, TAULER_INTERNAL, "a move leads nowhere");
    else
      board->move[board->moves++] =
          (lines_move){(uint8_t)((uint32_t)s->seeds - to.slice), (uint32_t)to.index};
  }
  game_moves_free(&moves);
  return error;
}

static void list_arrays(arena *a, void *of) {
  lines_slice *s = of;
  const size_t boards = s->boards, nodes = 2 * boards;
  int8_t **const values[] = {&s->fresh, &s->least, &s->most};
  bool **const flags[] = {&s->met, &s->sure, &s->held, &s->denied, &s->ahead, &s->waits};
  uint32_t **const lists[] = {&s->part, &s->list, &s->stack, &s->number, &s->low};
  s->board = arena_allocate(a, boards, sizeof *s->board);
  s->first_before = arena_allocate(a, boards + 2, sizeof *s->first_before);
  s->before = arena_allocate(a, boards * LINES_MOST_MOVES, sizeof *s->before);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) *values[i] = arena_allocate(a, boards, 1);
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    *flags[i] = arena_allocate(a, nodes, sizeof(bool));
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    *lists[i] = arena_allocate(a, nodes, sizeof(uint32_t));
}

static void list_predecessors(lines_slice *s) {
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < s->boards; i++) {
      for (int m = 0; m < s->board[i].moves; m++) {
        const lines_move move = s->board[i].move[m];
        if (!stays_in_part(s, i, move)) continue;
        if (pass) s->before[s->first_before[move.to + 1]] = i;
        s->first_before[pass ? move.to + 1 : move.to + 2]++;
      }
    }
    for (uint32_t i = 0; !pass && i <= s->boards; i++) s->first_before[i + 1] += s->first_before[i];
  }
}

static tauler_error open_slice(auale_lines *lines, int seeds, tauler_message *message) {
  lines_slice *s = &lines->slice[seeds];
  s->seeds = seeds;
  s->boards = (uint32_t)lines->game->positions(lines->rules, (uint32_t)seeds);
  tauler_error error = arena_fill(&s->arrays, NULL, "lines of play", list_arrays, s, message);
  if (error) return error;
  memset(s->fresh, INT8_MIN, s->boards);
  for (uint32_t i = 0; i < s->boards && !error; i++) error = read_moves(lines, s, i, message);
  for (uint32_t node = 0; node < 2 * s->boards && !error; node++)
    if (!s->number[node]) number_part(s, node);
  if (!error) list_predecessors(s);
  for (uint32_t part = 0; part < s->parts; part++) solve_lines_part(lines, s, part);
  return error;
}

tauler_error auale_lines_open(const game *game, const game_rules *rules, int seeds, auale_lines *out,
                              tauler_message *message) {
  *out = (auale_lines){.game = game, .rules = rules, .seeds = seeds};
  tauler_error error = TAULER_OK;
  for (int n = 0; n <= seeds && !error; n++) error = open_slice(out, n, message);
  if (error) auale_lines_close(out);
  return error;
}

void auale_lines_close(auale_lines *lines) {
  for (int n = 0; n <= lines->seeds; n++) arena_close(&lines->slice[n].arrays);
  *lines = (auale_lines){.game = NULL};
}
