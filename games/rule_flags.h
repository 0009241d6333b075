/* Rule sets as they are written, "base,leopard=wide": one reader and one writer for the flags of every game.
 *
 * A game says in a table which rule sets it has, which flags change them, and which flags exclude each other.
 * The first word names a rule set, or is left out for the first one of the table; flags follow in any order.
 * The table is const, a choice is a value, and nothing is owned.
 */
#ifndef GAMES_RULE_FLAGS_H
#define GAMES_RULE_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

enum {
  RULE_FLAGS = 12,  /* most flags of a game */
  RULE_VALUES = 6,  /* most values of a flag */
  RULE_BYTES = 512, /* longest text that is read, NUL included */
  RULE_FREE = 255   /* the number of a value that has no name */
};

/* Values by their numbers; NULL: it has no name. A flag without any name is a word alone, and 1 when given.
 */
typedef struct {
  const char *name, *value[RULE_VALUES];
  char free; /* any text with this character is a value as well; 0: none; one flag of a game at most */
} rule_flag;

typedef struct {
  const char *name;
  uint8_t value[RULE_FLAGS]; /* what holds without flags */
} rule_set;

/* The flag `one` with this value (0: any but 0) excludes the flag `other` with any value that is given or
 * not 0. */
typedef struct {
  uint8_t one, value, other;
  const char *why;
} rule_contradiction;

typedef struct {
  const char *game; /* as messages call it */
  const rule_set *sets;
  const rule_flag *flags;
  const rule_contradiction *contradictions;
  size_t n_sets, n_flags, n_contradictions;
  const char *endless; /* what refuses --cycles says of infinite play; NULL: it is drawn */
} rule_flags;

typedef struct {
  size_t set;
  uint8_t value[RULE_FLAGS];
  bool given[RULE_FLAGS];
  char free[RULE_BYTES]; /* the text of a flag whose value is RULE_FREE */
} rule_choice;

/* `text` is what stands behind --rules; NULL: the first rule set. Errors: TAULER_BAD_USAGE, for unknown words
 * and values, flags given twice, and contradictions. */
tauler_error rule_flags_read(const rule_flags *known, const char *text, rule_choice *out,
                             tauler_message *message);

/* The rule set and, in the order of the table, the flags that differ from it. */
void rule_flags_write(const rule_flags *known, const rule_choice *choice, char *text, size_t bytes);

#endif
