/* How records of games for two are written, and how they end, apart from the names of moves. */
#ifndef GAMES_GAME_RECORD_H
#define GAMES_GAME_RECORD_H

#include "games/game.h"

/* A rule set with the name that other programs give it. */
typedef struct {
  const char *name, *rules;
} game_variant;

/* What each side has, the first side first. */
typedef struct {
  int row[GAME_SIDES];   /* seeds or pieces on the board */
  int store[GAME_SIDES]; /* captured */
  int all;               /* in the whole game; stores may lack what was captured before the position */
} game_shares;

/* A member is NULL if it does not apply. */
struct game_record {
  const char *const *tags;      /* tags that only records of this game have; ends with NULL */
  const game_variant *variants; /* values of the tag Variant; ends with a name of NULL */
  bool letters;                 /* moves are single letters, with or without blanks between them: "FfBe" */
  /* Computes the shares of a canonical position. */
  bool (*shares)(const char *position, game_shares *out);
};

#endif
