/* Plays abapa by the rules of the slow definition: a side that always moves to what lines of play find to be
 * worth enough must end with what a board promises, whatever the other side does. */
#include "tests/support/analysis/own_row_world.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

enum { MOST_SEEDS = 8, LONGEST = 256, ROWS = 12 };

static const uint64_t budget = 1 << 25;

typedef struct {
  own_row_world own;
  solved_slice tables[MOST_SEEDS + 1]; /* before lines were followed */
  own_row_lines *lines[MOST_SEEDS + 1];
} world;

static void open_boards(world *w, uint32_t seeds) {
  *w = (world){0};
  own_row_world_open(&w->own, seeds, budget);
  for (uint32_t n = 0; n <= seeds; n++) MUST(solve_alone(&w->own.job, n, false, &w->tables[n], NULL));
}

static void close_world(world *w) {
  for (int n = 0; n <= MOST_SEEDS; n++) {
    own_row_lines_close(w->lines[n]);
    solved_slice_free(w->own.memory, &w->tables[n]);
  }
}

/* --- a game --- */

typedef struct {
  world *w;
  naive_board met[LONGEST]; /* since the last capture, */
  int turns[LONGEST], used; /* by whose turn it was */
  int kept[2];
} played;

/* Returns the worth to the mover of a move after the boards met. */
static int worth_of_line(played *p, const naive_move *move, int turn) {
  game_place to, place;
  own_row_met history[LONGEST];
  own_row_worth worth;
  ck_assert(own_row_world_find(&p->w->own, &move->child, &to));
  if (move->captured > 0) return move->captured - p->w->own.list[to.slice].cells[0][to.index];
  size_t met = 0;
  for (int i = 0; i < p->used; i++) {
    if (own_row_world_find(&p->w->own, &p->met[i], &place))
      history[met++] = (own_row_met){place.index, p->turns[i] == turn};
  }
  own_row_lines **lines = &p->w->lines[to.slice];
  if (!*lines) MUST(own_row_lines_open(&p->w->own.lines, to.slice, lines, NULL));
  MUST(own_row_lines_ask(*lines, to.index, history, met, budget, &worth, NULL));
  ck_assert_int_eq(worth.lower, worth.upper);
  return -worth.lower;
}

/* Some move must be worth what was promised. */
static int choose(played *p, const naive_move *moves, int used, int turn, int promised) {
  int i = 0;
  while (i < used - 1 && worth_of_line(p, &moves[i], turn) < promised) i++;
  return i;
}

static bool is_over(const played *p, const naive_board *board, int turn) {
  int net;
  bool over = naive_ended(NAIVE_ABAPA, board, &net);
  for (int i = 0; i < p->used && !over; i++)
    over = p->turns[i] == turn && memcmp(&p->met[i], board, sizeof *board) == 0;
  return over;
}

/* `favoured` is promised so much of the rest of the game, the other side plays at random. */
static void play(played *p, naive_board board, int favoured, int promised, uint64_t *seed) {
  naive_move moves[6];
  int turn = 0;
  p->used = p->kept[0] = p->kept[1] = 0;
  for (; !is_over(p, &board, turn); turn = !turn) {
    ck_assert_int_lt(p->used, LONGEST);
    p->met[p->used] = board;
    p->turns[p->used++] = turn;
    const int used = naive_moves(NAIVE_ABAPA, &board, moves);
    const int i = turn == favoured ? choose(p, moves, used, turn, promised - p->kept[turn] + p->kept[!turn])
                                   : (int)(toy_draw(seed) % (uint64_t)used);
    p->kept[turn] += moves[i].captured;
    if (moves[i].captured > 0) p->used = 0;
    board = moves[i].child;
  }
  for (int pit = 0; pit < ROWS; pit++) p->kept[pit < ROWS / 2 ? turn : !turn] += board.pit[pit];
}

/* Every so manyth board that the bounds of the tables leave open, for both sides. */
static int play_layer(world *w, const naive_layer *layer, int step) {
  uint64_t seed = (uint64_t)layer->seeds;
  int open = 0;
  played p = {.w = w};
  for (int rank = 0; rank < layer->count; rank++) {
    game_place place;
    if (!own_row_world_find(&w->own, &layer->boards[rank], &place)) continue;
    const solved_slice *tables = &w->tables[layer->seeds], *exact = &w->own.list[layer->seeds];
    if (tables->cells[0][place.index] == tables->cells[1][place.index] || open++ % step != 0) continue;
    for (int favoured = 0; favoured < 2; favoured++) {
      const int worth = favoured == 0 ? exact->cells[0][place.index] : -exact->cells[0][place.index];
      play(&p, layer->boards[rank], favoured, worth, &seed);
      ck_assert_int_eq(p.kept[0] + p.kept[1], layer->seeds);
      EXPECT(p.kept[favoured] - p.kept[!favoured] >= worth, "%d seeds, board %d, side %d: %d, not %d",
             layer->seeds, rank, favoured, p.kept[favoured] - p.kept[!favoured], worth);
    }
  }
  return open;
}

CASE(promises_are_kept) {
  static const int seeds[] = {4, 6, 7, 8}, steps[] = {10, 300, 3000, 4000};
  static world w;
  const size_t layers = sizeof seeds / sizeof *seeds - (suite_is_long() ? 0 : SOME(2, 1));
  const int most = seeds[layers - 1];
  naive_game *naive = naive_game_new(NAIVE_ABAPA, most);
  open_boards(&w, (uint32_t)most);
  for (size_t i = 0; i < layers; i++) ck_assert_int_gt(play_layer(&w, &naive->layers[seeds[i]], steps[i]), 0);
  close_world(&w);
}

SUITE("own row games") {
  TEST(promises_are_kept);
}
