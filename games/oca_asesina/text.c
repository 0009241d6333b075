/* Positions of la oca asesina in words: "0,5/12,63 lost=0,1 seat=1", and as drawings, and what is
 * wrong with others. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "games/oca_asesina/rules.h"

typedef struct {
  const game_rules *rules;
  const char *text, *at;
  ase_position position;
  int used[ASE_MOST_SEATS][ASE_MOST_COLOURS]; /* tokens read */
  char why[ASE_WHY_BYTES];
} reader;

static tauler_error bad(const reader *r, tauler_message *message) {
  return tauler_fail(
      message, TAULER_BAD_POSITION,
      "'%.120s' is no position of la oca asesina: %s; write 0,5/12,63 lost=0,1 seat=1 (squares "
      "of each player's tokens%s, turns that each has still to lose, the seat to roll, and "
      "forced%s behind it if a token that a goose brought home must move back)",
      r->text, r->why, r->rules->flags.colours > 1 ? " with their colours, as 12a,12b" : "",
      r->rules->flags.colours > 1 ? "=a" : "");
}

static bool refuse(reader *r, const char *what) {
  const char c = *r->at;
  if (c) {
    snprintf(r->why, ASE_WHY_BYTES, "%s is expected at character %zu, not '%c'", what,
             (size_t)(r->at - r->text) + 1, isprint((unsigned char)c) ? c : '?');
  } else {
    snprintf(r->why, ASE_WHY_BYTES, "%s is missing at its end", what);
  }
  return false;
}

static void skip_blanks(reader *r) {
  while (*r->at == ' ' || *r->at == '\t') r->at++;
}

static bool take(reader *r, const char *word) {
  const size_t length = strlen(word);
  if (strncmp(r->at, word, length) != 0) return false;
  r->at += length;
  return true;
}

/* Larger numbers are as good as `most` + 1. */
static bool read_number(reader *r, const char *what, int most, int *out) {
  if (!isdigit((unsigned char)*r->at)) return refuse(r, what);
  *out = 0;
  for (; isdigit((unsigned char)*r->at); r->at++) {
    if (*out <= most) *out = 10 * *out + (*r->at - '0');
  }
  if (*out > most) *out = most + 1;
  return true;
}

/* --- reading words --- */

static bool read_colour(reader *r, int *colour) {
  *colour = 0;
  if (r->rules->flags.colours == 1) return true;
  if (*r->at < 'a' || *r->at >= 'a' + r->rules->flags.colours)
    return refuse(r, r->rules->flags.colours == 2 ? "a colour, a or b," : "a colour, a, b or c,");
  *colour = *r->at++ - 'a';
  return true;
}

static bool read_token(reader *r, int seat) {
  int square, colour;
  if (!read_number(r, "a square", ase_home(r->rules), &square) || !read_colour(r, &colour)) return false;
  if (square > ase_home(r->rules)) {
    snprintf(r->why, ASE_WHY_BYTES, "player %d has a token beyond square %d, the last", seat + 1,
             ase_home(r->rules));
    return false;
  }
  const int most = ASE_MOST_TOKENS / r->rules->flags.colours;
  if (r->used[seat][colour] == most) {
    snprintf(r->why, ASE_WHY_BYTES, "player %d has more than %d tokens of a colour", seat + 1, most);
    return false;
  }
  r->position.square[seat][colour * most + r->used[seat][colour]++] = (uint8_t)square;
  return true;
}

static bool read_squares(reader *r) {
  do {
    const int seat = r->position.seats;
    if (seat == ASE_MOST_SEATS) {
      snprintf(r->why, ASE_WHY_BYTES, "it has more than %d players", ASE_MOST_SEATS);
      return false;
    }
    r->position.seats++;
    do {
      if (!read_token(r, seat)) return false;
    } while (take(r, ","));
  } while (take(r, "/"));
  return true;
}

static bool read_culprit(reader *r, int seat) {
  int square;
  if (!take(r, "@")) return true;
  if (!r->rules->flags.lost_turns_die) {
    snprintf(r->why, ASE_WHY_BYTES,
             "the token that lost turns is named, @, with lost-turns=die-with-token only");
    return false;
  }
  if (!read_number(r, "a square", ase_home(r->rules), &square)) return false;
  if (square == 0 || square >= ase_home(r->rules)) {
    snprintf(r->why, ASE_WHY_BYTES, "the token that lost turns must stand on 1 to %d",
             ase_home(r->rules) - 1);
    return false;
  }
  r->position.culprit[seat] = (uint8_t)square;
  return true;
}

static bool read_lost(reader *r) {
  const int most = ase_most_turns(r->rules);
  if (!take(r, "lost=")) return refuse(r, "lost=");
  for (int seat = 0; seat < r->position.seats; seat++) {
    int turns;
    if (seat && !take(r, ",")) return refuse(r, "a comma and the turns that the next player has to lose");
    if (!read_number(r, "a number of turns", most, &turns)) return false;
    if (turns > most) {
      snprintf(r->why, ASE_WHY_BYTES, "player %d has more than %d turns to lose, the most of this board",
               seat + 1, most);
      return false;
    }
    r->position.lost[seat] = (uint8_t)turns;
    if (!read_culprit(r, seat)) return false;
  }
  return true;
}

static bool read_seat(reader *r) {
  int seat;
  if (!take(r, "seat=")) return refuse(r, "seat=");
  if (!read_number(r, "the seat to roll", ASE_MOST_SEATS, &seat)) return false;
  if (seat < 1 || seat > r->position.seats) {
    snprintf(r->why, ASE_WHY_BYTES, "the seat to roll must be 1 to %d", r->position.seats);
    return false;
  }
  r->position.seat = (uint8_t)(seat - 1);
  return true;
}

static bool read_forced(reader *r) {
  int colour = 0;
  if (!take(r, "forced")) return true;
  if (r->rules->flags.colours > 1 && !take(r, "=")) return refuse(r, "= and a colour");
  if (!read_colour(r, &colour)) return false;
  r->position.forced = (uint8_t)(1 + colour);
  return true;
}

static bool read_blank(reader *r) {
  if (*r->at != ' ' && *r->at != '\t') return refuse(r, "a blank");
  skip_blanks(r);
  return true;
}

static bool read_end(reader *r) {
  skip_blanks(r);
  return *r->at ? refuse(r, "the end or forced") : true;
}

/* --- tokens side by side --- */

static bool refuse_number(reader *r, int seat, int colour) {
  const bool plain = r->rules->flags.colours == 1;
  const int tokens = r->used[seat][colour];
  char of_colour[16] = "";
  if (!plain) snprintf(of_colour, sizeof of_colour, " of colour %c", 'a' + colour);
  snprintf(r->why, ASE_WHY_BYTES, "player %d has %d token%s%s, but player 1 has %d%s", seat + 1, tokens,
           tokens == 1 ? "" : "s", of_colour, r->used[0][0], plain ? "" : " of colour a");
  return false;
}

/* All have as many tokens of each colour; they were read with room for the most. */
static bool set_side_by_side(reader *r) {
  const int colours = r->rules->flags.colours, tokens = r->used[0][0];
  for (int seat = 0; seat < r->position.seats; seat++) {
    uint8_t *square = r->position.square[seat];
    for (int colour = 0; colour < colours; colour++) {
      if (r->used[seat][colour] != tokens) return refuse_number(r, seat, colour);
      memmove(square + colour * tokens, square + colour * (ASE_MOST_TOKENS / colours), (size_t)tokens);
    }
    memset(square + colours * tokens, 0, (size_t)(ASE_MOST_TOKENS - colours * tokens));
  }
  r->position.tokens = (uint8_t)tokens;
  return true;
}

/* --- for game.h --- */

tauler_error ase_parse(const game_rules *rules, const char *text, game_position *out,
                       tauler_message *message) {
  reader r = {.rules = rules, .text = text, .at = text};
  skip_blanks(&r);
  if (!read_squares(&r) || !read_blank(&r) || !read_lost(&r) || !read_blank(&r) || !read_seat(&r))
    return bad(&r, message);
  skip_blanks(&r);
  if (!read_forced(&r) || !read_end(&r) || !set_side_by_side(&r)) return bad(&r, message);
  if (!ase_check(rules, &r.position, r.why)) return bad(&r, message);
  ase_sort(rules, &r.position);
  ase_to_game(&r.position, out);
  return TAULER_OK;
}

typedef struct {
  const game_rules *rules;
  ase_position position;
  char *text;
  size_t used, room;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *w, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const size_t room = w->room - w->used;
  const int n = vsnprintf(w->text + w->used, room, format, values);
  va_end(values);
  if (n > 0) w->used += (size_t)n < room ? (size_t)n : room - 1;
}

static void put_token(writer *w, int seat, int token, bool first) {
  put(w, "%s%d", first ? "" : ",", w->position.square[seat][token]);
  if (w->rules->flags.colours > 1) put(w, "%c", 'a' + token / w->position.tokens);
}

/* By square, then by colour. */
static void put_player(writer *w, int seat) {
  bool first = true;
  if (seat) put(w, "/");
  for (int square = 0; square <= ase_home(w->rules); square++) {
    for (int token = 0; token < ase_tokens(w->rules, &w->position); token++) {
      if (w->position.square[seat][token] != square) continue;
      put_token(w, seat, token, first);
      first = false;
    }
  }
}

static void put_lost(writer *w, int seat) {
  put(w, "%s%d", seat ? "," : " lost=", w->position.lost[seat]);
  if (ase_culprit_is_doubtful(w->rules, &w->position, seat)) put(w, "@%d", w->position.culprit[seat]);
}

void ase_print(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  writer w = {.rules = rules, .position = ase_from_game(game), .text = text, .room = GAME_TEXT_BYTES};
  for (int seat = 0; seat < w.position.seats; seat++) put_player(&w, seat);
  for (int seat = 0; seat < w.position.seats; seat++) put_lost(&w, seat);
  put(&w, " seat=%d", w.position.seat + 1);
  if (w.position.forced) put(&w, " forced");
  if (w.position.forced && rules->flags.colours > 1) put(&w, "=%c", 'a' + w.position.forced - 1);
}

/* --- the board in rows of ten squares, each with a letter for what it does and the players there --- */

enum { ROW = 10, WIDTH = 6 };

/* "11", with several colours "1a1b"; more than two tokens "1x5" or "1ax5". */
static void put_colour(writer *d, int seat, int colour, int square) {
  const ase_position *p = &d->position;
  char letter[2] = {d->rules->flags.colours > 1 ? (char)('a' + colour) : '\0', '\0'};
  int tokens = 0;
  for (int i = 0; i < p->tokens; i++) tokens += p->square[seat][colour * p->tokens + i] == square;
  if (tokens > 2) {
    put(d, "%d%sx%d", seat + 1, letter, tokens);
  } else {
    for (int i = 0; i < tokens; i++) put(d, "%d%s", seat + 1, letter);
  }
}

static void put_tokens(writer *d, int square) {
  for (int seat = 0; seat < d->position.seats; seat++)
    for (int colour = 0; colour < d->rules->flags.colours; colour++) put_colour(d, seat, colour, square);
}

static void pad(writer *d, size_t to) {
  do put(d, " ");
  while (d->used < to);
}

static void end_line(writer *d) {
  while (d->used > 0 && d->text[d->used - 1] == ' ') d->used--;
  put(d, "\n");
}

static void put_row(writer *d, int first) {
  static const char kinds[] = {[GOOSE_PLAIN] = ' ', [GOOSE_GOOSE] = 'g',     [GOOSE_BRIDGE] = 'b',
                               [GOOSE_DICE] = 'd',  [GOOSE_INN] = 'i',       [GOOSE_PRISON] = 'p',
                               [GOOSE_WELL] = 'w',  [GOOSE_LABYRINTH] = 'l', [GOOSE_DEATH] = 'x'};
  const int home = ase_home(d->rules), end = first + ROW > home + 1 ? home + 1 : first + ROW;
  size_t start = d->used;
  for (int square = first; square < end; square++) {
    put(d, "%d%c", square, kinds[d->rules->board.square[square].kind]);
    pad(d, start + (size_t)(square - first + 1) * WIDTH);
  }
  end_line(d);
  start = d->used;
  for (int square = first; square < end; square++) {
    put_tokens(d, square);
    pad(d, start + (size_t)(square - first + 1) * WIDTH);
  }
  end_line(d);
}

void ase_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
  writer d = {.room = GAME_DRAWING_BYTES, .rules = rules, .position = ase_from_game(game), .text = text};
  text[0] = '\0';
  for (int square = 0; square <= ase_home(rules); square += ROW) put_row(&d, square);
  for (int seat = 0; seat < d.position.seats; seat++)
    if (d.position.lost[seat]) put(&d, "player %d loses %d\n", seat + 1, d.position.lost[seat]);
  put(&d, "player %d to %s\n", d.position.seat + 1,
      d.position.lost[d.position.seat] ? "pass"
      : d.position.forced              ? "roll, forced"
                                       : "roll");
}
