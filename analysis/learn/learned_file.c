/* Writes and reads files of a `learned`. */
#include "analysis/learn/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/durable_file.h"

enum { GAME_BYTES = 32, DIGEST_BYTES = 16, KEPT_BLOCKS = 3 /* weights, mean, square */ };
static const char magic[16] = "tauler learned\n";
#define FORMAT UINT64_C(0x0100000000000001) /* another number if bytes are in the other order */

/* The head of a file. It has only 8-byte fields and texts, so that no gap is between them. */
typedef struct {
  char magic[sizeof magic];
  uint64_t format, features, inputs, hidden, played, games, seed;
  double lambda, rate, tried, mean_power, square_power;
  uint64_t dice[4];
  char game[GAME_BYTES];
  learned_from from;
} file_head;

static file_head make_head(const game *game, const learned_from *from, const learned *l) {
  file_head head = {.format = FORMAT,
                    .features = game->chance->features->version,
                    .inputs = l->net.inputs,
                    .hidden = l->net.hidden,
                    .played = l->played,
                    .games = l->settings.games,
                    .seed = l->settings.seed,
                    .lambda = l->settings.lambda,
                    .rate = l->settings.rate,
                    .tried = l->settings.tried,
                    .mean_power = l->net.mean_power,
                    .square_power = l->net.square_power};
  memcpy(head.magic, magic, sizeof magic);
  memcpy(head.dice, l->dice.word, sizeof head.dice);
  snprintf(head.game, sizeof head.game, "%s", game->name);
  snprintf(head.from.text, sizeof head.from.text, "%s", from->text);
  return head;
}

static void write_digest(const unsigned char *bytes, size_t n, unsigned char digest[DIGEST_BYTES]) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, n));
  memcpy(digest, canonical.digest, DIGEST_BYTES);
}

static void copy_blocks(const network *net, unsigned char *bytes) {
  const float *const blocks[KEPT_BLOCKS] = {net->weight, net->mean, net->square};
  const size_t n = net->used * sizeof *net->weight;
  for (int i = 0; i < KEPT_BLOCKS; i++) memcpy(bytes + (size_t)i * n, blocks[i], n);
}

tauler_error learned_save(const char *path, const game *game, const learned_from *from, const learned *l,
                          tauler_message *message) {
  const size_t n = sizeof(file_head) + l->net.used * KEPT_BLOCKS * sizeof *l->net.weight;
  const file_head head = make_head(game, from, l);
  unsigned char *bytes = malloc(n + DIGEST_BYTES);
  if (!bytes) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", path);
  memcpy(bytes, &head, sizeof head);
  copy_blocks(&l->net, bytes + sizeof head);
  write_digest(bytes, n, bytes + n);
  const tauler_error error = durable_file_put(path, bytes, n + DIGEST_BYTES, message);
  free(bytes);
  return error;
}

static tauler_error read_whole_file(const char *path, unsigned char **out, size_t *n,
                                    tauler_message *message) {
  enum { LONGEST = 1 << 24 };
  uint64_t bytes;
  int descriptor;
  *out = NULL;
  tauler_error error = durable_read_open(path, &descriptor, &bytes, message);
  struct stat about;
  if (error == TAULER_TABLE_MISSING)
    return tauler_fail(message, TAULER_IO, "cannot read %s: there is no such file", path);
  if (error && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
    return tauler_fail(message, TAULER_IO, "cannot read %s: it is a folder", path);
  if (error) return error;
  *n = bytes < LONGEST ? (size_t)bytes : 0;
  if (!(*out = malloc(*n + 1))) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %s", path);
  if (!error) error = durable_read_range(descriptor, path, 0, *out, *n, message);
  close(descriptor);
  return error;
}

/* Refuses a file of another kind first, then a damaged one, so that the message says which it is. */
static tauler_error check_bytes(const char *path, const unsigned char *bytes, size_t n, file_head *head,
                                tauler_message *message) {
  unsigned char digest[DIGEST_BYTES];
  if (n < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
    return tauler_fail(message, TAULER_DAMAGED_FILE,
                       "%s is no file of tauler learn; give one that it wrote with --out", path);
  if (n >= sizeof *head + DIGEST_BYTES) {
    write_digest(bytes, n - DIGEST_BYTES, digest);
    memcpy(head, bytes, sizeof *head);
    if (memcmp(digest, bytes + n - DIGEST_BYTES, DIGEST_BYTES) == 0) return TAULER_OK;
  }
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "%s is damaged: its bytes are not those that were written; learn again", path);
}

static tauler_error check_head(const char *path, const game *game, const file_head *head, size_t n,
                               tauler_message *message) {
  const chance_features *features = game->chance ? game->chance->features : NULL;
  if (head->format != FORMAT)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%s has a format that this program does not know; learn again", path);
  if (!features || strncmp(head->game, game->name, GAME_BYTES) != 0)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s was learned of %.31s, not of %s", path, head->game,
                       game->name);
  if (head->features != features->version || head->inputs != features->used)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%s describes positions in another way than this program does; learn again", path);
  const uint64_t hidden = head->hidden;
  if (hidden == 0 || hidden > NETWORK_MOST_HIDDEN || hidden % NETWORK_LANES ||
      n != sizeof *head + (hidden * (head->inputs + 2) + 1) * KEPT_BLOCKS * sizeof(float) + DIGEST_BYTES)
    return tauler_fail(message, TAULER_DAMAGED_FILE, "%s is damaged: it is not as long as its head says",
                       path);
  return TAULER_OK;
}

/* Refuses numbers that learning never reaches, since anyone may have written the file. With dice of only
 * zeros a player would draw for ever, and with infinite weights every answer would be nonsense. */
static tauler_error check_numbers(const char *path, const file_head *head, const unsigned char *bytes,
                                  tauler_message *message) {
  const size_t n = (size_t)(head->hidden * (head->inputs + 2) + 1) * KEPT_BLOCKS,
               squares = n / KEPT_BLOCKS * 2;
  bool right = (head->dice[0] | head->dice[1] | head->dice[2] | head->dice[3]) && head->games > 0 &&
               head->lambda >= 0 && head->lambda <= 1 && head->rate > 0 && head->rate <= 1 &&
               head->tried >= 0 && head->tried <= 1 && head->mean_power >= 0 && head->mean_power <= 1 &&
               head->square_power >= 0 && head->square_power <= 1;
  for (size_t i = 0; i < n && right; i++) {
    float number;
    memcpy(&number, bytes + sizeof *head + i * sizeof number, sizeof number);
    right = isfinite(number) && (i < squares || number >= 0);
  }
  if (right) return TAULER_OK;
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "%s holds numbers that no learning comes to; do not use it, and learn again", path);
}

static void copy_state(const file_head *head, const unsigned char *bytes, learned *out) {
  float *const blocks[KEPT_BLOCKS] = {out->net.weight, out->net.mean, out->net.square};
  const size_t n = out->net.used * sizeof *out->net.weight;
  for (int i = 0; i < KEPT_BLOCKS; i++) memcpy(blocks[i], bytes + sizeof *head + (size_t)i * n, n);
  memcpy(out->dice.word, head->dice, sizeof head->dice);
  out->net.mean_power = head->mean_power;
  out->net.square_power = head->square_power;
  out->played = head->played;
}

tauler_error learned_load(const char *path, const game *game, learned *out, learned_from *from,
                          tauler_message *message) {
  unsigned char *bytes;
  size_t n = 0;
  file_head head;
  *out = (learned){.played = 0};
  tauler_error error = read_whole_file(path, &bytes, &n, message);
  if (!error) error = check_bytes(path, bytes, n, &head, message);
  if (!error) error = check_head(path, game, &head, n, message);
  if (!error) error = check_numbers(path, &head, bytes, message);
  if (!error) {
    const learn_settings settings = {.seed = head.seed,
                                     .games = head.games,
                                     .lambda = head.lambda,
                                     .rate = head.rate,
                                     .tried = head.tried,
                                     .hidden = (uint32_t)head.hidden};
    error = learned_open(game, &settings, out, message);
  }
  if (!error) {
    copy_state(&head, bytes, out);
    *from = head.from;
    from->text[LEARNED_FROM_BYTES - 1] = '\0';
  }
  free(bytes);
  return error;
}
