/* Shows two histories of one board as witnesses of a report. */
#include "analysis/claims/auale_history/history_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ALL_SEEDS = 48,
  PITS = 12,
  MOST_STEPS = 160,
  LONGEST_END = 80,
  QUESTION_BUDGET = 100000,
  SLOW_SEEDS = 3,
  LONGEST_HISTORY = 12,
  LINE_BYTES = GAME_TEXT_BYTES + MOST_STEPS + 16
};

typedef struct {
  char text[GAME_TEXT_BYTES]; /* of the position after the move */
  char move;
} shown_step;

typedef struct {
  const auale_histories *of;
  const auale_history *history;
  const char *ending;
  report *out;
  int stores[2]; /* on the board in question */
  char start[GAME_TEXT_BYTES];
  game_position now;
  shown_step steps[MOST_STEPS];
  int used;
  lines_move best[LONGEST_END]; /* best play from the board on */
  int best_used;
} showing;

/* --- texts --- */

static bool read_pits(const char *text, int pits[PITS + 2]) {
  for (int i = 0; i < PITS + 2; i++) {
    char *end;
    pits[i] = (int)strtol(text, &end, 10);
    if (end == text || *end != '-') return false;
    text = end + 1;
  }
  return true;
}

/* A board as its mover sees it, with a side to move and stores. */
static bool write_position(const auale_lines *lines, game_place place, bool south, const int stores[2],
                           char text[GAME_TEXT_BYTES]) {
  game_position position;
  int pits[PITS + 2];
  size_t used = 0;
  lines->game->position_at(lines->rules, place, &position);
  lines->game->print(lines->rules, &position, text);
  if (!read_pits(text, pits)) return false;
  for (int i = 0; i < PITS; i++)
    used +=
        (size_t)snprintf(text + used, GAME_TEXT_BYTES - used, "%d-", pits[south ? i : (i + PITS / 2) % PITS]);
  snprintf(text + used, GAME_TEXT_BYTES - used, "%d-%d-%c", stores[0], stores[1], south ? 'S' : 'N');
  return true;
}

/* "24" or "23½", from twice as many. */
typedef struct {
  char text[16];
} seeds_text;
static seeds_text write_seeds(int halves) {
  seeds_text out;
  snprintf(out.text, sizeof out.text, "%d%s", halves / 2, halves % 2 ? "½" : "");
  return out;
}

static const char *winner(int net) {
  return net > 0 ? "South wins" : net < 0 ? "North wins" : "a draw";
}

/* --- the line --- */

/* False, with an error: a line of play that was found cannot be played. */
static bool cannot_play(showing *s) {
  report_fail(s->out, TAULER_INTERNAL, "a line of play that was found cannot be played");
  return false;
}

/* Plays the move to a board. */
static bool play_to(showing *s, game_place to) {
  const auale_lines *lines = s->of->lines;
  game_moves moves = {0};
  bool played = false;
  if (REPORT_CATCH(s->out, lines->game->moves(lines->rules, &s->now, &moves))) return false;
  for (size_t i = 0; i < moves.used && !played && s->used < MOST_STEPS; i++) {
    game_place place;
    if (!lines->game->locate(lines->rules, &moves.moves[i].child, &place) || place.slice != to.slice ||
        place.index != to.index)
      continue;
    shown_step *step = &s->steps[s->used++];
    s->now = moves.moves[i].child;
    step->move = moves.moves[i].name[0];
    lines->game->print(lines->rules, &s->now, step->text);
    played = true;
  }
  game_moves_free(&moves);
  return played || cannot_play(s);
}

static bool is_best(lines_slice *slice, uint32_t node, lines_move move, int worth) {
  const uint32_t next = lines_node_after(node, move);
  int after;
  if (slice->met[next]) return -slice->board[next / 2].pays == worth;
  return auale_lines_worth(slice, next, QUESTION_BUDGET, &after) && -after == worth;
}

/* Best moves of both sides to an end, of which `left` more are allowed. */
static bool finish(showing *s, int seeds, uint32_t node, int worth, int left) {
  lines_slice *slice = &s->of->lines->slice[seeds];
  const lines_board *board = &slice->board[node / 2];
  if (board->ended || slice->met[node]) return true;
  if (left == 0) return false;
  bool ended = false;
  slice->met[node] = true;
  for (int i = 0; i < board->moves && !ended; i++) {
    const lines_move move = board->move[i];
    const int fresh = s->of->lines->slice[seeds - move.captured].fresh[move.to];
    if (move.captured ? move.captured - fresh != worth : !is_best(slice, node, move, worth)) continue;
    s->best[s->best_used++] = move;
    ended = finish(s, seeds - move.captured, lines_node_after(node, move), move.captured - worth, left - 1);
    if (!ended) s->best_used--;
  }
  slice->met[node] = false;
  return ended;
}

/* From the place before the capture to the board; its node, with the history marked. */
static bool play_history(showing *s, uint32_t *node) {
  const auale_histories *h = s->of;
  lines_slice *slice = h->slice;
  const uint32_t seeds = (uint32_t)slice->seeds;
  const game_place before = h->before[s->history->entry];
  const bool south_captures = s->history->moves % 2 != 0;
  int stores[2] = {s->stores[0], s->stores[1]};
  stores[!south_captures] -= (int)(before.slice - seeds);
  if (!write_position(h->lines, before, south_captures, stores, s->start)) return cannot_play(s);
  if (REPORT_CATCH(s->out, h->lines->game->parse(h->lines->rules, s->start, &s->now, &s->out->message)))
    return false;
  bool played = play_to(s, (game_place){seeds, s->history->entry});
  *node = 2 * s->history->entry;
  for (int i = 0; i < s->history->moves && played; i++) {
    const lines_move move = slice->board[*node / 2].move[s->history->move[i]];
    played = play_to(s, (game_place){seeds, move.to});
    *node = lines_node_after(*node, move);
  }
  return played;
}

/* Then the shortest best play. */
static bool find_line(showing *s) {
  lines_slice *slice = s->of->slice;
  uint32_t node = 0;
  if (!play_history(s, &node)) return false;
  auale_history_mark(slice, s->history, true);
  bool ended = false;
  for (int longest = 0; longest <= LONGEST_END && !ended; longest++)
    ended = finish(s, slice->seeds, node, s->history->worth, longest);
  auale_history_mark(slice, s->history, false);
  int seeds = slice->seeds;
  for (int i = 0; i < s->best_used && ended; i++) {
    seeds -= s->best[i].captured;
    ended = play_to(s, (game_place){(uint32_t)seeds, s->best[i].to});
  }
  return ended || cannot_play(s);
}

/* --- steps and rechecks --- */

static void add_steps(const showing *s) {
  const int net = s->stores[0] - s->stores[1] + s->history->worth, board_at = s->history->moves;
  char remark[256];
  int value;
  const bool ended = s->of->lines->game->position_ended(s->of->lines->rules, &s->now, &value);
  for (int i = 0; i < s->used; i++) {
    const char *side = s->steps[i].move < 'a' ? "S" : "N", name[2] = {s->steps[i].move, '\0'};
    remark[0] = '\0';
    if (i == 0)
      snprintf(remark, sizeof remark, "captures%s", board_at == 0 ? "; the board in question" : "");
    else if (i == board_at)
      snprintf(remark, sizeof remark, "the board in question");
    if (i == s->used - 1)
      snprintf(remark, sizeof remark, "%s: %s to %s, %s",
               ended ? "no move is left, each side takes its own row" : s->ending,
               write_seeds(ALL_SEEDS + net).text, write_seeds(ALL_SEEDS - net).text, winner(net));
    report_add_step(s->out, side, name, s->steps[i].text, remark[0] ? remark : NULL);
  }
}

/* The stores, and the rows' seeds where each side takes its own; the history's worth tells the rest. */
static bool ends_as_said(const showing *s) {
  const auale_lines *lines = s->of->lines;
  const char *last = s->steps[s->used - 1].text;
  int pits[PITS + 2], south = 0, north = 0, met = -1, value = 0;
  if (!read_pits(last, pits)) return false;
  for (int i = 0; i < PITS; i++) *(i < PITS / 2 ? &south : &north) += pits[i];
  for (int i = 0; i < s->used - 1; i++)
    if (strcmp(s->steps[i].text, last) == 0) met = i;
  for (int i = 0; i < s->used - 1; i++) {
    for (int k = 0; k < i; k++)
      if (strcmp(s->steps[i].text, s->steps[k].text) == 0) return false;
  }
  const bool over = lines->game->position_ended(lines->rules, &s->now, &value);
  if (met < 0 && !over) return false;
  int8_t pays = 0;
  const bool own_row = lines->game->repeated(lines->rules, 0, 0, 0, &pays);
  const int left = over || own_row ? south - north : 0;
  return pits[PITS] - pits[PITS + 1] + left == s->stores[0] - s->stores[1] + s->history->worth;
}

static bool replays(const showing *s) {
  const auale_lines *lines = s->of->lines;
  char line[LINE_BYTES], text[GAME_TEXT_BYTES];
  const size_t start = (size_t)snprintf(line, sizeof line, "%s moves ", s->start);
  for (int i = 0; i < s->used; i++) {
    game_position position;
    tauler_message why;
    line[start + (size_t)i] = s->steps[i].move;
    line[start + (size_t)i + 1] = '\0';
    if (lines->game->parse(lines->rules, line, &position, &why)) return false;
    lines->game->print(lines->rules, &position, text);
    if (strcmp(text, s->steps[i].text) != 0) return false;
  }
  return ends_as_said(s);
}

static void add_rechecks(const showing *s) {
  lines_slice *slice = s->of->slice;
  report_add_recheck(s->out, "replay", true, replays(s),
                     "All %d moves read as text by the rules: the positions are those shown, none comes "
                     "twice since the capture before the last, and the end is as said.",
                     s->used);
  if (slice->seeds > SLOW_SEEDS) return;
  const uint32_t node = auale_history_mark(slice, s->history, true);
  const int worth = auale_lines_slow_worth(s->of->lines, slice->seeds, node);
  auale_history_mark(slice, s->history, false);
  report_add_recheck(s->out, "every line", true, worth == s->history->worth,
                     "Every line of play from the board to its end after this history, no bounds and no "
                     "tables: its value is %d net for South, of the %d seeds left.",
                     worth, slice->seeds);
}

static void show(showing *s) {
  const auale_lines *lines = s->of->lines;
  const int net = s->stores[0] - s->stores[1] + s->history->worth;
  char title[192], drawing[GAME_DRAWING_BYTES];
  game_position start;
  if (!find_line(s) || REPORT_CATCH(s->out, lines->game->parse(lines->rules, s->start, &start, NULL))) return;
  lines->game->draw(lines->rules, &start, drawing);
  snprintf(title, sizeof title, "%d seeds, the last capture %d %s before the board in question: %s",
           s->of->slice->seeds, s->history->moves + 1, s->history->moves ? "moves" : "move", winner(net));
  report_witness_begin(s->out, title, s->start, drawing);
  add_steps(s);
  add_rechecks(s);
}

/* South's lead in the stores, of the right parity: best if the high worth wins and the low one loses. */
static int choose_lead(int seeds, int low, int high) {
  int best = 0, best_score = -1;
  for (int size = seeds % 2; size <= seeds; size += 2) {
    for (int lead = -size; lead <= size; lead += 2 * size + !size) {
      const int score = (high + lead > 0) + (low + lead < 0);
      if (score > best_score) best = lead, best_score = score;
    }
  }
  return best;
}

bool auale_history_show(auale_histories *histories, int gap, const char *ending, report *out) {
  const int seeds = histories->slice->seeds;
  history_pair pair;
  bool found = false;
  if (REPORT_CATCH(out,
                   auale_histories_find(histories, gap, LONGEST_HISTORY, &pair, &found, &out->message)) ||
      !found)
    return false;
  const int lead = choose_lead(seeds, pair.low.worth, pair.high.worth);
  for (int which = 0; which < 2; which++) {
    showing *s = report_calloc(out, 1, sizeof *s);
    if (!s) return false;
    s->of = histories;
    s->history = which ? &pair.high : &pair.low;
    s->ending = ending;
    s->out = out;
    s->stores[0] = (ALL_SEEDS - seeds + lead) / 2;
    s->stores[1] = (ALL_SEEDS - seeds - lead) / 2;
    show(s);
    free(s);
  }
  return true;
}
