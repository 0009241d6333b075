/* Learning by self-play: slopes against differences, the same bytes for the same seed, files that are damaged
 * or foreign, ends in tables of smaller games, and play that is better than chance and never better than the
 * tables. */
#include <math.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "analysis/learn/learn.h"
#include "analysis/probe/chance_worth.h"
#include "games/game_options.h"
#include "games/registry.h"
#include "tests/support/analysis/contest.h"
#include "tests/support/suite.h"

static const game *const ase = &oca_asesina_game;

static const game *oca(void) {
  const game *found;
  MUST(game_options_find("oca", &found, hear()));
  return found;
}

/* --- the network --- */

enum { INPUTS = 7, HIDDEN = 16 };

static void draw_input(dice_random *from, float input[INPUTS]) {
  for (int i = 0; i < INPUTS; i++) input[i] = (float)dice_random_below(from, 5) / 4 - 0.25F;
  input[3] = 0;
}

static double loss_of(const network *n, const float *input, double target) {
  const double p = network_ask(n, input);
  return -target * log(p) - (1 - target) * log(1 - p);
}

/* By differences, as far as rounding to float lets them. */
CASE(slopes_are_those_of_differences) {
  dice_random from = dice_random_open(3, 0);
  network n;
  float input[INPUTS];
  const double target = 0.8, step = 1.0 / 512;
  MUST(network_open(INPUTS, HIDDEN, &from, &n));
  draw_input(&from, input);
  network_add_slopes(&n, input, target, 0.5);
  network_add_slopes(&n, input, target, 0.5);
  int above = 0;
  for (size_t i = 0; i < n.used; i++) {
    const float weight = n.weight[i];
    n.weight[i] = weight + (float)step;
    const double more = loss_of(&n, input, target);
    n.weight[i] = weight - (float)step;
    const double less = loss_of(&n, input, target);
    n.weight[i] = weight;
    ck_assert_double_eq_tol((double)n.slope[i], (more - less) / (2 * step), 1e-4);
    above += fabsf(n.slope[i]) > 1e-3F;
  }
  ck_assert_int_gt(above, (int)n.used / 4);
  network_close(&n);
}

CASE(steps_lead_to_the_target) {
  dice_random from = dice_random_open(4, 0);
  network n;
  float input[2][INPUTS];
  static const double target[2] = {0.15, 0.9};
  MUST(network_open(INPUTS, HIDDEN, &from, &n));
  for (int i = 0; i < 2; i++) draw_input(&from, input[i]);
  for (int step = 0; step < 400; step++) {
    for (int i = 0; i < 2; i++) network_add_slopes(&n, input[i], target[i], 0.5);
    network_step(&n, 0.02);
  }
  for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(network_ask(&n, input[i]), target[i], 0.01);
  network_close(&n);
}

CASE(the_exponential) {
  for (int i = -1865; i < 1865; i++) {
    const double x = 0.37 * i;
    const double right = exp(x);
    ck_assert_double_le(fabs(network_exp(x) - right), right * 1e-13);
  }
  ck_assert_double_eq(network_exp(0), 1);
}

/* --- self-play --- */

static const learn_settings settings = {
    .seed = 5, .games = 300, .lambda = 0.7, .rate = 0.005, .tried = 0.05, .hidden = 16};
static const learned_from from = {"board of 7 tokens 2"};

static learn_field field_of(const contest *t) {
  return (learn_field){.game = ase, .rules = t->rules, .slice = t->slices.slices[t->slices.used - 1].slice};
}

static void play_on(learned *l, const learn_field *field, uint64_t games) {
  self_play *p;
  if (self_play_open(l, field, 1, &p, hear())) ck_abort_msg("%s", said.text);
  for (uint64_t i = 0; i < games; i++) MUST(self_play_game(p, hear()));
  self_play_close(p);
}

static void begin_learning(learned *l) {
  MUST(learned_open(ase, &settings, l, hear()));
}

static const char *path_of(const char *name) {
  static char path[SUITE_FOLDER_BYTES + 32];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void save(const learned *l, const char *name) {
  if (learned_save(path_of(name), ase, &from, l, hear())) ck_abort_msg("%s", said.text);
}

static size_t read_file(const char *name, unsigned char **bytes) {
  FILE *file = fopen(path_of(name), "rb");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
  const size_t n = (size_t)ftell(file);
  rewind(file);
  *bytes = suite_zeros(n, 1);
  ck_assert_uint_eq(fread(*bytes, 1, n, file), n);
  fclose(file);
  return n;
}

static void write_file(const char *name, const unsigned char *bytes, size_t n) {
  FILE *file = fopen(path_of(name), "wb");
  ck_assert_ptr_nonnull(file);
  ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
  ck_assert_int_eq(fclose(file), 0);
}

static bool same_files(const char *one, const char *other) {
  unsigned char *a, *b;
  const size_t n = read_file(one, &a), m = read_file(other, &b);
  const bool same = n == m && memcmp(a, b, n) == 0;
  return same;
}

/* Also where it was stopped in between, and not with another seed. */
CASE(the_same_seed_gives_the_same_bytes) {
  contest t;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  const learn_field field = field_of(&t);
  learned whole, part, other;
  learned_from read;
  begin_learning(&whole);
  play_on(&whole, &field, 40);
  save(&whole, "whole");
  begin_learning(&part);
  play_on(&part, &field, 17);
  save(&part, "part");
  learned_close(&part);
  MUST(learned_load(path_of("part"), ase, &part, &read, hear()));
  ck_assert_str_eq(read.text, from.text);
  ck_assert_uint_eq(part.played, 17);
  play_on(&part, &field, 23);
  save(&part, "part");
  ck_assert(same_files("whole", "part"));
  begin_learning(&other);
  other.dice = dice_random_open(6, 0);
  play_on(&other, &field, 40);
  save(&other, "other");
  ck_assert(!same_files("whole", "other"));
  learned_close(&whole);
  learned_close(&part);
  learned_close(&other);
}

static tauler_error load_error(const char *name, const game *game) {
  learned l;
  learned_from read;
  const tauler_error error = learned_load(path_of(name), game, &l, &read, hear());
  learned_close(&l);
  return error;
}

CASE(damaged_and_foreign_files) {
  learned l;
  unsigned char *bytes;
  begin_learning(&l);
  save(&l, "file");
  learned_close(&l);
  const size_t n = read_file("file", &bytes);
  for (size_t at = 0; at < n; at += 1 + n / 97) {
    bytes[at] ^= 0x10;
    write_file("bad", bytes, n);
    bytes[at] ^= 0x10;
    ck_assert_int_eq(load_error("bad", ase), TAULER_DAMAGED_FILE);
  }
  for (size_t cut = 0; cut < n; cut += 1 + n / 13) {
    write_file("bad", bytes, cut);
    ck_assert_int_eq(load_error("bad", ase), TAULER_DAMAGED_FILE);
  }
  ck_assert_int_eq(load_error("file", oca()), TAULER_BAD_USAGE);
  REFUSED(TAULER_IO, "none", load_error("none", ase));
  MUST(load_error("file", ase));
}

/* --- files that others made: the digest is right, numbers are not
 */

enum {
  DICE_AT = 112,
  LAMBDA_AT = 72,
  GAMES_AT = 56,
  WEIGHTS_AT = 1200
}; /* offsets in a file, which DIGEST_BYTES end */

static tauler_error load_changed(const unsigned char *bytes, size_t n, size_t at, const void *to,
                                 size_t used) {
  unsigned char *copy = suite_zeros(n, 1);
  memcpy(copy, bytes, n);
  memcpy(copy + at, to, used);
  XXH128_canonical_t digest;
  XXH128_canonicalFromHash(&digest, XXH3_128bits(copy, n - sizeof digest));
  memcpy(copy + n - sizeof digest, &digest, sizeof digest);
  write_file("made", copy, n);
  return load_error("made", ase);
}

CASE(numbers_that_no_learning_comes_to) {
  static const float wrong[] = {NAN, INFINITY, -INFINITY};
  static const float square = -1, weight = -1;
  static const uint64_t zeros[4] = {0}, dice[4] = {1};
  static const double lambda = NAN;
  learned l;
  unsigned char *bytes;
  begin_learning(&l);
  const size_t used = l.net.used * sizeof(float);
  save(&l, "file");
  learned_close(&l);
  const size_t n = read_file("file", &bytes);
  ck_assert_uint_eq(n, WEIGHTS_AT + 3 * used + 16);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    for (size_t block = 0; block < 3; block++)
      REFUSED(TAULER_DAMAGED_FILE, "no learning comes to",
              load_changed(bytes, n, WEIGHTS_AT + block * used + 4 * i, &wrong[i], sizeof *wrong));
  ck_assert_int_eq(load_changed(bytes, n, WEIGHTS_AT + 3 * used - 4, &square, sizeof square),
                   TAULER_DAMAGED_FILE);
  MUST(load_changed(bytes, n, WEIGHTS_AT, &weight, sizeof weight));
  ck_assert_int_eq(load_changed(bytes, n, DICE_AT, zeros, sizeof zeros), TAULER_DAMAGED_FILE);
  MUST(load_changed(bytes, n, DICE_AT, dice, sizeof dice));
  ck_assert_int_eq(load_changed(bytes, n, LAMBDA_AT, &lambda, sizeof lambda), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(load_changed(bytes, n, GAMES_AT, zeros, sizeof *zeros), TAULER_DAMAGED_FILE);
}

/* A pipe is not waited for, and what cannot be read is not called damaged. */
CASE(what_is_no_file) {
  ck_assert_int_eq(mkfifo(path_of("pipe"), 0600), 0);
  ck_assert_int_eq(load_error("pipe", ase), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(load_error(".", ase), TAULER_IO);
}

CASE(games_of_which_nothing_is_learned) {
  learned l;
  REFUSED(TAULER_BAD_USAGE, "oca-asesina", learned_open(oca(), &settings, &l, hear()));
}

/* --- against tables --- */

static double score(const contest *t, simulate_policy raises, simulate_policy lowers) {
  memory_budget *memory = suite_budget(0);
  match_result found;
  const match_job job = {.game = ase,
                         .rules = t->rules,
                         .slices = &t->slices,
                         .raises = raises,
                         .lowers = lowers,
                         .width = 1e-9,
                         .threads = 1,
                         .memory = memory};
  if (match_solve(&job, &found, hear())) ck_abort_msg("%s", said.text);
  return (found.lower[0] + found.upper[0]) / 2;
}

static double value_of_start(const contest *t, tauler_tables *tables) {
  game_position start;
  chance_values values;
  ase->chance->start(t->rules, t->slices.slices[t->slices.used - 1].slice, &start);
  MUST(chance_values_of(tables, &start, &values, hear()));
  return values.upper[0];
}

/* By exact matches: against random as its own rules of thumb never do, against best play no more than is
 * possible. */
CASE(it_learns_and_never_beats_the_tables) {
  tauler_tables *tables = contest_build(TOY_ASE_BOARD_7, "2");
  contest t;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  const learn_field field = field_of(&t);
  learned l;
  learned_player before, after;
  match_best best;
  match_best_open(&best, tables);
  begin_learning(&l);
  save(&l, "new");
  play_on(&l, &field, settings.games);
  save(&l, "old");
  learned_close(&l);
  MUST(learned_player_open(path_of("new"), ase, t.rules, &before, hear()));
  MUST(learned_player_open(path_of("old"), ase, t.rules, &after, hear()));
  const simulate_policy learned = learned_player_policy(&after), random = match_policy(&t.simple[0]);
  const double value = value_of_start(&t, tables),
               lost = value - score(&t, learned, match_policy_best(&best));
  ck_assert_double_ge(lost, -1e-8);
  ck_assert_double_le(lost, 0.01);
  ck_assert_double_ge(score(&t, match_policy_best(&best), learned), value - 1e-8);
  ck_assert_double_gt(score(&t, learned, random), score(&t, learned_player_policy(&before), random) + 0.02);
  for (size_t p = 0; p < CONTEST_POLICIES; p++)
    ck_assert_double_gt(score(&t, learned, match_policy(&t.simple[p])), 0.52);
  learned_player_close(&before);
  learned_player_close(&after);
}

/* Without what both have home, each position is one of fewer tokens that is worth the same. */
CASE(smaller_games_are_worth_the_same) {
  tauler_tables *tables = contest_build(TOY_ASE_BOARD_7, "2");
  ck_assert_ptr_eq(contest_build(TOY_ASE_BOARD_7, "1"), tables);
  contest t;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  uint64_t smaller = 0;
  for (size_t i = 0; i < t.slices.used; i++) {
    for (uint64_t index = 0; index < t.slices.slices[i].positions; index++) {
      game_position position, less;
      chance_values values, others;
      ase->position_at(t.rules, (game_place){t.slices.slices[i].slice, index}, &position);
      if (!ase->chance->features->reduce(t.rules, &position, &less)) continue;
      MUST(chance_values_of(tables, &position, &values, hear()));
      MUST(chance_values_of(tables, &less, &others, hear()));
      ck_assert_double_le(fmax(values.lower[0] - others.upper[0], others.lower[0] - values.upper[0]), 0);
      smaller++;
    }
  }
  ck_assert_uint_gt(smaller, 50);
}

/* A game ends where a table knows the rest. */
CASE(tables_are_ends) {
  tauler_tables *tables = contest_build(TOY_ASE_BOARD_7, "1");
  contest t;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  learn_field field = field_of(&t);
  field.ends = tables;
  learned l;
  self_play *p;
  begin_learning(&l);
  if (self_play_open(&l, &field, 1, &p, hear())) ck_abort_msg("%s", said.text);
  chance_sketch *sketch;
  MUST(ase->chance->features->open(t.rules, &sketch, hear()));
  const afterstate_judge judge = {ase, t.rules, sketch, &l.net, tables};
  game_position position;
  MUST(ase->parse(t.rules, "3,7/0,7 lost=0,0 seat=1", &position, hear()));
  game_move move = {.child = position};
  afterstate after;
  chance_values values;
  game_position less;
  MUST(afterstate_of(&judge, &move, &after, hear()));
  ck_assert(ase->chance->features->reduce(t.rules, &position, &less));
  MUST(chance_values_of(tables, &less, &values, hear()));
  ck_assert(after.over);
  ck_assert_double_eq_tol(after.raised, values.lower[0], 1e-9);
  MUST(self_play_game(p, hear()));
  self_play_close(p);
  ase->chance->features->close(sketch);
  learned_close(&l);
}

SUITE("learn") {
  GROUP("network");
  TESTS(slopes_are_those_of_differences, steps_lead_to_the_target, the_exponential);
  GROUP("files");
  FIXTURE(make_folder, remove_folder);
  TESTS(the_same_seed_gives_the_same_bytes, damaged_and_foreign_files, numbers_that_no_learning_comes_to,
        what_is_no_file, games_of_which_nothing_is_learned);
  GROUP("tables");
  FIXTURE(contest_open_folder, NULL);
  TESTS(it_learns_and_never_beats_the_tables, smaller_games_are_worth_the_same, tables_are_ends);
}
