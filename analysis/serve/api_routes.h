/* One function for each route. Private to analysis/serve.
 *
 * Every function fills a response that is empty but for its route. Those about a rule set get it open.
 */
#ifndef ANALYSIS_SERVE_API_ROUTES_H
#define ANALYSIS_SERVE_API_ROUTES_H

#include "analysis/serve/api_call.h"
#include "analysis/serve/api_respond.h"

void api_answer_position(tauler_tables *tables, const api_call *call, api_response *out);
void api_answer_line(tauler_tables *tables, const api_call *call, api_response *out);

/* A position above the tables, by a search within the budget of the call. */
void api_answer_search(tauler_tables *tables, const api_call *call, api_response *out);

void api_answer_stats(tauler_tables *tables, const api_call *call, api_response *out);

/* For games of the goose: the squares from 0, the start, to the last, with their kind and, where they apply,
 * the square they lead to, the turns lost there, or that a token waits there for another one. Other games:
 * 404. */
void api_answer_board(tauler_tables *tables, const api_call *call, api_response *out);

/* A position of the slice where one move alone keeps the value; `unlike` may be NULL. */
void api_answer_exercise(tauler_tables *tables, tauler_tables *unlike, const api_call *call,
                         api_response *out);

/* The positions of the body, one a line, each as api_answer_position answers it. */
void api_answer_positions(tauler_tables *tables, const api_call *call, api_response *out);

/* Judges the games of the body, unless the client has `left` (or NULL). */
void api_answer_analyse(const char *folder, api_left *left, void *user, const api_call *call,
                        api_response *out);

/* A file of the explorer. */
void api_answer_file(const api_settings *settings, const char *name, api_response *out);

#endif
