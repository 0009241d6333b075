/* Computes the effects of the squares of a board on a token alone on the board. */
#include "games/oca_asesina/features/sketch.h"

#include <math.h>
#include <stdlib.h>

#include "games/oca_asesina/turn.h"

enum { MOST_SWEEPS = 20000 };
static const double settled = 1e-9;

/* A second token is on the start, so that the first one is not the last. */
static ase_position make_position(const game_rules *rules, int stand) {
  ase_position position = {.seats = 2, .tokens = 2};
  position.square[0][1] = (uint8_t)(stand == ASE_FORCED ? ase_home(rules) : stand);
  position.forced = stand == ASE_FORCED;
  return position;
}

static ase_step find_step(const game_rules *rules, int stand, int roll) {
  const ase_position position = make_position(rules, stand);
  const int from = position.square[0][1];
  ase_step step = {.to = (uint8_t)stand};
  ase_moves moves;
  ase_list_moves(rules, &position, roll + 1, &moves);
  for (int i = 0; i < moves.used; i++) {
    const ase_move *move = &moves.move[i];
    if (move->token == ASE_NOWHERE || move->from != from) continue;
    step = (ase_step){.to = move->to, .moves = true, .again = move->roll_again, .lost = move->next.lost[0]};
    step.landed[0] = move->landed[0];
    step.landed[1] = move->landed[1];
    step.dies = from > 0 && move->to == 0;
    if (move->roll_again && move->next.forced) step.to = ASE_FORCED;
    break;
  }
  return step;
}

/* A turn is counted when it ends. */
static double mean_time(const chance_sketch *sketch, const double *time, int stand) {
  double sum = 0;
  for (int roll = 0; roll < ASE_DIE; roll++) {
    const ase_step *step = &sketch->step[stand][roll];
    sum += time[step->to] + (step->again ? 0 : 1 + step->lost);
  }
  return sum / ASE_DIE;
}

static void find_times(const chance_sketch *sketch, double *time) {
  const int home = ase_home(sketch->rules);
  double most = 1;
  for (int sweep = 0; sweep < MOST_SWEEPS && most > settled; sweep++) {
    most = 0;
    for (int i = home; i-- > -1;) {
      const int stand = i < 0 ? ASE_FORCED : i;
      const double found = mean_time(sketch, time, stand);
      most = fmax(most, fabs(found - time[stand]));
      time[stand] = found;
    }
  }
}

/* Another roll gains one turn. */
static void find_effects(chance_sketch *sketch, const double *time, int stand) {
  const double turn = 1 / time[0];
  sketch->time[stand] = (float)(time[stand] * turn);
  for (int roll = 0; roll < ASE_DIE; roll++) {
    const ase_step *step = &sketch->step[stand][roll];
    sketch->gain[stand][roll] =
        (float)((time[stand] - time[step->to] + (step->again ? 1 : 0) - step->lost) * turn);
    sketch->death[stand] += step->dies ? 1.0F / ASE_DIE : 0;
    sketch->turns[stand] += (float)step->lost / ASE_DIE;
  }
}

tauler_error ase_sketch_open(const game_rules *rules, chance_sketch **out) {
  double time[ASE_STANDS] = {0};
  chance_sketch *sketch = *out = calloc(1, sizeof *sketch);
  if (!sketch) return TAULER_NO_MEMORY;
  const int home = ase_home(rules);
  sketch->rules = rules;
  for (int i = home; i-- > -1;) {
    const int stand = i < 0 ? ASE_FORCED : i;
    for (int roll = 0; roll < ASE_DIE; roll++) sketch->step[stand][roll] = find_step(rules, stand, roll);
  }
  find_times(sketch, time);
  for (int i = home; i-- > -1;) find_effects(sketch, time, i < 0 ? ASE_FORCED : i);
  return TAULER_OK;
}
