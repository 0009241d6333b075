/* Private to the proof check: values without depths, proven by the page that a game has for it. */
#ifndef ANALYSIS_VERIFY_VERIFY_BLOCKS_H
#define ANALYSIS_VERIFY_VERIFY_BLOCKS_H

#include "analysis/verify/verify_slice.h"

/* True if all cells of a slice are proven; reserved ones are then filled. False where the game has no such
 * page, memory is short, ranks share the work, or something is wrong: cells are then as they came, or only
 * filled, and the passes find out what it is. */
bool verify_blocks(const verify_set *set, const verify_slice *slice);

#endif
