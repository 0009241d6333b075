/* The plots of a report as files: FOLDER/CLAIM-KEY.svg and .png, which the report then names; those of stored
 * figures as CLAIM-KEY-stored. */
#ifndef ANALYSIS_CLAIMS_DRAW_REPORT_H
#define ANALYSIS_CLAIMS_DRAW_REPORT_H

#include "analysis/claims/claim.h"

/* Before long work: makes the folder, and sees whether files can be written there and gnuplot draws. Errors:
 * of plot_check and of writing. */
tauler_error draw_report_prepare(const char *folder, tauler_message *message);

/* A plot that has nothing to show is left out. Errors: of plot_draw. */
tauler_error draw_report(const claim *about, const char *folder, report *r, tauler_message *message);

#endif
