/* Private to la oca asesina: slices of two players, and where their positions stand in the index.
 *
 * A slice is what both have home; tokens at home stay there. Tables store the positions whose mover has no
 * turns to lose. They stand in sections, by the seat to roll; a section in planes, by the turns that the
 * other seat has to lose; and a plane is a strip_pairs: rows are the mover's arrangements, lanes the other
 * seat's, of which none has a forced token. In a last-turn slice the first seat has finished and the second
 * one alone rolls; there are no turns to lose.
 *
 * Layouts are made when they are asked for first and belong to the game_rules; any number of threads may ask.
 */
#ifndef GAMES_OCA_ASESINA_LAYOUT_H
#define GAMES_OCA_ASESINA_LAYOUT_H

#include "games/oca_asesina/arrangements.h"
#include "indexers/strip_pairs.h"

enum { ASE_MOST_PLANES = 1 + 3 * GOOSE_MOST_TURNS };

/* The part of a player's lost turns that counts. */
typedef struct {
  uint8_t turns;
  uint8_t culprit; /* where its token stands; lost-turns=die-with-token, else 0 */
} ase_lost;

typedef struct ase_layout {
  uint32_t slice;
  int tokens;  /* of each colour */
  int home[2]; /* of each seat, all colours together */
  bool last_turn;
  bool rolls[2]; /* whether a seat has a section */
  int planes;
  ase_lost lost[ASE_MOST_PLANES];          /* of the seat that does not roll, plane by plane; 0: none */
  const ase_arrangements *arrangements[2]; /* of each seat */
  strip_pairs pairs[2];                    /* by the seat to roll; of one that never does, nothing */
  uint64_t first[2];                       /* index of each section */
  uint64_t positions;
} ase_layout;

/* The game_rules must be of two players. The layout lives as long as the rules. Errors: TAULER_NO_MEMORY. */
tauler_error ase_layout_of(const game_rules *rules, uint32_t slice, const ase_layout **out);

/* The plane of a seat's lost turns; −1: there is none. */
int ase_layout_plane(const ase_layout *layout, int turns, int culprit);

static inline uint64_t ase_layout_index(const ase_layout *layout, int seat, int plane, uint64_t pair) {
  return layout->first[seat] + (uint64_t)plane * layout->pairs[seat].pairs + pair;
}

/* How many positions a slice of two players has, without a layout; UINT64_MAX: more than can be counted. */
uint64_t ase_layout_positions(const game_rules *rules, uint32_t slice);

typedef struct ase_layouts ase_layouts;
tauler_error ase_layouts_open(ase_layouts **out);
void ase_layouts_close(ase_layouts *layouts);

#endif
