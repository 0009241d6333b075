/* Private to la oca asesina: rule sets as they are written, "base,board=20,home=one-left", and as flags with
 * a board. Nothing is owned. */
#ifndef GAMES_OCA_ASESINA_FLAGS_H
#define GAMES_OCA_ASESINA_FLAGS_H

#include "games/oca_asesina/rules.h"

/* Fills flags, board and canonical text; `base` may be left out before flags. The text has flags in a fixed
 * order and a board by its short name, if it has one. Errors: TAULER_BAD_USAGE. */
tauler_error ase_flags_read(const char *text, game_rules *out, tauler_message *message);

/* For game.h: "63", "20" or a file. */
tauler_error ase_board_flag(const char *board, char flag[GAME_TEXT_BYTES], tauler_message *message);

#endif
