/* Runs the command serve: reads its options, and serves until it is stopped. */
#include <stdio.h>
#include <sys/stat.h>

#include "analysis/serve/daemon/daemon.h"
#include "analysis/serve/page_files.h"
#include "base/command/command.h"
#include "base/command/signals.h"
#include "base/command/threads.h"
#include "base/text_show.h"
#include "games/game_options.h"

static const option own_options[] = {
    {"port", "N", "port to listen on, 8417 by default; 0: any that is free", NULL},
    {"address", "ADDRESS",
     "address to listen on; default 127.0.0.1, for programs of this machine alone; 0.0.0.0 or :: for all",
     NULL},
    {"threads", "N", "threads that answer; default: the processors this process may use", NULL},
    {"connections", "N", "connections at once at most, 2000 by default", NULL},
    {"timeout", "DURATION", "a connection on which nothing happens for so long is closed; default 30s", NULL},
    {"cache", "SIZE", "decoded parts of tables kept in memory at most; default 64M", NULL},
    {"explorer", "DIR", "serve the explorer's files from this folder, to work on them", "@dir"},
};
static const option_group own_group = OPTION_GROUP("Serving", own_options);
static const option_group *const groups[] = {&game_options_folders_group, &own_group, NULL};

static tauler_error read_settings(const options *parsed, daemon_settings *daemon, api_settings *api,
                                  game_options_folders *folders, tauler_message *message) {
  uint64_t port = 8417, connections = 2000, cache = 0;
  double timeout = 30;
  tauler_error error = options_number(parsed, "port", 0, 65535, &port, message);
  if (!error) error = options_number(parsed, "connections", 1, 100000, &connections, message);
  if (!error) error = options_size(parsed, "cache", &cache, message);
  if (!error) error = options_duration(parsed, "timeout", &timeout, message);
  if (!error && (timeout < 1 || timeout > 86400))
    error = tauler_fail(message, TAULER_BAD_USAGE, "--timeout is from one second to one day");
  if (!error) error = threads_option(parsed, &daemon->threads, message);
  if (!error) error = game_options_folders_read(parsed, folders, message);
  if (error) return error;
  const char *address = options_get(parsed, "address");
  daemon->address = address ? address : "127.0.0.1";
  daemon->port = (uint16_t)port;
  daemon->connections = (unsigned)connections;
  daemon->timeout = (unsigned)timeout;
  *api = (api_settings){.folder = folders->names[0],
                        .more_folders = folders->names + 1,
                        .cache_bytes = (size_t)cache,
                        .files = page_files,
                        .files_used = page_files_used,
                        .explorer = options_get(parsed, "explorer")};
  return TAULER_OK;
}

static void warn_of_missing_folder(const char *folder) {
  struct stat about;
  if (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode))
    fprintf(stderr, "tauler serve: there is no folder %s yet; until there is, every table is missing\n",
            text_shown(folder).text);
}

static tauler_error run_serve(const options *parsed, tauler_message *message) {
  daemon_settings settings;
  api_settings of_api;
  game_options_folders folders;
  tauler_error error = daemon_check_built(message);
  if (!error) error = read_settings(parsed, &settings, &of_api, &folders, message);
  if (error) return error;
  for (const char **folder = folders.names; *folder; folder++) warn_of_missing_folder(*folder);
  signals_hold();
  return daemon_run(&of_api, &settings, message);
}

const command command_serve = {.name = "serve",
                               .groups = groups,
                               .stopped = "ended at once; requests under way were not answered",
                               .run = run_serve};
