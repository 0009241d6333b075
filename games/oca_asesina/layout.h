/* Private to la oca asesina: slices of two players, and the indexes of their positions.
 *
 * All positions of a slice have the same number of tokens of each player at home; tokens at home stay there.
 * Tables store the positions whose mover has no turns to lose. A slice has a section for each seat to roll. A
 * section has a plane for each number of turns that the other seat can have to lose; under
 * lost-turns=die-with-token, for each pair of such a number and a square where the turns were lost. A plane
 * is a strip_pairs: its rows are the mover's arrangements, its lanes the other seat's, none of which has a
 * forced token. In a last-turn slice the first seat has finished, and only the second one rolls; there are no
 * turns to lose.
 *
 * Layouts belong to the game_rules and are made on demand; any number of threads may ask for them.
 */
#ifndef GAMES_OCA_ASESINA_LAYOUT_H
#define GAMES_OCA_ASESINA_LAYOUT_H

#include "games/oca_asesina/arrangements.h"
#include "indexers/strip_pairs.h"

enum { ASE_MOST_PLANES = 1 + 3 * GOOSE_MOST_TURNS };

/* A player's turns to lose, as planes distinguish them. */
typedef struct {
  uint8_t turns;
  uint8_t culprit; /* square of the token that lost them under lost-turns=die-with-token, otherwise 0 */
} ase_lost;

typedef struct ase_layout {
  uint32_t slice;
  int tokens;  /* tokens of each colour */
  int home[2]; /* tokens at home of each seat, all colours together */
  bool last_turn;
  bool rolls[2]; /* true if the seat has a section */
  int planes;
  ase_lost lost[ASE_MOST_PLANES];          /* [planes] turns to lose of the seat that does not roll */
  const ase_arrangements *arrangements[2]; /* by seat */
  strip_pairs pairs[2];                    /* by seat to roll, empty if that seat never rolls */
  uint64_t first[2];                       /* first index of each section */
  uint64_t positions;
} ase_layout;

/* Sets *out to the layout of a slice, which lives as long as the rules. Errors: TAULER_BAD_USAGE (there
 * is no such slice, or the rules are not for two players), TAULER_NO_MEMORY; *out is then NULL. */
tauler_error ase_layout_of(const game_rules *rules, uint32_t slice, const ase_layout **out);

/* Returns the plane of a seat's turns to lose, or −1 if there is none. */
int ase_layout_plane(const ase_layout *layout, int turns, int culprit);

static inline uint64_t ase_layout_index(const ase_layout *layout, int seat, int plane, uint64_t pair) {
  return layout->first[seat] + (uint64_t)plane * layout->pairs[seat].pairs + pair;
}

/* Returns 0 if there is no such slice, UINT64_MAX if its positions are too many to count. */
uint64_t ase_layout_positions(const game_rules *rules, uint32_t slice);

typedef struct ase_layouts ase_layouts;
tauler_error ase_layouts_open(ase_layouts **out);
void ase_layouts_close(ase_layouts *layouts);

#endif
