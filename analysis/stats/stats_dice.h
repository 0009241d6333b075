/* Statistics of games of dice: the expectations from the start of every slice, and how much choices matter
 * there. Private to analysis/. */
#ifndef ANALYSIS_STATS_STATS_DICE_H
#define ANALYSIS_STATS_STATS_DICE_H

#include "analysis/dice/survey.h"
#include "analysis/stats/print_counts.h"

/* The figures printed beside, or in CSV in place of, the expectations. */
typedef enum { SURVEY_NONE, SURVEY_CHOICES, SURVEY_POLICIES } survey_wish;

typedef struct {
  tauler_tables *tables;
  const game_slices *slices;
  const game_request *request;
  int form; /* FORM_TEXT, FORM_CSV, FORM_JSON */
  int threads;
  comm *ranks;     /* the ranks that share surveys and matches, or NULL for one */
  bool with_total; /* also the start of the game */
  survey_wish survey;
  bool every;                /* all stored positions are looked at, not only those that play reaches */
  memory_budget *memory;     /* for these */
  const survey_player *more; /* a policy to look at beside the game's own, or NULL */
  uint64_t stride;           /* 0: as survey_stride says */
  progress *shown;
} stats_dice_job;

/* Prints all slices asked for. Errors: TAULER_BAD_USAGE (nobody chooses), as slice_table, as reached_open;
 * nothing is printed when a table is missing. */
tauler_error stats_dice(const stats_dice_job *job, tauler_message *message);

/* Finds out that tables are missing before anything is printed: of the slices asked for, or of all. */
tauler_error stats_dice_open(const stats_dice_job *job, bool all, tauler_message *message);

/* The positions that are looked at, of a game whose tables need not be open; `*looked_at` is `found`, to be
 * closed, or NULL with `every`. Each rank finds them out. Errors: as reached_open, of any rank. */
tauler_error stats_dice_reach(const stats_dice_job *job, const game *game, const game_rules *rules,
                              reached *found, const reached **looked_at, tauler_message *message);

#endif
