/* Files of what was learned: whole or absent, the same bytes for the same weights. Private to analysis/.
 *
 * A head of fixed length (version, game, what was learned from and how, the dice), weights and what the steps
 * keep of their slopes, and the XXH3-128 digest of all that.
 */
#ifndef ANALYSIS_LEARN_LEARNED_FILE_H
#define ANALYSIS_LEARN_LEARNED_FILE_H

#include "analysis/learn/self_play.h"

enum { LEARNED_FROM_BYTES = 1024 };

/* The games that it was learned from, "base,board=20 tokens 2": a line for each field. */
typedef struct {
  char text[LEARNED_FROM_BYTES];
} learned_from;

/* Errors: TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY. */
tauler_error learned_save(const char *path, const game *game, const learned_from *from, const learned *l,
                          tauler_message *message);

/* Errors: TAULER_IO (it cannot be read), TAULER_DAMAGED_FILE (its bytes are not what was written; it is no
 * such file; its numbers are none that learning comes to), TAULER_BAD_USAGE (of another game, or of numbers
 * that this program does not use), TAULER_NO_MEMORY. */
tauler_error learned_load(const char *path, const game *game, learned *out, learned_from *from,
                          tauler_message *message);

#endif
