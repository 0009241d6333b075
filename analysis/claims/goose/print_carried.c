/* Prints the figures asesina-carried: scores, on each board of la oca asesina against best play, of players
 * that judge positions by tables of other boards of the same length. */
#include "analysis/claims/figures.h"
#include "analysis/claims/goose/asesina_scores.h"

enum { LEAST_TOKENS = 2 };

/* Returns a player by the tables of board `from`; if that is `board`, by those of all other boards. */
static match_best open_pupil(const claim_tables *t, int boards, int board, int from) {
  const int first = from != board ? from : board == 0 ? 1 : 0;
  match_best out;
  match_best_open(&out, t[first].tables);
  for (int other = first + 1; other < boards && from == board; other++)
    if (other != board) match_best_add(&out, t[other].tables);
  return out;
}

static void print_match(const asesina_table *at, json_writer *json, match_best *first, match_best *second) {
  const claim_tables *t = at->t;
  match_result found = {.lower = {0}};
  const match_job match = {.game = t->game,
                           .rules = t->rules,
                           .slices = &at->slices,
                           .raises = match_policy_best(first),
                           .lowers = match_policy_best(second),
                           .width = at->width,
                           .threads = t->job->threads,
                           .memory = t->job->memory};
  CLAIM_CATCH(t->kept, match_solve(&match, &found, &t->kept->message));
  json_fields(json, JSON_RANGE(NULL, found.lower[POLICY_SCORE], found.upper[POLICY_SCORE]));
}

static void print_played(const asesina_table *at, json_writer *json, match_best *first, match_best *second,
                         uint64_t seed) {
  const asesina_estimate found = asesina_play_games(at, asesina_start_position(at), match_policy_best(first),
                                                    match_policy_best(second), ASESINA_GAMES / 2, seed);
  json_fields(json, JSON_RANGE(NULL, found.mean, found.error));
}

static void print_pupil(const asesina_table *at, json_writer *json, match_best *pupil, match_best *best,
                        bool played) {
  json_begin_object(json);
  json_field_array(json, "solved");
  print_match(at, json, pupil, best);
  print_match(at, json, best, pupil);
  json_end_array(json);
  json_field_array(json, "played");
  if (played) {
    print_played(at, json, pupil, best, ASESINA_SEED);
    print_played(at, json, best, pupil, ASESINA_SEED + 1);
  }
  json_end_array(json);
  json_end_object(json);
}

static void print_board(claim_tables *t, int boards, json_writer *json, int board, int tokens) {
  asesina_table at;
  json_begin_array(json);
  if (asesina_table_open(&at, &t[board], tokens)) {
    for (int from = 0; from < boards; from++) {
      match_best best, pupil = open_pupil(t, boards, board, from);
      match_best_open(&best, t[board].tables);
      print_pupil(&at, json, &pupil, &best, board == 0 && from == 1);
    }
  }
  asesina_table_close(&at);
  json_end_array(json);
}

void figures_asesina_carried(claim_tables *t, json_writer *json) {
  const int tokens = t->job->tokens ? t->job->tokens : LEAST_TOKENS;
  claim_tables of[FIGURES_MOST_RULES];
  int opened = 0;
  while (opened < t->job->more_used &&
         claim_tables_open(&of[opened], t->job, t->kept, "oca-asesina", t->job->more[opened], NULL))
    opened++;
  json_field_array(json, "boards");
  for (int board = 0; board < opened && !t->kept->error; board++)
    print_board(of, opened, json, board, tokens);
  json_end_array(json);
  while (opened > 0) claim_tables_close(&of[--opened]);
}
