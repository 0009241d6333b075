/* The card of a published folder: what it contains, by which rules, and how to read it. Private to
 * analysis/publish. */
#ifndef ANALYSIS_PUBLISH_CARD_H
#define ANALYSIS_PUBLISH_CARD_H

#include "analysis/probe/tauler.h"
#include "analysis/publish/catalogue.h"

#define CARD_NAME "README.md"

typedef struct {
  const char *title, *licence;
  const tauler_contents *contents;
  const catalogue *files;
  bool page; /* the page is published too, with the rules in three languages */
} card;

/* Writes the card into the folder. Errors: those of durable_file_commit. */
tauler_error card_write(const card *of, const char *folder, tauler_message *message);

#endif
