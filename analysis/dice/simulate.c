/* Plays games of chance to their ends by the rules, one position at a time. */
#include "analysis/dice/simulate.h"

#include <math.h>

#include "parallel/mail.h"

/* A batch has a stream of random numbers of its own. Its size does not depend on the number of threads. */
enum { GAMES_PER_BATCH = 256, MOST_BATCHES = 1 << 16, MOST_MOVES = 1000000 };

/* `squares` are sums of squared differences from the means. */
typedef struct {
  uint64_t games, given_up, moves;
  double mean[CHANCE_MOST_QUANTITIES], squares[CHANCE_MOST_QUANTITIES];
} batch;

typedef struct {
  const simulate_job *job;
  chance_quantities quantities;
  const chance_roll *rolls;
  uint64_t weights, most_moves;
  int first_seat;
  uint64_t per_batch, batches;
  batch *done;
  char *notes; /* [batches] notes of the watcher, or NULL */
  tauler_error error;
} simulation;

typedef struct {
  const simulation *at;
  dice_random dice;
  dice_random picks; /* random choices of swapped games, so that they do not change the dice */
  bool exchanged;    /* true if job->lowers plays for the side that raises */
  game_position position;
  double gained[CHANCE_MOST_QUANTITIES];
  uint64_t moves;
  void *notes;
} play;

size_t simulate_roll(dice_random *dice, const chance_roll *rolls, uint64_t weights) {
  uint64_t left = dice_random_below(dice, weights);
  size_t roll = 0;
  for (; left >= rolls[roll].weight; roll++) left -= rolls[roll].weight;
  return roll;
}

tauler_error simulate_pass(const game *game, const game_rules *rules, game_position *at, int *gain,
                           bool *over) {
  game_moves passes = {0};
  tauler_error error = game->chance->moves(rules, at, CHANCE_CERTAIN, &passes);
  if (!error && passes.used != 1) error = TAULER_INTERNAL;
  if (!error) {
    *gain = passes.moves[0].gain;
    *over = passes.moves[0].over;
    if (!*over) *at = passes.moves[0].child;
  }
  game_moves_free(&passes);
  return error;
}

static tauler_error pick_move(play *p, size_t roll, const game_moves *moves, size_t *out) {
  const simulate_job *job = p->at->job;
  const int aim = job->game->chance->aim(job->rules, &p->position);
  const simulate_policy *policy = (aim > 0) != p->exchanged ? &job->raises : &job->lowers;
  const int picked =
      aim == 0 || !policy->pick ? -1 : policy->pick(policy->user, job->rules, &p->position, roll, moves);
  if (picked < -1) return (tauler_error)(-1 - picked);
  dice_random *by = job->swapped ? &p->picks : &p->dice;
  *out = picked >= 0 ? (size_t)picked : dice_random_below(by, moves->used);
  return *out < moves->used ? TAULER_OK : TAULER_INTERNAL;
}

/* Adds a row of gains. Its quantities of seats begin with the first seat of the position, and those in
 * p->gained with the first seat of the start. */
static tauler_error add_gains(play *p, int row) {
  const simulate_job *job = p->at->job;
  const chance_gain(*rows)[CHANCE_MOST_QUANTITIES];
  const uint32_t slice = job->game->slice_of(job->rules, &p->position);
  const size_t used = job->game->chance->gains(job->rules, slice, &rows);
  if (row < 0 || (size_t)row >= used) return TAULER_INTERNAL;
  const int seats = p->at->quantities.seats;
  const int turn =
      seats > 0 ? job->game->chance->first_seat(job->rules, &p->position) - p->at->first_seat + seats : 0;
  for (int q = 0; q < p->at->quantities.used; q++)
    p->gained[q < seats ? (q + turn) % seats : q] +=
        (double)rows[row][q].numerator / rows[row][q].denominator;
  return TAULER_OK;
}

static tauler_error make_move(play *p, const game_move *move, bool *over) {
  const tauler_error error = add_gains(p, move->gain);
  *over = move->over;
  if (!move->over) p->position = move->child;
  return error;
}

static tauler_error play_roll(play *p, bool *over) {
  const simulate_job *job = p->at->job;
  int value;
  *over = job->game->position_ended(job->rules, &p->position, &value);
  if (*over) return TAULER_OK;
  const bool passes = job->game->chance->must_pass(job->rules, &p->position);
  const size_t roll = passes ? CHANCE_CERTAIN : simulate_roll(&p->dice, p->at->rolls, p->at->weights);
  game_moves moves = {0};
  tauler_error error = job->game->chance->moves(job->rules, &p->position, roll, &moves);
  size_t picked = 0;
  if (!error && moves.used == 0) error = TAULER_INTERNAL;
  if (!error && moves.used > 1) error = pick_move(p, roll, &moves, &picked);
  if (!error && p->notes) job->watch->move(job->watch->user, p->notes, &p->position, roll, picked);
  if (!error) error = make_move(p, &moves.moves[picked], over);
  game_moves_free(&moves);
  p->moves++;
  return error;
}

static tauler_error play_game(play *p, bool *over) {
  p->position = *p->at->job->start;
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) p->gained[q] = 0;
  p->moves = 0;
  tauler_error error = TAULER_OK;
  *over = false;
  while (!*over && !error && p->moves < p->at->most_moves) error = play_roll(p, over);
  return error;
}

/* Plays a game twice, the second time with the policies exchanged. Each game has a seed of its own, so that
 * its dice do not depend on the length of other games. */
static tauler_error play_both_ways(play *p, dice_random *numbers, bool *over) {
  const uint64_t seed = dice_random_next(numbers);
  uint64_t moves = 0;
  double sum = 0;
  tauler_error error = TAULER_OK;
  *over = true;
  for (int game = 0; game < 2 && *over && !error; game++) {
    p->exchanged = game == 1;
    p->dice = dice_random_open(seed, 0);
    p->picks = dice_random_open(seed, 1);
    error = play_game(p, over);
    sum += p->exchanged ? p->at->quantities.list[0].most - p->gained[0] : p->gained[0];
    moves += p->moves;
  }
  p->gained[0] = sum / 2;
  p->moves = moves;
  return error;
}

static void count_game(const play *p, batch *b) {
  b->games++;
  for (int q = 0; q < p->at->quantities.used; q++) {
    const double off = p->gained[q] - b->mean[q];
    b->mean[q] += off / (double)b->games;
    b->squares[q] += off * (p->gained[q] - b->mean[q]);
  }
}

static tauler_error play_batch(const simulation *at, uint64_t number) {
  const uint64_t first = number * at->per_batch, left = at->job->games - first;
  batch *b = &at->done[number];
  const simulate_watch *watch = at->job->watch;
  play p = {.at = at,
            .dice = dice_random_open(at->job->seed, number),
            .notes = watch ? at->notes + number * watch->bytes : NULL};
  dice_random numbers = p.dice;
  const uint64_t games = left < at->per_batch ? left : at->per_batch;
  for (uint64_t i = 0; i < games; i++) {
    bool over;
    const tauler_error error = at->job->swapped ? play_both_ways(&p, &numbers, &over) : play_game(&p, &over);
    if (error) return error;
    b->moves += p.moves;
    if (over) count_game(&p, b);
    if (over && watch) watch->end(watch->user, p.notes, p.gained);
    b->given_up += !over;
  }
  comm_note_progress(at->job->ranks);
  if (at->job->shown) progress_add(at->job->shown, games * (uint64_t)comm_ranks(at->job->ranks));
  return TAULER_OK;
}

static void play_batches(simulation *at) {
  const uint64_t rank = (uint64_t)comm_rank(at->job->ranks), ranks = (uint64_t)comm_ranks(at->job->ranks);
#pragma omp parallel for num_threads(at->job->threads) schedule(dynamic)
  for (uint64_t i = rank; i < at->batches; i += ranks) {
    if (__atomic_load_n(&at->error, __ATOMIC_RELAXED)) continue;
    const tauler_error error = play_batch(at, i);
    if (error) __atomic_store_n(&at->error, error, __ATOMIC_RELAXED);
  }
}

/* Combines batches in their order, so that the result does not depend on threads or ranks. */
static void combine_batches(const simulation *at, simulate_result *out) {
  double squares[CHANCE_MOST_QUANTITIES] = {0};
  for (uint64_t i = 0; i < at->batches; i++) {
    const batch *b = &at->done[i];
    out->given_up += b->given_up;
    out->moves += b->moves;
    if (b->games == 0) continue;
    const double before = (double)out->games, more = (double)b->games;
    out->games += b->games;
    for (int q = 0; q < at->quantities.used; q++) {
      const double off = b->mean[q] - out->mean[q];
      out->mean[q] += off * more / (before + more);
      squares[q] += b->squares[q] + off * off * before * more / (before + more);
    }
  }
  const double games = (double)out->games;
  for (int q = 0; q < at->quantities.used; q++) {
    if (out->games == 0) out->mean[q] = NAN;
    out->error[q] = out->games > 1 ? sqrt(squares[q] / (games - 1) / games) : 0;
  }
}

static simulation open_simulation(const simulate_job *job) {
  const game_chance *chance = job->game->chance;
  simulation at = {.job = job, .most_moves = job->most_moves ? job->most_moves : MOST_MOVES};
  chance->quantities(job->rules, job->game->slice_of(job->rules, job->start), &at.quantities);
  const size_t rolls = chance->rolls(job->rules, &at.rolls);
  for (size_t i = 0; i < rolls; i++) at.weights += at.rolls[i].weight;
  if (at.quantities.seats > 0) at.first_seat = chance->first_seat(job->rules, job->start);
  const uint64_t least = (job->games + MOST_BATCHES - 1) / MOST_BATCHES;
  at.per_batch = least > GAMES_PER_BATCH ? least : GAMES_PER_BATCH;
  at.batches = (job->games + at.per_batch - 1) / at.per_batch;
  return at;
}

tauler_error simulate(const simulate_job *job, simulate_result *out, tauler_message *message) {
  *out = (simulate_result){.games = 0};
  if (!job->game->chance)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s is not a game of dice", job->game->name);
  simulation at = open_simulation(job);
  out->quantities = at.quantities;
  if (job->swapped && (at.quantities.used != 1 || !at.quantities.chosen || isinf(at.quantities.list[0].most)))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%s has no two players who choose, so seats cannot be swapped", job->game->name);
  tauler_error error =
      memory_allocate_array(job->memory, at.batches, sizeof *at.done, "games played", &at.done, message);
  const simulate_watch *watch = job->watch;
  if (!error && watch)
    error =
        memory_allocate_array(job->memory, at.batches, watch->bytes, "notes on games", &at.notes, message);
  error = comm_agree(job->ranks, error, message);
  if (!error) play_batches(&at);
  if (at.error) error = tauler_fail(message, at.error, "a game of %s cannot be played on", job->game->name);
  error = comm_agree(job->ranks, error, message);
  if (!error) error = mail_gather(job->ranks, job->memory, at.done, at.batches, sizeof *at.done, message);
  if (!error) combine_batches(&at, out);
  for (uint64_t i = 0; i < at.batches && watch && !error; i++)
    error = watch->add(watch->user, at.notes + i * watch->bytes);
  memory_free(job->memory, at.notes);
  memory_free(job->memory, at.done);
  return error;
}
