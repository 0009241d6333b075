/* Names the version of the library. */
#include "analysis/probe/tauler.h"

const char *tauler_version(void) {
  return TAULER_VERSION;
}
