/* oca-asesina-catch-up: is the catch-up of la oca asesina too strong, where does it come from, and what
 * repairs it? On the board of 20 squares. */
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/goose/asesina_scores.h"
#include "analysis/dice/survey.h"
#include "analysis/exact/exact_chain.h"

enum {
  USUAL_TOKENS = 2,
  MOST_TOKENS = 3,
  LEAD_COLUMNS = 8,
  WORTH_COLUMNS = 3,
  CHOICE_COLUMNS = 6,
  POLICY_COLUMNS = 4
};
static const double wide = 1e-5; /* of bounds with three tokens each, which take minutes */

static const report_column lead_columns[] = {{"rules", "rules"},
                                             {"tokens", "tokens"},
                                             {"start", "seat 1 from the start"},
                                             {"on_move", "leader on the move"},
                                             {"off_move", "leader off the move"},
                                             {"worth_on", "lead worth, on"},
                                             {"worth_off", "lead worth, off"},
                                             {"one_each", "seat 1, one left each"}};
static const report_column worth_columns[] = {
    {"rules", "rules"}, {"worth_on", "leader on the move"}, {"worth_off", "leader off the move"}};
static const report_column choice_columns[] = {{"homes", "tokens home"},   {"positions", "positions"},
                                               {"decisions", "decisions"}, {"real", "real choices"},
                                               {"share", "% real"},        {"stride", "one looked at of"}};
static const report_column policy_columns[] = {
    {"policy", "policy"}, {"regret", "largest regret"}, {"roll", "roll"}, {"position", "position"}};

enum { BASE, NO_INTERACTION, IMMUNE, ONE_LEFT, FIRST_PART, LAST_PART = FIRST_PART + 3, RULES };
static const char *const variants[RULES] = {[BASE] = "base",
                                            [NO_INTERACTION] = "interaction=off",
                                            [IMMUNE] = "last-token=immune",
                                            [ONE_LEFT] = "home=one-left",
                                            [FIRST_PART] = "last-token=no-death",
                                            "last-token=no-lost-turns",
                                            "last-token=no-overshoot",
                                            "last-token=no-bounce"};

typedef struct {
  const claim_job *job;
  report *out;
  int tokens;                         /* the most that are looked at under all rules */
  int length;                         /* of the board */
  bool known[RULES][MOST_TOKENS + 1]; /* by tokens */
  asesina_lead lead[RULES][MOST_TOKENS + 1];
  uint64_t decisions, real;
} findings;

/* --- the worth of a lead --- */

/* With one token a lead of one ends the game, and with one left of two so it does under home=one-left. */
static bool has_lead(int rule, int tokens) {
  return tokens > (rule == ONE_LEFT ? 2 : 1);
}

static void add_turns(report *out, bool known, const score_bounds figures[ASESINA_TURNS]) {
  for (int turn = 0; turn < ASESINA_TURNS; turn++) {
    if (known) {
      report_score(out, figures[turn]);
    } else {
      report_none(out);
    }
  }
}

static tauler_error add_lead_row(findings *f, claim_tables *t, int rule, int tokens,
                                 tauler_message *message) {
  asesina_lead *lead = &f->lead[rule][tokens];
  const bool known = has_lead(rule, tokens);
  score_bounds start, one_each = {0, 0};
  tauler_error error = asesina_score(t, f->length, tokens, 0, 0, 0, ASESINA_ON_MOVE, &start, message);
  if (!error && known) error = asesina_measure_lead(t, f->length, tokens, lead, message);
  if (!error && known && rule != ONE_LEFT)
    error =
        asesina_score(t, f->length, tokens, tokens - 1, tokens - 1, 0, ASESINA_ON_MOVE, &one_each, message);
  if (error) return error;
  f->known[rule][tokens] = known;
  report_text(f->out, t->tables->game->rules_text(t->tables->rules));
  report_number(f->out, tokens);
  report_score(f->out, start);
  add_turns(f->out, known, lead->leads);
  add_turns(f->out, known, lead->worth);
  if (known && rule != ONE_LEFT) {
    report_score(f->out, one_each);
  } else {
    report_none(f->out);
  }
  return TAULER_OK;
}

static void add_worths(const findings *f) {
  report_table_begin(
      f->out, "worths",
      "What a lead of one token is worth with as many tokens as the verdict rests on, rule by rule:",
      worth_columns, WORTH_COLUMNS);
  for (int rule = 0; rule < RULES; rule++) {
    if (!f->known[rule][f->tokens]) continue;
    report_text(f->out, variants[rule]);
    add_turns(f->out, true, f->lead[rule][f->tokens].worth);
  }
  report_plot_begin(f->out, "worth", "What it is worth to have brought one token home", PLOT_BARS, "rules",
                    "", "score added (a win is 1)");
  report_plot_series(f->out, "worth_on");
  report_plot_series(f->out, "worth_off");
}

/* --- choices --- */

static tauler_error add_survey(findings *f, claim_tables *t, uint32_t slice, survey *found,
                               tauler_message *message) {
  char name[GAME_TEXT_BYTES];
  const uint64_t positions = t->tables->game->positions(t->tables->rules, slice);
  game_slice_title(t->tables->game, t->tables->rules, slice, name);
  const tauler_error error = survey_slice(t->tables, slice, survey_stride(positions),
                                          &(workspace){.threads = t->job->threads}, found, message);
  if (error || found->decisions == 0) return error;
  report_text(f->out, name);
  report_number(f->out, (int64_t)found->positions);
  report_number(f->out, (int64_t)found->decisions);
  report_number(f->out, (int64_t)found->real_ones);
  report_mean(f->out, 100.0 * (double)found->real_ones / (double)found->decisions, 2);
  report_number(f->out, (int64_t)found->stride);
  f->decisions += found->decisions;
  f->real += found->real_ones;
  return TAULER_OK;
}

/* The last slice, from the start, has all tokens under way. */
static void add_policies(findings *f, const claim_tables *t, uint32_t slice, const survey *found) {
  const chance_roll *rolls;
  if (found->policies_used == 0) return;
  t->tables->game->chance->rolls(t->tables->rules, &rolls);
  report_table_begin(
      f->out, "policies",
      "What simple ways to choose lose in a single decision at most, nobody having a token home:",
      policy_columns, POLICY_COLUMNS);
  for (size_t i = 0; i < found->policies_used; i++) {
    const survey_policy *policy = &found->policies[i];
    char text[GAME_TEXT_BYTES];
    game_position position;
    if (!policy->any) continue;
    t->tables->game->position_at(t->tables->rules, (game_place){slice, policy->index}, &position);
    t->tables->game->print(t->tables->rules, &position, text);
    report_text(f->out, policy->policy);
    report_mean(f->out, policy->regret, 6);
    report_text(f->out, rolls[policy->roll].name);
    report_text(f->out, text);
  }
}

static tauler_error look_at_choices(findings *f, claim_tables *t, const game_request *request,
                                    tauler_message *message) {
  game_slices slices = {0};
  survey found = {.stride = 0};
  uint32_t last = 0;
  tauler_error error = t->tables->game->slices(t->tables->rules, request, &slices, message);
  report_table_begin(
      f->out, "choices",
      "Decisions, a position and a roll each, and how many of them are real: one move is surely better "
      "than another (tokens home of seat 1 and seat 2):",
      choice_columns, CHOICE_COLUMNS);
  for (size_t i = 0; i < slices.used && !error; i++) {
    if (!slices.slices[i].asked) continue;
    last = slices.slices[i].slice;
    error = add_survey(f, t, last, &found, message);
  }
  free(slices.slices);
  if (!error) add_policies(f, t, last, &found);
  return error;
}

/* --- rechecks --- */

static tauler_error recheck_exactly(findings *f, claim_tables *t, tauler_message *message) {
  game_position start;
  game_place from;
  score_bounds stored;
  mpq_t exact, low, high;
  tauler_error error = t->tables->game->parse(t->tables->rules, "0/0 lost=0,0 seat=1", &start, message);
  if (!error) error = asesina_score(t, f->length, 1, 0, 0, 0, ASESINA_ON_MOVE, &stored, message);
  if (error) return error;
  if (!t->tables->game->locate(t->tables->rules, &start, &from)) return TAULER_INTERNAL;
  mpq_inits(exact, low, high, NULL);
  error = exact_chain_solve(t->tables->game, t->tables->rules, from, t->job->memory, NULL, &exact, message);
  if (!error) {
    mpq_set_d(low, stored.lower);
    mpq_set_d(high, stored.upper);
    const bool within = mpq_cmp(low, exact) <= 0 && mpq_cmp(exact, high) <= 0;
    report_add_recheck(
        f->out, "exact rationals", true, within,
        "With one token each nobody chooses: the linear equations of the rules, solved in fractions, give "
        "seat 1 a score of %.12f, which %s between the bounds of the table.",
        mpq_get_d(exact), within ? "lies" : "does NOT lie");
  }
  mpq_clears(exact, low, high, NULL);
  return error;
}

static tauler_error show_lead(findings *f, claim_tables *t, tauler_message *message) {
  char text[96], drawing[GAME_DRAWING_BYTES];
  game_position position;
  asesina_write_position(f->length, f->tokens, (int[2]){f->tokens > 1, 0}, 0, text);
  tauler_error error = t->tables->game->parse(t->tables->rules, text, &position, message);
  if (error) return error;
  t->tables->game->draw(t->tables->rules, &position, drawing);
  report_witness_begin(
      f->out, f->tokens > 1 ? "Seat 1 leads by one token, and is to roll." : "The start, seat 1 to roll.",
      text, drawing);
  error = recheck_exactly(f, t, message);
  return error ? error : asesina_prove(t, f->tokens, f->out, message);
}

/* --- rule sets --- */

static tauler_error have_tokens(claim_tables *t, const game_request *request, bool build, bool *have,
                                tauler_message *message) {
  game_slices slices = {0};
  *have = true;
  if (build) return claim_tables_need(t, request, message);
  tauler_error error = t->tables->game->slices(t->tables->rules, request, &slices, message);
  for (size_t i = 0; i < slices.used && *have && !error; i++)
    error = claim_tables_have(t, slices.slices[i].slice, have, message);
  free(slices.slices);
  return error;
}

/* Without a limit: three tokens under the base rules, which takes minutes. */
static int built_tokens(const findings *f, int rule) {
  const bool more = f->job->tokens == 0 && !f->job->board && rule == BASE;
  return f->tokens + (more ? 1 : 0);
}

static tauler_error look_at_rules(findings *f, int rule, tauler_message *message) {
  claim_tables t;
  tauler_error error = asesina_open_board(f->job, ASESINA_BOARD_20, variants[rule], &t, message);
  if (error) return error;
  const int most = f->job->tokens ? f->tokens : MOST_TOKENS;
  for (int tokens = rule == ONE_LEFT ? 2 : 1; tokens <= most && !error; tokens++) {
    char largest[16];
    bool have = false;
    snprintf(largest, sizeof largest, "%d", tokens);
    t.width = tokens > USUAL_TOKENS && !f->job->board ? wide : 0;
    error =
        have_tokens(&t, &(game_request){.largest = largest}, tokens <= built_tokens(f, rule), &have, message);
    if (error || !have) break;
    error = add_lead_row(f, &t, rule, tokens, message);
  }
  if (!error) error = claim_tables_tell(&t, f->out, message);
  claim_tables_close(&t);
  return error;
}

static tauler_error look_at_base(findings *f, tauler_message *message) {
  claim_tables t;
  char largest[16];
  snprintf(largest, sizeof largest, "%d", f->tokens);
  const game_request request = {.largest = largest};
  tauler_error error = asesina_open_board(f->job, ASESINA_BOARD_20, variants[BASE], &t, message);
  if (error) return error;
  if (f->tokens > 1) error = look_at_choices(f, &t, &request, message);
  if (!error) error = show_lead(f, &t, message);
  claim_tables_close(&t);
  return error;
}

/* --- the verdict --- */

static score_bounds worth(const findings *f, int rule, int tokens) {
  return f->lead[rule][tokens].mean_worth;
}

/* The part of immunity under which a lead is worth most. */
static int best_part(const findings *f) {
  int best = FIRST_PART;
  for (int rule = FIRST_PART; rule <= LAST_PART; rule++)
    if (worth(f, rule, f->tokens).lower > worth(f, best, f->tokens).lower) best = rule;
  return best;
}

static bool is_weak(const findings *f, int tokens) {
  return 2 * worth(f, BASE, tokens).upper < worth(f, IMMUNE, tokens).lower;
}

static void judge_lead(const findings *f) {
  const int n = f->tokens, part = best_part(f), more = n + 1;
  const asesina_lead *lead = &f->lead[BASE][n];
  const bool looked_further = n < MOST_TOKENS && f->known[BASE][more] && f->known[IMMUNE][more];
  const bool weak = is_weak(f, n) && (!looked_further || is_weak(f, more));
  const bool by_captures = worth(f, NO_INTERACTION, n).lower > 2 * worth(f, BASE, n).upper;
  char further[160] = "";
  if (n < MOST_TOKENS && f->known[BASE][more] && !looked_further)
    snprintf(further, sizeof further, " With %d tokens each the lead is worth %.4f.", more,
             worth(f, BASE, more).lower);
  if (looked_further)
    snprintf(further, sizeof further, " With %d tokens each the lead is worth %.4f, with immunity %.4f.",
             more, worth(f, BASE, more).lower, worth(f, IMMUNE, more).lower);
  report_verdict(f->out, weak ? VERDICT_HOLDS_FOR : VERDICT_OPEN,
                 "On the board of %d squares with %d tokens each, whoever has brought one home scores %.4f "
                 "on the move and %.4f off it: that lead is worth %.4f on average. Captures and barriers "
                 "are %s cause: without interaction it is worth %.4f. Immunity of the last token makes it "
                 "%.4f; of its parts %s does most, %.4f. %.1f %% of all decisions are real choices.%s",
                 f->length, n, lead->leads[ASESINA_ON_MOVE].lower, lead->leads[ASESINA_OFF_MOVE].lower,
                 worth(f, BASE, n).lower, by_captures ? "the main" : "not the main",
                 worth(f, NO_INTERACTION, n).lower, worth(f, IMMUNE, n).lower, variants[part],
                 worth(f, part, n).lower, f->decisions ? 100.0 * (double)f->real / (double)f->decisions : 0,
                 further);
}

static void judge(const findings *f) {
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "The tables do not stand up to being checked again.");
  } else if (f->tokens == 1) {
    report_verdict(f->out, VERDICT_OPEN,
                   "With one token each a lead of one token is the end; --tokens 2 looks further.");
  } else {
    judge_lead(f);
  }
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings f = {.job = job, .out = out, .tokens = job->tokens ? job->tokens : USUAL_TOKENS};
  claim_tables base;
  tauler_error error = asesina_open_board(job, ASESINA_BOARD_20, variants[BASE], &base, message);
  if (error) return error;
  f.length = asesina_length(&base);
  claim_tables_close(&base);
  report_rules(out, "base and variants");
  report_table_begin(
      out, "leads",
      "Scores (won 1, shared 1/2) of best play, all tokens that are not home at the start. A leader has "
      "one token home, the other side none, in the mean of both seats; a lead is worth what it adds to the "
      "score with no token home, whoever leads being on the move or off it:",
      lead_columns, LEAD_COLUMNS);
  for (int rule = 0; rule < RULES && !error; rule++)
    if (rule != ONE_LEFT || f.tokens > 1) error = look_at_rules(&f, rule, message);
  if (!error && f.tokens > 1) add_worths(&f);
  if (!error) error = look_at_base(&f, message);
  if (!error) judge(&f);
  return error;
}

extern const claim_text claim_text_asesina_catch_up;
extern const claim claim_oca_asesina_catch_up;
const claim claim_oca_asesina_catch_up = {.name = "oca-asesina-catch-up",
                                          .game = "oca-asesina",
                                          .text = &claim_text_asesina_catch_up,
                                          .options = "board tokens",
                                          .run = run};
