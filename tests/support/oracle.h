/* Rows of the CSV files in tests/oracles; a cell in quotes may hold commas. */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stdio.h>

enum { ORACLE_CELLS = 12, ORACLE_BYTES = 1024 };

typedef struct oracle_row {
  char text[ORACLE_BYTES];
  char *cell[ORACLE_CELLS];
  int cells;
} oracle_row;

FILE *oracle_open(const char *name);           /* behind the heading */
bool oracle_next(FILE *file, oracle_row *row); /* false: there are no more, and the file is closed */

#endif
