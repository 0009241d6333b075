/* Simple policies, and the traits of moves. */
#include "games/oca_asesina/chance.h"

#include "games/oca_asesina/turn.h"

enum { BEFORE_ALL_SQUARES = GOOSE_LONGEST + 1 };

/* A policy chooses the first move with the largest rating. */
typedef int rating(const game_rules *rules, const ase_position *position, const ase_move *move);

static int rate_furthest(const game_rules *rules, const ase_position *position, const ase_move *move) {
  return move->from;
}

static int rate_rearmost(const game_rules *rules, const ase_position *position, const ase_move *move) {
  return -rate_furthest(rules, position, move);
}

/* Returns the most advanced square on which the move captures, or 0 if it captures nothing. */
static int captured_square(const game_rules *rules, const ase_position *position, const ase_move *move) {
  int most = 0;
  for (int i = 0; i < 2; i++) {
    const int square = move->landed[i];
    for (int seat = 0; square > most && seat < position->seats; seat++)
      for (int token = 0; seat != position->seat && token < ase_tokens(rules, position); token++)
        if (position->square[seat][token] == square) most = square;
  }
  return most;
}

static int rate_captures(const game_rules *rules, const ase_position *position, const ase_move *move) {
  const int square = captured_square(rules, position, move);
  return square ? BEFORE_ALL_SQUARES + square : rate_furthest(rules, position, move);
}

static bool gets_home(const game_rules *rules, const ase_move *move) {
  return move->to == ase_home(rules) && !move->next.forced;
}

static int rate_home(const game_rules *rules, const ase_position *position, const ase_move *move) {
  return gets_home(rules, move) ? BEFORE_ALL_SQUARES : rate_furthest(rules, position, move);
}

static const char *const names[] = {"random",        "furthest-first", "rearmost-first",
                                    "capture-first", "home-first",     NULL};
static rating *const ratings[] = {NULL, rate_furthest, rate_rearmost, rate_captures, rate_home};

/* Returns the number of the move that a policy chooses, or −1 for a random one of several. `moves` has the
 * order of ase_list_moves. */
static int choose_move(const game_rules *rules, size_t policy, const game_position *game, size_t roll,
                       const game_moves *moves) {
  if (moves->used < 2) return 0;
  if (!ratings[policy]) return -1;
  const ase_position position = ase_from_game(game);
  ase_moves list;
  ase_list_moves(rules, &position, (int)roll + 1, &list);
  int best = 0, most = ratings[policy](rules, &position, &list.move[0]);
  for (int i = 1; i < list.used; i++) {
    const int rated = ratings[policy](rules, &position, &list.move[i]);
    if (rated <= most) continue;
    most = rated;
    best = i;
  }
  return best;
}

const chance_policies ase_policies = {names, choose_move};

enum { HOME = 1, CAPTURE = 2, PAIR = 4 };
static const char *const traits[] = {"home", "capture", "pair", NULL};

static bool makes_pair(const game_rules *rules, const ase_position *position, const ase_move *move) {
  int others = 0;
  if (move->token == ASE_NOWHERE || move->to == 0 || move->to == ase_home(rules)) return false;
  for (int token = 0; token < ase_tokens(rules, position); token++)
    others += token != move->token && position->square[position->seat][token] == move->to;
  return others > 0;
}

static void list_traits(const game_rules *rules, const game_position *game, size_t roll,
                        const game_moves *moves, uint8_t *out) {
  const ase_position position = ase_from_game(game);
  ase_moves list;
  ase_list_moves(rules, &position, (int)roll + 1, &list);
  for (size_t i = 0; i < moves->used; i++) {
    const ase_move *move = &list.move[i];
    out[i] = (uint8_t)((gets_home(rules, move) ? HOME : 0) |
                       (captured_square(rules, &position, move) ? CAPTURE : 0) |
                       (makes_pair(rules, &position, move) ? PAIR : 0));
  }
}

const chance_traits ase_traits = {traits, list_traits};
