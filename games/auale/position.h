/* Private to aualé: a position of play, its conversion to a board and back, and its moves. */
#ifndef GAMES_AUALE_POSITION_H
#define GAMES_AUALE_POSITION_H

#include "games/auale/rules.h"
#include "games/defaults.h"
#include "games/game_record.h"

struct game_rules {
  game_base base;
  auale_grand_slam grand_slam;
  auale_cycles cycles;
};

/* A position of play: pits A–F and a–f, captures of each side, and the side to move. Side 0 is South. */
typedef struct {
  uint8_t pits[AUALE_PITS];
  uint8_t stores[2];
  uint8_t side;
  uint8_t has_stores; /* 1 if the text names stores */
} auale_position;

GAME_POSITION(auale_position, auale)

/* The boards are seen by the side to move. auale_board_to_game makes a position without stores, with South to
 * move. */
auale_board auale_board_of(const auale_position *position);
auale_board auale_board_of_game(const game_position *game);
void auale_board_to_game(const auale_board *board, game_position *out);

/* Returns the position after a legal move of own pit 0–5. *captured receives the seeds captured. */
auale_position auale_position_after(const game_rules *rules, const auale_position *position, int pit,
                                    int *captured);

char auale_pit_letter(const auale_position *position, int pit);

/* Members of auale_game that text.c and batch.c define. */
GAME_MEMBER(parse) auale_parse;
GAME_MEMBER(parse_line) auale_parse_line;
GAME_MEMBER(print) auale_print;
GAME_MEMBER(draw) auale_draw;
GAME_MEMBER(ended) auale_ended;
GAME_MEMBER(expand) auale_expand, auale_retract;
GAME_MEMBER(expand_outside) auale_expand_outside;

extern const game_grid auale_grid;
extern const game_play auale_play_members;
extern const game_proof auale_proof;
extern const game_classes auale_classes;
extern const game_record auale_record;

#endif
