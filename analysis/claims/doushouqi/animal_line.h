/* Best play of Dou Shou Qi played out as a witness, and replayed by the rules alone. */
#ifndef ANALYSIS_CLAIMS_DOUSHOUQI_ANIMAL_LINE_H
#define ANALYSIS_CLAIMS_DOUSHOUQI_ANIMAL_LINE_H

#include "analysis/claims/claim_tables.h"

/* A position that is played to an end in so many plies: a witness of that title, its steps, and a recheck by
 * replay. Errors: of tables and moves. */
void animal_line_show(const claim_tables *t, game_place place, int plies, const char *title);

/* The same of a decided position, whose depth is asked. */
void animal_line_show_won(claim_tables *t, game_place place, const char *title);

#endif
