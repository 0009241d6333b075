/* Declares what the files of the command stats share: its request, its counts and its plot. */
#ifndef ANALYSIS_STATS_STATS_H
#define ANALYSIS_STATS_STATS_H

#include <stdatomic.h>
#include <stdio.h>

#include "analysis/dice/matches.h"
#include "analysis/dice/survey.h"
#include "analysis/learn/learn.h"
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

/* Figures about choices that are printed beside the expectations or, in CSV, in place of them. */
typedef enum { SURVEY_NONE, SURVEY_CHOICES, SURVEY_POLICIES } survey_wish;

typedef struct {
  const game *game;
  const game_rules *rules;
  tauler_tables *tables; /* NULL if no tables are needed */
  const game_request *request;
  const game_slices *slices;
  int form;
  bool with_total; /* true to print the sum of all slices or, for games of dice, the start of the game, too */
  memory_budget *memory; /* memory and disk. Tables that do not fit in it are read cell by cell */
  comm *ranks;           /* NULL for one rank. Rank 0 prints and draws */
  progress *shown;
  tally_settings settings; /* number of threads, and settings for games without dice */
  /* Members for games without dice. */
  bool colored;
  bool exact;       /* true if all bounds in the slices asked for are equal. stats_print_counts sets it */
  stats_plot *plot; /* or NULL */
  /* Members for games of dice: expectations and matches. */
  survey_wish survey;
  bool every;                /* true to look at all stored positions, false at those that play reaches */
  const survey_player *more; /* policy to look at beside those of the game, or NULL */
  uint64_t stride;           /* distance of examined positions, or 0 for that of survey_stride */
  /* Members for matches. */
  const char *first, *second; /* policies of seat 1 and of seat 2, or NULL for all policies */
  double width;               /* greatest difference between the bounds of scores and of turns */
  /* Members for games that are played. */
  const char *policies; /* one policy, or those of both seats, "best,random". NULL means best */
  bool swapped;         /* true to play each game twice with the same dice and exchanged seats */
  bool regrets;
  bool start; /* true to play only from the start of the game */
  uint64_t games, seed;
} stats_job;

/* True if writing to standard output has failed, so that more work is useless. Returns false with several
 * ranks, since all ranks work until the end. */
static inline bool print_is_lost(const comm *ranks) {
  return comm_ranks(ranks) == 1 && ferror(stdout);
}

/* Prints a row of CSV: the values of fields, none of which is a range, or their keys if `keys`. Example:
 * stats_row(false, JSON_TEXT("slice", name), JSON_COUNT("games", n)); */
#define stats_row(keys, ...)                                                                                 \
  stats_print_row((keys), (const json_field[]){__VA_ARGS__},                                                 \
                  sizeof((const json_field[]){__VA_ARGS__}) / sizeof(json_field))
void stats_print_row(bool keys, const json_field *fields, size_t n);

/* Print sorted counts: the heading, the rows of a slice or part, and those of the sum of all slices. */
void print_counts_header(const stats_job *job);
void print_counts(const stats_job *job, const char *slice, const tally *counted);
void print_counts_total(const stats_job *job, const tally *counted);

/* PLOT_VALUES shows the values or bounds of the last slice, the others show all slices. */
typedef enum { PLOT_WINNERS, PLOT_VALUES, PLOT_DEPTHS } plot_subject;

/* Opens a plot, and checks before positions are counted that the name ends with .svg or .png, that Python can
 * draw, and that the file can be created. `path` must outlive the plot. Errors: TAULER_BAD_USAGE (another
 * ending), those of run_python, TAULER_NO_SPACE, TAULER_IO, TAULER_NO_MEMORY. */
tauler_error stats_plot_open(const char *path, plot_subject subject, stats_plot **out,
                             tauler_message *message);
void stats_plot_close(stats_plot *p);

tauler_error stats_plot_add(stats_plot *p, const char *slice, const tally *counted, tauler_message *message);

/* Draws the plot into its file, which is whole or absent. Errors: TAULER_BAD_USAGE (nothing to show), those
 * of run_python, TAULER_IO. */
tauler_error stats_plot_draw(stats_plot *p, const tauler_tables *tables, tauler_message *message);

/* Counts the positions of a game without dice by value, and prints the counts slice by slice. If a table is
 * missing, prints nothing. Errors: TAULER_TABLE_MISSING, TAULER_NO_MEMORY, those of reading tables, those of
 * stats_plot_draw. */
tauler_error stats_print_counts(stats_job *job, tauler_message *message);

/* Prints the expectations of a game of dice from the start of every slice asked for and, if the job has a
 * survey, how much choices matter. If a table is missing, prints nothing. Errors: TAULER_BAD_USAGE (a survey
 * of a game without choices), those of slice_table, reached_open and survey_slice. */
tauler_error stats_print_expectations(const stats_job *job, tauler_message *message);

/* Opens the tables of the slices asked for, or of all, so that a missing one is found before results are
 * printed. Errors: those of slice_table. */
tauler_error stats_open_dice_tables(const stats_job *job, bool all, tauler_message *message);

/* Finds the positions to look at, on each rank. *looked_at becomes `found` or, if the job is about every
 * position, NULL. The caller closes *found. Errors: those of reached_open on any rank. */
tauler_error stats_find_reached(const stats_job *job, reached *found, const reached **looked_at,
                                tauler_message *message);

/* Prints the expectations as exact rationals, without reading tables. Errors: those of exact_chain_solve. */
tauler_error stats_print_exact(const stats_job *job, tauler_message *message);

/* Prints the results of matches between the best policy, those of the game and learned ones, each in either
 * seat. The best policy needs tables; stats_matches_need_tables returns true if one of the two names may mean
 * it. If a table is missing, prints nothing. Errors: TAULER_BAD_USAGE (no such policy, a game without
 * choices), those of slice_table, learned_player_open, reached_open and match_solve. */
bool stats_matches_need_tables(const char *first, const char *second);
tauler_error stats_print_matches(const stats_job *job, tauler_message *message);

/* Plays games of dice from the start of every slice asked for, and prints their results. Tables are needed if
 * a player chooses or is judged by them. If seats are not swapped, the values of tables that are built are
 * printed, too. Errors: TAULER_BAD_USAGE (no such policy, regrets in a game without choices), those of
 * slice_table, learned_player_open and simulate. */
tauler_error stats_print_played(const stats_job *job, tauler_message *message);

bool stats_has_choices(const stats_job *job);

#endif
