/* Shared by the suites of the probe library: the slow definition of aualé, tables written from it into a
 * folder that lives as long as a case, and what a position must be worth. */
#ifndef PROBE_FIXTURE_H
#define PROBE_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/probe/tauler.h"
#include "databases/folder.h"
#include "databases/table.h"
#include "games/game.h"
#include "tests/naive/naive_solve.h"
#include "tests/support/suite.h"

enum { MAX_SEEDS = 5, OUTSIDE_SEEDS = 8, RULES = 3, FAMILIES = 2 * RULES };

/* The form of tables: as tauler build --depth writes them, the same without depths, or all cells plain. */
typedef enum { IMPLIED_WITH_DEPTHS, IMPLIED, PLAIN } build;

typedef struct {
  int rules;
  bool forced;
} family;

/* One stream of one slice. */
typedef struct {
  const game *game;
  game_rules *rules;
  family family;
  int seeds, plane;
  bool depths, implied;
} stream;

extern const char *const rules_names[RULES];
extern naive_game *games[RULES];
extern tauler *db; /* database of the folder */
extern tauler_message message;

/* Families are numbered: all rule sets with even cycles, then all with forced ones. */
family family_of(int number);
const char *cycles_of(family f);

/* By the slow definition: a position, and a move as the mover sees it from the board before it. */
tauler_worth naive_worth(family f, int seeds, int rank);
tauler_worth naive_move_worth(family f, int seeds, naive_edge edge);

naive_board board_at(const stream *s, uint64_t index);

/* Where a stream lies, and the header that names it. */
void path_of(family f, int seeds, const char *name, table_header *header, char path[FOLDER_PATH_BYTES]);

/* Tables of a family: up to `most` seeds, or MAX_SEEDS. */
void write_slices(int number, build how, int most);
void write_family(int number, build how);

tauler_tables *select_family(tauler *from, int number);
void assert_worth(const char *what, const char *position, tauler_worth is, tauler_worth wanted,
                  bool with_depths);
tauler_answer *probe(tauler_tables *tables, const char *position); /* must succeed */

/* Each test has an empty folder and a handle on it. */
void probe_fixture(suite_cases *suite);

#endif
