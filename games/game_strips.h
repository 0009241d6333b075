/* Strips: the data by which an engine without rules works on eight positions of a game of dice at a time.
 *
 * For races of two players with several tokens each. An arrangement says where one player's tokens stand. A
 * position has a section (the player to roll), a plane (other differences, such as the turns that the other
 * player has to lose), a row (the mover's arrangement) and a lane (the other player's;
 * indexers/strip_pairs.h). A player's choices depend on the own arrangement and on the squares that the
 * other's *fills*. Where fills make no difference under a roll, lanes differ only in the plays that send a
 * lone token back; such a play leads to a lane of an earlier stage. Values lie in 0 … 1.
 *
 * A strip_tables owns what it points to; it is only read once it is there.
 */
#ifndef GAMES_GAME_STRIPS_H
#define GAMES_GAME_STRIPS_H

#include "games/game.h"
#include "indexers/strip_pairs.h"

enum {
  STRIP_KINDS = 16,
  STRIP_PLANES = 10,
  STRIP_SOURCES = 4 * STRIP_PLANES,
  STRIP_SECTIONS = 2,
  STRIP_PLAYS = 72
};

/* A choice under a roll: the mover's arrangement becomes `mover`; plane and kind give the source of the
 * value. */
typedef struct {
  uint32_t mover;
  uint8_t kind;    /* < STRIP_KINDS */
  uint8_t sent[2]; /* squares from which a lone token of the other is sent to the start; 0: none */
  uint8_t unused;
} strip_play;

/* Where the value after a play stands. ROWS: the mover's arrangement is the row there, the other's the lane;
 * TURNED: the other way round; CONSTANT: the game is over. */
typedef enum { STRIP_CONSTANT, STRIP_ROWS, STRIP_TURNED } strip_way;

typedef struct {
  strip_way way;
  double constant;
  uint32_t slice;      /* this one, or a finished one */
  uint64_t first_cell; /* of the plane */
  const strip_pairs *pairs;
  const uint32_t *mover_strip,
      *mover_first; /* of the mover's arrangements there: strip of each, first of each strip */
  const uint32_t *other_strip, *other_first; /* of the other's */
  uint32_t mover_strips;                     /* those of the mover that the pairs have */
  const uint8_t *wanted; /* of each of the mover's strips: some play leads there; NULL: all */
} strip_source;

typedef struct {
  int aim, planes, rolls; /* of equal weight */
  uint32_t rows;
  const uint32_t *row_strip; /* of each row */
  const uint32_t *row_first; /* of each strip of rows, and one more */
  const uint32_t *lane_first;
  const uint32_t *order; /* rows, in the order of work: play leads mostly to those before */
  uint32_t stages;
  const uint32_t *stage_first; /* strip of lanes; of stages + 1 */

  const uint32_t *fill; /* of each lane; 0: nothing is filled */
  const uint8_t *odd;   /* [fill][row], a bit for each roll: its plays are not those under fill 0 */
  const uint64_t
      *play_first; /* [fill][row][roll], and one more: plays of a roll; of a row STRIP_PLAYS at most */
  const strip_play *play;

  int tokens;                /* of a lane */
  const uint8_t *square;     /* [lane][token] */
  const uint32_t *sent_back; /* [lane][token]: the lane with that token on the start */

  int sources;
  strip_source source[STRIP_SOURCES];       /* the first `planes`: the section's own */
  uint8_t leads[STRIP_PLANES][STRIP_KINDS]; /* source of a play */
} strip_section;

typedef struct {
  int sections;
  strip_section section[STRIP_SECTIONS];
} strip_tables;

typedef struct {
  /* True if there are strips for a slice under these rules; about what `open` takes, and the rows of all
   * sources of a section. Finished slices are those that `needs` lists. Errors: TAULER_NO_MEMORY. */
  bool (*serve)(const game_rules *rules, uint32_t slice);
  uint64_t (*bytes)(const game_rules *rules, uint32_t slice, uint64_t *source_rows);
  tauler_error (*open)(const game_rules *rules, uint32_t slice, strip_tables **out);
  void (*close)(strip_tables *tables);
} game_strips;

#endif
