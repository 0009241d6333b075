/* Kernels over bitboards, for games of win, draw and loss whose index has a structure to exploit.
 *
 * A slice is cut into blocks of up to 64 columns: a bit per cell, a word per block. The game decides which
 * cells exist; columns or blocks may stand for nothing. Such a cell is never won nor lost. Cells are decided
 * wave by wave, wave w exactly those of depth w: odd waves win, even ones lose. A wave writes one of `won`
 * and `lost` and reads the other in other blocks, so tiles need no order.
 *
 * Depths are kept as codes, (depth + 1) / 2, which with the sign of the value give the depth back: up to
 * BITBOARDS_MOST_WAVES plies in a byte. The engine owns all arrays, zero at first; a tile is a run of blocks
 * on which one thread works, and it alone writes them, save for the marks.
 *
 * A slice of a game with `parts` need not be in memory whole. Its waves go through parts one after the other.
 * If waves sweep, memory holds all of the set that a wave reads, and of the set that it writes (`won` in odd
 * waves, `lost` in even ones) the blocks of one part. Depths are not kept by kernels then: they mark in
 * `decided` what they decide. If waves go by marks, all arrays lie on the disk, and in memory are the blocks
 * that a part writes, reads or marks.
 *
 * Or its parts are dealt to ranks. If waves sweep, each rank sweeps its own in the order of the groups, and
 * has no `decided`; between the steps of a wave it gets the spare words of other parts that its own read. If
 * waves go by marks, each goes through its own, marks `decided`, and gets the cells and marks of all others;
 * all arrays lie on the disk then, or in memory.
 */
#ifndef GAMES_GAME_BITBOARDS_H
#define GAMES_GAME_BITBOARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

enum { BITBOARDS_MOST_WAVES = 509, BITBOARDS_NEVER = 0 };

struct game_rules;

typedef struct {
  uint64_t positions; /* cells of the table, in index order */
  uint64_t blocks;
  uint64_t tiles;
  uint32_t tile_blocks;    /* the last tile may have fewer */
  uint32_t columns;        /* bytes of depths kept per block: those of the columns that the game says */
  uint32_t most_waves;     /* plies that depths can hold; 0: BITBOARDS_MOST_WAVES */
  size_t scratch_bytes;    /* per thread */
  uint64_t touched_blocks; /* of `blocks`, those that stand for something: what memory is charged for */
  bool converts;           /* conversions may fall due after wave 1 */
  bool sweeps;             /* every wave goes through all tiles, and no marks are kept */
  uint32_t groups;         /* of tiles, in each wave one after the other; 0 or 1: tiles need no order */
  uint64_t spare;          /* words that a wave works with and that nothing is kept in */
  uint32_t order;          /* number of the order of blocks, when it is not the first that a game had */
  uint64_t run_blocks;     /* parts begin at multiples of it; 0: at any block */
} game_bitboards_plan;

/* A finished slice, as begin and recover see those that moves convert to. */
typedef struct {
  const uint64_t *won, *lost;
  const uint8_t *depth;
} game_bitboards_finished;

typedef struct {
  uint64_t *won, *lost; /* [blocks] decided cells */
  uint8_t *depth; /* [blocks × columns] codes of decided cells; of `held` ones that of their best conversion,
                     BITBOARDS_NEVER where it draws */
  uint64_t *held; /* [blocks] cells not to be lost yet, since a conversion or a dead end keeps them; NULL
                     unless plan.converts */
  uint64_t
      *gaining; /* [blocks] of the held ones, those whose best conversion wins; NULL unless plan.converts */
  uint8_t *due; /* [blocks] least code of a conversion that may still decide a cell, BITBOARDS_NEVER: none;
                   NULL unless plan.converts */
  uint8_t *marked[2];  /* [blocks] to be examined in the next even [0] or odd [1] wave. Set by any thread with
                          bitboards_mark, cleared by the one whose block it is; NULL if plan.sweeps */
  uint64_t *spare;     /* [plan.spare], or NULL */
  uint64_t *decided;   /* [blocks] cells decided in this wave, set by the kernel that decides them, or NULL;
                          their codes are kept at once if waves go by marks, or if it is NULL and depth not */
  uint64_t depth_from; /* block with which `depth` begins; of gather, won and lost too */
  uint16_t wave;
  const game_bitboards_finished *finished; /* by slice number; those that the slice needs are there */
} game_bitboards_state;

/* The work of a kernel on a tile: begin fills it from the rules and the finished slices, and may decide cells
 * of depth 0; relax works on the wave state->wave. Both add the number of cells that they decided to
 * *changed, and begin raises *latest to the last wave in which a conversion falls due. Errors:
 * TAULER_INTERNAL (a depth that no code holds). */
typedef tauler_error game_bitboards_kernel(const void *tables, const game_bitboards_state *state,
                                           uint64_t tile, void *scratch, uint64_t *changed, uint32_t *latest);

/* How a slice is cut: into parts that are swept one after the other by one process, or side by side by ranks.
 * Memory is counted by units of blocks, or by pages of words. */
enum { BITBOARDS_UNITS = 1024, BITBOARDS_LEAST_UNIT = 64, BITBOARDS_MOST_UNIT = 4096 };
enum { BITBOARDS_PARTS = 64, BITBOARDS_PAGE = 512 };
typedef struct {
  uint32_t fineness, ranks; /* ranks 1: parts one after the other */
  bool in_memory;           /* all blocks, on each rank, though waves go by marks */
  uint32_t parts;           /* at most BITBOARDS_PARTS */
  uint32_t groups;          /* of tiles, as many in each part, or in each step of a wave over ranks */
  uint64_t part_units;      /* those of which a part, or a rank, writes any block, at most */
  uint64_t read_units;      /* without sweeps: of which it writes, reads or marks any */

  /* Over ranks: */
  uint32_t steps;                   /* of a wave, if waves sweep */
  uint64_t part_pages, spare_pages; /* that a rank touches at most, of blocks and of spare words */
  uint64_t rank_units;              /* of which ranks write any block, of all ranks together */
  uint64_t sent_bytes;              /* between ranks in a wave, of spare words with 16 for each run */
  uint64_t read_bytes;             /* of a tile's spare words that others read, 16 for each run of them too */
  uint16_t owner[BITBOARDS_PARTS]; /* rank of a part */
} game_bitboards_cut;

typedef void game_bitboards_visit(void *user, uint64_t first, uint64_t blocks);

/* OPTIONAL. */
typedef struct {
  /* Parts that one process takes one after the other. False where a slice cannot be cut so finely. */
  bool (*plan)(const struct game_rules *rules, uint32_t slice, uint32_t fineness, game_bitboards_cut *cut);
  /* Has tiles in the order of a cut. */
  void (*order)(void *tables, const game_bitboards_cut *cut);
  /* Runs of blocks that these parts write, in rising order; bit p: part p. */
  void (*visit)(const void *tables, uint64_t parts, game_bitboards_visit *visit, void *user);

  /* Keeps the code of cells of a block, once and over zeros. */
  void (*keep_code)(const void *tables, const game_bitboards_state *state, uint64_t block, uint64_t cells,
                    uint8_t code);

  /* For slices that are swept: blocks lie in the order of the index, begin decides nothing, and waves read no
   * depths; fineness 0 is one part. */
  /* The coarsest cut that gives 2 ranks or more equal loads, or the finest. False as above. NULL: ranks share
   * no slice that is swept. */
  bool (*deal)(const struct game_rules *rules, uint32_t slice, uint32_t ranks, game_bitboards_cut *cut);
  uint32_t (*part_of)(const void *tables, uint64_t tile);
  /* Lists the runs of a tile's spare words that the given other parts read in a later step. */
  void (*visit_read)(const void *tables, uint64_t tile, uint64_t parts, game_bitboards_visit *visit,
                     void *user);
} game_bitboards_parts;

typedef struct {
  /* Tables of one slice; freed by close. Errors: TAULER_NO_MEMORY. */
  tauler_error (*open)(const struct game_rules *rules, uint32_t slice, void **tables);
  void (*close)(void *tables);
  void (*plan)(const struct game_rules *rules, uint32_t slice, game_bitboards_plan *plan);
  game_bitboards_kernel *begin, *relax;
  uint64_t (*group_end)(const void *tables,
                        uint32_t group); /* first tile after a group; NULL without groups */
  /* Cells `first` … of the table from the words of a solved slice: value, and depth in plies, 0 where there
   * is none. */
  void (*gather)(const void *tables, const game_bitboards_state *state, uint64_t first, size_t count,
                 int8_t *cells, uint16_t *depths);
  /* The other way round, for a tile of a slice whose arrays are empty: read(user, first, count, cells,
   * depths) gives cells of the table in index order, some thousands at a time; those equal to `reserved` are
   * left open. Other tiles' words may be written as well, by atomic operations. Then `recover` decides what
   * was left out, from all other cells and the finished slices, and raises *latest to the longest play among
   * it: once for all tiles with state->wave 0, then once with 1, each reading nothing that it writes. It does
   * not read held, gaining, due and marks. */
  tauler_error (*scatter)(const void *tables, const game_bitboards_state *state, uint64_t tile, void *scratch,
                          int8_t reserved,
                          tauler_error (*read)(void *user, uint64_t first, size_t count, int8_t *cells,
                                               uint16_t *depths),
                          void *user);
  game_bitboards_kernel *recover;
  const game_bitboards_parts *parts; /* or NULL */
} game_bitboards;

/* Blocks that wait on the disk together. */
static inline uint64_t bitboards_unit(uint64_t blocks) {
  uint64_t unit = BITBOARDS_LEAST_UNIT;
  while (unit < BITBOARDS_MOST_UNIT && blocks / unit > BITBOARDS_UNITS) unit *= 2;
  return unit;
}

/* --- for kernels --- */

static inline uint8_t bitboards_code(uint32_t depth) {
  return (uint8_t)((depth + 1) / 2);
}

static inline uint32_t bitboards_most_waves(const game_bitboards_plan *plan) {
  return plan->most_waves ? plan->most_waves : BITBOARDS_MOST_WAVES;
}

static inline uint16_t bitboards_won_depth(uint8_t code) {
  return (uint16_t)(2 * code - 1);
}

static inline uint16_t bitboards_lost_depth(uint8_t code) {
  return (uint16_t)(2 * code);
}

/* Marks may be set by several threads at once. */
static inline void bitboards_mark(const game_bitboards_state *state, int odd, uint64_t block) {
  __atomic_store_n(&state->marked[odd][block], 1, __ATOMIC_RELAXED);
}

static inline bool bitboards_take_mark(const game_bitboards_state *state, int odd, uint64_t block) {
  uint8_t *mark = &state->marked[odd][block];
  if (!__atomic_load_n(mark, __ATOMIC_RELAXED)) return false;
  __atomic_store_n(mark, 0, __ATOMIC_RELAXED);
  return true;
}

#endif
