/* doushouqi-variants: what each variant of Dou Shou Qi changes, and the longest play under it. */
#include <stdio.h>
#include <string.h>

#include "analysis/claims/animal_counts.h"

enum { LEAST_PIECES = 2, COLUMNS = 10, DECIMALS = 3 };

static const report_column columns[] = {{"rules", "rules"},         {"pieces", "pieces"},
                                        {"positions", "positions"}, {"wins", "wins"},
                                        {"losses", "losses"},       {"draws", "draws"},
                                        {"drawn", "% drawn"},       {"equal_draws", "of them equal"},
                                        {"longest", "longest"},     {"position", "one of the longest"}};

static const char *const variants[] = {"base",
                                       "base,wolf-over-dog",
                                       "base,leopard=wide",
                                       "base,leopard=none",
                                       "base,clearings",
                                       "base,lakes=plain",
                                       "base,lakes=drink",
                                       "base,lakes=drink,drinkers=block",
                                       "base,jump-block=path",
                                       "base,elephant-takes-rat",
                                       "base,rat-shore=liacs",
                                       "base,stalemate=loss",
                                       "liacs",
                                       NULL};

typedef struct {
  const claim_job *job;
  report *out;
  int pieces;
  uint64_t base_draws;
  int looked_at, changing; /* variants, and those that change how often most pieces are drawn */
  int shown;               /* plies of the line that is shown */
} findings;

/* Draws of materials in which both sides have the same animals. */
static uint64_t equal_draws(const animal_counts *counts, int pieces) {
  uint64_t draws = 0;
  for (unsigned side = 1; side < 1U << ANIMALS; side++) {
    const animal_material m = {(uint8_t)side, (uint8_t)side};
    if (animal_pieces(m) == pieces) draws += counts->of[animal_number(m)].draws;
  }
  return draws;
}

static void add_row(findings *f, const claim_tables *t, const animal_counts *counts, int pieces) {
  const tauler_tables *tables = t->tables;
  const uint64_t wins = counts->total[pieces].wins, losses = counts->total[pieces].losses;
  const uint64_t draws = counts->total[pieces].draws;
  char text[GAME_TEXT_BYTES];
  game_position position;
  tables->game->position_at(tables->rules, counts->total[pieces].place, &position);
  tables->game->print(tables->rules, &position, text);
  report_text(f->out, tables->game->rules_text(tables->rules));
  report_number(f->out, pieces);
  report_number(f->out, (int64_t)(wins + losses + draws));
  report_number(f->out, (int64_t)wins);
  report_number(f->out, (int64_t)losses);
  report_number(f->out, (int64_t)draws);
  report_mean(f->out, 100.0 * (double)draws / (double)(wins + losses + draws), DECIMALS);
  if (pieces % 2 == 0) {
    report_number(f->out, (int64_t)equal_draws(counts, pieces));
  } else {
    report_none(f->out);
  }
  report_number(f->out, counts->total[pieces].longest);
  report_text(f->out, text);
}

/* --- the line --- */

/* The position after the first n moves of the line; *legal is false if they cannot be played. */
static tauler_error play(const claim_tables *t, const char *start, const tauler_line *line, size_t n,
                         bool *legal, game_position *out, tauler_message *message) {
  const tauler_tables *tables = t->tables;
  tauler_error error = tables->game->parse(tables->rules, start, out, message);
  *legal = !error;
  for (size_t i = 0; i < n && *legal && !error; i++) {
    game_moves moves = {0};
    error = tables->game->moves(tables->rules, out, &moves);
    size_t at = 0;
    while (!error && at < moves.used && strcmp(moves.moves[at].name, line->steps[i].move) != 0) at++;
    *legal = !error && at < moves.used && (!moves.moves[at].over || i + 1 == line->steps_used);
    if (*legal) *out = moves.moves[at].child;
    game_moves_free(&moves);
  }
  return error;
}

/* By the rules alone: every move is legal, the positions are those shown, and the last move ends the game. */
static tauler_error replay(const claim_tables *t, const char *start, const tauler_line *line, bool *right,
                           tauler_message *message) {
  tauler_error error = TAULER_OK;
  *right = line->steps_used > 0;
  for (size_t n = 1; n <= line->steps_used && *right && !error; n++) {
    game_position position;
    char text[GAME_TEXT_BYTES];
    error = play(t, start, line, n, right, &position, message);
    if (error || !*right || n == line->steps_used) continue;
    t->tables->game->print(t->tables->rules, &position, text);
    *right = strcmp(text, line->steps[n - 1].position) == 0;
  }
  return error;
}

static tauler_error add_steps(const claim_tables *t, const char *start, const tauler_line *line, report *out,
                              tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < line->steps_used && !error; i++) {
    game_position position;
    bool legal = false;
    const bool last = i + 1 == line->steps_used;
    error = play(t, start, line, i, &legal, &position, message);
    if (error || !legal) break;
    report_add_step(out, t->tables->game->turn(t->tables->rules, &position), line->steps[i].move,
                    last ? NULL : line->steps[i].position, NULL);
  }
  return error;
}

static tauler_error show_line(findings *f, claim_tables *t, const animal_counts *counts, int pieces,
                              tauler_message *message) {
  const tauler_tables *tables = t->tables;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES], title[256];
  game_position start;
  tauler_line *line = NULL;
  const int longest = counts->total[pieces].longest;
  tables->game->position_at(tables->rules, counts->total[pieces].place, &start);
  tables->game->print(tables->rules, &start, text);
  tables->game->draw(tables->rules, &start, drawing);
  snprintf(title, sizeof title,
           "The longest play to an end with %d pieces under %.100s: the winner takes the shortest way, the "
           "loser the longest.",
           pieces, tables->game->rules_text(tables->rules));
  tauler_error error = tauler_play(t->tables, text, 0, &line, message);
  if (error) return error;
  bool right = false;
  report_witness_begin(f->out, title, text, drawing);
  error = add_steps(t, text, line, f->out, message);
  if (!error) error = replay(t, text, line, &right, message);
  if (!error) {
    right = right && line->end == TAULER_LINE_ENDED && line->steps_used == (size_t)longest;
    report_add_recheck(
        f->out, "replay", true, right, "%s",
        right ? "Played by the rules alone, every move is legal, the positions are those shown, the "
                "last move ends the game, and the line is as long as the table says."
              : "Played by the rules alone, the line is not what the table says.");
    f->shown = longest;
  }
  tauler_line_free(line);
  return error;
}

/* --- rule sets --- */

static tauler_error look_at(findings *f, const char *rules, bool first, tauler_message *message) {
  claim_tables t;
  animal_counts counts = {.of = NULL};
  tauler_error error = claim_tables_open(f->job, "doushouqi", rules, NULL, &t, message);
  if (error) return error;
  error = animal_counts_read(&t, f->pieces, &counts, message);
  for (int pieces = LEAST_PIECES; pieces <= f->pieces && !error; pieces++) add_row(f, &t, &counts, pieces);
  if (!error && (first || f->job->rules)) error = show_line(f, &t, &counts, f->pieces, message);
  if (!error) error = claim_tables_tell(&t, f->out, message);
  if (!error && first) {
    f->base_draws = counts.total[f->pieces].draws;
  } else if (!error) {
    f->looked_at++;
    f->changing += counts.total[f->pieces].draws != f->base_draws;
  }
  animal_counts_free(&counts);
  claim_tables_close(&t);
  return error;
}

static void judge(const findings *f) {
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "A line that is shown does not stand up to being played again.");
  } else {
    report_verdict(
        f->out, VERDICT_HOLDS_FOR,
        "With %d pieces %d of %d rule sets have another number of draws than the base rules, whose longest "
        "play takes %d plies.",
        f->pieces, f->changing, f->looked_at, f->shown);
  }
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings f = {.job = job, .out = out, .pieces = job->pieces ? job->pieces : LEAST_PIECES};
  report_rules(out, job->rules ? job->rules : "base and variants");
  report_table_begin(
      out, "variants",
      "All materials, White to move, mirror images counted: results as White sees them, draws of materials "
      "in which both sides have the same animals, and plies of the longest play to an end (odd: White "
      "wins):",
      columns, COLUMNS);
  tauler_error error = look_at(&f, "base", true, message);
  if (!error && job->rules) error = look_at(&f, job->rules, false, message);
  for (size_t i = 1; variants[i] && !job->rules && !error; i++)
    error = look_at(&f, variants[i], false, message);
  if (!error) judge(&f);
  return error;
}

extern const claim claim_doushouqi_variants;
const claim claim_doushouqi_variants = {
    .name = "doushouqi-variants",
    .game = "doushouqi",
    .title = "The variants of Dou Shou Qi are other games: how often each is drawn, and the longest play",
    .language = "es",
    .sentence =
        "«Como decíamos al principio, el juego tiene variantes que fueron apareciendo con el paso del "
        "tiempo y que se aceptan o no dependiendo principalmente de la región en la que se juegue.»",
    .english = "“As we said at the beginning, the game has variants that appeared in the course of time and "
               "that are accepted or not mostly according to the region where it is played.”",
    .source =
        "Dou Shou Qi, el ajedrez de los animales, blog «Promenade de acceso rápido», 12 November 2024; "
        "rules liacs: J. N. van Rijn and J. K. Vis, Endgame analysis of Dou Shou Qi, ICGA Journal 37(2), "
        "2014.",
    .method = "Under the base rules, under each variant alone and under liacs all positions of two pieces "
              "(--pieces: three or four) are solved and counted. Of equal materials the draws are counted "
              "by themselves, since under liacs two equal animals never draw. --rules compares one rule "
              "set with the base rules.",
    .options = "rules pieces",
    .run = run};
