/* Calls that ranks make together; one rank alone answers them itself. */
#include "base/ranks.h"

tauler_error ranks_agree(const rank_calls *calls, tauler_error error, tauler_message *message) {
  return ranks_used(calls) == 1 ? error : calls->agree(calls->carrier, error, message);
}

tauler_error ranks_sum(const rank_calls *calls, uint64_t *numbers, size_t n, tauler_message *message) {
  return ranks_used(calls) == 1 ? TAULER_OK : calls->sum(calls->carrier, numbers, n, message);
}

tauler_error ranks_most(const rank_calls *calls, uint64_t *numbers, size_t n, tauler_message *message) {
  return ranks_used(calls) == 1 ? TAULER_OK : calls->most(calls->carrier, numbers, n, message);
}

tauler_error ranks_share(const rank_calls *calls, int from, void *bytes, size_t n, tauler_message *message) {
  return ranks_used(calls) == 1 ? TAULER_OK : calls->share(calls->carrier, from, bytes, n, message);
}

tauler_error ranks_share_first(const rank_calls *calls, bool *has, void *bytes, size_t n,
                               tauler_message *message) {
  uint64_t first = *has ? (uint64_t)(ranks_used(calls) - ranks_self(calls)) : 0;
  const tauler_error error = ranks_most(calls, &first, 1, message);
  *has = first > 0;
  return error || !*has ? error : ranks_share(calls, ranks_used(calls) - (int)first, bytes, n, message);
}

tauler_error ranks_exchange(const rank_calls *calls, const rank_buffer *out, rank_buffer *in, size_t room,
                            tauler_message *message) {
  if (ranks_used(calls) > 1) return calls->exchange(calls->carrier, out, in, room, message);
  in[0].n = 0;
  return TAULER_OK;
}

void ranks_note(const rank_calls *calls) {
  if (calls) calls->note(calls->carrier);
}
