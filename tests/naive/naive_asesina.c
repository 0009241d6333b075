#include "naive_asesina.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1 };

const naive_ase_board naive_ase_board_63 = {
    .home = 63,
    .geese = {1, 5, 9, 14, 18, 23, 27, 32, 36, 41, 45, 50, 54, 59, 63},
    .bridge = {6, 12},
    .dice = {26, 53},
    .inn = 19,
    .well = 31,
    .prison = 52,
    .inn_turns = 1,
    .well_turns = 2,
    .prison_turns = 3,
    .labyrinth = 42,
    .out_of_labyrinth = 30,
    .death = 58,
};

const naive_ase_board naive_ase_board_20 = {
    .home = 20,
    .geese = {4, 8, 13, 17, 20},
    .bridge = {3, 7},
    .dice = {9, 15},
    .inn = 6,
    .well = 10,
    .prison = 12,
    .inn_turns = 1,
    .well_turns = 2,
    .prison_turns = 3,
    .labyrinth = 14,
    .out_of_labyrinth = 11,
    .death = 16,
};

/* A move under way: the token has been lifted, and stands nowhere until it is put down. */
typedef struct {
  const naive_ase_game *game;
  naive_ase_position now;
  int player, token;
  bool again; /* the turn goes on */
} move;

/* --- who stands where --- */

int naive_ase_colour(const naive_ase_game *game, int token) {
  int colours = game->rules.colours == 0 ? 1 : game->rules.colours;
  return token * colours / game->tokens;
}

static bool is_inner(const move *m, int square) {
  return square >= 1 && square < m->game->board.home;
}

static int tokens_on(const move *m, int player, int square) {
  int count = 0;
  for (int token = 0; token < m->game->tokens; token++) count += m->now.square[player][token] == square;
  return count;
}

static bool is_pair(const move *m, int player, int token, int other) {
  return m->now.square[player][token] == m->now.square[player][other] &&
         naive_ase_colour(m->game, token) == naive_ase_colour(m->game, other);
}

static bool is_barrier(const move *m, int square) {
  if (m->game->rules.interaction_off || !is_inner(m, square)) return false;
  for (int player = 0; player < m->game->players; player++)
    for (int token = 0; token < m->game->tokens; token++)
      for (int other = 0; other < token; other++)
        if (m->now.square[player][token] == square && is_pair(m, player, token, other)) return true;
  return false;
}

static bool is_free(const move *m, int square) {
  if (m->game->rules.interaction_off || !is_inner(m, square)) return true;
  for (int player = 0; player < m->game->players; player++)
    if (tokens_on(m, player, square) >= 2) return false;
  return true;
}

/* All others of the player are home. While a token is forced, it is the one that moves. */
static bool is_last_token(const move *m) {
  return tokens_on(m, m->player, m->game->board.home) == m->game->tokens - 1;
}

/* --- ways over the board --- */

static int next_barrier(const move *m, int square, int direction) {
  for (square += direction; is_inner(m, square); square += direction)
    if (is_barrier(m, square)) return square;
  return NOWHERE;
}

/* The square after this one; *crossed counts the wormholes on the way. */
static int step(const move *m, int square, int direction, int *crossed) {
  square += direction;
  while (is_barrier(m, square)) {
    int end = next_barrier(m, square, direction);
    if (end == NOWHERE) return NOWHERE;
    square = end + direction;
    ++*crossed;
  }
  return square < 0 ? NOWHERE : square;
}

static int walk(const move *m, int from, int roll, int direction) {
  int home = m->game->board.home, square = from, crossed = 0;
  bool stops = direction > 0 && m->game->rules.no_overshoot && is_last_token(m);
  for (int steps = 0; steps < roll; steps++) {
    if (square == home) direction = -1;
    square = step(m, square, direction, &crossed);
    if (square == NOWHERE || square == 0) return NOWHERE;
    if (square == home && stops) return home;
  }
  return is_free(m, square) ? square : NOWHERE;
}

static bool is_goose(const move *m, int square) {
  if (square == 1 && m->game->rules.goose_1_off) return false;
  for (int i = 0; i < NAIVE_ASE_MOST_GEESE; i++)
    if (square != 0 && m->game->board.geese[i] == square) return true;
  return false;
}

static int other_of(const int pair[2], int square) {
  if (square == 0 || pair[0] == 0) return NOWHERE;
  if (square == pair[0]) return pair[1];
  return square == pair[1] ? pair[0] : NOWHERE;
}

static int goose_after(const move *m, int from) {
  int square = from, crossed = 0;
  while (square < m->game->board.home) {
    square = step(m, square, 1, &crossed);
    if (square == NOWHERE || crossed > 1) return NOWHERE;
    if (is_goose(m, square)) return square;
  }
  return NOWHERE;
}

static int bridge_from(const move *m, int from) {
  int to = other_of(m->game->board.bridge, from), direction = to > from ? 1 : -1;
  int square = from, crossed = 0;
  if (to == NOWHERE) return NOWHERE;
  while ((to - square) * direction > 0) {
    square = step(m, square, direction, &crossed);
    if (square == NOWHERE || crossed > 1) return NOWHERE;
  }
  return square == to ? to : NOWHERE;
}

/* Where a token that has landed there is carried to, and may roll again. */
static int jump_from(const move *m, int square) {
  int to = other_of(m->game->board.dice, square);
  if (to == NOWHERE) to = is_goose(m, square) ? goose_after(m, square) : bridge_from(m, square);
  return to != NOWHERE && is_free(m, to) ? to : NOWHERE;
}

/* --- landing --- */

static void send_back(move *m, int player, int token) {
  int square = m->now.square[player][token];
  if (m->game->rules.lost_turns_die && m->now.culprit[player] == square) m->now.lost[player] = 0;
  m->now.square[player][token] = 0;
}

static void capture(move *m, int square) {
  if (m->game->rules.interaction_off || !is_inner(m, square)) return;
  for (int player = 0; player < m->game->players; player++)
    for (int token = 0; token < m->game->tokens; token++)
      if (player != m->player && m->now.square[player][token] == square) send_back(m, player, token);
}

static void put_down(move *m, int square) {
  m->now.square[m->player][m->token] = square;
}

static void lose_turns(move *m, int square, int turns) {
  if (m->game->rules.no_lost_turns && is_last_token(m)) return;
  m->now.lost[m->player] = turns;
  m->now.culprit[m->player] = square;
}

static void jump(move *m, int square) {
  bool home = square == m->game->board.home;
  bool stays = home && m->game->rules.no_bounce && is_last_token(m);
  capture(m, square);
  m->again = !stays;
  if (home && !stays) m->now.forced = 1 + naive_ase_colour(m->game, m->token);
  put_down(m, square);
}

static void suffer(move *m, int square) {
  const naive_ase_board *board = &m->game->board;
  if (square == board->inn) lose_turns(m, square, board->inn_turns);
  if (square == board->well) lose_turns(m, square, board->well_turns);
  if (square == board->prison) lose_turns(m, square, board->prison_turns);
  bool dies = square == board->death && !(m->game->rules.no_death && is_last_token(m));
  put_down(m, dies ? 0 : square);
}

static void land(move *m, int square) {
  if (square == m->game->board.home) {
    put_down(m, square);
    return;
  }
  int to = jump_from(m, square);
  if (to == NOWHERE || !m->game->rules.capture_final_square) capture(m, square);
  if (to != NOWHERE) {
    jump(m, to);
  } else {
    suffer(m, square);
  }
}

static bool leave_labyrinth(move *m, int roll) {
  int to = m->game->board.out_of_labyrinth;
  if (roll != 6 || !is_free(m, to)) return false;
  capture(m, to);
  put_down(m, to);
  m->again = m->game->rules.labyrinth_exit_roll;
  return true;
}

/* False if the token cannot move. */
static bool move_token(move *m, int roll, int direction) {
  int from = m->now.square[m->player][m->token];
  put_down(m, NOWHERE);
  if (from != 0 && from == m->game->board.labyrinth) return leave_labyrinth(m, roll);
  int to = walk(m, from, roll, direction);
  if (to == NOWHERE) return false;
  land(m, to);
  return true;
}

/* --- turns --- */

naive_ase_position naive_ase_start(void) {
  return (naive_ase_position){0};
}

bool naive_ase_must_pass(const naive_ase_position *position) {
  return position->lost[position->seat] > 0;
}

static void swap(int *one, int *other) {
  int kept = *one;
  *one = *other;
  *other = kept;
}

/* Tokens of a player of one colour are alike. */
static void sort_tokens(const naive_ase_game *game, naive_ase_position *position) {
  for (int player = 0; player < game->players; player++) {
    int *square = position->square[player];
    for (int i = 1; i < game->tokens; i++)
      for (int j = i; j > 0 && naive_ase_colour(game, j) == naive_ase_colour(game, j - 1); j--)
        if (square[j - 1] > square[j]) swap(&square[j - 1], &square[j]);
    if (position->lost[player] == 0 || !game->rules.lost_turns_die) position->culprit[player] = 0;
  }
}

static bool has_finished(const naive_ase_game *game, const naive_ase_position *position, int player) {
  int home = 0;
  for (int token = 0; token < game->tokens; token++)
    home += position->square[player][token] == game->board.home;
  return home >= (game->rules.one_left ? game->tokens - 1 : game->tokens);
}

static int all_finished(const naive_ase_game *game, const naive_ase_position *position) {
  int seats = 0;
  for (int player = 0; player < game->players; player++)
    if (has_finished(game, position, player)) seats |= 1 << player;
  return seats;
}

static naive_ase_event end_turn(const naive_ase_game *game, naive_ase_position position) {
  int finished = all_finished(game, &position);
  position.forced = 0;
  sort_tokens(game, &position);
  if (finished != 0 && game->rules.last_turn_off) return (naive_ase_event){position, finished, -1};
  position.seat++;
  while (finished != 0 && position.seat < game->players && position.lost[position.seat] > 0) position.seat++;
  if (finished != 0 && position.seat == game->players) return (naive_ase_event){position, finished, -1};
  position.seat %= game->players;
  return (naive_ase_event){position, 0, -1};
}

static naive_ase_event event_of(const move *m) {
  naive_ase_event event = {m->now, 0, -1};
  if (!m->again) event = end_turn(m->game, m->now);
  sort_tokens(m->game, &event.after);
  event.token = m->token;
  return event;
}

naive_ase_event naive_ase_pass(const naive_ase_game *game, const naive_ase_position *position) {
  naive_ase_position after = *position;
  after.lost[after.seat]--;
  return end_turn(game, after);
}

static bool may_move(const naive_ase_game *game, const naive_ase_position *position, int token) {
  bool home = position->square[position->seat][token] == game->board.home;
  if (position->forced == 0) return !home;
  return home && naive_ase_colour(game, token) == position->forced - 1;
}

int naive_ase_events(const naive_ase_game *game, const naive_ase_position *position, int roll,
                     naive_ase_event events[NAIVE_ASE_MOST_TOKENS]) {
  int count = 0, direction = position->forced != 0 ? -1 : 1;
  for (int token = 0; token < game->tokens; token++) {
    move m = {game, *position, position->seat, token, false};
    if (!may_move(game, position, token)) continue;
    m.now.forced = 0;
    if (move_token(&m, roll, direction)) events[count++] = event_of(&m);
  }
  if (count == 0) events[count++] = end_turn(game, *position);
  return count;
}

/* --- texts --- */

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
