/* The tests of naive_wdl, a group of test_naive. */
#ifndef SUITE_WDL_H
#define SUITE_WDL_H

#include <check.h>

TCase *naive_wdl_group(void);

#endif
