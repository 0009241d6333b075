/* Private to the materials of Dou Shou Qi: the tables that dsq_materials_open makes and material.c reads. */
#ifndef GAMES_DOUSHOUQI_MATERIAL_CLASSES_H
#define GAMES_DOUSHOUQI_MATERIAL_CLASSES_H

#include "games/doushouqi/rules.h"

/* The packed view of a material: four bits for each piece of its slice, side << 3 | animal. */
typedef struct {
  uint32_t slice : 20, flipped : 1, there : 1;
  uint32_t pieces;
} dsq_seen;

struct dsq_materials {
  dsq_slice *slices;
  uint32_t n_slices;
  uint32_t first_of[DSQ_MOST_PIECES + 2]; /* first slice with so many pieces; the last entry is n_slices */
  dsq_seen *seen;                         /* views by material */
  uint16_t *members;                      /* materials by slice, then by part, then in their order */
  uint32_t *first_member;                 /* [n_slices + 1] first member of each slice */
  uint64_t far[DSQ_ANIMALS];              /* dsq_far_squares */
};

#endif
