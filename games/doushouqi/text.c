/* Reads and writes texts of Dou Shou Qi: positions in FEN, ranks from 9 to 1, and lines of moves, also as
 * other programs write them. */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "games/doushouqi/moves.h"
#include "games/game_text.h"

static const char *const animals[DSQ_ANIMALS] = {"rat",     "cat",   "wolf", "dog",
                                                 "leopard", "tiger", "lion", "elephant"};
static const char *const sides[2] = {"White", "Black"};
static const char start[] = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

static tauler_error refuse_text(tauler_message *message, const game_text *in) {
  return game_text_fail(message, in,
                        "'%.120s' is no position of dou shou qi: %s; write %s (ranks 9 to 1, digits for "
                        "empty squares, side to move w or b)",
                        in->text, in->why, start);
}

/* --- notations of other programs --- */

/* Returns the letter that this program uses: r for m (mouse), p for j (jaguar), otherwise the same letter. */
static char usual_letter(char letter) {
  static const char others[] = "mj", usual[] = "rp";
  const char *found = letter ? strchr(others, tolower((unsigned char)letter)) : NULL;
  if (!found) return letter;
  const char own = usual[found - others];
  return isupper((unsigned char)letter) ? (char)toupper((unsigned char)own) : own;
}

/* Takes the side to move like game_text_take_side, or r (red) for the side in upper case. */
static bool take_side(game_text *in, uint8_t *side) {
  game_text_skip_blanks(in);
  if (!game_text_take_word(in, "r")) return game_text_take_side(in, "wb", side);
  *side = DSQ_WHITE;
  return true;
}

/* Skips the counters of a FEN, "- - 0 1" or "0 1". */
static void skip_counters(game_text *in) {
  const char *before = in->at;
  int halves, moves;
  for (int i = 0; i < 2; i++) {
    game_text_skip_blanks(in);
    (void)game_text_take_word(in, "-");
  }
  game_text_skip_blanks(in);
  bool both = game_text_take_number(in, 0, &halves) && game_text_ends_word(*in->at);
  game_text_skip_blanks(in);
  both = both && game_text_take_number(in, 0, &moves) && game_text_ends_word(*in->at);
  if (!both) in->at = before;
}

/* --- reading a board --- */

typedef struct {
  const game_rules *rules;
  game_text in;
  dsq_position position;
} reader;

static bool read_animal(reader *r, int square) {
  int side, animal;
  if (!dsq_read_letter(usual_letter(*r->in.at), &side, &animal))
    return game_text_refuse(&r->in, "character %zu, '%c', is no animal; they are r c w d p t l e",
                            game_text_place(&r->in), *r->in.at);
  char here[3], there[3];
  dsq_square_name(square, here);
  uint8_t *stands = &r->position.square[side][animal];
  if (*stands != DSQ_NOWHERE) {
    dsq_square_name(*stands, there);
    return game_text_refuse(&r->in, "%s has two animals of a kind: %s on %s and on %s", sides[side],
                            animals[animal], there, here);
  }
  if (!(r->rules->ground[animal] >> square & 1)) {
    const bool den = square == r->rules->den[DSQ_WHITE] || square == r->rules->den[DSQ_BLACK];
    return game_text_refuse(&r->in, "%s's %s on %s stands %s", sides[side], animals[animal], here,
                            den ? "in a den, where the game is over"
                                : "in water, which it does not enter under these rules");
  }
  *stands = (uint8_t)square;
  return true;
}

static bool read_rank(reader *r, int rank) {
  int file = 0;
  for (; *r->in.at != '/' && !game_text_ends_word(*r->in.at); r->in.at++) {
    const bool run = *r->in.at >= '1' && *r->in.at <= '9';
    const int squares = run ? *r->in.at - '0' : 1;
    if (file + squares > DSQ_FILES)
      return game_text_refuse(&r->in, "rank %d has more than %d squares, at character %zu, '%c'", rank + 1,
                              DSQ_FILES, game_text_place(&r->in), *r->in.at);
    if (!run && !read_animal(r, rank * DSQ_FILES + file)) return false;
    file += squares;
  }
  if (file == DSQ_FILES) return true;
  return game_text_refuse(&r->in, "rank %d has only %d of %d squares", rank + 1, file, DSQ_FILES);
}

static bool read_board(reader *r) {
  memset(r->position.square, DSQ_NOWHERE, sizeof r->position.square);
  for (int rank = DSQ_RANKS - 1; rank >= 0; rank--) {
    if (!read_rank(r, rank)) return false;
    if (rank == 0) break;
    if (*r->in.at != '/')
      return game_text_refuse(&r->in, "it has only %d of %d ranks, the last one rank %d", DSQ_RANKS - rank,
                              DSQ_RANKS, rank + 1);
    r->in.at++;
  }
  if (*r->in.at == '/')
    return game_text_refuse(&r->in, "it has more than %d ranks, at character %zu", DSQ_RANKS,
                            game_text_place(&r->in));
  return true;
}

static bool check_sides(reader *r) {
  const uint16_t material = dsq_material_of(&r->position);
  for (int side = 0; side < 2; side++) {
    if (material >> (side * DSQ_ANIMALS) & 0xFF) continue;
    return game_text_refuse(&r->in, "%s has no animal on the board, so the game is over", sides[side]);
  }
  return true;
}

/* --- reading moves --- */

static int read_square(const char *text) {
  if (text[0] < 'a' || text[0] >= 'a' + DSQ_FILES || text[1] < '1' || text[1] >= '1' + DSQ_RANKS)
    return DSQ_NOWHERE;
  return (text[1] - '1') * DSQ_FILES + (text[0] - 'a');
}

/* Reads "a3a4", "a3-a4" or "a3xa4" and returns its length, or 0. */
static size_t read_squares(const char *word, int *from, int *to) {
  const size_t length = strcspn(word, " \t");
  if (length != 4 && !(length == 5 && (word[2] == '-' || word[2] == 'x'))) return 0;
  *from = read_square(word);
  *to = read_square(word + length - 2);
  return *from == DSQ_NOWHERE || *to == DSQ_NOWHERE ? 0 : length;
}

static bool find_piece_on(const dsq_position *position, int square, int *side, int *animal) {
  for (*side = 0; *side < 2; ++*side) {
    for (*animal = 0; *animal < DSQ_ANIMALS; ++*animal) {
      if (position->square[*side][*animal] == square) return true;
    }
  }
  return false;
}

/* Finds a rat on one of these squares or, if not `rat`, any other animal. Sets *square to its square. */
static bool find_piece_in(const dsq_position *position, uint64_t squares, bool rat, int *square) {
  for (*square = 0; *square < DSQ_SQUARES; ++*square) {
    int side, animal;
    if (!(squares >> *square & 1) || !find_piece_on(position, *square, &side, &animal)) continue;
    if ((animal == DSQ_RAT) == rat) return true;
  }
  return false;
}

static void explain_refusal(const game_rules *rules, const dsq_position *position, int animal, int from,
                            int to, game_text *in) {
  const int side = position->side;
  const dsq_target *target = NULL;
  for (int t = 0; t < rules->targets_used[side][animal][from]; t++) {
    if (rules->targets[side][animal][from][t].to == to) target = &rules->targets[side][animal][from][t];
  }
  int other_side, other, barrier;
  char name[3];
  dsq_square_name(to, name);
  const bool occupied = find_piece_on(position, to, &other_side, &other);
  if (to == rules->den[side]) {
    game_text_refuse(in, "%s is its own den", name);
  } else if (occupied && other_side == side) {
    game_text_refuse(in, "on %s stands its own side's %s", name, animals[other]);
  } else if (!target && !(rules->ground[animal] >> to & 1) && to != rules->den[!side]) {
    game_text_refuse(in, "the %s does not enter the water of %s", animals[animal], name);
  } else if (!target) {
    game_text_refuse(in, "the %s does not reach %s in one move", animals[animal], name);
  } else if (find_piece_in(position, target->no_rat, true, &barrier)) {
    dsq_square_name(barrier, name);
    game_text_refuse(in, "a rat swims on %s", name);
  } else if (find_piece_in(position, target->no_drinker, false, &barrier)) {
    dsq_square_name(barrier, name);
    game_text_refuse(in, "somebody drinks on %s", name);
  } else if (!(target->prey >> other & 1)) {
    game_text_refuse(in,
                     "the %s on %s cannot be taken by a move into or out of the water, nor while it "
                     "drinks",
                     animals[other], name);
  } else {
    game_text_refuse(in, "the %s does not take the %s on %s", animals[animal], animals[other], name);
  }
}

/* Lists the legal moves of the animal on `from`, or of all animals if `from` is DSQ_NOWHERE. */
static void list_choices(const game_rules *rules, const dsq_position *position, int from, char *text,
                         size_t room) {
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t n = dsq_list_moves(rules, position, moves);
  text[0] = '\0';
  for (size_t i = 0; i < n && strlen(text) + 6 < room; i++) {
    if (from != DSQ_NOWHERE && moves[i].from != from) continue;
    char one[3], other[3];
    dsq_square_name(moves[i].from, one);
    dsq_square_name(moves[i].to, other);
    text_add(text, room, " %s%s", one, other);
  }
  if (!*text) text_add(text, room, " nothing");
}

static tauler_error refuse_move(const game_rules *rules, const dsq_position *position, game_text *in,
                                size_t number, tauler_message *message) {
  const char *word = in->at;
  const int length = (int)strcspn(word, " \t");
  int from = DSQ_NOWHERE, to = DSQ_NOWHERE;
  const bool reads = read_squares(word, &from, &to) > 0;
  char can[400], name[3];
  int side, animal;
  bool own = false;
  if (!reads) {
    game_text_refuse(in, "a move is two squares, as a3a4, with files a to g and ranks 1 to 9");
  } else if (!find_piece_on(position, from, &side, &animal)) {
    dsq_square_name(from, name);
    game_text_refuse(in, "there is no animal on %s", name);
  } else if (side != position->side) {
    dsq_square_name(from, name);
    game_text_refuse(in, "the %s on %s is %s's", animals[animal], name, sides[side]);
  } else {
    own = true;
    explain_refusal(rules, position, animal, from, to, in);
  }
  list_choices(rules, position, own ? from : DSQ_NOWHERE, can, sizeof can);
  return game_text_fail(message, in, "move %zu, '%.*s': %s; %s is to move and can play%s%s", number,
                        length < 40 ? length : 40, word, in->why, sides[position->side], can,
                        own ? " with that animal" : "");
}

static bool find_move(const game_rules *rules, const dsq_position *position, const char *word,
                      dsq_move *out) {
  dsq_move moves[DSQ_MOST_MOVES];
  int from, to;
  const size_t n = dsq_list_moves(rules, position, moves);
  if (!read_squares(word, &from, &to)) return false;
  for (size_t i = 0; i < n; i++) {
    *out = moves[i];
    if (from == out->from && to == out->to) return true;
  }
  return false;
}

static tauler_error play_line(const game_rules *rules, game_text *in, dsq_position *position,
                              tauler_message *message) {
  size_t number = 1;
  for (game_text_skip_blanks(in); *in->at; game_text_skip_blanks(in), number++) {
    const char *word = in->at;
    dsq_move move;
    if (!find_move(rules, position, word, &move)) return refuse_move(rules, position, in, number, message);
    if (move.wins)
      return tauler_fail(message, TAULER_BAD_POSITION,
                         "move %zu, '%.*s', wins for %s: the game is over, and no position follows", number,
                         (int)strcspn(word, " \t"), word, sides[position->side]);
    dsq_play(position, &move);
    in->at += strcspn(in->at, " \t");
  }
  return TAULER_OK;
}

/* --- members of game.h --- */

static bool read_fen(reader *r) {
  return read_board(r) && take_side(&r->in, &r->position.side) && check_sides(r);
}

static bool read_position(reader *r) {
  game_text_skip_blanks(&r->in);
  if (!game_text_take_word(&r->in, "startpos")) return read_fen(r);
  const char *rest = r->in.at;
  r->in.at = start;
  const bool good = read_fen(r);
  r->in.at = rest;
  return good;
}

tauler_error dsq_parse(const game_rules *rules, const char *text, game_position *out,
                       tauler_message *message) {
  reader r = {.rules = rules, .in = {text, text, ""}};
  if (!read_position(&r)) return refuse_text(message, &r.in);
  skip_counters(&r.in);
  game_text_skip_blanks(&r.in);
  if (game_text_take_word(&r.in, "moves")) {
    const tauler_error error = play_line(rules, &r.in, &r.position, message);
    if (error) return error;
  } else if (!game_text_end(&r.in, "; behind the side to move only moves follow")) {
    return refuse_text(message, &r.in);
  }
  dsq_to_game(&r.position, out);
  return TAULER_OK;
}

static char letter_on(const void *position, int square) {
  int side, animal;
  if (!find_piece_on(position, square, &side, &animal)) return '\0';
  return dsq_letter(side, animal);
}

void dsq_print(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  const dsq_position position = dsq_from_game(game);
  game_text_print_board(&position, DSQ_RANKS, DSQ_FILES, letter_on, "wb"[position.side], text);
}

static void print_fen(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]) {
  dsq_print(rules, position, text);
  text_add(text, GAME_TEXT_BYTES, " - - 0 1");
}

static void print_red(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]) {
  dsq_print(rules, position, text);
  char *side = strchr(text, ' ') + 1;
  for (char *at = text; at < side; at++) *at = (char)(*at == 'r' ? 'm' : *at == 'R' ? 'M' : *at);
  if (*side == 'w') *side = 'r';
  text_add(text, GAME_TEXT_BYTES, " - - 0 1");
}

static void print_move(const game_rules *rules, const game_position *position, const char *name, char *text) {
  memcpy(text, name, 2);
  text[2] = '-';
  memcpy(text + 3, name + 2, 3);
}

const game_notation dsq_notations[] = {
    {"fen", "FEN with counters: l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1, c3-c4", print_fen,
     print_move},
    {"red", "the same with r for the side of upper case, and m for the rat", print_red, print_move},
    {NULL, NULL, NULL, NULL}};

static char ground_mark(const game_rules *rules, int square) {
  const uint64_t traps = rules->weak[DSQ_WHITE] | rules->weak[DSQ_BLACK];
  if (square == rules->den[DSQ_WHITE] || square == rules->den[DSQ_BLACK]) return '#';
  if (traps >> square & 1) return '+';
  return DSQ_WATER >> square & 1 && rules->base.flag[DSQ_LAKES] != LAKES_PLAIN ? '~' : '.';
}

void dsq_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
  const dsq_position position = dsq_from_game(game);
  text[0] = '\0';
  for (int rank = DSQ_RANKS - 1; rank >= 0; rank--) {
    text_add(text, GAME_DRAWING_BYTES, " %d ", rank + 1);
    for (int file = 0; file < DSQ_FILES; file++) {
      const int square = rank * DSQ_FILES + file;
      const char mark = ground_mark(rules, square), letter = letter_on(&position, square);
      const char around = mark == '.' || !letter ? ' ' : mark;
      text_add(text, GAME_DRAWING_BYTES, "%c%c%c", around, letter ? letter : mark, around);
    }
    const int home = rank == 0 ? DSQ_WHITE : DSQ_BLACK;
    if (rank == 0 || rank == DSQ_RANKS - 1)
      text_add(text, GAME_DRAWING_BYTES, "   %s%s", sides[home], home == position.side ? "  <- to move" : "");
    text_end_line(text, GAME_DRAWING_BYTES);
  }
  text_add(text, GAME_DRAWING_BYTES,
           "    a  b  c  d  e  f  g\n"
           "White's animals are upper case; ~ water, + trap, # den\n");
}
