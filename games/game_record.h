/* How records of games for two are written, and how they end, apart from the names of moves; how other
 * programs write positions, moves and values. */
#ifndef GAMES_GAME_RECORD_H
#define GAMES_GAME_RECORD_H

#include "games/game.h"

/* A rule set with the name that other programs give it. */
typedef struct {
  const char *name, *rules;
} game_variant;

/* Captures and stores of each side, the first side first. */
typedef struct {
  int row[GAME_SIDES];   /* seeds or pieces on the board */
  int store[GAME_SIDES]; /* captured */
  int all;               /* captures in the whole game. Stores may lack those from before the position */
} game_shares;

/* A member is NULL if it does not apply. */
struct game_record {
  const char *const *tags;      /* tags that only records of this game have. The list ends with NULL */
  const game_variant *variants; /* values of the tag Variant. The list ends with a name of NULL */
  bool letters;                 /* moves are single letters, with or without blanks between them: "FfBe" */
  /* Computes the shares of a canonical position. */
  bool (*shares)(const char *position, game_shares *out);
};

/* A file of another program that has values of this game, a byte a position. */
struct game_book {
  const char *format, *file;             /* "aalina", "oware-leaves.bin" */
  const char *needs;                     /* options of the tables that it is made of, for messages */
  uint32_t largest;                      /* slice that it can have */
  bool (*fits)(const game_rules *rules); /* true if these tables have its values */
  /* Positions of the slices up to `slice`, and the number of one of them, by its numbers (game->numbers). */
  uint64_t (*positions)(uint32_t slice);
  uint64_t (*number)(const int8_t *numbers);
  uint8_t (*byte)(uint32_t slice, int value);
  /* The bytes before the first position; returns how many. */
  size_t (*header)(uint32_t slice, const char *author, char out[GAME_DRAWING_BYTES]);
};

enum { GAME_NOTATION_MORE = 16 }; /* bytes that a move's name may grow by beyond twice its own */

/* Only for writing: the game's parse reads all notations of its table beside its own, and tells them apart by
 * the text. */
struct game_notation {
  const char *name;  /* "playstrategy" */
  const char *about; /* the programs that use it, and an example */
  void (*print)(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]);
  /* Writes the move called `name` of the position. The room is 2 × strlen(name) + GAME_NOTATION_MORE. */
  void (*move)(const game_rules *rules, const game_position *position, const char *name, char *text);
};

/* The game's notation of this name. Errors: TAULER_BAD_USAGE. */
tauler_error game_notation_called(const game *game, const char *name, const game_notation **out,
                                  tauler_message *message);

#endif
