/* oca-asesina-one-left: is it a repair of la oca asesina that whoever has one token left wins? */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/goose/asesina_scores.h"

enum { USUAL_TOKENS = 3, LEAD_COLUMNS = 8, BASE, IMMUNE, ONE_LEFT, RULES, FIRST = BASE };

static const report_column lead_columns[] = {{"rules", "rules"},
                                             {"tokens", "tokens"},
                                             {"needed", "to bring home"},
                                             {"start", "seat 1 from the start"},
                                             {"on_move", "leader on the move"},
                                             {"off_move", "leader off the move"},
                                             {"worth_on", "lead worth, on"},
                                             {"worth_off", "lead worth, off"}};

static const char *const variants[RULES] = {
    [BASE] = "base", [IMMUNE] = "last-token=immune", [ONE_LEFT] = "home=one-left"};

typedef struct {
  const claim_job *job;
  report *out;
  int tokens;
  bool known[RULES]; /* with that many tokens */
  asesina_lead found[RULES];
  score_bounds fewer; /* worth of a lead under the base rules with a token less */
} findings;

/* --- figures --- */

static void add_lead(report *out, const asesina_lead *lead) {
  for (int turn = 0; turn < ASESINA_TURNS; turn++) {
    if (lead) {
      report_score(out, lead->leads[turn]);
    } else {
      report_none(out);
    }
  }
  for (int turn = 0; turn < ASESINA_TURNS; turn++) {
    if (lead) {
      report_score(out, lead->worth[turn]);
    } else {
      report_none(out);
    }
  }
}

static tauler_error add_row(findings *f, claim_tables *t, int rule, int tokens, tauler_message *message) {
  const int needed = tokens - (rule == ONE_LEFT), length = asesina_length(t);
  score_bounds start;
  asesina_lead lead = {.mean_worth = {0, 0}};
  tauler_error error = asesina_score(t, length, tokens, 0, 0, 0, ASESINA_ON_MOVE, &start, message);
  if (!error && needed > 1) error = asesina_measure_lead(t, length, tokens, &lead, message);
  if (error) return error;
  report_text(f->out, t->tables->game->rules_text(t->tables->rules));
  report_number(f->out, tokens);
  report_number(f->out, needed);
  report_score(f->out, start);
  add_lead(f->out, needed > 1 ? &lead : NULL);
  if (needed > 1 && tokens == f->tokens) {
    f->known[rule] = true;
    f->found[rule] = lead;
  }
  if (rule == BASE && needed > 1 && tokens == f->tokens - 1) f->fewer = lead.mean_worth;
  return TAULER_OK;
}

static tauler_error look_at_rules(findings *f, int rule, tauler_message *message) {
  claim_tables t;
  tauler_error error = asesina_open_board(f->job, ASESINA_BOARD_12, variants[rule], &t, message);
  if (error) return error;
  for (int tokens = f->tokens - (rule == BASE); tokens <= f->tokens && !error; tokens++) {
    char largest[16];
    snprintf(largest, sizeof largest, "%d", tokens);
    error = claim_tables_need(&t, &(game_request){.largest = largest}, message);
    if (!error) error = add_row(f, &t, rule, tokens, message);
  }
  if (!error) error = claim_tables_tell(&t, f->out, message);
  claim_tables_close(&t);
  return error;
}

/* --- witness --- */

static tauler_error show_lead(findings *f, tauler_message *message) {
  claim_tables t;
  char text[96], drawing[GAME_DRAWING_BYTES], largest[16];
  game_position position;
  tauler_error error = asesina_open_board(f->job, ASESINA_BOARD_12, variants[ONE_LEFT], &t, message);
  if (error) return error;
  asesina_write_position(asesina_length(&t), f->tokens, (int[2]){f->tokens > 2, 0}, 0, text);
  snprintf(largest, sizeof largest, "%d", f->tokens);
  error = claim_tables_need(&t, &(game_request){.largest = largest}, message);
  if (!error) error = t.tables->game->parse(t.tables->rules, text, &position, message);
  if (!error) {
    t.tables->game->draw(t.tables->rules, &position, drawing);
    report_witness_begin(f->out, f->tokens > 2 ? "Seat 1 leads by one token, and is to roll." : "The start.",
                         text, drawing);
    error = asesina_prove(&t, f->tokens, f->out, message);
  }
  claim_tables_close(&t);
  return error;
}

/* --- the verdict --- */

static void judge(const findings *f) {
  const score_bounds base = f->found[BASE].mean_worth, left = f->found[ONE_LEFT].mean_worth,
                     immune = f->found[IMMUNE].mean_worth;
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "The tables do not stand up to being checked again.");
  } else if (!f->known[ONE_LEFT]) {
    report_verdict(
        f->out, VERDICT_OPEN,
        "With two tokens each, whoever brings the first one home wins under this rule, so there is no lead "
        "to be made up for; --tokens 3 looks further.");
  } else {
    report_verdict(
        f->out, left.lower > 2 * base.upper ? VERDICT_HOLDS_FOR : VERDICT_OPEN,
        "On this board with %d tokens each a lead of one token is worth %.4f under this rule, against %.4f "
        "under the "
        "base rules, %.4f under these with one token less, which are as many to bring home, and %.4f with an "
        "immune last token. So the rule %s.",
        f->tokens, left.lower, base.lower, f->fewer.lower, immune.lower,
        left.lower > 2 * base.upper ? "more than doubles what a lead is worth"
        : left.lower > base.upper   ? "makes a lead worth more, but not twice as much"
                                    : "does not make a lead worth more");
  }
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings f = {.job = job, .out = out, .tokens = job->tokens ? job->tokens : USUAL_TOKENS};
  report_rules(out, "base, last-token=immune and home=one-left");
  if (f.tokens < 2) {
    report_verdict(out, VERDICT_OPEN,
                   "With one token each there is none to be left; --tokens 3 looks further.");
    return TAULER_OK;
  }
  report_table_begin(
      out, "leads",
      "Scores (won 1, shared 1/2) of best play, all tokens that are not home at the start. A leader has "
      "one token home, the other side none, in the mean of both seats; a lead is worth what it adds to "
      "the score with no token home:",
      lead_columns, LEAD_COLUMNS);
  report_plot_begin(out, "leads", "What a lead of one token is worth", PLOT_BARS, "rules", "rules",
                    "added to the score");
  report_plot_series(out, "worth_on");
  report_plot_series(out, "worth_off");
  tauler_error error = TAULER_OK;
  for (int rule = FIRST; rule < RULES && !error; rule++) error = look_at_rules(&f, rule, message);
  if (!error) error = show_lead(&f, message);
  if (!error) judge(&f);
  return error;
}

extern const claim_text claim_text_asesina_one_left;
extern const claim claim_oca_asesina_one_left;
const claim claim_oca_asesina_one_left = {.name = "oca-asesina-one-left",
                                          .game = "oca-asesina",
                                          .text = &claim_text_asesina_one_left,
                                          .options = "board tokens",
                                          .run = run};
