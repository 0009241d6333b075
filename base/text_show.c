/* Shows text from outside: escapes characters that control a terminal. */
#include "base/text_show.h"

#include <string.h>

size_t text_character(const char *text, size_t left, uint32_t *code) {
  static const uint32_t least_codes[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char lead = (unsigned char)text[0];
  const size_t length = lead < 0x80   ? 1
                        : lead < 0xC2 ? 0
                        : lead < 0xE0 ? 2
                        : lead < 0xF0 ? 3
                        : lead < 0xF5 ? 4
                                      : 0;
  if (length == 0 || length > left) return 0;
  uint32_t sum = length == 1 ? lead : lead & (0x7FU >> length);
  for (size_t i = 1; i < length; i++) {
    if (((unsigned char)text[i] & 0xC0) != 0x80) return 0;
    sum = sum << 6 | ((unsigned char)text[i] & 0x3FU);
  }
  if (sum < least_codes[length] || sum > 0x10FFFF || (sum >= 0xD800 && sum <= 0xDFFF)) return 0;
  *code = sum;
  return length;
}

bool text_is_control(uint32_t code) {
  static const uint32_t ranges[][2] = {
      {0, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},     {0x600, 0x605},     {0x61C, 0x61C},
      {0x6DD, 0x6DD},   {0x70F, 0x70F},   {0x180E, 0x180E}, {0x200B, 0x200F},   {0x2028, 0x202E},
      {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0x1D173, 0x1D17A}, {0xE0000, 0xE007F},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges && code >= ranges[i][0]; i++)
    if (code <= ranges[i][1]) return true;
  return false;
}

size_t text_show_character(const char *text, size_t left, char shown[TEXT_CHARACTER]) {
  static const char from[] = "\n\r\t", to[] = "nrt";
  uint32_t code = 0;
  const size_t length = text_character(text, left, &code);
  const char *known = length == 1 ? memchr(from, (int)code, sizeof from - 1) : NULL;
  if (length == 0) {
    snprintf(shown, TEXT_CHARACTER, "\\x%02x", (unsigned)(unsigned char)text[0]);
  } else if (known != NULL) {
    snprintf(shown, TEXT_CHARACTER, "\\%c", to[known - from]);
  } else if (!text_is_control(code)) {
    memcpy(shown, text, length);
    shown[length] = '\0';
  } else {
    snprintf(shown, TEXT_CHARACTER,
             code < 0x80      ? "\\x%02x"
             : code < 0x10000 ? "\\u%04x"
                              : "\\U%08x",
             (unsigned)code);
  }
  return length == 0 ? 1 : length;
}

void text_show(const char *text, char *shown, size_t room) {
  char one[TEXT_CHARACTER];
  for (size_t left = strlen(text); left > 0;) {
    const size_t step = text_show_character(text, left, one), n = strlen(one);
    if (n >= room) break;
    memcpy(shown, one, n);
    shown += n;
    room -= n;
    text += step;
    left -= step;
  }
  *shown = '\0';
}

size_t text_print(FILE *out, const char *text, size_t length) {
  char one[TEXT_CHARACTER];
  size_t bytes = 0;
  for (size_t at = 0; at < length;) {
    at += text_show_character(text + at, length - at, one);
    bytes += strlen(one);
    if (out) fputs(one, out);
  }
  return bytes;
}

text_display text_shown(const char *text) {
  text_display line = {""};
  text_show(text, line.text, sizeof line.text);
  return line;
}
