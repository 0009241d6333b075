/* Reads, writes and draws positions of la oca asesina, "0,5/12,63 lost=0,1 seat=1", and explains what is
 * wrong with other texts. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "games/oca_asesina/rules.h"

typedef struct {
  const game_rules *rules;
  game_text in;
  ase_position position;
  int used[ASE_MOST_SEATS][ASE_MOST_COLOURS]; /* number of tokens read */
} reader;

static tauler_error refuse_position(const reader *r, tauler_message *message) {
  return game_text_fail(
      message, &r->in,
      "'%.120s' is no position of la oca asesina: %s; write 0,5/12,63 lost=0,1 seat=1 (squares "
      "of each player's tokens%s, turns that each has still to lose, the seat to roll, and "
      "forced%s behind it if a token that a goose brought home must move back)",
      r->in.text, r->in.why, r->rules->flags.colours > 1 ? " with their colours, as 12a,12b" : "",
      r->rules->flags.colours > 1 ? "=a" : "");
}

static bool refuse_text(reader *r, const char *what) {
  const char c = *r->in.at;
  if (!c) return game_text_refuse(&r->in, "%s is missing at its end", what);
  return game_text_refuse(&r->in, "%s is expected at character %zu, not '%c'", what, game_text_place(&r->in),
                          c);
}

static bool read_number(reader *r, const char *what, int most, int *out) {
  return game_text_take_number(&r->in, most, out) || refuse_text(r, what);
}

/* --- reading words --- */

static bool read_colour(reader *r, int *colour) {
  *colour = 0;
  if (r->rules->flags.colours == 1) return true;
  if (*r->in.at < 'a' || *r->in.at >= 'a' + r->rules->flags.colours)
    return refuse_text(r, r->rules->flags.colours == 2 ? "a colour, a or b," : "a colour, a, b or c,");
  *colour = *r->in.at++ - 'a';
  return true;
}

static bool read_token(reader *r, int seat) {
  int square, colour;
  if (!read_number(r, "a square", ase_home(r->rules), &square) || !read_colour(r, &colour)) return false;
  if (square > ase_home(r->rules))
    return game_text_refuse(&r->in, "player %d has a token beyond square %d, the last", seat + 1,
                            ase_home(r->rules));
  const int most = ASE_MOST_TOKENS / r->rules->flags.colours;
  if (r->used[seat][colour] == most)
    return game_text_refuse(&r->in, "player %d has more than %d tokens of a colour", seat + 1, most);
  r->position.square[seat][colour * most + r->used[seat][colour]++] = (uint8_t)square;
  return true;
}

static bool read_squares(reader *r) {
  do {
    const int seat = r->position.seats;
    if (seat == ASE_MOST_SEATS)
      return game_text_refuse(&r->in, "it has more than %d players", ASE_MOST_SEATS);
    r->position.seats++;
    do {
      if (!read_token(r, seat)) return false;
    } while (game_text_take(&r->in, ","));
  } while (game_text_take(&r->in, "/"));
  return true;
}

static bool read_culprit(reader *r, int seat) {
  int square;
  if (!game_text_take(&r->in, "@")) return true;
  if (!r->rules->flags.lost_turns_die)
    return game_text_refuse(&r->in,
                            "the token that lost turns is named, @, with lost-turns=die-with-token only");
  if (!read_number(r, "a square", ase_home(r->rules), &square)) return false;
  if (square == 0 || square >= ase_home(r->rules))
    return game_text_refuse(&r->in, "the token that lost turns must stand on 1 to %d",
                            ase_home(r->rules) - 1);
  r->position.culprit[seat] = (uint8_t)square;
  return true;
}

static bool read_lost(reader *r) {
  const int most = ase_most_turns(r->rules);
  if (!game_text_take(&r->in, "lost=")) return refuse_text(r, "lost=");
  for (int seat = 0; seat < r->position.seats; seat++) {
    int turns;
    if (seat && !game_text_take(&r->in, ","))
      return refuse_text(r, "a comma and the turns that the next player has to lose");
    if (!read_number(r, "a number of turns", most, &turns)) return false;
    if (turns > most)
      return game_text_refuse(&r->in, "player %d has more than %d turns to lose, the most of this board",
                              seat + 1, most);
    r->position.lost[seat] = (uint8_t)turns;
    if (!read_culprit(r, seat)) return false;
  }
  return true;
}

static bool read_seat(reader *r) {
  int seat;
  if (!game_text_take(&r->in, "seat=")) return refuse_text(r, "seat=");
  if (!read_number(r, "the seat to roll", ASE_MOST_SEATS, &seat)) return false;
  if (seat < 1 || seat > r->position.seats)
    return game_text_refuse(&r->in, "the seat to roll must be 1 to %d", r->position.seats);
  r->position.seat = (uint8_t)(seat - 1);
  return true;
}

static bool read_forced(reader *r) {
  int colour = 0;
  if (!game_text_take(&r->in, "forced")) return true;
  if (r->rules->flags.colours > 1 && !game_text_take(&r->in, "=")) return refuse_text(r, "= and a colour");
  if (!read_colour(r, &colour)) return false;
  r->position.forced = (uint8_t)(1 + colour);
  return true;
}

static bool read_blank(reader *r) {
  if (*r->in.at != ' ' && *r->in.at != '\t') return refuse_text(r, "a blank");
  game_text_skip_blanks(&r->in);
  return true;
}

static bool read_end(reader *r) {
  game_text_skip_blanks(&r->in);
  return *r->in.at ? refuse_text(r, "the end or forced") : true;
}

/* --- equal numbers of tokens --- */

static bool refuse_token_count(reader *r, int seat, int colour) {
  const bool plain = r->rules->flags.colours == 1;
  const int tokens = r->used[seat][colour];
  char of_colour[16] = "";
  if (!plain) snprintf(of_colour, sizeof of_colour, " of colour %c", 'a' + colour);
  return game_text_refuse(&r->in, "player %d has %d token%s%s, but player 1 has %d%s", seat + 1, tokens,
                          tokens == 1 ? "" : "s", of_colour, r->used[0][0], plain ? "" : " of colour a");
}

/* Moves each player's tokens together, since they were read into places for the largest number. Returns false
 * unless every player has the same number of tokens of each colour. */
static bool pack_tokens(reader *r) {
  const int colours = r->rules->flags.colours, tokens = r->used[0][0];
  for (int seat = 0; seat < r->position.seats; seat++) {
    uint8_t *square = r->position.square[seat];
    for (int colour = 0; colour < colours; colour++) {
      if (r->used[seat][colour] != tokens) return refuse_token_count(r, seat, colour);
      memmove(square + colour * tokens, square + colour * (ASE_MOST_TOKENS / colours), (size_t)tokens);
    }
    memset(square + colours * tokens, 0, (size_t)(ASE_MOST_TOKENS - colours * tokens));
  }
  r->position.tokens = (uint8_t)tokens;
  return true;
}

/* --- members of game.h --- */

tauler_error ase_parse(const game_rules *rules, const char *text, game_position *out,
                       tauler_message *message) {
  reader r = {.rules = rules, .in = {text, text, ""}};
  game_text_skip_blanks(&r.in);
  if (!read_squares(&r) || !read_blank(&r) || !read_lost(&r) || !read_blank(&r) || !read_seat(&r))
    return refuse_position(&r, message);
  game_text_skip_blanks(&r.in);
  if (!read_forced(&r) || !read_end(&r) || !pack_tokens(&r)) return refuse_position(&r, message);
  if (!ase_check(rules, &r.position, &r.in)) return refuse_position(&r, message);
  ase_sort(rules, &r.position);
  ase_to_game(&r.position, out);
  return TAULER_OK;
}

typedef struct {
  const game_rules *rules;
  ase_position position;
  char *text;
  size_t room;
} writer;

static void write_player(writer *w, int seat) {
  const char *before = seat ? "/" : "";
  for (int square = 0; square <= ase_home(w->rules); square++) {
    for (int token = 0; token < ase_tokens(w->rules, &w->position); token++) {
      if (w->position.square[seat][token] != square) continue;
      text_add(w->text, w->room, "%s%d", before, square);
      if (w->rules->flags.colours > 1) text_add(w->text, w->room, "%c", 'a' + token / w->position.tokens);
      before = ",";
    }
  }
}

static void write_lost(writer *w, int seat) {
  text_add(w->text, w->room, "%s%d", seat ? "," : " lost=", w->position.lost[seat]);
  if (ase_culprit_is_doubtful(w->rules, &w->position, seat))
    text_add(w->text, w->room, "@%d", w->position.culprit[seat]);
}

void ase_print(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  writer w = {.rules = rules, .position = ase_from_game(game), .text = text, .room = GAME_TEXT_BYTES};
  text[0] = '\0';
  for (int seat = 0; seat < w.position.seats; seat++) write_player(&w, seat);
  for (int seat = 0; seat < w.position.seats; seat++) write_lost(&w, seat);
  text_add(w.text, w.room, " seat=%d", w.position.seat + 1);
  if (w.position.forced) text_add(w.text, w.room, " forced");
  if (w.position.forced && rules->flags.colours > 1)
    text_add(w.text, w.room, "=%c", 'a' + w.position.forced - 1);
}

/* --- drawings: rows of ten squares, each with a letter for its kind and the players on it --- */

enum { ROW = 10, WIDTH = 6 };

/* Writes a seat's tokens of one colour on a square: "11", with several colours "1a1a", and for more than two
 * tokens "1x5" or "1ax5". */
static void write_colour(writer *d, int seat, int colour, int square) {
  const ase_position *p = &d->position;
  char letter[2] = {d->rules->flags.colours > 1 ? (char)('a' + colour) : '\0', '\0'};
  int tokens = 0;
  for (int i = 0; i < p->tokens; i++) tokens += p->square[seat][colour * p->tokens + i] == square;
  if (tokens > 2) {
    text_add(d->text, d->room, "%d%sx%d", seat + 1, letter, tokens);
  } else {
    for (int i = 0; i < tokens; i++) text_add(d->text, d->room, "%d%s", seat + 1, letter);
  }
}

static void write_square(writer *d, int square) {
  text_add(d->text, d->room, "%d%c", square, goose_board_letter(&d->rules->board, square));
}

static void write_tokens(writer *d, int square) {
  for (int seat = 0; seat < d->position.seats; seat++)
    for (int colour = 0; colour < d->rules->flags.colours; colour++) write_colour(d, seat, colour, square);
}

static void write_row(writer *d, int first, void (*put)(writer *d, int square)) {
  const size_t start = strlen(d->text);
  for (int square = first; square < first + ROW && square <= ase_home(d->rules); square++) {
    put(d, square);
    do text_add(d->text, d->room, " ");
    while (strlen(d->text) < start + (size_t)(square - first + 1) * WIDTH);
  }
  text_end_line(d->text, d->room);
}

void ase_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
  writer d = {.room = GAME_DRAWING_BYTES, .rules = rules, .position = ase_from_game(game), .text = text};
  text[0] = '\0';
  for (int square = 0; square <= ase_home(rules); square += ROW) {
    write_row(&d, square, write_square);
    write_row(&d, square, write_tokens);
  }
  for (int seat = 0; seat < d.position.seats; seat++)
    if (d.position.lost[seat])
      text_add(d.text, d.room, "player %d loses %d\n", seat + 1, d.position.lost[seat]);
  text_add(d.text, d.room, "player %d to %s\n", d.position.seat + 1,
           d.position.lost[d.position.seat] ? "pass"
           : d.position.forced              ? "roll, forced"
                                            : "roll");
}
