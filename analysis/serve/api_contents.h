/* The content of the folder, as /v1/ shows it, cached until a file in it changes. Private to analysis/serve.
 * A kept_contents owns its text and a handle on the folder; any number of threads may ask at once. */
#ifndef ANALYSIS_SERVE_API_CONTENTS_H
#define ANALYSIS_SERVE_API_CONTENTS_H

#include "analysis/serve/api_respond.h"

typedef struct kept_contents kept_contents;

/* NULL if out of memory. */
kept_contents *kept_contents_new(const char *folder, const tauler_settings *settings);
void kept_contents_free(kept_contents *kept);

/* Answers with the folder as it is now. One check of the files serves all requests that arrive meanwhile;
 * headers are read again if a file has changed. */
void kept_contents_answer(kept_contents *kept, api_response *out);

#endif
