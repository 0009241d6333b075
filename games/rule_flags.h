/* Reads and writes rule sets, such as "base,leopard=wide", for all games.
 *
 * A game's table lists its rule sets, the flags that change them, and the flags that exclude each other. The
 * first word of a text names a rule set; if it is missing, the first set of the table is meant. Flags follow
 * in any order. The table is const, and the module owns nothing.
 */
#ifndef GAMES_RULE_FLAGS_H
#define GAMES_RULE_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

enum {
  RULE_FLAGS = 12,  /* largest number of flags of a game */
  RULE_VALUES = 6,  /* largest number of values of a flag */
  RULE_BYTES = 512, /* longest text to read in bytes, NUL included */
  RULE_FREE = 255   /* number of a value without a name */
};

/* A flag and the names of its values by their numbers. NULL: no value has this number. A flag without any
 * names is a word alone, whose value is 1 if it is given. */
typedef struct {
  const char *name, *value[RULE_VALUES];
  char free; /* character that marks a value without a name, or 0. At most one flag of a game has it */
} rule_flag;

typedef struct {
  const char *name;
  uint8_t value[RULE_FLAGS]; /* values if no flag is given */
} rule_set;

/* Two flags that exclude each other: `one` with this value (0: any value but 0), and `other` if it is given
 * or not 0. */
typedef struct {
  uint8_t one, value, other;
  const char *why;
} rule_contradiction;

typedef struct {
  const char *game; /* name of the game in messages */
  const rule_set *sets;
  const rule_flag *flags;
  const rule_contradiction *contradictions;
  size_t n_sets, n_flags, n_contradictions;
  const char *endless; /* reason for refusing --cycles. NULL: infinite play is a draw */
} rule_flags;

typedef struct {
  size_t set;
  uint8_t value[RULE_FLAGS];
  bool given[RULE_FLAGS];
  char free[RULE_BYTES]; /* text of the flag whose value is RULE_FREE */
} rule_choice;

/* Reads the text of --rules; NULL means the first rule set. Errors: TAULER_BAD_USAGE for unknown words and
 * values, flags given twice, contradictions, and texts of RULE_BYTES or more. */
tauler_error rule_flags_read(const rule_flags *known, const char *text, rule_choice *out,
                             tauler_message *message);

/* Writes the rule set and the flags that differ from it, in the order of the table. */
void rule_flags_write(const rule_flags *known, const rule_choice *choice, char *text, size_t bytes);

#endif
