/* Dou Shou Qi against the slow definition: moves and places of random positions under every combination of
 * flags, values and depths of whole endings of two pieces and of sampled ones of three. */
#include "games/registry.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "tests/naive/naive_doushouqi_solve.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

static const char letters[] = "?RCWDPTLE";

typedef struct {
  uint64_t state;
} chance;

static int pick(chance *c, int below) {
  c->state = c->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return below > 1 ? (int)((c->state >> 33) % (uint64_t)below) : 0;
}

/* --- one rule set, by both --- */

typedef struct {
  const game *game;
  game_rules *rules;
  naive_dsq_rules naive;
  char text[NAIVE_DSQ_RULES_BYTES];
} pair;

static void open_pair(pair *p, int combination) {
  p->game = game_find("doushouqi");
  ck_assert_ptr_nonnull(p->game);
  ck_assert(naive_dsq_combination(combination, &p->naive));
  naive_dsq_rules_text(&p->naive, p->text);
  p->rules = suite_rules(p->game, p->text, NULL);
}

static int count_combinations(void) {
  naive_dsq_rules rules;
  int count = 0;
  while (naive_dsq_combination(count, &rules)) count++;
  return count;
}

static int find_combination(const char *wanted) {
  naive_dsq_rules rules;
  char text[NAIVE_DSQ_RULES_BYTES];
  for (int i = 0; naive_dsq_combination(i, &rules); i++) {
    naive_dsq_rules_text(&rules, text);
    if (strcmp(text, wanted) == 0) return i;
  }
  ck_abort_msg("there is no combination '%s'", wanted);
}

static game_position parsed(const pair *p, const char *text) {
  game_position position;
  EXPECT(!p->game->parse(p->rules, text, &position, hear()), "%s, %s: %s", p->text, text, said.text);
  return position;
}

/* --- moves --- */

/* Where pieces are put: anywhere, around the lakes, around the dens, or close to one square. */
static bool is_wanted(int kind, int square, int centre) {
  const int file = square % 7, rank = square / 7;
  if (kind == 1) return rank >= 2 && rank <= 6;
  if (kind == 2) return file >= 1 && file <= 5 && (rank <= 2 || rank >= 6);
  if (kind == 3) return abs(file - centre % 7) + abs(rank - centre / 7) <= 2;
  return true;
}

static void put_piece(const pair *p, chance *c, int kind, int centre, int piece, naive_dsq_board *board) {
  for (int tries = 0; tries < 40; tries++) {
    const int square = pick(c, NAIVE_DSQ_SQUARES);
    if (!is_wanted(kind, square, centre) || board->piece[square] != 0) continue;
    if (!naive_dsq_may_stand(&p->naive, abs(piece), square)) continue;
    board->piece[square] = (signed char)piece;
    return;
  }
}

/* Two to sixteen pieces, or fewer: a side may end without any. */
static naive_dsq_board random_board(const pair *p, chance *c) {
  naive_dsq_board board = {.black_moves = pick(c, 2)};
  const int kind = pick(c, 4), centre = pick(c, NAIVE_DSQ_SQUARES);
  const int white = 1 + pick(c, 8), black = 1 + pick(c, 8);
  int start = pick(c, 8);
  for (int i = 0; i < white; i++) put_piece(p, c, kind, centre, 1 + (start + 3 * i) % 8, &board);
  start = pick(c, 8);
  for (int i = 0; i < black; i++) put_piece(p, c, kind, centre, -1 - (start + 5 * i) % 8, &board);
  return board;
}

static const game_move *find_move(const game_moves *moves, const char *name) {
  const game_move *found = NULL;
  for (size_t m = 0; m < moves->used; m++) {
    if (strcmp(moves->moves[m].name, name) != 0) continue;
    EXPECT(!found, "%s is listed twice", name);
    found = &moves->moves[m];
  }
  return found;
}

static void compare_move(const pair *p, const char *text, const naive_dsq_board *board, naive_dsq_move played,
                         const game_moves *moves) {
  char name[5], child[NAIVE_DSQ_TEXT_BYTES], found[GAME_TEXT_BYTES];
  naive_dsq_move_name(played, name);
  const game_move *move = find_move(moves, name);
  EXPECT(move != NULL, "%s, %s: the game has no move %s", p->text, text, name);
  const naive_dsq_board after = naive_dsq_after(board, played);
  const bool over = naive_dsq_winner(&after) != 0;
  EXPECT(move->over == over && move->gain == over, "%s, %s: %s gains %d, over %d", p->text, text, name,
         move->gain, move->over);
  EXPECT(move->converts == (over || board->piece[played.to] != 0), "%s, %s: %s converts %d", p->text, text,
         name, move->converts);
  if (over) return;
  naive_dsq_write(&after, child);
  p->game->print(p->rules, &move->child, found);
  EXPECT(strcmp(found, child) == 0, "%s, %s: after %s %s, not %s", p->text, text, name, found, child);
}

static void compare_end(const pair *p, const char *text, const game_position *position, bool stuck) {
  int value = -99;
  const bool ended = p->game->position_ended(p->rules, position, &value);
  EXPECT(ended == stuck, "%s, %s: ended %d", p->text, text, ended);
  if (ended)
    EXPECT(value == (p->naive.stalemate_loss ? -1 : 0), "%s, %s: ended with %d", p->text, text, value);
}

/* Returns whether the mover is stuck. */
static bool compare_position(const pair *p, const naive_dsq_board *board) {
  char text[NAIVE_DSQ_TEXT_BYTES], again[GAME_TEXT_BYTES];
  naive_dsq_write(board, text);
  const game_position position = parsed(p, text);
  p->game->print(p->rules, &position, again);
  EXPECT(strcmp(again, text) == 0, "%s: %s is printed as %s", p->text, text, again);
  naive_dsq_move wanted[NAIVE_DSQ_MOST_MOVES];
  const int count = naive_dsq_moves(&p->naive, board, wanted);
  game_moves moves = {0};
  EXPECT(!p->game->moves(p->rules, &position, &moves), "%s, %s: no list of moves", p->text, text);
  for (int m = 0; m < count; m++) compare_move(p, text, board, wanted[m], &moves);
  EXPECT(moves.used == (size_t)count, "%s, %s: %zu moves, not %d", p->text, text, moves.used, count);
  game_moves_free(&moves);
  compare_end(p, text, &position, count == 0);
  return count == 0;
}

/* --- places --- */

static int count_pieces(const naive_dsq_board *board) {
  int count = 0;
  for (int square = 0; square < NAIVE_DSQ_SQUARES; square++) count += board->piece[square] != 0;
  return count;
}

/* Whether tables leave it out. Its place must be that of the position which the place stands for. */
static bool is_left_out(const pair *p, const game_position *position) {
  game_place place, again;
  game_position numbered;
  char text[GAME_TEXT_BYTES];
  uint8_t left_out = 2;
  p->game->print(p->rules, position, text);
  EXPECT(p->game->locate(p->rules, position, &place), "%s, %s: no place", p->text, text);
  p->game->position_at(p->rules, place, &numbered);
  EXPECT(p->game->locate(p->rules, &numbered, &again), "%s, %s: no place for its place", p->text, text);
  EXPECT(again.slice == place.slice && again.index == place.index, "%s, %s: two places", p->text, text);
  p->game->left_out(p->rules, place.slice, place.index, 1, &left_out);
  return left_out;
}

/* A position that is left out comes back by a look at its moves: no quiet one may lead to another left out.
 * */
static bool compare_place(const pair *p, const naive_dsq_board *board) {
  char text[NAIVE_DSQ_TEXT_BYTES];
  naive_dsq_write(board, text);
  const game_position position = parsed(p, text);
  if (!is_left_out(p, &position)) return false;
  naive_dsq_move moves[NAIVE_DSQ_MOST_MOVES];
  const int count = naive_dsq_moves(&p->naive, board, moves);
  for (int m = 0; m < count; m++) {
    const naive_dsq_board after = naive_dsq_after(board, moves[m]);
    if (board->piece[moves[m].to] != 0 || naive_dsq_winner(&after) != 0) continue;
    char child[NAIVE_DSQ_TEXT_BYTES];
    naive_dsq_write(&after, child);
    const game_position next = parsed(p, child);
    EXPECT(!is_left_out(p, &next), "%s, %s: left out, and so is %s", p->text, text, child);
  }
  return true;
}

CASE(moves_and_places_under_every_combination) {
  const int combinations = count_combinations(), boards = suite_is_long() ? 3000 : SOME(25, 60);
  int stuck = 0, small = 0, left_out = 0;
  chance c = {1};
  for (int i = 0; i < combinations; i++) {
    pair p;
    open_pair(&p, i);
    for (int b = 0; b < boards; b++) {
      const naive_dsq_board board = random_board(&p, &c);
      if (naive_dsq_winner(&board) != 0) continue;
      stuck += compare_position(&p, &board);
      if (count_pieces(&board) > 6) continue;
      left_out += compare_place(&p, &board);
      small++;
    }
  }
  ck_assert_int_gt(stuck, 0);
  ck_assert_int_gt(left_out, small / 3);
}

/* --- values --- */

/* The slices of a request, solved. */
typedef struct {
  pair pair;
  memory_budget *memory;
  slice_store *finished;
  solved_slice *list;
  uint32_t room;
} world;

static void open_world(world *w, int combination) {
  *w = (world){.room = 0};
  open_pair(&w->pair, combination);
  w->memory = suite_budget(0);
}

static void make_room(world *w, uint32_t room) {
  if (room <= w->room) return;
  solved_slice *list;
  slice_store *grown = toy_store_open(w->memory, room, &list);
  for (uint32_t s = 0; s < w->room; s++) {
    list[s] = w->list[s];
    w->list[s] = (solved_slice){.positions = 0};
  }
  w->finished = grown;
  w->list = list;
  w->room = room;
}

static void solve_one(world *w, uint32_t slice) {
  solve_job job = toy_job(w->pair.game, w->pair.rules, 1, w->memory);
  job.problem.engine = &engine_retrograde;
  job.store = w->finished;
  const tauler_error error = solve_alone(&job, slice, true, &w->list[slice], hear());
  ck_assert_msg(!error, "%s, slice %u: %s", w->pair.text, slice, said.text);
}

static void solve_request(world *w, const game_request *request) {
  const game_slices slices = suite_slices(w->pair.game, w->pair.rules, request);
  for (size_t i = 0; i < slices.used; i++) {
    const uint32_t slice = slices.slices[i].slice;
    make_room(w, slice + 1);
    if (!w->list[slice].cells[0]) solve_one(w, slice);
  }
}

/* Returns the worth of a position in the game's tables. */
static naive_wdl found_worth(const world *w, const char *text) {
  const game_position position = parsed(&w->pair, text);
  game_place place;
  EXPECT(w->pair.game->locate(w->pair.rules, &position, &place), "%s, %s: no place", w->pair.text, text);
  EXPECT(place.slice < w->room && w->list[place.slice].cells[0], "%s, %s: slice %u is not solved",
         w->pair.text, text, place.slice);
  const solved_slice *slice = &w->list[place.slice];
  EXPECT(place.index < slice->positions, "%s, %s: beyond its slice", w->pair.text, text);
  const int value = slice->cells[0][place.index], depth = slice->depths[0][place.index];
  const bool has_depth = value != 0 && depth != SOLVE_NO_DEPTH;
  EXPECT(value != 0 || depth == SOLVE_NO_DEPTH || depth == 0, "%s, %s: a draw of depth %d", w->pair.text,
         text, depth);
  return (naive_wdl){(signed char)value, has_depth ? depth : -1};
}

static void compare_worth(const world *w, const naive_dsq_ending *ending, const int *squares,
                          bool black_moves) {
  char text[NAIVE_DSQ_TEXT_BYTES];
  const naive_dsq_board board = naive_dsq_board_of(ending, squares, black_moves);
  naive_dsq_write(&board, text);
  const naive_wdl wanted = naive_dsq_worth(ending, squares, black_moves), found = found_worth(w, text);
  EXPECT(found.value == wanted.value && found.depth == wanted.depth,
         "%s, %s: value %d, depth %d, not %d and %d", w->pair.text, text, found.value, found.depth,
         wanted.value, wanted.depth);
}

/* Every position, or of each run of `step` one. Returns how many. */
static int compare_ending(const world *w, const signed char *pieces, int count, chance *c, int step) {
  naive_dsq_ending *ending = naive_dsq_solve(&w->pair.naive, pieces, count);
  int compared = 0, squares[NAIVE_DSQ_MOST_PIECES];
  for (int i = pick(c, step); i < (count == 3 ? 2 * 63 * 63 * 63 : 2 * 63 * 63);
       i += 1 + pick(c, 2 * step - 1)) {
    squares[0] = i / 2 % 63, squares[1] = i / 2 / 63 % 63, squares[2] = i / 2 / 63 / 63;
    if (!naive_dsq_is_position(ending, squares)) continue;
    compare_worth(w, ending, squares, i % 2);
    compared++;
  }
  return compared;
}

/* All 64 endings, both sides to move. */
static void compare_two_pieces(world *w, chance *c, int step) {
  solve_request(w, &(game_request){.largest = "2"});
  int compared = 0;
  for (int white = NAIVE_RAT; white <= NAIVE_ELEPHANT; white++) {
    for (int black = NAIVE_RAT; black <= NAIVE_ELEPHANT; black++)
      compared +=
          compare_ending(w, (const signed char[]){(signed char)white, (signed char)-black}, 2, c, step);
  }
  ck_assert_int_gt(compared, 150000 / step);
}

/* One ending, which of the two sides has two pieces left to chance as well. */
static void compare_three_pieces(world *w, chance *c, int step) {
  const int first = 1 + pick(c, 8), second = 1 + (first + pick(c, 7)) % 8, third = 1 + pick(c, 8);
  const int colour = pick(c, 2) ? 1 : -1;
  const signed char pieces[] = {(signed char)(colour * first), (signed char)(colour * second),
                                (signed char)(-colour * third)};
  char name[4];
  if (colour > 0)
    snprintf(name, sizeof name, "%c%c%c", letters[first], letters[second], letters[third] + 'a' - 'A');
  else
    snprintf(name, sizeof name, "%c%c%c", letters[third], letters[first] + 'a' - 'A',
             letters[second] + 'a' - 'A');
  solve_request(w, &(game_request){.material = name});
  ck_assert_int_gt(compare_ending(w, pieces, 3, c, step), 200000 / step / 2);
}

/* Each flag is set in some and clear in others; those of the rules alone and with all others. */
static const char *const chosen[] = {
    "base",
    "base,leopard=none,jump-block=path,elephant-takes-rat,rat-shore=liacs,stalemate=loss",
    "base,wolf-over-dog,leopard=wide,clearings,elephant-takes-rat",
    "base,wolf-over-dog,clearings,lakes=plain,stalemate=loss",
    "base,lakes=plain,elephant-takes-rat",
    "base,lakes=drink",
    "base,wolf-over-dog,leopard=wide,clearings,lakes=drink,drinkers=block,rat-shore=liacs",
    "base,leopard=none,lakes=drink,jump-block=path,stalemate=loss",
};

enum { CHOSEN = sizeof chosen / sizeof *chosen, SAMPLED = 2 };

CASE(values_under_chosen_combinations) {
  world w;
  chance c = {(uint64_t)_i};
  open_world(&w, find_combination(chosen[_i]));
  compare_two_pieces(&w, &c, suite_is_long() ? 1 : SOME(20, 6));
  for (int i = 0; i < (suite_is_long() ? 20 : 1); i++)
    compare_three_pieces(&w, &c, suite_is_long() ? 3 : SOME(60, 20));
}

CASE(values_under_sampled_combinations) {
  const int combinations = count_combinations();
  chance c = {7};
  for (int i = 0; i < (suite_is_long() ? combinations : SAMPLED); i++) {
    world w;
    open_world(&w, suite_is_long() ? i : pick(&c, combinations));
    compare_two_pieces(&w, &c, suite_is_long() ? 1 : 10);
    if (suite_is_long()) compare_three_pieces(&w, &c, 10);
  }
}

SUITE("dou shou qi against the slow definition") {
  TEST(moves_and_places_under_every_combination);
  LOOP(values_under_chosen_combinations, CHOSEN);
  TEST(values_under_sampled_combinations);
}
