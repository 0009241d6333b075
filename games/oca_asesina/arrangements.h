/* Numbers all arrangements of one player's tokens in la oca asesina: the squares on which they stand.
 *
 * An ase_arrangements holds those of one number of tokens with one number at home, forced tokens left out.
 * Arrangements with more tokens on the start come first. A strip is a run of up to STRIP_LANES neighbours
 * with equally many tokens on the start, so a capture leads to an earlier strip. A player bars the squares
 * that it fills with two tokens, and no others; arrangements that fill the same squares are neighbours. Only
 * the mover can have a forced token; arrangements with one come last.
 *
 * An ase_arrangements owns its arrays and is only read once it is there; any number of threads may read it.
 */
#ifndef GAMES_OCA_ASESINA_ARRANGEMENTS_H
#define GAMES_OCA_ASESINA_ARRANGEMENTS_H

#include "games/oca_asesina/rules.h"
#include "indexers/strip_pairs.h"

enum { ARRANGEMENTS_NONE = UINT32_MAX, ARRANGEMENTS_KEY_BYTES = 48 };

/* The most stands of one player (ase_arrangements_ways); the bytes that a count of arrangements uses. */
enum { ARRANGEMENTS_MOST_STANDS = 125, ARRANGEMENTS_COUNT_BYTES = ARRANGEMENTS_MOST_STANDS * 8 };

/* Arrangements are sorted by this key, bytewise. */
typedef struct {
  uint8_t bytes[ARRANGEMENTS_KEY_BYTES];
} arrangement_key;

typedef struct {
  uint8_t square[ASE_MOST_TOKENS]; /* colour by colour, rising within a colour; 0 beyond the last token */
  uint8_t forced;                  /* as in ase_position */
} ase_arrangement;

typedef struct {
  int tokens, home;   /* tokens of each colour; how many of all stand on N and are home */
  uint32_t free, all; /* arrangements without a forced token, and all */
  ase_arrangement *list;
  arrangement_key *key;
  strip_squares *occupied; /* by each arrangement, 1 … N − 1; none where nothing interacts */
  uint32_t free_strips, strips;
  uint32_t *strip_first; /* arrangement; of strips + 1 */
  uint8_t *strip_zeros;  /* tokens on the start in each free strip */
  uint32_t *strip_of;    /* each arrangement */
  uint32_t fills;        /* ways to fill squares with two tokens; 0: none is full */
  uint32_t *fill_first;  /* the first arrangement of each: its other tokens are on the start or home */
  uint32_t *fill_of;     /* each free arrangement */
} ase_arrangements;

/* tokens of each colour, 1 …; home ≤ all tokens. Errors: TAULER_NO_MEMORY. */
tauler_error ase_arrangements_open(const game_rules *rules, int tokens, int home, ase_arrangements **out);
void ase_arrangements_close(ase_arrangements *arrangements);

/* Bytes that arrangements take, without the overhead of malloc. */
uint64_t ase_arrangements_bytes(const ase_arrangements *arrangements);

/* The number of an arrangement, squares sorted; ARRANGEMENTS_NONE: it is not one of these. */
uint32_t ase_arrangements_find(const game_rules *rules, const ase_arrangements *arrangements,
                               const ase_arrangement *arrangement);

/* How many arrangements there would be, with and without a forced token, without making them; UINT64_MAX: too
 * many to count. */
uint64_t ase_arrangements_count(const game_rules *rules, int tokens, int home);

/* In how many ways tokens of one player or two stand on 1 … N − 1, by stands: how many tokens of each colour
 * are there, a number in base tokens + 1; ways[one's · stands + the other's]. `ways` has room for all;
 * UINT64_MAX: more than can be counted. */
void ase_arrangements_ways(const game_rules *rules, int tokens, int players, uint64_t *ways);

/* Pairs of arrangements by the ways of two players: the first player's may have a forced token besides those
 * at home. */
uint64_t ase_arrangements_pairs(const game_rules *rules, int tokens, const uint64_t *ways, int home,
                                int other_home);

/* The two sides of strip_pairs: arrangements as rows, all of them, and as lanes, the free ones. */
strip_side ase_arrangements_rows(const ase_arrangements *arrangements);
strip_side ase_arrangements_lanes(const ase_arrangements *arrangements);

#endif
