/* Materials of Dou Shou Qi and the slices in which they are solved.
 *
 * A material is the set of pieces on the board, a bit per animal: White's in the low byte, Black's in the
 * high one. Materials that a bijection of pieces maps on each other, keeping colours, moves and captures, are
 * a class and have the same values. The colour flip exchanges colours and reverses the ranks of the board; it
 * keeps all values. A slice is a class with its colour flip. It has the name of its own material, which is
 * the first of both classes. Materials are ordered by number of pieces, then by number of White's pieces, the
 * most first, then by White's animals, then by Black's, the strongest first. The positions of a slice are
 * those of its own material with White to move (part 0) and, unless the flip is in the same class, those of
 * the flipped material with White to move (part 1). The index is part · placement_count + number. Slices are
 * numbered without gaps in the order of their materials.
 *
 * The pieces of a slice are ordered by the number of squares that an animal may stand on, the fewest first;
 * among equals White's come first, then the stronger. The index and the kernels use this order. Materials of
 * up to DSQ_MOST_PIECES pieces, at least one on each side, have slices. The rule set owns what
 * dsq_materials_open makes; it is only read.
 */
#ifndef GAMES_DOUSHOUQI_MATERIAL_H
#define GAMES_DOUSHOUQI_MATERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"
#include "games/game.h"
#include "indexers/placement.h"

enum { DSQ_ANIMALS = 8, DSQ_MOST_PIECES = 6 };

typedef struct dsq_materials dsq_materials;

typedef struct {
  uint8_t side, animal;
} dsq_piece;

/* How a material corresponds to its slice: piece i of the slice is pieces[i] of the material. If `flipped`,
 * White's pieces of the material are Black's in the slice, and the ranks are reversed. */
typedef struct {
  uint32_t slice;
  bool flipped, there; /* `there`: true if the material has a slice */
  dsq_piece pieces[DSQ_MOST_PIECES];
} dsq_view;

typedef struct {
  uint32_t slice;
  uint16_t material;
  int pieces;
  int parts; /* 1 or 2 */
  dsq_piece piece[DSQ_MOST_PIECES];
  placement_index place; /* index of both parts, although piece i has the other colour in part 1 */
} dsq_slice;

/* Makes the materials and slices of a rule set whose tables are filled up to `movement`. Errors:
 * TAULER_NO_MEMORY, TAULER_INTERNAL. */
tauler_error dsq_materials_open(const game_rules *rules, dsq_materials **out, tauler_message *message);
void dsq_materials_close(dsq_materials *materials);

/* Finds the view of a material. Returns false if the material has no slice (too many pieces, or a side
 * without any). */
bool dsq_view_of(const game_rules *rules, uint16_t material, dsq_view *out);

/* Finds the view of the given pieces without number `taken`, or of all if no piece has that number. If
 * `turned`, sides are exchanged first. Piece i of the view is given piece from[i]. Returns false as
 * dsq_view_of does. */
bool dsq_view_without(const game_rules *rules, const dsq_piece piece[], int pieces, int taken, bool turned,
                      dsq_view *out, uint8_t from[DSQ_MOST_PIECES]);

/* Returns NULL if there is no such slice. */
const dsq_slice *dsq_slice_at(const game_rules *rules, uint32_t slice);

uint16_t dsq_flip_material(uint16_t material);

/* dsq_material_name writes a material like "ELcr": White's letters in upper case, each side's strongest
 * animal first. dsq_material_read also accepts other orders and more than DSQ_MOST_PIECES pieces. Errors:
 * TAULER_BAD_USAGE. */
void dsq_material_name(const game_rules *rules, uint16_t material, char name[2 * DSQ_ANIMALS + 1]);
tauler_error dsq_material_read(const char *name, uint16_t *out, tauler_message *message);

/* Members of game.h. */
GAME_MEMBER(slices) dsq_slices;
GAME_MEMBER(needs) dsq_needs;
GAME_MEMBER(slice_name) dsq_slice_name, dsq_slice_folder, dsq_size_text;
GAME_MEMBER(slice_named) dsq_slice_named;
GAME_MEMBER(part) dsq_part;
GAME_MEMBER(positions) dsq_positions;

/* --- the lists that dsq_materials_open makes --- */

struct dsq_materials {
  dsq_slice *slices;
  uint32_t n_slices;
  uint32_t
      first_of[DSQ_MOST_PIECES + 2]; /* [pieces] first slice with at least that many pieces, or n_slices */
  dsq_view *views;                   /* [material] */
  uint16_t *members;                 /* materials by slice, then by part, then in their order */
  uint32_t *first_member;            /* [n_slices + 1] first member of each slice */
  /* [animal] squares from which the animal can jump over three squares of water. Only such a jump keeps the
   * parity of rank + file */
  uint64_t far[DSQ_ANIMALS];
};

#endif
