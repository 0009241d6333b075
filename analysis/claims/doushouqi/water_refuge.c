/* doushouqi-water-refuge: does it save an animal that is stalked to go into a lake? */
#include "analysis/claims/doushouqi/animal_counts.h"
#include "analysis/claims/doushouqi/animal_line.h"
#include "analysis/claims/doushouqi/animal_survey.h"

enum {
  BASE,
  DRINK,
  RULE_SETS,
  DECIMALS = 2,
  LEAST_PIECES = 2,
  MOST_PIECES = 4,
  MOST_DRINK = 3 /* pieces: there are three times as many positions as by the base rules */
};

/* Stalked positions of White's animal; those that are not lost, `saved`; of these its steps into the water,
 * its other moves, and those of its friends, with those that keep the value; steps that are safe, and those
 * after which another animal than the rat can take it; and positions. */
enum {
  STALKED,
  SAVED,
  STEPS,
  STEPS_KEPT,
  WALKS,
  WALKS_KEPT,
  OTHERS,
  OTHERS_KEPT,
  SAFE,
  FOLLOWED,
  SOME_STEP,
  ONLY_STEP,
  KINDS
};

typedef struct {
  claim_base c;
  int set;
  uint64_t animal[RULE_SETS][ANIMALS][KINDS];
  uint64_t rat[MOST_PIECES + 1][KINDS]; /* by the base rules, up to so many pieces */
  uint64_t stalker[ANIMALS][KINDS];     /* by the base rules, where the rat is stalked */
  bool found;
  game_place place; /* by the base rules */
} findings;

typedef struct {
  const animal_surveyed *at;
  const dsq_move *moves;
  size_t used;
  int animal;
} stalked;

static bool is_step(const stalked *s, const dsq_move *move) {
  return move->animal == s->animal && DSQ_WATER >> move->to & 1;
}

static void count_step(const stalked *s, const dsq_move *step, uint64_t of[KINDS]) {
  dsq_position child = s->at->position;
  uint8_t by[DSQ_ANIMALS];
  dsq_play(&child, step);
  const bool threatened = animal_threatened(s->at, &child, by) >> s->animal & 1;
  of[SAFE] += !threatened;
  of[FOLLOWED] += threatened && by[s->animal] != 1 << DSQ_RAT;
}

static void count_moves(const stalked *s, uint64_t of[KINDS]) {
  for (size_t i = 0; i < s->used; i++) {
    const dsq_move *move = &s->moves[i];
    const bool step = is_step(s, move);
    const int kind = step ? STEPS : move->animal == s->animal ? WALKS : OTHERS;
    of[kind]++;
    of[kind + 1] += animal_worth(s->at, move) == s->at->value;
    if (step) count_step(s, move, of);
  }
  of[SOME_STEP] = of[STEPS_KEPT] > 0;
  of[ONLY_STEP] = of[STEPS_KEPT] && !of[WALKS_KEPT] && !of[OTHERS_KEPT];
}

/* Counts of the animal stand with its own piece, and once more with each piece that stalks it. */
static void add_counts(const stalked *s, uint8_t by, const uint64_t of[KINDS], animal_tally *counts) {
  for (int i = 0; i < s->at->slice->pieces; i++) {
    const dsq_piece piece = s->at->piece[i];
    const bool own = piece.side == DSQ_WHITE && piece.animal == s->animal;
    if (!own && (piece.side == DSQ_WHITE || !(by >> piece.animal & 1))) continue;
    for (int k = 0; k < KINDS; k++) counts->of[i][k] += s->at->copies * of[k];
  }
  if (of[ONLY_STEP] && s->at->value > 0) animal_take(counts, s->at->place);
}

static void visit(const animal_surveyed *at, animal_tally *counts) {
  dsq_move moves[DSQ_MOST_MOVES];
  uint8_t by[DSQ_ANIMALS];
  const unsigned threatened = animal_threatened(at, &at->position, by);
  if (!threatened) return;
  stalked s = {.at = at, .moves = moves, .used = dsq_list_moves(at->rules, &at->position, moves)};
  for (size_t i = 0; i < s.used; i++)
    if (moves[i].wins) return;
  for (s.animal = 0; s.animal < ANIMALS; s.animal++) {
    uint64_t of[KINDS] = {0};
    bool steps = false;
    if (!(threatened >> s.animal & 1) || DSQ_WATER >> at->position.square[DSQ_WHITE][s.animal] & 1) continue;
    for (size_t i = 0; i < s.used; i++) steps = steps || is_step(&s, &moves[i]);
    if (!steps) continue;
    of[STALKED] = 1;
    of[SAVED] = at->value >= 0;
    if (of[SAVED]) count_moves(&s, of);
    add_counts(&s, by[s.animal], of, counts);
  }
}

static void add(void *user, const dsq_piece *pieces, int used, const animal_tally *counts) {
  findings *f = user;
  for (int i = 0; i < used; i++) {
    const bool own = pieces[i].side == DSQ_WHITE;
    if (!own && f->set != BASE) continue;
    uint64_t *of = own ? f->animal[f->set][pieces[i].animal] : f->stalker[pieces[i].animal];
    for (int k = 0; k < KINDS; k++) of[k] += counts->of[i][k];
    for (int p = used; p <= MOST_PIECES && own && pieces[i].animal == DSQ_RAT && f->set == BASE; p++)
      for (int k = 0; k < KINDS; k++) f->rat[p][k] += counts->of[i][k];
  }
  if (f->set == BASE && counts->found && !f->found) f->place = counts->place;
  f->found = f->found || (f->set == BASE && counts->found);
}

/* --- figures --- */

static report_figure fig_part(const uint64_t of[KINDS], int part, int all) {
  return fig_if(of[all], fig_share(of[part], of[all], DECIMALS));
}

static void add_row(report *out, const uint64_t of[KINDS]) {
  REPORT_ADD(out, fig_count(of[STALKED]), fig_count(of[SAVED]), fig_count(of[STEPS]),
             fig_part(of, STEPS_KEPT, STEPS), fig_part(of, WALKS_KEPT, WALKS),
             fig_part(of, OTHERS_KEPT, OTHERS), fig_part(of, SAFE, STEPS), fig_part(of, SOME_STEP, SAVED),
             fig_part(of, ONLY_STEP, SAVED));
}

static void add_tables(const findings *f) {
  report *out = f->c.out;
  report_table_begin(out, "sizes");
  for (int pieces = LEAST_PIECES; pieces <= f->c.limit; pieces++) {
    REPORT_ADD(out, fig_number(pieces));
    add_row(out, f->rat[pieces]);
  }
  report_table_begin(out, "refuges");
  for (int set = 0; set < RULE_SETS; set++) {
    for (int animal = 0; animal < ANIMALS; animal++) {
      if (!f->animal[set][animal][STALKED]) continue;
      REPORT_ADD(out, fig_text(f->c.about->sets[set].rules), fig_text(animal_names[animal]));
      add_row(out, f->animal[set][animal]);
    }
  }
  report_table_begin(out, "stalkers");
  for (int animal = 0; animal < ANIMALS; animal++) {
    if (!f->stalker[animal][STALKED]) continue;
    REPORT_ADD(out, fig_text(animal_names[animal]));
    add_row(out, f->stalker[animal]);
  }
}

static void judge(const findings *f) {
  const uint64_t *rat = f->animal[BASE][DSQ_RAT];
  if (!rat[STEPS]) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
  } else if (rat[FOLLOWED]) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails-2", fig_number(f->c.limit), fig_count(rat[FOLLOWED]),
                   fig_part(rat, STEPS_KEPT, STEPS), fig_part(rat, WALKS_KEPT, WALKS),
                   fig_part(rat, SOME_STEP, SAVED), fig_part(rat, ONLY_STEP, SAVED));
  } else {
    REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_number(f->c.limit),
                   fig_part(rat, SAFE, STEPS), fig_part(rat, STEPS_KEPT, STEPS),
                   fig_part(rat, WALKS_KEPT, WALKS), fig_part(rat, SOME_STEP, SAVED),
                   fig_part(rat, ONLY_STEP, SAVED));
  }
}

static void examine(void *user) {
  findings *f = user;
  for (f->set = 0; f->set < RULE_SETS; f->set++) {
    const int pieces = f->set == DRINK && f->c.limit > MOST_DRINK ? MOST_DRINK : f->c.limit;
    animal_survey(&f->c.t[f->set], pieces, visit, add, f);
  }
  if (f->c.out->error) return;
  add_tables(f);
  REPORT_NOTE(f->c.out, "note");
  if (f->found) animal_line_show_won(&f->c.t[BASE], f->place, REPORT_SAY(f->c.out, "witness"));
  judge(f);
}

const claim_code claim_code_water_refuge = {sizeof(findings), examine, NULL};
