/* oca-well: can the well stop the game? */
#include <stdlib.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/goose/oca_house_rules.h"

enum { LEAST_PLAYERS = 2, MOST_PLAYERS = 4, USUAL_PLAYERS = 3 };

typedef struct {
  claim_base c;
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

static void add_players(findings *f, int players) {
  claim_tables *t = f->c.t;
  const slice_entry *entry = slice_entry_of(t->tables, (uint32_t)players, &t->out->message);
  if (!entry) {
    report_keep(t->out, TAULER_NO_MEMORY);
    return;
  }
  const uint64_t endless = endless_of(entry);
  const chance_values values = oca_from_start(t, players);
  REPORT_ADD(t->out, fig_number(players), fig_count(entry->positions), fig_count(endless),
             fig_bounds(values.lower[players], values.upper[players]));
  f->endless += endless;
  f->players = players;
}

/* Without a limit, tables of more than USUAL_PLAYERS are looked at if they are there. */
static void look_at_tables(findings *f) {
  claim_tables *t = f->c.t;
  const int most = f->c.limited ? f->c.limit : MOST_PLAYERS;
  report_table_begin(f->c.out, "players");
  for (int players = LEAST_PLAYERS; players <= most; players++) {
    if (players <= f->c.limit) claim_tables_need_up_to(t, players);
    if (!claim_tables_have(t, (uint32_t)players)) break;
    add_players(f, players);
  }
  if (!claim_tables_need_up_to(t, 1)) return;
  const chance_values alone = oca_from_start(t, 1);
  REPORT_NOTE(f->c.out, "note", fig_mean(1 - alone.lower[0], 8), fig_mean(alone.lower[1], 6));
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

static void add_moves(search *s, uint64_t index, const game_position *position, size_t roll, size_t slot) {
  const claim_tables *t = s->t;
  game_moves moves = {0};
  game_place to;
  if (REPORT_CATCH(t->out, t->game->chance->moves(t->rules, position, roll, &moves))) return;
  if (moves.used != 1) {
    report_fail(t->out, TAULER_INTERNAL, "a roll leaves a choice in the game of Oca");
  } else if (moves.moves[0].over) {
    s->ends[index] = 1;
  } else if (t->game->locate(t->rules, &moves.moves[0].child, &to) && to.slice == s->slice) {
    s->child[index * s->rolls + slot] = (uint32_t)to.index + 1;
  } else {
    report_fail(t->out, TAULER_INTERNAL, "a move leads to no position");
  }
  game_moves_free(&moves);
}

static void read_moves(search *s) {
  const claim_tables *t = s->t;
  for (uint64_t index = 0; index < s->positions && !t->out->error; index++) {
    uint8_t copies = 1;
    t->game->copies(t->rules, s->slice, index, 1, &copies);
    if (copies == 0) continue;
    s->counted++;
    const game_position position = claim_position_at(t, (game_place){s->slice, index});
    const bool passes = t->game->chance->must_pass(t->rules, &position);
    for (size_t roll = 0; roll < (passes ? 1 : s->rolls); roll++)
      add_moves(s, index, &position, passes ? CHANCE_CERTAIN : roll, roll);
    if (s->ends[index]) s->steps[index] = 1;
  }
}

/* Step n finds the positions from which the end is n rolls or passes away at least. */
static uint32_t expand(search *s, uint64_t *found) {
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

static void search_backward(findings *f, const claim_tables *t, const char *rules) {
  const chance_roll *rolls;
  search s = {.t = t, .slice = LEAST_PLAYERS, .rolls = t->game->chance->rolls(t->rules, &rolls)};
  s.positions = t->game->positions(t->rules, s.slice);
  s.child = report_calloc(t->out, s.positions * s.rolls, sizeof *s.child);
  s.ends = report_calloc(t->out, s.positions, 1);
  s.steps = report_calloc(t->out, s.positions, sizeof *s.steps);
  if (!t->out->error) {
    uint64_t found = 0;
    read_moves(&s);
    const uint32_t steps = expand(&s, &found);
    const uint64_t stuck = s.counted - found;
    REPORT_ADD(t->out, fig_text(rules), fig_count(s.counted), fig_count(stuck), fig_number(steps));
    f->stuck += stuck;
  }
  free(s.child);
  free(s.ends);
  free(s.steps);
}

/* One waits in the well, and the other is to roll. */
static void show_well(const findings *f) {
  game_position position;
  if (!claim_parse(f->c.t, "oca:31,0/2", &position)) return;
  CLAIM_SHOW(f->c.t, &position, "witness");
  REPORT_RECHECK(f->c.out, "backward search", true, f->stuck == 0, "recheck-backward-search");
}

static void judge(const findings *f) {
  static const char *const numbers[] = {"two players", "two or three players", "two to four players"};
  if (f->endless || f->stuck) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails");
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS, "holds", fig_text(numbers[f->players - 2]));
  }
}

static void examine(void *user) {
  findings *f = user;
  f->players = LEAST_PLAYERS;
  look_at_tables(f);
  report_table_begin(f->c.out, "search");
  for (size_t i = 0; oca_house_rules[i].rules; i++) {
    const char *rules = oca_house_rules[i].rules;
    claim_tables t;
    if (!claim_tables_open(&t, f->c.job, f->c.out, "oca", rules, NULL)) return;
    search_backward(f, &t, rules);
    claim_tables_close(&t);
  }
  show_well(f);
  judge(f);
}

const claim_code claim_code_oca_well = {sizeof(findings), examine, NULL};
