/* Lists the house rules of Oca that claims look at. */
#include "analysis/claims/goose/oca_house_rules.h"

#include <stddef.h>

const oca_house_rule oca_house_rules[] = {
    {"base", "the rules of the source"},
    {"dice=2", "two dice are rolled"},
    {"start=1", "tokens start on square 1"},
    {"goose-1=off", "square 1 is no goose"},
    {"goose-59=bounce", "from the goose on 59 to 63 and back by another roll"},
    {"goose-59=stay", "on the goose on 59 one rolls again"},
    {"inn=1", "one turn is lost in the inn, not two"},
    {"well=off", "nobody waits in the well"},
    {"labyrinth=30", "from the labyrinth back to 30, no turns are lost"},
    {"prison=2", "two turns are lost in the prison, not three"},
    {"death=start", "death leads to the start, not to square 1"},
    {NULL, NULL}};

chance_values oca_from_start(const claim_tables *t, int players) {
  game_position start;
  chance_values values = {.known = false};
  t->game->chance->start(t->rules, (uint32_t)players, &start);
  REPORT_CATCH(t->out, chance_values_of(t->tables, &start, &values, &t->out->message));
  return values;
}
