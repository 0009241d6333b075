/* Phutball against the slow definition under all four flag sets: turns of random positions on boards of many
 * sizes, places, and what batches know of children and parents. */
#include "tests/support/suite.h"
#include "tests/support/toy/toy_phutball_pair.h"

typedef struct {
  int rows, columns;
} size;

/* --- turns --- */

enum { MOST_TURNS = 4000 };

/* A turn per line: its name, what it is worth, the board after it. */
typedef struct {
  const phb_pair *pair;
  naive_phb_board before;
  char *lines[MOST_TURNS];
  size_t used;
  bool jumps;
} turn_list;

static void free_list(turn_list *list) {
  for (size_t i = 0; i < list->used; i++) free(list->lines[i]);
}

static bool add_line(turn_list *list, const char *name, int gain, bool over, const char *after) {
  if (list->used == MOST_TURNS) return false;
  const size_t bytes = strlen(name) + strlen(after) + 30;
  char *line = malloc(bytes);
  if (line == NULL) ck_abort_msg("no memory");
  snprintf(line, bytes, "%s %s", name, over ? (gain > 0 ? "wins" : gain < 0 ? "loses" : "ends") : after);
  list->lines[list->used++] = line;
  return true;
}

static bool add_turn(void *user, const naive_phb_turn *turn) {
  turn_list *list = user;
  char name[NAIVE_PHB_NAME_BYTES], after[NAIVE_PHB_TEXT_BYTES];
  naive_phb_turn_name(&list->before, turn, name);
  naive_phb_write(&turn->after, after);
  list->jumps = list->jumps || turn->stops > 2;
  const naive_phb_result wanted = list->before.eks_moves ? NAIVE_PHB_EKS_WIN : NAIVE_PHB_OHS_WIN;
  return add_line(list, name, turn->result == wanted ? 1 : -1, turn->result != NAIVE_PHB_LIVE, after);
}

static int by_text(const void *one, const void *other) {
  return strcmp(*(char *const *)one, *(char *const *)other);
}

static void sort_list(turn_list *list) {
  qsort(list->lines, list->used, sizeof *list->lines, by_text);
}

static void list_of_game(const game_position *position, turn_list *list) {
  const phb_pair *pair = list->pair;
  char after[GAME_TEXT_BYTES] = "";
  game_moves moves = {0};
  EXPECT(!pair->game->moves(pair->rules, position, &moves), "%s: no list of moves", pair->text);
  for (size_t m = 0; m < moves.used; m++) {
    const game_move *move = &moves.moves[m];
    EXPECT(move->converts == move->over && (move->over || move->gain == 0), "%s: %s converts %d, gains %d",
           pair->text, move->name, move->converts, move->gain);
    if (!move->over) pair->game->print(pair->rules, &move->child, after);
    EXPECT(add_line(list, move->name, move->gain, move->over, after), "%s: too many turns", pair->text);
  }
  game_moves_free(&moves);
}

static void compare_lists(const turn_list *wanted, const turn_list *found, const char *text) {
  const char *rules = wanted->pair->text;
  for (size_t i = 0; i < wanted->used && i < found->used; i++)
    EXPECT(strcmp(wanted->lines[i], found->lines[i]) == 0, "%s, %s: '%s' is wanted, '%s' found", rules, text,
           wanted->lines[i], found->lines[i]);
  EXPECT(wanted->used == found->used, "%s, %s: %zu turns, not %zu", rules, text, found->used, wanted->used);
}

/* The first and last live turns, played as text: a placement and as a rule a jump. */
static void play_line(const turn_list *wanted, const char *text, const char *line) {
  const char *after = strchr(line, ' ') + 1;
  if (strchr(after, '/') == NULL) return;
  const phb_pair *pair = wanted->pair;
  char played[GAME_TEXT_BYTES + NAIVE_PHB_NAME_BYTES], found[GAME_TEXT_BYTES];
  game_position position;
  snprintf(played, sizeof played, "%s moves %.*s", text, (int)(after - line - 1), line);
  EXPECT(!pair->game->parse(pair->rules, played, &position, hear()), "%s, %s: %s", pair->text, played,
         said.text);
  pair->game->print(pair->rules, &position, found);
  EXPECT(strcmp(found, after) == 0, "%s, %s: leads to %s, not %s", pair->text, played, found, after);
}

/* Returns whether the turns are few enough to be compared; *chains: some turn jumps on. */
static bool compare_turns(const phb_pair *pair, const naive_phb_board *board, bool *chains) {
  char text[NAIVE_PHB_TEXT_BYTES], again[GAME_TEXT_BYTES];
  int value;
  naive_phb_write(board, text);
  const game_position position = phb_pair_parsed(pair, board);
  pair->game->print(pair->rules, &position, again);
  EXPECT(strcmp(again, text) == 0, "%s: %s is printed as %s", pair->text, text, again);
  EXPECT(!pair->game->position_ended(pair->rules, &position, &value), "%s, %s: has ended", pair->text, text);
  turn_list wanted = {.pair = pair, .before = *board}, found = {.pair = pair};
  const bool few = naive_phb_each_turn(&pair->naive, board, add_turn, &wanted);
  if (few) {
    list_of_game(&position, &found);
    play_line(&wanted, text, wanted.lines[0]);
    play_line(&wanted, text, wanted.lines[wanted.used - 1]);
    sort_list(&wanted);
    sort_list(&found);
    compare_lists(&wanted, &found, text);
  }
  *chains = wanted.jumps;
  free_list(&wanted);
  free_list(&found);
  return few;
}

static const size boards[] = {{3, 1},  {4, 1}, {5, 1}, {9, 1}, {16, 1}, {48, 1}, {3, 2}, {6, 2},
                              {10, 2}, {3, 3}, {4, 3}, {5, 3}, {7, 3},  {3, 4},  {4, 4}, {6, 4},
                              {3, 5},  {5, 5}, {7, 5}, {3, 6}, {6, 6},  {3, 7},  {5, 7}, {3, 19}};
enum { BOARDS = sizeof boards / sizeof *boards };

CASE(turns_of_random_positions) {
  const int trials = suite_is_long() ? 2000 : 60;
  phb_pair pair = phb_pair_open(_i);
  unsigned long state = (unsigned long)_i;
  int tried = 0, compared = 0, chains = 0;
  for (int b = 0; b < BOARDS; b++) {
    const int points = boards[b].rows * boards[b].columns;
    for (int t = 0; t < trials; t++, tried++) {
      const naive_phb_board board =
          phb_pair_random(&state, boards[b].rows, boards[b].columns, points > 20 ? 20 : points);
      bool chain;
      compared += compare_turns(&pair, &board, &chain);
      chains += chain;
    }
  }
  ck_assert_int_gt(compared, tried / 10 * 9);
  ck_assert_int_gt(chains, tried / 10);
}

CASE(turns_on_large_boards) {
  static const size large[] = {{9, 9}, {19, 15}, {19, 19}, {8, 19}};
  phb_pair pair = phb_pair_open(_i);
  unsigned long state = 100 + (unsigned long)_i;
  const int trials = suite_is_long() ? 500 : 15;
  int compared = 0;
  for (int b = 0; b < 4; b++) {
    for (int t = 0; t < trials; t++) {
      const naive_phb_board board = phb_pair_random(&state, large[b].rows, large[b].columns, 24);
      bool chain;
      compared += compare_turns(&pair, &board, &chain);
    }
  }
  ck_assert_int_gt(compared, trials * 3);
}

CASE(all_turns_on_a_small_board) {
  phb_pair pair = phb_pair_open(_i);
  const int step = suite_is_long() ? 1 : 3;
  for (int ball = 3; ball < 9; ball++) {
    for (unsigned long set = (unsigned long)ball % 3; set < 1UL << 12; set += (unsigned long)step) {
      if (set >> ball & 1) continue;
      const naive_phb_board board = phb_pair_board(4, 3, ball, set);
      bool chain;
      EXPECT(compare_turns(&pair, &board, &chain), "too many turns");
    }
  }
}

/* --- places --- */

static uint8_t copies_of(const phb_pair *pair, game_place place) {
  uint8_t copies = 99;
  pair->game->copies(pair->rules, place.slice, place.index, 1, &copies);
  return copies;
}

static game_place place_of(const phb_pair *pair, const naive_phb_board *board) {
  const game_position position = phb_pair_parsed(pair, board);
  game_place place = {0, 0};
  char text[NAIVE_PHB_TEXT_BYTES];
  naive_phb_write(board, text);
  EXPECT(pair->game->locate(pair->rules, &position, &place), "%s, %s: no place", pair->text, text);
  EXPECT(pair->game->slice_of(pair->rules, &position) == place.slice, "%s, %s: another slice", pair->text,
         text);
  return place;
}

static bool same_place(game_place one, game_place other) {
  return one.slice == other.slice && one.index == other.index;
}

/* Two images at one place, or one; or each at its own. */
static game_place compare_place(const phb_pair *pair, const naive_phb_board *board, game_slice slice) {
  char text[NAIVE_PHB_TEXT_BYTES];
  naive_phb_write(board, text);
  const naive_phb_board image = naive_phb_mirrored(board), turned = naive_phb_turned(board);
  const game_place place = place_of(pair, board);
  EXPECT(place.slice == slice.slice && place.index < slice.positions, "%s: %s is not in its slice",
         pair->text, text);
  EXPECT(same_place(place, place_of(pair, &turned)), "%s, %s: another place turned round", pair->text, text);
  const bool shared = same_place(place, place_of(pair, &image)) && !phb_pair_same(board, &image);
  EXPECT(copies_of(pair, place) == (shared ? 2 : 1), "%s, %s: %d copies", pair->text, text,
         copies_of(pair, place));
  game_position stored;
  pair->game->position_at(pair->rules, place, &stored);
  naive_phb_board found = phb_pair_printed(pair, &stored);
  if (found.eks_moves != board->eks_moves) found = naive_phb_turned(&found);
  EXPECT(phb_pair_same(&found, board) || (shared && phb_pair_same(&found, &image)),
         "%s, %s: its place stands for another", pair->text, text);
  return place;
}

/* Every position has a place, and every place as many as it says. */
static void compare_all_places(const phb_pair *pair, int rows, int columns) {
  const int points = rows * columns;
  const game_slice slice = phb_pair_slice(pair, rows, columns);
  uint8_t *taken = suite_zeros(slice.positions, 1);
  for (int ball = columns; ball < points - columns; ball++) {
    for (unsigned long set = 0; set < 1UL << points; set++) {
      if (set >> ball & 1) continue;
      const naive_phb_board board = phb_pair_board(rows, columns, ball, set);
      taken[compare_place(pair, &board, slice).index]++;
    }
  }
  for (uint64_t index = 0; index < slice.positions; index++)
    EXPECT(taken[index] == copies_of(pair, (game_place){slice.slice, index}),
           "%dx%d: %d positions have the place %d", rows, columns, taken[index], (int)index);
}

CASE(places_of_all_positions) {
  static const size all[] = {{3, 1}, {4, 1}, {7, 1}, {3, 2}, {5, 2}, {3, 3}, {4, 3}, {3, 4}, {12, 1}, {6, 2}};
  phb_pair pair = phb_pair_open(0);
  for (int b = 0; b < (suite_is_long() ? 10 : 8); b++) compare_all_places(&pair, all[b].rows, all[b].columns);
  if (suite_is_long()) {
    compare_all_places(&pair, 5, 3);
    compare_all_places(&pair, 4, 4);
    compare_all_places(&pair, 3, 5);
  }
}

CASE(places_of_random_positions) {
  phb_pair pair = phb_pair_open(_i);
  unsigned long state = 7;
  for (int b = 0; b < BOARDS; b++) {
    const int rows = boards[b].rows, columns = boards[b].columns;
    if (rows * columns > 48) continue;
    const game_slice slice = phb_pair_slice(&pair, rows, columns);
    ck_assert_uint_eq(slice.positions, pair.game->positions(pair.rules, slice.slice));
    for (int t = 0; t < 200; t++) {
      const naive_phb_board board = phb_pair_random(&state, rows, columns, rows * columns);
      compare_place(&pair, &board, slice);
    }
    for (int t = 0; t < 200; t++) {
      const uint64_t high = (uint64_t)phb_pair_any(&state, 1 << 30),
                     low = (uint64_t)phb_pair_any(&state, 1 << 30);
      const game_place place = {slice.slice,
                                t == 0 ? slice.positions - 1 : (high << 30 | low) % slice.positions};
      game_position position;
      pair.game->position_at(pair.rules, place, &position);
      const naive_phb_board board = phb_pair_printed(&pair, &position);
      EXPECT(same_place(compare_place(&pair, &board, slice), place), "%dx%d: %lu has another place", rows,
             columns, (unsigned long)place.index);
    }
  }
}

CASE(positions_add_up) {
  static const size summed[] = {{3, 1}, {9, 1}, {16, 1}, {7, 2}, {5, 3},
                                {6, 3}, {4, 4}, {3, 5},  {3, 6}, {5, 4}};
  enum { CHUNK = 1 << 14 };
  static uint8_t copies[CHUNK];
  phb_pair pair = phb_pair_open(0);
  for (int b = 0; b < 10; b++) {
    const int rows = summed[b].rows, columns = summed[b].columns;
    const game_slice slice = phb_pair_slice(&pair, rows, columns);
    uint64_t sum = 0;
    for (uint64_t first = 0; first < slice.positions; first += CHUNK) {
      const size_t count = slice.positions - first < CHUNK ? (size_t)(slice.positions - first) : CHUNK;
      pair.game->copies(pair.rules, slice.slice, first, count, copies);
      for (size_t i = 0; i < count; i++) sum += copies[i];
    }
    ck_assert_uint_eq(sum, (uint64_t)((rows - 2) * columns) << (rows * columns - 1));
  }
}

CASE(boards_without_a_table) {
  static const size large[] = {{7, 7}, {19, 15}, {3, 17}};
  phb_pair pair = phb_pair_open(0);
  unsigned long state = 1;
  for (int b = 0; b < 3; b++) {
    const naive_phb_board board = phb_pair_random(&state, large[b].rows, large[b].columns, 10);
    const game_position position = phb_pair_parsed(&pair, &board);
    game_place place;
    ck_assert(!pair.game->locate(pair.rules, &position, &place));
    ck_assert_uint_eq(pair.game->slice_of(pair.rules, &position), GAME_NO_SLICE);
  }
}

SUITE("phutball against the slow definition") {
  TIMEOUT(1800);
  GROUP("turns");
  LOOP(turns_of_random_positions, PHB_PAIR_RULE_SETS);
  LOOP(turns_on_large_boards, PHB_PAIR_RULE_SETS);
  LOOP(all_turns_on_a_small_board, PHB_PAIR_RULE_SETS);
  GROUP("places");
  TEST(places_of_all_positions);
  LOOP(places_of_random_positions, PHB_PAIR_RULE_SETS);
  TESTS(positions_add_up, boards_without_a_table);
}
