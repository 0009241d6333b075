/* Dou Shou Qi in words: positions in FEN, ranks from 9 to 1, and lines of moves. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "games/doushouqi/moves.h"

static const char *const animals[DSQ_ANIMALS] = {"rat",     "cat",   "wolf", "dog",
                                                 "leopard", "tiger", "lion", "elephant"};
static const char *const sides[2] = {"White", "Black"};
static const char start[] = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

enum { WHY_BYTES = 160 };

static char shown(char c) {
  return (char)(isprint((unsigned char)c) ? c : '?');
}

static void skip_blanks(const char **at) {
  while (**at == ' ' || **at == '\t') (*at)++;
}

static bool ends_word(char c) {
  return c == '\0' || c == ' ' || c == '\t';
}

static tauler_error bad(tauler_message *message, const char *text, const char *why) {
  return tauler_fail(message, TAULER_BAD_POSITION,
                     "'%.120s' is no position of dou shou qi: %s; write %s (ranks 9 to 1, digits for empty "
                     "squares, side to move w or b)",
                     text, why, start);
}

/* --- reading a board --- */

typedef struct {
  const game_rules *rules;
  const char *text, *at;
  dsq_position position;
  char why[WHY_BYTES];
} reader;

static size_t place_of(const reader *r) {
  return (size_t)(r->at - r->text) + 1;
}

/* Puts the animal of the letter at hand on a square. */
static bool read_animal(reader *r, int square) {
  int side, animal;
  if (!dsq_read_letter(*r->at, &side, &animal)) {
    snprintf(r->why, WHY_BYTES, "character %zu, '%c', is no animal; they are r c w d p t l e", place_of(r),
             shown(*r->at));
    return false;
  }
  char here[3], there[3];
  dsq_square_name(square, here);
  uint8_t *stands = &r->position.square[side][animal];
  if (*stands != DSQ_NOWHERE) {
    dsq_square_name(*stands, there);
    snprintf(r->why, WHY_BYTES, "%s has two animals of a kind: %s on %s and on %s", sides[side],
             animals[animal], there, here);
    return false;
  }
  if (!(r->rules->ground[animal] >> square & 1)) {
    const bool den = square == r->rules->den[DSQ_WHITE] || square == r->rules->den[DSQ_BLACK];
    snprintf(r->why, WHY_BYTES, "%s's %s on %s stands %s", sides[side], animals[animal], here,
             den ? "in a den, where the game is over"
                 : "in water, which it does not enter under these rules");
    return false;
  }
  *stands = (uint8_t)square;
  return true;
}

static bool read_rank(reader *r, int rank) {
  int file = 0;
  for (; *r->at != '/' && !ends_word(*r->at); r->at++) {
    const bool run = *r->at >= '1' && *r->at <= '9';
    const int squares = run ? *r->at - '0' : 1;
    if (file + squares > DSQ_FILES) {
      snprintf(r->why, WHY_BYTES, "rank %d has more than %d squares, at character %zu, '%c'", rank + 1,
               DSQ_FILES, place_of(r), shown(*r->at));
      return false;
    }
    if (!run && !read_animal(r, rank * DSQ_FILES + file)) return false;
    file += squares;
  }
  if (file == DSQ_FILES) return true;
  snprintf(r->why, WHY_BYTES, "rank %d has only %d of %d squares", rank + 1, file, DSQ_FILES);
  return false;
}

static bool read_board(reader *r) {
  memset(r->position.square, DSQ_NOWHERE, sizeof r->position.square);
  for (int rank = DSQ_RANKS - 1; rank >= 0; rank--) {
    if (!read_rank(r, rank)) return false;
    if (rank == 0) break;
    if (*r->at != '/') {
      snprintf(r->why, WHY_BYTES, "it has only %d of %d ranks, the last one rank %d", DSQ_RANKS - rank,
               DSQ_RANKS, rank + 1);
      return false;
    }
    r->at++;
  }
  if (*r->at == '/') {
    snprintf(r->why, WHY_BYTES, "it has more than %d ranks, at character %zu", DSQ_RANKS, place_of(r));
    return false;
  }
  return true;
}

static bool read_side(reader *r) {
  skip_blanks(&r->at);
  if (*r->at == '\0') {
    snprintf(r->why, WHY_BYTES, "the side to move, w or b, is missing behind the board");
    return false;
  }
  if ((*r->at != 'w' && *r->at != 'b') || !ends_word(r->at[1])) {
    snprintf(r->why, WHY_BYTES, "the side to move must be w or b, not '%.*s' (character %zu)",
             (int)strcspn(r->at, " \t"), r->at, place_of(r));
    return false;
  }
  r->position.side = *r->at++ == 'b';
  return true;
}

static bool check_sides(reader *r) {
  const uint16_t material = dsq_material_of(&r->position);
  for (int side = 0; side < 2; side++) {
    if (material >> (side * DSQ_ANIMALS) & 0xFF) continue;
    snprintf(r->why, WHY_BYTES, "%s has no animal on the board, so the game is over", sides[side]);
    return false;
  }
  return true;
}

/* --- reading moves --- */

static int read_square(const char *text) {
  if (text[0] < 'a' || text[0] >= 'a' + DSQ_FILES || text[1] < '1' || text[1] >= '1' + DSQ_RANKS)
    return DSQ_NOWHERE;
  return (text[1] - '1') * DSQ_FILES + (text[0] - 'a');
}

static bool find_on(const dsq_position *position, int square, int *side, int *animal) {
  for (*side = 0; *side < 2; ++*side) {
    for (*animal = 0; *animal < DSQ_ANIMALS; ++*animal) {
      if (position->square[*side][*animal] == square) return true;
    }
  }
  return false;
}

/* Somebody on one of these squares: a rat, or any other animal. */
static bool find_in(const dsq_position *position, uint64_t squares, bool rat, int *square) {
  for (*square = 0; *square < DSQ_SQUARES; ++*square) {
    int side, animal;
    if (!(squares >> *square & 1) || !find_on(position, *square, &side, &animal)) continue;
    if ((animal == DSQ_RAT) == rat) return true;
  }
  return false;
}

/* Why the animal on `from`, which is the mover's, may not go to `to`. */
static void explain(const game_rules *rules, const dsq_position *position, int animal, int from, int to,
                    char why[WHY_BYTES]) {
  const int side = position->side;
  const dsq_target *target = NULL;
  for (int t = 0; t < rules->targets_used[side][animal][from]; t++) {
    if (rules->targets[side][animal][from][t].to == to) target = &rules->targets[side][animal][from][t];
  }
  int other_side, other, barrier;
  char name[3];
  dsq_square_name(to, name);
  const bool occupied = find_on(position, to, &other_side, &other);
  if (to == rules->den[side]) {
    snprintf(why, WHY_BYTES, "%s is its own den", name);
  } else if (occupied && other_side == side) {
    snprintf(why, WHY_BYTES, "on %s stands its own side's %s", name, animals[other]);
  } else if (!target && !(rules->ground[animal] >> to & 1) && to != rules->den[!side]) {
    snprintf(why, WHY_BYTES, "the %s does not enter the water of %s", animals[animal], name);
  } else if (!target) {
    snprintf(why, WHY_BYTES, "the %s does not reach %s in one move", animals[animal], name);
  } else if (find_in(position, target->no_rat, true, &barrier)) {
    dsq_square_name(barrier, name);
    snprintf(why, WHY_BYTES, "a rat swims on %s", name);
  } else if (find_in(position, target->no_drinker, false, &barrier)) {
    dsq_square_name(barrier, name);
    snprintf(why, WHY_BYTES, "somebody drinks on %s", name);
  } else if (!(target->prey >> other & 1)) {
    snprintf(why, WHY_BYTES,
             "the %s on %s cannot be taken by a move into or out of the water, nor while it "
             "drinks",
             animals[other], name);
  } else {
    snprintf(why, WHY_BYTES, "the %s does not take the %s on %s", animals[animal], animals[other], name);
  }
}

/* Where the animal on `from` can go, or all that can be played. */
static void list_choices(const game_rules *rules, const dsq_position *position, int from, char *text,
                         size_t room) {
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t n = dsq_list_moves(rules, position, moves);
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < n && used + 6 < room; i++) {
    if (from != DSQ_NOWHERE && moves[i].from != from) continue;
    char one[3], other[3];
    dsq_square_name(moves[i].from, one);
    dsq_square_name(moves[i].to, other);
    used += (size_t)snprintf(text + used, room - used, " %s%s", one, other);
  }
  if (used == 0) snprintf(text, room, " nothing");
}

static tauler_error refuse_move(const game_rules *rules, const dsq_position *position, const char *word,
                                size_t number, tauler_message *message) {
  const int length = (int)strcspn(word, " \t");
  const int from = length == 4 ? read_square(word) : DSQ_NOWHERE;
  const int to = length == 4 ? read_square(word + 2) : DSQ_NOWHERE;
  char why[WHY_BYTES], can[400], name[3];
  int side, animal;
  bool own = false;
  if (from == DSQ_NOWHERE || to == DSQ_NOWHERE) {
    snprintf(why, WHY_BYTES, "a move is two squares, as a3a4, with files a to g and ranks 1 to 9");
  } else if (!find_on(position, from, &side, &animal)) {
    dsq_square_name(from, name);
    snprintf(why, WHY_BYTES, "there is no animal on %s", name);
  } else if (side != position->side) {
    dsq_square_name(from, name);
    snprintf(why, WHY_BYTES, "the %s on %s is %s's", animals[animal], name, sides[side]);
  } else {
    own = true;
    explain(rules, position, animal, from, to, why);
  }
  list_choices(rules, position, own ? from : DSQ_NOWHERE, can, sizeof can);
  return tauler_fail(message, TAULER_BAD_POSITION, "move %zu, '%.*s': %s; %s is to move and can play%s%s",
                     number, length < 40 ? length : 40, word, why, sides[position->side], can,
                     own ? " with that animal" : "");
}

static bool find_move(const game_rules *rules, const dsq_position *position, const char *word,
                      dsq_move *out) {
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t n = dsq_list_moves(rules, position, moves);
  if (strcspn(word, " \t") != 4) return false;
  for (size_t i = 0; i < n; i++) {
    *out = moves[i];
    if (read_square(word) == out->from && read_square(word + 2) == out->to) return true;
  }
  return false;
}

static tauler_error play_line(const game_rules *rules, const char *word, dsq_position *position,
                              tauler_message *message) {
  size_t number = 1;
  for (skip_blanks(&word); *word; word += 4, skip_blanks(&word), number++) {
    dsq_move move;
    if (!find_move(rules, position, word, &move)) return refuse_move(rules, position, word, number, message);
    if (move.wins)
      return tauler_fail(message, TAULER_BAD_POSITION,
                         "move %zu, '%.4s', wins for %s: the game is over, and no position follows", number,
                         word, sides[position->side]);
    dsq_play(position, &move);
  }
  return TAULER_OK;
}

/* --- for game.h --- */

static bool take_word(const char **at, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0 || !ends_word((*at)[length])) return false;
  *at += length;
  return true;
}

static tauler_error read_position(const game_rules *rules, const char *text, const char **at,
                                  dsq_position *out, tauler_message *message) {
  reader r = {.rules = rules, .text = text, .at = *at};
  const bool from_start = take_word(&r.at, "startpos");
  const char *behind = r.at;
  if (from_start) r.at = r.text = start;
  if (!read_board(&r) || !read_side(&r) || !check_sides(&r)) return bad(message, text, r.why);
  *at = from_start ? behind : r.at;
  *out = r.position;
  return TAULER_OK;
}

tauler_error dsq_parse(const game_rules *rules, const char *text, game_position *out,
                       tauler_message *message) {
  dsq_position position;
  const char *at = text;
  skip_blanks(&at);
  tauler_error error = read_position(rules, text, &at, &position, message);
  if (error) return error;
  skip_blanks(&at);
  if (take_word(&at, "moves")) {
    error = play_line(rules, at, &position, message);
    if (error) return error;
  } else if (*at) {
    char why[WHY_BYTES];
    snprintf(why, sizeof why,
             "character %zu, '%c', is not expected; behind the side to move only moves follow",
             (size_t)(at - text) + 1, shown(*at));
    return bad(message, text, why);
  }
  dsq_to_game(&position, out);
  return TAULER_OK;
}

static char letter_on(const dsq_position *position, int square) {
  int side, animal;
  if (!find_on(position, square, &side, &animal)) return '\0';
  return dsq_letter(side, animal);
}

void dsq_print(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  (void)rules;
  const dsq_position position = dsq_from_game(game);
  char *end = text;
  for (int rank = DSQ_RANKS - 1; rank >= 0; rank--) {
    char empty = '0';
    for (int file = 0; file < DSQ_FILES; file++) {
      const char letter = letter_on(&position, rank * DSQ_FILES + file);
      if (!letter) {
        empty++;
        continue;
      }
      if (empty > '0') *end++ = empty;
      *end++ = letter;
      empty = '0';
    }
    if (empty > '0') *end++ = empty;
    *end++ = rank ? '/' : ' ';
  }
  *end++ = position.side == DSQ_WHITE ? 'w' : 'b';
  *end = '\0';
}

static char ground_mark(const game_rules *rules, int square) {
  const uint64_t traps = rules->weak[DSQ_WHITE] | rules->weak[DSQ_BLACK];
  if (square == rules->den[DSQ_WHITE] || square == rules->den[DSQ_BLACK]) return '#';
  if (traps >> square & 1) return '+';
  return DSQ_WATER >> square & 1 && rules->flags.lakes != LAKES_PLAIN ? '~' : '.';
}

void dsq_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
  const dsq_position position = dsq_from_game(game);
  size_t used = 0;
  for (int rank = DSQ_RANKS - 1; rank >= 0; rank--) {
    used += (size_t)snprintf(text + used, GAME_DRAWING_BYTES - used, " %d ", rank + 1);
    for (int file = 0; file < DSQ_FILES; file++) {
      const int square = rank * DSQ_FILES + file;
      const char mark = ground_mark(rules, square), letter = letter_on(&position, square);
      const char around = mark == '.' ? ' ' : mark;
      used += (size_t)snprintf(text + used, GAME_DRAWING_BYTES - used, "%c%c%c", letter ? around : ' ',
                               letter ? letter : mark, letter ? around : ' ');
    }
    while (text[used - 1] == ' ') used--;
    const int home = rank == 0 ? DSQ_WHITE : DSQ_BLACK;
    const bool named = rank == 0 || rank == DSQ_RANKS - 1;
    used += (size_t)snprintf(text + used, GAME_DRAWING_BYTES - used, "%s%s%s\n", named ? "    " : "",
                             named ? sides[home] : "", named && home == position.side ? "  <- to move" : "");
  }
  snprintf(text + used, GAME_DRAWING_BYTES - used,
           "    a  b  c  d  e  f  g\n"
           "White's animals are upper case; ~ water, + trap, # den\n");
}
