/* The members of aualé for game.h: help texts, rule sets (awari, awari,grand-slam=captures, abapa) and
 * slices. A slice is all boards with n seeds whose opponent's row has an empty pit. Its number is n. */
#include "games/registry.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "games/auale/notations.h"
#include "indexers/row_pair.h"

enum { GRAND_SLAM, FLAGS };
enum { AWARI, ABAPA, SETS };

static const rule_flag flags[FLAGS] = {
    [GRAND_SLAM] = {"grand-slam", {[GRAND_SLAM_CAPTURES] = "captures"}, 0}};
static const rule_set sets[SETS] = {
    [AWARI] = {.name = "awari"}, [ABAPA] = {"abapa", {[GRAND_SLAM] = GRAND_SLAM_KEEPS}}};
static const rule_flags known = {
    .game = "aualé", .sets = sets, .n_sets = SETS, .flags = flags, .n_flags = FLAGS};

static const char *const cycle_rules[] = {[CYCLES_EVEN] = "even",
                                          [CYCLES_FORCED] = "forced",
                                          [CYCLES_OWN_ROW] = "own-row",
                                          [CYCLES_OWN_ROW_ANY] = "own-row-any"};

static tauler_error read_cycles(const char *cycles, size_t set, auale_cycles *out, tauler_message *message) {
  *out = set == ABAPA ? CYCLES_FORCED : CYCLES_EVEN;
  if (!cycles) return TAULER_OK;
  for (size_t i = 0; i < sizeof cycle_rules / sizeof *cycle_rules; i++) {
    if (strcmp(cycles, cycle_rules[i]) != 0) continue;
    *out = (auale_cycles)i;
    return TAULER_OK;
  }
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "there is no cycle rule '%.60s' in aualé: choose even, forced, own-row or own-row-any",
                     cycles);
}

static tauler_error open_rules(const char *name, const char *cycles, game_rules **out,
                               tauler_message *message) {
  rule_choice choice;
  auale_cycles chosen;
  *out = NULL;
  tauler_error error = rule_flags_read(&known, name, &choice, message);
  if (!error && choice.set == ABAPA && choice.given[GRAND_SLAM])
    error = tauler_fail(message, TAULER_BAD_USAGE,
                        "grand-slam=captures contradicts abapa, where a grand slam captures nothing");
  if (!error) error = read_cycles(cycles, choice.set, &chosen, message);
  if (!error) error = game_base_make(&auale_game, &known, &choice, sizeof **out, out, message);
  if (error) return error;
  (*out)->grand_slam = (auale_grand_slam)choice.value[GRAND_SLAM];
  (*out)->cycles = chosen;
  return TAULER_OK;
}

static solve_kind find_kind(const game_rules *rules) {
  return rules->cycles == CYCLES_EVEN ? SOLVE_SCORES : SOLVE_GUARANTEES;
}
static const char *cycles_text(const game_rules *rules) {
  return cycle_rules[rules->cycles];
}

static const char *fallback_cycles(const game_rules *rules) {
  return rules->cycles == CYCLES_OWN_ROW_ANY ? cycle_rules[CYCLES_OWN_ROW] : NULL;
}

static uint64_t count_positions(const game_rules *rules, uint32_t slice) {
  return slice <= AUALE_MAX_SEEDS ? row_pair_count(slice) : 0;
}

static int largest_value(const game_rules *rules, uint32_t slice) {
  return (int)slice;
}

static void slice_name(const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  snprintf(name, GAME_TEXT_BYTES, "%u", slice);
}

static bool slice_named(const game_rules *rules, const char *name, uint32_t *slice) {
  uint64_t seeds;
  if (!text_read_unsigned(name, 0, AUALE_MAX_SEEDS, &seeds) || (*name == '0' && name[1])) return false;
  *slice = (uint32_t)seeds;
  return true;
}

static tauler_error list_slices(const game_rules *rules, const game_request *request, game_slices *out,
                                tauler_message *message) {
  *out = (game_slices){0};
  uint64_t seeds;
  if (!request->largest || !text_read_unsigned(request->largest, 0, AUALE_MAX_SEEDS, &seeds)) {
    return tauler_fail(message, TAULER_BAD_USAGE, "aualé needs --seeds N with N from 0 to %d%s%.40s",
                       AUALE_MAX_SEEDS, request->largest ? ", not " : "",
                       request->largest ? request->largest : "");
  }
  tauler_error error = TAULER_OK;
  for (uint32_t n = 0; n <= seeds && !error; n++)
    error = game_slices_add(out, (game_slice){n, true, count_positions(rules, n)}, message);
  return error;
}

/* If a repetition ends play, each side gets its own row, so the value follows from the seeds in the mover's
 * row, by which indexes are grouped. */
static bool find_repeated_values(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                                 int8_t *value) {
  row_pair_groups groups;
  if (rules->cycles != CYCLES_OWN_ROW && rules->cycles != CYCLES_OWN_ROW_ANY) return false;
  row_pair_lay_out(slice, &groups);
  unsigned own = 0;
  for (size_t i = 0; i < count; i++) {
    while (first + i >= groups.first[own + 1]) own++;
    value[i] = (int8_t)(2 * (int)own - (int)slice);
  }
  return true;
}

/* Returns the first index for which auale_is_left_out is false. It is true for all boards before, since
 * indexes are grouped by the seeds in the mover's row. */
static uint64_t first_stored_index(unsigned seeds) {
  return row_pair_group(seeds, (seeds + 1) / 2);
}

static void find_left_out(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                          uint8_t *out) {
  const uint64_t stored_from = first_stored_index(slice);
  for (size_t i = 0; i < count; i++) out[i] = first + i < stored_from;
}

static game_lookup choose_lookup(const game_rules *rules, game_place place) {
  return place.index < first_stored_index(place.slice) ? LOOKUP_ALL : LOOKUP_CONVERTING;
}

static tauler_error list_moves(const game_rules *rules, const game_position *game, game_moves *out) {
  const auale_position position = auale_from_game(game);
  const auale_board board = auale_board_of(&position);
  const unsigned legal = auale_legal_pits(rules->grand_slam, &board);
  for (int pit = 0; pit < ROW_PITS; pit++) {
    if (!(legal >> pit & 1)) continue;
    const char name[2] = {auale_pit_letter(&position, pit), '\0'};
    game_move move = {.name = name};
    const auale_position child = auale_position_after(rules, &position, pit, &move.gain);
    move.converts = move.gain > 0;
    auale_to_game(&child, &move.child);
    const tauler_error error = game_moves_add(out, &move);
    if (error) return error;
  }
  return TAULER_OK;
}

static uint64_t count_board_leaves(auale_grand_slam rule, const auale_board *board, int plies, bool made) {
  if (plies == 0) return 1;
  auale_board child[ROW_PITS];
  int captured[ROW_PITS];
  const unsigned legal = auale_play_all(rule, board, child, captured);
  if (plies == 1 && !made) return (uint64_t)__builtin_popcount(legal);
  uint64_t n = 0;
  for (unsigned rest = legal; rest; rest &= rest - 1)
    n += count_board_leaves(rule, &child[__builtin_ctz(rest)], plies - 1, made);
  return n;
}

static uint64_t count_leaves(const game_rules *rules, const game_position *position, int plies, bool made) {
  const auale_board board = auale_board_of_game(position);
  return count_board_leaves(rules->grand_slam, &board, plies, made);
}

static bool position_ended(const game_rules *rules, const game_position *game, int *value) {
  const auale_board board = auale_board_of_game(game);
  if (auale_legal_pits(rules->grand_slam, &board)) return false;
  *value = auale_end_value(&board);
  return true;
}

static uint32_t slice_of(const game_rules *rules, const game_position *game) {
  const auale_board board = auale_board_of_game(game);
  return auale_seeds(&board);
}

static bool find_place(const game_rules *rules, const game_position *game, game_place *out) {
  const auale_board board = auale_board_of_game(game);
  if (!row_is_open(board.pits + ROW_PITS)) return false;
  *out = (game_place){auale_seeds(&board), row_pair_rank(board.pits + ROW_PITS, board.pits)};
  return true;
}

static size_t write_numbers(const game_rules *rules, const game_position *game, int8_t *out) {
  const auale_board board = auale_board_of_game(game);
  if (out) memcpy(out, board.pits, AUALE_PITS);
  return AUALE_PITS;
}

static void position_at(const game_rules *rules, game_place place, game_position *out) {
  auale_board board = {{0}};
  row_pair_unrank(place.slice, place.index, board.pits + ROW_PITS, board.pits);
  auale_board_to_game(&board, out);
}

/* Returns the number of boards whose opponent's row is full, so that no move leads to them. If one
 * seed is removed from each pit of that row, they are all boards with six seeds less. */
static uint64_t count_outside(const game_rules *rules, uint32_t slice) {
  return binomial(slice + 5, 11);
}

static void find_outside_board(const game_rules *rules, uint32_t slice, uint64_t i, game_position *out) {
  const unsigned seeds = slice - ROW_PITS;
  unsigned own = 0;
  for (;; own++) {
    const uint64_t group = row_count(own) * row_count(seeds - own);
    if (i < group) break;
    i -= group;
  }
  auale_board board;
  row_unrank(own, i / row_count(seeds - own), board.pits);
  row_unrank(seeds - own, i % row_count(seeds - own), board.pits + ROW_PITS);
  for (int pit = ROW_PITS; pit < AUALE_PITS; pit++) board.pits[pit]++;
  auale_board_to_game(&board, out);
}

static bool find_final_captures(const game_rules *rules, const game_position *game, double value,
                                double out[2]) {
  const auale_position position = auale_from_game(game);
  if (!position.has_stores) return false;
  const double seeds = slice_of(rules, game);
  out[position.side] = position.stores[position.side] + (seeds + value) / 2;
  out[!position.side] = position.stores[!position.side] + (seeds - value) / 2;
  return true;
}

static const game_side sides[GAME_SIDES] = {{"S", "South"}, {"N", "North"}};

const game auale_game = {
    .name = "auale",
    .other_names = "oware awari awale awele wari",
    .title = "Aualé (oware), up to 48 seeds",
    .rule_sets = "awari: no grand slam while another move feeds; as solved by Romein & Bal (default)\n"
                 "awari,grand-slam=captures: a grand slam is legal and takes everything\n"
                 "abapa: a grand slam is legal and takes nothing (tournament rules)\n"
                 "--cycles even: infinite play counts 0 (default with awari)\n"
                 "--cycles forced: what each side can force by finite play (default with abapa)\n"
                 "--cycles own-row: what each can force right after a capture if a board that\n"
                 "comes back ends play and each side takes its own row; after a line of moves\n"
                 "probe also says what the boards met on it leave\n"
                 "--cycles own-row-any: what each can force then, whatever boards were met before",
    .notation = "pits A-F, a-f, South's store, North's store, side to move (S or N), joined by dashes;\n"
                "48 seeds at most, stores included.\n"
                "OpenSpiel's \"0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4\" and its drawing, the FEN of\n"
                "PlayStrategy, \"4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1\", and twelve bare\n"
                "numbers (the mover's pits first) are read as well. A move is its pit's letter, or\n"
                "PlayStrategy's squares, d1 or d1e2; a line of moves follows the word moves:\n"
                "\"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves FfBe\".",
    .example = "0-0-1-0-2-1-1-0-0-3-0-1-20-19-S",
    .unit = "boards",
    .size_option = "seeds",
    .slice_unit = "seeds",
    .sides = sides,
    .start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
    .record = &auale_record,
    .notations = auale_notations,
    .book = &auale_book,
    .size_help = "all slices of 0 to N seeds, N up to 48",
    .leaves = count_leaves,
    .open = open_rules,
    GAME_RULES,
    .kind = find_kind,
    .cycles_text = cycles_text,
    .fallback_cycles = fallback_cycles,
    .slices = list_slices,
    .slice_name = slice_name,
    .slice_named = slice_named,
    .positions = count_positions,
    .largest_value = largest_value,
    .ended = auale_ended,
    .expand = auale_expand,
    .retract = auale_retract,
    .repeated = find_repeated_values,
    .grid = &auale_grid,
    .play = &auale_play_members,
    .proof = &auale_proof,
    .left_out = find_left_out,
    .lookup = choose_lookup,
    .classes = &auale_classes,
    .parse_line = auale_parse_line,
    .parse = auale_parse,
    .print = auale_print,
    .draw = auale_draw,
    .turn = game_base_turn,
    .moves = list_moves,
    .position_ended = position_ended,
    .slice_of = slice_of,
    .locate = find_place,
    .position_at = position_at,
    .numbers = write_numbers,
    .outside = count_outside,
    .outside_at = find_outside_board,
    .expand_outside = auale_expand_outside,
    .final = find_final_captures,
};
