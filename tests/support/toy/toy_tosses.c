#include "tests/support/toy/toy_tosses.h"

#include <math.h>

#include "games/defaults.h"
#include "tests/support/rules.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"

typedef enum { DUEL, CAROUSEL, TRIO } toss;

struct game_rules {
  toss kind;
};

static const char *const names[] = {"duel", "carousel", "trio"};

typedef struct {
  uint8_t pile, seat, lost;
} tosses;

static tosses from_game(const game_position *position) {
  tosses t;
  memcpy(&t, position->words, sizeof t);
  return t;
}

static void to_game(tosses t, game_position *out) {
  *out = (game_position){{0}};
  memcpy(out->words, &t, sizeof t);
}

static int seats(const game_rules *rules) {
  return rules->kind == DUEL ? 2 : 3;
}

static tosses turned(const game_rules *rules, tosses t) {
  t.seat = (uint8_t)((t.seat + 1) % seats(rules));
  return t;
}

static tauler_error open_rules(const char *text, const char *cycles, game_rules **out,
                               tauler_message *message) {
  for (toss kind = DUEL; kind <= TRIO; kind++) {
    if (text && strcmp(text, names[kind]) != 0) continue;
    *out = malloc(sizeof **out);
    if (!*out) abort();
    (*out)->kind = kind;
    return TAULER_OK;
  }
  return tauler_fail(message, TAULER_BAD_USAGE, "no such rules");
}

static void close_rules(game_rules *rules) {
  free(rules);
}

static solve_kind kind(const game_rules *rules) {
  return SOLVE_CHANCE;
}

static const char *rules_text(const game_rules *rules) {
  return names[rules->kind];
}

static void slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  snprintf(name, GAME_TEXT_BYTES, "%u", slice);
}

static uint64_t positions(const game_rules *rules, uint32_t slice) {
  static const uint64_t n[] = {4, 2, 6};
  return n[rules->kind];
}

static tauler_error list_slices(const game_rules *rules, const game_request *request, game_slices *out,
                                tauler_message *message) {
  out->slices = calloc(2, sizeof *out->slices);
  if (!out->slices) abort();
  out->used = request->largest && *request->largest == '0' ? 1 : 2;
  for (uint32_t s = 0; s < out->used; s++) {
    out->slices[s] = (game_slice){s, !request->largest || s + 1 == out->used, positions(rules, s)};
  }
  return TAULER_OK;
}

static tauler_error parse(const game_rules *rules, const char *text, game_position *out,
                          tauler_message *message) {
  int pile, seat, lost = 0, used = 0;
  const int n = sscanf(text, "%d/%d%n~%d%n", &pile, &seat, &used, &lost, &used);
  if (n < 2 || text[used] || pile < 0 || pile > 4 || seat < 1 || seat > seats(rules) || lost < 0 ||
      lost > 9) {
    return tauler_fail(message, TAULER_BAD_POSITION, "'%.40s' is no pile and seat", text);
  }
  to_game((tosses){(uint8_t)pile, (uint8_t)(seat - 1), (uint8_t)lost}, out);
  return TAULER_OK;
}

static void print(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]) {
  const tosses t = from_game(position);
  const int used = snprintf(text, GAME_TEXT_BYTES, "%d/%d", t.pile, t.seat + 1);
  if (t.lost) snprintf(text + used, (size_t)(GAME_TEXT_BYTES - used), "~%d", t.lost);
}

static void draw(const game_rules *rules, const game_position *position, char text[GAME_DRAWING_BYTES]) {
  snprintf(text, GAME_DRAWING_BYTES, "%.*s\n", from_game(position).pile, "oooo");
}

static const char *turn(const game_rules *rules, const game_position *position) {
  static const char *const numbers[] = {"1", "2", "3"};
  return numbers[from_game(position).seat];
}

static bool ended(const game_rules *rules, const game_position *position, int *value) {
  *value = 0;
  return false;
}

static uint32_t slice_of(const game_rules *rules, const game_position *position) {
  const uint32_t slice = from_game(position).pile / 2u;
  return slice > 1 ? 1 : slice;
}

static bool locate(const game_rules *rules, const game_position *position, game_place *out) {
  const tosses t = from_game(position);
  if (t.lost || t.pile > 3) return false;
  const uint64_t per_pile = positions(rules, 0) / 2, seat = per_pile == 1 ? 0 : t.seat;
  *out = (game_place){slice_of(rules, position), per_pile * (t.pile % 2u) + seat};
  return true;
}

static void position_at(const game_rules *rules, game_place place, game_position *out) {
  const uint64_t per_pile = positions(rules, 0) / 2;
  to_game((tosses){(uint8_t)(2 * place.slice + place.index / per_pile), (uint8_t)(place.index % per_pile), 0},
          out);
}

/* --- dice --- */

static size_t rolls(const game_rules *rules, const chance_roll **out) {
  static const chance_roll list[] = {{"low", 1}, {"high", 2}};
  *out = list;
  return 2;
}

static void quantities(const game_rules *rules, uint32_t slice, chance_quantities *out) {
  static const chance_quantities all[] = {
      {.used = 1, .list = {{"score-1", 1}}, .chosen = true},
      {.used = 4, .seats = 3, .list = {{"win-1", 1}, {"win-2", 1}, {"win-3", 1}, {"turns", INFINITY}}},
      {.used = 3, .list = {{"score-1", 1}, {"score-2", 1}, {"score-3", 1}}}};
  *out = all[rules->kind];
}

static size_t gains(const game_rules *rules, uint32_t slice,
                    const chance_gain (**rows)[CHANCE_MOST_QUANTITIES]) {
#define NONE                                                                                                 \
  { 0, 1 }
#define ONE                                                                                                  \
  { 1, 1 }
  static const chance_gain list[][4][CHANCE_MOST_QUANTITIES] = {
      {{NONE}, {ONE}, {{1, 3}}, {NONE}},
      {{NONE, NONE, NONE, NONE}, {NONE, NONE, NONE, ONE}, {ONE, NONE, NONE, ONE}, {{1, 4}, NONE, NONE, ONE}},
      {{NONE, NONE, NONE}, {ONE, NONE, NONE}, {NONE, ONE, NONE}, {NONE, NONE, ONE}}};
  *rows = list[rules->kind];
  return 4;
}

static int aim(const game_rules *rules, const game_position *position) {
  return rules->kind != DUEL ? 0 : from_game(position).seat == 0 ? 1 : -1;
}

static int first_seat(const game_rules *rules, const game_position *position) {
  return rules->kind == CAROUSEL ? from_game(position).seat : 0;
}

static bool must_pass(const game_rules *rules, const game_position *position) {
  return from_game(position).lost > 0;
}

static void add(const game_rules *rules, const char *name, const tosses *from, const tosses *to, int gain,
                game_moves *out) {
  game_move move = {.name = name, .gain = gain, .over = !to, .converts = !to};
  if (to) {
    game_position before;
    to_game(*to, &move.child);
    to_game(*from, &before);
    move.converts = slice_of(rules, &move.child) != slice_of(rules, &before);
  }
  if (game_moves_add(out, &move)) abort();
}

static tosses less(tosses t, int n) {
  t.pile = (uint8_t)(t.pile - n);
  return t;
}

static void duel_moves(const game_rules *rules, tosses t, bool low, game_moves *out) {
  const tosses next = turned(rules, t);
  if (t.pile == 4) {
    const tosses took = less(next, 1), dropped = less(next, 2), again = less(t, 1);
    if (low) add(rules, "take", &t, &took, 0, out);
    if (low) add(rules, "drop", &t, &dropped, 0, out);
    if (!low) add(rules, "again", &t, &again, 0, out);
  } else if (low) {
    const tosses took = less(next, 1);
    add(rules, "wait", &t, &next, 0, out);
    add(rules, "take", &t, t.pile ? &took : NULL, !t.pile && t.seat == 0, out);
    if (t.pile == 3) add(rules, "share", &t, NULL, 2, out);
  } else {
    const tosses tripped = {next.pile, next.seat, 1};
    add(rules, "again", &t, &t, 0, out);
    add(rules, "trip", &t, &tripped, 0, out);
  }
}

static void round_moves(const game_rules *rules, tosses t, bool low, game_moves *out) {
  const bool trio = rules->kind == TRIO;
  const tosses next = turned(rules, t), down = less(next, 1);
  if (low) {
    add(rules, "on", &t, &next, !trio, out);
  } else if (t.pile) {
    add(rules, "down", &t, &down, !trio, out);
  } else {
    add(rules, "out", &t, NULL, trio ? 1 + t.seat : 2, out);
  }
}

/* A turn of nine lost ones is never over. The second of a carousel gains a quarter for the seat. */
static void pass_moves(const game_rules *rules, tosses t, game_moves *out) {
  tosses next = turned(rules, t);
  if (t.lost < 9) next.lost = 0;
  add(rules, "pass", &t, &next, rules->kind != CAROUSEL ? 0 : t.lost == 2 ? 3 : 1, out);
}

static tauler_error moves(const game_rules *rules, const game_position *position, size_t roll,
                          game_moves *out) {
  const tosses t = from_game(position);
  if (t.lost) {
    ck_assert_uint_eq(roll, CHANCE_CERTAIN);
    pass_moves(rules, t, out);
  } else if (rules->kind == DUEL) {
    duel_moves(rules, t, roll == 0, out);
  } else {
    round_moves(rules, t, roll == 0, out);
  }
  return TAULER_OK;
}

static void start(const game_rules *rules, uint32_t slice, game_position *out) {
  to_game((tosses){(uint8_t)(2 * slice + 1), 1, 0}, out);
}

/* The first, the last, any. */
static int pick(const game_rules *rules, size_t policy, const game_position *position, size_t roll,
                const game_moves *list) {
  return policy == 0 ? 0 : policy == 1 ? (int)list->used - 1 : -1;
}

static const char *const policy_names[] = {"first", "last", "random", NULL};
static const chance_policies policies = {policy_names, pick};

static const game_chance chance = {.rolls = rolls,
                                   .quantities = quantities,
                                   .gains = gains,
                                   .must_pass = must_pass,
                                   .moves = moves,
                                   .first_seat = first_seat,
                                   .aim = aim,
                                   .start = start,
                                   .policies = &policies};

const game toy_tosses = {.name = "tosses",
                         .unit = "positions",
                         .size_option = "players",
                         .size_help = "piles",
                         .open = open_rules,
                         .close = close_rules,
                         .kind = kind,
                         .rules_text = rules_text,
                         .cycles_text = game_no_cycles,
                         .slices = list_slices,
                         .slice_name = slice_name,
                         .positions = positions,
                         .chance = &chance,
                         .parse = parse,
                         .print = print,
                         .draw = draw,
                         .turn = turn,
                         .position_ended = ended,
                         .slice_of = slice_of,
                         .locate = locate,
                         .position_at = position_at};

/* --- tables --- */

void tosses_write_cells(const char *rules_name, uint32_t slice, const char *stream,
                        const tosses_cells *cells) {
  char path[FOLDER_PATH_BYTES];
  table_header header;
  game_rules *rules = suite_rules(&toy_tosses, rules_name, NULL);
  suite_table_path(&toy_tosses, rules, slice, stream, &header, path);
  header.positions = cells->used;
  header.cell = cells->cell;
  suite_write_table(path, &header, cells->cells, NULL);
}

void tosses_write(const char *rules_name, uint32_t slice, int quantity, const double *lower,
                  const double *upper) {
  game_rules *rules = suite_rules(&toy_tosses, rules_name, NULL);
  chance_quantities list;
  quantities(rules, slice, &list);
  for (int bound = 0; bound < 2; bound++) {
    char stream[64];
    snprintf(stream, sizeof stream, "%s%s%s", bound ? "upper" : "lower", list.used > 1 ? "-" : "",
             list.used > 1 ? list.list[quantity].name : "");
    const tosses_cells cells = {TABLE_F64, positions(rules, slice), bound ? upper : lower};
    tosses_write_cells(rules_name, slice, stream, &cells);
  }
}
