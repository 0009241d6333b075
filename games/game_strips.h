/* Declares strips: data with which an engine that knows no rules computes eight positions of a game of dice
 * at once.
 *
 * Rules of races are long, and a kernel with these rules would have branches in its inner loop. So the game
 * lists the plays of each row once, and the engine only adds and compares vectors.
 *
 * Strips are for races of two players with several tokens each. An arrangement is the squares of one player's
 * tokens. A position has a section (the player to roll), a plane (other differences, such as the turns that
 * the other player has to lose), a row (the mover's arrangement) and a lane (the other player's arrangement;
 * indexers/strip_pairs.h). A player's choices depend on the player's own arrangement and on the squares that
 * the other player's tokens *fill*. If filled squares make no difference under a roll, lanes differ only in
 * the plays that send a lone token back; such a play leads to a lane of an earlier stage. Values are in 0 …
 * 1.
 *
 * A strip_tables owns what it points to; nothing changes after it is made.
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

/* A choice under a roll: the mover's arrangement becomes `mover`. The plane and the kind select the source of
 * the value. */
typedef struct {
  uint32_t mover;
  uint8_t kind;    /* number below STRIP_KINDS */
  uint8_t sent[2]; /* squares from which a lone token of the other player is sent to the start, or 0 */
  uint8_t unused;
} strip_play;

/* Where the value after a play is stored. ROWS: the mover's arrangement is the row, and the other player's is
 * the lane. TURNED: the reverse. CONSTANT: nowhere, since the game is over. */
typedef enum { STRIP_CONSTANT, STRIP_ROWS, STRIP_TURNED } strip_way;

typedef struct {
  strip_way way;
  double constant;
  uint32_t slice;      /* this slice or a finished one */
  uint64_t first_cell; /* first cell of the plane */
  const strip_pairs *pairs;
  /* strip of each of the mover's arrangements in the source, and first arrangement of each strip */
  const uint32_t *mover_strip, *mover_first;
  const uint32_t *other_strip, *other_first; /* the same two arrays for the other player's arrangements */
  uint32_t mover_strips;                     /* strips of the mover in `pairs` */
  const uint8_t *wanted; /* [strip of the mover] 1 if plays read it. NULL: they may read all */
} strip_source;

typedef struct {
  int aim, planes, rolls; /* rolls have equal weight */
  uint32_t rows;
  const uint32_t *row_strip; /* strip of each row */
  const uint32_t *row_first; /* [strips + 1] first row of each strip */
  const uint32_t *lane_first;
  const uint32_t *order; /* rows in the order in which they are computed. Plays mostly lead to earlier ones */
  uint32_t stages;
  const uint32_t *stage_first; /* [stages + 1] first strip of lanes of each stage */

  const uint32_t *fill; /* number of the set of squares that each lane fills. 0 is the empty set */
  const uint8_t *odd;   /* [fill][row] a bit for each roll whose plays differ from those of fill 0 */
  /* [fill][row][roll] number of the first play of a roll, with one more entry for the end. A fill and a row
   * have at most STRIP_PLAYS plays */
  const uint64_t *play_first;
  const strip_play *play;

  int tokens;                /* tokens per lane */
  const uint8_t *square;     /* [lane][token] square, or 0 if the token cannot be sent back */
  const uint32_t *sent_back; /* [lane][token] lane after that token is sent back */

  int sources;
  strip_source source[STRIP_SOURCES];       /* the first `planes` sources are the section itself */
  uint8_t leads[STRIP_PLANES][STRIP_KINDS]; /* source of a play, by its plane and kind */
} strip_section;

typedef struct {
  int sections;
  strip_section section[STRIP_SECTIONS];
} strip_tables;

typedef struct {
  /* `serve` returns true if a slice has strips under these rules. `bytes` returns roughly the number of bytes
   * that `open` allocates; *source_rows receives a bound on the rows of all sources of a section. Finished
   * slices are those that `needs` lists. Errors: TAULER_NO_MEMORY. */
  bool (*serve)(const game_rules *rules, uint32_t slice);
  uint64_t (*bytes)(const game_rules *rules, uint32_t slice, uint64_t *source_rows);
  tauler_error (*open)(const game_rules *rules, uint32_t slice, strip_tables **out);
  void (*close)(strip_tables *tables);
} game_strips;

#endif
