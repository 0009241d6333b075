/* Rules, moves and boards of Dou Shou Qi as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive_doushouqi.h"

static const char letters[] = "?rcwdptle"; /* letters of the animals 1 ... 8 */

/* Every setting of every flag, contradictions included, as the digits of i. */
static bool any_combination(int i, naive_dsq_rules *rules) {
  *rules = naive_dsq_base;
  rules->wolf_over_dog = i % 2, i /= 2;
  rules->leopard = (naive_dsq_leopard)(i % 3), i /= 3;
  rules->clearings = i % 2, i /= 2;
  rules->lakes = (naive_dsq_lakes)(i % 3), i /= 3;
  rules->drinkers_block = i % 2, i /= 2;
  rules->jump_block_path = i % 2, i /= 2;
  rules->elephant_takes_rat = i % 2, i /= 2;
  rules->rat_shore_liacs = i % 2, i /= 2;
  rules->stalemate_loss = i % 2, i /= 2;
  return i == 0;
}

static bool contradicts(const naive_dsq_rules *rules) {
  if (rules->drinkers_block && rules->lakes != NAIVE_LAKES_DRINK) return true;
  if (rules->lakes != NAIVE_LAKES_PLAIN) return false;
  return rules->jump_block_path || rules->rat_shore_liacs || rules->leopard != NAIVE_LEOPARD_NARROW;
}

bool naive_dsq_combination(int i, naive_dsq_rules *rules) {
  int legal = 0;
  for (int any = 0; any_combination(any, rules); any++) {
    if (contradicts(rules)) continue;
    if (legal++ == i) return true;
  }
  return false;
}

void naive_dsq_rules_text(const naive_dsq_rules *rules, char text[NAIVE_DSQ_RULES_BYTES]) {
  static const char *const leopards[] = {"", ",leopard=wide", ",leopard=none"};
  static const char *const lakes[] = {"", ",lakes=plain", ",lakes=drink"};
  snprintf(text, NAIVE_DSQ_RULES_BYTES, "base%s%s%s%s%s%s%s%s%s",
           rules->wolf_over_dog ? ",wolf-over-dog" : "", leopards[rules->leopard],
           rules->clearings ? ",clearings" : "", lakes[rules->lakes],
           rules->drinkers_block ? ",drinkers=block" : "", rules->jump_block_path ? ",jump-block=path" : "",
           rules->elephant_takes_rat ? ",elephant-takes-rat" : "",
           rules->rat_shore_liacs ? ",rat-shore=liacs" : "", rules->stalemate_loss ? ",stalemate=loss" : "");
}

void naive_dsq_move_name(naive_dsq_move move, char name[5]) {
  name[0] = (char)('a' + move.from % 7);
  name[1] = (char)('1' + move.from / 7);
  name[2] = (char)('a' + move.to % 7);
  name[3] = (char)('1' + move.to / 7);
  name[4] = '\0';
}

static int piece_of(char letter) {
  bool white = letter >= 'A' && letter <= 'Z';
  char small = white ? (char)(letter - 'A' + 'a') : letter;
  for (int animal = NAIVE_RAT; animal <= NAIVE_ELEPHANT; animal++)
    if (letters[animal] == small) return white ? animal : -animal;
  return 0;
}

/* One rank, from file a on. Moves *text behind it. */
static bool read_rank(const char **text, signed char pieces[7]) {
  int file = 0;
  while (file < 7) {
    char c = *(*text)++;
    if (c >= '1' && c <= '7') {
      file += c - '0';
      continue;
    }
    int piece = piece_of(c);
    if (piece == 0) return false;
    pieces[file++] = (signed char)piece;
  }
  return file == 7;
}

bool naive_dsq_read(const char *text, naive_dsq_board *board) {
  memset(board, 0, sizeof *board);
  for (int rank = 8; rank >= 0; rank--) {
    if (!read_rank(&text, board->piece + 7 * rank)) return false;
    if (*text++ != (rank > 0 ? '/' : ' ')) return false;
  }
  board->black_moves = *text == 'b';
  return strcmp(text, "w") == 0 || strcmp(text, "b") == 0;
}

void naive_dsq_write(const naive_dsq_board *board, char text[NAIVE_DSQ_TEXT_BYTES]) {
  for (int rank = 8; rank >= 0; rank--) {
    int empty = 0;
    for (int file = 0; file < 7; file++) {
      int piece = board->piece[7 * rank + file];
      if (piece == 0) empty++;
      if (empty > 0 && (piece != 0 || file == 6)) *text++ = (char)('0' + empty), empty = 0;
      if (piece != 0) *text++ = (char)(letters[abs(piece)] - (piece > 0 ? 'a' - 'A' : 0));
    }
    *text++ = rank > 0 ? '/' : ' ';
  }
  *text++ = board->black_moves ? 'b' : 'w';
  *text = '\0';
}
