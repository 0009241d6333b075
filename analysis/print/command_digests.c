/* Runs tauler verify --digests: options, and the differences as text and JSON. */
#include "analysis/print/digests.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/text_show.h"
#include "games/game_options.h"

static void print_finding(void *user, const digests_finding *found) {
  (void)user;
  if (found->verdict == DIGESTS_AGREE) return;
  printf("%-8s  %s.%s", digests_verdict_name(found->verdict), text_shown(found->slice).text,
         text_shown(found->stream).text);
  if (found->verdict == DIGESTS_DIFFER) printf(": %s, in the list %s", found->own, found->listed);
  printf("\n");
}

static void print_json(void *user, const digests_finding *found) {
  (void)user;
  json_line(stdout, JSON_TEXT("slice", found->slice), JSON_TEXT("stream", found->stream),
            JSON_TEXT("verdict", digests_verdict_name(found->verdict)),
            JSON_TEXT("table", *found->own ? found->own : NULL),
            JSON_TEXT("listed", *found->listed ? found->listed : NULL));
}

static tauler_error compare(digests_job *job, bool as_json, tauler_message *message) {
  size_t counts[DIGESTS_VERDICTS];
  job->report = as_json ? print_json : print_finding;
  const tauler_error error = digests_compare(job, counts, message);
  if (error) return error;
  if (!as_json)
    printf("%zu agree, %zu differ, %zu missing, %zu extra\n", counts[DIGESTS_AGREE], counts[DIGESTS_DIFFER],
           counts[DIGESTS_MISSING], counts[DIGESTS_EXTRA]);
  /* Differences were printed as the result. */
  const bool same = !counts[DIGESTS_DIFFER] && !counts[DIGESTS_MISSING] && !counts[DIGESTS_EXTRA];
  return same ? TAULER_OK : TAULER_NOT_PROVEN;
}

tauler_error command_digests(const options *parsed, tauler_message *message) {
  digests_job job = {.folder = game_options_folder(parsed), .file = options_get(parsed, "digests")};
  game_request request;
  game_slices slices = {NULL, 0};
  game_rules *rules;
  if (message) *message->text = '\0';
  if (options_arguments(parsed) == 0)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "a list of digests is of one rule set: tauler verify GAME --rules … --digests FILE");
  tauler_error error = game_options_open(parsed, &job.game, &rules, &request, message);
  if (error) return error;
  job.rules = rules;
  if (request.largest || request.material || request.board) {
    error = job.game->slices(rules, &request, &slices, message);
    job.slices = &slices;
  }
  if (!error) error = compare(&job, options_has(parsed, "json"), message);
  free(slices.slices);
  job.game->close(rules);
  return error;
}
