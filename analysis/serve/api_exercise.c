/* Answers with an exercise from tables: a position in which only one move keeps the value, and another one
 * looks at least as good.
 *
 * A move looks better if it captures more at once, then if a search tries it earlier (game_play.eager). With
 * dice, the move that a simple policy of the game chooses looks good. The effort is limited, and the same
 * tables and seed give the same exercise on every machine.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/dice/dice_random.h"
#include "analysis/print/print.h"
#include "analysis/serve/api_parts.h"
#include "games/game_play.h"

enum { NO_PLIES = -1, MOST_PLIES = 7 };

typedef struct {
  uint32_t slice;
  uint64_t positions;
  uint64_t seed;
  int grade;             /* 1 … 3, or 0 for any */
  tauler_tables *unlike; /* tables of other rules, which must give the position another value, or NULL */
} exercise_wanted;

/* An exercise. `plies` is the look-ahead that distinguishes the right move: to the end of a win, otherwise
 * until all other moves have lost. If tables have no plies to the end, it is the look-ahead after which
 * captures distinguish the move. Exercises with dice have no plies: the loss by the natural move determines
 * the grade. */
typedef struct {
  tauler_answer *answer; /* answer of the library, which the caller frees, or NULL if no exercise was found */
  const char *roll; /* roll of an exercise with dice, otherwise NULL. Texts and moves belong to the answer */
  const tauler_move *right, *natural; /* `natural` is wrong, but looks at least as good as `right` */
  int grade, plies;                   /* plies are NO_PLIES with dice, or if the look-ahead is too short */
  uint64_t looked;                    /* number of positions examined */
} exercise;

/* Effort is counted in positions and moves, so that it does not depend on the machine. A position with more
 * moves than the library lists counts as CROWDED moves. Each position of a small slice is examined about
 * OFTEN times at most. */
enum { RUN = 16, MOST_EFFORT = 30000, CROWDED = 5000, OFTEN = 4, LEAST_MOVES = 3, MOST_MOVES = 512 };

/* Largest numbers of plies of grades 1 and 2. With dice, least losses of grades 1, 2 and 3. */
enum { EASY_PLIES = 3, HARDER_PLIES = 9 };
static const double easy_regret = 0.05, harder_regret = 0.02, least_regret = 0.005;

static int grade_of_plies(int plies) {
  if (plies == NO_PLIES || plies > HARDER_PLIES) return 3;
  return plies > EASY_PLIES ? 2 : 1;
}

static int grade_of_regret(double regret) {
  if (regret >= easy_regret) return 1;
  return regret >= harder_regret ? 2 : 3;
}

/* --- how moves look by the rules alone --- */

typedef struct {
  const tauler_tables *tables;
  size_t words;
  game_play_list list;
  size_t n;      /* number of moves of the position, which are first in the list */
  size_t *found; /* place in the list of each move of the answer */
  uint64_t nodes;
} sight;

/* A single capture counts more than any difference of game_play_move.eager. */
enum { CAPTURE = 1024, MOST_NODES = 50000 };

static const game_play *game_play_of(const sight *s) {
  return s->tables->game->play;
}

static tauler_error read_state(const sight *s, const char *text, uint64_t *state, tauler_message *message) {
  game_position position;
  const tauler_error error = s->tables->game->parse(s->tables->rules, text, &position, message);
  if (!error) game_play_of(s)->read(s->tables->rules, &position, state);
  return error;
}

/* Finds the place of a move in the list: that of an entry that leads to the same state, or that ends the game
 * with the same gain. Of several entries chooses the most eager one. *found becomes s->n if there is none. */
static tauler_error find_move(sight *s, const tauler_move *move, size_t *found, tauler_message *message) {
  uint64_t state[GAME_PLAY_MOST_WORDS];
  *found = s->n;
  if (!move->over) {
    const tauler_error error = read_state(s, move->position, state, message);
    if (error) return error;
  }
  for (size_t i = 0; i < s->n; i++) {
    const game_play_move *is = &s->list.moves[i];
    if (is->over != move->over || (move->over && is->gain != move->worth.lower)) continue;
    if (!move->over && memcmp(s->list.states + i * s->words, state, s->words * sizeof *state) != 0) continue;
    if (*found == s->n || is->eager > s->list.moves[*found].eager) *found = i;
  }
  return TAULER_OK;
}

static tauler_error rate_moves(sight *s, const tauler_answer *answer, int *looks, tauler_message *message) {
  for (size_t i = 0; i < answer->moves_used; i++) {
    const tauler_error error = find_move(s, &answer->moves[i], &s->found[i], message);
    if (error) return error;
    if (s->found[i] == s->n)
      return tauler_fail(message, TAULER_INTERNAL, "%s: %s has no move %s for a search", answer->game,
                         answer->position, answer->moves[i].name);
    const game_play_move *is = &s->list.moves[s->found[i]];
    looks[i] = CAPTURE * is->gain + is->eager;
  }
  return TAULER_OK;
}

/* `looks` becomes a number for each move of the answer: a larger one looks better. If the game has no
 * game_play, all are 0. The caller frees `list` and `found`, also after an error. Errors: TAULER_NO_MEMORY,
 * TAULER_INTERNAL. */
static tauler_error sight_open(const tauler_tables *tables, const tauler_answer *answer, sight *out,
                               int *looks, tauler_message *message) {
  uint64_t state[GAME_PLAY_MOST_WORDS];
  game_position position;
  *out = (sight){.tables = tables};
  memset(looks, 0, answer->moves_used * sizeof *looks);
  if (!game_play_of(out)) return TAULER_OK;
  tauler_error error = tables->game->parse(tables->rules, answer->position, &position, message);
  if (error) return error;
  out->words = out->list.words = game_play_of(out)->words(tables->rules, &position);
  out->found = calloc(answer->moves_used + 1, sizeof *out->found);
  game_play_of(out)->read(tables->rules, &position, state);
  if (!out->found || game_play_of(out)->moves(tables->rules, state, &out->list))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to look ahead");
  out->n = out->list.used;
  return rate_moves(out, answer, looks, message);
}

static tauler_error search_state(sight *s, const uint64_t *state, int plies, int least, int most, int *value);

static tauler_error worth_ahead(sight *s, size_t i, int plies, int least, int most, int *worth) {
  const game_play_move move = s->list.moves[i];
  uint64_t state[GAME_PLAY_MOST_WORDS];
  int value = 0;
  *worth = move.gain;
  if (move.over || plies <= 1) return TAULER_OK;
  memcpy(state, s->list.states + i * s->words, s->words * sizeof *state);
  const tauler_error error = search_state(s, state, plies - 1, move.gain - most, move.gain - least, &value);
  *worth = move.gain - value;
  return error;
}

/* Computes the value of a state by an alpha-beta search: exactly if it is between least and most, otherwise a
 * number on the same side of them. Once MOST_NODES are counted, values mean nothing. */
static tauler_error search_state(sight *s, const uint64_t *state, int plies, int least, int most,
                                 int *value) {
  const size_t first = s->list.used;
  tauler_error error = game_play_of(s)->moves(s->tables->rules, state, &s->list);
  const size_t end = s->list.used;
  s->nodes += 1 + end - first;
  *value = end == first && !error ? game_play_of(s)->ended(s->tables->rules, state) : INT16_MIN;
  for (size_t i = first; i < end && !error && *value < most && s->nodes < MOST_NODES; i++) {
    int worth;
    error = worth_ahead(s, i, plies, *value > least ? *value : least, most, &worth);
    if (worth > *value) *value = worth;
  }
  s->list.used = first;
  return error;
}

/* True if two moves lead to the same state, or end the game with the same gain. */
static bool same_result(const sight *s, size_t a, size_t b) {
  const game_play_move *one = &s->list.moves[a], *other = &s->list.moves[b];
  if (one->over || other->over) return one->over && other->over && one->gain == other->gain;
  return memcmp(s->list.states + a * s->words, s->list.states + b * s->words, s->words * sizeof(uint64_t)) ==
         0;
}

static tauler_error find_whether_best(sight *s, size_t at, int plies, bool *best) {
  int worth = 0;
  *best = false;
  tauler_error error = worth_ahead(s, at, plies, INT16_MIN, INT16_MAX, &worth);
  for (size_t i = 0; i < s->n && !error; i++) {
    int other = 0;
    if (same_result(s, i, at)) continue;
    error = worth_ahead(s, i, plies, worth - 1, worth, &other);
    if (!error && other >= worth) return TAULER_OK;
  }
  *best = true;
  return error;
}

/* Finds the least number of plies after which the move has gained more than every other move. *plies becomes
 * NO_PLIES if MOST_PLIES or the effort is not enough, or if the game has no game_play. */
static tauler_error sight_count_plies(sight *s, size_t move, int *plies) {
  *plies = NO_PLIES;
  s->nodes = 0;
  for (int ahead = 1; game_play_of(s) && ahead <= MOST_PLIES; ahead++) {
    bool best;
    const tauler_error error = find_whether_best(s, s->found[move], ahead, &best);
    if (error) return error;
    if (s->nodes >= MOST_NODES) return TAULER_OK;
    if (best) *plies = ahead;
    if (best) break;
  }
  return TAULER_OK;
}

/* --- games without dice --- */

/* Returns false if some moves are unknown or, in games of outcomes, if every move loses. */
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

/* Returns the only move that keeps the value, or moves_used if none or several do, or if there are too few or
 * too many moves. */
static size_t find_only_move(const tauler_tables *tables, const tauler_answer *answer) {
  tauler_worth best;
  const size_t n = answer->moves_used;
  size_t only = n;
  if (n < LEAST_MOVES || n > MOST_MOVES || !find_best_worth(tables, answer, &best)) return n;
  for (size_t i = 0; i < n; i++) {
    const tauler_worth *worth = &answer->moves[i].worth;
    if (worth->lower < best.lower || worth->upper < best.upper) continue;
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
 * the tables have no outcomes, returns NO_PLIES. */
static int plies_by_depth(const tauler_tables *tables, const tauler_answer *answer, size_t right) {
  int most = NO_PLIES;
  if (tables->kind != SOLVE_OUTCOMES) return NO_PLIES;
  if (answer->moves[right].worth.lower > 0) return answer->moves[right].worth.depth_lower;
  for (size_t i = 0; i < answer->moves_used; i++) {
    const int depth = answer->moves[i].worth.depth_lower;
    if (i != right && depth > most) most = depth;
  }
  return most;
}

static tauler_error examine_moves(const tauler_tables *tables, const tauler_answer *answer, exercise *out,
                                  tauler_message *message) {
  const size_t right = find_only_move(tables, answer);
  int looks[MOST_MOVES];
  sight ahead;
  if (right == answer->moves_used) return TAULER_OK;
  out->right = out->natural = NULL;
  tauler_error error = sight_open(tables, answer, &ahead, looks, message);
  const size_t natural = error ? right : find_natural_move(looks, answer->moves_used, right);
  if (!error && natural < answer->moves_used) {
    out->plies = plies_by_depth(tables, answer, right);
    if (out->plies == NO_PLIES && sight_count_plies(&ahead, right, &out->plies))
      error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to look ahead");
    if (out->plies != 1) out->right = &answer->moves[right]; /* a solution of one ply needs no table */
    out->natural = &answer->moves[natural];
    out->grade = grade_of_plies(out->plies);
  }
  game_play_list_free(&ahead.list);
  free(ahead.found);
  return error;
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
  out->plies = NO_PLIES;
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

static tauler_error find_exercise(tauler_tables *tables, const exercise_wanted *wanted, exercise *out,
                                  tauler_message *message) {
  dice_random random = dice_random_open(wanted->seed, wanted->slice);
  size_t effort = 0;
  *out = (exercise){.plies = NO_PLIES};
  tauler_error error = refuse_without_choices(tables, wanted->slice, message);
  while (!error && !out->answer && effort < MOST_EFFORT && out->looked <= OFTEN * wanted->positions) {
    const uint64_t first = dice_random_below(&random, wanted->positions);
    const size_t draw = (size_t)dice_random_below(&random, CHANCE_MOST_ROLLS);
    for (uint64_t i = first; i < wanted->positions && i - first < RUN && !error && !out->answer; i++)
      error = examine_index(tables, wanted, i, draw, &effort, out, message);
  }
  return error;
}

static void set_exercise(const tauler_tables *tables, const api_call *call, const exercise *found,
                         api_response *out) {
  const game *g = tables->game;
  const tauler_answer *answer = found->answer;
  json_writer json;
  json_open_buffer(&json);
  json_begin_object(&json);
  json_fields(&json, JSON_TEXT("game", g->name), JSON_TEXT("rules", g->rules_text(tables->rules)),
              JSON_TEXT("cycles", g->cycles_text(tables->rules)), JSON_TEXT("slice", call->slice),
              JSON_COUNT("seed", call->seed), JSON_COUNT("looked", found->looked),
              JSON_TEXT("position", answer ? answer->position : NULL));
  if (answer) {
    if (found->roll) json_fields(&json, dice_roll_field(found->roll));
    json_fields(&json, JSON_TEXT("right", found->right->name), JSON_TEXT("natural", found->natural->name),
                JSON_INTEGER("grade", found->grade),
                json_or_null(found->plies != NO_PLIES, JSON_INTEGER("plies", found->plies)));
  }
  json_end_object(&json);
  api_set_json(out, 200, &json, API_ASK_AGAIN);
}

void api_answer_exercise(tauler_tables *tables, tauler_tables *unlike, const api_call *call,
                         api_response *out) {
  tauler_message message;
  exercise found = {.answer = NULL};
  exercise_wanted wanted = {.seed = call->seed, .grade = (int)call->grade, .unlike = unlike};
  tauler_error error = tauler_find_slice(tables, call->slice, &wanted.slice, &wanted.positions, &message);
  if (!error) error = find_exercise(tables, &wanted, &found, &message);
  if (error) {
    api_set_failure(out, error, &message, NULL);
  } else {
    set_exercise(tables, call, &found, out);
  }
  tauler_answer_free(found.answer);
}
