/* What each route answers. Private to analysis/serve.
 *
 * Every function fills a response that is empty but for its route. Those about a rule set get it open.
 */
#ifndef ANALYSIS_SERVE_API_ROUTES_H
#define ANALYSIS_SERVE_API_ROUTES_H

#include "analysis/serve/api_call.h"
#include "analysis/serve/api_respond.h"

void api_answer_position(tauler_tables *tables, const api_call *call, api_response *out);
void api_answer_line(tauler_tables *tables, const api_call *call, api_response *out);

void api_answer_stats(tauler_tables *tables, const api_call *call, api_response *out);

/* Of games of the goose the squares 0, the start, to the last: their kind and as far as it applies where they
 * lead, the turns that are lost there, or that whoever comes waits for another one. 404 of other games. */
void api_answer_board(tauler_tables *tables, const api_call *call, api_response *out);

/* A file of the explorer. */
void api_answer_file(const api_settings *settings, const char *name, api_response *out);

#endif
