/* Chooses a move by tables. */
#include "analysis/uci/uci.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In slices of more than LINE_POSITIONS a probe with positions met takes too long. */
enum { LINE_POSITIONS = 10000, HUNDRED = 100 };

typedef struct {
  player *player;
  const root *root;
  const tauler_answer *table;
  bool small;          /* true if the slice is small enough for probes with positions met */
  size_t best, second; /* numbers of moves, or SIZE_MAX */
  tauler_worth best_worth, second_worth;
  bool complete; /* true if the worths of all moves are known */
} choosing;

void tables_say_trouble(const player *p, const char *trouble) {
  char line[sizeof(tauler_message) + 32];
  snprintf(line, sizeof line, "info string no tables: %s", trouble);
  if (*trouble) p->say(p->user, line);
}

static bool is_better(const tauler_worth *a, const tauler_worth *b) {
  return a->lower != b->lower ? a->lower > b->lower : a->upper > b->upper;
}

/* Probes the position after a quiet move, with the root as a position met. *out may become unknown. */
static tauler_error probe_quiet_move(const choosing *c, const tauler_move *move, tauler_worth *out) {
  char text[2 * GAME_TEXT_BYTES];
  tauler_answer *table = NULL;
  out->known = false;
  snprintf(text, sizeof text, "%s moves %s", c->table->position, move->name);
  const tauler_error error = tauler_probe(c->player->tables, text, &table, NULL);
  if (!error && table->history.worth.known) {
    const tauler_worth child = table->history.worth;
    *out = worth_between(-child.upper, -child.lower);
  }
  tauler_answer_free(table);
  return error == TAULER_NO_MEMORY ? error : TAULER_OK;
}

static bool needs_probe(const choosing *c, const tauler_move *move) {
  return c->root->past.counts && !c->table->history.given && !move->over && !move->converts;
}

static tauler_error compare_move(choosing *c, size_t i) {
  const tauler_move *move = &c->table->moves[i];
  tauler_worth worth = c->table->history.given ? move->after_line : move->worth;
  if (needs_probe(c, move)) {
    const tauler_error error = probe_quiet_move(c, move, &worth);
    if (error) return error;
  }
  c->complete = c->complete && worth.known;
  if (!worth.known) return TAULER_OK;
  if (c->best == SIZE_MAX || is_better(&worth, &c->best_worth)) {
    c->second = c->best;
    c->second_worth = c->best_worth;
    c->best = i;
    c->best_worth = worth;
  } else if (is_better(&c->best_worth, &worth) &&
             (c->second == SIZE_MAX || is_better(&worth, &c->second_worth))) {
    c->second = i;
    c->second_worth = worth;
  }
  return TAULER_OK;
}

/* True if no other move can be worth more than the best so far. */
static bool is_settled(const choosing *c) {
  const tauler_worth *worth = c->table->history.given ? &c->table->history.worth : &c->table->worth;
  return c->best != SIZE_MAX && worth_is_exact(*worth) && worth_is_exact(c->best_worth) &&
         c->best_worth.lower == worth->lower;
}

static tauler_error compare_moves(choosing *c) {
  tauler_error error = TAULER_OK;
  c->complete = true;
  for (size_t i = 0; i < c->table->moves_used && !error; i++) {
    if (!needs_probe(c, &c->table->moves[i])) error = compare_move(c, i);
  }
  if (is_settled(c) && c->root->past.counts) return error;
  for (size_t i = 0; i < c->table->moves_used && !error; i++) {
    if (!needs_probe(c, &c->table->moves[i])) continue;
    c->complete = c->complete && c->small;
    if (c->small) error = compare_move(c, i);
  }
  return error;
}

/* Sets *question to the position, with its line if that has positions met. Without a line `text` has the
 * position. Returns false if there are positions met and the slice is not small, so that a probe takes too
 * long. */
static bool choose_question(choosing *c, char text[GAME_TEXT_BYTES], const char **question) {
  const tauler_tables *tables = c->player->tables;
  const game *g = tables->game;
  const uint32_t slice = g->slice_of(tables->rules, &c->root->position);
  c->small = slice != GAME_NO_SLICE && g->positions(tables->rules, slice) <= LINE_POSITIONS;
  g->print(tables->rules, &c->root->position, text);
  *question = c->root->past.met.used ? c->root->text : text;
  return c->root->past.met.used == 0 || c->small;
}

static tauler_error report_choice(choosing *c, bool slips, player_choice *choice, tauler_message *message) {
  const bool second = slips && c->second != SIZE_MAX;
  const tauler_move *move = &c->table->moves[second ? c->second : c->best];
  const tauler_worth *worth = second ? &c->second_worth : &c->best_worth;
  const tauler_error error = root_say_table(c->root, c->player, move, worth, &choice->answer, message);
  if (error) return error;
  choice->move = strdup(move->name);
  return choice->move ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for a move");
}

tauler_error tables_choose(player *p, root *r, bool slips, player_choice *choice, bool *chosen,
                           tauler_message *message) {
  choosing c = {.player = p, .root = r, .best = SIZE_MAX, .second = SIZE_MAX};
  char text[GAME_TEXT_BYTES];
  const char *question;
  tauler_answer *table = NULL;
  *chosen = false;
  if (!choose_question(&c, text, &question)) return TAULER_OK;
  tauler_error error = tauler_probe(p->tables, question, &table, message);
  c.table = table;
  if (error && error != TAULER_NO_MEMORY) {
    if (error != TAULER_TABLE_MISSING) tables_say_trouble(p, message->text);
    error = TAULER_OK;
  } else if (!error) {
    error = compare_moves(&c);
    *chosen = !error && c.best != SIZE_MAX && (c.complete || (r->past.counts && is_settled(&c)));
    if (*chosen) error = report_choice(&c, slips, choice, message);
    if (r->past.counts && !table->history.given && worth_is_exact(table->worth))
      r->known = HUNDRED * (int)table->worth.lower;
  }
  tauler_answer_free(table);
  return error;
}
