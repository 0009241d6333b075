/* What the folder holds, as /v1/ shows it, kept for a moment so that many who ask do not walk the folder
 * each. Private to analysis/serve. A kept_contents owns its text; any number of threads may ask at once. */
#ifndef ANALYSIS_SERVE_API_CONTENTS_H
#define ANALYSIS_SERVE_API_CONTENTS_H

#include "analysis/serve/api_respond.h"

typedef struct kept_contents kept_contents;

/* NULL: no memory. */
kept_contents *kept_contents_new(void);
void kept_contents_free(kept_contents *kept);

/* The folder as it was at most a second ago, or as long as listing it ten times takes. */
void kept_contents_answer(kept_contents *kept, tauler *db, api_response *out);

/* Whether an answer is at hand. */
bool kept_contents_fresh(kept_contents *kept);

#endif
