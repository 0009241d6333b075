/* Reads files of a published folder, from a folder or by HTTP. */
#include "analysis/publish/fetch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/durable_file.h"

enum { ADDRESS_BYTES = 3 * FOLDER_PATH_BYTES };

static bool is_letter_or_digit(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

/* True if the text begins with SCHEME://. A folder with such a name is written ./SCHEME://…. */
static bool is_address(const char *source) {
  size_t n = 0;
  while (is_letter_or_digit(source[n]) || (n && source[n] && strchr("+-.", source[n]))) n++;
  return n && strncmp(source + n, "://", 3) == 0;
}

tauler_error fetch_check_source(const char *source, tauler_message *message) {
  if (!is_address(source) || strncasecmp(source, "http://", 7) == 0 ||
      strncasecmp(source, "https://", 8) == 0)
    return TAULER_OK;
  return tauler_fail(
      message, TAULER_BAD_USAGE,
      "%.300s is no address that is fetched from: give one of http or https, or a folder by its path",
      source);
}

/* Writes SOURCE/BELOW; escapes bytes of BELOW that have a meaning in addresses. Returns false if it is too
 * long. */
static bool write_address(const char *source, const char *below, char address[ADDRESS_BYTES]) {
  size_t at = strlen(source);
  while (at && source[at - 1] == '/') at--;
  if (at + 3 * strlen(below) + 2 > ADDRESS_BYTES) return false;
  at = (size_t)snprintf(address, ADDRESS_BYTES, "%.*s/", (int)at, source);
  for (; *below; below++)
    at += (size_t)snprintf(address + at, ADDRESS_BYTES - at,
                           is_letter_or_digit(*below) || strchr("-._~/", *below) ? "%c" : "%%%02X",
                           (unsigned char)*below);
  return true;
}

static tauler_error fail_too_long(const fetch_wish *wish, tauler_message *message) {
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "%.400s of %.300s is longer than the %" PRIu64 " bytes that it may have", wish->below,
                     wish->from->name, wish->most);
}

static tauler_error add_piece(void *user, const void *bytes, size_t n, tauler_message *message) {
  fetch_wish *wish = user;
  if (n > wish->most - wish->end) return fail_too_long(wish, message);
  const tauler_error error = wish->take(wish->user, wish->end, bytes, n, message);
  if (!error) wish->end += n;
  return error;
}

static tauler_error fetch_remote(fetch_wish *wish, tauler_message *message) {
  const fetch_source *from = wish->from;
  char address[ADDRESS_BYTES];
  double seconds = from->timeout;
  bool no_part = false;
  if (!write_address(from->name, wish->below, address))
    return tauler_fail(message, TAULER_BAD_USAGE, "the address is too long: %.200s", from->name);
  curl_request request = {
      .address = address, .first = wish->first, .seconds = &seconds, .timeout = from->timeout};
  wish->end = request.first;
  tauler_error error = curl_read(&request, add_piece, wish, &no_part, message);
  if (error || !no_part) return error;
  wish->end = request.first = 0;
  return curl_read(&request, add_piece, wish, &no_part, message);
}

static tauler_error fetch_local(fetch_wish *wish, tauler_message *message) {
  const char *folder = wish->from->name;
  char path[FOLDER_PATH_BYTES];
  uint64_t n = 0;
  int descriptor;
  if (snprintf(path, sizeof path, "%s/%s", folder, wish->below) >= (int)sizeof path)
    return tauler_fail(message, TAULER_BAD_USAGE, "the path is too long: %.200s", folder);
  tauler_error error = durable_read_open(path, &descriptor, &n, message);
  if (error == TAULER_TABLE_MISSING)
    return tauler_fail(message, error, "%.400s is no published folder: there is no %.300s", folder, path);
  if (error) return error;
  if (n > wish->most) error = fail_too_long(wish, message);
  wish->end = n < wish->first ? 0 : wish->first;
  if (!error) error = place_read_parts(descriptor, path, wish->end, n, add_piece, wish, message);
  close(descriptor);
  return error;
}

tauler_error fetch_file(fetch_wish *wish, tauler_message *message) {
  return is_address(wish->from->name) ? fetch_remote(wish, message) : fetch_local(wish, message);
}
