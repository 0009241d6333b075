/* How many positions of each material of Dou Shou Qi are won, drawn and lost, and the longest play, for the
 * claims about that game. */
#ifndef ANALYSIS_CLAIMS_DOUSHOUQI_ANIMAL_COUNTS_H
#define ANALYSIS_CLAIMS_DOUSHOUQI_ANIMAL_COUNTS_H

#include "analysis/claims/claim_tables.h"

enum { ANIMALS = 8, MOST_ANIMAL_PIECES = 6, ANIMAL_MOST_PLIES = 511 };

/* Sets of animals, a bit each. */
typedef struct {
  uint8_t white, black;
} animal_material;

/* White to move. */
typedef struct {
  uint64_t wins, draws, losses;
} animal_count;

/* Plies to the end: those of a win are odd, of a loss even. */
typedef struct {
  int longest, longest_win, longest_loss;
  game_place place, win_place, loss_place; /* a position of each, where there is one */
  uint64_t lengths[ANIMAL_MOST_PLIES + 1]; /* positions by plies, drawn ones left out */
} animal_lengths;

typedef struct {
  int pieces;       /* materials of 2 … so many */
  animal_count *of; /* by animal_number() */
  struct {
    animal_count results;
    animal_lengths plies;
  } total[MOST_ANIMAL_PIECES + 1]; /* by pieces */
} animal_counts;

static inline size_t animal_number(animal_material m) {
  return (size_t)m.white | (size_t)m.black << ANIMALS;
}
int animal_pieces(animal_material m);

/* "ELcr": White's animals upper case, strongest first. */
void animal_material_name(animal_material m, char name[2 * ANIMALS + 1]);

/* Builds missing tables and reads every cell. animal_counts_free in any case. Errors are kept with the
 * tables: of building and reading tables, TAULER_NO_MEMORY. */
void animal_counts_read(claim_tables *t, int pieces, animal_counts *out);

/* The same, but of the most pieces only materials in which both sides have the same animals; the others'
 * counts and the totals mean nothing. */
void animal_counts_read_equal(claim_tables *t, int pieces, animal_counts *out);
void animal_counts_free(animal_counts *counts);

#endif
