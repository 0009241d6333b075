/* The tests of naive_wdl; a part of test_naive. */
#ifndef SUITE_WDL_H
#define SUITE_WDL_H

#include <check.h>

Suite *naive_wdl_suite(void);

#endif
