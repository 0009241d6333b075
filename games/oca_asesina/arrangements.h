/* Numbers all arrangements of one player's tokens in la oca asesina, that is, the squares on which they
 * stand.
 *
 * An ase_arrangements has all arrangements of a number of tokens with a given number of them at home; a
 * forced token does not count as home. Arrangements with more tokens on the start come first. A strip is a
 * run of up to STRIP_LANES neighbours. Without forced tokens these have equally many tokens on the start, so
 * a capture leads to an earlier strip. A square with two tokens of one player is full, and two of one colour
 * are a barrier. Of the free arrangements with equally many tokens on the start, those with the same barriers
 * and full squares are neighbours. Only the mover can have a forced token; arrangements with one come last.
 *
 * An ase_arrangements owns its arrays and never changes after it is made; any number of threads may read it.
 */
#ifndef GAMES_OCA_ASESINA_ARRANGEMENTS_H
#define GAMES_OCA_ASESINA_ARRANGEMENTS_H

#include "base/memory.h"
#include "games/oca_asesina/rules.h"
#include "indexers/strip_pairs.h"

enum { ARRANGEMENTS_NONE = UINT32_MAX, ARRANGEMENTS_KEY_BYTES = 48 };

/* Largest number of stands of one player (ase_arrangements_ways), and bytes of working memory of a count of
 * arrangements. */
enum { ARRANGEMENTS_MOST_STANDS = 125, ARRANGEMENTS_COUNT_BYTES = ARRANGEMENTS_MOST_STANDS * 8 };

typedef struct {
  uint8_t bytes[ARRANGEMENTS_KEY_BYTES];
} arrangement_key;

typedef struct {
  uint8_t square[ASE_MOST_TOKENS]; /* squares colour by colour, rising within a colour */
  uint8_t forced;
} ase_arrangement;

typedef struct {
  int tokens, home;   /* tokens of each colour, and tokens of all colours that are home on N */
  uint32_t free, all; /* arrangements without a forced token, and all arrangements */
  arena arrays;
  ase_arrangement *list;
  arrangement_key *key;
  strip_squares
      *occupied; /* [all] squares 1 … N − 1 that each arrangement occupies, or none if nothing interacts */
  uint32_t free_strips, strips;
  uint32_t *strip_first; /* [strips + 1] first arrangement of each strip */
  uint8_t *strip_zeros;  /* [free_strips] number of tokens on the start */
  uint32_t *strip_of;    /* [all] strip of each arrangement */
  uint32_t fills;        /* number of ways to fill squares with two tokens. Fill 0 has no full square */
  uint32_t *fill_first;  /* [fills] first arrangement, whose other tokens are on the start or home */
  uint32_t *fill_of;     /* [free] fill of each free arrangement */
} ase_arrangements;

/* Makes the arrangements of 1 or more `tokens` of each colour with `home` tokens of all colours at home.
 * Errors: TAULER_NO_MEMORY. */
tauler_error ase_arrangements_open(const game_rules *rules, int tokens, int home, ase_arrangements **out);
void ase_arrangements_close(ase_arrangements *arrangements);

uint64_t ase_arrangements_bytes(const ase_arrangements *arrangements);

/* Returns the number of an arrangement with sorted squares, or ARRANGEMENTS_NONE if it is not among these. */
uint32_t ase_arrangements_find(const game_rules *rules, const ase_arrangements *arrangements,
                               const ase_arrangement *arrangement);

/* Returns the number of arrangements, with and without a forced token, without making them; UINT64_MAX if
 * they are too many to count. */
uint64_t ase_arrangements_count(const game_rules *rules, int tokens, int home);

/* Counts the ways in which tokens of one player or two may stand on 1 … N − 1, by stands. A stand says how
 * many tokens of each colour are on these squares, as a number in base tokens + 1. `ways`, which has room for
 * all, is indexed by the stand of one player, or by one player's stand · stands + the other's. UINT64_MAX
 * means too many to count. */
void ase_arrangements_ways(const game_rules *rules, int tokens, int players, uint64_t *ways);

/* Returns the number of pairs of arrangements, computed from the `ways` of two players. The first player may
 * have a forced token besides those at home. */
uint64_t ase_arrangements_pairs(const game_rules *rules, int tokens, const uint64_t *ways, int home,
                                int other_home);

/* Return the two sides of strip_pairs: all arrangements as rows, and the free ones as lanes. */
strip_side ase_arrangements_rows(const ase_arrangements *arrangements);
strip_side ase_arrangements_lanes(const ase_arrangements *arrangements);

#endif
