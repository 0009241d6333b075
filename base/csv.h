/* Writes cells of comma-separated values (RFC 4180). */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stdio.h>

/* Prints a cell, quoted if necessary. Control characters except \n are escaped (text_show.h). */
void csv_print(FILE *file, const char *text);

#endif
