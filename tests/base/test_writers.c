/* base/: JSON, CSV and progress. */
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/progress.h"
#include "tests/support/suite.h"

CASE(json_is_written_without_blanks) {
  const char *expected = "{\"a\":[1,-2,true],\"b\":{},\"c\":[],\"d\":null}\n";
  json_writer json;
  size_t length;
  json_open_buffer(&json);
  json_begin_object(&json);
  json_key(&json, "a");
  json_begin_array(&json);
  json_unsigned(&json, 1);
  json_integer(&json, -2);
  json_fields(&json, JSON_FLAG(NULL, true));
  json_end_array(&json);
  json_key(&json, "b");
  json_begin_object(&json);
  json_end_object(&json);
  json_key(&json, "c");
  json_begin_array(&json);
  json_end_array(&json);
  json_field_null(&json, "d");
  json_end_object(&json);
  ck_assert_str_eq(json_text(&json, &length), expected);
  ck_assert_uint_eq(length, strlen(expected));
  MUST(json_close(&json, NULL));
}

CASE(json_fields_are_written_by_their_kind) {
  char text[256] = "";
  FILE *out = fmemopen(text, sizeof text, "w");
  json_writer json;
  json_open_line(&json, out);
  json_fields(&json, JSON_TEXT("a", "x"), JSON_INTEGER("b", -1), JSON_COUNT("c", UINT64_MAX));
  json_field_array(&json, "d");
  json_object(&json, JSON_NUMBER("e", 0.5), JSON_FLAG("f", false));
  json_end_array(&json);
  json_field_object(&json, "g");
  json_end_object(&json);
  json_close_line(&json);
  json_line(out, JSON_TEXT("h", NULL));
  fclose(out);
  ck_assert_str_eq(
      text, "{\"a\":\"x\",\"b\":-1,\"c\":18446744073709551615,\"d\":[{\"e\":0.5,\"f\":false}],\"g\":{}}\n"
            "{\"h\":null}\n");
}

static void check_json_string(const char *text, size_t length, const char *expected) {
  json_writer json;
  json_open_buffer(&json);
  json_string_part(&json, text, length);
  ck_assert_str_eq(json_text(&json, NULL), expected);
  MUST(json_close(&json, NULL));
}

CASE(json_strings_are_escaped_and_made_utf8) {
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"", "\"\"\n"},
      {"plain / text", "\"plain / text\"\n"},
      {"a\"b\\c", "\"a\\\"b\\\\c\"\n"},
      {"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"\n"},
      {"\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"\n"},
      {"aual\xC3\xA9 \xE2\x80\xA6 \xF0\x9F\x8E\xB2", "\"aual\xC3\xA9 \xE2\x80\xA6 \xF0\x9F\x8E\xB2\"\n"},
      {"\xC2\x9B\xE2\x80\xAE\xEF\xBB\xBF\xF3\xA0\x80\x81", "\"\\u009b\\u202e\\ufeff\\udb40\\udc01\"\n"},
      {"x\xFFy", "\"x\xEF\xBF\xBDy\"\n"},
      {"\xC3", "\"\xEF\xBF\xBD\"\n"},                                 /* cut short */
      {"\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"\n"},                 /* overlong */
      {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n"}, /* surrogate */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_json_string(cases[i].text, strlen(cases[i].text), cases[i].expected);
  check_json_string("a\0b", 3, "\"a\\u0000b\"\n");
}

CASE(json_numbers_keep_their_value) {
  json_writer json;
  json_open_buffer(&json);
  json_begin_array(&json);
  json_integer(&json, INT64_MIN);
  json_unsigned(&json, UINT64_MAX);
  json_number(&json, 0.1);
  json_number(&json, 1e300);
  json_number(&json, NAN);
  json_number(&json, INFINITY);
  json_string(&json, NULL);
  json_end_array(&json);
  ck_assert_str_eq(json_text(&json, NULL),
                   "[-9223372036854775808,18446744073709551615,0.1,1e+300,null,null,null]\n");
  MUST(json_close(&json, NULL));
}

static void end_without_begin(json_writer *json) {
  json_end_object(json);
}
static void value_without_key(json_writer *json) {
  json_begin_object(json);
  json_null(json);
  json_end_object(json);
}
static void key_in_array(json_writer *json) {
  json_begin_array(json);
  json_key(json, "k");
  json_null(json);
  json_end_array(json);
}
static void key_without_value(json_writer *json) {
  json_begin_object(json);
  json_key(json, "k");
  json_end_object(json);
}
static void wrong_bracket(json_writer *json) {
  json_begin_object(json);
  json_end_array(json);
}
static void left_open(json_writer *json) {
  json_begin_object(json);
}
static void too_deep(json_writer *json) {
  for (int i = 0; i < JSON_DEPTH + 1; i++) json_begin_array(json);
  for (int i = 0; i < JSON_DEPTH + 1; i++) json_end_array(json);
}

CASE(json_out_of_place_is_an_error_at_the_end) {
  static void (*const misuses[])(json_writer *) = {end_without_begin, value_without_key, key_in_array,
                                                   key_without_value, wrong_bracket,     left_open,
                                                   too_deep};
  for (size_t i = 0; i < sizeof misuses / sizeof *misuses; i++) {
    json_writer json;
    json_open_buffer(&json);
    misuses[i](&json);
    ck_assert_int_eq(json_close(&json, NULL), TAULER_INTERNAL);
  }
}

CASE(lost_output_is_an_error_at_the_end) {
  FILE *full = fopen("/dev/full", "w");
  if (full == NULL) {
    puts("SKIP: lost_output_is_an_error_at_the_end: no /dev/full");
    return;
  }
  json_writer json;
  json_open_file(&json, full);
  json_begin_array(&json);
  for (int i = 0; i < 10000; i++) json_integer(&json, i);
  json_end_array(&json);
  ck_assert_int_eq(json_close(&json, hear()), TAULER_IO);
  ck_assert_str_ne(said.text, "");
  fclose(full);
}

/* Returns the text written to a temporary stream so far. */
static const char *content_of(FILE *file, char *text, size_t room) {
  fflush(file);
  rewind(file);
  size_t length = fread(text, 1, room - 1, file);
  text[length] = '\0';
  fseek(file, 0, SEEK_END);
  return text;
}

CASE(csv_quotes_where_needed) {
  static const char *const cells[] = {"slice",      "",       "Lr", "a,b",      "say \"x\"",
                                      "two\nlines", " blank", "b ", "a\x1b[1m", "b\r,\"\x07\""};
  char text[512];
  FILE *file = tmpfile();
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    csv_print(file, cells[i]);
    fputc(';', file);
  }
  ck_assert_str_eq(content_of(file, text, sizeof text),
                   "slice;;Lr;\"a,b\";\"say \"\"x\"\"\";\"two\nlines\";\" blank\";\"b \";"
                   "a\\x1b[1m;\"b\\r,\"\"\\x07\"\"\";");
  fclose(file);
}

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static void wait_milliseconds(unsigned n) {
  usleep(n * 1000);
}

CASE(progress_without_a_terminal_leaves_lines_only) {
  char text[2048];
  FILE *file = tmpfile();
  progress shown;
  progress_open(&shown, file, PROGRESS_BAR);
  progress_start(&shown, "slice 12", "boards", 2000000, 0);
  for (int i = 0; i < 5; i++) {
    wait_milliseconds(30);
    progress_add(&shown, 400000);
  }
  ck_assert_str_eq(content_of(file, text, sizeof text), "");
  progress_note(&shown, "wave %d", 3);
  progress_finish(&shown);
  content_of(file, text, sizeof text);
  ck_assert_ptr_null(strchr(text, '\r'));
  ck_assert_ptr_null(strchr(text, '\033'));
  ck_assert_msg(starts_with(text, "wave 3\nslice 12: 2.00 M boards in "), "%s", text);
  ck_assert_ptr_nonnull(strstr(text, " boards/s)\n"));
  progress_start(&shown, "slice 13", "boards", 0, 0);
  progress_abandon(&shown);
  progress_finish(&shown);
  ck_assert_ptr_null(strstr(content_of(file, text, sizeof text), "slice 13"));
  fclose(file);
}

CASE(progress_can_be_quiet_or_json) {
  char text[4096];
  FILE *file = tmpfile();
  progress shown;
  ck_assert_int_eq(progress_choose(false, false), PROGRESS_BAR);
  ck_assert_int_eq(progress_choose(false, true), PROGRESS_JSON);
  ck_assert_int_eq(progress_choose(true, true), PROGRESS_QUIET);
  progress_open(&shown, file, PROGRESS_QUIET);
  progress_start(&shown, "s", "u", 2, 0);
  progress_add(&shown, 2);
  progress_note(&shown, "note");
  progress_finish(&shown);
  ck_assert_str_eq(content_of(file, text, sizeof text), "");

  progress_open(&shown, file, PROGRESS_JSON);
  progress_note(&shown, "say \"x\"");
  progress_start(&shown, "slice 12", "boards", 100, 40);
  progress_add(&shown, 60);
  progress_finish(&shown);
  content_of(file, text, sizeof text);
  ck_assert_msg(starts_with(text, "{\"event\":\"note\",\"message\":\"say \\\"x\\\"\"}\n"), "%s", text);
  ck_assert_ptr_nonnull(
      strstr(text, "{\"event\":\"start\",\"step\":\"slice 12\",\"unit\":\"boards\",\"done\":40,"));
  ck_assert_ptr_nonnull(strstr(text,
                               "{\"event\":\"finish\",\"step\":\"slice 12\",\"unit\":\"boards\",\"done\":100,"
                               "\"total\":100,"));
  fclose(file);
}

/* The two ends of a terminal: what is written to the result arrives at *master. */
static FILE *open_terminal(int *master) {
  *master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  char name[128];
  if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0) return NULL;
  if (ptsname_r(*master, name, sizeof name) != 0) return NULL;
  int slave = open(name, O_WRONLY | O_NOCTTY);
  return slave < 0 ? NULL : fdopen(slave, "w");
}

CASE(progress_draws_a_bar_at_most_ten_times_a_second) {
  int master;
  FILE *terminal = open_terminal(&master);
  if (terminal == NULL) {
    puts("SKIP: progress_draws_a_bar_at_most_ten_times_a_second: no pseudo-terminal");
    return;
  }
  progress shown;
  const double opened = clock_wall();
  progress_open(&shown, terminal, PROGRESS_BAR);
  progress_start(&shown, "slice 11", "boards", 0, 0); /* stands there from its start */
  progress_abandon(&shown);
  progress_start(&shown, "slice 12", "boards", 100000, 50000);
  double start = clock_wall();
  while (clock_wall() - start < 0.45) progress_add(&shown, 0);
  progress_add(&shown, 10000);
  wait_milliseconds(110);
  progress_add(&shown, 0);
  progress_finish(&shown);
  const double seconds = clock_wall() - opened;
  char text[8192];
  size_t length = 0;
  struct pollfd arrived = {.fd = master, .events = POLLIN};
  while (length < sizeof text - 1 && poll(&arrived, 1, 1000) > 0) { /* a terminal hands over piece by piece */
    ssize_t piece = read(master, text + length, sizeof text - 1 - length);
    ck_assert_int_gt(piece, 0);
    length += (size_t)piece;
  }
  text[length] = '\0';
  int bars = 0;
  for (const char *bar = text; (bar = strchr(bar, '[')) != NULL; bar++)
    bars += bar[1] == '#' || bar[1] == '.';
  ck_assert_int_ge(bars, 2);
  ck_assert_double_le(bars, 2 + 10 * seconds); /* the first of both slices too */
  ck_assert_ptr_nonnull(strstr(text, "slice 11"));
  ck_assert_ptr_nonnull(strstr(text, "50 %"));
  ck_assert_ptr_nonnull(strstr(text, "60 %"));
  ck_assert_ptr_nonnull(strstr(text, "boards/s"));
  ck_assert_ptr_nonnull(strstr(text, " left"));
  ck_assert_ptr_nonnull(strstr(text, "slice 12: 60.0 k boards in "));
  fclose(terminal);
  close(master);
}

static void *add_many(void *argument) {
  for (int i = 0; i < 100000; i++) progress_add(argument, 1);
  return NULL;
}

CASE(threads_add_to_one_progress) {
  char text[4096];
  FILE *file = tmpfile();
  progress shown;
  pthread_t threads[4];
  progress_open(&shown, file, PROGRESS_JSON);
  progress_start(&shown, "s", "u", 400000, 0);
  for (int i = 0; i < 4; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, add_many, &shown), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  progress_finish(&shown);
  ck_assert_ptr_nonnull(strstr(content_of(file, text, sizeof text),
                               "\"finish\",\"step\":\"s\",\"unit\":\"u\",\"done\":400000"));
  fclose(file);
}

SUITE("writers") {
  TESTS(json_is_written_without_blanks, json_fields_are_written_by_their_kind,
        json_strings_are_escaped_and_made_utf8, json_numbers_keep_their_value,
        json_out_of_place_is_an_error_at_the_end, lost_output_is_an_error_at_the_end, csv_quotes_where_needed,
        progress_without_a_terminal_leaves_lines_only, progress_can_be_quiet_or_json,
        progress_draws_a_bar_at_most_ten_times_a_second, threads_add_to_one_progress);
}
