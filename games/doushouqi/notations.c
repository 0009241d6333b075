/* Notations of dou shou qi in other programs: FEN with counters, a red side, a mouse. */
#include "games/doushouqi/notations.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "games/doushouqi/moves.h"

char dsq_usual_letter(char letter) {
  static const char others[] = "mj", usual[] = "rp";
  const char *found = letter ? strchr(others, tolower((unsigned char)letter)) : NULL;
  if (!found) return letter;
  const char own = usual[found - others];
  return isupper((unsigned char)letter) ? (char)toupper((unsigned char)own) : own;
}

bool dsq_take_side(game_text *in, uint8_t *side) {
  game_text_skip_blanks(in);
  if (!game_text_take_word(in, "r")) return game_text_take_side(in, "wb", side);
  *side = DSQ_WHITE;
  return true;
}

void dsq_skip_counters(game_text *in) {
  const char *before = in->at;
  int halves, moves;
  for (int i = 0; i < 2; i++) {
    game_text_skip_blanks(in);
    (void)game_text_take_word(in, "-");
  }
  game_text_skip_blanks(in);
  bool both = game_text_take_number(in, 0, &halves) && game_text_ends_word(*in->at);
  game_text_skip_blanks(in);
  both = both && game_text_take_number(in, 0, &moves) && game_text_ends_word(*in->at);
  if (!both) in->at = before;
}

static void print_fen(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]) {
  dsq_print(rules, position, text);
  text_add(text, GAME_TEXT_BYTES, " - - 0 1");
}

static void print_red(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]) {
  dsq_print(rules, position, text);
  char *side = strchr(text, ' ') + 1;
  for (char *at = text; at < side; at++) *at = (char)(*at == 'r' ? 'm' : *at == 'R' ? 'M' : *at);
  if (*side == 'w') *side = 'r';
  text_add(text, GAME_TEXT_BYTES, " - - 0 1");
}

static void print_move(const game_rules *rules, const game_position *position, const char *name, char *text) {
  (void)rules;
  (void)position;
  memcpy(text, name, 2);
  text[2] = '-';
  memcpy(text + 3, name + 2, 3);
}

const game_notation dsq_notations[] = {
    {"fen", "FEN with counters: l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1, c3-c4", print_fen,
     print_move},
    {"red", "the same with r for the side of upper case, and m for the rat", print_red, print_move},
    {NULL, NULL, NULL, NULL}};
