/* Visits positions on all threads and adds their counts, and reads the values of a slice. */
#include "analysis/claims/counting.h"

void counted_note_most(counted *counts, uint64_t most, uint64_t place) {
  if (most < counts->most || (most == counts->most && place >= counts->place)) return;
  counts->most = most;
  counts->place = place;
}

static size_t piece_size(uint64_t first, uint64_t total) {
  return (size_t)(total - first < COUNTING_PIECE ? total - first : COUNTING_PIECE);
}

static void add_counted(counted *sum, const counted *own) {
  for (int i = 0; i < COUNTING_KINDS; i++) sum->of[i] += own->of[i];
  counted_note_most(sum, own->most, own->place);
  sum->failed |= own->failed;
}

/* Threads visit the pieces in any order, since the sums and the noted position do not depend on it. */
void counting_visit_all(claim_tables *t, uint64_t total, counting_visit *visit, const void *user,
                        counted *out) {
  *out = (counted){.most = 0};
#pragma omp parallel num_threads(t->job->threads)
  {
    counted own = {.most = 0};
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t first = 0; first < total; first += COUNTING_PIECE)
      visit(user, first, piece_size(first, total), &own);
#pragma omp critical(claims_counting)
    add_counted(out, &own);
  }
  if (out->failed) claim_fail(t->kept, TAULER_NO_MEMORY, "no memory for the turns of a position");
}

int8_t *counting_read_values(claim_tables *t, bulk *all, uint32_t slice) {
  claim_error *kept = t->kept;
  const uint64_t total = t->game->positions(t->rules, slice);
  int8_t *values = NULL;
  bulk_slice loaded;
  if (CLAIM_CATCH(kept, bulk_load(all, slice, &loaded, &kept->message)) ||
      CLAIM_CATCH(kept, memory_allocate(t->job->memory, total, "values of a slice", &values, &kept->message)))
    return NULL;
#pragma omp parallel for schedule(dynamic, 1) num_threads(t->job->threads)
  for (uint64_t first = 0; first < total; first += COUNTING_PIECE) {
    uint16_t depths[COUNTING_PIECE];
    bulk_read_outcomes(&loaded, first, piece_size(first, total), values + first, depths);
  }
  return values;
}
