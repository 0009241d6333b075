/* Functions that the page's module replaces: it has no threads to watch. */
#include "parallel/watchdog.h"

void watchdog_note(watchdog *watchdog) {
  (void)watchdog;
}
