/* Writes notations of phutball in other programs (lower case, and columns named with the letter I), and reads
 * their columns. */
#include "games/phutball/notations.h"

#include <ctype.h>
#include <string.h>

#include "games/phutball/turns.h"

static const char with_i[] = "ABCDEFGHIJKLMNOPQRS";

/* True if `at` is the letter of a column: it begins a stop, and a number follows. */
static bool names_column(const char *line, const char *at) {
  return isalpha((unsigned char)*at) && isdigit((unsigned char)at[1]) &&
         (at == line || !isalnum((unsigned char)at[-1]));
}

phb_letters phb_letters_of(const char *line) {
  phb_letters letters = PHB_WITHOUT_I;
  for (const char *at = line; *at; at++) {
    if (!names_column(line, at)) continue;
    if (*at == 'i' || *at == 'I') return PHB_WITH_I;
    if (*at > 'h') letters = PHB_EITHER;
  }
  return letters;
}

int phb_column_of(char letter, phb_letters letters) {
  const char *all = letters == PHB_WITH_I ? with_i : PHB_COLUMN_LETTERS;
  const char *found = letter ? strchr(all, toupper((unsigned char)letter)) : NULL;
  return found ? (int)(found - all) : -1;
}

static void print_lower_position(const game_rules *rules, const game_position *position,
                                 char text[GAME_TEXT_BYTES]) {
  phb_print(rules, position, text);
  char *side = strchr(text, ' ') + 1;
  *side = (char)tolower((unsigned char)*side);
}

/* Writes the name of a turn with the letters that another notation uses for its columns, in lower case.
 * Leaves exit+ and exit- unchanged. */
static void rename_columns(const char *name, phb_letters letters, char *text) {
  for (const char *at = name; *at; at++, text++) {
    const int column = names_column(name, at) ? phb_column_of(*at, PHB_WITHOUT_I) : -1;
    *text = column < 0 ? *at : (char)tolower((letters == PHB_WITH_I ? with_i : PHB_COLUMN_LETTERS)[column]);
  }
  *text = '\0';
}

static void print_lower_move(const game_rules *rules, const game_position *position, const char *name,
                             char *text) {
  rename_columns(name, PHB_WITHOUT_I, text);
}

static void print_move_with_i(const game_rules *rules, const game_position *position, const char *name,
                              char *text) {
  rename_columns(name, PHB_WITH_I, text);
}

const game_notation phb_notations[] = {
    {"lower-case", "lower case: 3/1x1/1o1/3/3 o, k6-g9", print_lower_position, print_lower_move},
    {"abstractplay", "columns with i, as in AbstractPlay and vying: j6-g9 for K6-G9", print_lower_position,
     print_move_with_i},
    {NULL, NULL, NULL, NULL}};
