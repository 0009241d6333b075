/* oca-asesina-catch-up: is the catch-up of la oca asesina too strong, where does it come from, and what
 * repairs it? On the board of 20 squares. */
#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/claim_tables.h"
#include "analysis/exact_chain.h"
#include "analysis/rounded.h"
#include "analysis/survey.h"
#include "analysis/verify.h"

enum {
  USUAL_TOKENS = 2,
  MOST_TOKENS = 3,
  HOME = 20,
  LEAD_COLUMNS = 8,
  CHOICE_COLUMNS = 6,
  POLICY_COLUMNS = 4
};
enum { ON_MOVE, OFF_MOVE, TURNS };

static const report_column lead_columns[] = {{"rules", "rules"},
                                             {"tokens", "tokens"},
                                             {"start", "seat 1 from the start"},
                                             {"on_move", "leader on the move"},
                                             {"off_move", "leader off the move"},
                                             {"worth_on", "lead worth, on"},
                                             {"worth_off", "lead worth, off"},
                                             {"one_each", "seat 1, one left each"}};
static const report_column choice_columns[] = {{"homes", "tokens home"},   {"positions", "positions"},
                                               {"decisions", "decisions"}, {"real", "real choices"},
                                               {"share", "% real"},        {"stride", "one looked at of"}};
static const report_column policy_columns[] = {
    {"policy", "policy"}, {"regret", "largest regret"}, {"roll", "roll"}, {"position", "position"}};

enum { BASE, NO_INTERACTION, IMMUNE, ONE_LEFT, FIRST_PART, LAST_PART = FIRST_PART + 3, RULES };
static const char *const variants[RULES] = {[BASE] = "base,board=20",
                                            [NO_INTERACTION] = "base,board=20,interaction=off",
                                            [IMMUNE] = "base,board=20,last-token=immune",
                                            [ONE_LEFT] = "base,board=20,home=one-left",
                                            [FIRST_PART] = "base,board=20,last-token=no-death",
                                            "base,board=20,last-token=no-lost-turns",
                                            "base,board=20,last-token=no-overshoot",
                                            "base,board=20,last-token=no-bounce"};

typedef struct {
  double lower, upper;
} bounds;

typedef struct {
  const claim_job *job;
  report *out;
  int tokens; /* the most that are looked at with one token's lead */
  bool known[RULES];
  bounds start[RULES], leads[RULES][TURNS], worth[RULES][TURNS]; /* with that many tokens */
  uint64_t decisions, real;
} findings;

/* --- bounds --- */

static bounds less_from(double one, bounds b) {
  return (bounds){rounded_sum(one, -b.upper, ROUND_BELOW), rounded_sum(one, -b.lower, ROUND_ABOVE)};
}

static bounds difference(bounds a, bounds b) {
  return (bounds){rounded_sum(a.lower, -b.upper, ROUND_BELOW), rounded_sum(a.upper, -b.lower, ROUND_ABOVE)};
}

static bounds mean_of(bounds a, bounds b) {
  return (bounds){rounded_sum(a.lower, b.lower, ROUND_BELOW) / 2,
                  rounded_sum(a.upper, b.upper, ROUND_ABOVE) / 2};
}

/* --- positions --- */

/* "0,20": so many tokens, some of them home. */
static void write_tokens(int tokens, int home, char text[32]) {
  size_t used = 0;
  for (int i = 0; i < tokens; i++)
    used += (size_t)snprintf(text + used, 32 - used, "%s%d", i ? "," : "", i < tokens - home ? 0 : HOME);
}

static void write_position(int tokens, const int home[2], int seat, char text[96]) {
  char first[32], second[32];
  write_tokens(tokens, home[0], first);
  write_tokens(tokens, home[1], second);
  snprintf(text, 96, "%s/%s lost=0,0 seat=%d", first, second, seat + 1);
}

/* What a seat scores where it, and the other one, have so many tokens home and all others at the start. */
static tauler_error score(claim_tables *t, int tokens, int own, int other, int seat, int turn, bounds *out,
                          tauler_message *message) {
  char text[96];
  int home[2];
  bounds first;
  home[seat] = own;
  home[1 - seat] = other;
  write_position(tokens, home, turn == ON_MOVE ? seat : 1 - seat, text);
  const tauler_error error = claim_tables_expect(t, text, 0, &first.lower, &first.upper, message);
  *out = seat == 0 ? first : less_from(1, first);
  return error;
}

/* The same in the mean of both seats, which are not alike. */
static tauler_error mean_score(claim_tables *t, int tokens, int own, int other, int turn, bounds *out,
                               tauler_message *message) {
  bounds seats[2];
  tauler_error error = score(t, tokens, own, other, 0, turn, &seats[0], message);
  if (!error) error = score(t, tokens, own, other, 1, turn, &seats[1], message);
  if (!error) *out = mean_of(seats[0], seats[1]);
  return error;
}

/* --- the worth of a lead --- */

static void add_bounds(report *out, bounds b) {
  report_bounds(out, b.lower, b.upper);
}

static tauler_error measure_lead(findings *f, claim_tables *t, int rule, int tokens, bounds *one_each,
                                 tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int turn = 0; turn < TURNS && !error; turn++) {
    bounds even = {0, 0};
    error = mean_score(t, tokens, 1, 0, turn, &f->leads[rule][turn], message);
    if (!error) error = mean_score(t, tokens, 0, 0, turn, &even, message);
    if (!error) f->worth[rule][turn] = difference(f->leads[rule][turn], even);
  }
  if (!error) error = score(t, tokens, tokens - 1, tokens - 1, 0, ON_MOVE, one_each, message);
  if (!error) f->known[rule] = true;
  return error;
}

/* With one token a lead of one ends the game, and with one left of two so it does under home=one-left. */
static bool has_lead(int rule, int tokens) {
  return tokens > (rule == ONE_LEFT ? 2 : 1);
}

static tauler_error add_lead_row(findings *f, claim_tables *t, int rule, int tokens,
                                 tauler_message *message) {
  bounds one_each = {0, 0};
  f->known[rule] = false;
  tauler_error error = score(t, tokens, 0, 0, 0, ON_MOVE, &f->start[rule], message);
  if (!error && has_lead(rule, tokens)) error = measure_lead(f, t, rule, tokens, &one_each, message);
  if (error) return error;
  report_text(f->out, variants[rule]);
  report_number(f->out, tokens);
  add_bounds(f->out, f->start[rule]);
  for (int turn = 0; turn < TURNS; turn++) {
    if (f->known[rule]) {
      add_bounds(f->out, f->leads[rule][turn]);
    } else {
      report_none(f->out);
    }
  }
  for (int turn = 0; turn < TURNS; turn++) {
    if (f->known[rule]) {
      add_bounds(f->out, f->worth[rule][turn]);
    } else {
      report_none(f->out);
    }
  }
  if (f->known[rule] && rule != ONE_LEFT) {
    add_bounds(f->out, one_each);
  } else {
    report_none(f->out);
  }
  return TAULER_OK;
}

/* --- choices --- */

static tauler_error add_survey(findings *f, claim_tables *t, uint32_t slice, survey *found,
                               tauler_message *message) {
  char name[GAME_TEXT_BYTES];
  const uint64_t positions = t->tables->game->positions(t->tables->rules, slice);
  game_slice_title(t->tables->game, t->tables->rules, slice, name);
  const tauler_error error =
      survey_slice(t->tables, slice, survey_stride(positions), t->job->threads, NULL, found, message);
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
  bounds stored;
  mpq_t exact, low, high;
  tauler_error error = t->tables->game->parse(t->tables->rules, "0/0 lost=0,0 seat=1", &start, message);
  if (!error) error = score(t, 1, 0, 0, 0, ON_MOVE, &stored, message);
  if (error) return error;
  if (!t->tables->game->locate(t->tables->rules, &start, &from)) return TAULER_INTERNAL;
  mpq_inits(exact, low, high, NULL);
  error = exact_chain_solve(t->tables->game, t->tables->rules, from, t->job->memory, &exact, message);
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

static void take_finding(void *user, const verify_finding *finding) {
  (void)user, (void)finding;
}

static tauler_error recheck_by_proof(findings *f, const claim_tables *t, const game_request *request,
                                     tauler_message *message) {
  verify_summary summary = {.positions = 0};
  const verify_job job = {.folder = t->job->folder,
                          .game = t->tables->game,
                          .rules = t->tables->rules,
                          .request = request,
                          .threads = t->job->threads,
                          .memory = t->job->memory,
                          .shown = t->job->shown,
                          .report = take_finding};
  const tauler_error error = verify_tables(&job, &summary, message);
  if (error) return error;
  uint64_t tables = 0;
  for (int verdict = 0; verdict < VERIFY_VERDICTS; verdict++) tables += summary.tables[verdict];
  report_add_recheck(
      f->out, "proof", true, verify_outcome(&summary) == TAULER_OK,
      "All bounds of the base rules with %s token%s each are held against the moves, one position at a "
      "time and without rounding, and shown to follow from them: %" PRIu64 " positions, %" PRIu64
      " of %" PRIu64 " tables proven.",
      request->largest, strcmp(request->largest, "1") == 0 ? "" : "s", summary.positions / 2,
      summary.tables[VERIFY_PROVEN], tables);
  return TAULER_OK;
}

static tauler_error show_lead(findings *f, claim_tables *t, const game_request *request,
                              tauler_message *message) {
  char text[96], drawing[GAME_DRAWING_BYTES];
  game_position position;
  write_position(f->tokens, (int[2]){f->tokens > 1, 0}, 0, text);
  tauler_error error = t->tables->game->parse(t->tables->rules, text, &position, message);
  if (error) return error;
  t->tables->game->draw(t->tables->rules, &position, drawing);
  report_witness_begin(
      f->out, f->tokens > 1 ? "Seat 1 leads by one token, and is to roll." : "The start, seat 1 to roll.",
      text, drawing);
  error = recheck_exactly(f, t, message);
  return error ? error : recheck_by_proof(f, t, request, message);
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

static tauler_error look_at_rules(findings *f, int rule, tauler_message *message) {
  claim_tables t;
  tauler_error error = claim_tables_open(f->job, "oca-asesina", variants[rule], NULL, &t, message);
  if (error) return error;
  for (int tokens = rule == ONE_LEFT ? 2 : 1; tokens <= MOST_TOKENS && !error; tokens++) {
    char largest[16];
    bool have = false;
    snprintf(largest, sizeof largest, "%d", tokens);
    /* More tokens than are built are shown where they are there, and the verdict rests on those that are
     * built. */
    if (tokens > f->tokens && f->job->tokens) break;
    error = have_tokens(&t, &(game_request){.largest = largest}, tokens <= f->tokens, &have, message);
    if (error || !have) break;
    const findings kept = *f;
    error = add_lead_row(f, &t, rule, tokens, message);
    if (tokens > f->tokens) *f = kept;
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
  tauler_error error = claim_tables_open(f->job, "oca-asesina", variants[BASE], NULL, &t, message);
  if (error) return error;
  if (f->tokens > 1) error = look_at_choices(f, &t, &request, message);
  if (!error) error = show_lead(f, &t, &request, message);
  claim_tables_close(&t);
  return error;
}

/* --- the verdict --- */

static bounds mean_worth(const findings *f, int rule) {
  return mean_of(f->worth[rule][ON_MOVE], f->worth[rule][OFF_MOVE]);
}

/* The part of immunity under which a lead is worth most. */
static int best_part(const findings *f) {
  int best = FIRST_PART;
  for (int rule = FIRST_PART; rule <= LAST_PART; rule++)
    if (mean_worth(f, rule).lower > mean_worth(f, best).lower) best = rule;
  return best;
}

static void judge_lead(const findings *f) {
  const bounds base = mean_worth(f, BASE), alone = mean_worth(f, NO_INTERACTION),
               immune = mean_worth(f, IMMUNE);
  const int part = best_part(f);
  const bool weak = 2 * base.upper<immune.lower, by_captures = alone.lower> 2 * base.upper;
  report_verdict(f->out, weak ? VERDICT_HOLDS_FOR : VERDICT_OPEN,
                 "On the board of 20 squares with %d tokens each, whoever has brought one home scores %.4f "
                 "on the move and %.4f off it: that lead is worth %.4f on average. Captures and barriers "
                 "are %s cause: without interaction it is worth %.4f. Immunity of the last token makes it "
                 "%.4f; of its parts %s does most, %.4f. %.1f %% of all decisions are real choices.",
                 f->tokens, f->leads[BASE][ON_MOVE].lower, f->leads[BASE][OFF_MOVE].lower, base.lower,
                 by_captures ? "the main" : "not the main", alone.lower, immune.lower,
                 strstr(variants[part], "last-token="), mean_worth(f, part).lower,
                 f->decisions ? 100.0 * (double)f->real / (double)f->decisions : 0);
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
  report_rules(out, "base,board=20 and variants");
  report_table_begin(
      out, "leads",
      "Scores (won 1, shared 1/2) of best play, all tokens that are not home at the start. A leader has "
      "one token home, the other side none, in the mean of both seats; a lead is worth what it adds to the "
      "score with no token home, whoever leads being on the move or off it:",
      lead_columns, LEAD_COLUMNS);
  tauler_error error = TAULER_OK;
  for (int rule = 0; rule < RULES && !error; rule++)
    if (rule != ONE_LEFT || f.tokens > 1) error = look_at_rules(&f, rule, message);
  if (!error) error = look_at_base(&f, message);
  if (!error) judge(&f);
  return error;
}

extern const claim claim_oca_asesina_catch_up;
const claim claim_oca_asesina_catch_up = {
    .name = "oca-asesina-catch-up",
    .game = "oca-asesina",
    .title = "In la oca asesina the catch-up is too strong: a lead of one token is worth little",
    .language = "es",
    .sentence =
        "«[…] al final parece que una estrategia aparentemente buena casi siempre queda equilibrada por "
        "quedarte con menos fichas y por tanto también con muchas menos opciones […]. La mecánica "
        "‘catch-up’ es demasiado fuerte y favorece demasiado a jugadores que van perdiendo.» «Una opción "
        "simple sería que gana quien se quede con una ficha en el tablero, o que esta lo tiene más fácil, "
        "por ejemplo teniendo inmunidad a muertes, cárceles, calabozos, posadas y rebotes en el final, de "
        "forma que prácticamente representa un cronómetro hasta la llegada.»",
    .english =
        "“[…] in the end a strategy that seems good is nearly always evened out since you are left with "
        "fewer tokens and so with far fewer options […]. The catch-up is too strong and favours players "
        "who are behind too much.” “A simple option would be that whoever has one token left on the board "
        "wins, or that this one has it easier, for instance immune to deaths, prisons, dungeons, inns and "
        "bounces at the end, so that it is practically a clock until it arrives.”",
    .source = "La oca asesina, the author's own page in Spanish (rules of 2018, with questions at the end).",
    .method =
        "Under best play of both sides each position has a score between two certified bounds. One side "
        "has one token home and all others at the start, the other one all at the start. There is no "
        "measure of ‘too strong’ in the sentence; here it holds if that lead is worth less than half of "
        "what it is worth under the author's own repair, an immune last token. The same without "
        "interaction (no captures, no barriers) says whether captures are the cause; the parts of immunity "
        "are taken one by one.\n\n"
        "Boards of 20 squares, one and two tokens (--tokens); three where their tables are there. A "
        "decision is a position and a roll; it is a real choice if one move is surely better than another.",
    .options = "tokens",
    .run = run};
