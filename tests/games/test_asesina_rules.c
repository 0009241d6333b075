/* La oca asesina against its rule book: turns one by one, and what flags change. */
#include "tests/support/oracle.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina.h"

#define NONE "none"

/* A row has the result of moving the token on a square by a roll (toy_ase_print); or NONE: it may not move.
 */
CASE(turns_are_those_of_the_rule_book) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("asesina-turns.csv"); oracle_next(file, &row); rows++) {
    game_rules *rules = toy_ase_open(row.cell[0]);
    const ase_position position = toy_ase_read(rules, row.cell[1]);
    ase_moves moves;
    ase_list_moves(rules, &position, atoi(row.cell[2]), &moves);
    const int from = strcmp(row.cell[3], "pass") == 0 ? ASE_NOWHERE : atoi(row.cell[3]);
    const ase_move *move = toy_ase_move_from(&moves, from);
    char text[GAME_TEXT_BYTES] = NONE;
    if (move) toy_ase_print(rules, move, text);
    EXPECT(strcmp(text, row.cell[4]) == 0, "%s, %s, %s from %s: %s, not %s", row.cell[0], row.cell[1],
           row.cell[2], row.cell[3], text, row.cell[4]);
  }
  ck_assert_int_eq(rows, 136);
}

/* As asesina-events.csv has them; added unless they are there. */
static void add_event(const game_rules *rules, const ase_move *move, char events[3600]) {
  char text[GAME_TEXT_BYTES];
  game_position game;
  ase_to_game(&move->next, &game);
  ase_print(rules, &game, text);
  if (move->over) sprintf(strstr(text, " seat="), " won");
  for (int seat = 0; move->over && seat < move->next.seats; seat++)
    if (move->winners >> seat & 1) sprintf(text + strlen(text), " %d", seat + 1);
  if (!strstr(events, text)) sprintf(events + strlen(events), "%s%s", events[0] ? "; " : "", text);
}

/* Rows for the slow definition alone have positions that a text may not say, or colours in another order. */
CASE(events_are_those_read_by_hand) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("asesina-events.csv"); oracle_next(file, &row); rows++) {
    if (strcmp(row.cell[0], "naive_alone") == 0) continue;
    game_rules *rules = toy_ase_open(row.cell[1]);
    const ase_position position = toy_ase_read(rules, row.cell[2]);
    char events[3600] = "";
    ase_moves moves = {.used = 1};
    if (ase_must_pass(&position))
      moves.move[0] = ase_pass(rules, &position);
    else
      ase_list_moves(rules, &position, atoi(row.cell[3]), &moves);
    for (int i = 0; i < moves.used; i++) add_event(rules, &moves.move[i], events);
    EXPECT(strcmp(events, row.cell[4]) == 0, "%s, %s, roll %s: '%s', not '%s'", row.cell[1], row.cell[2],
           row.cell[3], events, row.cell[4]);
  }
  ck_assert_int_eq(rows, 108);
}

CASE(lost_turns_are_served_one_by_one) {
  game_rules *rules = toy_ase_open("base"), *dying = toy_ase_open("lost-turns=die-with-token");
  char text[GAME_TEXT_BYTES];
  ase_position position = toy_ase_read(rules, "1,31/2,3 lost=2,0 seat=1");
  ck_assert(ase_must_pass(&position));
  ase_move move = ase_pass(rules, &position);
  toy_ase_print(rules, &move, text);
  ck_assert_str_eq(text, "1,31/2,3 lost=1,0 seat=2");
  ck_assert(!ase_must_pass(&move.next));
  position = toy_ase_read(dying, "1,31/2,3 lost=1,0 seat=1");
  ck_assert_int_eq(position.culprit[0], 31);
  move = ase_pass(dying, &position);
  toy_ase_print(dying, &move, text);
  ck_assert_str_eq(text, "1,31/2,3 lost=0,0 seat=2");
  ck_assert_int_eq(move.next.culprit[0], 0);
}

CASE(moves_say_what_moved) {
  game_rules *rules = toy_ase_open("colours=2");
  const ase_position position = toy_ase_read(rules, "5a,20a,5b,6b/0a,0a,0b,0b lost=0,0 seat=1");
  static const int expected[][4] = {{0, 0, 5, 7}, {1, 0, 20, 22}, {2, 1, 5, 7}, {3, 1, 6, 8}};
  ase_moves moves;
  ase_list_moves(rules, &position, 2, &moves);
  ck_assert_int_eq(moves.used, 4);
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(moves.move[i].token, expected[i][0]);
    ck_assert_int_eq(moves.move[i].colour, expected[i][1]);
    ck_assert_int_eq(moves.move[i].from, expected[i][2]);
    ck_assert_int_eq(moves.move[i].to, expected[i][3]);
  }
}

/* --- what flags change ---------------------------------------------------------------------------------- */

enum { TRIALS = 20000 };

/* Whether a flag may matter to a move of the position, as `base` has it. */
typedef bool may_matter(const game_rules *base, const ase_position *position, const ase_move *move);

static int unfinished(const game_rules *rules, const ase_position *position, int seat) {
  int tokens = position->forced && position->seat == seat;
  for (int i = 0; i < ase_tokens(rules, position); i++)
    tokens += position->square[seat][i] != ase_home(rules);
  return tokens;
}

static bool is_of_last_token(const game_rules *base, const ase_position *position, const ase_move *move) {
  return unfinished(base, position, position->seat) == 1;
}

static bool leaves_labyrinth(const game_rules *base, const ase_position *position, const ase_move *move) {
  return base->board.square[move->from].kind == GOOSE_LABYRINTH;
}

static bool ends_soon(const game_rules *base, const ase_position *position, const ase_move *move) {
  for (int seat = 0; seat < move->next.seats; seat++) {
    if (unfinished(base, &move->next, seat) <= 1) return true;
  }
  return false;
}

static bool finishes(const game_rules *base, const ase_position *position, const ase_move *move) {
  return move->over;
}

static bool captures(const game_rules *base, const ase_position *position, const ase_move *move) {
  for (int seat = 0; seat < position->seats; seat++) {
    for (int i = 0; seat != position->seat && i < ase_tokens(base, position); i++) {
      if (position->square[seat][i] != move->next.square[seat][i]) return true;
    }
  }
  return false;
}

static bool captures_losers(const game_rules *base, const ase_position *position, const ase_move *move) {
  return captures(base, position, move) && position->lost[!position->seat];
}

/* From a square before the first goose, whatever wormholes there are. */
static bool jumps_from_the_first(const game_rules *base, const ase_position *position, const ase_move *move) {
  return move->roll_again;
}

static const struct {
  const char *flag;
  may_matter *may;
} changes[] = {
    {"labyrinth-exit=roll", leaves_labyrinth},
    {"capture=final-square", captures},
    {"lost-turns=die-with-token", captures_losers},
    {"last-turn=off", finishes},
    {"home=one-left", ends_soon},
    {"last-token=no-death", is_of_last_token},
    {"last-token=no-lost-turns", is_of_last_token},
    {"last-token=no-overshoot", is_of_last_token},
    {"last-token=no-bounce", is_of_last_token},
    {"last-token=immune", is_of_last_token},
    {"goose-1=off", jumps_from_the_first},
};

static bool same_moves(const ase_move *one, const ase_move *other) {
  ase_move a = *one, b = *other;
  memset(a.next.culprit, 0, sizeof a.next.culprit);
  memset(b.next.culprit, 0, sizeof b.next.culprit);
  return a.token == b.token && a.to == b.to && a.roll_again == b.roll_again && a.over == b.over &&
         a.winners == b.winners && memcmp(&a.next, &b.next, sizeof a.next) == 0;
}

/* Moves of the flag's rules are those of base, but where it may matter. */
static int compare(const game_rules *base, const game_rules *flagged, may_matter *may, uint64_t *state) {
  const ase_position position = toy_ase_position(flagged, 2, 3, state);
  const int roll = 1 + (int)draw_below(state, ASE_DIE);
  ase_moves usual, changed;
  int differ = 0;
  ase_list_moves(base, &position, roll, &usual);
  ase_list_moves(flagged, &position, roll, &changed);
  ck_assert_int_eq(usual.used, changed.used);
  for (int i = 0; i < usual.used; i++) {
    if (same_moves(&usual.move[i], &changed.move[i])) continue;
    if (!may(base, &position, &usual.move[i]) && !may(base, &position, &changed.move[i]))
      ck_abort_msg("%s: from %d to %d with %d", flagged->base.text, usual.move[i].from, usual.move[i].to,
                   roll);
    differ++;
  }
  return differ;
}

CASE(flags_change_nothing_else) {
  uint64_t state = 88172645463325252u;
  int differ = 0;
  char text[64];
  snprintf(text, sizeof text, "board=20,%s", changes[_i].flag);
  if (strncmp(changes[_i].flag, "goose", 5) == 0) snprintf(text, sizeof text, "%s", changes[_i].flag);
  game_rules *flagged = toy_ase_open(text);
  game_rules *base = toy_ase_open(ase_home(flagged) == 20 ? "board=20" : "base");
  for (int i = 0; i < TRIALS; i++) differ += compare(base, flagged, changes[_i].may, &state);
  ck_assert_int_gt(differ, 5);
}

/* --- tokens that are alike ------------------------------------------------------------------------------ */

static ase_position shuffled(const game_rules *rules, const ase_position *position, uint64_t *state) {
  ase_position other = *position;
  for (int seat = 0; seat < other.seats; seat++) {
    for (int i = 0; i < ase_tokens(rules, &other); i++) {
      const int first = i - i % other.tokens;
      const int with = first + (int)draw_below(state, other.tokens);
      const uint8_t square = other.square[seat][i];
      other.square[seat][i] = other.square[seat][with];
      other.square[seat][with] = square;
    }
  }
  return other;
}

static bool leads_to(const ase_moves *moves, const ase_move *move) {
  for (int i = 0; i < moves->used; i++) {
    ase_move other = moves->move[i];
    other.token = move->token;
    if (other.from == move->from && other.colour == move->colour && same_moves(&other, move)) return true;
  }
  return false;
}

CASE(equal_tokens_may_be_exchanged) {
  static const char *const sets[] = {"board=20", "board=20,colours=2", "colours=3",
                                     "board=20,interaction=off"};
  game_rules *rules = toy_ase_open(sets[_i]);
  uint64_t state = 2463534242u;
  for (int i = 0; i < 3000; i++) {
    const ase_position position = toy_ase_position(rules, 2, 2 + i % 3, &state);
    const ase_position other = shuffled(rules, &position, &state);
    const int roll = 1 + (int)draw_below(&state, ASE_DIE);
    ase_moves moves, again;
    ase_list_moves(rules, &position, roll, &moves);
    ase_list_moves(rules, &other, roll, &again);
    for (int m = 0; m < again.used; m++) ase_sort(rules, &again.move[m].next);
    for (int m = 0; m < moves.used; m++) ck_assert(leads_to(&again, &moves.move[m]));
    for (int m = 0; m < again.used; m++) ck_assert(leads_to(&moves, &again.move[m]));
    for (int m = 1; m < moves.used; m++) {
      const ase_move *one = &moves.move[m - 1], *two = &moves.move[m];
      ck_assert(one->colour < two->colour || (one->colour == two->colour && one->from < two->from));
    }
  }
}

/* --- texts ------------------------------------------------------------------------------------------- */

CASE(any_position_comes_back_from_its_text) {
  static const char *const sets[] = {"base", "board=20,colours=2", "colours=3", "interaction=off"};
  game_rules *rules = toy_ase_open(sets[_i]);
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 2000; i++) {
    const ase_position position = toy_ase_position(rules, 2 + i % 3, 1 + i % 4, &state);
    game_position game, again;
    char text[GAME_TEXT_BYTES];
    ase_to_game(&position, &game);
    ase_print(rules, &game, text);
    if (ase_parse(rules, text, &again, NULL)) ck_abort_msg("%s is not read", text);
    if (memcmp(&game, &again, sizeof game) != 0) ck_abort_msg("%s is read as another", text);
  }
}

SUITE("asesina_rules") {
  TESTS(turns_are_those_of_the_rule_book, events_are_those_read_by_hand, lost_turns_are_served_one_by_one,
        moves_say_what_moved);
  LOOP(flags_change_nothing_else, ROWS(changes));
  LOOP(equal_tokens_may_be_exchanged, 4);
  LOOP(any_position_comes_back_from_its_text, 4);
}
