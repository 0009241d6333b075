/* The proof check of tables of the running test, and its findings as lines of text. */
#ifndef TESTS_VERIFIED_H
#define TESTS_VERIFIED_H

#include "analysis/verify/verify.h"
#include "tests/support/suite.h"

enum { FINDINGS_BYTES = 1 << 16 };

/* Of the last check: "cycles/file verdict: reason". */
extern char findings[FINDINGS_BYTES];
extern verify_summary summary;

/* A job without a folder, threads or memory gets the folder of the test, two threads, and no limit. */
tauler_error try_to_verify(verify_job job, tauler_message *message);
/* The outcome of a check that has to come to its end. */
tauler_error verify(verify_job job);
void expect_finding(const char *text);

#endif
