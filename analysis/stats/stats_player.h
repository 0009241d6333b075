/* Players of games that statistics play out: by tables, by what was learned, by a policy of the game; and
 * what they lose by their choices. Private to analysis/. */
#ifndef ANALYSIS_STATS_STATS_PLAYER_H
#define ANALYSIS_STATS_STATS_PLAYER_H

#include <stdatomic.h>

#include "analysis/learn/learned_player.h"

typedef struct {
  tauler_tables *tables;
  int policy;
  bool judged; /* by tables, as it plays */
  learned_player learned;
  /* Regrets: whole numbers, so that the order of threads does not matter; in units of 2^-40, cut off. */
  _Atomic uint64_t choices, cost_2_40, most_2_40;
} stats_player;

/* names: of one way to choose, or of seat 1's and seat 2's with a comma between; NULL: best. Errors:
 * TAULER_BAD_USAGE (there is no such way), those of learned_player_open; on error there is nothing to close.
 */
tauler_error stats_players_open(tauler_tables *tables, const char *names, bool judged,
                                stats_player players[2], tauler_message *message);
void stats_players_close(stats_player players[2]);

/* True if choices need tables. */
bool stats_players_ask_tables(const stats_player players[2]);

simulate_policy stats_player_policy(stats_player *player);

typedef struct {
  uint64_t choices;
  double mean, sum, most; /* in games won, of all choices */
} regret_figures;

/* The losses since the last call, on all ranks. Errors: TAULER_IO. */
tauler_error stats_player_regrets(stats_player *player, comm *ranks, regret_figures *out,
                                  tauler_message *message);

#endif
