/* Finds the ranks of a node and joins their resources. */
#include "parallel/fold.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void read_boot_id(char boot[], size_t room) {
  const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const ssize_t n = read(file, boot, room - 1);
  close(file);
  boot[n > 0 ? n : 0] = '\0';
}

void fold_describe_self(fold_rank *self) {
  struct stat network;
  memset(self, 0, sizeof *self);
  if (gethostname(self->host, sizeof self->host - 1) != 0) self->host[0] = '\0';
  read_boot_id(self->boot, sizeof self->boot);
  if (stat("/proc/self/ns/net", &network) == 0) self->network = network.st_ino;
  if (sched_getaffinity(0, sizeof self->processors, &self->processors) != 0) CPU_ZERO(&self->processors);
}

static bool are_on_one_node(const fold_rank *a, const fold_rank *b) {
  return *a->host && *a->boot && a->network && strcmp(a->host, b->host) == 0 &&
         strcmp(a->boot, b->boot) == 0 && a->network == b->network;
}

int fold_leader(const fold_rank *ranks, int rank) {
  int leader = 0;
  while (leader < rank && !are_on_one_node(&ranks[leader], &ranks[rank])) leader++;
  return leader;
}

fold_union fold_join_resources(const fold_rank *ranks, int n, int leader) {
  fold_union all = {0};
  bool given = false;
  for (int rank = leader; rank < n; rank++) {
    if (rank > leader && !are_on_one_node(&ranks[leader], &ranks[rank])) continue;
    all.ranks++;
    CPU_OR(&all.processors, &all.processors, &ranks[rank].processors);
    all.threads += ranks[rank].threads;
    all.memory += ranks[rank].memory;
    given |= ranks[rank].threads_given != 0;
  }
  if (!given) all.threads = 0;
  return all;
}

int fold_threads(const fold_union *all, int available) {
  const bool has_less = available < CPU_COUNT(&all->processors);
  const int threads = all->threads == 0 || (has_less && available < all->threads) ? available : all->threads;
  return threads > 0 ? threads : 1;
}
