/* Shared by the suites of the HTTP interface: an interface over the folder of the running test, requests to
 * it and what its responses must be. */
#ifndef HTTP_FIXTURE_H
#define HTTP_FIXTURE_H

#include <stdbool.h>

#include "analysis/serve/api.h"
#include "tests/support/probe_fixture.h"

#define BOARD "1-0-0-0-0-1-0-0-0-0-1-0-20-25-S"
#define LARGE "1-0-0-0-0-1-1-1-1-1-1-1-20-20-S"

extern api *served;
extern api_response response; /* to the last request */

void http_fixture(suite_cases *suite);
void open_api(const char *folder, const char *explorer);
void close_api(void);

const api_response *request(const char *method, const char *target, const char *if_none_match);
const api_response *get(const char *target);
const char *header(const char *name); /* value of a header of the response */
bool body_has(const char *text);
bool reads_tables(void);
void assert_body(const char *wanted);

/* An error: its status, its name, a word of its sentence, and that nobody keeps it. */
void assert_error(const char *target, int status, const char *name, const char *word);

#endif
