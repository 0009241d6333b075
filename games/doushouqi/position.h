/* A position of Dou Shou Qi, its text and its place in the index. Pure functions over values; nothing is
 * owned. */
#ifndef GAMES_DOUSHOUQI_POSITION_H
#define GAMES_DOUSHOUQI_POSITION_H

#include "games/doushouqi/rules.h"

/* Laid over the words of a game_position: where every animal stands (DSQ_NOWHERE: taken), and whose move it
 * is. */
typedef struct {
  uint8_t square[2][DSQ_ANIMALS];
  uint8_t side; /* to move */
  uint8_t unused[7];
} dsq_position;

GAME_POSITION(dsq_position, dsq)

uint16_t dsq_material_of(const dsq_position *position);

/* The same position with the other side's men and the board upside down, so that White is to move where Black
 * was. */
dsq_position dsq_flip_position(const dsq_position *position);

/* "a1" … "g9". */
void dsq_square_name(int square, char name[3]);

/* "rcwdptle" in the order of the animals, White's in upper case; and back, false if the letter is none. */
char dsq_letter(int side, int animal);
bool dsq_read_letter(char letter, int *side, int *animal);

/* text.c; for game.h. parse reads "FEN", "startpos" and either with "moves a3a4 …" behind it. */
tauler_error dsq_parse(const game_rules *rules, const char *text, game_position *out,
                       tauler_message *message);
void dsq_print(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]);
void dsq_draw(const game_rules *rules, const game_position *position, char text[GAME_DRAWING_BYTES]);

/* place.c; for game.h. locate is false beyond DSQ_MOST_PIECES. */
uint32_t dsq_slice_of(const game_rules *rules, const game_position *position);
bool dsq_locate(const game_rules *rules, const game_position *position, game_place *out);
void dsq_position_at(const game_rules *rules, game_place place, game_position *out);
size_t dsq_numbers(const game_rules *rules, const game_position *position, int8_t *out);
void dsq_copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);
void dsq_left_out(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);

/* The name of the position's own material, its mover being White. */
void dsq_position_slice(const game_rules *rules, const game_position *position, char name[GAME_TEXT_BYTES]);

/* The place of a position whose squares are given piece by piece in the order of its slice; White to move
 * there. */
uint64_t dsq_index(const dsq_slice *slice, int part, const uint8_t square[]);

#endif
