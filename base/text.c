/* Reads figures and lines from outside, writes figures for readers, and finds the word that was meant. */
#include "base/text.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text_show.h"

/* Bytes, NUL included, beyond which numbers are refused and words are cut. */
enum { NUMBER_ROOM = 64, WORD_ROOM = 64 };

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool text_read_unsigned(const char *text, uint64_t min, uint64_t max, uint64_t *value) {
  if (text == NULL || *text == '\0') return false;
  uint64_t sum = 0;
  for (const char *c = text; *c != '\0'; c++) {
    if (!is_digit(*c)) return false;
    uint64_t digit = (uint64_t)(*c - '0');
    if (sum > (UINT64_MAX - digit) / 10) return false;
    sum = sum * 10 + digit;
  }
  if (sum < min || sum > max) return false;
  *value = sum;
  return true;
}

/* Reads the number of `length` bytes at the start of text, with a decimal point in every locale. */
static bool convert_real(const char *text, size_t length, double *value) {
  if (length == 0 || length >= NUMBER_ROOM) return false;
  char *end;
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  *value = strtod_l(text, &end, plain);
  freelocale(plain);
  return end == text + length && isfinite(*value);
}

bool text_read_real(const char *text, double min, double max, double *value) {
  if (text == NULL || *text == '+') return false;
  const size_t length = strlen(text);
  double result;
  if (strspn(text, "0123456789.eE+-") < length || !convert_real(text, length, &result)) return false;
  if (!(result >= min && result <= max)) return false;
  *value = result;
  return true;
}

/* Returns the number of bytes of a unit, or 0 if it is unknown. */
static double size_factor(const char *unit) {
  static const char letters[] = "kmgtp";
  if (*unit == '\0' || strcasecmp(unit, "B") == 0) return 1;
  double binary = 1, decimal = 1;
  for (size_t i = 0; letters[i] != '\0'; i++) {
    binary *= 1024;
    decimal *= 1000;
    if ((unit[0] | 0x20) != letters[i]) continue;
    if (unit[1] == '\0' || strcasecmp(unit + 1, "iB") == 0) return binary;
    if (strcasecmp(unit + 1, "B") == 0) return decimal;
  }
  return 0;
}

bool text_read_size(const char *text, uint64_t *bytes) {
  if (text == NULL || !(is_digit(*text) || *text == '.')) return false;
  if (text_read_unsigned(text, 0, UINT64_MAX, bytes)) return true;
  const size_t length = strspn(text, "0123456789.");
  double number, factor = size_factor(text + length);
  if (!convert_real(text, length, &number) || factor == 0) return false;
  bool whole = memchr(text, '.', length) == NULL;
  double size = floor(number * factor);
  if ((factor == 1 && !whole) || size >= 0x1p64) return false;
  *bytes = (uint64_t)size;
  return true;
}

bool text_read_duration(const char *text, double *seconds) {
  static const char figures[] = "0123456789.";
  static const struct {
    char unit[3];
    double seconds;
  } units[] = {{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 1e-3}};
  if (text == NULL || *text == '\0') return false;
  if (text_read_real(text, 0, 1e15, seconds)) return true;
  double sum = 0;
  for (size_t i = 0; i < sizeof units / sizeof *units && *text != '\0'; i++) { /* from large to small */
    const size_t length = strspn(text, figures), letters = strlen(units[i].unit);
    double number;
    if (strncmp(text + length, units[i].unit, letters) != 0) continue;
    if (strchr(figures, text[length + letters]) == NULL) continue; /* "m" is not "ms" */
    if (!convert_real(text, length, &number)) return false;
    sum += number * units[i].seconds;
    text += length + letters;
  }
  if (*text != '\0' || !(sum <= 1e15)) return false;
  *seconds = sum;
  return true;
}

__attribute__((format(printf, 1, 2))) static text_figure print_figure(const char *format, ...) {
  text_figure figure;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(figure.text, sizeof figure.text, format, arguments);
  va_end(arguments);
  return figure;
}

/* Returns the number of decimals with which a number below 999.5 has three digits. */
static int digits_after_point(double number) {
  return number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
}

text_figure text_size(uint64_t bytes) {
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return print_figure("%u byte%s", (unsigned)bytes, bytes == 1 ? "" : "s");
  double size = (double)bytes / 1024;
  size_t unit = 0;
  for (; size >= 1023.5 && unit + 1 < sizeof units / sizeof *units; unit++) size /= 1024;
  return print_figure("%.*f %s", digits_after_point(size), size, units[unit]);
}

text_figure text_count(double count) {
  static const char *const units[] = {"", " k", " M", " G", " T", " P"};
  size_t unit = 0;
  for (; count >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++) count /= 1000;
  const int digits = unit == 0 && count == floor(count) ? 0 : digits_after_point(count);
  return print_figure("%.*f%s", digits, count, units[unit]);
}

text_figure text_duration(double seconds) {
  if (!(seconds >= 0)) seconds = 0;
  if (seconds < 9.95) return print_figure("%.*f s", seconds < 0.995 ? 2 : 1, seconds);
  if (seconds > 1e15) seconds = 1e15;
  unsigned long long whole = (unsigned long long)(seconds + 0.5);
  if (whole < 60) return print_figure("%llu s", whole);
  if (whole < 3600) return print_figure("%llu min %02llu s", whole / 60, whole % 60);
  if (whole < 86400) return print_figure("%llu h %02llu min", whole / 3600, whole / 60 % 60);
  return print_figure("%llu d %02llu h", whole / 86400, whole / 3600 % 24);
}

text_figure text_real(double value) {
  if (!isfinite(value)) return print_figure("%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
  text_figure figure;
  for (int digits = 15; digits <= 17; digits++) {
    figure = print_figure("%.*g", digits, value);
    if (strtod(figure.text, NULL) == value) break;
  }
  for (char *c = figure.text; *c != '\0'; c++)
    if (strchr("0123456789+-e", *c) == NULL) *c = '.'; /* a locale may use a comma */
  return figure;
}

enum {
  EXACT_DIGITS = 767, /* most significant decimal digits of a double */
  ENOUGH_DIGITS = 18  /* digits that suffice to read a double back, rounded either way */
};

/* The number 0.d1d2… · 10^point. */
typedef struct {
  char digits[ENOUGH_DIGITS + 2];
  int point;
} decimal;

static void increment_digits(decimal *d, int n) {
  int at = n - 1;
  while (at >= 0 && d->digits[at] == '9') d->digits[at--] = '0';
  if (at >= 0) {
    d->digits[at]++;
    return;
  }
  d->digits[0] = '1';
  d->point++;
}

/* Returns the first n digits of an exact number "d.ddd…e±xx". If `up` is true and the rest is not zero, the
 * last digit is increased. The digits are rounded here, since WebAssembly has no rounding modes. */
static decimal cut_digits(const char *exact, int n, bool up) {
  decimal d = {"", 1 + (int)strtol(strchr(exact, 'e') + 1, NULL, 10)};
  d.digits[0] = exact[0];
  memcpy(d.digits + 1, exact + 2, (size_t)n - 1);
  d.digits[n] = '\0';
  const bool follows = strspn(exact + 1 + n, "0") < (size_t)(EXACT_DIGITS - n);
  if (up && follows) increment_digits(&d, n);
  for (int i = n - 1; i > 0 && d.digits[i] == '0'; i--) d.digits[i] = '\0';
  return d;
}

/* Returns the shortest decimal that reads back as `size` > 0 and is at least (`up`) or at most `size`. */
static decimal shortest_decimal(double size, bool up) {
  char exact[EXACT_DIGITS + 16], read_back[ENOUGH_DIGITS + 32];
  snprintf(exact, sizeof exact, "%.*e", EXACT_DIGITS - 1, size);
  decimal d = {"", 0};
  for (int n = 1; n <= ENOUGH_DIGITS; n++) {
    d = cut_digits(exact, n, up);
    snprintf(read_back, sizeof read_back, "%se%d", d.digits, d.point - (int)strlen(d.digits));
    if (strtod(read_back, NULL) == size) break;
  }
  return d;
}

static text_figure write_decimal(const decimal *d, const char *sign) {
  const int n = (int)strlen(d->digits), point = d->point, whole = n < point ? n : point;
  if (point > -4 && point <= 0) return print_figure("%s0.%.*s%s", sign, -point, "0000", d->digits);
  if (point > 0 && point <= ENOUGH_DIGITS)
    return print_figure("%s%.*s%.*s%s%s", sign, whole, d->digits, point - whole, "00000000000000000000",
                        n > point ? "." : "", d->digits + whole);
  return print_figure("%s%c%s%se%+03d", sign, d->digits[0], n > 1 ? "." : "", d->digits + 1, point - 1);
}

static text_figure text_outward(double value, bool up) {
  if (!isfinite(value) || value == 0) return text_real(value == 0 ? 0 : value);
  const decimal d = shortest_decimal(fabs(value), up != (value < 0));
  return write_decimal(&d, value < 0 ? "-" : "");
}

text_figure text_below(double value) {
  return text_outward(value, false);
}

text_figure text_above(double value) {
  return text_outward(value, true);
}

text_figure text_unsigned(uint64_t value) {
  return print_figure("%llu", (unsigned long long)value);
}

text_figure text_signed(double value) {
  return value == 0 ? print_figure("0") : print_figure("%+g", value);
}

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

text_line text_clean(const char *text, size_t length) {
  static const char mark[] = "\xEF\xBB\xBF";
  const size_t mark_bytes = sizeof mark - 1;
  text_line line = {text, length};
  if (length >= mark_bytes && memcmp(text, mark, mark_bytes) == 0)
    line = (text_line){text + mark_bytes, length - mark_bytes};
  for (; line.length && is_blank(line.text[line.length - 1]); line.length--)
    ;
  for (; line.length && is_blank(*line.text); line.length--) line.text++;
  return line;
}

bool text_next_line(const char **left, size_t *length, text_line *line) {
  if (*length == 0) return false;
  const char *end = memchr(*left, '\n', *length);
  const size_t bytes = end ? (size_t)(end - *left) + 1 : *length;
  *line = text_clean(*left, bytes);
  *left += bytes;
  *length -= bytes;
  return true;
}

size_t text_find_odd(text_line line) {
  size_t at = 0;
  while (at < line.length && (line.text[at] == '\t' || (line.text[at] >= ' ' && line.text[at] <= '~'))) at++;
  return at;
}

text_figure text_sign(const char *at, size_t length) {
  static const struct {
    uint32_t point;
    const char *name;
  } known[] = {{0, "a NUL byte"},
               {'\t', "a tab"},
               {'\n', "a line end"},
               {'\r', "a carriage return"},
               {0xA0, "U+00A0, a no-break space"},
               {0xFEFF, "U+FEFF, a byte order mark"}};
  uint32_t point = 0;
  if (length == 0) return print_figure("the end");
  if (text_character(at, length, &point) == 0)
    return print_figure("byte %02X, which is no UTF-8", (unsigned char)*at);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].point == point) return print_figure("%s", known[i].name);
  if (point >= ' ' && point <= '~') return print_figure("'%c'", (char)point);
  return print_figure("U+%04X", (unsigned)point);
}

size_t text_characters(const char *text, size_t length) {
  size_t characters = 0;
  for (size_t i = 0; i < length; i++) characters += ((unsigned char)text[i] & 0xC0) != 0x80;
  return characters;
}

static size_t smaller_of(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Returns the least number of insertions, deletions, substitutions and swaps of neighbours between words. */
static size_t word_distance(const char *from, const char *to) {
  size_t n = strnlen(from, WORD_ROOM - 1), m = strnlen(to, WORD_ROOM - 1);
  size_t rows[3][WORD_ROOM];
  for (size_t j = 0; j <= m; j++) rows[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *row = rows[i % 3];
    const size_t *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      row[j] = smaller_of(smaller_of(above[j], row[j - 1]) + 1, above[j - 1] + (from[i - 1] != to[j - 1]));
      bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = smaller_of(row[j], twice[j - 2] + 1);
    }
  }
  return rows[n % 3][m];
}

const char *text_nearest(const char *word, const char *const *candidates, size_t n) {
  size_t length = strlen(word);
  if (length == 0) return NULL;
  const char *nearest = NULL;
  size_t best = 1 + (length < 4 ? 1 : length < 8 ? 2 : 3);
  for (size_t i = 0; i < n; i++) {
    if (candidates[i] == NULL) continue;
    bool continues = length >= 2 && strncmp(word, candidates[i], length) == 0;
    size_t distance = continues ? 1 : word_distance(word, candidates[i]);
    if (distance < best && distance < strlen(candidates[i])) {
      best = distance;
      nearest = candidates[i];
    }
  }
  return nearest;
}

void text_add(char *text, size_t room, const char *format, ...) {
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, room - used, format, arguments);
  va_end(arguments);
}

void text_end_line(char *text, size_t room) {
  for (size_t used = strlen(text); used > 0 && text[used - 1] == ' '; used--) text[used - 1] = '\0';
  text_add(text, room, "\n");
}

int text_wider(int width, const char *text) {
  const int n = (int)strlen(text);
  return n > width ? n : width;
}
