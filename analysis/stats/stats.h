/* Counts of the command stats and their text, JSON and CSV, for games without dice and for games of dice.
 * Private to analysis/. */
#ifndef ANALYSIS_STATS_STATS_H
#define ANALYSIS_STATS_STATS_H

#include <stdatomic.h>
#include <stdio.h>

#include "analysis/dice/matches.h"
#include "analysis/dice/survey.h"
#include "analysis/learn/learned_player.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/stats/tally.h"
#include "base/command/command.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/progress.h"
#include "games/game.h"
#include "parallel/comm.h"

enum { FORM_TEXT, FORM_CSV, FORM_JSON };

typedef struct stats_plot stats_plot;

/* The figures printed beside, or in CSV in place of, the expectations. */
typedef enum { SURVEY_NONE, SURVEY_CHOICES, SURVEY_POLICIES } survey_wish;

/* A request for statistics. */
typedef struct {
  const game *game;
  const game_rules *rules;
  tauler_tables *tables; /* NULL where none are needed */
  const game_request *request;
  const game_slices *slices;
  int form;
  bool with_total; /* also the sum of all, or of dice the start of the game */
  memory_budget
      *memory; /* tables that do not fit, on the disk if they may lie there, are read cell by cell */
  comm *ranks; /* the ranks that share the work, or NULL for one. Rank 0 prints and draws */
  progress *shown;
  tally_settings settings; /* its threads count everywhere, all else without dice */
  /* Without dice: */
  bool colored;     /* FORM_TEXT has colours */
  stats_plot *plot; /* drawing of the printed counts, or NULL */
  /* With dice, of expectations and of matches: */
  survey_wish survey;
  bool every;                /* all stored positions are looked at, not only those that play reaches */
  const survey_player *more; /* a policy to look at beside the game's own, or NULL */
  uint64_t stride;           /* 0: as survey_stride says */
  /* Of matches: */
  const char *first, *second; /* policies of seat 1 and of seat 2, or NULL for each of them */
  double width;               /* width of scores and turns */
  /* Of games that are played: */
  const char *policies; /* "best", "random", "lead", or two of them, such as "best,random". NULL: best */
  bool swapped;         /* each game twice with the same dice, the players' seats exchanged */
  bool regrets;         /* only the regrets of two players by the tables are printed */
  bool start;           /* only of the whole game */
  uint64_t games, seed;
} stats_job;

/* Tallies of slices as CSV, JSON or for a person. Private to analysis/. */
typedef struct {
  const stats_job *job;
  bool exact; /* the slices asked for have values where there could be two bounds */
} counts_output;

/* True if no reader is left, which is found when standard output is closed; ranks go on together. */
static inline bool print_is_lost(const comm *ranks) {
  return comm_ranks(ranks) == 1 && ferror(stdout);
}

/* Prints a row of CSV: the values of fields that are no ranges, or their keys as the first row. Example:
 * stats_row(false, JSON_TEXT("slice", name), JSON_COUNT("games", n)); */
#define stats_row(keys, ...)                                                                                 \
  stats_print_row((keys), (const json_field[]){__VA_ARGS__},                                                 \
                  sizeof((const json_field[]){__VA_ARGS__}) / sizeof(json_field))
void stats_print_row(bool keys, const json_field *fields, size_t n);

/* Prints what stands before the first slice. */
void print_counts_header(const counts_output *out);

/* Rows of a slice or part of one; `counted` is sorted. */
void print_counts(const counts_output *out, const char *slice, const tally *counted);

/* The same for the sum of all, called "total". */
void print_counts_total(const counts_output *out, const tally *counted);

/* The picture of statistics: who wins in every slice, or how many positions of the last one have which value
 * or bounds, or how many of all have which depth. Private to analysis/.
 *
 * A stats_plot owns what it was given until stats_plot_close; one thread at a time. Python draws by
 * matplotlib, as for claims. The file is whole or absent.
 */

typedef enum { PLOT_WINNERS, PLOT_VALUES, PLOT_DEPTHS } plot_subject;

/* Before anything is counted: whether the name ends with .svg or .png, Python can draw, and a file can be
 * made there. `path` must outlive the plot. Errors: TAULER_BAD_USAGE (another ending), those of run_python,
 * TAULER_NO_SPACE, TAULER_IO, TAULER_NO_MEMORY. */
tauler_error stats_plot_open(const char *path, plot_subject subject, stats_plot **out,
                             tauler_message *message);
void stats_plot_close(stats_plot *p);

/* Takes the counts of a slice or part of one. Errors: TAULER_NO_MEMORY. */
tauler_error stats_plot_add(stats_plot *p, const char *slice, const tally *counted, tauler_message *message);

/* Errors: TAULER_BAD_USAGE (there is nothing to show), those of run_python, TAULER_IO. */
tauler_error stats_plot_draw(stats_plot *p, const tauler_tables *tables, tauler_message *message);

/* Statistics of games without dice: how many positions have which value, printed slice by slice. Nothing is
 * printed when a table is missing. Errors: TAULER_TABLE_MISSING, TAULER_NO_MEMORY, of reading tables, of
 * stats_plot_draw. */
tauler_error stats_counts(const stats_job *job, tauler_message *message);

/* Statistics of games of dice: the expectations from the start of every slice asked for, and how much choices
 * matter there. Errors: TAULER_BAD_USAGE (nobody chooses), as slice_table, as reached_open; nothing is
 * printed when a table is missing. */
tauler_error stats_dice(const stats_job *job, tauler_message *message);

/* Finds out that tables are missing before anything is printed: of the slices asked for, or of all. */
tauler_error stats_dice_open(const stats_job *job, bool all, tauler_message *message);

/* The positions that are looked at; `*looked_at` is `found`, to be closed, or NULL with `every`. Each rank
 * finds them out. Errors: as reached_open, of any rank. */
tauler_error stats_dice_reach(const stats_job *job, reached *found, const reached **looked_at,
                              tauler_message *message);

/* The same expectations in exact rationals; CSV has slice,quantity,exact. No table is read. Errors: those of
 * exact_chain_solve. */
tauler_error stats_exact(const stats_job *job, tauler_message *message);

/* Statistics of games of dice and choice: what comes of matches between simple ways to choose, each in either
 * seat, and the best one by tables, which are needed if stats_matches_need_tables. Errors: TAULER_BAD_USAGE
 * (no such policy; nobody chooses), as slice_table, TAULER_NO_MEMORY; nothing is printed when a table is
 * missing. */
bool stats_matches_need_tables(const char *first, const char *second);
tauler_error stats_matches(const stats_job *job, tauler_message *message);

/* Players of games that statistics play out: by tables, by what was learned, by a policy of the game; and
 * what they lose by their choices. Private to analysis/. */

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

/* Statistics of games of dice by playing: what games from the start of every slice asked for come to. Tables
 * are needed where somebody chooses by them; elsewhere they are shown beside what was played if they are
 * there. Errors: TAULER_BAD_USAGE (no such policy), as slice_table and simulate. */
tauler_error stats_played(const stats_job *job, tauler_message *message);

/* The part of `tauler stats` that is about games of dice: what its options mean together, and which function
 * answers. Private to analysis/. */

extern const option_group command_stats_dice_group;

/* Refuses options of dice for other games, those of others for dice, and what does not go together. Errors:
 * TAULER_BAD_USAGE. */
tauler_error command_stats_dice_check(const options *parsed, const game *chosen, bool dice,
                                      tauler_message *message);

/* True if an answer is read from tables, and how much room they may take in memory while that is done; 0: the
 * usual. */
bool command_stats_dice_needs_tables(const options *parsed);
size_t command_stats_dice_cache_bytes(const options *parsed, const memory_budget *memory);

/* Reads the other options into the job, whose tables are open if they are needed, and answers. Errors:
 * TAULER_BAD_USAGE, those of the function that answers. */
tauler_error command_stats_dice(const options *parsed, stats_job *job, tauler_message *message);

#endif
