/* Computes ratios over games of la oca asesina, effects of moves, and standings and scores of both sides. */
#include "analysis/claims/goose/asesina_course.h"

#include <math.h>

#include "analysis/probe/chance_worth.h"
#include "games/oca_asesina/slices.h"
#include "games/oca_asesina/turn.h"

/* --- ratios --- */

double course_mean(const course_ratio *r) {
  return r->bottom > 0 ? r->top / r->bottom : 0;
}

double course_standard_error(const course_ratio *r) {
  const double mean = course_mean(r), squares = r->tops - 2 * mean * r->both + mean * mean * r->bottoms;
  return r->bottom > 0 && squares > 0 ? sqrt(squares) / r->bottom : 0;
}

void course_add(course_ratio *r, double top, double bottom) {
  r->top += top;
  r->bottom += bottom;
}

/* --- effect of a move --- */

static int count_captures(const game_rules *rules, const ase_position *position, const ase_move *move) {
  int captures = 0;
  for (int i = 0; i < 2; i++) {
    const int square = move->landed[i];
    for (int token = 0; square && token < ase_tokens(rules, position); token++)
      captures += position->square[!position->seat][token] == square;
  }
  return captures;
}

static int count_tokens_left(const game_rules *rules, const ase_position *position, const ase_move *move) {
  const int loser = move->winners == 1 ? 1 : 0;
  int left = 0;
  if (move->winners == 3) return 0;
  for (int token = 0; token < ase_tokens(rules, position); token++)
    left += move->next.square[loser][token] != ase_home(rules);
  return left;
}

uint32_t course_encode_move(const game_rules *rules, const game_position *game, size_t roll, size_t picked) {
  const ase_position position = ase_from_game(game);
  ase_moves list;
  ase_list_moves(rules, &position, (int)roll + 1, &list);
  const ase_move *move = &list.move[picked];
  const int left = move->over ? count_tokens_left(rules, &position, move) : 0;
  return (uint32_t)(count_captures(rules, &position, move) | (move->roll_again ? 0 : COURSE_ENDS_TURN) |
                    left << COURSE_LEFT_SHIFT);
}

/* --- standing of both sides --- */

course_standing course_find_standing(const game_rules *rules, uint32_t slice, int tokens) {
  ase_slice of;
  course_standing s = {.pair = -1, .leader = -1};
  if (!ase_slice_open(rules, slice, &of)) return s;
  for (int seat = 0; seat < 2; seat++) s.home[seat] = of.home[seat];
  if (s.home[0] != s.home[1]) s.leader = s.home[1] > s.home[0];
  const int ahead = s.home[s.leader == 1], behind = s.home[s.leader != 1];
  if (of.first_to_roll == 0) s.pair = course_pair(ahead, behind);
  s.one_each = ahead == tokens - 1 && behind == ahead;
  return s;
}

tauler_error course_lower_score(tauler_tables *tables, const game_position *position, double *out,
                                tauler_message *message) {
  chance_values values;
  const tauler_error error = chance_values_of(tables, position, &values, message);
  const double first = (values.lower[0] + values.upper[0]) / 2;
  *out = fmin(first, 1 - first);
  return error;
}
