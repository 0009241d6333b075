/* Prints the figures asesina-choices: counts of decisions in la oca asesina in which it is wrong to bring a
 * token home, to capture, or to make a pair, and the costliest of them. */
#include "analysis/claims/figures.h"
#include "analysis/claims/goose/asesina_scores.h"
#include "analysis/dice/survey.h"
#include "analysis/probe/chance_worth.h"

enum { TRAITS = 3, LOOKS = 2000000, LEAST_TOKENS = 2 };

/* The decision in which a trait costs most, over all slices. */
typedef struct {
  double cost; /* cost, or 0 if there is no such decision */
  game_place place;
  size_t roll;
} costliest;

static void print_trait(json_writer *json, const char *slice, const survey *s, int trait) {
  const survey_trait *of = &s->traits[trait];
  json_object(json, JSON_TEXT("slice", slice), JSON_INTEGER("trait", trait),
              JSON_COUNT("choices", of->choices), JSON_COUNT("wrong", of->wrong),
              JSON_COUNT("right", of->right), JSON_NUMBER("mean_cost", survey_mean_cost(of)),
              JSON_NUMBER("worst", of->worst.regret), JSON_COUNT("stride", s->stride));
}

static void print_slice(claim_tables *t, json_writer *json, const reached *reached, uint32_t slice,
                        costliest worst[TRAITS]) {
  char name[GAME_TEXT_BYTES];
  survey found;
  const uint64_t stride = (t->game->positions(t->rules, slice) + LOOKS - 1) / LOOKS;
  const workspace work = {.threads = t->job->threads};
  const survey_job asked = {.tables = t->tables, .reached = reached, .stride = stride, .work = &work};
  game_slice_title(t->game, t->rules, slice, name);
  if (CLAIM_CATCH(t->kept, survey_slice(&asked, slice, &found, &t->kept->message))) return;
  for (int trait = 0; trait < TRAITS; trait++) {
    const survey_policy *most = &found.traits[trait].worst;
    if (found.traits[trait].choices) print_trait(json, name, &found, trait);
    if (found.traits[trait].choices && most->regret > worst[trait].cost)
      worst[trait] = (costliest){most->regret, {slice, most->index}, most->roll};
  }
}

/* A decision with all moves, best first; `with` is the place of the first one with a trait. */
typedef struct {
  game_position position;
  game_moves moves;
  chance_move ranked[CHANCE_MOST_ROLLS];
  uint8_t traits[CHANCE_MOST_ROLLS];
  size_t with;
} decision;

static bool open_decision(claim_tables *t, const costliest *at, int trait, decision *d) {
  const game_chance *chance = t->game->chance;
  *d = (decision){.position = claim_position_at(t, at->place)};
  if (CLAIM_CATCH(t->kept, chance->moves(t->rules, &d->position, at->roll, &d->moves))) return false;
  if (d->moves.used > CHANCE_MOST_ROLLS) claim_keep(t->kept, TAULER_INTERNAL);
  if (CLAIM_CATCH(t->kept,
                  chance_rank_moves(t->tables, &d->position, &d->moves, d->ranked, &t->kept->message)))
    return false;
  chance->traits->list(t->rules, &d->position, at->roll, &d->moves, d->traits);
  while (d->with < d->moves.used && !(d->traits[d->ranked[d->with].ranked.order] >> trait & 1)) d->with++;
  return d->with < d->moves.used || !claim_keep(t->kept, TAULER_INTERNAL);
}

static void print_played(claim_tables *t, json_writer *json, const decision *d, const game_move *move,
                         uint64_t seed) {
  asesina_table at = {.t = t};
  match_best best;
  match_best_open(&best, t->tables);
  const simulate_policy policy = match_policy_best(&best);
  const asesina_estimate found = asesina_play_games(&at, move->child, policy, policy, ASESINA_GAMES, seed);
  const double score = t->game->chance->aim(t->rules, &d->position) > 0 ? found.mean : 1 - found.mean;
  json_fields(json, JSON_RANGE("played", score, found.error));
}

static void print_moves(claim_tables *t, json_writer *json, const decision *d) {
  for (size_t i = 0; i < d->moves.used; i++) {
    const ranked_move *ranked = &d->ranked[i].ranked;
    const game_move *move = &d->moves.moves[ranked->order];
    json_begin_object(json);
    json_field_string(json, "move", move->name);
    json_field_string(json, "position", move->over ? NULL : claim_print(t, &move->child).text);
    json_field_number(json, "value", ranked->worth.lower);
    json_field_integer(json, "traits", d->traits[ranked->order]);
    if ((i == 0 || i == d->with) && !move->over) print_played(t, json, d, move, ASESINA_SEED + (i > 0));
    json_end_object(json);
  }
}

static void print_worst(claim_tables *t, json_writer *json, const costliest *at, int trait) {
  const chance_roll *rolls;
  decision d = {.with = 0};
  t->game->chance->rolls(t->rules, &rolls);
  json_begin_object(json);
  if (at->cost > 0 && open_decision(t, at, trait, &d)) {
    json_field_string(json, "position", claim_print(t, &d.position).text);
    json_field_string(json, "roll", rolls[at->roll].name);
    json_field_unsigned(json, "with", d.with);
    json_field_array(json, "moves");
    print_moves(t, json, &d);
    json_end_array(json);
  }
  game_moves_free(&d.moves);
  json_end_object(json);
}

static void print_rows(claim_tables *t, json_writer *json, const game_slices *slices,
                       costliest worst[TRAITS]) {
  reached found = {.used = 0};
  const reached *looked_at = t->job->every ? NULL : &found;
  if (looked_at) claim_tables_reach(t, slices, &found);
  for (size_t i = 0; i < slices->used && !t->kept->error; i++)
    if (slices->slices[i].asked) print_slice(t, json, looked_at, slices->slices[i].slice, worst);
  reached_close(&found);
}

void figures_asesina_choices(claim_tables *t, json_writer *json) {
  const int tokens = t->job->tokens ? t->job->tokens : LEAST_TOKENS;
  asesina_table at;
  costliest worst[TRAITS] = {{.cost = 0}};
  asesina_table_open(&at, t, tokens);
  json_field_array(json, "rows");
  print_rows(t, json, &at.slices, worst);
  json_end_array(json);
  json_field_array(json, "worst");
  for (int trait = 0; trait < TRAITS && !t->kept->error; trait++) print_worst(t, json, &worst[trait], trait);
  json_end_array(json);
  asesina_table_close(&at);
}
