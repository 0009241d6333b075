/* Many threads on one handle over tables of every game: all calls at once, a small cache, tables that are
 * moved into place meanwhile, lines of moves under own-row. The answers of each must be those of one thread
 * on a handle of its own. Run it under `make tsan` too. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "analysis/probe/tauler.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/probe_built.h"
#include "tests/support/suite.h"

enum {
  THREADS = 6,
  LATE = 0, /* the sample whose tables come meanwhile */
  PER_SLICE = 6,
  MOST_QUESTIONS = 1024,
  RANGE = 700,
  LINE_POSITIONS = 1365 /* positions of the largest slice whose lines are asked about: four seeds */
};

typedef struct {
  int sample;
  uint32_t slice;
  uint64_t index, positions;
  char position[TAULER_POSITION_BYTES + 64]; /* with a line of moves, perhaps */
  tauler_worth worth;
  char *wanted; /* all that is said of it */
} question;

static char later[256];
static question questions[MOST_QUESTIONS];
static size_t n_asked;

/* --- what is said --- */

static void say_worth(FILE *out, tauler_worth worth) {
  fprintf(out, " %d[%.17g %.17g %d %d]", worth.known, worth.lower, worth.upper, worth.depth_lower,
          worth.depth_upper);
}

static void say_moves(FILE *out, const tauler_move *moves, size_t n) {
  for (size_t i = 0; i < n; i++) {
    fprintf(out, "\n%s %s %s %d%d%d%d", moves[i].name, moves[i].position, moves[i].slice, moves[i].over,
            moves[i].converts, moves[i].best, moves[i].repeats);
    say_worth(out, moves[i].worth);
    say_worth(out, moves[i].child);
    say_worth(out, moves[i].after_line);
  }
}

static void say_answer(FILE *out, const tauler_answer *answer) {
  fprintf(out, "%s %s %s %s %s %s %" PRIu64 " %s %s\n%s", answer->game, answer->rules, answer->cycles,
          answer->position, answer->turn, answer->slice, answer->index, answer->table,
          tauler_category_name(answer->category), answer->drawing);
  say_worth(out, answer->worth);
  if (answer->has_final) fprintf(out, " final %g %g", answer->final[0], answer->final[1]);
  fprintf(out, " history %d%d%zu%d", answer->history.counts, answer->history.given, answer->history.met,
          answer->history.over);
  say_worth(out, answer->history.worth);
  say_moves(out, answer->moves, answer->moves_used);
  for (size_t i = 0; i < answer->quantities_used; i++) {
    const tauler_quantity *q = &answer->quantities[i];
    fprintf(out, "\n%s %d %.17g %.17g", q->name, q->known, q->lower, q->upper);
  }
  for (size_t i = 0; i < answer->rolls_used; i++) {
    fprintf(out, "\n%s %u:", answer->rolls[i].name, answer->rolls[i].weight);
    say_moves(out, answer->rolls[i].moves, answer->rolls[i].moves_used);
  }
}

static tauler_error say_line(FILE *out, tauler_tables *tables, const char *position,
                             tauler_message *message) {
  tauler_line *line;
  const tauler_error error = tauler_play(tables, position, 40, &line, message);
  if (error) return error;
  fprintf(out, "\nline %s %d %zu %zu %s", line->start, (int)line->end, line->repeats, line->before,
          line->moves);
  for (size_t i = 0; i < line->steps_used; i++) say_worth(out, line->steps[i].worth);
  tauler_line_free(line);
  return TAULER_OK;
}

static tauler_error say_range(FILE *out, tauler_tables *tables, const question *q, tauler_message *message) {
  tauler_worth worths[RANGE], one;
  char text[TAULER_POSITION_BYTES];
  const size_t n = q->positions - q->index < RANGE ? (size_t)(q->positions - q->index) : RANGE;
  double lower = 0, upper = 0;
  tauler_error error = tauler_values_at(tables, q->slice, q->index, n, worths, message);
  for (size_t i = 0; i < n && !error; i++) {
    lower += worths[i].lower * (double)(i + 1);
    upper += worths[i].upper * (double)(i + 1);
  }
  if (!error) error = tauler_value_at(tables, q->slice, q->index, &one, message);
  if (!error) error = tauler_position_at(tables, q->slice, q->index, text, message);
  if (error) return error;
  fprintf(out, "\nrange %zu %.17g %.17g, %s", n, lower, upper, text);
  say_worth(out, one);
  return TAULER_OK;
}

/* All that the library says, NULL on an error. To be freed. */
static char *say_all(tauler *db, const question *q, tauler_message *message) {
  tauler_tables *tables;
  tauler_answer *answer = NULL;
  tauler_worth worth = {false, 0, 0, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  const built_tables *sample = &built_samples[q->sample];
  tauler_error error = tauler_select(db, sample->game, sample->rules, sample->cycles, &tables, message);
  if (!error) error = tauler_probe(tables, q->position, &answer, message);
  if (!error) {
    say_answer(out, answer);
    error = tauler_value(tables, q->position, &worth, message);
  }
  if (!error) say_worth(out, worth);
  if (!error && !answer->dice) error = say_line(out, tables, q->position, message);
  if (!error) error = say_range(out, tables, q, message);
  tauler_answer_free(answer);
  fclose(out);
  if (!error) return text;
  free(text);
  return NULL;
}

/* --- the questions --- */

static void add_question(int sample, const tauler_slice *s, uint64_t index, const char *position,
                         const char *moves) {
  question *q = &questions[n_asked++];
  ck_assert_uint_lt(n_asked, MOST_QUESTIONS);
  *q = (question){.sample = sample, .slice = s->slice_number, .index = index, .positions = s->positions};
  snprintf(q->position, sizeof q->position, "%s%s", position, moves);
}

/* A line of play from the position: under own-row it counts. */
static void add_line(tauler_tables *tables, int sample, const tauler_slice *s, uint64_t index,
                     const char *position) {
  char moves[64];
  const tauler_line *line = asked_line(tables, position, 5);
  snprintf(moves, sizeof moves, " moves %.20s", line->moves);
  if (line->steps_used > 1 && line->end == TAULER_LINE_CUT) add_question(sample, s, index, position, moves);
}

static bool is_sample(const tauler_slice *s, const built_tables *sample) {
  return strcmp(s->game, sample->game) == 0 && (!sample->rules || strcmp(s->rules, sample->rules) == 0) &&
         (!sample->cycles || strcmp(s->cycles, sample->cycles) == 0);
}

static void add_slice(tauler *db, const tauler_slice *s) {
  int sample = 0;
  while (sample < BUILT_SAMPLES && !is_sample(s, &built_samples[sample])) sample++;
  ck_assert_int_lt(sample, BUILT_SAMPLES);
  tauler_tables *tables = select_sample(db, &built_samples[sample]);
  for (uint64_t i = 0; i < PER_SLICE && i < s->positions; i++) {
    char position[TAULER_POSITION_BYTES] = "";
    uint64_t index = s->positions * i / PER_SLICE;
    for (; index < s->positions && !position[0]; index++)
      MUST(tauler_position_at(tables, s->slice_number, index, position, hear()));
    if (!position[0]) continue;
    add_question(sample, s, index - 1, position, "");
    if (strncmp(s->cycles, "own-row", 7) == 0 && s->positions <= LINE_POSITIONS)
      add_line(tables, sample, s, index - 1, position);
  }
}

static void find_questions(void) {
  tauler_contents *contents;
  tauler *db = asked_folder();
  MUST(tauler_list(db, &contents, hear()));
  for (size_t i = 0; i < contents->slices_used; i++) add_slice(db, &contents->slices[i]);
  tauler_contents_free(contents);
  for (size_t i = 0; i < n_asked; i++) {
    questions[i].wanted = say_all(db, &questions[i], hear());
    ck_assert_msg(questions[i].wanted != NULL, "%s: %s", questions[i].position, said.text);
    tauler_tables *tables = select_sample(db, &built_samples[questions[i].sample]);
    MUST(tauler_value(tables, questions[i].position, &questions[i].worth, hear()));
  }
}

static void run(const char *format, const char *a, const char *b) {
  char command[1024];
  snprintf(command, sizeof command, format, a, b);
  ck_assert_int_eq(system(command), 0); /* NOLINT: the folders are ours */
}

static void build_all(void) {
  make_folder();
  make_folder_at(later);
  for (int i = 0; i < BUILT_SAMPLES; i++) build_sample(&built_samples[i], folder);
  find_questions();
  ck_assert_uint_gt(n_asked, 100);
}

static void remove_all(void) {
  for (size_t i = 0; i < n_asked; i++) free(questions[i].wanted);
  remove_folder();
  remove_folder_at(later);
}

/* --- threads --- */

typedef struct {
  tauler *db;
  size_t first, step;
  bool late; /* tables of one sample are coming */
  char complaint[2048];
} asker;

static void complain(asker *a, const question *q, const char *said, const char *message) {
  snprintf(a->complaint, sizeof a->complaint, "%s %s: said\n%.700s\nnot\n%.700s (%s)",
           built_samples[q->sample].game, q->position, said ? said : "nothing", q->wanted, message);
}

/* Right as far as it is known. */
static void ask_late(asker *a, const question *q) {
  const built_tables *sample = &built_samples[q->sample];
  tauler_tables *tables;
  tauler_answer *answer = NULL;
  tauler_error error = tauler_select(a->db, sample->game, sample->rules, sample->cycles, &tables, hear());
  if (!error) error = tauler_probe(tables, q->position, &answer, hear());
  if (error && error != TAULER_TABLE_MISSING) complain(a, q, NULL, said.text);
  if (!error && !answer->worth.known) complain(a, q, "no worth", "");
  if (answer && answer->worth.known &&
      (answer->worth.lower != q->worth.lower || answer->worth.upper != q->worth.upper))
    complain(a, q, "another worth", "");
  tauler_answer_free(answer);
}

static void *ask_all(void *user) {
  asker *a = user;
  for (size_t i = 0; i < n_asked / SOME(3, 1) && !a->complaint[0]; i++) {
    const question *q = &questions[(a->first + i * a->step) % n_asked];
    if (a->late && q->sample == LATE) {
      ask_late(a, q);
      continue;
    }
    char *found = say_all(a->db, q, hear());
    if (!found || strcmp(found, q->wanted) != 0) complain(a, q, found, said.text);
    free(found);
  }
  return NULL;
}

/* An odd step that has no factor in common with the number of questions, so that each is asked once. */
static size_t step_for(size_t thread) {
  static const size_t primes[THREADS] = {1, 7, 11, 13, 17, 19};
  return n_asked % primes[thread] ? primes[thread] : 1;
}

static void ask_in_threads(tauler *db, bool late, void *(*beside)(void *), void *user) {
  pthread_t threads[THREADS], extra;
  asker askers[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    askers[i] = (asker){.db = db, .first = i * n_asked / THREADS, .step = step_for(i), .late = late};
    ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_all, &askers[i]), 0);
  }
  if (beside) ck_assert_int_eq(pthread_create(&extra, NULL, beside, user), 0);
  for (size_t i = 0; i < THREADS; i++) ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  if (beside) ck_assert_int_eq(pthread_join(extra, NULL), 0);
  for (size_t i = 0; i < THREADS; i++) ck_assert_msg(!askers[i].complaint[0], "%s", askers[i].complaint);
}

static tauler *open_small(void) {
  const tauler_settings settings = {.cache_bytes = 1 << 15};
  tauler *db;
  MUST(tauler_open(folder, &settings, &db, hear()));
  return db;
}

CASE(threads_get_the_answers_of_one) {
  tauler *db = open_small();
  ask_in_threads(db, false, NULL, NULL);
  ask_in_threads(db, false, NULL, NULL); /* everything open */
  tauler_close(db);
}

typedef struct {
  tauler *db;
  const char *wrong;
} mover;

/* Puts the late tables in their places one by one, and lists the folder after each. */
static void *move_in(void *user) {
  static const char *const streams[] = {"depth", "value"};
  mover *m = user;
  size_t before = 0;
  for (int i = 0; i <= 2 * 6 + 1 && !m->wrong; i++) {
    const int seeds = i / 2, stream = i % 2;
    char from[512], to[512];
    tauler_contents *contents;
    snprintf(from, sizeof from, "%s/%d.%s.zst", later, seeds, streams[stream]);
    snprintf(to, sizeof to, "%s/auale/awari/even/%d.%s.zst", folder, seeds, streams[stream]);
    if (rename(from, to) != 0) m->wrong = "a table could not be moved";
    if (tauler_list(m->db, &contents, NULL)) m->wrong = "the folder could not be listed";
    if (m->wrong) break;
    const size_t wanted = before + (size_t)(stream == 1);
    if (contents->passed_over) m->wrong = "a table was passed over";
    if (i > 0 && contents->slices_used != wanted) m->wrong = "the list is not what is there";
    before = contents->slices_used;
    tauler_contents_free(contents);
    usleep(2000);
  }
  return NULL;
}

CASE(tables_may_come_while_others_ask) {
  run("mv '%s/auale/awari/even'/* '%s'", folder, later);
  tauler *db = open_small();
  mover m = {db, NULL};
  ask_in_threads(db, true, move_in, &m);
  ck_assert_msg(!m.wrong, "%s", m.wrong);
  ask_in_threads(db, false, NULL, NULL); /* now all of them are there */
  tauler_close(db);
}

SUITE("ask_threads") {
  FIXTURE_ONCE(build_all, remove_all);
  TESTS(threads_get_the_answers_of_one, tables_may_come_while_others_ask);
}
