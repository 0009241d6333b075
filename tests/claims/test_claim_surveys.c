/* Claims that count all positions of small boards and endings: every figure against the slow definitions. */
/* Tier: make check */

#include "tests/naive/naive_doushouqi_solve.h"
#include "tests/naive/naive_phutball_solve.h"
#include "tests/support/analysis/claim_figures.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"

static memory_budget memory;
static const naive_phb_rules base_rules;

static void prepare(void) {
  make_folder();
  memory_budget_open(&memory, 256 << 20);
}

/* --- phutball: turns --- */

enum { SHORT_BOARDS = 3 };
static const struct {
  int rows, columns;
  const char *name;
} boards[] = {{4, 3, "4x3"}, {3, 4, "3x4"}, {6, 2, "6x2"}, {5, 3, "5x3"}};

typedef struct {
  const naive_phb_board *board;
  bool eks;
  int row;            /* to be reached */
  bool wins, reaches; /* by jumps */
  int paths, needed;
} jump_question;

static bool count_jump(void *user, const naive_phb_turn *turn) {
  jump_question *q = user;
  if (turn->stops < 2) return true;
  const int row = turn->stop[turn->stops - 1].row;
  q->paths++;
  q->wins = q->wins || turn->result == (q->eks ? NAIVE_PHB_EKS_WIN : NAIVE_PHB_OHS_WIN);
  q->reaches = q->reaches || (q->eks ? row <= q->row : row >= q->row);
  return true;
}

static jump_question ask_jumps(const naive_phb_board *board, int row) {
  jump_question q = {.board = board, .eks = board->eks_moves, .row = row};
  naive_phb_each_turn(&base_rules, board, count_jump, &q);
  return q;
}

static bool wins_at_once(const naive_phb_board *board) {
  return ask_jumps(board, 0).wins;
}

static int sign(int n) {
  return (n > 0) - (n < 0);
}

/* Whether a jump in a direction over the men of the board finds no point before the side line. */
static bool has_no_point(const naive_phb_board *board, naive_phb_point from, int along, int across) {
  int row = from.row + along, column = from.column + across;
  while (row >= 1 && row <= board->rows && column >= 1 && column <= board->columns &&
         board->man[row][column]) {
    row += along;
    column += across;
  }
  return column < 1 || column > board->columns;
}

/* --- phutball: defences --- */

typedef struct {
  const naive_phb_board *board; /* the other side to move */
  naive_phb_point man;
  bool blocks;
} block_question;

/* Plays a path that wins, and looks at each jump that ends on the man's point. */
static bool count_chain(void *user, const naive_phb_turn *turn) {
  block_question *q = user;
  naive_phb_board now = *q->board;
  if (turn->result != (now.eks_moves ? NAIVE_PHB_EKS_WIN : NAIVE_PHB_OHS_WIN)) return true;
  for (int i = 1; i < turn->stops; i++) {
    const naive_phb_point from = turn->stop[i - 1], to = turn->stop[i];
    const int along = sign(to.row - from.row), across = sign(to.column - from.column);
    if (to.row == q->man.row && to.column == q->man.column) {
      naive_phb_board filled = now;
      filled.man[to.row][to.column] = true;
      q->blocks = q->blocks || has_no_point(&filled, from, along, across);
    }
    for (int row = from.row + along, column = from.column + across; row != to.row || column != to.column;
         row += along, column += across)
      now.man[row][column] = false;
  }
  return true;
}

enum { LONGER, EDGE, JUMP, KINDS };
typedef struct {
  int threatened, spoilt, saved, stops[KINDS], kept[KINDS], only_men, only_edge, only_jumps;
  int edge_jumps, edge_blocked;
  int both, back, back_kept, freed, free_kept, both_keep, only_back, only_free;
  int won, open, open_needed, paths;
} phutball_figures;

typedef struct {
  const naive_phb_world *world;
  naive_phb_board board, other; /* the same with the other side to move */
  int value;
  bool spoilt;
  int stops[KINDS], kept[KINDS], edge_jumps, edge_blocked;
  int ahead[2], ahead_kept[2]; /* without a way back, and with one */
} counted;

static int worth_of_turn(const counted *c, const naive_phb_turn *turn) {
  if (turn->result != NAIVE_PHB_LIVE) return turn->result == NAIVE_PHB_OHS_WIN ? 1 : -1;
  return -naive_phb_worth(c->world, naive_phb_number_of(c->world, &turn->after)).value;
}

static void count_stop(counted *c, const naive_phb_turn *turn, bool keeps) {
  int kind = JUMP;
  if (turn->stops == 1) {
    block_question q = {.board = &c->other, .man = turn->stop[0]};
    naive_phb_each_turn(&base_rules, &c->other, count_chain, &q);
    kind = q.blocks ? EDGE : LONGER;
    c->spoilt = true;
  }
  c->stops[kind]++;
  c->kept[kind] += keeps;
}

static void count_edge_jump(counted *c, const naive_phb_turn *turn) {
  const naive_phb_point from = turn->stop[0], to = turn->stop[1];
  const bool edge = to.column == 1 || to.column == c->board.columns;
  if (!edge || to.column == from.column || to.row < 1 || to.row > c->board.rows) return;
  naive_phb_board filled = c->board;
  filled.man[to.row][to.column] = true;
  c->edge_jumps++;
  c->edge_blocked += has_no_point(&filled, from, sign(to.row - from.row), sign(to.column - from.column));
}

static bool count_turn(void *user, const naive_phb_turn *turn) {
  counted *c = user;
  const bool keeps = worth_of_turn(c, turn) == c->value, live = turn->result == NAIVE_PHB_LIVE;
  if (live && !wins_at_once(&turn->after)) count_stop(c, turn, keeps);
  if (turn->stops == 2) count_edge_jump(c, turn);
  if (!live || turn->stops < 2 || turn->after.ball.row <= c->board.ball.row) return true;
  const bool back = ask_jumps(&turn->after, c->board.ball.row).reaches;
  c->ahead[back]++;
  c->ahead_kept[back] += keeps;
  return true;
}

static void add_defences(const counted *c, phutball_figures *sum) {
  const bool men = c->kept[LONGER] + c->kept[EDGE] > 0, jumps = c->kept[JUMP] > 0;
  sum->threatened++;
  sum->spoilt += c->spoilt;
  if (c->value < 0) return;
  sum->saved++;
  sum->only_men += men && !jumps;
  sum->only_jumps += jumps && !men;
  sum->only_edge += c->kept[EDGE] && !c->kept[LONGER] && !jumps;
  for (int kind = 0; kind < KINDS; kind++) {
    sum->stops[kind] += c->stops[kind];
    sum->kept[kind] += c->kept[kind];
  }
}

static void add_ways_back(const counted *c, phutball_figures *sum) {
  if (c->value < 0 || c->ahead[0] == 0 || c->ahead[1] == 0) return;
  sum->both++;
  sum->freed += c->ahead[0];
  sum->back += c->ahead[1];
  sum->free_kept += c->ahead_kept[0];
  sum->back_kept += c->ahead_kept[1];
  sum->both_keep += c->ahead_kept[0] && c->ahead_kept[1];
  sum->only_back += !c->ahead_kept[0] && c->ahead_kept[1];
  sum->only_free += c->ahead_kept[0] && !c->ahead_kept[1];
}

static void count_position(const naive_phb_world *world, int number, phutball_figures *sum) {
  counted c = {.world = world, .board = naive_phb_board_of(world, number)};
  const jump_question jumps = ask_jumps(&c.board, 0);
  c.other = c.board;
  c.other.eks_moves = true;
  c.value = naive_phb_worth(world, number).value;
  naive_phb_each_turn(&base_rules, &c.board, count_turn, &c);
  sum->paths += jumps.paths;
  sum->won += jumps.wins;
  sum->open += !jumps.wins;
  sum->open_needed += jumps.wins ? 0 : jumps.paths;
  sum->edge_jumps += c.edge_jumps;
  sum->edge_blocked += c.edge_blocked;
  if (jumps.wins) return;
  add_ways_back(&c, sum);
  if (wins_at_once(&c.other)) add_defences(&c, sum);
}

static phutball_figures count_board(int i) {
  phutball_figures sum = {.won = 0};
  naive_phb_world *world = naive_phb_solve(&base_rules, boards[i].rows, boards[i].columns);
  HOLDS(world != NULL);
  for (int number = 0; number < naive_phb_numbers(world); number++)
    if (naive_phb_is_position(world, number)) count_position(world, number, &sum);
  return sum;
}

static void check_defences(const claim_job *job, const phutball_figures *sum) {
  claim_found found;
  run_claim("phutball-spoil", *job, sum->only_men ? VERDICT_HOLDS_FOR : VERDICT_OPEN, &found);
  check_number(&found, "boards", 0, "threatened", sum->threatened);
  check_number(&found, "boards", 0, "spoilt", sum->spoilt);
  check_number(&found, "boards", 0, "saved", sum->saved);
  check_number(&found, "boards", 0, "men", sum->stops[LONGER] + sum->stops[EDGE]);
  check_number(&found, "boards", 0, "men_kept", sum->kept[LONGER] + sum->kept[EDGE]);
  check_number(&found, "boards", 0, "jumps", sum->stops[JUMP]);
  check_number(&found, "boards", 0, "jumps_kept", sum->kept[JUMP]);
  check_number(&found, "boards", 0, "only_men", sum->only_men);
  check_number(&found, "boards", 0, "only_jumps", sum->only_jumps);
  run_claim("phutball-edge-block", *job, sum->edge_jumps ? VERDICT_HOLDS : VERDICT_OPEN, &found);
  check_number(&found, "boards", 0, "jumps", sum->edge_jumps);
  check_number(&found, "boards", 0, "blocked", sum->edge_blocked);
  check_number(&found, "boards", 0, "longer", sum->stops[LONGER]);
  check_number(&found, "boards", 0, "longer_kept", sum->kept[LONGER]);
  check_number(&found, "boards", 0, "edge", sum->stops[EDGE]);
  check_number(&found, "boards", 0, "edge_kept", sum->kept[EDGE]);
  check_number(&found, "boards", 0, "only_edge", sum->only_edge);
}

static void check_ways_back(const claim_job *job, const phutball_figures *sum) {
  claim_found found;
  run_claim("phutball-way-back", *job, sum->both ? VERDICT_HOLDS_FOR : VERDICT_OPEN, &found);
  check_number(&found, "boards", 0, "positions", sum->both);
  check_number(&found, "boards", 0, "back", sum->back);
  check_number(&found, "boards", 0, "back_kept", sum->back_kept);
  check_number(&found, "boards", 0, "free", sum->freed);
  check_number(&found, "boards", 0, "free_kept", sum->free_kept);
  check_number(&found, "boards", 0, "both", sum->both_keep);
  check_number(&found, "boards", 0, "only_back", sum->only_back);
  check_number(&found, "boards", 0, "only_free", sum->only_free);
}

CASE(phutball_boards_as_the_slow_definition_says) {
  const claim_job job = {.board = boards[_i].name, .memory = &memory};
  const phutball_figures sum = count_board(_i);
  claim_found found;
  check_defences(&job, &sum);
  check_ways_back(&job, &sum);
  run_claim("phutball-win-in-one", job, VERDICT_OPEN, &found);
  check_number(&found, "boards", 0, "won", sum.won);
  check_mean(&found, "boards", 0, "paths", (double)sum.paths / (sum.won + sum.open));
  check_mean(&found, "boards", 0, "open_needed", (double)sum.open_needed / sum.open);
}

/* --- dou shou qi: one animal each --- */

enum { ANIMALS = 8, ENEMY_TRAP = 0, OWN_TRAP, WATER, SHORE, LAND, GROUNDS };
static const char *const grounds[] = {"enemy_trap", "own_trap", "water", "shore", "land"};

typedef struct {
  const naive_dsq_rules *rules;
  naive_dsq_ending *ending;
  int animal[2];
} pair;

typedef struct {
  double positions, score, taken;
} ground_count;

typedef struct {
  ground_count off[ANIMALS][GROUNDS][ANIMALS], on[ANIMALS][GROUNDS][ANIMALS]; /* by animal, then enemy */
} trap_counts;

typedef struct {
  int stalked, saved, steps, steps_kept, walks, walks_kept, safe, some, only;
} refuge_counts;

static bool is_water(int square) {
  const int file = square % 7, rank = square / 7;
  return rank >= 3 && rank <= 5 && file != 0 && file != 3 && file != 6;
}

static bool are_neighbours(int a, int b) {
  return abs(a % 7 - b % 7) + abs(a / 7 - b / 7) == 1;
}

static int ground_of(bool black, int square) {
  const int dens[] = {3, 59}; /* d1, d9 */
  if (are_neighbours(square, dens[!black])) return ENEMY_TRAP;
  if (are_neighbours(square, dens[black])) return OWN_TRAP;
  if (is_water(square)) return WATER;
  for (int other = 0; other < 63; other++)
    if (is_water(other) && are_neighbours(square, other)) return SHORE;
  return LAND;
}

static bool can_capture(const pair *p, const int squares[2], bool black) {
  naive_dsq_move moves[NAIVE_DSQ_MOST_MOVES];
  const naive_dsq_board board = naive_dsq_board_of(p->ending, squares, black);
  const int n = naive_dsq_moves(p->rules, &board, moves);
  for (int i = 0; i < n; i++)
    if (moves[i].to == squares[!black]) return true;
  return false;
}

static void count_grounds(const pair *p, const int squares[2], trap_counts *out) {
  const int white = p->animal[0], black = p->animal[1];
  const int value = naive_dsq_worth(p->ending, squares, false).value;
  ground_count *own = &out->on[white][ground_of(false, squares[0])][black];
  ground_count *other = &out->off[black][ground_of(true, squares[1])][white];
  own->positions++;
  own->score += 50 * (1 + value);
  other->positions++;
  other->score += 50 * (1 - value);
  other->taken += 100 * can_capture(p, squares, false);
}

/* White's moves from a stalked position. */
static void count_refuges(const pair *p, const int squares[2], refuge_counts *out) {
  naive_dsq_move moves[NAIVE_DSQ_MOST_MOVES];
  const naive_dsq_board board = naive_dsq_board_of(p->ending, squares, false);
  const int n = naive_dsq_moves(p->rules, &board, moves),
            value = naive_dsq_worth(p->ending, squares, false).value;
  refuge_counts own = {.stalked = 1, .saved = value >= 0};
  for (int i = 0; i < n; i++) {
    const int after[2] = {moves[i].to, squares[1]};
    const naive_dsq_board child = naive_dsq_after(&board, moves[i]);
    if (naive_dsq_winner(&child)) return;
    const bool keeps = -naive_dsq_worth(p->ending, after, true).value == value, step = is_water(moves[i].to);
    *(step ? &own.steps : &own.walks) += 1;
    *(step ? &own.steps_kept : &own.walks_kept) += keeps;
    own.safe += step && !can_capture(p, after, true);
  }
  if (!own.steps) return;
  out->stalked++;
  if (!own.saved) return;
  out->saved++;
  out->steps += own.steps;
  out->steps_kept += own.steps_kept;
  out->walks += own.walks;
  out->walks_kept += own.walks_kept;
  out->safe += own.safe;
  out->some += own.steps_kept > 0;
  out->only += own.steps_kept && !own.walks_kept;
}

/* Every animal against every other. */
static void count_pairs(const naive_dsq_rules *rules, trap_counts *traps, refuge_counts refuges[ANIMALS]) {
  for (int number = 0; number < ANIMALS * ANIMALS; number++) {
    pair p = {.rules = rules, .animal = {number / ANIMALS, number % ANIMALS}};
    const signed char pieces[] = {(signed char)(p.animal[0] + 1), (signed char)-(p.animal[1] + 1)};
    p.ending = naive_dsq_solve(rules, pieces, 2);
    HOLDS(p.ending != NULL);
    for (int square = 0; square < 63 * 63; square++) {
      const int squares[] = {square / 63, square % 63};
      if (!naive_dsq_is_position(p.ending, squares)) continue;
      if (traps) count_grounds(&p, squares, traps);
      if (refuges && !is_water(squares[0]) && can_capture(&p, squares, true))
        count_refuges(&p, squares, &refuges[p.animal[0]]);
    }
  }
}

/* The mean over the enemies. */
static void check_ground(const claim_found *found, const char *table, int animal, const char *column,
                         const ground_count counts[ANIMALS], bool taken) {
  double sum = 0;
  for (int enemy = 0; enemy < ANIMALS; enemy++)
    sum += (taken ? counts[enemy].taken : counts[enemy].score) / counts[enemy].positions / ANIMALS;
  check_mean(found, table, animal, column, sum);
}

CASE(traps_as_the_slow_definition_says) {
  const naive_dsq_rules clearings = {.clearings = true};
  trap_counts *base = suite_zeros(1, sizeof *base), *open = suite_zeros(1, sizeof *open);
  claim_found found;
  HOLDS(base && open);
  count_pairs(&naive_dsq_base, base, NULL);
  count_pairs(&clearings, open, NULL);
  run_claim("doushouqi-traps", (claim_job){.pieces = 2, .memory = &memory}, VERDICT_HOLDS_FOR, &found);
  for (int animal = 0; animal < ANIMALS; animal++) {
    for (int g = 0; g < GROUNDS; g++) {
      if (g == WATER && animal > 0) continue;
      check_ground(&found, "taken", animal, grounds[g], base->off[animal][g], true);
      check_ground(&found, "off_move", animal, grounds[g], base->off[animal][g], false);
      check_ground(&found, "on_move", animal, grounds[g], base->on[animal][g], false);
    }
    check_ground(&found, "clearings", animal, "taken_clearings", open->off[animal][OWN_TRAP], true);
    check_ground(&found, "clearings", animal, "score_clearings", open->off[animal][OWN_TRAP], false);
  }
}

static void check_share(const claim_found *found, int row, const char *column, int part, int all) {
  if (all) check_mean(found, "refuges", row, column, 100.0 * part / all);
}

CASE(refuges_as_the_slow_definition_says) {
  const naive_dsq_rules rules[] = {naive_dsq_base, {.lakes = NAIVE_LAKES_DRINK}};
  claim_found found;
  int row = 0;
  run_claim("doushouqi-water-refuge", (claim_job){.pieces = 2, .memory = &memory}, VERDICT_HOLDS_FOR, &found);
  for (int set = 0; set < ROWS(rules); set++) {
    refuge_counts counts[ANIMALS] = {{.stalked = 0}};
    count_pairs(&rules[set], NULL, counts);
    for (int animal = 0; animal < ANIMALS; animal++) {
      const refuge_counts *is = &counts[animal];
      if (!is->stalked) continue;
      check_number(&found, "refuges", row, "stalked", is->stalked);
      check_number(&found, "refuges", row, "saved", is->saved);
      check_number(&found, "refuges", row, "steps", is->steps);
      check_share(&found, row, "steps_kept", is->steps_kept, is->steps);
      check_share(&found, row, "walks_kept", is->walks_kept, is->walks);
      check_share(&found, row, "safe", is->safe, is->steps);
      check_share(&found, row, "some", is->some, is->saved);
      check_share(&found, row, "only", is->only, is->saved);
      row++;
    }
  }
  ck_assert_int_eq(row, 8);
}

SUITE("claim_surveys") {
  FIXTURE(prepare, remove_folder);
  LOOP(phutball_boards_as_the_slow_definition_says, SOME(SHORT_BOARDS, ROWS(boards)));
  TEST(traps_as_the_slow_definition_says);
  TEST(refuges_as_the_slow_definition_says);
}
