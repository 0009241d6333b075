/* Three men's morris: rules, index and texts.
 *
 * Points are 3 · rank + file, a1 = 0 … c3 = 8; sets of points have a bit for each. A view is a position seen
 * by the side to move: its men in nine bits, the other side's in the next nine. An index is the ordinal of a
 * view among the views that are the least of their eight images.
 */
#include "games/registry.h"

#include <stdlib.h>

#include "games/defaults.h"
#include "games/game_text.h"

enum { SIDE = 3, POINTS = 9, MEN = 3, ALL = (1 << POINTS) - 1, CENTRE = 4, IMAGES = 8, MOST_VIEWS = 1024 };
enum { WHITE, BLACK };
enum { DIAGONALS, MOVES, FLAGS };

/* The words of a game_position. */
typedef struct {
  uint16_t men[2];
  uint8_t side; /* side to move */
} board;

GAME_POSITION(board, board)

struct game_rules {
  game_base base;
  size_t n_views;
  uint32_t views[MOST_VIEWS];
};

static const rule_flag flags[FLAGS] = {
    [DIAGONALS] = {"diagonals", {NULL, "no"}, 0}, [MOVES] = {"moves", {NULL, "any"}, 0}};
static const rule_set base = {.name = "base"};
static const rule_flags known = {
    .game = "three men's morris", .sets = &base, .n_sets = 1, .flags = flags, .n_flags = FLAGS};
static const game_side sides[GAME_SIDES] = {{"w", "White"}, {"b", "Black"}};

/* --- rules --- */

static bool has_line(const game_rules *rules, unsigned men) {
  static const unsigned lines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124}; /* diagonals last */
  const size_t n = sizeof lines / sizeof *lines - (rules->base.flag[DIAGONALS] ? 2 : 0);
  for (size_t i = 0; i < n; i++)
    if ((men & lines[i]) == lines[i]) return true;
  return false;
}

static unsigned reachable_points(const game_rules *rules, int from) {
  unsigned reach = rules->base.flag[MOVES] ? ALL : 0;
  for (int to = 0; to < POINTS; to++) {
    const int ranks = abs(from / SIDE - to / SIDE), files = abs(from % SIDE - to % SIDE);
    const bool diagonal = ranks == 1 && files == 1 && (from == CENTRE || to == CENTRE);
    if (ranks + files == 1 || (diagonal && !rules->base.flag[DIAGONALS])) reach |= 1u << to;
  }
  return reach;
}

/* If `from` is POINTS, the man is placed from the hand. */
static tauler_error add_move(const game_rules *rules, const board *b, int from, int to, game_moves *out) {
  const char name[] = {(char)('a' + from % SIDE), (char)('1' + from / SIDE), (char)('a' + to % SIDE),
                       (char)('1' + to / SIDE), '\0'};
  board after = *b;
  after.men[b->side] = (uint16_t)((b->men[b->side] & ~(1u << from)) | 1u << to);
  after.side = !b->side;
  game_move move = {.name = from < POINTS ? name : name + 2};
  move.over = move.converts = has_line(rules, after.men[b->side]);
  move.gain = move.over ? 1 : 0;
  board_to_game(&after, &move.child);
  return game_moves_add(out, &move);
}

static tauler_error moves(const game_rules *rules, const game_position *position, game_moves *out) {
  const board b = board_from_game(position);
  const unsigned own = b.men[b.side], vacant = ALL & ~(b.men[WHITE] | b.men[BLACK]);
  const bool places = __builtin_popcount(own) < MEN;
  tauler_error error = TAULER_OK;
  for (int from = 0; from <= POINTS; from++) {
    const unsigned ends = places ? vacant : vacant & reachable_points(rules, from);
    if (places ? from < POINTS : !(own >> from & 1)) continue;
    for (int to = 0; !error && to < POINTS; to++)
      if (ends >> to & 1) error = add_move(rules, &b, from, to, out);
  }
  return error;
}

/* --- the index --- */

static uint32_t view_of(unsigned own, unsigned other) {
  return own | (uint32_t)other << POINTS;
}

/* Returns an image of a view. The bits of `image` exchange left and right (1), top and bottom (2), ranks and
 * files (4). */
static uint32_t image_of(uint32_t view, int image) {
  uint32_t out = 0;
  for (int point = 0; point < POINTS; point++) {
    int rank = point / SIDE, file = point % SIDE;
    if (image & 1) file = SIDE - 1 - file;
    if (image & 2) rank = SIDE - 1 - rank;
    const int to = image & 4 ? file * SIDE + rank : rank * SIDE + file;
    out |= view_of(view >> point & 1, view >> (POINTS + point) & 1) << to;
  }
  return out;
}

static uint32_t least_image(uint32_t view) {
  uint32_t least = view;
  for (int image = 1; image < IMAGES; image++) {
    const uint32_t other = image_of(view, image);
    if (other < least) least = other;
  }
  return least;
}

/* True if play can reach the view: players place men alternately, and a game with a line is over. */
static bool is_view(const game_rules *rules, unsigned own, unsigned other) {
  const int owns = __builtin_popcount(own), others = __builtin_popcount(other);
  return !(own & other) && others <= MEN && (owns == others || owns + 1 == others) && !has_line(rules, own) &&
         !has_line(rules, other);
}

static tauler_error open_rules(const char *name, const char *cycles, game_rules **out,
                               tauler_message *message) {
  const tauler_error error = game_base_open(&morris_game, &known, name, cycles, sizeof **out, out, message);
  if (error) return error;
  game_rules *rules = *out;
  for (uint32_t view = 0; view < 1u << 2 * POINTS; view++) {
    if (is_view(rules, view & ALL, view >> POINTS) && least_image(view) == view)
      rules->views[rules->n_views++] = view;
  }
  return TAULER_OK;
}

static uint64_t positions(const game_rules *rules, uint32_t slice) {
  return rules->n_views;
}

static int compare_views(const void *one, const void *other) {
  const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
  return (a > b) - (a < b);
}

static bool locate(const game_rules *rules, const game_position *position, game_place *out) {
  const board b = board_from_game(position);
  const uint32_t view = least_image(view_of(b.men[b.side], b.men[!b.side]));
  const uint32_t *found = bsearch(&view, rules->views, rules->n_views, sizeof view, compare_views);
  if (found) *out = (game_place){0, (uint64_t)(found - rules->views)};
  return found != NULL;
}

/* A view with all men on the board does not tell who is to move. White is to move then. */
static void position_at(const game_rules *rules, game_place place, game_position *out) {
  const unsigned own = rules->views[place.index] & ALL, other = rules->views[place.index] >> POINTS;
  const uint8_t side = __builtin_popcount(other) > __builtin_popcount(own) ? BLACK : WHITE;
  board b = {.side = side};
  b.men[side] = (uint16_t)own;
  b.men[!side] = (uint16_t)other;
  board_to_game(&b, out);
}

static size_t numbers(const game_rules *rules, const game_position *position, int8_t *out) {
  const board b = board_from_game(position);
  for (int point = 0; out && point < POINTS; point++)
    out[point] = (int8_t)((b.men[b.side] >> point & 1) - (b.men[!b.side] >> point & 1));
  return POINTS;
}

static void copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++) {
    int same = 0;
    for (int image = 0; image < IMAGES; image++)
      same += image_of(rules->views[first + i], image) == rules->views[first + i];
    out[i] = (uint8_t)(IMAGES / same);
  }
}

/* --- texts --- */

static tauler_error refuse_text(tauler_message *message, const char *text, const char *why) {
  game_text in = {text, text, ""};
  game_text_refuse(&in, "%s", why);
  return game_text_fail(message, &in, "'%.60s' is no position of three men's morris: %s", text, why);
}

/* Reads the men on ranks 3 to 1. Returns the rest of the text, or NULL if it is no board. */
static const char *read_board(const char *at, board *out) {
  for (int rank = SIDE - 1; rank >= 0; rank--) {
    for (int file = 0; file < SIDE; at++) {
      const int point = rank * SIDE + file;
      if (*at == 'w' || *at == 'b')
        out->men[*at == 'b'] |= (uint16_t)(1u << point), file++;
      else if (*at >= '1' && *at <= '3' - file)
        file += *at - '0';
      else
        return NULL;
    }
    if (*at++ != (rank ? '/' : ' ')) return NULL;
  }
  return at;
}

static tauler_error parse(const game_rules *rules, const char *text, game_position *out,
                          tauler_message *message) {
  board b = {0};
  const char *at = read_board(text, &b);
  if (!at)
    return refuse_text(message, text,
                       "ranks 3 to 1 are separated by /, each of 3 points: w, b and digits; then a blank");
  if (*at != 'w' && *at != 'b')
    return refuse_text(message, text, "behind the board stands the side to move, w or b");
  b.side = *at++ == 'b';
  const unsigned own = b.men[b.side], other = b.men[!b.side];
  const int white = __builtin_popcount(b.men[WHITE]), black = __builtin_popcount(b.men[BLACK]);
  if (has_line(rules, own) || has_line(rules, other))
    return refuse_text(message, text, "three in a row end the game");
  if (white > MEN || black > MEN) return refuse_text(message, text, "each side has three men");
  if (!is_view(rules, own, other) || (b.side == WHITE && white != black) ||
      (b.side == BLACK && white == black && white < MEN))
    return refuse_text(message, text, "men are placed in turn, White's first");
  board_to_game(&b, out);
  return game_base_play(rules, at, out, message);
}

static char letter_on(const void *of, int point) {
  const board *b = of;
  return b->men[WHITE] >> point & 1 ? 'w' : b->men[BLACK] >> point & 1 ? 'b' : '\0';
}

static void print(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]) {
  const board b = board_from_game(position);
  game_text_print_board(&b, SIDE, SIDE, letter_on, *sides[b.side].turn, text);
}

const game morris_game = {
    .name = "morris",
    .other_names = "three-mens-morris tapatan",
    .title = "Three men's morris",
    .rule_sets =
        "base: men move along the lines of the board, diagonals among them; a side without a move loses,\n"
        "  and infinite play is a draw (default)\n"
        "flags, alone or behind base and commas (base,diagonals=no):\n"
        "diagonals=no: the board has no diagonals: no moves along them, no three in a row\n"
        "moves=any: men move to any vacant point (nine holes)",
    .notation =
        "ranks 3 to 1, separated by /, digits for vacant points, w and b for men, then the side to move\n"
        "(w or b). White places the first man; with three men each on the board men move. A move is\n"
        "the point of a new man, b2, or from and to, a1b2; a line of moves follows the word moves:\n"
        "\"3/3/3 w moves b2 a1\".",
    .sides = sides,
    .start = "3/3/3 w",
    .open = open_rules,
    GAME_RULES,
    GAME_OUTCOMES,
    GAME_STUCK_LOSES,
    GAME_ONE_SLICE,
    GAME_BATCHES,
    GAME_TEXTS,
    .parse = parse,
    .print = print,
    .moves = moves,
    .positions = positions,
    .locate = locate,
    .position_at = position_at,
    .numbers = numbers,
    .copies = copies,
};
