/* Describes the records of games for two (all but the names of moves), and the notations and files of other
 * programs. */
#ifndef GAMES_GAME_RECORD_H
#define GAMES_GAME_RECORD_H

#include "games/game.h"

/* A rule set with the name that other programs give it. */
typedef struct {
  const char *name, *rules;
} game_variant;

/* Pieces and captures of each side, the first side first. */
typedef struct {
  int row[GAME_SIDES];   /* seeds or pieces on the board */
  int store[GAME_SIDES]; /* captures */
  int all; /* seeds or pieces of the whole game. Captures before the position may be missing in `store` */
} game_shares;

/* A pointer is NULL if it does not apply. */
struct game_record {
  const char *const *tags;      /* tags that only records of this game have. The list ends with NULL */
  const game_variant *variants; /* values of the tag Variant. The list ends with a name of NULL */
  bool letters; /* true if moves are single letters, with or without blanks between them: "FfBe" */
  /* Computes the shares of a canonical position. Returns false if it has none. */
  bool (*shares)(const char *position, game_shares *out);
};

/* A file of another program with values of this game, a byte per position. */
struct game_book {
  const char *format, *file;             /* "aalina", "oware-leaves.bin" */
  const char *needs;                     /* options of the tables from which it is made, for messages */
  uint32_t largest;                      /* largest slice that it can have */
  bool (*fits)(const game_rules *rules); /* true if tables of these rules have its values */
  /* `positions` returns the number of positions of the slices up to `slice`. `number` returns the place of
   * the position with these numbers (game->numbers). `byte` returns the byte for a value in a slice. */
  uint64_t (*positions)(uint32_t slice);
  uint64_t (*number)(const int8_t *numbers);
  uint8_t (*byte)(uint32_t slice, int value);
  /* Writes the bytes before the first position, and returns how many. */
  size_t (*header)(uint32_t slice, const char *author, char out[GAME_DRAWING_BYTES]);
};

enum { GAME_NOTATION_MORE = 16 }; /* bytes of a move's name beyond twice its length in the game */

/* A notation of another program, for writing only. The game's parse reads all notations of its table besides
 * its own, and distinguishes them by the text. */
struct game_notation {
  const char *name;  /* "playstrategy" */
  const char *about; /* the programs that use it, and an example */
  void (*print)(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]);
  /* Writes the move called `name` of the position. The room is 2 × strlen(name) + GAME_NOTATION_MORE. */
  void (*move)(const game_rules *rules, const game_position *position, const char *name, char *text);
};

/* Finds the game's notation of this name. Errors: TAULER_BAD_USAGE. */
tauler_error game_notation_called(const game *game, const char *name, const game_notation **out,
                                  tauler_message *message);

#endif
