/* Makes the courses of la oca asesina that several claims read, once for all of them. */
#include "analysis/claims/goose/asesina_courses.h"

#include <math.h>

#include "analysis/learn/learned_player.h"

/* NULL after an error. */
static asesina_courses *kept_courses(const claim_base *c) {
  claim_kept *kept = c->job->kept;
  if (!kept->made) kept->made = report_calloc(c->out, 1, sizeof(asesina_courses));
  return kept->made;
}

/* --- by tables --- */

const asesina_course *asesina_courses_exact(const claim_base *c, const asesina_table *at) {
  asesina_courses *courses = kept_courses(c);
  if (!courses) return NULL;
  asesina_course *exact = &courses->of[COURSE_EXACT];
  if (!courses->known[COURSE_EXACT]) {
    asesina_course_exact(at, c->limit, exact);
    courses->known[COURSE_EXACT] = !c->out->error;
  }
  return c->out->error ? NULL : exact;
}

/* Rare events are as good as counted: their variance is their mean. */
static bool is_near(const course_ratio *exact, const course_ratio *played) {
  const double mean = course_mean(exact), rare = played->bottom > 0 ? sqrt(mean / played->bottom) : 0;
  const double error = fmax(course_error(played), rare);
  return played->bottom <= 0 || fabs(course_mean(played) - mean) <= 5 * error + 1e-9;
}

void asesina_courses_recheck(const claim_base *c, const asesina_table *at) {
  asesina_courses *courses = kept_courses(c);
  if (c->out->error) return;
  const asesina_course *exact = &courses->of[COURSE_EXACT];
  asesina_course *played = &courses->replayed;
  const game_position start = asesina_start(at);
  int ratios = 0, near = 0;
  CLAIM_SHOW(at->t, &start, "witness");
  if (!played->games) asesina_course_of_best(at, exact->tokens, ASESINA_GAMES, played);
  for (int i = 0; i < COURSE_RATIOS; i++) {
    if (i == COURSE_OPEN || exact->of[i].bottom <= 0) continue;
    ratios++;
    near += is_near(&exact->of[i], &played->of[i]);
  }
  REPORT_RECHECK(c->out, "games played out", true, near == ratios, "recheck-games-played-out",
                 fig_number(ASESINA_GAMES), fig_number(near), fig_number(ratios));
}

/* --- by players who learned --- */

static const learn_settings lessons = {
    .seed = ASESINA_SEED, .games = COURSE_LESSONS, .lambda = 0.7, .rate = 0.002, .tried = 0.02, .hidden = 40};

/* A network that plays as many tokens as there are. */
static void learn(const asesina_table *at, learned *out) {
  const claim_tables *t = at->t;
  const learn_field field = {t->game, t->rules, at->slices.slices[at->slices.used - 1].slice, NULL};
  self_play *games = NULL;
  report *r = t->out;
  REPORT_CATCH(r, learned_begin(t->game, &lessons, out, &r->message));
  REPORT_CATCH(r, self_play_open(out, &field, 1, &games, &r->message));
  while (!r->error && out->played < lessons.games) REPORT_CATCH(r, self_play_game(games, &r->message));
  self_play_close(games);
}

static void play_learned(claim_tables *t, const learned_player *player, asesina_courses *courses) {
  const simulate_policy policy = learned_player_policy(player);
  const course_play play = {&policy, COURSE_GAMES, t->tables, true};
  for (int which = COURSE_TWO; which < COURSES && !t->out->error; which++) {
    const int tokens = which - COURSE_TWO + 2;
    asesina_table at;
    if (asesina_table_open(&at, t, tokens)) asesina_course_played(&at, tokens, &play, &courses->of[which]);
    asesina_table_close(&at);
    courses->known[which] = !t->out->error;
  }
}

static void train_and_play(claim_tables *t, asesina_courses *courses) {
  asesina_table at;
  learned_player player = {.sketch = NULL};
  report *out = t->out;
  if (asesina_table_open(&at, t, COURSE_TOKENS)) {
    learn(&at, &player.learned);
    REPORT_CATCH(out, t->game->chance->features->open(t->rules, &player.sketch, &out->message));
    player.judge = (afterstate_judge){
        .game = t->game, .rules = t->rules, .sketch = player.sketch, .net = &player.learned.net};
    play_learned(t, &player, courses);
    learned_player_close(&player);
  }
  asesina_table_close(&at);
}

/* Tables are opened in any case, as sources of the report. */
static void look_at_63(const claim_base *c, asesina_courses *courses) {
  claim_tables t;
  if (!claim_tables_open(&t, c->job, c->out, "oca-asesina", "base", NULL)) return;
  if (claim_tables_need_up_to(&t, 1) && !courses->known[COURSE_FOUR]) train_and_play(&t, courses);
  claim_tables_close(&t);
}

/* --- for claims --- */

static void examine_table(course_findings *f, const asesina_table *at, void (*add)(const course_findings *f),
                          void (*judge)(const course_findings *f)) {
  claim_base *c = &f->c;
  if (!asesina_courses_exact(c, at)) return;
  if (!c->limited && !c->job->board) look_at_63(c, kept_courses(c));
  if (c->out->error) return;
  f->courses = kept_courses(c);
  add(f);
  asesina_courses_recheck(c, at);
  if (!c->out->error) judge(f);
}

void asesina_courses_examine(course_findings *f, void (*add)(const course_findings *f),
                             void (*judge)(const course_findings *f)) {
  claim_base *c = &f->c;
  asesina_table at;
  if (c->limit < 2) {
    REPORT_VERDICT(c->out, VERDICT_OPEN, "open");
    return;
  }
  if (!asesina_open_board(&f->t, c, ASESINA_BOARD_20, "base")) return;
  report_rules(c->out, f->t.game->rules_text(f->t.rules));
  if (claim_tables_need_up_to(&f->t, c->limit)) {
    if (asesina_table_open(&at, &f->t, c->limit)) examine_table(f, &at, add, judge);
    asesina_table_close(&at);
  }
  claim_tables_close(&f->t);
}

void asesina_courses_add(report *out, const asesina_courses *courses, const int ratio[COURSES], double unit,
                         int decimals) {
  double within = 0;
  for (int which = 0; which < COURSES; which++) {
    const course_ratio *r = &courses->of[which].of[ratio[which] < 0 ? 0 : ratio[which]];
    const bool known = courses->known[which] && ratio[which] >= 0 && r->bottom > 0;
    REPORT_ADD(out, fig_if(known, fig_mean(unit * course_mean(r), decimals)));
    if (known) within = fmax(within, 1.96 * unit * course_error(r));
  }
  REPORT_ADD(out, fig_if(within > 0, fig_mean(within, decimals)));
}
