/* Answers questions about games of dice. */
#include <stdlib.h>

#include "analysis/probe/answer.h"
#include "analysis/probe/chance_worth.h"

static tauler_error add_quantities(const chance_quantities *quantities, const chance_values *values,
                                   own_answer *own, tauler_message *message) {
  tauler_answer *shown = &own->shown;
  const shown_quantities show = chance_show_quantities(quantities, values);
  shown->quantities = own->quantities = calloc((size_t)show.used + 1, sizeof *own->quantities);
  if (!own->quantities) return answer_no_memory(message);
  for (int i = 0; i < show.used; i++) {
    const tauler_worth worth = show.list[i].worth;
    own->quantities[i] = (tauler_quantity){text_pool_add(&own->pool, show.list[i].name), worth.known,
                                           worth.lower, worth.upper};
    if (!own->quantities[i].name) return answer_no_memory(message);
  }
  shown->quantities_used = (size_t)show.used;
  shown->seats = (size_t)show.seats;
  return TAULER_OK;
}

static tauler_error add_worth(tauler_tables *tables, const game_position *position, own_answer *own,
                              tauler_message *message) {
  tauler_answer *shown = &own->shown;
  chance_values values;
  if (shown->slice_number == GAME_NO_SLICE) return fail_beyond_tables(tables, position, message);
  const slice_entry *entry = slice_entry_of(tables, shown->slice_number, message);
  if (!entry) return TAULER_NO_MEMORY;
  const chance_quantities *quantities = &entry->quantities;
  const tauler_error error = chance_values_of(tables, position, &values, message);
  if (error && error != TAULER_TABLE_MISSING) return error;
  if (!error) {
    const chance_side side = chance_side_of(tables, quantities, position);
    shown->worth = chance_worth_from_values(quantities, side, &values);
    shown->category = chance_category(shown->worth, quantities->list[side.quantity].most, side);
    shown->outcome = shown->category;
  }
  const tauler_error added = add_quantities(quantities, &values, own, message);
  return added ? added : error;
}

/* Since realloc may move the array, rolls get their pointers after all moves are added. */
static tauler_error add_moves(tauler_tables *tables, const game_position *position, const game_moves *moves,
                              size_t *used, own_answer *own, tauler_message *message) {
  tauler_move *grown = realloc(own->moves, (*used + moves->used + 1) * sizeof *grown);
  if (!grown) return answer_no_memory(message);
  own->moves = grown;
  chance_move *ranked = malloc((moves->used + 1) * sizeof *ranked);
  if (!ranked) return answer_no_memory(message);
  const tauler_error ranking = chance_rank_moves(tables, position, moves, ranked, message);
  tauler_error error = ranking == TAULER_TABLE_MISSING ? TAULER_OK : ranking;
  for (size_t i = 0; i < moves->used && !error; i++) {
    tauler_move *to = &own->moves[*used];
    error =
        answer_set_move(tables, &moves->moves[ranked[i].ranked.order], &ranked[i].ranked, own, to, message);
    to->best = ranked[i].best;
    *used += !error;
  }
  free(ranked);
  return error ? error : ranking;
}

static tauler_error add_roll(tauler_tables *tables, const game_position *position, size_t roll,
                             const chance_roll *rolled, size_t *used, own_answer *own,
                             tauler_message *message) {
  game_moves moves = {0};
  tauler_error error = TAULER_OK;
  if (tables->game->chance->moves(tables->rules, position, roll, &moves)) error = answer_no_memory(message);
  if (!error) error = add_moves(tables, position, &moves, used, own, message);
  if (!error || error == TAULER_TABLE_MISSING) {
    tauler_roll *to = &own->rolls[own->shown.rolls_used];
    *to = (tauler_roll){text_pool_add(&own->pool, rolled->name), rolled->weight, NULL, moves.used};
    if (!to->name) error = answer_no_memory(message);
    own->shown.rolls_used++;
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error add_rolls(tauler_tables *tables, const game_position *position, own_answer *own,
                              tauler_message *message) {
  static const chance_roll pass = {"pass", 1};
  const game_chance *chance = tables->game->chance;
  const bool passes = chance->must_pass(tables->rules, position);
  const chance_roll *list;
  size_t n = chance->rolls(tables->rules, &list), used = 0;
  if (passes) n = 1;
  own->shown.rolls = own->rolls = calloc(n + 1, sizeof *own->rolls);
  if (!own->rolls) return answer_no_memory(message);
  tauler_error result = TAULER_OK;
  for (size_t i = 0; i < n; i++) {
    const tauler_error error = add_roll(tables, position, passes ? CHANCE_CERTAIN : i,
                                        passes ? &pass : &list[i], &used, own, message);
    if (error) result = error;
    if (error && error != TAULER_TABLE_MISSING) return error;
  }
  const tauler_move *at = own->moves;
  for (size_t i = 0; i < own->shown.rolls_used; i++) {
    own->rolls[i].moves = at;
    at += own->rolls[i].moves_used;
  }
  return result;
}

static tauler_error answer_rolls(tauler_tables *tables, const game_position *position, const line_past *past,
                                 own_answer *own, tauler_message *message) {
  (void)past;
  own->shown.dice = true;
  if (!own->shown.ended) {
    const tauler_error error = add_rolls(tables, position, own, message);
    if (error && error != TAULER_TABLE_MISSING) return error;
  }
  /* If the worth of the position is known, unknown moves are no error. */
  return add_worth(tables, position, own, message);
}

static void describe_quantities(const tauler_tables *tables, slice_entry *entry) {
  tables->game->chance->quantities(tables->rules, entry->slice, &entry->quantities);
}

static void name_bound(const tauler_tables *tables, const slice_entry *entry, value_stream stream,
                       char name[CHANCE_STREAM_BYTES]) {
  (void)tables;
  chance_stream_name(&entry->quantities, stream.plane, stream.kind == STREAMS_UPPER, name);
}

/* True if the slice has a table. A slice without a table may be too large to build, and laying out its index
 * may take hours or too much memory. */
static bool has_table(tauler_tables *tables, uint32_t slice) {
  const table *from;
  slice_entry *entry = slice == GAME_NO_SLICE ? NULL : slice_entry_of(tables, slice, NULL);
  return entry && !slice_table(tables, entry, STREAMS_LOWER, 0, &from, NULL);
}

const answering answers_of_dice = {.dice = true,
                                   .cell = TABLE_F64,
                                   .describe = describe_quantities,
                                   .name_stream = name_bound,
                                   .numbers = has_table,
                                   .worth_at = chance_worth_at,
                                   .worth_of = chance_worth_of,
                                   .answer = answer_rolls};
