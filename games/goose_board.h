/* A board of the game of the goose as data, for every game that is played on one.
 *
 * A board is written as text, one item per line, in any order, blanks between the words, comments from # to
 * the end of the line:
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
 * Every item is there once; `none` in place of its squares says that the board has none, as in `well none`.
 * No square stands in two items; but labyrinth and death lead to the start, to a goose or to a square of no
 * item. The same on one line, blanks as `-` and lines as `_`, is a flag's value in a rules text.
 *
 * Boards are values: nothing is owned; a copy may be changed.
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
  GOOSE_LINE_BYTES = 224,  /* longest board on one line, NUL included */
  GOOSE_FILE_BYTES = 16384 /* longest file of a board */
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
  uint8_t
      to; /* the next goose (0: of the last one), the other bridge or dice, where labyrinth and death lead */
  uint8_t turns; /* lost in inn, prison, well (0: until another token comes) and labyrinth (0: it leads to
                    `to`) */
} goose_square;

/* Equal boards are equal byte by byte. */
typedef struct {
  uint8_t length;
  goose_square square[GOOSE_LONGEST + 1]; /* 0, the start, is plain, and so is what lies beyond the last */
} goose_board;

/* The boards that the rules give, as such texts; games/boards has the same as files. Inn, well, labyrinth and
 * death of the 63 squares differ between Oca and la oca asesina. */
extern const char goose_board_oca_63[], goose_board_asesina_63[], goose_board_asesina_20[];

/* Reads a board; `name` says in messages whose line is wrong. Errors: TAULER_BAD_USAGE. */
tauler_error goose_board_read(const char *name, const char *text, goose_board *out, tauler_message *message);

/* The same from a file. Errors: TAULER_IO, TAULER_BAD_USAGE. */
tauler_error goose_board_load(const char *path, goose_board *out, tauler_message *message);

/* The one canonical line of a board, "length-63_geese-1-5-…_death-58-to-1", and back: the reader takes items
 * in any order. Errors: TAULER_BAD_USAGE. */
void goose_board_write(const goose_board *board, char line[GOOSE_LINE_BYTES]);
tauler_error goose_board_read_line(const char *line, goose_board *out, tauler_message *message);

bool goose_board_equal(const goose_board *a, const goose_board *b);

/* The mark of a square in drawings: a blank, or the letter of what it does. */
char goose_board_letter(const goose_board *board, int square);

/* For game.h. */
bool goose_board_square(const goose_board *board, int number, game_square *out);

/* The first square of a kind; 0: the board has none. */
int goose_board_find(const goose_board *board, goose_kind kind);

/* Makes a goose a plain square, passed over by the goose before it. False, and nothing done, if there is no
 * goose on it or it is the last square. */
bool goose_board_drop_goose(goose_board *board, int square);

#endif
