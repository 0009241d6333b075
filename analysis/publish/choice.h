/* Chooses tables of a published folder by their path and slice. Private to analysis/publish.
 *
 * A choice is set up by its caller and owns what it remembers until choice_free. One thread uses it.
 */
#ifndef ANALYSIS_PUBLISH_CHOICE_H
#define ANALYSIS_PUBLISH_CHOICE_H

#include "databases/names.h"

typedef struct {
  const char *below; /* "auale/abapa/own-row" for the tables in or below this folder, or NULL for all */
  const game_request *request; /* the slices of this size and those that they need, or NULL for all */
  /* The rule set of the last table, and its slices of the request. */
  table_header of;
  game_slices slices;
} fetch_choice;

/* True if the choice has the table. `path` is below the folder of tables; `game` and `rules` are those of its
 * header. Errors: those of game->slices. */
tauler_error choice_has(fetch_choice *choice, const char *path, const table_header *header, const game *game,
                        const game_rules *rules, bool *has, tauler_message *message);
void choice_free(fetch_choice *choice);

#endif
