/* The WebAssembly module of a published page, which answers requests in place of a server: the interface of
 * analysis/serve over the files of a published folder. One caller asks one question at a time. */
#include <stdlib.h>

#include "analysis/publish/catalogue.h"
#include "analysis/serve/api.h"

#define EXPORTED(name) __attribute__((export_name(#name)))

enum { CACHE_BYTES = 32 << 20 };

typedef struct {
  api *served;
  api_response answer;
} page;

/* Opens a published folder, until the page ends. Returns NULL if it fails. */
EXPORTED(page_open) page *page_open(const char *folder) {
  const api_settings settings = {.folder = folder, .cache_bytes = CACHE_BYTES};
  page *made = calloc(1, sizeof *made);
  if (made && !api_open(&settings, &made->served, NULL)) return made;
  free(made);
  return NULL;
}

/* Answers a request. Texts end with a NUL; `query` and `body` may be NULL. Returns the HTTP status. */
EXPORTED(page_ask)
int page_ask(page *from, const char *method, const char *path, const char *query, const char *body,
             size_t length) {
  const api_request asked = {
      .method = method, .path = path, .query = query, .body = body, .body_length = length};
  api_response_free(&from->answer);
  api_answer(from->served, &asked, &from->answer);
  return from->answer.status;
}

/* Returns the body of the last answer, valid until the next question. */
EXPORTED(page_body) const char *page_body(const page *from) {
  return from->answer.body;
}

EXPORTED(page_body_length) size_t page_body_length(const page *from) {
  return from->answer.length;
}

/* Allocates memory in which the caller passes texts to the module. */
EXPORTED(page_room) void *page_room(size_t n) {
  return malloc(n);
}

EXPORTED(page_free) void page_free(void *room) {
  free(room);
}

/* Decompresses the catalogue of a folder. Returns a block of its length as u64 and its bytes, which
 * page_free frees, or NULL if it is damaged or memory is short. */
EXPORTED(page_catalogue) unsigned char *page_catalogue(const unsigned char *bytes, size_t n) {
  unsigned char *plain;
  size_t used;
  if (catalogue_decompress("the catalogue", bytes, n, &plain, &used, NULL)) return NULL;
  unsigned char *out = malloc(sizeof(uint64_t) + used);
  if (out) {
    const uint64_t length = used;
    __builtin_memcpy(out, &length, sizeof length);
    __builtin_memcpy(out + sizeof length, plain, used);
  }
  free(plain);
  return out;
}
