/* The house rules of Oca that claims look at, one by one, and the start of a game. */
#ifndef ANALYSIS_CLAIMS_GOOSE_OCA_HOUSE_RULES_H
#define ANALYSIS_CLAIMS_GOOSE_OCA_HOUSE_RULES_H

#include "analysis/claims/claim_tables.h"
#include "analysis/probe/chance_worth.h"

typedef struct {
  const char *rules;   /* "inn=1" */
  const char *meaning; /* "one turn is lost in the inn" */
} oca_house_rule;

/* The first is the rules of the source; ends with a NULL. */
extern const oca_house_rule oca_house_rules[];

/* Returns the expected wins of each seat, turns and rolls from the start with so many players; their tables
 * must exist. Errors are kept in the report of the tables. */
chance_values oca_from_start(const claim_tables *t, int players);

#endif
