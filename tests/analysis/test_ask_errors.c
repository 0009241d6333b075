/* Makes every error happen that tauler.h documents, in every function. Checks results, the pointers that were
 * handed in, and that the sentence names the fault. Tables that do not fit together are in test_answer.c and
 * test_ask_dice.c, numbers and names of slices in test_numbered.c. */
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/probe/tauler.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/probe_built.h"
#include "tests/support/suite.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#ifndef OWN_ALLOCATOR
#define OWN_ALLOCATOR 1
#endif

enum { WINDOW = 700, DAMAGES = 48 };

static tauler *db;

static void run(const char *what) {
  char command[1024];
  snprintf(command, sizeof command, "cd '%s' && %s", folder, what);
  ck_assert_int_eq(system(command), 0); /* NOLINT: the folder is ours */
}

static void open_database(void) {
  make_folder();
  db = asked_folder();
}

static void assert_said(tauler_error is, tauler_error wanted, const char *words) {
  ck_assert_msg(is == wanted, "%s, not %s: %s", tauler_error_name(is), tauler_error_name(wanted), said.text);
  ck_assert_msg(strstr(said.text, words) != NULL, "'%s' is not in: %s", words, said.text);
  said.text[0] = '\0';
}

/* A position of a sample, and its slice. */
typedef struct {
  int sample;
  const char *position, *slice;
} place;

static const place places[] = {{0, "1-1-1-0-0-0-0-0-0-1-1-1-20-22-S", "6"},
                               {1, "1-1-1-0-0-0-0-0-0-1-1-0-20-23-S", "5"},
                               {4, "7/7/7/1r5/7/7/2L4/7/7 w", "Lr"},
                               {5, "3/1x1/1o1/3/3 O", "5x3"},
                               {6, "oca:12,19/1", "2"},
                               {7, "5/12 lost=0,0 seat=1", "1.0-0"}};
enum { PLACES = sizeof places / sizeof *places };

static bool has_dice(int sample) {
  return strncmp(built_samples[sample].game, "oca", 3) == 0;
}

static void ask_by_number(tauler_tables *tables, const place *at, tauler_error wanted, const char *words,
                          const tauler_worth *right) {
  tauler_worth worths[WINDOW] = {{.known = true}};
  uint32_t slice;
  uint64_t positions;
  MUST(tauler_find_slice(tables, at->slice, &slice, &positions, hear()));
  const size_t count = positions < WINDOW ? (size_t)positions : WINDOW;
  tauler_error error = tauler_value_at(tables, slice, positions / 2, worths, hear());
  if (!right || error) assert_said(error, wanted, words);
  ck_assert_int_eq(worths[0].known, !error);
  error = tauler_values_at(tables, slice, 0, count, worths, hear());
  if (!right || error) assert_said(error, wanted, words);
  error = tauler_values_at(tables, slice, positions - 1, 1, worths, hear());
  if (!right || error) assert_said(error, wanted, words);
  MUST(tauler_values_at(tables, slice, positions, 0, worths, hear()));
}

/* Asks in every way; each must give the same error, or TAULER_OK with the worth that is known to be right
 * (NULL: none may be right). */
static void ask_all(tauler *from, const place *at, tauler_error wanted, const char *words,
                    const tauler_worth *right) {
  tauler_tables *tables = select_sample(from, &built_samples[at->sample]);
  tauler_answer *answer = (tauler_answer *)&answer;
  tauler_line *line = (tauler_line *)&line;
  tauler_worth worths[WINDOW] = {{.known = true}};
  tauler_error error = tauler_probe(tables, at->position, &answer, hear());
  if (!right || error) {
    assert_said(error, wanted, words);
    ck_assert_int_eq(answer != NULL, wanted == TAULER_TABLE_MISSING);
  } else {
    ck_assert_double_eq(answer->worth.lower, right->lower);
  }
  if (answer && !right) ck_assert(!answer->worth.known && !answer->table);
  tauler_answer_free(answer);
  error = tauler_value(tables, at->position, worths, hear());
  if (!right || error) {
    assert_said(error, wanted, words);
    ck_assert(!worths[0].known);
  } else {
    ck_assert_double_eq(worths[0].lower, right->lower);
    ck_assert_double_eq(worths[0].upper, right->upper);
  }
  ask_by_number(tables, at, wanted, words, right);
  error = tauler_play(tables, at->position, 3, &line, hear());
  if (has_dice(at->sample)) {
    assert_said(error, TAULER_BAD_USAGE, "game of dice");
    ck_assert_ptr_null(line);
  } else if (!right || error) {
    assert_said(error, wanted, words);
    ck_assert_int_eq(line != NULL, wanted == TAULER_TABLE_MISSING);
  }
  tauler_line_free(line);
  /* Nobody has to want words. */
  error = tauler_value(tables, at->position, worths, NULL);
  ck_assert(error == wanted || (right && !error));
}

/* --- usage and positions --- */

CASE(what_does_not_exist_is_bad_usage) {
  static const struct {
    const char *game, *rules, *cycles, *words;
  } cases[] = {{"chess", NULL, NULL, "no game 'chess'"},
               {"", NULL, NULL, "no game"},
               {"aual", NULL, NULL, "auale"},
               {"auale", "awary", NULL, "awary"},
               {"auale", "", NULL, "rule"},
               {"auale", NULL, "odd", "odd"},
               {"doushouqi", NULL, "even", "cycles"},
               {"oca-asesina", "board=21", NULL, "21"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tauler_tables *tables = (tauler_tables *)&tables;
    assert_said(tauler_select(db, cases[i].game, cases[i].rules, cases[i].cycles, &tables, hear()),
                TAULER_BAD_USAGE, cases[i].words);
    ck_assert_ptr_null(tables);
    ck_assert_int_eq(tauler_select(db, cases[i].game, cases[i].rules, cases[i].cycles, &tables, NULL),
                     TAULER_BAD_USAGE);
  }
}

CASE(what_cannot_be_read_is_a_bad_position) {
  static char endless[200000];
  memset(endless, '1', sizeof endless - 1);
  const char *const texts[] = {"", " ", "-", "x", "moves", "\xff\xfe", "4-4-4", "%s%n", "1 moves 1", endless};
  for (int sample = 0; sample < BUILT_SAMPLES; sample++) {
    tauler_tables *tables = select_sample(db, &built_samples[sample]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
      tauler_answer *answer = (tauler_answer *)&answer;
      tauler_line *line = (tauler_line *)&line;
      tauler_worth worth = {.known = true};
      assert_said(tauler_probe(tables, texts[i], &answer, hear()), TAULER_BAD_POSITION, "");
      ck_assert_ptr_null(answer);
      const tauler_error error = tauler_value(tables, texts[i], &worth, hear());
      ck_assert_uint_gt(strlen(said.text), 10);
      assert_said(error, TAULER_BAD_POSITION, "");
      ck_assert(!worth.known);
      ck_assert_int_eq(tauler_play(tables, texts[i], 1, &line, NULL),
                       has_dice(sample) ? TAULER_BAD_USAGE : TAULER_BAD_POSITION);
      ck_assert_ptr_null(line);
    }
  }
}

/* Every way to ask reads positions alike; 48 seeds, of which some are captured, are a position. */
CASE(more_than_48_seeds_with_those_captured_are_a_bad_position) {
  static const char *const texts[] = {
      "0-0-1-0-2-1-1-0-0-3-0-1-20-20-S", "1-0-0-0-0-0-0-0-0-0-0-0-48-0-N",
      "0-0-0-0-0-0-0-0-0-0-0-0-25-24-S", "0 | 1 0 | 4 4 4 4 4 4 4 4 4 4 4 4",
      "4 4 4 4 4 4 4 4 4 4 4 5",         "0-0-1-0-2-1-1-0-0-3-0-1-20-20-S moves E"};
  static const char *const enough[] = {"0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", "0-0-0-0-0-0-0-0-0-0-0-0-48-0-N"};
  static const tauler_search_limits soon = {.positions = 1};
  tauler_tables *tables;
  tauler_answer *answer;
  tauler_line *line;
  tauler_worth worth;
  MUST(tauler_select(db, "auale", "awari", NULL, &tables, hear()));
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    assert_said(tauler_probe(tables, texts[i], &answer, hear()), TAULER_BAD_POSITION, "49 seeds");
    assert_said(tauler_value(tables, texts[i], &worth, hear()), TAULER_BAD_POSITION, "49 seeds");
    assert_said(tauler_play(tables, texts[i], 1, &line, hear()), TAULER_BAD_POSITION, "49 seeds");
    assert_said(tauler_search(tables, texts[i], &soon, &answer, hear()), TAULER_BAD_POSITION, "49 seeds");
  }
  for (size_t i = 0; i < sizeof enough / sizeof *enough; i++) {
    ck_assert_int_ne(tauler_probe(tables, enough[i], &answer, hear()), TAULER_BAD_POSITION);
    tauler_answer_free(answer);
  }
}

/* --- tables --- */

CASE(without_a_table_every_question_says_how_to_build_it) {
  for (int i = 0; i < PLACES; i++) {
    char words[128];
    snprintf(words, sizeof words, "build it: tauler build %s", built_samples[places[i].sample].game);
    ask_all(db, &places[i], TAULER_TABLE_MISSING, words, NULL);
  }
}

static const char *const files[PLACES] = {
    "auale/awari/even/6.value.zst",  "auale/abapa/forced/5.upper.zst",
    "doushouqi/base/2/Lr.value.zst", "phutball/base/5x3.value.zst",
    "oca/base/2.lower-win-1.zst",    "oca-asesina/base,board=20,lost-turns=die-with-token/1.0-0.upper.zst"};

/* Every question about the sample on a handle that has seen nothing. */
static void ask_afresh(const place *at, tauler_error wanted, const char *words, const tauler_worth *right) {
  tauler *fresh = asked_folder();
  ask_all(fresh, at, wanted, words, right);
}

CASE(what_is_no_table_is_a_damaged_file) {
  const char *file = files[_i];
  const place *at = &places[_i];
  char command[512];
  build_sample(&built_samples[at->sample], folder);
  static const char *const ways[] = {"printf nonsense >", "truncate -s 0", "truncate -s 1100",
                                     "truncate -s +1",    "rm %s; mkdir",  "rm -r %s; mkfifo"};
  for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
    char change[256];
    snprintf(command, sizeof command, "rm -rf kept; cp -a '%s' kept", file);
    if (way < 5) run(command);
    snprintf(change, sizeof change, way < 4 ? "%.200s" : ways[way], way < 4 ? ways[way] : file);
    snprintf(command, sizeof command, "%s '%s'", change, file);
    run(command);
    ask_afresh(at, TAULER_DAMAGED_FILE, file, NULL);
    snprintf(command, sizeof command, way < 4 ? "mv kept '%s'" : "true", file);
    run(command);
  }
}

/* Wherever a byte is wrong: the right worth where nothing was read of it, else an error, never another worth.
 */
CASE(a_wrong_byte_never_makes_a_worth) {
  const place *at = &places[_i];
  char path[512];
  tauler_worth right;
  build_sample(&built_samples[at->sample], folder);
  tauler_tables *tables = select_sample(db, &built_samples[at->sample]);
  MUST(tauler_value(tables, at->position, &right, hear()));
  snprintf(path, sizeof path, "%s/%s", folder, files[_i]);
  struct stat about;
  ck_assert_int_eq(stat(path, &about), 0);
  for (long i = 0; i < SOME(DAMAGES / 3, DAMAGES); i++) {
    const long offset = about.st_size * i / DAMAGES;
    flip_bit(path, offset, (int)(i % 8));
    ask_afresh(at, TAULER_DAMAGED_FILE, "", &right);
    flip_bit(path, offset, (int)(i % 8));
  }
  ask_afresh(at, TAULER_OK, "", &right);
}

/* --- the system --- */

CASE(what_the_system_refuses_is_io) {
  enum { NOBODY = 65534 };
  char command[512];
  const place *at = &places[_i];
  build_sample(&built_samples[at->sample], folder);
  snprintf(command, sizeof command, "rm '%s'; ln -s \"$PWD/%s\" '%s'", files[_i], files[_i], files[_i]);
  run(command);
  ask_afresh(at, TAULER_IO, "symbolic links", NULL);
  snprintf(command, sizeof command, "rm '%s'; chmod -R a+rX .; : > '%s'; chmod 0 '%s'", files[_i], files[_i],
           files[_i]);
  run(command);
  tauler_contents *contents = (tauler_contents *)&contents;
  const bool root = geteuid() == 0;
  if (root) ck_assert_int_eq(seteuid(NOBODY), 0);
  ask_afresh(at, TAULER_IO, "Permission denied", NULL);
  assert_said(tauler_list(db, &contents, hear()), TAULER_IO, files[_i]);
  ck_assert_ptr_null(contents);
  if (root) ck_assert_int_eq(seteuid(0), 0);
  snprintf(command, sizeof command, "rm '%s'; chmod 0 '%s'", files[_i], built_samples[at->sample].game);
  run(command);
  if (root) ck_assert_int_eq(seteuid(NOBODY), 0);
  assert_said(tauler_list(db, &contents, hear()), TAULER_IO, "cannot read the database folder");
  ck_assert_ptr_null(contents);
  if (root) ck_assert_int_eq(seteuid(0), 0);
  run("chmod -R u+rwX .");
}

/* --- memory --- */

#if OWN_ALLOCATOR
extern void *__libc_malloc(size_t bytes);               /* NOLINT: its name */
extern void *__libc_calloc(size_t n, size_t bytes);     /* NOLINT */
extern void *__libc_realloc(void *block, size_t bytes); /* NOLINT */

static bool counting, onwards;
static long left; /* allocations that are granted before one is not */

static bool refuse(void) {
  if (!counting) return false;
  left--;
  return onwards ? left < 0 : left == -1;
}

void *malloc(size_t bytes) {
  return refuse() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes) {
  return refuse() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *block, size_t bytes) {
  return refuse() ? NULL : __libc_realloc(block, bytes);
}

static void refuse_after(long granted) {
  left = granted;
  counting = true;
}

/* One question of each kind; the first error of all. */
static tauler_error ask_once(const place *at, int question) {
  const built_tables *sample = &built_samples[at->sample];
  tauler *own = NULL;
  tauler_tables *tables;
  tauler_answer *answer = NULL;
  tauler_line *line = NULL;
  tauler_contents *contents = NULL;
  tauler_worth worths[WINDOW];
  char text[TAULER_POSITION_BYTES];
  uint32_t slice;
  uint64_t positions;
  tauler_error error = tauler_open(folder, NULL, &own, hear());
  if (!error) error = tauler_select(own, sample->game, sample->rules, sample->cycles, &tables, hear());
  if (!error && question == 0) error = tauler_probe(tables, at->position, &answer, hear());
  if (!error && question == 1 && !has_dice(at->sample))
    error = tauler_play(tables, at->position, 3, &line, hear());
  if (!error && question == 2) error = tauler_list(own, &contents, hear());
  if (!error && question == 3) error = tauler_find_slice(tables, at->slice, &slice, &positions, hear());
  if (!error && question == 3) error = tauler_position_at(tables, slice, positions / 2, text, hear());
  if (!error && question == 3)
    error =
        tauler_values_at(tables, slice, 0, positions < WINDOW ? (size_t)positions : WINDOW, worths, hear());
  if (!error && question == 3) error = tauler_value_at(tables, slice, positions / 2, worths, hear());
  counting = false;
  if (!own) ck_assert_int_eq(error, TAULER_NO_MEMORY);
  if (error) ck_assert(!answer && !line && !contents);
  tauler_answer_free(answer);
  tauler_line_free(line);
  tauler_contents_free(contents);
  tauler_close(own);
  return error;
}

CASE(without_memory_nothing_is_answered) {
  const place *at = &places[_i % PLACES];
  onwards = _i / PLACES;
  build_sample(&built_samples[at->sample], folder);
  for (int question = 0; question < 4; question++) {
    tauler_error error = TAULER_NO_MEMORY;
    long granted = 0, refused = 0;
    for (; granted < 4000 && (error || left < 0); granted++) {
      refuse_after(granted);
      error = ask_once(at, question);
      if (error) {
        refused++;
        ck_assert_uint_gt(strlen(said.text), 10);
        if (error != TAULER_NO_MEMORY) ck_abort_msg("%ld, question %d: %s", granted, question, said.text);
      }
    }
    ck_assert_int_eq(error, TAULER_OK);
    ck_assert_int_gt(refused, 5);
  }
}
#endif

SUITE("ask_errors") {
  FIXTURE(open_database, NULL);
  TESTS(what_does_not_exist_is_bad_usage, what_cannot_be_read_is_a_bad_position,
        more_than_48_seeds_with_those_captured_are_a_bad_position,
        without_a_table_every_question_says_how_to_build_it);
  LOOP(what_is_no_table_is_a_damaged_file, PLACES);
  LOOP(a_wrong_byte_never_makes_a_worth, PLACES);
  LOOP(what_the_system_refuses_is_io, PLACES);
#if OWN_ALLOCATOR
  LOOP(without_memory_nothing_is_answered, 2 * PLACES);
#endif
}
