/* Answers that the running test owns. */
#ifndef TESTS_ASKED_H
#define TESTS_ASKED_H

#include "analysis/probe/tauler.h"

/* Hands an answer to the running test. */
void asked_own(tauler_answer *answer);

/* Any other error ends the test. */
tauler_answer *asked(tauler_tables *tables, const char *position, tauler_error wanted);

/* A handle on the folder of the running test, which is closed behind its answers. */
tauler *asked_folder(void);

/* A line of play, the slices that a folder holds, a handle on any folder: none of which may fail. */
const tauler_line *asked_line(tauler_tables *tables, const char *position, size_t most);
const tauler_contents *asked_contents(tauler *from);
tauler *asked_at(const char *path);

#endif
