/* Prints the figures asesina-course and asesina-course-played, of best play by tables, and
 * asesina-course-learned, of games with two, three and four tokens that a learned network plays. */
#include "analysis/claims/figures.h"
#include "analysis/claims/goose/asesina_course.h"
#include "analysis/learn/learn.h"

enum { LEAST_TOKENS = 2, GAMES = 10000, LESSONS = 1500 };

static const struct {
  const char *name;
  int first, used;
} groups[] = {{"captures", COURSE_CAPTURES, COURSE_PHASES},
              {"rolls", COURSE_ROLLS, COURSE_TOKENS},
              {"long", COURSE_LONG, COURSE_REACHED - COURSE_LONG},
              {"reached", COURSE_REACHED, COURSE_PAIRS},
              {"behind", COURSE_BEHIND, COURSE_PAIRS},
              {"left", COURSE_LEFT, COURSE_TOKENS + 1},
              {"even", COURSE_EVEN, 1},
              {"open", COURSE_OPEN, 1}};

static void print_group(json_writer *json, const char *name, const course_ratio *ratios, int used) {
  json_field_array(json, name);
  for (int i = 0; i < used; i++) {
    const course_ratio *of = &ratios[i];
    json_array(json, JSON_NUMBER(NULL, course_mean(of)), JSON_NUMBER(NULL, course_standard_error(of)),
               JSON_NUMBER(NULL, of->bottom));
  }
  json_end_array(json);
}

static void print_course(json_writer *json, const asesina_course *course) {
  json_field_integer(json, "tokens", course->tokens);
  json_field_unsigned(json, "games", course->games);
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    print_group(json, groups[i].name, &course->of[groups[i].first], groups[i].used);
}

static void print_best_play(claim_tables *t, json_writer *json, uint64_t games) {
  const int tokens = t->job->tokens ? t->job->tokens : LEAST_TOKENS;
  asesina_table at;
  asesina_course found = {.tokens = tokens};
  if (asesina_table_open(&at, t, tokens)) {
    if (games)
      asesina_course_of_best(&at, tokens, games, &found);
    else
      asesina_course_exact(&at, tokens, &found);
  }
  asesina_table_close(&at);
  print_course(json, &found);
}

void figures_asesina_course(claim_tables *t, json_writer *json) {
  print_best_play(t, json, 0);
}

void figures_asesina_course_played(claim_tables *t, json_writer *json) {
  print_best_play(t, json, ASESINA_GAMES);
}

static const learn_settings lessons = {
    .seed = ASESINA_SEED, .games = LESSONS, .lambda = 0.7, .rate = 0.002, .tried = 0.02, .hidden = 40};

static void train_network(const asesina_table *at, learned *out) {
  const claim_tables *t = at->t;
  const learn_field field = {t->game, t->rules, at->slices.slices[at->slices.used - 1].slice, NULL};
  self_play *games = NULL;
  claim_error *r = t->kept;
  CLAIM_CATCH(r, learned_open(t->game, &lessons, out, &r->message));
  CLAIM_CATCH(r, self_play_open(out, &field, 1, &games, &r->message));
  while (!r->error && out->played < lessons.games) CLAIM_CATCH(r, self_play_game(games, &r->message));
  self_play_close(games);
}

static void print_learned(claim_tables *t, const learned_player *player, json_writer *json) {
  const simulate_policy policy = learned_player_policy(player);
  const course_play play = {&policy, GAMES, t->tables, true};
  for (int tokens = LEAST_TOKENS; tokens <= COURSE_TOKENS && !t->kept->error; tokens++) {
    asesina_table at;
    asesina_course found = {.tokens = tokens};
    if (asesina_table_open(&at, t, tokens)) asesina_course_played(&at, tokens, &play, &found);
    asesina_table_close(&at);
    json_begin_object(json);
    print_course(json, &found);
    json_end_object(json);
  }
}

void figures_asesina_course_learned(claim_tables *t, json_writer *json) {
  asesina_table at;
  learned_player player = {.sketch = NULL};
  claim_error *out = t->kept;
  json_field_array(json, "courses");
  if (asesina_table_open(&at, t, COURSE_TOKENS)) {
    train_network(&at, &player.learned);
    CLAIM_CATCH(out, t->game->chance->features->open(t->rules, &player.sketch, &out->message));
    player.judge = (afterstate_judge){
        .game = t->game, .rules = t->rules, .sketch = player.sketch, .net = &player.learned.net};
    print_learned(t, &player, json);
    learned_player_close(&player);
  }
  asesina_table_close(&at);
  json_end_array(json);
}
