/* Carries the collective calls of the ranks over MPI. */
#include "parallel/comm_mpi.h"

#include <stdio.h>
#include <string.h>

#include "parallel/launcher.h"

#ifndef TAULER_MPI

tauler_error comm_open_mpi(comm **out, tauler_message *message) {
  *out = NULL;
  const launcher started_by = launcher_find();
  if (!started_by.is_there || started_by.ranks == 1) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "this tauler was built without MPI and cannot be one of %d ranks; build it with "
                     "make MPI=1, or start it without a launcher",
                     started_by.ranks);
}

comm_mpi_name comm_mpi_implementation(void) {
  return (comm_mpi_name){"none"};
}

#else

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { SWAP_TAG = 1 };
/* Most bytes and most numbers in one call of MPI, whose counts are of type int. */
static const size_t most_broadcast = (size_t)256 << 20, most_combined = (size_t)1 << 24;

typedef struct {
  MPI_Comm ranks_of_job;
  int rank, ranks, neighbours;
  MPI_Request *requests; /* [2 * ranks] receives and sends in progress */
  MPI_Status *statuses;
  bool are_done;
  MPI_Request pulse;
  uint64_t pulse_own, pulse_all;
  bool has_pulse;
  bool is_part; /* true if split_ranks opened this link, which then does not end MPI */
  bool broken;
  char reason[MPI_MAX_ERROR_STRING + 64];
} mpi_link;

/* Most messages arrive within microseconds, and falling asleep costs more than many yields. If a wait is
 * longer, the other rank is working and may need this processor. */
static void sleep_between_tests(unsigned looks) {
  enum { LOOKS_AT_ONCE = 300, YIELDS = 20, LEAST_SLEEP = 20000, MORE_SLEEP = 5000, MOST_SLEEP = 500000 };
  if (looks < LOOKS_AT_ONCE) return;
  if (looks < LOOKS_AT_ONCE + YIELDS) {
    sched_yield();
    return;
  }
  const long longer = LEAST_SLEEP + MORE_SLEEP * (long)(looks - LOOKS_AT_ONCE - YIELDS);
  const long pause = longer < MOST_SLEEP ? longer : MOST_SLEEP;
  nanosleep(&(struct timespec){0, pause}, NULL);
}

static tauler_error note_mpi_error(mpi_link *link, const char *doing, int code) {
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, words, &length);
  for (char *end = strchr(words, '\n'); end; end = strchr(end, '\n')) *end = ' ';
  snprintf(link->reason, sizeof link->reason, "%s: %s", doing, words);
  link->broken = true;
  return TAULER_IO;
}

/* Returns the first error in the statuses of n requests if `code` is MPI_ERR_IN_STATUS, otherwise `code`. */
static int first_error(const MPI_Status *statuses, int n, int code) {
  for (int i = 0; code == MPI_ERR_IN_STATUS && i < n; i++) {
    if (statuses[i].MPI_ERROR != MPI_SUCCESS && statuses[i].MPI_ERROR != MPI_ERR_PENDING)
      return statuses[i].MPI_ERROR;
  }
  return code;
}

/* Tests the first n requests until they are done, or only once without `wait`. Sets link->are_done. */
static tauler_error test_requests(mpi_link *link, int n, bool wait, const char *doing) {
  int done = 0;
  for (unsigned looks = 0; !done; looks++) {
    const int code = MPI_Testall(n, link->requests, &done, link->statuses);
    if (code != MPI_SUCCESS) return note_mpi_error(link, doing, first_error(link->statuses, n, code));
    if (!done && !wait) break;
    if (!done) sleep_between_tests(looks < 1000000 ? looks : 1000000);
  }
  link->are_done = done;
  return TAULER_OK;
}

static const char swapping[] = "exchanging messages with the other ranks";

/* Starts to send one message, perhaps empty, to every other rank and to receive one. Messages between two
 * ranks keep their order, so a swap cannot receive a message of the next swap, and no counts need be sent
 * first. */
static tauler_error start_messages(void *user, const comm_buffer *out, comm_buffer *in, size_t room) {
  mpi_link *link = user;
  int n = 0;
  link->are_done = false;
  for (int from = 0; from < link->ranks; from++) {
    if (from == link->rank) continue;
    const int code = MPI_Irecv(in[from].bytes, (int)room, MPI_BYTE, from, SWAP_TAG, link->ranks_of_job,
                               &link->requests[n++]);
    if (code != MPI_SUCCESS) return note_mpi_error(link, swapping, code);
  }
  /* Each rank sends to a different rank first, so that not all send to rank 0 at once. */
  for (int step = 1; step < link->ranks; step++) {
    const int to = (link->rank + step) % link->ranks;
    const int code = MPI_Isend(out[to].bytes, (int)out[to].n, MPI_BYTE, to, SWAP_TAG, link->ranks_of_job,
                               &link->requests[n++]);
    if (code != MPI_SUCCESS) return note_mpi_error(link, swapping, code);
  }
  return TAULER_OK;
}

static tauler_error finish_messages(void *user, const comm_buffer *out, comm_buffer *in, size_t room,
                                    bool wait) {
  mpi_link *link = user;
  const int n = 2 * (link->ranks - 1);
  if (link->broken) return TAULER_IO;
  if (!link->are_done) {
    const tauler_error error = test_requests(link, n, wait, swapping);
    if (error || !wait) return error;
  }
  for (int i = 0, from = 0; wait && i < n / 2; i++, from++) {
    from += from == link->rank;
    int size = 0;
    MPI_Get_count(&link->statuses[i], MPI_BYTE, &size);
    in[from].n = (size_t)size;
  }
  return TAULER_OK;
}

static tauler_error reduce_numbers(void *user, comm_operation operation, uint64_t *numbers, size_t n) {
  mpi_link *link = user;
  static const char doing[] = "combining numbers";
  const MPI_Op by = operation == COMM_SUM ? MPI_SUM : operation == COMM_MAX ? MPI_MAX : MPI_BOR;
  tauler_error error = TAULER_OK;
  for (size_t at = 0; at < n && !error; at += most_combined) {
    const size_t now = n - at < most_combined ? n - at : most_combined;
    const int code = MPI_Iallreduce(MPI_IN_PLACE, numbers + at, (int)now, MPI_UINT64_T, by,
                                    link->ranks_of_job, link->requests);
    error = code == MPI_SUCCESS ? test_requests(link, 1, true, doing) : note_mpi_error(link, doing, code);
  }
  return error;
}

static tauler_error broadcast_bytes(void *user, int from, void *bytes, size_t n) {
  mpi_link *link = user;
  static const char doing[] = "spreading bytes";
  tauler_error error = TAULER_OK;
  for (size_t at = 0; at < n && !error; at += most_broadcast) {
    const size_t now = n - at < most_broadcast ? n - at : most_broadcast;
    const int code =
        MPI_Ibcast((char *)bytes + at, (int)now, MPI_BYTE, from, link->ranks_of_job, link->requests);
    error = code == MPI_SUCCESS ? test_requests(link, 1, true, doing) : note_mpi_error(link, doing, code);
  }
  return error;
}

/* A wait may last hours, so the sleeps between tests grow from 1 ms to 20 ms. */
static tauler_error run_pulse(void *user, uint64_t own, bool wait, uint64_t *all) {
  enum { SHORTEST = 1000000, LONGEST = 20000000 };
  mpi_link *link = user;
  static const char doing[] = "telling the other ranks that work goes on";
  int done = 0;
  if (!link->has_pulse) {
    link->pulse_own = own;
    const int code = MPI_Iallreduce(&link->pulse_own, &link->pulse_all, 1, MPI_UINT64_T, MPI_BOR,
                                    link->ranks_of_job, &link->pulse);
    if (code != MPI_SUCCESS) return note_mpi_error(link, doing, code);
    link->has_pulse = true;
  }
  for (long pause = SHORTEST;; pause = pause < LONGEST / 2 ? 2 * pause : LONGEST) {
    const int code = MPI_Test(&link->pulse, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return note_mpi_error(link, doing, code);
    if (done || !wait) break;
    nanosleep(&(struct timespec){0, pause}, NULL);
  }
  link->has_pulse = !done;
  if (done) *all = link->pulse_all;
  return TAULER_OK;
}

static const char *last_reason(void *user) {
  const mpi_link *link = user;
  return link->reason;
}

static void free_link(mpi_link *link) {
  free(link->requests);
  free(link->statuses);
  free(link);
}

/* Frees the link and, unless split_ranks opened it, ends MPI. If the link is broken, does nothing:
 * MPI_Finalize would wait for lost ranks, and requests may still be in progress. */
static void close_link(void *user) {
  mpi_link *link = user;
  if (link->broken) return;
  MPI_Comm_free(&link->ranks_of_job);
  if (!link->is_part) MPI_Finalize();
  free_link(link);
}

static mpi_link *make_link(int ranks) {
  mpi_link *link = calloc(1, sizeof *link);
  if (!link) return NULL;
  link->requests = calloc(2 * (size_t)ranks, sizeof *link->requests);
  link->statuses = calloc(2 * (size_t)ranks, sizeof *link->statuses);
  if (link->requests && link->statuses) return link;
  free_link(link);
  return NULL;
}

static int count_neighbours(mpi_link *link) {
  MPI_Comm host;
  int code = MPI_Comm_split_type(link->ranks_of_job, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(host, &link->neighbours);
  if (code == MPI_SUCCESS) code = MPI_Comm_free(&host);
  return code;
}

static int find_ranks(mpi_link *link) {
  int code = MPI_Comm_set_errhandler(link->ranks_of_job, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS) code = MPI_Comm_rank(link->ranks_of_job, &link->rank);
  if (code == MPI_SUCCESS) code = MPI_Comm_size(link->ranks_of_job, &link->ranks);
  if (code == MPI_SUCCESS) code = count_neighbours(link);
  return code;
}

static tauler_error split_ranks(void *user, int group, comm_link *out);

static comm_link link_functions(mpi_link *link) {
  return (comm_link){.link = link,
                     .rank = link->rank,
                     .ranks = link->ranks,
                     .neighbours = link->neighbours,
                     .start = start_messages,
                     .finish = finish_messages,
                     .allreduce = reduce_numbers,
                     .bcast = broadcast_bytes,
                     .split = split_ranks,
                     .pulse = run_pulse,
                     .close = close_link,
                     .reason = last_reason};
}

static tauler_error split_ranks(void *user, int group, comm_link *out) {
  mpi_link *link = user;
  static const char doing[] = "parting the ranks";
  MPI_Comm some;
  int code = MPI_Comm_split(link->ranks_of_job, group < 0 ? MPI_UNDEFINED : group, link->rank, &some);
  if (code != MPI_SUCCESS) return note_mpi_error(link, doing, code);
  if (group < 0) return TAULER_OK;
  mpi_link *part = make_link(link->ranks);
  if (!part) return TAULER_NO_MEMORY;
  part->ranks_of_job = some;
  part->is_part = true;
  code = find_ranks(part);
  if (code == MPI_SUCCESS) {
    *out = link_functions(part);
    return TAULER_OK;
  }
  free_link(part);
  return note_mpi_error(link, doing, code);
}

static tauler_error open_link(const launcher *started_by, mpi_link **out, tauler_message *message) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks == 1 && started_by->ranks > 1)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%d ranks were started but each sees itself alone; use the launcher of %s, which this "
                       "tauler was built with (srun: --mpi=pmix or --mpi=pmi2)",
                       started_by->ranks, comm_mpi_implementation().text);
  mpi_link *link = make_link(ranks);
  if (!link) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the links to %d ranks", ranks);
  int code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS) code = MPI_Comm_dup(MPI_COMM_WORLD, &link->ranks_of_job);
  if (code == MPI_SUCCESS) code = find_ranks(link);
  if (code != MPI_SUCCESS) {
    const tauler_error error =
        tauler_fail(message, note_mpi_error(link, "waiting for the other ranks", code), "%s", link->reason);
    free_link(link);
    return error;
  }
  *out = link;
  return TAULER_OK;
}

tauler_error comm_open_mpi(comm **out, tauler_message *message) {
  *out = NULL;
  const launcher started_by = launcher_find();
  if (!started_by.is_there) return TAULER_OK;
  int level = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
    return tauler_fail(message, TAULER_IO, "message passing does not start");
  mpi_link *link = NULL;
  tauler_error error =
      level >= MPI_THREAD_FUNNELED
          ? open_link(&started_by, &link, message)
          : tauler_fail(message, TAULER_BAD_USAGE, "%s does not allow several threads in a rank",
                        comm_mpi_implementation().text);
  if (error == TAULER_BAD_USAGE) MPI_Finalize(); /* does not wait for ever: all ranks get this error */
  if (error) return error;
  const comm_link by_mpi = link_functions(link);
  error = comm_open(&by_mpi, out, message);
  if (error) free_link(link); /* MPI_Finalize is not called because it would wait for the other ranks */
  return error;
}

comm_mpi_name comm_mpi_implementation(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  text[strcspn(text, ",\n")] = '\0';
  comm_mpi_name name = {""};
  /* The text is like "Open MPI v4.1.4" or "MPICH Version:\t4.0.2". */
  char *rest_of_text;
  for (const char *word = strtok_r(text, " \t", &rest_of_text); word;
       word = strtok_r(NULL, " \t", &rest_of_text)) {
    if (strcmp(word, "Version:") == 0) continue;
    if (word[0] == 'v' && word[1] >= '0' && word[1] <= '9') word++;
    const size_t used = strlen(name.text);
    snprintf(name.text + used, sizeof name.text - used, "%s%s", used ? " " : "", word);
  }
  return name;
}

#endif
