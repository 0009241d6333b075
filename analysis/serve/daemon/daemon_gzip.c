/* Compresses answers for clients that accept gzip. */
#ifdef TAULER_HTTP

#include "analysis/serve/daemon/daemon.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

/* Shorter answers fit into one network packet without compression. */
enum { LEAST_BYTES = 1000, LEVEL = 4, GZIP_WINDOW = 15 + 16 };

/* Reads a list such as "gzip" or "deflate, gzip;q=0.5". A weight of 0 refuses an encoding. */
bool gzip_is_accepted(const char *accepted) {
  while (accepted && *accepted) {
    accepted += strspn(accepted, " \t,");
    const size_t length = strcspn(accepted, " \t,;");
    const char *rest = accepted + length + strspn(accepted + length, " \t");
    if (length == 4 && strncasecmp(accepted, "gzip", 4) == 0) {
      const char *weight = *rest == ';' ? rest + 1 + strspn(rest + 1, " \t") : "";
      return strncasecmp(weight, "q=", 2) != 0 || strtod(weight + 2, NULL) > 0;
    }
    accepted = rest + strcspn(rest, ",");
  }
  return false;
}

/* Returns the compressed bytes, or NULL if out of memory or if they are not shorter. */
static char *compress_bytes(const char *bytes, size_t length, size_t *out_length) {
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)length};
  char *out = malloc(length);
  if (!out) return NULL;
  stream.next_out = (Bytef *)out;
  stream.avail_out = (uInt)length;
  int result = deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY);
  if (result == Z_OK) {
    result = deflate(&stream, Z_FINISH);
    *out_length = stream.total_out;
    deflateEnd(&stream);
  }
  if (result == Z_STREAM_END) return out;
  free(out);
  return NULL;
}

void gzip_response(api_response *response) {
  size_t length = 0;
  if (response->status != 200 || response->length < LEAST_BYTES || response->length > INT32_MAX) return;
  char *packed = compress_bytes(response->body, response->length, &length);
  if (!packed) return;
  if (!response->lent) free(response->body);
  response->body = packed;
  response->length = length;
  response->lent = false;
  if (*response->etag) { /* a header points to this text, so it changes in place */
    memmove(response->etag + 2, response->etag, strlen(response->etag) + 1);
    memcpy(response->etag, "W/", 2);
  }
  response->headers[response->headers_used++] = (api_header){"Content-Encoding", "gzip"};
}

#endif
