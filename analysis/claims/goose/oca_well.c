/* oca-well: can the well stop the game? */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/claim_tables.h"
#include "analysis/claims/goose/oca_house_rules.h"
#include "analysis/probe/chance_worth.h"

enum { MOST_PLAYERS = 4, USUAL_PLAYERS = 3, PLAYER_COLUMNS = 4, RULE_COLUMNS = 4 };

static const report_column player_columns[] = {{"players", "players"},
                                               {"positions", "positions"},
                                               {"endless", "play may never end"},
                                               {"turns", "turns from the start"}};
static const report_column rule_columns[] = {{"rules", "rules"},
                                             {"positions", "positions"},
                                             {"stuck", "end out of reach"},
                                             {"steps", "most steps to it"}};

typedef struct {
  const claim_job *job;
  report *out;
  int players; /* the most whose tables were looked at */
  uint64_t endless, stuck;
} findings;

/* --- what the tables say --- */

static uint64_t endless_of(const slice_entry *entry) {
  uint64_t endless = 0;
  for (int q = 0; q < entry->quantities.used; q++) {
    const table *opened = atomic_load(&entry->tables[STREAMS_LOWER][q]);
    if (table_get_header(opened)->endless > endless) endless = table_get_header(opened)->endless;
  }
  return endless;
}

static tauler_error add_players(findings *f, claim_tables *t, uint32_t players, bool *have,
                                tauler_message *message) {
  char largest[16];
  game_position start;
  chance_values values;
  const uint32_t limit = (uint32_t)f->job->players;
  snprintf(largest, sizeof largest, "%u", players);
  tauler_error error = TAULER_OK;
  if (players <= (limit ? limit : USUAL_PLAYERS))
    error = claim_tables_need(t, &(game_request){.largest = largest}, message);
  if (!error) error = claim_tables_have(t, players, have, message);
  if (error || !*have) return error;
  const slice_entry *entry = slice_entry_of(t->tables, players, message);
  if (!entry) return TAULER_NO_MEMORY;
  const uint64_t endless = endless_of(entry);
  t->tables->game->chance->start(t->tables->rules, players, &start);
  error = chance_values_of(t->tables, &start, &values, message);
  if (error) return error;
  report_number(f->out, (int64_t)players);
  report_number(f->out, (int64_t)entry->positions);
  report_number(f->out, (int64_t)endless);
  report_bounds(f->out, values.lower[players], values.upper[players]);
  f->endless += endless;
  f->players = (int)players;
  return TAULER_OK;
}

static tauler_error ask_one_player(findings *f, claim_tables *t, tauler_message *message) {
  game_position start;
  chance_values values;
  tauler_error error = claim_tables_need(t, &(game_request){.largest = "1"}, message);
  t->tables->game->chance->start(t->tables->rules, 1, &start);
  if (!error) error = chance_values_of(t->tables, &start, &values, message);
  if (error) return error;
  report_note(f->out,
              "Somebody who plays alone has nobody to be freed by: the well ends the game with probability "
              "%.8f, after %.6f turns on average until it or 63.",
              1 - values.lower[0], values.lower[1]);
  return TAULER_OK;
}

/* --- what the rules say: a search backward from the end --- */

typedef struct {
  const claim_tables *t;
  uint32_t slice;
  uint64_t positions, counted; /* indexes, and those that stand for a position */
  size_t rolls;
  uint32_t *child; /* by position and roll, its index + 1; 0: none */
  uint8_t *ends;   /* a roll ends the game */
  uint32_t *steps; /* to the end; 0: not found */
} search;

static tauler_error add_moves(search *s, uint64_t index, const game_position *position, size_t roll,
                              size_t slot, tauler_message *message) {
  const tauler_tables *tables = s->t->tables;
  game_moves moves = {0};
  game_place to;
  tauler_error error = tables->game->chance->moves(tables->rules, position, roll, &moves);
  if (!error && moves.used != 1)
    error = tauler_fail(message, TAULER_INTERNAL, "a roll leaves a choice in the game of Oca");
  if (!error && moves.moves[0].over) {
    s->ends[index] = 1;
  } else if (!error && tables->game->locate(tables->rules, &moves.moves[0].child, &to) &&
             to.slice == s->slice) {
    s->child[index * s->rolls + slot] = (uint32_t)to.index + 1;
  } else if (!error) {
    error = tauler_fail(message, TAULER_INTERNAL, "a move leads to no position");
  }
  game_moves_free(&moves);
  return error;
}

static tauler_error read_moves(search *s, tauler_message *message) {
  const tauler_tables *tables = s->t->tables;
  tauler_error error = TAULER_OK;
  for (uint64_t index = 0; index < s->positions && !error; index++) {
    game_position position;
    uint8_t copies = 1;
    tables->game->copies(tables->rules, s->slice, index, 1, &copies);
    if (copies == 0) continue;
    s->counted++;
    tables->game->position_at(tables->rules, (game_place){s->slice, index}, &position);
    if (tables->game->chance->must_pass(tables->rules, &position)) {
      error = add_moves(s, index, &position, CHANCE_CERTAIN, 0, message);
    } else {
      for (size_t roll = 0; roll < s->rolls && !error; roll++)
        error = add_moves(s, index, &position, roll, roll, message);
    }
    if (s->ends[index]) s->steps[index] = 1;
  }
  return error;
}

/* Step n finds the positions from which the end is n rolls or passes away at least. */
static uint32_t spread(search *s, uint64_t *found) {
  uint32_t step = 1;
  *found = 0;
  for (bool more = true; more; step++) {
    more = false;
    for (uint64_t index = 0; index < s->positions; index++) {
      if (s->steps[index]) continue;
      for (size_t roll = 0; roll < s->rolls && !s->steps[index]; roll++) {
        const uint32_t child = s->child[index * s->rolls + roll];
        if (child == 0 || s->steps[child - 1] != step) continue;
        s->steps[index] = step + 1;
        more = true;
      }
    }
  }
  for (uint64_t index = 0; index < s->positions; index++) *found += s->steps[index] != 0;
  return step - 1;
}

static tauler_error search_backward(const claim_tables *t, uint32_t slice, uint64_t *positions,
                                    uint64_t *stuck, uint32_t *steps, tauler_message *message) {
  const chance_roll *rolls;
  search s = {.t = t, .slice = slice};
  s.rolls = t->tables->game->chance->rolls(t->tables->rules, &rolls);
  s.positions = t->tables->game->positions(t->tables->rules, slice);
  s.child = calloc(s.positions * s.rolls, sizeof *s.child);
  s.ends = calloc(s.positions, 1);
  s.steps = calloc(s.positions, sizeof *s.steps);
  tauler_error error = TAULER_OK;
  if (s.child && s.ends && s.steps) {
    error = read_moves(&s, message);
  } else {
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for a search backward from the end");
  }
  uint64_t found = 0;
  if (!error) *steps = spread(&s, &found);
  *positions = s.counted;
  *stuck = s.counted - found;
  free(s.child);
  free(s.ends);
  free(s.steps);
  return error;
}

static tauler_error add_rule(findings *f, const oca_house_rule *rule, tauler_message *message) {
  claim_tables t;
  uint64_t positions = 0, stuck = 0;
  uint32_t steps = 0;
  tauler_error error = claim_tables_open(f->job, "oca", rule->rules, NULL, &t, message);
  if (error) return error;
  error = search_backward(&t, 2, &positions, &stuck, &steps, message);
  claim_tables_close(&t);
  if (error) return error;
  report_text(f->out, rule->rules);
  report_number(f->out, (int64_t)positions);
  report_number(f->out, (int64_t)stuck);
  report_number(f->out, (int64_t)steps);
  f->stuck += stuck;
  return TAULER_OK;
}

static tauler_error look_at_tables(findings *f, tauler_message *message) {
  claim_tables t;
  tauler_error error = claim_tables_open(f->job, "oca", NULL, NULL, &t, message);
  if (error) return error;
  report_rules(f->out, t.tables->game->rules_text(t.tables->rules));
  report_table_begin(
      f->out, "players",
      "Tables: numbered positions, from how many of them play may go on for ever, and how many turns a "
      "game takes on average:",
      player_columns, PLAYER_COLUMNS);
  bool have = true;
  const uint32_t most = f->job->players ? (uint32_t)f->job->players : MOST_PLAYERS;
  for (uint32_t players = 2; players <= most && have && !error; players++)
    error = add_players(f, &t, players, &have, message);
  if (!error) error = ask_one_player(f, &t, message);
  if (!error) error = claim_tables_tell(&t, f->out, message);
  claim_tables_close(&t);
  return error;
}

static tauler_error look_at_rules(findings *f, tauler_message *message) {
  tauler_error error = TAULER_OK;
  report_table_begin(
      f->out, "search",
      "The rules alone, two players: positions, those from which no rolls lead to the end, and how many "
      "rolls and passes the farthest is away from it:",
      rule_columns, RULE_COLUMNS);
  for (size_t i = 0; oca_house_rules[i].rules && !error; i++)
    error = add_rule(f, &oca_house_rules[i], message);
  return error;
}

/* One waits in the well, and the other is to roll. */
static tauler_error show_well(findings *f, tauler_message *message) {
  claim_tables t;
  game_position position;
  char drawing[GAME_DRAWING_BYTES];
  const char *text = "oca:31,0/2";
  tauler_error error = claim_tables_open(f->job, "oca", NULL, NULL, &t, message);
  if (error) return error;
  error = t.tables->game->parse(t.tables->rules, text, &position, message);
  if (!error) {
    t.tables->game->draw(t.tables->rules, &position, drawing);
    report_witness_begin(f->out, "Seat 1 is in the well; seat 2 rolls on, past it or into it.", text,
                         drawing);
    report_add_recheck(
        f->out, "backward search", true, f->stuck == 0,
        "By the moves of the rules alone, read one position at a time: from every position of two players, "
        "under the rules and under each house rule, some rolls lead to the end. In finitely many positions "
        "the end then comes with probability 1.");
  }
  claim_tables_close(&t);
  return error;
}

static void judge(const findings *f) {
  static const char *const numbers[] = {"two players", "two or three players", "two to four players"};
  if (f->endless || f->stuck) {
    report_verdict(f->out, VERDICT_FAILS, "There are positions from which the end may never come.");
  } else {
    report_verdict(
        f->out, VERDICT_HOLDS,
        "No position of %s goes on for ever. At most one token is in the well at a time, for a second one "
        "frees the first; so somebody else is always free to roll, and from wherever that token stands "
        "some rolls bring it to 63. That needs no more than two players.",
        numbers[f->players - 2]);
  }
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings f = {.job = job, .out = out, .players = 2};
  tauler_error error = look_at_tables(&f, message);
  if (!error) error = look_at_rules(&f, message);
  if (!error) error = show_well(&f, message);
  if (!error) judge(&f);
  return error;
}

extern const claim_text claim_text_oca_well;
extern const claim claim_oca_well;
const claim claim_oca_well = {
    .name = "oca-well", .game = "oca", .text = &claim_text_oca_well, .options = "players", .run = run};
