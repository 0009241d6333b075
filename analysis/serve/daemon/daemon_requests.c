/* Passes requests from libmicrohttpd to the interface, and its responses back. Refuses bodies that are too
 * large. */
#ifdef TAULER_HTTP

#include "analysis/serve/daemon/daemon.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <zlib.h>

#include "base/clock.h"
#include "base/text.h"

typedef struct {
  job job; /* first member, so that a pointer to it is a pointer to the request */
  struct MHD_Connection *connection;
  char *uri;  /* path and query, two texts after split_uri */
  char *body; /* body so far, or NULL if the request has none */
  size_t body_room;
  api_request asked;
  api_response response;
  int socket;
  double began,
      looked; /* times by clock_wall of the start, and of the last check whether the client has left */
  bool seen, answered;
  bool gzip;
  bool last; /* no other request follows on the connection */
  bool left; /* the client left while a worker answered */
} request;

/* The event that a connection is waiting for. */
typedef enum {
  WATCH_REQUEST, /* the rest of its next request */
  WATCH_WORK,    /* the computation of the answer */
  WATCH_ANSWER   /* the end of the sending of the answer */
} watch_stage;

struct watched {
  watched *next, *previous;
  int socket;
  _Atomic double since; /* clock_wall() at the start of the stage */
  _Atomic watch_stage stage;
};

/* --- connections --- */

static void set_stage(watched *connection, watch_stage stage) {
  if (!connection) return;
  atomic_store_explicit(&connection->since, clock_wall(), memory_order_relaxed);
  atomic_store_explicit(&connection->stage, stage, memory_order_relaxed);
}

/* The caller holds the lock. */
static watched *add_connection(server *all, int socket) {
  watched *added = calloc(1, sizeof *added);
  if (!added) return NULL;
  added->socket = socket;
  set_stage(added, WATCH_REQUEST);
  added->next = all->connections;
  if (all->connections) all->connections->previous = added;
  all->connections = added;
  all->connections_used++;
  return added;
}

/* The caller holds the lock. */
static void remove_connection(server *all, watched *connection) {
  if (!connection) return;
  if (connection->next) connection->next->previous = connection->previous;
  *(connection->previous ? &connection->previous->next : &all->connections) = connection->next;
  all->connections_used--;
  free(connection);
}

void requests_watch(void *user, struct MHD_Connection *connection, void **socket_context,
                    enum MHD_ConnectionNotificationCode what) {
  server *all = user;
  pthread_mutex_lock(&all->lock);
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    *socket_context = add_connection(
        all, MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
  } else {
    remove_connection(all, *socket_context);
    *socket_context = NULL;
  }
  api_set_connections(all->api, all->connections_used);
  pthread_mutex_unlock(&all->lock);
}

/* The lock keeps a socket from being closed, and its number from being reused, while it is shut down. */
void requests_shut_slow(server *all, double request_seconds, double answer_seconds) {
  const double now = clock_wall();
  pthread_mutex_lock(&all->lock);
  for (watched *at = all->connections; at; at = at->next) {
    const watch_stage stage = atomic_load_explicit(&at->stage, memory_order_relaxed);
    const double waited = now - atomic_load_explicit(&at->since, memory_order_relaxed);
    if ((stage == WATCH_REQUEST && waited > request_seconds) ||
        (stage == WATCH_ANSWER && waited > answer_seconds))
      shutdown(at->socket, SHUT_RDWR);
  }
  pthread_mutex_unlock(&all->lock);
}

/* --- requests --- */

/* Reduces "http://host/path?query" to path and query. */
static void split_uri(request *r) {
  char *path = r->uri;
  if (strncasecmp(path, "http://", 7) == 0) path += 7 + strcspn(path + 7, "/?");
  char *query = strchr(path, '?');
  if (query) *query++ = '\0';
  r->asked.path = *path ? path : "/";
  r->asked.query = query;
}

void *requests_begin(void *user, const char *uri, struct MHD_Connection *connection) {
  (void)user;
  request *r = calloc(1, sizeof *r);
  char *copy = r ? strdup(uri) : NULL;
  if (!copy) {
    free(r);
    return NULL;
  }
  r->uri = copy;
  r->connection = connection;
  r->began = clock_wall();
  split_uri(r);
  return r;
}

static watched *watched_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static void count_under_way(server *all, bool more) {
  pthread_mutex_lock(&all->lock);
  all->under_way += more ? 1 : (size_t)-1;
  if (all->under_way == 0) pthread_cond_broadcast(&all->fewer);
  pthread_mutex_unlock(&all->lock);
}

void requests_wait(server *all, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += (time_t)seconds;
  pthread_mutex_lock(&all->lock);
  while (all->under_way > 0 && pthread_cond_clockwait(&all->fewer, &all->lock, CLOCK_MONOTONIC, &until) == 0)
    continue;
  pthread_mutex_unlock(&all->lock);
}

/* --- compression --- */

/* Shorter answers fit into one network packet without compression. */
enum { LEAST_BYTES = 1000, LEVEL = 4, GZIP_WINDOW = 15 + 16 };

/* A weight of 0 refuses an encoding: "deflate, gzip;q=0". */
static bool gzip_is_accepted(const char *accepted) {
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

/* Compresses the body of a response with status 200 if that makes it shorter. Then makes the tag weak. */
static void gzip_response(api_response *response) {
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

/* --- answers --- */

/* Queues the response. libmicrohttpd then owns the body unless it is lent. */
static enum MHD_Result send_answer(server *all, request *r) {
  set_stage(watched_of(r->connection), WATCH_ANSWER);
  api_response *from = &r->response;
  const enum MHD_ResponseMemoryMode mode = from->lent ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE;
  struct MHD_Response *response = MHD_create_response_from_buffer(from->length, from->body, mode);
  if (!response) return MHD_NO;
  from->lent = true;
  for (size_t i = 0; i < from->headers_used; i++)
    MHD_add_response_header(response, from->headers[i].name, from->headers[i].value);
  if (r->last || atomic_load(&all->stopping))
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
  api_count_response(all->api, from, clock_wall() - r->began);
  const enum MHD_Result result = MHD_queue_response(r->connection, (unsigned)from->status, response);
  MHD_destroy_response(response);
  return result;
}

static void compute_answer(server *all, request *r) {
  api_answer(all->api, &r->asked, &r->response);
  if (r->gzip) gzip_response(&r->response);
}

bool requests_client_left(const job *waiting) {
  const request *r = (const request *)waiting;
  struct pollfd peer = {.fd = r->socket, .events = POLLRDHUP};
  return poll(&peer, 1, 0) == 1;
}

/* Checks the socket at most ten times a second, since a search asks very often. */
bool requests_own_client_left(void *user) {
  enum { LOOKS_PER_SECOND = 10 };
  const server *all = user;
  request *r = (request *)workers_current_job(all->workers);
  const double now = clock_wall();
  if (!r || r->left || now < r->looked + 1.0 / LOOKS_PER_SECOND) return r && r->left;
  r->looked = now;
  r->left = requests_client_left(&r->job);
  return r->left;
}

void requests_answer_job(server *all, job *next) {
  request *r = (request *)next;
  if (next->kind != JOB_SLOW && requests_client_left(next)) {
    api_answer_error(&r->asked, 499, "left", "the client has closed the connection", &r->response);
  } else if (atomic_load(&all->hurrying)) {
    api_answer_busy(&r->asked, &r->response);
  } else {
    compute_answer(all, r);
  }
  r->answered = true;
  MHD_resume_connection(r->connection);
}

/* --- headers and bodies --- */

typedef struct {
  bool coded; /* the request has a Transfer-Encoding */
  int hosts, lengths;
  uint64_t length;       /* greatest Content-Length, or UINT64_MAX if one cannot be read */
  const char *forwarded; /* last header in which a server in front names its client, or NULL */
} found_headers;

static enum MHD_Result read_header(void *user, enum MHD_ValueKind kind, const char *name, const char *value) {
  found_headers *found = user;
  (void)kind;
  found->hosts += strcasecmp(name, "Host") == 0;
  if (strcasecmp(name, "Transfer-Encoding") == 0) found->coded = true;
  if (strcasecmp(name, "X-Forwarded-For") == 0) found->forwarded = value;
  if (strcasecmp(name, "Content-Length") != 0) return MHD_YES;
  uint64_t length = UINT64_MAX;
  (void)text_read_unsigned(value, 0, UINT64_MAX, &length);
  if (length > found->length) found->length = length;
  found->lengths++;
  return MHD_YES;
}

/* Refuses a request before its body arrives. The connection ends without reading the body, so that no part of
 * the body can be taken for another request. */
static enum MHD_Result refuse_request(server *all, request *r, int status, const char *error,
                                      const char *sentence) {
  api_answer_error(&r->asked, status, error, sentence, &r->response);
  r->last = true;
  return send_answer(all, r);
}

/* Returns false if the request may have no body, if the length is not stated exactly once or is too large, or
 * if out of memory. */
static bool allocate_body(request *r, const found_headers *found) {
  if (!api_allows_body(&r->asked) || found->coded) return false;
  if (found->lengths != 1 || found->length > API_MOST_BODY) return false;
  r->body_room = (size_t)found->length;
  r->body = malloc(r->body_room + 1);
  return r->body != NULL;
}

/* More bytes than stated cannot arrive, since libmicrohttpd reads no more. */
static void add_to_body(request *r, const char *bytes, size_t length) {
  if (!r->body || r->asked.body_length + length > r->body_room) return;
  memcpy(r->body + r->asked.body_length, bytes, length);
  r->asked.body_length += length;
  r->asked.body = r->body;
}

/* Reads the last address, which a server in front of this one, on the same machine, has added. Those before
 * it are not trusted. */
static bool read_forwarded(const char *list, uint8_t client[16]) {
  const char *comma = strrchr(list, ',');
  const char *last = comma ? comma + 1 + strspn(comma + 1, " \t") : list;
  return inet_pton(AF_INET, last, client) == 1 || inet_pton(AF_INET6, last, client) == 1;
}

static void find_client(request *r, const char *forwarded) {
  const struct sockaddr *from =
      MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
  const struct in_addr *four = &((const struct sockaddr_in *)(const void *)from)->sin_addr;
  const struct in6_addr *six = &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr;
  uint8_t *client = r->job.client;
  const bool is_four = from->sa_family == AF_INET;
  const bool is_here = is_four ? ntohl(four->s_addr) >> 24 == IN_LOOPBACKNET : IN6_IS_ADDR_LOOPBACK(six);
  if (forwarded && is_here && read_forwarded(forwarded, client)) return;
  memcpy(client, is_four ? (const void *)four : six, is_four ? sizeof *four : sizeof *six);
}

/* A second Host, or a second length of a body, is refused, since a server in front may have used the other
 * one. */
static enum MHD_Result read_headers(server *all, request *r, const char *version) {
  found_headers found = {.coded = false};
  MHD_get_connection_values(r->connection, MHD_HEADER_KIND, read_header, &found);
  find_client(r, found.forwarded);
  if ((found.coded || found.length > 0) && !allocate_body(r, &found))
    return refuse_request(all, r, 413, "body refused",
                          api_allows_body(&r->asked)
                              ? "a body has one length, which is stated and at most 65536 bytes"
                              : "a question has no body: all of it stands in the address");
  if (found.hosts > 1 || (found.hosts == 0 && strcmp(version, MHD_HTTP_VERSION_1_1) == 0))
    return refuse_request(all, r, 400, tauler_error_name(TAULER_BAD_USAGE),
                          "a request names one host, in a header Host");
  return MHD_YES;
}

/* Answers a quick request at once. Passes others to the workers, which resume the connection after the
 * answer. */
static enum MHD_Result answer_request(server *all, request *r) {
  const api_cost cost = api_cost_of(all->api, &r->asked);
  if (cost == API_QUICK) {
    compute_answer(all, r);
    return send_answer(all, r);
  }
  r->job.kind = cost == API_SEARCH ? JOB_SEARCH : cost == API_DEAR ? JOB_DEAR : JOB_SLOW;
  r->socket = MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
  MHD_suspend_connection(r->connection);
  if (workers_add(all->workers, &r->job)) return MHD_YES;
  api_answer_busy(&r->asked, &r->response);
  r->answered = true;
  MHD_resume_connection(r->connection);
  return MHD_YES;
}

enum MHD_Result requests_answer(void *user, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_size, void **context) {
  server *all = user;
  request *r = *context;
  (void)url;
  if (!r) return MHD_NO;
  if (r->answered) return send_answer(all, r);
  if (r->seen && *upload_size > 0) {
    add_to_body(r, upload, *upload_size);
    *upload_size = 0;
    return MHD_YES;
  }
  if (r->seen) {
    set_stage(watched_of(connection), WATCH_WORK);
    return answer_request(all, r);
  }
  r->seen = true;
  r->asked.method = method;
  r->asked.if_none_match = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
  r->gzip = gzip_is_accepted(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Accept-Encoding"));
  count_under_way(all, true);
  return read_headers(all, r, version);
}

void requests_end(void *user, struct MHD_Connection *connection, void **context,
                  enum MHD_RequestTerminationCode how) {
  server *all = user;
  request *r = *context;
  (void)how;
  if (!r) return;
  set_stage(watched_of(connection), WATCH_REQUEST);
  *context = NULL;
  if (r->seen) count_under_way(all, false);
  api_response_free(&r->response);
  free(r->uri);
  free(r->body);
  free(r);
}

#endif
