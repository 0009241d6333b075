/* auale-largest-capture: how many seeds can one move take? */

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/auale/capture.h"
#include "analysis/claims/claim.h"

enum { SOURCE_SAYS = 15, BRUTE_SEEDS = 8, KINDS = 3 };

/* Both sides help, and every move is legal under all rule sets. */
static const char start[] = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
static const struct {
  const char *moves, *what;
} games[] = {
    {"EeDdCeEfFaBfAc", "A game from the start in which both sides help: the last move takes fifteen."},
    {"CaDbEfEcEaDeCdEeBfF", "Another such game, in which fifteen are taken by sowing a kroo of sixteen."}};

typedef struct {
  claim_base c;
  capture_records records[CAPTURE_RULES];
} findings;

/* --- figures --- */

static void add_seeds(const findings *f) {
  report_table_begin(f->c.out, "by_seeds");
  for (int n = 1; n <= f->c.limit; n++) {
    REPORT_ADD(f->c.out, fig_number(n));
    for (int k = 0; k < CAPTURE_RULES; k++)
      REPORT_ADD(f->c.out, fig_number(f->records[k].by_seeds[n].captured));
    for (int k = 0; k < CAPTURE_RULES; k++) REPORT_ADD(f->c.out, fig_number(f->records[k].open[n].captured));
  }
}

static void add_sown(const findings *f) {
  report_table_begin(f->c.out, "by_sown");
  for (int sown = 1; sown <= f->c.limit; sown++) {
    REPORT_ADD(f->c.out, fig_number(sown), fig_text(sown >= CAPTURE_KROO ? "yes" : "no"));
    for (int k = 0; k < CAPTURE_RULES; k++) {
      const capture_move *move = &f->records[k].by_sown[sown];
      REPORT_ADD(f->c.out, fig_number(move->captured), fig_if(move->captured, fig_number(move->seeds)));
    }
  }
}

/* The most that is taken, on the fewest seeds, by sowing `least` or more. */
static const capture_move *best_sown(const findings *f, int rules, int least) {
  const capture_records *records = &f->records[rules];
  const capture_move *best = &records->by_sown[least];
  for (int sown = least; sown <= f->c.limit; sown++)
    if (capture_is_better(&records->by_sown[sown], best)) best = &records->by_sown[sown];
  return best;
}

static void add_record(const findings *f, int rules, const char *sowing, const capture_move *move) {
  if (move->captured == 0) return;
  REPORT_ADD(f->c.out, fig_text(f->c.about->sets[rules].rules), fig_text(sowing), fig_number(move->captured),
             fig_number(move->seeds), fig_number(move->sown),
             fig_text(auale_board_text(move->pits, 'S').text));
}

static void add_records(const findings *f) {
  report_table_begin(f->c.out, "records");
  for (int k = 0; k < CAPTURE_RULES; k++) {
    add_record(f, k, "any", best_sown(f, k, 1));
    if (f->c.limit >= CAPTURE_KROO) add_record(f, k, "kroo", best_sown(f, k, CAPTURE_KROO));
  }
}

/* --- witnesses --- */

/* True if the move takes by the rules what the record says. */
static bool replays(const claim_tables *t, const capture_move *move, game_position *board,
                    game_move *played) {
  static const char *const names[ROW_PITS] = {"A", "B", "C", "D", "E", "F"};
  return claim_parse(t, auale_board_text(move->pits, 'S').text, board) &&
         claim_play(t, board, names[move->origin], played) && played->gain == move->captured;
}

/* The records of every number of seeds and every number sown, played by the rules. */
static uint64_t replay_records(const findings *f, int k, uint64_t *wrong) {
  const capture_records *all = &f->records[k];
  const capture_move *kinds[KINDS] = {all->by_seeds, all->by_sown, all->open};
  uint64_t played = 0;
  for (int i = 0; i < KINDS * f->c.limit; i++) {
    const capture_move *move = &kinds[i % KINDS][1 + i / KINDS];
    game_position board;
    game_move done;
    if (move->captured == 0) continue;
    played++;
    *wrong += !replays(&f->c.t[k], move, &board, &done);
  }
  return played;
}

typedef struct {
  const claim_tables *t;
  uint64_t boards;
  int most;
} brute;

static void look_at_board(void *user, const game_position *board, bool table) {
  brute *b = user;
  game_moves moves;
  (void)table;
  b->boards++;
  claim_moves(b->t, board, &moves);
  for (size_t i = 0; i < moves.used; i++)
    if (moves.moves[i].gain > b->most) b->most = moves.moves[i].gain;
  game_moves_free(&moves);
}

static void recheck_by_force(const findings *f, int k) {
  const int seeds = f->c.limit < BRUTE_SEEDS ? f->c.limit : BRUTE_SEEDS;
  uint64_t boards = 0;
  bool right = true;
  for (int n = 1; n <= seeds; n++) {
    brute b = {.t = &f->c.t[k]};
    auale_visit_boards(b.t, n, look_at_board, &b);
    right = right && b.most == f->records[k].by_seeds[n].captured && b.boards == auale_all_boards(n);
    boards += b.boards;
  }
  REPORT_RECHECK(f->c.out, "brute force", true, right, "recheck-brute-force", fig_count(boards),
                 fig_number(seeds), fig_text(right ? "the same for every number of seeds" : "another"));
}

static void show_record(const findings *f, int k) {
  const claim_tables *t = &f->c.t[k];
  const capture_move *move = best_sown(f, k, 1);
  game_position board;
  game_move done;
  uint64_t wrong = 0;
  const bool right = replays(t, move, &board, &done);
  if (f->c.out->error) return;
  const uint64_t played = replay_records(f, k, &wrong);
  CLAIM_SHOW(t, &board, "witness", fig_text(f->c.about->sets[k].rules),
             fig_text(right ? done.name : "no move"), fig_number(move->captured));
  if (right) report_add_step(f->c.out, "S", done.name, claim_print(t, &done.child).text, NULL);
  REPORT_RECHECK(f->c.out, "replay", true, right && wrong == 0, "recheck-replay", fig_count(played),
                 fig_count(wrong));
  recheck_by_force(f, k);
}

/* Plays a line from the start; what the last move takes, −1 if a move is not legal. */
static int play_game(const claim_tables *t, const char *line, report *out) {
  game_position position;
  int taken = claim_parse(t, start, &position) ? 0 : -1;
  for (const char *at = line; *at && taken >= 0; at++) {
    const char name[2] = {*at, '\0'};
    const char *turn = t->game->turn(t->rules, &position);
    game_move move;
    if (!claim_play(t, &position, name, &move)) return -1;
    taken = move.gain;
    position = move.child;
    if (out) report_add_step(out, turn, name, claim_print(t, &position).text, at[1] ? NULL : "takes fifteen");
  }
  return taken;
}

static void show_game(const findings *f, const char *line, const char *what) {
  bool right = true;
  report_witness_begin(f->c.out, what, start, NULL);
  for (int k = 0; k < CAPTURE_RULES; k++)
    right = play_game(&f->c.t[k], line, k == 0 ? f->c.out : NULL) == SOURCE_SAYS && right;
  REPORT_RECHECK(f->c.out, "replay", true, right, "recheck-replay-2",
                 fig_text(right ? "legal and the last takes fifteen" : "not what is said"));
}

/* --- the verdict --- */

/* Seeds of the smallest board with an empty pit opposite on which awari lets a move take so many. */
static int fewest_open(const findings *f, int captured) {
  int n = 1;
  while (n < f->c.limit && f->records[CAPTURE_AWARI].open[n].captured < captured) n++;
  return n;
}

static void judge(const findings *f) {
  const capture_move *most = best_sown(f, CAPTURE_ABAPA, 1), *awari = best_sown(f, CAPTURE_AWARI, 1);
  if (most->captured > SOURCE_SAYS) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails-2", fig_number(most->captured));
  } else if (f->c.limit < CAPTURE_MOST_SEEDS) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open", fig_number(f->c.limit), fig_number(most->captured));
  } else {
    const capture_move *kroo = best_sown(f, CAPTURE_ABAPA, CAPTURE_KROO);
    REPORT_VERDICT(f->c.out,
                   most->captured == SOURCE_SAYS && kroo->captured == SOURCE_SAYS ? VERDICT_HOLDS
                                                                                  : VERDICT_FAILS,
                   "verdict", fig_number(most->captured), fig_number(most->seeds), fig_number(kroo->seeds),
                   fig_number(awari->captured), fig_number(most->captured),
                   fig_number(fewest_open(f, awari->captured)), fig_number(awari->captured));
  }
}

static void examine(void *user) {
  findings *f = user;
  const bool all = f->c.limit == CAPTURE_MOST_SEEDS;
  capture_search(f->c.limit, f->records);
  add_records(f);
  add_seeds(f);
  add_sown(f);
  for (int k = 0; k < CAPTURE_RULES && f->c.limit > 2; k++) show_record(f, k);
  for (size_t i = 0; i < sizeof games / sizeof *games && all; i++)
    show_game(f, games[i].moves, games[i].what);
  if (all) REPORT_NOTE(f->c.out, "note");
  judge(f);
}

const claim_code claim_code_largest_capture = {sizeof(findings), examine, NULL};
