/* The part of `tauler stats` that is about games of dice: what its options mean together, and which function
 * answers. Private to analysis/. */
#ifndef ANALYSIS_STATS_COMMAND_STATS_DICE_H
#define ANALYSIS_STATS_COMMAND_STATS_DICE_H

#include "analysis/stats/stats_counts.h"
#include "base/command/command.h"

extern const option_group command_stats_dice_group;

/* Refuses options of dice for other games, those of others for dice, and what does not go together. Errors:
 * TAULER_BAD_USAGE. */
tauler_error command_stats_dice_check(const options *parsed, const game *chosen, bool dice,
                                      tauler_message *message);

/* True if an answer is read from tables, and how much room they may take in memory while that is done; 0: the
 * usual. */
bool command_stats_dice_needs_tables(const options *parsed);
size_t command_stats_dice_cache(const options *parsed, const memory_budget *memory);

/* `job` as for counts; its tables are open if they are needed. Errors: TAULER_BAD_USAGE, those of the
 * function that answers. */
tauler_error command_stats_dice(const options *parsed, const game *chosen, const game_rules *rules,
                                const stats_counts_job *job, tauler_message *message);

#endif
