/* Private to the general engine: its parts, and what they share while a slice is solved.
 *
 * retrograde.c opens, goes through thresholds and waves, and closes; retrograde_rules.c says what a
 * position's first look, an update and a threshold mean; retrograde_wave.c settles, ships and absorbs;
 * retrograde_shares.c has shares in memory one after the other. A slice that one process holds whole is
 * one share whose arrays are the slice's.
 */
#ifndef SOLVER_ENGINES_RETROGRADE_RETROGRADE_H
#define SOLVER_ENGINES_RETROGRADE_RETROGRADE_H

#include <stdatomic.h>

#include "solver/checkpoint/checkpointer.h"
#include "solver/parallel/exchange.h"
#include "solver/parallel/workers.h"
#include "solver/propagate/frontier.h"
#include "solver/propagate/remote_lookup.h"
#include "solver/propagate/send.h"
#include "solver/shards/spill.h"

/* What a member of the crew keeps to itself. */
typedef struct {
  uint64_t marked; /* positions of the following wave */
  uint64_t pieces; /* to other shares, in this wave */
  exchange_taker taker;
  uint8_t *piece;
  size_t due[SOLVE_PLANES]; /* settled positions whose predecessors are to be told */
  uint64_t index[SOLVE_PLANES][WALK_BATCH];
} wave_member;

typedef struct {
  const solve_job *job;
  team *team; /* NULL: whole */
  uint32_t slice;
  int planes, threads, largest;
  bool outcomes; /* depths count through conversions, and t = 1 only */
  bool with_depths;
  solved_slice *whole;  /* or */
  spread_slice *spread; /* one of them */
  slice_layout *layout;
  uint32_t first_share, shares_here;
  uint64_t *share_starts; /* indexes, of all shares and the end */

  wave_share share; /* at work */
  uint32_t at_home; /* which of those here that is; shares_here: none */
  bool changed;     /* since it was brought here */
  bool spilled;     /* only one is in memory */
  spill *states;    /* of the others */
  uint64_t *marks;  /* [shares_here]: positions of the following wave, inboxes left out */
  wave_member *members;
  inquiry inquiry;
  inquiry_round look; /* the first one */
  wave_updates updates;
  exchange *exchange; /* NULL: nobody else to tell */
  exchange_piece first_piece;
  bool has_piece; /* taken by the leading member, to see whether there are any */
  bool skipped;   /* nothing to do for this share in this wave */

  int threshold, least_threshold;
  uint16_t wave, absorbing;    /* absorbing: the wave that updates at hand were sent in */
  _Atomic uint64_t cursor;     /* items handed out; those of a wave outlast meetings */
  uint64_t due;                /* to be settled in this turn */
  uint64_t active;             /* marks and pieces that wait for the next wave, on all ranks */
  _Atomic uint32_t latest_due; /* conversions fall due up to this wave */
  wave_shipping shipping;
  bool more, broken;  /* some rank has; the exchange can be used no more */
  bool unfinished;    /* the wave of the share at work takes another step */
  _Atomic int failed; /* a tauler_error */
  tauler_message message;

  keeper_units units;
  keeper keeper;
  bool resumed;
  struct {
    uint64_t active;
    uint32_t latest_due;
    int32_t threshold;
    uint32_t wave, unused;
  } kept; /* of the fields above, in a checkpoint */
} retrograde;

/* The first failure counts, and its message if there is one. */
void retrograde_note(retrograde *r, tauler_error error, const tauler_message *message);

/* First look at n ≤ WALK_BATCH positions; what was asked for goes to retrograde_count_move later. */
tauler_error retrograde_count_batch(retrograde *r, int member, uint64_t first, size_t n);
tauler_error retrograde_count_move(void *user, const walk_edge *edge);

bool retrograde_conversions_fall_due(const retrograde *r);
/* Marks what needs no other position of the slice: ended positions in wave 0, conversions when they
 * fall due. */
void retrograde_find_conversions(retrograde *r, wave_member *member, uint64_t first, uint64_t end);

/* Which lane tells the parents of positions settled in a plane at a worth for their movers. */
int retrograde_lane(const retrograde *r, int plane, int worth);
void retrograde_absorb(retrograde *r, wave_member *member, const wave_run *run);

/* Without predecessors: open positions look at their children again. */
tauler_error retrograde_look_again(retrograde *r, int member, uint64_t first, size_t n);

/* What nobody could force: a draw, or guarantees of nothing. */
void retrograde_fill_open(retrograde *r, uint64_t first, uint64_t end);

/* Has a share here in memory; `fresh`: nothing is known of it. By the leading thread. */
tauler_error retrograde_bring(retrograde *r, uint32_t home, bool fresh, tauler_message *message);
/* Lets the one in memory go. */
tauler_error retrograde_put_away(retrograde *r, tauler_message *message);

/* By all members of all ranks; r->wave moves on, r->active says whether anything is left to do. */
void retrograde_run_wave(retrograde *r, crew_member *member);
/* Takes in what waits for the shares here, by one thread. */
void retrograde_empty_inboxes(retrograde *r);

#endif
