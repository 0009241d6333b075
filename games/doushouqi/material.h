/* Materials of Dou Shou Qi and the slices that they are solved in.
 *
 * A material is the set of pieces on the board, a bit per animal: White's in the low byte, Black's in the
 * high one. Materials that a bijection maps on each other, keeping colours, moves and captures, have the same
 * values; so does a material with the colours of both sides exchanged and the board turned upside down. A
 * slice is such a class with its colour flip. It is numbered and named after its own material, the first of
 * both classes: materials are ordered by pieces, then those in which White has more, then White's strongest,
 * then Black's strongest. Its positions are those of its own material with White to move (part 0) and, unless
 * the flip is of the same class, of the flipped one with White to move (part 1); index = part ·
 * placement_count + number. Slices are numbered without gaps in the order of their materials.
 *
 * Order of a slice's pieces, in its index and everywhere else: the fewer squares an animal may stand on the
 * earlier; among equals White's first, then the stronger. Materials of up to DSQ_MOST_PIECES pieces have
 * slices. The rule set owns what dsq_materials_open makes; it is only read.
 */
#ifndef GAMES_DOUSHOUQI_MATERIAL_H
#define GAMES_DOUSHOUQI_MATERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"
#include "games/game.h"
#include "indexers/placement.h"

enum { DSQ_ANIMALS = 8, DSQ_MOST_PIECES = 6, DSQ_NO_SLICE = -1 };

typedef struct dsq_materials dsq_materials;

typedef struct {
  uint8_t side, animal;
} dsq_piece;

/* How a material is seen in its slice: piece i of the slice is pieces[i] here. If `flipped`, White here plays
 * Black there, on a board upside down. */
typedef struct {
  uint32_t slice;
  bool flipped;
  dsq_piece pieces[DSQ_MOST_PIECES];
} dsq_view;

typedef struct {
  uint32_t slice;
  uint16_t material; /* the slice's own */
  int pieces;
  int parts; /* 1 or 2 */
  dsq_piece piece[DSQ_MOST_PIECES];
  placement_index place; /* the same for both parts; in part 1 piece i is of the other colour */
} dsq_slice;

/* Errors: TAULER_NO_MEMORY. `rules` needs its tables up to `movement` filled. */
tauler_error dsq_materials_open(const game_rules *rules, dsq_materials **out, tauler_message *message);
void dsq_materials_close(dsq_materials *materials);

/* How a material is seen; false if it has no slice (too many pieces, or a side without any). */
bool dsq_view_of(const game_rules *rules, uint16_t material, dsq_view *out);

/* NULL if there is no slice of that number. */
const dsq_slice *dsq_slice_at(const game_rules *rules, uint32_t slice);

/* Squares from which White's animal has a move that does not change the parity of rank + file, other
 * pieces permitting: jumps over three squares of water. All other moves change it. */
uint64_t dsq_far_squares(const game_rules *rules, int animal);

/* Colours exchanged. */
uint16_t dsq_flip_material(uint16_t material);

/* "ELcr": White's letters upper case, each side strongest first. The reader also takes other orders, and any
 * number of pieces; it is false for anything else and where a side has no piece. */
void dsq_material_name(const game_rules *rules, uint16_t material, char name[2 * DSQ_ANIMALS + 1]);
bool dsq_material_read(const game_rules *rules, const char *name, uint16_t *out);

/* For game.h. */
tauler_error dsq_slices(const game_rules *rules, const game_request *request, game_slices *out,
                        tauler_message *message);
tauler_error dsq_needs(const game_rules *rules, uint32_t slice, game_slices *out, tauler_message *message);
void dsq_slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);
bool dsq_slice_named(const game_rules *rules, const char *name, uint32_t *slice);
void dsq_slice_folder(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);
void dsq_size_text(const game_rules *rules, uint32_t slice, char text[GAME_TEXT_BYTES]);
bool dsq_part(const game_rules *rules, uint32_t slice, size_t i, game_part *out);
uint64_t dsq_positions(const game_rules *rules, uint32_t slice);

#endif
