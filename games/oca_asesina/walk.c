/* Finds barriers, jumps and walks on a road of la oca asesina. */
#include "games/oca_asesina/turn.h"

/* --- occupied squares --- */

static bool is_on_track(const game_rules *rules, int square) {
  return square > 0 && square < ase_home(rules);
}

/* Counts a token on a square. Two tokens of one player and colour on a square 1 … N − 1 are a barrier;
 * `seen` has the squares of that player and colour. */
static void count_token(ase_road *road, bool seen[GOOSE_LONGEST + 1], int square) {
  if (!is_on_track(road->rules, square)) return;
  road->tokens[square]++;
  road->barrier[square] |= seen[square];
  seen[square] = true;
}

void ase_road_open(const game_rules *rules, const ase_position *position, int token, ase_road *out) {
  *out = (ase_road){.rules = rules};
  if (rules->flags.no_interaction) return;
  for (int s = 0; s < position->seats; s++) {
    for (int colour = 0; colour < rules->flags.colours; colour++) {
      bool seen[GOOSE_LONGEST + 1] = {false};
      for (int i = colour * position->tokens; i < (colour + 1) * position->tokens; i++) {
        if (s != position->seat || i != token) count_token(out, seen, position->square[s][i]);
      }
    }
  }
}

static int square_if_free(const ase_road *road, int square) {
  return road->tokens[square] < 2 ? square : ASE_NOWHERE;
}

/* --- temporary wormholes --- */

static int next_barrier(const ase_road *road, int square, int direction) {
  do square += direction;
  while (is_on_track(road->rules, square) && !road->barrier[square]);
  return is_on_track(road->rules, square) ? square : ASE_NOWHERE;
}

/* Returns the next square in the direction, behind any wormholes, and adds the number of wormholes to
 * *wormholes. Returns ASE_NOWHERE if a lone barrier is in the way. */
static int next_square(const ase_road *road, int square, int direction, int *wormholes) {
  square += direction;
  while (is_on_track(road->rules, square) && road->barrier[square]) {
    const int end = next_barrier(road, square, direction);
    if (end == ASE_NOWHERE) return ASE_NOWHERE;
    square = end + direction;
    ++*wormholes;
  }
  return square;
}

/* --- walks --- */

int ase_walk(const ase_road *road, int from, int steps, int direction, bool stops_at_home) {
  const int home = ase_home(road->rules);
  int square = from, wormholes = 0;
  for (int step = 0; step < steps; step++) {
    if (square == home && direction == ASE_FORWARD) {
      if (stops_at_home) return home;
      direction = ASE_BACK;
    }
    square = next_square(road, square, direction, &wormholes);
    if (square == ASE_NOWHERE || square < 1) return ASE_NOWHERE;
  }
  return square_if_free(road, square);
}

/* --- jumps --- */

int ase_goose_jump(const ase_road *road, int from) {
  int square = from, wormholes = 0;
  do square = next_square(road, square, ASE_FORWARD, &wormholes);
  while (square != ASE_NOWHERE && road->rules->board.square[square].kind != GOOSE_GOOSE);
  return square == ASE_NOWHERE || wormholes > 1 ? ASE_NOWHERE : square_if_free(road, square);
}

int ase_bridge_jump(const ase_road *road, int from) {
  const int other = road->rules->board.square[from].to;
  const int direction = other > from ? ASE_FORWARD : ASE_BACK;
  int square = from, wormholes = 0;
  do square = next_square(road, square, direction, &wormholes);
  while (square != ASE_NOWHERE && (other - square) * direction > 0);
  return square != other || wormholes > 1 ? ASE_NOWHERE : square_if_free(road, square);
}

int ase_way_out(const ase_road *road, int from) {
  return square_if_free(road, road->rules->board.square[from].to);
}
