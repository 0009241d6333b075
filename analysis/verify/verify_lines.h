/* Private to the proof check: slices whose values on a fresh history are not all the best of their moves.
 *
 * Their tables leave no cell out. Every rank proves such a slice alone; all are small. */
#ifndef ANALYSIS_VERIFY_VERIFY_LINES_H
#define ANALYSIS_VERIFY_VERIFY_LINES_H

#include "analysis/verify/verify_slice.h"

/* Holds set->cells[slice] against bounds that are found anew; *values: the first cell that claims more;
 * *depths: the first stage that does not order the proof of those bounds. Errors: TAULER_NO_MEMORY;
 * TAULER_INTERNAL when the game contradicts itself. */
tauler_error verify_lines(const verify_set *set, const verify_slice *slice, verify_fault *values,
                          verify_fault *depths, tauler_message *message);
uint64_t verify_lines_bytes(uint64_t positions);

#endif
