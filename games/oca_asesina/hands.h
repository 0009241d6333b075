/* Hands of la oca asesina: all ways in which one player's tokens can stand, numbered.
 *
 * A hand has a fixed number of tokens at home, forced ones left out. Hands of one (tokens, home) are numbered
 * so that those with more tokens on the start stand first, and stand in strips: runs of up to STRIP_LANES
 * neighbours which have as many tokens on the start, so that a capture leads to an earlier strip. An opponent
 * bars no squares but those that it fills with two tokens; hands which fill none, or the same
 * ones, stand together. Hands with a forced token, which its owner alone can have to move, stand behind all
 * others.
 *
 * An ase_hands owns its arrays and is only read once it is there; any number of threads may read it.
 */
#ifndef GAMES_OCA_ASESINA_HANDS_H
#define GAMES_OCA_ASESINA_HANDS_H

#include "games/oca_asesina/rules.h"
#include "indexers/strip_pairs.h"

enum { HANDS_NONE = UINT32_MAX, HANDS_KEY_BYTES = 48 };

/* Most stands of one player (ase_hands_ways), and what counting hands takes for a while. */
enum { HANDS_MOST_STANDS = 125, HANDS_COUNT_BYTES = HANDS_MOST_STANDS * 8 };

/* By this bytewise key hands are sorted. */
typedef struct {
  uint8_t bytes[HANDS_KEY_BYTES];
} hand_key;

typedef struct {
  uint8_t square[ASE_MOST_TOKENS]; /* colour by colour, rising within a colour; 0 beyond the last token */
  uint8_t forced;                  /* as in ase_position */
} ase_hand;

typedef struct {
  int tokens, home;   /* tokens of each colour; how many of all stand on N and are home */
  uint32_t free, all; /* hands without a forced token, and all */
  ase_hand *hand;
  hand_key *key;
  strip_squares *occupied; /* by each hand, 1 … N − 1; none where nothing interacts */
  uint32_t free_strips, strips;
  uint32_t *strip_first; /* hand; of strips + 1 */
  uint8_t *strip_zeros;  /* tokens on the start in each free strip */
  uint32_t *strip_of;    /* each hand */
  uint32_t fills;        /* ways to fill squares with two tokens; 0: none is full */
  uint32_t *fill_first;  /* the first hand of each: its other tokens are on the start or home */
  uint32_t *fill_of;     /* each free hand */
} ase_hands;

/* tokens of each colour, 1 …; home ≤ all tokens. Errors: TAULER_NO_MEMORY. */
tauler_error ase_hands_open(const game_rules *rules, int tokens, int home, ase_hands **out);
void ase_hands_close(ase_hands *hands);

/* Bytes that hands take, without the overhead of malloc. */
uint64_t ase_hands_bytes(const ase_hands *hands);

/* The number of a hand, squares sorted; HANDS_NONE: it is not one of these. */
uint32_t ase_hands_find(const game_rules *rules, const ase_hands *hands, const ase_hand *hand);

/* How many hands there would be, with and without a forced token, without making them; UINT64_MAX: too many
 * to count. */
uint64_t ase_hands_count(const game_rules *rules, int tokens, int home);

/* In how many ways tokens of one player or two stand on 1 … N − 1, by stands: how many tokens of each colour
 * are there, a number in base tokens + 1; ways[one's · stands + the other's]. Allocated; UINT64_MAX: more
 * than can be counted. Errors: TAULER_NO_MEMORY. */
tauler_error ase_hands_ways(const game_rules *rules, int tokens, int players, uint64_t **ways);

/* Pairs of hands by the ways of two players: the first player's may have a forced token besides those at
 * home. */
uint64_t ase_hands_pairs(const game_rules *rules, int tokens, const uint64_t *ways, int home, int other_home);

/* The two sides of strip_pairs: hands as rows, all of them, and as lanes, the free ones. */
strip_side ase_hands_rows(const ase_hands *hands);
strip_side ase_hands_lanes(const ase_hands *hands);

#endif
