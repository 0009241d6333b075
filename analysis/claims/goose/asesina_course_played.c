/* Estimates the means over games of la oca asesina from games played out. */
#include "analysis/claims/goose/asesina_course.h"
#include "games/oca_asesina/turn.h"

typedef struct {
  const claim_tables *t;
  const course_play *play;
  asesina_course *out;
} onlooker;

/* Notes on the games of a batch, and on the present one. */
typedef struct {
  course_ratio of[COURSE_RATIOS];
  uint64_t games;
  double top[COURSE_RATIOS], bottom[COURSE_RATIOS];
  int8_t leader[COURSE_PAIRS];
  bool begun;
  uint32_t slice;
  int rolls; /* rolls of the present turn */
  int home;  /* tokens home when the turn began */
  int left;  /* tokens that the loser has left after the last move */
  tauler_error error;
} game_notes;

static void note_even_score(const onlooker *o, const game_position *position, game_notes *n) {
  game_position less = *position;
  double lower = 0;
  if (n->error) return;
  if (o->play->reduces) o->t->game->chance->features->reduce(o->t->rules, position, &less);
  n->error = course_lower_score(o->play->tables, &less, &lower, NULL);
  n->top[COURSE_EVEN] = lower;
  n->bottom[COURSE_EVEN] = 1;
}

static void note_standing(const onlooker *o, const game_position *position, uint32_t slice,
                          const course_standing *at, game_notes *n) {
  if (n->begun && n->slice == slice) return;
  n->begun = true;
  n->slice = slice;
  if (at->pair < 0) return;
  n->top[COURSE_REACHED + at->pair] = 1;
  n->leader[at->pair] = (int8_t)at->leader;
  if (at->one_each) note_even_score(o, position, n);
}

static void note_roll(const course_standing *at, int seat, bool ends, game_notes *n) {
  if (n->rolls++ == 0) {
    n->home = at->home[seat];
    n->bottom[COURSE_ROLLS + n->home]++;
  }
  n->top[COURSE_ROLLS + n->home]++;
  if (n->rolls > 1 && n->rolls <= COURSE_LONGEST) n->top[course_long(n->home, n->rolls)]++;
  if (ends) n->rolls = 0;
}

static void note_move(const void *user, void *notes, const game_position *position, size_t roll,
                      size_t picked) {
  const onlooker *o = user;
  game_notes *n = notes;
  const uint32_t slice = o->t->game->slice_of(o->t->rules, position);
  const course_standing at = course_find_standing(o->t->rules, slice, o->out->tokens);
  note_standing(o, position, slice, &at, n);
  if (roll == CHANCE_CERTAIN) return;
  const uint32_t note = course_encode_move(o->t->rules, position, roll, picked);
  const int phase = at.home[0] + at.home[1];
  if (at.pair >= 0) {
    n->top[COURSE_CAPTURES + phase] += note & COURSE_TAKEN;
    n->bottom[COURSE_CAPTURES + phase]++;
  }
  note_roll(&at, ase_from_game(position).seat, note & COURSE_ENDS_TURN, n);
  n->left = (int)(note >> COURSE_LEFT_SHIFT);
}

/* Adds the notes that are known only when the game is over. */
static void complete_notes(game_notes *n, double first) {
  n->top[COURSE_LEFT + n->left] = 1;
  for (int left = 0; left <= COURSE_TOKENS; left++) n->bottom[COURSE_LEFT + left] = 1;
  for (int home = 0; home < COURSE_TOKENS; home++)
    for (int rolls = 2; rolls <= COURSE_LONGEST; rolls++)
      n->bottom[course_long(home, rolls)] = n->bottom[COURSE_ROLLS + home];
  for (int pair = 0; pair < COURSE_PAIRS; pair++) {
    n->bottom[COURSE_REACHED + pair] = 1;
    if (n->top[COURSE_REACHED + pair] <= 0 || n->leader[pair] < 0) continue;
    n->bottom[COURSE_BEHIND + pair] = 1;
    n->top[COURSE_BEHIND + pair] = n->leader[pair] ? first : 1 - first;
  }
}

static void note_end(const void *user, void *notes, const double *gained) {
  game_notes *n = notes;
  (void)user;
  complete_notes(n, gained[0]);
  for (int i = 0; i < COURSE_RATIOS; i++) {
    const double top = n->top[i], bottom = n->bottom[i];
    course_add(&n->of[i], top, bottom);
    n->of[i].tops += top * top;
    n->of[i].bottoms += bottom * bottom;
    n->of[i].both += top * bottom;
    n->top[i] = n->bottom[i] = 0;
  }
  n->games++;
  n->begun = false;
  n->rolls = 0;
}

static tauler_error add_notes(void *user, const void *notes) {
  const onlooker *o = user;
  const game_notes *n = notes;
  for (int i = 0; i < COURSE_RATIOS; i++) {
    course_ratio *to = &o->out->of[i];
    course_add(to, n->of[i].top, n->of[i].bottom);
    to->tops += n->of[i].tops;
    to->bottoms += n->of[i].bottoms;
    to->both += n->of[i].both;
  }
  o->out->games += n->games;
  return n->error;
}

void asesina_course_played(const asesina_table *at, int tokens, const course_play *play,
                           asesina_course *out) {
  const claim_tables *t = at->t;
  const game_position start = asesina_start_position(at);
  onlooker o = {t, play, out};
  const simulate_watch watch = {sizeof(game_notes), note_move, note_end, add_notes, &o};
  const simulate_job job = {.game = t->game,
                            .rules = t->rules,
                            .start = &start,
                            .raises = *play->policy,
                            .lowers = *play->policy,
                            .games = play->games,
                            .seed = ASESINA_SEED,
                            .threads = t->job->threads,
                            .memory = t->job->memory,
                            .watch = &watch};
  simulate_result found;
  *out = (asesina_course){.tokens = tokens};
  CLAIM_CATCH(t->kept, simulate(&job, &found, &t->kept->message));
}

void asesina_course_of_best(const asesina_table *at, int tokens, uint64_t games, asesina_course *out) {
  match_best best;
  match_best_open(&best, at->t->tables);
  const simulate_policy policy = match_policy_best(&best);
  const course_play play = {&policy, games, at->t->tables, false};
  asesina_course_played(at, tokens, &play, out);
}
