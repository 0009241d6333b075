/* Names squares and animals of Dou Shou Qi, and exchanges the sides of a position. */
#include "games/doushouqi/position.h"

#include <ctype.h>

#include <string.h>

uint16_t dsq_material_of(const dsq_position *position) {
  unsigned material = 0;
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const bool there = position->square[side][animal] != DSQ_NOWHERE;
      material |= (unsigned)there << (side * DSQ_ANIMALS + animal);
    }
  }
  return (uint16_t)material;
}

dsq_position dsq_flip_position(const dsq_position *position) {
  dsq_position flipped = {.side = !position->side};
  for (int side = 0; side < 2; side++) {
    for (int animal = 0; animal < DSQ_ANIMALS; animal++) {
      const int square = position->square[!side][animal];
      flipped.square[side][animal] = (uint8_t)(square == DSQ_NOWHERE ? DSQ_NOWHERE : dsq_flip(square));
    }
  }
  return flipped;
}

void dsq_square_name(int square, char name[3]) {
  name[0] = (char)('a' + square % DSQ_FILES);
  name[1] = (char)('1' + square / DSQ_FILES);
  name[2] = '\0';
}

static const char letters[DSQ_ANIMALS + 1] = "rcwdptle";

char dsq_letter(int side, int animal) {
  return (char)(side == DSQ_WHITE ? toupper((unsigned char)letters[animal]) : letters[animal]);
}

bool dsq_read_letter(char letter, int *side, int *animal) {
  const char *found = letter ? strchr(letters, tolower((unsigned char)letter)) : NULL;
  if (!found) return false;
  *side = isupper((unsigned char)letter) ? DSQ_WHITE : DSQ_BLACK;
  *animal = (int)(found - letters);
  return true;
}
