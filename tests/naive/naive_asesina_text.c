#include "naive_asesina.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_tokens(const naive_ase_game *game, const int *square, char *text) {
  int used = 0;
  for (int token = 0; token < game->tokens; token++) {
    used += sprintf(text + used, "%s%d", token == 0 ? "" : ",", square[token]);
    if (game->rules.colours > 1) used += sprintf(text + used, "%c", 'a' + naive_ase_colour(game, token));
  }
  return used;
}

void naive_ase_write(const naive_ase_game *game, const naive_ase_position *position,
                     char text[NAIVE_ASE_TEXT_BYTES]) {
  int used = 0;
  for (int player = 0; player < game->players; player++) {
    used += sprintf(text + used, "%s", player == 0 ? "" : "/");
    used += write_tokens(game, position->square[player], text + used);
  }
  for (int player = 0; player < game->players; player++)
    used += sprintf(text + used, "%s%d", player == 0 ? " lost=" : ",", position->lost[player]);
  used += sprintf(text + used, " seat=%d", position->seat + 1);
  if (position->forced != 0) sprintf(text + used, " forced");
}

/* NULL, here and below: the text does not go on as it must. */
static const char *read_number(const char *text, int most, int *number) {
  size_t figures = text == NULL ? 0 : strspn(text, "0123456789");
  if (figures == 0 || figures > 2 || (figures == 2 && *text == '0')) return NULL;
  *number = atoi(text);
  return *number <= most ? text + figures : NULL;
}

static const char *pass_over(const char *text, const char *what) {
  if (text == NULL || strncmp(text, what, strlen(what)) != 0) return NULL;
  return text + strlen(what);
}

static const char *read_tokens(const naive_ase_game *game, const char *text, int *square) {
  for (int token = 0; token < game->tokens; token++) {
    const char colour[] = {(char)('a' + naive_ase_colour(game, token)), '\0'};
    if (token > 0) text = pass_over(text, ",");
    text = read_number(text, game->board.home, &square[token]);
    if (game->rules.colours > 1) text = pass_over(text, colour);
    if (token > 0 && naive_ase_colour(game, token) == naive_ase_colour(game, token - 1) &&
        square[token] < square[token - 1])
      return NULL;
  }
  return text;
}

/* With several colours at home, the first of them. */
static int forced_colour(const naive_ase_game *game, const naive_ase_position *position) {
  for (int token = 0; token < game->tokens; token++)
    if (position->square[position->seat][token] == game->board.home) return 1 + naive_ase_colour(game, token);
  return 0;
}

bool naive_ase_read(const naive_ase_game *game, const char *text, naive_ase_position *position) {
  *position = naive_ase_start();
  for (int player = 0; player < game->players; player++) {
    if (player > 0) text = pass_over(text, "/");
    text = read_tokens(game, text, position->square[player]);
  }
  for (int player = 0; player < game->players; player++)
    text = read_number(pass_over(text, player == 0 ? " lost=" : ","), 3, &position->lost[player]);
  text = read_number(pass_over(text, " seat="), game->players, &position->seat);
  if (text == NULL || position->seat-- == 0) return false;
  if (strcmp(text, " forced") != 0) return *text == '\0';
  position->forced = forced_colour(game, position);
  return position->forced != 0;
}
