/* oca-asesina-blocked: which positions of la oca asesina are paradoxical? Those in which nobody moves, and
 * those from which play need not end. */
#include <stdio.h>
#include <string.h>

#include "analysis/claims/goose/asesina_scores.h"
#include "analysis/claims/goose/asesina_stuck.h"
#include "analysis/dice/dice_random.h"

enum { BASE = 0, RULES = 8, BOARDS = 5, VARIED = 1, MADE = 4, MOST_TOKENS = 3, ROLLS = 100000 };

/* The last board is built so that neither side may ever move again: its labyrinth leads back one square. */
static const struct {
  const char *name, *flag;
} boards[BOARDS] = {{"7", "board=length-7_geese-7_bridges-none_dice-none_inn-2-1_prison-4-2_well-none_"
                          "labyrinth-5-to-1_death-6-to-0"},
                    [VARIED] = {"12", ASESINA_BOARD_12},
                    {"20", ASESINA_BOARD_20},
                    {"63", "board=63"},
                    [MADE] = {"12, labyrinth 8 to 7",
                              "board=length-12_geese-3-7-12_bridges-2-5_dice-4-9_inn-6-1_prison-10-2_"
                              "well-none_labyrinth-8-to-7_death-11-to-0"}};

static const char *const variants[RULES] = {
    [BASE] = "base",           "last-token=immune",    "last-token=no-death", "last-token=no-lost-turns",
    "last-token=no-overshoot", "last-token=no-bounce", "home=one-left",       "interaction=off"};

/* Kinds of which the first position is shown that play leads to. */
static const char *const shown_kinds[STUCK_KINDS] = {
    [STUCK_LABYRINTH] = "no move with any roll, in the labyrinth",
    [STUCK_BARRIER] = "no move with any roll, before a barrier",
    [STUCK_MIXED] = "no move with any roll, in the labyrinth and before a barrier",
    [STUCK_FORCED] = "a forced token that with some roll cannot go back",
    [STUCK_NOBODY] = "nobody ever moves again"};

typedef struct {
  char board[32];
  bool made;
  const char *rules;
  int tokens;
  uint64_t stride;
  stuck_count stored, played;
} row;

enum { MOST_ROWS = BOARDS * MOST_TOKENS + RULES };

typedef struct {
  claim_base c;
  row rows[MOST_ROWS];
  int used;
  bool shown[STUCK_KINDS];
} findings;

/* --- a witness --- */

static void show_roll(const claim_tables *t, const game_position *from, size_t roll, const char *name) {
  game_moves moves = {0};
  report_keep(t->out, t->game->chance->moves(t->rules, from, roll, &moves));
  for (size_t i = 0; i < moves.used && !t->out->error; i++) {
    const game_move *move = &moves.moves[i];
    char turn[32];
    snprintf(turn, sizeof turn, "a %s", name);
    report_add_step(t->out, turn, move->name, move->over ? NULL : claim_print(t, &move->child).text, NULL);
  }
  game_moves_free(&moves);
}

/* True if a roll, or a turn that is lost, leaves nothing but a pass, which is made. */
static bool passes(const claim_tables *t, game_position *at, dice_random *dice, size_t rolls) {
  const bool lost = t->game->chance->must_pass(t->rules, at);
  const size_t roll = lost ? CHANCE_CERTAIN : dice_random_below(dice, rolls);
  game_moves moves = {0};
  report_keep(t->out, t->game->chance->moves(t->rules, at, roll, &moves));
  const bool pass =
      !t->out->error && moves.used == 1 && !moves.moves[0].over && strcmp(moves.moves[0].name, "pass") == 0;
  if (pass) *at = moves.moves[0].child;
  game_moves_free(&moves);
  return pass;
}

static void recheck_by_play(const claim_tables *t, const game_position *from, size_t rolls) {
  game_position at = *from;
  dice_random dice = dice_random_open(ASESINA_SEED, 0);
  int rolled = 0;
  while (rolled < ROLLS && passes(t, &at, &dice, rolls)) rolled++;
  REPORT_RECHECK(t->out, "played out", true, rolled == ROLLS, "recheck-played-out", fig_number(ROLLS),
                 fig_number(rolled));
}

static void show(findings *f, const asesina_stuck *s, stuck_kind kind) {
  const claim_tables *t = s->t;
  const chance_roll *rolls;
  const size_t used = t->game->chance->rolls(t->rules, &rolls);
  const game_position position = asesina_stuck_position(s, s->shown[kind]);
  f->shown[kind] = true;
  CLAIM_SHOW(t, &position, "witness", fig_text(f->rows[f->used - 1].board), fig_text(shown_kinds[kind]));
  for (size_t roll = 0; roll < used && !t->out->error; roll++)
    show_roll(t, &position, roll, rolls[roll].name);
  if (kind == STUCK_NOBODY) recheck_by_play(t, &position, used);
}

/* --- counts --- */

static void look(findings *f, int board, int rule, int tokens) {
  claim_tables t;
  asesina_stuck s;
  if (f->c.out->error || !asesina_open_board(&t, &f->c, boards[board].flag, variants[rule])) return;
  if (asesina_stuck_open(&s, &t, tokens)) {
    row *r = &f->rows[f->used++];
    *r = (row){.made = board == MADE,
               .rules = variants[rule],
               .tokens = tokens,
               .stride = s.stride,
               .stored = s.stored,
               .played = s.played};
    if (f->c.job->board)
      snprintf(r->board, sizeof r->board, "%d", asesina_length(&t));
    else
      snprintf(r->board, sizeof r->board, "%s", boards[board].name);
    for (int kind = 0; kind < STUCK_KINDS; kind++)
      if (rule == BASE && shown_kinds[kind] && !f->shown[kind] && s.played.of[kind])
        show(f, &s, (stuck_kind)kind);
  }
  asesina_stuck_close(&s);
  claim_tables_close(&t);
}

static void look_at_all(findings *f) {
  const int used = f->c.job->board ? 1 : BOARDS;
  for (int board = 0; board < used; board++)
    for (int tokens = 1; tokens <= f->c.limit; tokens++) look(f, board, BASE, tokens);
  for (int rule = BASE + 1; rule < RULES && f->c.limit > 1; rule++) look(f, VARIED, rule, f->c.limit);
}

static void add_row(report *out, const row *r, bool played) {
  const stuck_count *count = played ? &r->played : &r->stored;
  REPORT_ADD(out, fig_text(r->board), fig_text(r->rules), fig_number(r->tokens), fig_count(count->positions));
  for (int kind = 0; kind < STUCK_KINDS; kind++)
    REPORT_ADD(out, fig_if(r->stride == 1 || kind <= STUCK_NOBODY, fig_count(count->of[kind])));
  if (!played) REPORT_ADD(out, fig_count(r->stride));
}

static void add_rows(const findings *f) {
  report_table_begin(f->c.out, "stored");
  for (int i = 0; i < f->used; i++) add_row(f->c.out, &f->rows[i], false);
  report_table_begin(f->c.out, "played");
  for (int i = 0; i < f->used; i++)
    if (f->rows[i].stride == 1) add_row(f->c.out, &f->rows[i], true);
}

/* --- the verdict --- */

/* On boards of which all positions were looked at, under the base rules. */
static stuck_count add_up(const findings *f, bool made, bool played) {
  stuck_count out = {.positions = 0};
  for (int i = 0; i < f->used; i++) {
    const row *r = &f->rows[i];
    const stuck_count *count = played ? &r->played : &r->stored;
    if (r->rules != variants[BASE] || r->made != made || r->stride > 1) continue;
    out.positions += count->positions;
    for (int kind = 0; kind < STUCK_KINDS; kind++) out.of[kind] += count->of[kind];
  }
  return out;
}

static uint64_t shut_in(const stuck_count *count) {
  return count->of[STUCK_LABYRINTH] + count->of[STUCK_BARRIER] + count->of[STUCK_MIXED];
}

static void judge(const findings *f) {
  const stuck_count stored = add_up(f, false, false), played = add_up(f, false, true),
                    made = add_up(f, true, false);
  if (shut_in(&played) + played.of[STUCK_BOTH] == 0)
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
  else if (f->c.job->board)
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "verdict-board", fig_count(shut_in(&played)),
                   fig_count(played.positions), fig_count(stored.of[STUCK_NOBODY]),
                   fig_count(stored.of[STUCK_NO_END]), fig_count(stored.of[STUCK_BOTH]));
  else
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "verdict", fig_count(shut_in(&played)),
                   fig_count(played.positions), fig_count(stored.of[STUCK_NOBODY]),
                   fig_count(stored.of[STUCK_NO_END]), fig_count(stored.of[STUCK_BOTH]),
                   fig_count(made.of[STUCK_NOBODY]), fig_count(made.of[STUCK_NO_END]));
}

static void examine(void *user) {
  findings *f = user;
  look_at_all(f);
  add_rows(f);
  if (!f->c.out->error) judge(f);
}

const claim_code claim_code_asesina_blocked = {sizeof(findings), examine, NULL};
