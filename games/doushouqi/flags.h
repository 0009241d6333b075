/* Private to Dou Shou Qi: rule sets as they are written, "base,leopard=wide", and as flags. Nothing is owned.
 */
#ifndef GAMES_DOUSHOUQI_FLAGS_H
#define GAMES_DOUSHOUQI_FLAGS_H

#include "games/doushouqi/rules.h"

/* A rule set and flags that add to it or override what it says; NULL for base. Errors: TAULER_BAD_USAGE. */
tauler_error dsq_flags_read(const char *text, dsq_flags *out, tauler_message *message);

/* The one text of these flags that is canonical: those of liacs if they all are set but perhaps the
 * leopard's, else base, and in a fixed order what is otherwise there. */
void dsq_flags_write(const dsq_flags *flags, char text[DSQ_RULES_BYTES]);

#endif
