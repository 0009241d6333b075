/* One function for each route. Private to analysis/serve.
 *
 * Every function fills a response of which only the route is set. Those about a rule set receive it open.
 */
#ifndef ANALYSIS_SERVE_API_ROUTES_H
#define ANALYSIS_SERVE_API_ROUTES_H

#include "analysis/serve/api_call.h"
#include "analysis/serve/api_respond.h"

void api_answer_position(tauler_tables *tables, const api_call *call, api_response *out);
void api_answer_line(tauler_tables *tables, const api_call *call, api_response *out);

/* Answers for a position above the tables by a search within the limits of the call. */
void api_answer_search(tauler_tables *tables, const api_call *call, api_response *out);

void api_answer_stats(tauler_tables *tables, const api_call *call, api_response *out);

/* For games of the goose: the squares from 0, the start, to the last, with their kind and, if they apply, the
 * square they lead to, the turns lost there, or that a token waits there for another one. Other games:
 * 404. */
void api_answer_board(tauler_tables *tables, const api_call *call, api_response *out);

/* A position of the slice in which only one move keeps the value; `unlike` may be NULL. */
void api_answer_exercise(tauler_tables *tables, tauler_tables *unlike, const api_call *call,
                         api_response *out);

/* Answers for the positions of the body, one per line, each as api_answer_position does. */
void api_answer_positions(tauler_tables *tables, const api_call *call, api_response *out);

/* Judges the games of the body, unless the client has `left` (may be NULL). */
void api_answer_analyse(const api_settings *of, api_left *left, void *user, const api_call *call,
                        api_response *out);

/* A file of the explorer. */
void api_answer_file(const api_settings *settings, const char *name, api_response *out);

#endif
