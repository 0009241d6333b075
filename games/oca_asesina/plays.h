/* Private to la oca asesina: the plays of every arrangement under every roll.
 *
 * A play depends on the mover's arrangement and on the squares that the other player fills with two tokens.
 * Lone tokens of the other player block no move; a play notes the squares from which it sends one back. So
 * there is a list of plays for each fill of the other's arrangements, each of the mover's arrangements and
 * each roll. Lists never change after they are made.
 */
#ifndef GAMES_OCA_ASESINA_PLAYS_H
#define GAMES_OCA_ASESINA_PLAYS_H

#include "games/game_strips.h"
#include "games/oca_asesina/arrangements.h"

/* The kind of a play. PLAY_AGAIN: the same player rolls again. PLAY_HOME: a token is home, and the turn ends.
 * PLAY_END + n: the turn ends, and the player has n turns to lose. */
enum { PLAY_AGAIN, PLAY_HOME, PLAY_END, PLAY_KINDS = PLAY_END + STRIP_PLANES };

typedef struct {
  uint64_t *first; /* [fill of the other][row][roll] first play, then the number of plays, as in
                      strip_section */
  strip_play *play;
} ase_plays;

/* Lists the plays of the mover's arrangements. `home` has the mover's arrangements with one more token at
 * home, to which PLAY_HOME leads; NULL if the game is over then, or if these places are not needed. Errors:
 * TAULER_NO_MEMORY. */
tauler_error ase_plays_open(const game_rules *rules, const ase_arrangements *mover,
                            const ase_arrangements *home, const ase_arrangements *other, ase_plays *out);
void ase_plays_close(ase_plays *plays);

/* Return the number of lists, and the bytes of lists and plays while they are made. */
uint64_t ase_plays_lists(const ase_arrangements *mover, const ase_arrangements *other);
uint64_t ase_plays_bytes(const game_rules *rules, const ase_arrangements *mover,
                         const ase_arrangements *other);

#endif
