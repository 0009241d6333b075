/* Finds positions with one move that keeps the value and another that looks as good. */
#include "analysis/serve/api_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dice/dice_random.h"

/* Effort is counted in moves, so that it does not depend on the machine. A position with more moves than the
 * library lists counts as CROWDED moves. A small slice is examined OFTEN times at most. */
enum { RUN = 16, MOST_EFFORT = 30000, CROWDED = 5000, OFTEN = 4, LEAST_MOVES = 3, MOST_MOVES = 512 };

/* Largest numbers of plies of grades 1 and 2. With dice, least losses of grades 1, 2 and 3. */
enum { EASY_PLIES = 3, HARDER_PLIES = 9 };
static const double easy_regret = 0.05, harder_regret = 0.02, least_regret = 0.005;

static int grade_of_plies(int plies) {
  if (plies == EXERCISE_NO_PLIES || plies > HARDER_PLIES) return 3;
  return plies > EASY_PLIES ? 2 : 1;
}

static int grade_of_regret(double regret) {
  if (regret >= easy_regret) return 1;
  return regret >= harder_regret ? 2 : 3;
}

/* --- games without dice --- */

/* Finds the greatest bounds of the moves. Returns false if some are unknown or, in games of outcomes, if
 * every move loses. */
static bool find_best_worth(const tauler_tables *tables, const tauler_answer *answer, tauler_worth *best) {
  *best = (tauler_worth){.lower = -INT16_MAX, .upper = -INT16_MAX};
  for (size_t i = 0; i < answer->moves_used; i++) {
    const tauler_worth *worth = &answer->moves[i].worth;
    if (!worth->known) return false;
    if (worth->lower > best->lower) best->lower = worth->lower;
    if (worth->upper > best->upper) best->upper = worth->upper;
  }
  return tables->kind != SOLVE_OUTCOMES || best->lower > -1;
}

static bool keeps_value(const tauler_move *move, const tauler_worth *best) {
  return move->worth.lower >= best->lower && move->worth.upper >= best->upper;
}

/* Returns the ordinal of the only move that keeps the value. Returns moves_used if none or several do, or if
 * the position has too few or too many moves. */
static size_t find_only_move(const tauler_tables *tables, const tauler_answer *answer) {
  tauler_worth best;
  const size_t n = answer->moves_used;
  size_t only = n;
  if (n < LEAST_MOVES || n > MOST_MOVES || !find_best_worth(tables, answer, &best)) return n;
  for (size_t i = 0; i < n; i++) {
    if (!keeps_value(&answer->moves[i], &best)) continue;
    if (only < n) return n;
    only = i;
  }
  return only;
}

/* Returns the wrong move that looks best, or n if all look worse than the right one. Moves are sorted best
 * first, so of moves that look equal it is the one that loses least. */
static size_t find_natural_move(const int *looks, size_t n, size_t right) {
  size_t natural = n;
  for (size_t i = 0; i < n; i++) {
    if (i == right || looks[i] < looks[right]) continue;
    if (natural == n || looks[i] > looks[natural]) natural = i;
  }
  return natural;
}

/* Returns the plies to the end: of the right move if it wins, otherwise until all other moves have lost. If
 * the tables have no outcomes, returns EXERCISE_NO_PLIES. */
static int plies_by_depth(const tauler_tables *tables, const tauler_answer *answer, size_t right) {
  int most = EXERCISE_NO_PLIES;
  if (tables->kind != SOLVE_OUTCOMES) return EXERCISE_NO_PLIES;
  if (answer->moves[right].worth.lower > 0) return answer->moves[right].worth.depth_lower;
  for (size_t i = 0; i < answer->moves_used; i++) {
    const int depth = answer->moves[i].worth.depth_lower;
    if (i != right && depth > most) most = depth;
  }
  return most;
}

static tauler_error grade_exercise(const tauler_tables *tables, const tauler_answer *answer, size_t right,
                                   exercise *out, tauler_message *message) {
  int looks[MOST_MOVES];
  sight ahead;
  out->right = out->natural = NULL;
  tauler_error error = sight_open(tables, answer, &ahead, looks, message);
  const size_t natural = error ? right : find_natural_move(looks, answer->moves_used, right);
  if (!error && natural < answer->moves_used) {
    out->plies = plies_by_depth(tables, answer, right);
    if (out->plies == EXERCISE_NO_PLIES && sight_count_plies(&ahead, right, &out->plies))
      error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to look ahead");
    if (out->plies != 1) out->right = &answer->moves[right]; /* a solution of one ply needs no table */
    out->natural = &answer->moves[natural];
    out->grade = grade_of_plies(out->plies);
  }
  sight_close(&ahead);
  return error;
}

static tauler_error examine_moves(const tauler_tables *tables, const tauler_answer *answer, exercise *out,
                                  tauler_message *message) {
  const size_t right = find_only_move(tables, answer);
  if (right == answer->moves_used) return TAULER_OK;
  return grade_exercise(tables, answer, right, out, message);
}

/* --- games of dice --- */

/* Returns a move that a policy of the game chooses and that is not the best move of the roll, or NULL. */
static const tauler_move *find_natural_of_roll(const tauler_tables *tables, const game_position *position,
                                               size_t roll, const game_moves *moves,
                                               const tauler_roll *rolled) {
  const chance_policies *policies = tables->game->chance->policies;
  for (size_t policy = 0; policies && policies->names[policy]; policy++) {
    const int picked = policies->pick(tables->rules, policy, position, roll, moves);
    for (size_t i = 1; picked >= 0 && i < rolled->moves_used; i++)
      if (strcmp(rolled->moves[i].name, moves->moves[picked].name) == 0) return &rolled->moves[i];
  }
  return NULL;
}

/* True if the first of a roll's moves is certainly better than all others, by least_regret at least. */
static bool has_only_move(const tauler_roll *rolled) {
  for (size_t i = 0; i < rolled->moves_used; i++) {
    const tauler_move *move = &rolled->moves[i];
    if (!move->worth.known || (i > 0 && rolled->moves->worth.lower - move->worth.upper < least_regret))
      return false;
  }
  return rolled->moves_used > 1;
}

static tauler_error examine_roll(const tauler_tables *tables, const game_position *position, size_t roll,
                                 const tauler_roll *rolled, exercise *out, tauler_message *message) {
  game_moves moves = {0};
  if (!has_only_move(rolled)) return TAULER_OK;
  const tauler_error error = tables->game->chance->moves(tables->rules, position, roll, &moves);
  const tauler_move *natural = error ? NULL : find_natural_of_roll(tables, position, roll, &moves, rolled);
  game_moves_free(&moves);
  if (error) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the moves of a roll");
  if (!natural) return TAULER_OK;
  out->roll = rolled->name;
  out->right = rolled->moves;
  out->natural = natural;
  out->plies = EXERCISE_NO_PLIES;
  out->grade = grade_of_regret(out->right->worth.lower - natural->worth.upper);
  return TAULER_OK;
}

static tauler_error examine_rolls(const tauler_tables *tables, const tauler_answer *answer, size_t first,
                                  int grade, exercise *out, tauler_message *message) {
  game_position position;
  if (answer->rolls_used < 2) return TAULER_OK; /* the turn is lost */
  tauler_error error = tables->game->parse(tables->rules, answer->position, &position, message);
  for (size_t i = 0; i < answer->rolls_used && !error; i++) {
    const size_t roll = (first + i) % answer->rolls_used;
    error = examine_roll(tables, &position, roll, &answer->rolls[roll], out, message);
    if (out->right && (!grade || out->grade == grade)) break;
    out->right = NULL;
  }
  return error;
}

/* --- all games --- */

static size_t count_moves(const tauler_answer *answer) {
  size_t moves = answer->moves_used;
  for (size_t i = 0; i < answer->rolls_used; i++) moves += answer->rolls[i].moves_used;
  return moves;
}

/* Sets *alike to true if the other rules give the position the same value or do not have it. */
static tauler_error compare_with_other_rules(const exercise_wanted *wanted, const tauler_answer *answer,
                                             bool *alike, tauler_message *message) {
  tauler_worth other;
  *alike = false;
  if (!wanted->unlike) return TAULER_OK;
  const tauler_error error = tauler_value(wanted->unlike, answer->position, &other, message);
  *alike = error || (answer->worth.lower == other.lower && answer->worth.upper == other.upper);
  /* A position that the other rules do not have is no error. */
  return error == TAULER_BAD_POSITION ? TAULER_OK : error;
}

static tauler_error examine_answer(const tauler_tables *tables, const exercise_wanted *wanted, size_t draw,
                                   exercise *out, tauler_message *message) {
  const tauler_answer *answer = out->answer;
  bool alike;
  if (answer->ended || !answer->worth.known) return TAULER_OK;
  tauler_error error = answer->dice
                           ? examine_rolls(tables, answer, answer->rolls_used ? draw % answer->rolls_used : 0,
                                           wanted->grade, out, message)
                           : examine_moves(tables, answer, out, message);
  if (!error && out->right && wanted->grade && out->grade != wanted->grade) out->right = NULL;
  if (error || !out->right) return error;
  error = compare_with_other_rules(wanted, answer, &alike, message);
  if (alike) out->right = NULL;
  return error;
}

/* Examines the position of an index. If it is no exercise, out->answer stays NULL. */
static tauler_error examine_index(tauler_tables *tables, const exercise_wanted *wanted, uint64_t index,
                                  size_t draw, size_t *effort, exercise *out, tauler_message *message) {
  char text[TAULER_POSITION_BYTES];
  tauler_error error = tauler_position_at(tables, wanted->slice, index, text, message);
  ++*effort;
  ++out->looked;
  if (error || !*text) return error;
  error = tauler_probe(tables, text, &out->answer, message);
  if (error == TAULER_BAD_POSITION)
    *effort += CROWDED; /* the position has more moves than the library lists */
  if (!error) *effort += count_moves(out->answer);
  if (!error) error = examine_answer(tables, wanted, draw, out, message);
  if (error || !out->right) {
    tauler_answer_free(out->answer);
    out->answer = NULL;
  }
  return error == TAULER_BAD_POSITION ? TAULER_OK : error;
}

static tauler_error refuse_without_choices(const tauler_tables *tables, uint32_t slice,
                                           tauler_message *message) {
  chance_quantities quantities;
  if (tables->kind != SOLVE_CHANCE) return TAULER_OK;
  tables->game->chance->quantities(tables->rules, slice, &quantities);
  return quantities.chosen ? TAULER_OK
                           : tauler_fail(message, TAULER_BAD_USAGE,
                                         "%s has no exercises: no roll leaves a choice", tables->game->name);
}

tauler_error exercise_find(tauler_tables *tables, const exercise_wanted *wanted, exercise *out,
                           tauler_message *message) {
  dice_random random = dice_random_open(wanted->seed, wanted->slice);
  size_t effort = 0;
  *out = (exercise){.plies = EXERCISE_NO_PLIES};
  tauler_error error = refuse_without_choices(tables, wanted->slice, message);
  while (!error && !out->answer && effort < MOST_EFFORT && out->looked <= OFTEN * wanted->positions) {
    const uint64_t first = dice_random_below(&random, wanted->positions);
    const size_t draw = (size_t)dice_random_below(&random, CHANCE_MOST_ROLLS);
    for (uint64_t i = first; i < wanted->positions && i - first < RUN && !error && !out->answer; i++)
      error = examine_index(tables, wanted, i, draw, &effort, out, message);
  }
  return error;
}
