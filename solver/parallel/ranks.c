/* Makes the collective calls of the ranks, and counts the bytes that they send. */
#include "solver/parallel/ranks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "solver/parallel/watchdog.h"

struct team {
  team_link link;
  bool broken;
  uint64_t bytes_sent;
  _Atomic(watchdog *) watched_by;
  _Atomic uint64_t notes;
};

tauler_error team_open(const team_link *link, team **out, tauler_message *message) {
  *out = calloc(1, sizeof **out);
  if (!*out) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a team");
  (*out)->link = link ? *link : (team_link){.ranks = 1};
  return TAULER_OK;
}

void team_close(team *team) {
  if (!team) return;
  if (team->link.close) team->link.close(team->link.link);
  free(team);
}

int team_rank(const team *team) {
  return team ? team->link.rank : 0;
}

int team_neighbours(const team *team) {
  return team && team->link.neighbours > 0 ? team->link.neighbours : 1;
}

int team_ranks(const team *team) {
  return team ? team->link.ranks : 1;
}

bool team_is_broken(const team *team) {
  return team && team->broken;
}

uint64_t team_bytes_sent(const team *team) {
  return team ? team->bytes_sent : 0;
}

void team_set_watchdog(team *team, watchdog *watchdog) {
  if (team) atomic_store(&team->watched_by, watchdog);
}

uint64_t team_notes(const team *team) {
  return team ? atomic_load_explicit(&team->notes, memory_order_relaxed) : 0;
}

void team_note_progress(team *team) {
  if (team) atomic_fetch_add_explicit(&team->notes, 1, memory_order_relaxed);
  watchdog *watched_by = team ? atomic_load_explicit(&team->watched_by, memory_order_acquire) : NULL;
  if (watched_by) watchdog_note(watched_by);
}

/* What is left to do when a call of the link has come back. */
static tauler_error end_call(team *team, tauler_error error, tauler_message *message) {
  if (!error) {
    team_note_progress(team);
    return TAULER_OK;
  }
  team->broken = true;
  const char *reason = team->link.reason ? team->link.reason(team->link.link) : NULL;
  return tauler_fail(message, error, "rank %d of %d cannot reach the others: %s", team->link.rank,
                     team->link.ranks, reason ? reason : tauler_error_name(error));
}

static tauler_error refuse_broken(tauler_message *message) {
  return tauler_fail(message, TAULER_IO, "the ranks have lost each other");
}

tauler_error team_swap(team *team, const team_parcel *out, team_parcel *in, size_t room,
                       tauler_message *message) {
  in[team_rank(team)].n = 0;
  if (team_ranks(team) == 1) return TAULER_OK;
  if (team->broken) return refuse_broken(message);
  uint64_t sent = 0;
  for (int rank = 0; rank < team->link.ranks; rank++) {
    if (rank == team->link.rank) continue;
    if (out[rank].n > room || room > INT32_MAX)
      return tauler_fail(message, TAULER_INTERNAL, "a parcel of %zu bytes for rank %d, with room for %zu",
                         out[rank].n, rank, room);
    sent += out[rank].n;
  }
  const tauler_error error = team->link.swap(team->link.link, out, in, room);
  if (!error) team->bytes_sent += sent;
  return end_call(team, error, message);
}

tauler_error team_combine(team *team, team_operation operation, uint64_t *numbers, size_t n,
                          tauler_message *message) {
  if (team_ranks(team) == 1) return TAULER_OK;
  if (team->broken) return refuse_broken(message);
  return end_call(team, team->link.combine(team->link.link, operation, numbers, n), message);
}

tauler_error team_spread(team *team, int from, void *bytes, size_t n, tauler_message *message) {
  if (team_ranks(team) == 1) return TAULER_OK;
  if (team->broken) return refuse_broken(message);
  const tauler_error error = team->link.spread(team->link.link, from, bytes, n);
  if (!error && from == team->link.rank) team->bytes_sent += (uint64_t)n * (uint64_t)(team->link.ranks - 1);
  return end_call(team, error, message);
}

tauler_error team_agree(team *team, tauler_error error, tauler_message *message) {
  const int ranks = team_ranks(team);
  if (ranks == 1) return error;
  if (team->broken) return error ? error : refuse_broken(message);
  /* The largest number is that of the lowest rank that failed. */
  uint64_t worst = error ? (uint64_t)(ranks - team_rank(team)) << 32 | (uint64_t)error : 0;
  tauler_message said = {""};
  tauler_error lost = team_combine(team, TEAM_MOST, &worst, 1, &said);
  if (!lost && worst == 0) return TAULER_OK;
  const int first = ranks - (int)(worst >> 32);
  if (!lost) {
    if (message && first == team_rank(team)) said = *message;
    lost = team_spread(team, first, said.text, sizeof said.text, &said);
  }
  if (lost && error) return error; /* what this rank knows says more */
  if (message) *message = said;
  return lost ? lost : (tauler_error)(worst & UINT32_MAX);
}
