/* Reads and writes texts of Phutball: boards row by row, from the last row to row 1, and lines of turns. */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "games/game_text.h"
#include "games/phutball/notations.h"
#include "games/phutball/turns.h"

static const char *const sides[2] = {"Ohs", "Eks"};
static const char side_letters[2] = {'O', 'E'};

static tauler_error refuse_position(tauler_message *message, const game_text *in) {
  return game_text_fail(message, in,
                        "'%.120s' is no position of phutball: %s; write 3/1x1/1o1/3/3 O (rows from the "
                        "last to row 1, numbers for empty points, x man, o ball, side to move O or E)",
                        in->text, in->why);
}

/* --- reading a board --- */

typedef struct {
  game_text in;
  int rows, columns;
  bool man[PHB_MOST_ROWS][PHB_MOST_COLUMNS];
  bool has_ball;
  phb_stop ball;
  phb_position position;
} reader;

static bool refuse_columns(reader *r, int row) {
  return game_text_refuse(&r->in, "row %d has more than %d points, the most of any board", row + 1,
                          PHB_MOST_COLUMNS);
}

static bool read_run(reader *r, int row, int *column) {
  if (*r->in.at == '0')
    return game_text_refuse(&r->in, "character %zu, '0', is no number of empty points",
                            game_text_place(&r->in));
  int points = 0;
  for (; isdigit((unsigned char)*r->in.at); r->in.at++) {
    points = 10 * points + (*r->in.at - '0');
    if (*column + points > PHB_MOST_COLUMNS) return refuse_columns(r, row);
  }
  *column += points;
  return true;
}

static bool read_ball(reader *r, int row, int column) {
  if (r->has_ball)
    return game_text_refuse(&r->in, "it has two balls, on %c%d and on %c%d",
                            PHB_COLUMN_LETTERS[r->ball.column], r->ball.row + 1, PHB_COLUMN_LETTERS[column],
                            row + 1);
  if (row == 0 || row == r->rows - 1)
    return game_text_refuse(&r->in, "the ball is on %c%d, on a goal line, where the game is over",
                            PHB_COLUMN_LETTERS[column], row + 1);
  r->has_ball = true;
  r->ball = (phb_stop){(int16_t)row, (int16_t)column};
  return true;
}

static bool read_letter(reader *r, int row, int *column) {
  if (*column == PHB_MOST_COLUMNS) return refuse_columns(r, row);
  const char letter = (char)tolower((unsigned char)*r->in.at);
  if (letter == 'o') {
    if (!read_ball(r, row, *column)) return false;
  } else if (letter == 'x') {
    r->man[row][*column] = true;
  } else {
    return game_text_refuse(&r->in, "character %zu, '%c', is neither x, a man, nor o, the ball, nor a number",
                            game_text_place(&r->in), *r->in.at);
  }
  r->in.at++;
  ++*column;
  return true;
}

static bool read_row(reader *r, int row) {
  int columns = 0;
  while (*r->in.at != '/' && !game_text_ends_word(*r->in.at)) {
    const bool run = isdigit((unsigned char)*r->in.at);
    if (run ? !read_run(r, row, &columns) : !read_letter(r, row, &columns)) return false;
  }
  if (columns == 0) return game_text_refuse(&r->in, "row %d has no points", row + 1);
  if (row == r->rows - 1) r->columns = columns;
  if (columns == r->columns) return true;
  return game_text_refuse(&r->in, "row %d has %d point%s, but row %d has %d", row + 1, columns,
                          columns == 1 ? "" : "s", r->rows, r->columns);
}

static bool count_rows(reader *r) {
  r->rows = 1;
  for (const char *at = r->in.at; !game_text_ends_word(*at) && r->rows <= PHB_MOST_ROWS; at++)
    r->rows += *at == '/';
  if (r->rows < PHB_LEAST_ROWS)
    return game_text_refuse(&r->in, "it has %d row%s, and a board has at least %d", r->rows,
                            r->rows == 1 ? "" : "s", PHB_LEAST_ROWS);
  return r->rows <= PHB_MOST_ROWS ||
         game_text_refuse(&r->in, "it has more than %d rows, the most of any board", PHB_MOST_ROWS);
}

static bool read_points(reader *r) {
  if (!count_rows(r)) return false;
  for (int row = r->rows - 1; row >= 0; row--) {
    if (!read_row(r, row)) return false;
    if (row > 0) r->in.at++;
  }
  const int points = r->rows * r->columns;
  if (points > PHB_MOST_POINTS)
    return game_text_refuse(&r->in, "its %d rows of %d points are %d points, and a board has at most %d",
                            r->rows, r->columns, points, PHB_MOST_POINTS);
  if (!r->has_ball) return game_text_refuse(&r->in, "it has no ball, o");
  r->position.rows = (uint8_t)r->rows;
  r->position.columns = (uint8_t)r->columns;
  r->position.ball = (uint16_t)(r->ball.row * r->columns + r->ball.column);
  for (int point = 0; point < points; point++)
    phb_set_man(&r->position, point, r->man[point / r->columns][point % r->columns]);
  return true;
}

/* --- reading turns --- */

typedef struct {
  const game_rules *rules;
  game_text in;
  phb_position *position;
  phb_letters letters;
} player;

static bool is_corner(const phb_position *board, phb_stop stop) {
  return stop.column < 0 || stop.column >= board->columns;
}

static bool refuse_form(player *p) {
  return game_text_refuse(&p->in, "a turn is a point, as H10, or the ball's path, as K6-G9-G11");
}

/* Reads a stop: "K6", also beyond a goal line ("K0"), or "exit+" or "exit-" for either corner. */
static bool read_stop(player *p, phb_stop *out) {
  const phb_position *board = p->position;
  const char *word = p->in.at;
  if (game_text_take(&p->in, "exit+") || game_text_take(&p->in, "exit-")) {
    *out = (phb_stop){word[4] == '+' ? board->rows : -1, -1};
    return true;
  }
  const int column = phb_column_of(*word, p->letters);
  const bool zero_first = *word && word[1] == '0' && isdigit((unsigned char)word[2]);
  if (column < 0 || !isdigit((unsigned char)word[1]) || zero_first) return refuse_form(p);
  int row = 0;
  for (p->in.at++; isdigit((unsigned char)*p->in.at); p->in.at++) {
    if (row <= board->rows + 1) row = 10 * row + (*p->in.at - '0');
  }
  *out = (phb_stop){(int16_t)(row - 1), (int16_t)column};
  if (row <= board->rows + 1 && !is_corner(board, *out)) return true;
  return game_text_refuse(&p->in, "%.*s is beyond a board of %d rows and %d columns", (int)(p->in.at - word),
                          word, board->rows, board->columns);
}

static bool jump_ends_at(const phb_position *board, const phb_jump *jump, phb_stop wanted) {
  if (jump->to.row != wanted.row) return false;
  return jump->to.column == wanted.column || (is_corner(board, wanted) && is_corner(board, jump->to));
}

static int sign(int n) {
  return (n > 0) - (n < 0);
}

/* Returns the direction of a stop in a straight line from the ball, or PHB_DIRECTIONS if it is not in one. */
static int find_direction_to(const phb_position *position, phb_stop stop) {
  static const int clockwise[3][3] = {{5, 4, 3}, {6, PHB_DIRECTIONS, 2}, {7, 0, 1}};
  const int along = stop.row - position->ball / position->columns;
  const int across = stop.column - position->ball % position->columns;
  const bool straight = along == 0 || across == 0 || along == across || along == -across;
  return straight ? clockwise[sign(along) + 1][sign(across) + 1] : PHB_DIRECTIONS;
}

static void refuse_jump(player *p, phb_stop wanted, const char *word, int length) {
  const phb_position *position = p->position;
  char ball[PHB_STOP_BYTES], end[PHB_STOP_BYTES];
  phb_point_name(position, position->ball, ball);
  if (is_corner(position, wanted)) {
    game_text_refuse(&p->in, "no jump from %s leaves the board over that corner%s", ball,
                     p->rules->corner_exit ? "" : ", which takes the flag corner=exit");
    return;
  }
  const int direction = find_direction_to(position, wanted);
  phb_jump jump;
  if (direction == PHB_DIRECTIONS) {
    game_text_refuse(&p->in, "%.*s is in no straight line from %s", length, word, ball);
  } else if (phb_find_jump(p->rules, position, direction, &jump)) {
    phb_stop_name(position, jump.to, end);
    game_text_refuse(&p->in, "the jump from %s towards %.*s ends on %s", ball, length, word, end);
  } else if (jump.men == 0) {
    game_text_refuse(&p->in, "no man stands beside %s on the way to %.*s", ball, length, word);
  } else {
    game_text_refuse(&p->in, "the jump from %s towards %.*s leaves the board over a side line", ball, length,
                     word);
  }
}

static bool play_jump(player *p, phb_stop *out) {
  const char *word = p->in.at;
  if (!read_stop(p, out)) return false;
  for (int direction = 0; direction < PHB_DIRECTIONS; direction++) {
    phb_jump jump;
    if (!phb_find_jump(p->rules, p->position, direction, &jump)) continue;
    if (!jump_ends_at(p->position, &jump, *out)) continue;
    phb_make_jump(p->position, &jump);
    return true;
  }
  refuse_jump(p, *out, word, (int)(p->in.at - word));
  return false;
}

static bool play_path(player *p, phb_stop start, phb_result *result) {
  const phb_position *position = p->position;
  phb_stop stop = start;
  char ball[PHB_STOP_BYTES];
  phb_point_name(position, position->ball, ball);
  if (start.row * position->columns + start.column != position->ball)
    return game_text_refuse(&p->in, "a path begins with the ball, which is on %s", ball);
  for (bool first = true; *p->in.at == '-'; first = false) {
    if (!first && !phb_may_jump_on(p->rules, position, stop))
      return game_text_refuse(&p->in, "the turn ends when the ball %s",
                              phb_is_on_board(position, stop) ? "stops on a goal line (goal-line=stop)"
                                                              : "leaves the board");
    p->in.at++;
    if (!play_jump(p, &stop)) return false;
  }
  *result = phb_result_at(position, stop);
  return true;
}

static bool place_man(player *p, phb_stop stop) {
  const int point = stop.row * p->position->columns + stop.column;
  char name[PHB_STOP_BYTES];
  phb_point_name(p->position, point, name);
  if (point == p->position->ball || phb_has_man(p->position, point))
    return game_text_refuse(&p->in, "%s is on %s already", point == p->position->ball ? "the ball" : "a man",
                            name);
  phb_set_man(p->position, point, true);
  return true;
}

/* Plays the next word; the side to move stays the same. */
static bool play_word(player *p, phb_result *result) {
  const char *word = p->in.at;
  phb_stop stop = {0};
  if (!read_stop(p, &stop)) return false;
  if (!phb_is_on_board(p->position, stop))
    return game_text_refuse(&p->in, "%.*s is not on the board", (int)(p->in.at - word), word);
  const bool jumps = *p->in.at == '-';
  if (jumps && !play_path(p, stop, result)) return false;
  if (!game_text_ends_word(*p->in.at)) return refuse_form(p);
  return jumps || place_man(p, stop);
}

static tauler_error play_turns(const game_rules *rules, const char *line, phb_letters letters,
                               phb_position *position, tauler_message *message) {
  player p = {.rules = rules, .in = {line, line, ""}, .position = position, .letters = letters};
  size_t number = 1;
  for (game_text_skip_blanks(&p.in); *p.in.at; game_text_skip_blanks(&p.in), number++) {
    const char *word = p.in.at;
    const int length = (int)strcspn(word, " \t");
    phb_result result = PHB_LIVE;
    if (!play_word(&p, &result))
      return game_text_fail(message, &p.in, "move %zu, '%.*s', of %s: %s", number,
                            length < 200 ? length : 200, word, sides[position->side], p.in.why);
    if (result != PHB_LIVE) {
      const int scores = result == PHB_MOVER_SCORES ? position->side : !position->side;
      return tauler_fail(message, TAULER_BAD_POSITION,
                         "move %zu, '%.*s', scores for %s: the game is over, and no position follows", number,
                         length < 200 ? length : 200, word, sides[scores]);
    }
    position->side = !position->side;
  }
  return TAULER_OK;
}

/* Plays a line of turns. If it is in lower case with columns beyond h but no i, plays it with the letters
 * with which it is legal, and refuses it if it is legal with both or with neither. */
static tauler_error play_line(const game_rules *rules, const char *line, phb_position *position,
                              tauler_message *message) {
  const phb_letters letters = phb_letters_of(line);
  if (letters != PHB_EITHER) return play_turns(rules, line, letters, position, message);
  phb_position other = *position;
  const bool with_i = play_turns(rules, line, PHB_WITH_I, &other, NULL) == TAULER_OK;
  const tauler_error error = play_turns(rules, line, PHB_WITHOUT_I, position, message);
  if (!with_i) return error;
  if (error) {
    *position = other;
    if (message) message->text[0] = '\0';
    return TAULER_OK;
  }
  return tauler_fail(
      message, TAULER_BAD_POSITION,
      "these moves can be played if column j follows h, and if it follows i as in AbstractPlay: "
      "write columns without the letter I in upper case");
}

/* --- members of game.h --- */

static bool read_side(reader *r) {
  game_text_skip_blanks(&r->in);
  const bool lower = game_text_take_word(&r->in, "o") || game_text_take_word(&r->in, "e");
  if (!lower) return game_text_take_side(&r->in, side_letters, &r->position.side);
  r->position.side = r->in.at[-1] == 'e';
  return true;
}

tauler_error phb_parse(const game_rules *rules, const char *text, game_position *out,
                       tauler_message *message) {
  reader r = {.in = {text, text, ""}};
  game_text_skip_blanks(&r.in);
  if (!read_points(&r) || !read_side(&r)) return refuse_position(message, &r.in);
  game_text_skip_blanks(&r.in);
  if (game_text_take_word(&r.in, "moves")) {
    const tauler_error error = play_line(rules, r.in.at, &r.position, message);
    if (error) return error;
  } else if (!game_text_end(&r.in, "; behind the side to move only moves follow")) {
    return refuse_position(message, &r.in);
  }
  phb_to_game(&r.position, out);
  return TAULER_OK;
}

static char letter_on(const void *of, int point) {
  const phb_position *position = of;
  if (point == position->ball) return 'o';
  return phb_has_man(position, point) ? 'x' : '\0';
}

void phb_print(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  const phb_position position = phb_from_game(game);
  game_text_print_board(&position, position.rows, position.columns, letter_on, side_letters[position.side],
                        text);
}

static void draw_row(const phb_position *position, int row, char text[GAME_DRAWING_BYTES]) {
  const bool last = row == position->rows - 1, goal_line = last || row == 0;
  const int scores = last ? PHB_OHS : PHB_EKS;
  text_add(text, GAME_DRAWING_BYTES, "%3d ", row + 1);
  for (int column = 0; column < position->columns; column++) {
    const char letter = letter_on(position, row * position->columns + column);
    text_add(text, GAME_DRAWING_BYTES, " %c", letter ? letter : goal_line ? '-' : '.');
  }
  if (goal_line)
    text_add(text, GAME_DRAWING_BYTES, "    %s scores here%s", sides[scores],
             scores == position->side ? "  <- to move" : "");
  text_add(text, GAME_DRAWING_BYTES, "\n");
}

void phb_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]) {
  const phb_position position = phb_from_game(game);
  text[0] = '\0';
  for (int row = position.rows - 1; row >= 0; row--) draw_row(&position, row, text);
  text_add(text, GAME_DRAWING_BYTES, "    ");
  for (int column = 0; column < position.columns; column++)
    text_add(text, GAME_DRAWING_BYTES, " %c", PHB_COLUMN_LETTERS[column]);
  text_add(text, GAME_DRAWING_BYTES, "\no ball, x man, - goal line\n");
}
