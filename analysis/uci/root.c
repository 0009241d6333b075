/* Reads the position that a player thinks about, and reports results as lines of the protocol. */
#include "analysis/uci/uci.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "games/game_record.h"

enum { HUNDRED = 100, MILLI = 1000, MOST_SHOWN = 24, MOST_NAMED = 1 << 16 };

tauler_error root_open(root *r, const tauler_tables *tables, const char *text, tauler_message *message) {
  int value;
  *r = (root){.text = text, .began = clock_wall(), .known = LOOK_INFINITE, .moves = {.most = MOST_NAMED}};
  tauler_error error = line_past_read(tables->game, tables->rules, text, &r->position, &r->past, message);
  if (error) return error;
  r->over = r->past.over || tables->game->position_ended(tables->rules, &r->position, &value);
  r->lead = (int)position_lead(tables, &r->position);
  if (r->over) return TAULER_OK;
  error = tables->game->moves(tables->rules, &r->position, &r->moves);
  if (error && r->moves.used == MOST_NAMED) error = TAULER_OK; /* The first MOST_NAMED moves suffice. */
  return error ? tauler_fail(message, error, "no memory for the moves of a position") : TAULER_OK;
}

void root_close(root *r) {
  line_past_free(&r->past);
  game_moves_free(&r->moves);
}

static void write_score(FILE *line, const root *r, const player *p, int value) {
  if (p->tables->kind != SOLVE_OUTCOMES) {
    fprintf(line, "score cp %d", value + HUNDRED * r->lead);
  } else if (value >= LOOK_WIN - LOOK_MOST_PLIES || value <= LOOK_MOST_PLIES - LOOK_WIN) {
    const int plies = LOOK_WIN - abs(value), moves = (plies + 1) / 2;
    fprintf(line, "score mate %d", value > 0 ? moves : -moves);
  } else {
    fprintf(line, "score cp %d", value);
  }
}

static void write_move(FILE *line, const player *p, size_t number, const char *name) {
  const game_record *record = p->tables->game->record;
  fprintf(line, "%s%s", number > 0 && !(record && record->letters) ? " " : "", name);
}

static void write_figures(FILE *line, const root *r, const root_found *found) {
  const double seconds = clock_wall() - r->began;
  fprintf(line, "info depth %d time %.0f nodes %llu", found->depth, seconds * MILLI,
          (unsigned long long)found->nodes);
  if (seconds > 0) fprintf(line, " nps %.0f", (double)found->nodes / seconds);
  fprintf(line, " tbhits %llu ", (unsigned long long)found->probes);
}

static void say_line(const player *p, FILE *line, char **text) {
  if (fclose(line) == 0) p->say(p->user, *text);
  free(*text);
}

/* True if an entry names the best move of a position; then lists the moves, which the caller frees, and sets
 * *move to its number. */
static bool find_best_seen(const player *p, const game_position *position, game_moves *moves, size_t *move) {
  const states s = states_of(p->tables->game, p->tables->rules, position);
  uint64_t state[GAME_PLAY_MOST_WORDS];
  seen_position known;
  game_play_list list = {.words = s.words};
  states_read(&s, position, state);
  if (!seen_find(p->seen, states_hash(s.words, state), &known)) return false;
  bool found = false;
  if (!states_add_moves(&s, state, &list) && known.best < list.used &&
      !p->tables->game->moves(p->tables->rules, position, moves)) {
    const game_play_move *wanted = &list.moves[known.best];
    uint64_t *after = list.states + known.best * s.words;
    for (size_t i = 0; i < moves->used && !found; i++) {
      const game_move *named = &moves->moves[i];
      if (named->over != wanted->over) continue;
      if (!named->over) states_read(&s, &named->child, state);
      found = named->over ? named->gain == wanted->gain : memcmp(state, after, s.words * sizeof *state) == 0;
      *move = i;
    }
  }
  game_play_list_free(&list);
  return found;
}

void root_say(const root *r, const player *p, const root_found *found, char **answer) {
  char *text = NULL;
  size_t bytes;
  FILE *line = open_memstream(&text, &bytes);
  if (!line) return;
  const game_move *move = &r->moves.moves[found->best];
  game_position position = move->child;
  bool over = move->over;
  write_figures(line, r, found);
  write_score(line, r, p, found->value);
  fputs(" pv ", line);
  write_move(line, p, 0, move->name);
  for (int n = 1; n < found->depth && n < MOST_SHOWN && !over; n++) {
    game_moves moves = {.most = MOST_NAMED};
    size_t best;
    over = !find_best_seen(p, &position, &moves, &best);
    if (!over) {
      write_move(line, p, (size_t)n, moves.moves[best].name);
      if (n == 1 && answer) *answer = strdup(moves.moves[best].name);
      over = moves.moves[best].over;
      position = moves.moves[best].child;
    }
    game_moves_free(&moves);
  }
  say_line(p, line, &text);
}

static int value_in_search_units(const player *p, const tauler_worth *worth) {
  if (p->tables->kind != SOLVE_OUTCOMES) return (int)(HUNDRED * worth->lower);
  const int plies = worth->depth_lower == TAULER_NO_DEPTH ? LOOK_WIN - LOOK_TABLE_WIN : worth->depth_lower;
  return worth->lower > 0 ? LOOK_WIN - plies : worth->lower < 0 ? plies - LOOK_WIN : 0;
}

/* Writes best play by tables after a move, until a position repeats, MOST_SHOWN moves in all at most. *answer
 * becomes the name of its first move, if it has one. */
static tauler_error write_best_play(FILE *line, const player *p, const tauler_move *move, char **answer) {
  char met[MOST_SHOWN][GAME_TEXT_BYTES];
  bool over = move->over;
  snprintf(met[0], GAME_TEXT_BYTES, "%s", move->position);
  for (size_t n = 1; n < MOST_SHOWN && !over; n++) {
    tauler_answer *table = NULL;
    const tauler_error error = tauler_probe(p->tables, met[n - 1], &table, NULL);
    if (error == TAULER_NO_MEMORY) return error;
    over = error || table->moves_used == 0;
    if (!over) {
      write_move(line, p, n, table->moves[0].name);
      if (n == 1) *answer = strdup(table->moves[0].name);
      snprintf(met[n], GAME_TEXT_BYTES, "%s", table->moves[0].position);
      over = table->moves[0].over;
    }
    for (size_t i = 0; i < n && !over; i++) over = strcmp(met[i], met[n]) == 0;
    tauler_answer_free(table);
  }
  return TAULER_OK;
}

tauler_error root_say_table(const root *r, const player *p, const tauler_move *move,
                            const tauler_worth *worth, char **answer, tauler_message *message) {
  const root_found found = {.depth = 1, .probes = r->moves.used};
  char *text = NULL;
  size_t bytes;
  FILE *line = open_memstream(&text, &bytes);
  if (!line) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a line of the protocol");
  write_figures(line, r, &found);
  write_score(line, r, p, value_in_search_units(p, worth));
  fputs(" pv ", line);
  write_move(line, p, 0, move->name);
  const tauler_error error = move->repeats ? TAULER_OK : write_best_play(line, p, move, answer);
  say_line(p, line, &text);
  return error ? tauler_fail(message, error, "no memory for a line of best play") : TAULER_OK;
}
