/* The house rules of Oca that claims look at, one by one. */
#ifndef ANALYSIS_CLAIMS_GOOSE_OCA_HOUSE_RULES_H
#define ANALYSIS_CLAIMS_GOOSE_OCA_HOUSE_RULES_H

typedef struct {
  const char *rules;   /* "inn=1" */
  const char *meaning; /* "one turn is lost in the inn" */
} oca_house_rule;

/* The first is the rules of the source; ends with a NULL. */
extern const oca_house_rule oca_house_rules[];

#endif
