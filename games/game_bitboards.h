/* Kernels over bitboards, for games of win, draw and loss whose index has a structure to exploit.
 *
 * In such games a move shifts a whole set of squares. So a few instructions find the predecessors of 64 cells
 * at once, where batches compute an index for each.
 *
 * A slice consists of blocks of up to 64 columns: a bit per cell, a word per block. The game decides which
 * cells exist. Unused cells are never won nor lost. Cells are decided wave by wave; wave w decides exactly
 * the cells of depth w. Odd waves find wins, even ones losses. A wave writes one of `won` and `lost` and
 * reads the other one in other blocks, so tiles may be processed in any order unless they have groups.
 *
 * Depths are stored as codes, (depth + 1) / 2. A code and the sign of the value give the depth, so a byte
 * holds up to BITBOARDS_MOST_WAVES plies. The engine owns all arrays and fills them with zeros. While kernels
 * run, one thread works on a tile, and it alone writes the blocks of the tile, except for the marks. A tile
 * is a run of blocks, unless waves sweep.
 *
 * If a game has `parts`, memory need not hold a whole slice. The waves then process one part after the other.
 * If waves sweep, memory holds all of the set that a wave reads, but only one part's blocks of the set that
 * it writes (`won` in odd waves, `lost` in even ones). Kernels do not store depths then: they mark the cells
 * that they decide in `decided`. If waves use marks, all arrays are on the disk, and memory holds the blocks
 * that a part writes, reads or marks.
 *
 * Parts may also be assigned to ranks. If waves sweep, each rank sweeps its own parts in the order of the
 * groups and has no `decided`; between the steps of a wave it receives the spare words of other parts that
 * its own parts read. If waves use marks, each rank processes its own parts, marks `decided`, and receives
 * the cells and marks of all others; all arrays are on the disk then, or in memory.
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
  uint64_t positions; /* number of cells in the table */
  uint64_t blocks;
  uint64_t tiles;
  uint32_t tile_blocks;    /* the last tile may have fewer */
  uint32_t columns;        /* bytes per block in which the game stores codes */
  uint32_t most_waves;     /* largest depth in plies. 0 means BITBOARDS_MOST_WAVES */
  size_t scratch_bytes;    /* bytes per thread */
  uint64_t touched_blocks; /* number of blocks that may be used. If these are few in a large slice, memory is
                              counted for them alone */
  bool converts;           /* true if conversions may become due after wave 1 */
  bool sweeps;             /* true if waves keep no marks and process all tiles, unless they follow changes */
  uint32_t
      groups; /* groups of tiles, processed one after the other in each wave, 0 or 1 if tiles need no order */
  uint64_t spare;        /* words that waves use for intermediate results. Tables do not store them */
  uint32_t order;        /* version of the order of blocks, 0 for the first */
  uint64_t run_blocks;   /* parts begin at multiples of this number of blocks. 0 means any block */
  uint64_t most_changes; /* most changes of a wave after which `follow` computes the next one, 0 without
                            `follow` */
} game_bitboards_plan;

/* Cells that a wave decided in a block. */
typedef struct {
  uint64_t block, cells;
} game_bitboards_change;

typedef struct {
  game_bitboards_change *list; /* [room] */
  uint64_t room,
      used; /* entries, and changes so far. If used > room, some are not in the list or not counted */
} game_bitboards_changes;

/* A finished slice to which converting moves lead. begin and recover read it. */
typedef struct {
  const uint64_t *won, *lost;
  const uint8_t *depth;
} game_bitboards_finished;

typedef struct {
  uint64_t *won, *lost; /* [blocks] decided cells */
  uint8_t *depth;       /* [blocks × columns] codes of decided cells. A `held` cell has the code of its best
                           conversion, or BITBOARDS_NEVER if that is a draw */
  uint64_t *held; /* [blocks] cells that are not lost yet, since a conversion or a dead end holds them. NULL
                     unless plan.converts */
  /* [blocks] held cells whose best conversion wins. NULL unless plan.converts */
  uint64_t *gaining;
  uint8_t *due; /* [blocks] least code of a conversion that may still decide a cell, or BITBOARDS_NEVER. NULL
                   unless plan.converts */
  uint8_t *
      marked[2]; /* [blocks] 1 if the next even [0] or odd [1] wave must examine the block. Any thread sets it
                    with bitboards_mark. Only the thread that owns the block clears it. NULL if plan.sweeps */
  uint64_t *spare; /* [plan.spare], or NULL */
  uint64_t
      *decided; /* [blocks] cells decided in this wave, set by the kernel that decides them, or NULL. If waves
                   use marks, or if this is NULL and `depth` is not, kernels also store the codes at once */
  game_bitboards_changes *changes; /* changes of this wave, added by bitboards_note_change, or NULL */
  uint64_t depth_from;             /* first block of `depth`. In gather also the first of `won` and `lost` */
  uint16_t wave;
  const game_bitboards_finished *finished; /* [slice number] filled only for slices that this one needs */
} game_bitboards_state;

/* A kernel for a tile. `begin` fills the tile from the rules and the finished slices, and may decide cells of
 * depth 0; `relax` computes the wave state->wave. Both add the number of cells that they decided to *changed,
 * and `begin` raises *latest to the last wave in which a conversion becomes due. */
typedef tauler_error game_bitboards_kernel(const void *tables, const game_bitboards_state *state,
                                           uint64_t tile, void *scratch, uint64_t *changed, uint32_t *latest);

/* The division of a slice into parts, which one process computes one after the other, or several ranks side
 * by side. Memory is counted in units of blocks, or in pages of words. */
enum { BITBOARDS_UNITS = 1024, BITBOARDS_LEAST_UNIT = 64, BITBOARDS_MOST_UNIT = 4096 };
enum { BITBOARDS_PARTS = 64, BITBOARDS_PAGE = 512 };
typedef struct {
  uint32_t fineness,
      ranks;      /* fineness of the cut, and number of ranks. 1 rank: one process computes all parts */
  bool in_memory; /* true if each rank has all blocks in memory although waves use marks */
  uint32_t parts; /* at most BITBOARDS_PARTS */
  /* Number of groups of tiles. Each part or, over ranks, each step of a wave has equally many. */
  uint32_t groups;
  uint64_t part_units; /* largest number of units in which one part, or one rank, writes blocks */
  uint64_t
      read_units; /* largest number of units in which a part writes, reads or marks blocks, without sweeps */

  /* Over ranks: */
  uint32_t steps; /* steps of a wave, if waves sweep */
  uint64_t part_pages,
      spare_pages;     /* largest number of pages of blocks and of spare words that a rank touches */
  uint64_t rank_units; /* units in which ranks write blocks, added up over all ranks */
  uint64_t sent_bytes; /* bytes of spare words sent between ranks in a wave, with 16 for each run */
  uint64_t
      read_bytes; /* bound on the bytes of spare words of a tile that others read, with 16 for each run */
  uint16_t owner[BITBOARDS_PARTS]; /* [part] rank that owns the part */
} game_bitboards_cut;

typedef void game_bitboards_visit(void *user, uint64_t first, uint64_t blocks);

/* OPTIONAL, for games whose slices may be cut into parts. */
typedef struct {
  /* Cuts a slice into parts for one process or, if waves use marks, for ranks. Returns false if it cannot be
   * cut so finely. */
  bool (*plan)(const struct game_rules *rules, uint32_t slice, uint32_t fineness, game_bitboards_cut *cut);
  /* Puts the tiles in the order of a cut. */
  void (*order)(void *tables, const game_bitboards_cut *cut);
  /* Calls visit for the runs of blocks that these parts write, in rising order; bit p stands for part p. */
  void (*visit)(const void *tables, uint64_t parts, game_bitboards_visit *visit, void *user);

  /* Stores the code of these cells of a block, which have just been decided. */
  void (*keep_code)(const void *tables, const game_bitboards_state *state, uint64_t block, uint64_t cells,
                    uint8_t code);

  /* The following members are for slices that are swept. Their blocks are in the order of the index, begin
   * decides nothing, and waves read no depths; fineness 0 is one part. */
  /* Finds the coarsest cut that gives two or more ranks about equal loads, or otherwise the finest. Returns
   * false if the slice cannot be cut. NULL: ranks do not share swept slices. */
  bool (*deal)(const struct game_rules *rules, uint32_t slice, uint32_t ranks, game_bitboards_cut *cut);
  uint32_t (*part_of)(const void *tables, uint64_t tile);
  /* Calls visit for the runs of a tile's spare words that the given parts read in a later step. */
  void (*visit_read)(const void *tables, uint64_t tile, uint64_t parts, game_bitboards_visit *visit,
                     void *user);
} game_bitboards_parts;

typedef struct {
  /* Makes the tables of one slice; the caller frees them with `close`. Errors: TAULER_NO_MEMORY. */
  tauler_error (*open)(const struct game_rules *rules, uint32_t slice, void **tables);
  void (*close)(void *tables);
  void (*plan)(const struct game_rules *rules, uint32_t slice, game_bitboards_plan *plan);
  game_bitboards_kernel *begin, *relax;
  /* Computes an odd or even wave from the cells that the wave before it decided, for slices that one process
   * sweeps. Several threads may call it at once, each with some of these changes. Before the call `spare` has
   * the words of the last swept wave, which is even, and of later waves that `follow` computed. May be NULL
   * if plan.most_changes is always 0. */
  void (*follow)(const void *tables, const game_bitboards_state *state, const game_bitboards_change *changes,
                 uint64_t n, uint64_t *changed);
  /* Returns the first tile after a group. NULL if tiles have no groups. */
  uint64_t (*group_end)(const void *tables, uint32_t group);
  /* Computes cells of the table, from `first` on, from the words of a solved slice: their values, and their
   * depths in plies, or 0 for cells without a depth. */
  void (*gather)(const void *tables, const game_bitboards_state *state, uint64_t first, size_t count,
                 int8_t *cells, uint16_t *depths);
  /* Does the reverse of gather for a tile of a slice whose arrays are empty. read(user, first, count, cells,
   * depths) returns cells of the table in index order, some thousands at a time; cells equal to `reserved`
   * stay open. scatter may also write words of other tiles, by atomic operations. Then `recover` computes the
   * cells that the table leaves out from all others and the finished slices, and raises *latest to the
   * greatest depth among them. It is called for all tiles with state->wave 0, then for all with 1; neither
   * pass reads cells that it writes, nor held, gaining, due or marks. NULL if tables leave out no cell. */
  tauler_error (*scatter)(const void *tables, const game_bitboards_state *state, uint64_t tile, void *scratch,
                          int8_t reserved,
                          tauler_error (*read)(void *user, uint64_t first, size_t count, int8_t *cells,
                                               uint16_t *depths),
                          void *user);
  game_bitboards_kernel *recover;
  const game_bitboards_parts *parts; /* or NULL */
} game_bitboards;

/* Returns the number of blocks per unit. The blocks of a unit are spilled to the disk together. */
static inline uint64_t bitboards_unit(uint64_t blocks) {
  uint64_t unit = BITBOARDS_LEAST_UNIT;
  while (unit < BITBOARDS_MOST_UNIT && blocks / unit > BITBOARDS_UNITS) unit *= 2;
  return unit;
}

/* --- functions for kernels --- */

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

/* Marks a block for the next odd or even wave. Several threads may do so at once. */
static inline void bitboards_mark(const game_bitboards_state *state, int odd, uint64_t block) {
  __atomic_store_n(&state->marked[odd][block], 1, __ATOMIC_RELAXED);
}

/* Adds a change to the list if the list has room. Several threads may do so at once. */
static inline void bitboards_note_change(const game_bitboards_state *state, uint64_t block, uint64_t cells) {
  game_bitboards_changes *changes = state->changes;
  if (!changes || __atomic_load_n(&changes->used, __ATOMIC_RELAXED) > changes->room) return;
  const uint64_t at = __atomic_fetch_add(&changes->used, 1, __ATOMIC_RELAXED);
  if (at < changes->room) changes->list[at] = (game_bitboards_change){block, cells};
}

static inline bool bitboards_clear_mark(const game_bitboards_state *state, int odd, uint64_t block) {
  uint8_t *mark = &state->marked[odd][block];
  if (!__atomic_load_n(mark, __ATOMIC_RELAXED)) return false;
  __atomic_store_n(mark, 0, __ATOMIC_RELAXED);
  return true;
}

#endif
