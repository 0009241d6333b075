#include "solver/propagate/send.h"

/* One piece for each share that has to be told something. A target is one member's in a round, and the
 * exchange asks that nobody pushes twice without a look. */
static uint64_t ship_round(wave_updates *updates, exchange *exchange, crew_member *member, uint8_t *piece,
                           _Atomic int *failed) {
  uint64_t target, shipped = 0;
  while (!*failed && !exchange_is_full(exchange) && crew_next(member, updates->used, &target)) {
    uint32_t to;
    const size_t n = wave_updates_pack(updates, member->number, (uint32_t)target, piece, &to);
    if (n == 0) continue;
    shipped++;
    const tauler_error error = exchange_push(exchange, updates->at_work, to, piece, n);
    int none = TAULER_OK;
    if (error) atomic_compare_exchange_strong(failed, &none, (int)error);
  }
  return shipped;
}

typedef struct {
  wave_shipping *shipping;
  const exchange *exchange;
  const _Atomic int *failed;
} round_end;

static void end_round(void *user) {
  const round_end *at = user;
  wave_shipping *shipping = at->shipping;
  const bool full = exchange_is_full(at->exchange);
  shipping->again = shipping->any && !full && !*at->failed;
  shipping->any = false;
  shipping->unshipped = full;
}

uint64_t wave_ship(wave_shipping *shipping, wave_updates *updates, exchange *exchange, crew_member *member,
                   uint8_t *piece, _Atomic int *failed) {
  round_end at = {shipping, exchange, failed};
  uint64_t shipped = 0;
  do {
    const uint64_t now = ship_round(updates, exchange, member, piece, failed);
    if (now) shipping->any = true;
    shipped += now;
    crew_meet(member, end_round, &at);
  } while (shipping->again);
  return shipped;
}
