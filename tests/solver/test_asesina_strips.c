/* Strips and plays of la oca asesina against its rules: from any position, also with lone tokens of the other
 * in the way, each play leads where the rule book's state machine and `find` say. */
#include <malloc.h>

#include "games/oca_asesina/chance.h"
#include "games/oca_asesina/layout.h"
#include "games/oca_asesina/slices.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"

/* A rule set, and the strips that were asked for. */
typedef struct {
  game_rules *rules;
  strip_tables *tables[ASE_SLICES];
  uint64_t plays, captures, ends;
} opened;

static void close_all(opened *o) {
  for (int i = 0; i < ASE_SLICES; i++)
    if (o->tables[i]) ase_strips.close(o->tables[i]);
}

static strip_tables *tables_of(opened *o, uint32_t slice) {
  if (!o->tables[slice]) {
    if (!ase_strips.serve(o->rules, slice)) ck_abort_msg("%s has no strips", o->rules->base.text);
    if (ase_strips.open(o->rules, slice, &o->tables[slice])) ck_abort_msg("no memory");
  }
  return o->tables[slice];
}

/* A position as a section sees it. */
typedef struct {
  const game_rules *rules;
  const ase_layout *layout;
  const strip_section *section;
  ase_position position;
  int seat, plane;
  uint32_t row, lane;
} place;

static ase_arrangement arrangement_of(const ase_position *position, int seat) {
  ase_arrangement arrangement = {.forced = position->seat == seat ? position->forced : 0};
  memcpy(arrangement.square, position->square[seat], sizeof arrangement.square);
  return arrangement;
}

static uint32_t find_arrangement(const game_rules *rules, const ase_arrangements *arrangements,
                                 ase_arrangement arrangement) {
  const uint32_t number = ase_arrangements_find(rules, arrangements, &arrangement);
  if (number == ARRANGEMENTS_NONE) ck_abort_msg("no such arrangement");
  return number;
}

/* The lane with what stands on a square sent back. */
static uint32_t send_back(const place *p, uint32_t lane, uint8_t square) {
  const uint64_t first = (uint64_t)lane * (unsigned)p->section->tokens;
  for (int i = 0; i < p->section->tokens && square; i++)
    if (p->section->square[first + (unsigned)i] == square) return p->section->sent_back[first + (unsigned)i];
  return lane;
}

static uint32_t lane_after(const place *p, const strip_play *play) {
  return send_back(p, send_back(p, p->lane, play->sent[0]), play->sent[1]);
}

static uint64_t cell_of(const strip_source *source, uint32_t arrangement, uint32_t lane) {
  const uint32_t mine = source->mover_strip[arrangement], theirs = source->other_strip[lane];
  const uint32_t row = arrangement - source->mover_first[mine], column = lane - source->other_first[theirs];
  ck_assert_uint_lt(mine, source->mover_strips);
  ck_assert(!source->wanted || source->wanted[mine]);
  const bool turned = source->way == STRIP_TURNED;
  ck_assert(turned ? strip_pairs_has(source->pairs, theirs, column, mine, row)
                   : strip_pairs_has(source->pairs, mine, row, theirs, column));
  return source->first_cell + (turned ? strip_pairs_rank(source->pairs, theirs, column, mine, row)
                                      : strip_pairs_rank(source->pairs, mine, row, theirs, column));
}

static double score_of(const ase_move *move) {
  return move->winners == 3 ? 0.5 : move->winners == 1 ? 1 : 0;
}

/* Compares the position after a move and its passes. */
static void compare_source(const place *p, const strip_play *play, ase_move move) {
  const strip_source *source = &p->section->source[p->section->leads[p->plane][play->kind]];
  while (!move.over && ase_must_pass(&move.next)) move = ase_pass(p->rules, &move.next);
  if (move.over) {
    ck_assert_int_eq(source->way, STRIP_CONSTANT);
    ck_assert_double_eq(source->constant, score_of(&move));
    return;
  }
  game_place there;
  MUST(ase_find(p->rules, &move.next, &there));
  ck_assert_int_ne(source->way, STRIP_CONSTANT);
  ck_assert_uint_eq(source->slice, there.slice);
  ck_assert_uint_eq(cell_of(source, play->mover, lane_after(p, play)), there.index);
}

static void compare_play(opened *o, const place *p, const strip_play *play, const ase_move *move) {
  char text[GAME_TEXT_BYTES];
  toy_ase_print(p->rules, move, text);
  const ase_arrangements *theirs = p->layout->arrangements[1 - p->seat];
  const uint32_t lane = lane_after(p, play);
  o->plays++;
  o->captures += lane != p->lane;
  o->ends += move->over;
  if (memcmp(theirs->list[lane].square, move->next.square[1 - p->seat], ASE_MOST_TOKENS) != 0)
    ck_abort_msg("%s: another lane than after %s", p->rules->base.text, text);
  if ((play->kind == PLAY_AGAIN) != move->roll_again)
    ck_abort_msg("%s: who rolls after %s", p->rules->base.text, text);
  if (play->kind != PLAY_HOME) {
    ase_arrangement arrangement = {.forced = move->roll_again ? move->next.forced : 0};
    memcpy(arrangement.square, move->next.square[p->seat], sizeof arrangement.square);
    if (play->mover != find_arrangement(p->rules, p->layout->arrangements[p->seat], arrangement))
      ck_abort_msg("%s: another arrangement than after %s", p->rules->base.text, text);
  }
  compare_source(p, play, *move);
}

/* Plays of a lane are those of an empty track, but under odd rolls. */
static void compare_rolls(opened *o, const place *p) {
  const strip_section *section = p->section;
  const uint64_t fill = section->fill[p->lane];
  uint64_t all = 0;
  for (int roll = 0; roll < ASE_DIE; roll++) {
    const uint64_t odd = section->odd[fill * section->rows + p->row] >> roll & 1;
    const uint64_t *first = section->play_first + (odd * fill * section->rows + p->row) * ASE_DIE;
    ase_moves moves;
    ase_list_moves(p->rules, &p->position, roll + 1, &moves);
    ck_assert_uint_eq(first[roll + 1] - first[roll], (unsigned)moves.used);
    all += (unsigned)moves.used;
    for (int i = 0; i < moves.used; i++)
      compare_play(o, p, &section->play[first[roll] + (unsigned)i], &moves.move[i]);
  }
  ck_assert_uint_le(all, STRIP_PLAYS);
}

static void compare_position(opened *o, const ase_position *position) {
  game_place at;
  if (ase_find(o->rules, position, &at) || at.slice == GAME_NO_SLICE) return;
  const strip_tables *tables = tables_of(o, at.slice);
  place p = {.rules = o->rules, .position = *position, .seat = position->seat};
  MUST(ase_layout_of(o->rules, at.slice, &p.layout));
  p.section = &tables->section[p.layout->rolls[0] ? p.seat : 0];
  p.plane = ase_layout_plane(p.layout, position->lost[1 - p.seat], 0);
  p.row = find_arrangement(o->rules, p.layout->arrangements[p.seat], arrangement_of(position, p.seat));
  p.lane =
      find_arrangement(o->rules, p.layout->arrangements[1 - p.seat], arrangement_of(position, 1 - p.seat));
  ck_assert_int_lt(p.plane, p.section->planes);
  ck_assert_int_eq(p.section->aim, p.seat == 0 ? 1 : -1);
  ck_assert_int_eq(p.section->source[p.plane].way, STRIP_ROWS);
  ck_assert_uint_eq(cell_of(&p.section->source[p.plane], p.row, p.lane), at.index);
  compare_rolls(o, &p);
}

/* Checks the promises of every section. */
static void look_at_order(const strip_section *section) {
  uint8_t *seen = suite_zeros(section->rows, 1);
  for (uint32_t i = 0; i < section->rows; i++)
    if (section->order[i] >= section->rows || seen[section->order[i]]++) ck_abort_msg("order");
  ck_assert_int_le(section->sources, STRIP_SOURCES);
  ck_assert_uint_eq(section->stage_first[0], 0);
  for (uint32_t stage = 0; stage < section->stages; stage++) {
    const uint32_t lane = section->lane_first[section->stage_first[stage]];
    const uint32_t end = section->lane_first[section->stage_first[stage + 1]];
    ck_assert_uint_lt(lane, end);
    for (uint64_t i = (uint64_t)lane * (unsigned)section->tokens;
         i < (uint64_t)end * (unsigned)section->tokens; i++)
      if (section->square[i] ? section->sent_back[i] >= lane
                             : section->sent_back[i] != i / (unsigned)section->tokens)
        ck_abort_msg("a token sent back leads to lane %u, from a stage that begins at %u",
                     section->sent_back[i], lane);
  }
}

static void compare_rules(const char *flags, const char *board, int tokens, int positions) {
  char text[GAME_TEXT_BYTES];
  snprintf(text, sizeof text, "%s,%s", flags, board);
  opened o = {.rules = toy_ase_open(text)};
  uint64_t state = 20260101;
  for (int i = 0; i < positions; i++) {
    const ase_position position = toy_ase_position(o.rules, 2, tokens, &state);
    compare_position(&o, &position);
  }
  ck_assert_uint_gt(o.plays, (unsigned)positions);
  ck_assert_uint_gt(o.ends, 0);
  ck_assert_int_eq(o.captures > 0, !o.rules->flags.no_interaction);
  for (int i = 0; i < ASE_SLICES; i++)
    for (int k = 0; o.tables[i] && k < o.tables[i]->sections; k++) look_at_order(&o.tables[i]->section[k]);
  close_all(&o);
}

CASE(flag_sets) {
  const int positions = suite_is_long() ? 20000 : 800;
  for (int i = 0; i < toy_ase_flag_sets; i++) {
    const char *flags = toy_ase_flags[i];
    if (strstr(flags, "die-with-token")) continue;
    compare_rules(flags, TOY_ASE_BOARD_12, strstr(flags, "colours") ? 1 : 2, positions);
    if (suite_is_long()) compare_rules(flags, TOY_ASE_BOARD_7, strstr(flags, "colours") ? 1 : 3, positions);
  }
}

CASE(colours_share_squares) {
  compare_rules("colours=2", TOY_ASE_BOARD_7, 2, suite_is_long() ? 20000 : 500);
}

/* Nine turns make ten planes; and a board of nothing but plain squares. */
CASE(unusual_boards) {
  compare_rules("base",
                "board=length-9_geese-9_bridges-none_dice-none_inn-2-9_prison-4-5_well-none_labyrinth-5-to-1_"
                "death-6-to-0",
                2, 800);
  compare_rules("base",
                "board=length-9_geese-9_bridges-none_dice-none_inn-none_prison-none_well-none_labyrinth-none_"
                "death-none",
                2, 800);
}

CASE(boards_as_given) {
  compare_rules("base", "board=20", 2, suite_is_long() ? 20000 : 800);
  if (suite_is_long()) compare_rules("base", "board=63", 2, 20000);
}

/* The general engine must do these. */
CASE(not_served) {
  const char *const texts[] = {"board=20,lost-turns=die-with-token", "board=20,players=3"};
  const game_request request = {.largest = "1"};
  for (int i = 0; i < 2; i++) {
    game_rules *rules = toy_ase_open(texts[i]);
    const game_slices slices = suite_slices(&oca_asesina_game, rules, &request);
    for (size_t k = 0; k < slices.used; k++)
      if (ase_strips.serve(rules, slices.slices[k].slice)) ck_abort_msg("%s has strips", texts[i]);
  }
  game_rules *rules = toy_ase_open("board=20");
  ck_assert(!ase_strips.serve(rules, ASE_SLICES - 1));
}

static size_t allocated(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/* Sources of both sections share rows by number. */
static uint64_t count_rows(const strip_tables *tables) {
  uint64_t all = 0;
  for (int source = 0; source < STRIP_SOURCES; source++) {
    uint64_t most = 0;
    for (int i = 0; i < tables->sections; i++) {
      const strip_source *of = &tables->section[i].source[source];
      if (source >= tables->section[i].sources) continue;
      const uint64_t rows = of->way == STRIP_CONSTANT ? 1 : of->mover_first[of->mover_strips];
      if (rows > most) most = rows;
    }
    all += most;
  }
  return all;
}

/* While tables are made they take somewhat more than when they are there. */
static void compare_bytes(const char *text, const char *tokens) {
  const game_request request = {.largest = tokens};
  game_rules *rules = toy_ase_open(text);
  const game_slices slices = suite_slices(&oca_asesina_game, rules, &request);
  for (size_t i = 0; i < slices.used; i++) {
    game_rules *own = toy_ase_open(text);
    strip_tables *tables;
    uint64_t rows;
    const uint64_t planned = ase_strips.bytes(own, slices.slices[i].slice, &rows);
    const size_t before = allocated();
    MUST(ase_strips.open(own, slices.slices[i].slice, &tables));
    const size_t taken = allocated() - before;
    ck_assert_uint_le(count_rows(tables), rows);
    ck_assert_uint_ge(planned, taken);
    /* Sanitizers count nothing. */
    if (taken > 100000) ck_assert_uint_le(planned, 2 * taken);
    ase_strips.close(tables);
  }
}

CASE(planned_bytes) {
  compare_bytes("board=20", "2");
  compare_bytes(TOY_ASE_BOARD_12, "3");
  if (!suite_is_long()) return;
  compare_bytes("board=20", "3");
  compare_bytes("base", "2");
}

SUITE("asesina_strips") {
  TESTS(flag_sets, colours_share_squares, unusual_boards, boards_as_given, not_served, planned_bytes);
}
