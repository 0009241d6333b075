/* Tables of Phutball sampled by the slow definition: a position is worth the best of its turns, and a draw is
 * held turn by turn. SAMPLED_TABLES and SAMPLED_BOARD name larger tables, SAMPLED_BOARDS how many boards. */
#include "tests/support/analysis/asked.h"
#include "tests/support/probe_built.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_phutball_pair.h"

enum { MOST_TURNS = 600, REPLAYED_TURNS = 40, CHUNK = 1 << 20 };

static const built_tables small = {.game = "phutball", .rules = "base", .board = "7x3"};

typedef struct {
  tauler *db;
  tauler_tables *tables;
  int rows, columns;
  unsigned long state;
} sample;

static sample open_sample(void) {
  const char *tables = getenv("SAMPLED_TABLES"), *board = getenv("SAMPLED_BOARD");
  sample s = {.state = 28};
  EXPECT(sscanf(board ? board : small.board, "%dx%d", &s.rows, &s.columns) == 2, "no board: %s", board);
  if (!tables) build_sample(&small, folder);
  s.db = asked_at(tables ? tables : folder);
  s.tables = select_sample(s.db, &small);
  return s;
}

/* --- turns --- */

typedef struct {
  naive_phb_board boards[MOST_TURNS]; /* live */
  char texts[MOST_TURNS][NAIVE_PHB_TEXT_BYTES];
  const char *names[MOST_TURNS];
  tauler_worth worths[MOST_TURNS];
  size_t used;
  naive_phb_result goal; /* for the mover */
  bool won, lost;        /* by a turn */
} turns;

static bool note_turn(void *user, const naive_phb_turn *turn) {
  turns *all = user;
  if (turn->result != NAIVE_PHB_LIVE) {
    *(turn->result == all->goal ? &all->won : &all->lost) = true;
    return true;
  }
  if (all->used == MOST_TURNS) return false;
  all->boards[all->used] = turn->after;
  naive_phb_write(&turn->after, all->texts[all->used]);
  all->names[all->used] = all->texts[all->used];
  all->used++;
  return true;
}

/* False if there are too many. */
static bool find_turns(const sample *s, const naive_phb_board *board, turns *all) {
  static const naive_phb_rules base = {false, false};
  all->used = 0;
  all->won = all->lost = false;
  all->goal = board->eks_moves ? NAIVE_PHB_EKS_WIN : NAIVE_PHB_OHS_WIN;
  if (!naive_phb_each_turn(&base, board, note_turn, all)) return false;
  MUST(tauler_values(s->tables, all->names, all->used, all->worths, hear()));
  return true;
}

static double best_of(const turns *all) {
  double best = all->lost ? -1 : -2;
  for (size_t i = 0; i < all->used; i++) {
    EXPECT(all->worths[i].known && all->worths[i].lower == all->worths[i].upper, "%s has no value",
           all->texts[i]);
    if (-all->worths[i].upper > best) best = -all->worths[i].upper;
  }
  return all->won ? 1 : best;
}

/* Holds the table against the turns. */
static bool check_value(const sample *s, const naive_phb_board *board, turns *all, double *value) {
  char text[NAIVE_PHB_TEXT_BYTES];
  tauler_worth worth;
  naive_phb_write(board, text);
  if (!find_turns(s, board, all)) return false;
  EXPECT(!tauler_value(s->tables, text, &worth, NULL) && worth.known, "%s has no value", text);
  EXPECT(worth.lower == worth.upper && worth.lower == best_of(all), "%s is worth %g, its turns %g", text,
         worth.lower, best_of(all));
  *value = worth.lower;
  return true;
}

/* Both sides choose a turn to a drawn position by chance: there always is one, and play goes on. */
static void replay_draw(sample *s, naive_phb_board board, turns *all) {
  for (int ply = 0; ply < REPLAYED_TURNS; ply++) {
    double value;
    size_t drawn[MOST_TURNS], used = 0;
    if (!check_value(s, &board, all, &value)) return;
    EXPECT(value == 0 && !all->won, "a draw is decided after %d turns", ply);
    for (size_t i = 0; i < all->used; i++)
      if (all->worths[i].lower == 0) drawn[used++] = i;
    EXPECT(used > 0, "no turn keeps the draw after %d turns", ply);
    board = all->boards[drawn[phb_pair_any(&s->state, (int)used)]];
  }
}

/* Drawn positions in the order of the table, until so many are replayed. */
static long replay_draws(sample *s, turns *all, int wanted) {
  int8_t *lower = suite_zeros(CHUNK, 1), *upper = suite_zeros(CHUNK, 1);
  char name[32];
  uint32_t slice;
  uint64_t positions;
  long replayed = 0;
  snprintf(name, sizeof name, "%dx%d", s->rows, s->columns);
  EXPECT(!tauler_find_slice(s->tables, name, &slice, &positions, NULL), "no slice %s", name);
  for (uint64_t first = 0; first < positions && replayed < wanted; first += CHUNK) {
    const uint64_t left = positions - first;
    const size_t n = left < CHUNK ? (size_t)left : CHUNK;
    EXPECT(!tauler_bounds_at(s->tables, slice, first, n, lower, upper, NULL), "no cells");
    for (size_t i = 0; i < n && replayed < wanted; i++) {
      char text[TAULER_POSITION_BYTES];
      naive_phb_board board;
      if (lower[i] || upper[i]) continue;
      EXPECT(!tauler_position_at(s->tables, slice, first + i, text, NULL), "no position");
      if (!text[0]) continue;
      EXPECT(naive_phb_read(text, &board), "no board: %s", text);
      replay_draw(s, board, all);
      replayed++;
    }
  }
  return replayed;
}

CASE(values_are_the_best_of_turns_and_draws_are_held) {
  const char *wanted = getenv("SAMPLED_BOARDS");
  const long boards = wanted ? atol(wanted) : 1000;
  sample s = open_sample();
  turns *all = suite_zeros(1, sizeof *all);
  long checked = 0;
  for (long i = 0; i < boards; i++) {
    const naive_phb_board board = phb_pair_random(&s.state, s.rows, s.columns, s.rows * s.columns - 1);
    double value;
    checked += check_value(&s, &board, all, &value);
  }
  const long draws = replay_draws(&s, all, (int)(boards / 50));
  printf("%dx%d: %ld of %ld boards, and %ld draws\n", s.rows, s.columns, checked, boards, draws);
  EXPECT(checked > boards / 2 && draws > 0, "too few boards were looked at");
}

SUITE("phutball_sampled") {
  FIXTURE(make_folder, remove_folder);
  TIMEOUT(3600);
  TEST(values_are_the_best_of_turns_and_draws_are_held);
}
