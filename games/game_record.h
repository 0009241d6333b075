/* How records of games for two are written, and what they end with, beyond the names of moves. */
#ifndef GAMES_GAME_RECORD_H
#define GAMES_GAME_RECORD_H

#include "games/game.h"

/* A rule set by the name that other programs give it. */
typedef struct {
  const char *name, *rules;
} game_variant;

/* The captures of the sides, the first side's first. */
typedef struct {
  int row[GAME_SIDES];   /* on the board */
  int store[GAME_SIDES]; /* captured */
  int all; /* in the whole game; what was captured before the position may not be in the stores */
} game_shares;

/* Members are NULL where there is nothing to say. */
struct game_record {
  const char *const *tags;      /* that records of no other game have; ended by NULL */
  const game_variant *variants; /* of the tag Variant; ended by a name of NULL */
  bool letters;                 /* moves are single letters, blanks between them or not: "FfBe" */
  bool (*shares)(const char *position, game_shares *out); /* of a canonical position */
};

#endif
