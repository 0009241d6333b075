/* A board of the game of the goose as data, for all games on such boards.
 *
 * A board is written as text, one item per line, in any order, with blanks between the words and comments
 * from # to the end of the line:
 *
 *   length 63                 the last square, 2 … 99; squares are numbered from 1, the start is 0
 *   geese 1 5 9 … 63          rising; the last square must be one of them
 *   bridges 6 12              two squares, each of which leads to the other
 *   dice 26 53                likewise
 *   inn 19 2                  a square and the turns that are lost there, 1 … 9
 *   prison 52 3               likewise
 *   well 31                   until another token comes; `well 31 2`: two turns are lost
 *   labyrinth 42 loses 2      turns that are lost; `labyrinth 42 to 30`: where it leads
 *   death 58 to 1             where it leads
 *
 * Every item is written once. `none` in place of its squares means that the board has none, as in `well
 * none`. No square belongs to two items, but labyrinth and death may lead to the start, to a goose or to a
 * plain square. In a text of rules, the value of the flag `board` is the same text on one line, with `-` for
 * blanks and `_` for line ends.
 *
 * Boards are values: they own nothing, and a copy may be changed.
 */
#ifndef GAMES_GOOSE_BOARD_H
#define GAMES_GOOSE_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"

enum {
  GOOSE_LONGEST = 99,
  GOOSE_MOST_GEESE = 32,
  GOOSE_MOST_TURNS = 9,
  GOOSE_LINE_BYTES = 224,  /* longest board on one line in bytes, NUL included */
  GOOSE_FILE_BYTES = 16384 /* longest file of a board in bytes, NUL included */
};

typedef enum {
  GOOSE_PLAIN,
  GOOSE_GOOSE,
  GOOSE_BRIDGE,
  GOOSE_DICE,
  GOOSE_INN,
  GOOSE_PRISON,
  GOOSE_WELL,
  GOOSE_LABYRINTH,
  GOOSE_DEATH
} goose_kind;

typedef struct {
  uint8_t kind;
  /* square to which this one leads, such as the next goose or the other bridge. 0 for the last goose */
  uint8_t to;
  uint8_t turns; /* turns lost in inn, prison, well (0: until another token comes) and labyrinth (0: it leads
                    to the square `to`) */
} goose_square;

/* Equal boards have equal bytes. */
typedef struct {
  uint8_t length;
  goose_square
      square[GOOSE_LONGEST + 1]; /* squares by number. The start, 0, and squares beyond the last are plain */
} goose_board;

/* The boards of the published rules as texts, which games/boards has as files. The boards of oca and la oca
 * asesina with 63 squares differ in inn, well, labyrinth and death. */
extern const char goose_board_oca_63[], goose_board_asesina_63[], goose_board_asesina_20[];

/* Reads a board; messages call it `name`. Errors: TAULER_BAD_USAGE. */
tauler_error goose_board_read(const char *name, const char *text, goose_board *out, tauler_message *message);

/* Reads a board from a file. Errors: TAULER_IO, TAULER_BAD_USAGE. */
tauler_error goose_board_load(const char *path, goose_board *out, tauler_message *message);

GAME_MEMBER(board_flag) goose_board_flag;

/* Write and read the canonical line of a board, "length-63_geese-1-5-…_death-58-to-1". The reader accepts
 * items in any order. Errors: TAULER_BAD_USAGE. */
void goose_board_write(const goose_board *board, char line[GOOSE_LINE_BYTES]);
tauler_error goose_board_read_line(const char *line, goose_board *out, tauler_message *message);

bool goose_board_equal(const goose_board *a, const goose_board *b);

/* Returns the mark of a square in drawings: the letter of its kind, or a blank. */
char goose_board_letter(const goose_board *board, int square);

/* Does what the member `square` of game.h does. */
bool goose_board_describe_square(const goose_board *board, int number, game_square *out);

/* Returns the first square of a kind, or 0 if the board has none. */
int goose_board_find(const goose_board *board, goose_kind kind);

/* Makes a goose a plain square, so that the goose before it leads to the next one. If the square has no goose
 * or is the last, returns false and changes nothing. */
bool goose_board_drop_goose(goose_board *board, int square);

#endif
