/* Prints the figures auale-histories: worths of boards of few seeds right after a capture and after
 * histories, and pairs of short histories that lead to different worths, with best play to the end. */
#include "analysis/claims/auale/histories.h"
#include "analysis/claims/figures.h"

enum { LONGEST_HISTORY = 12, LONGEST_END = 80, QUESTION_BUDGET = 100000 };

static void print_bytes(json_writer *json, const char *key, const int8_t *numbers, size_t n) {
  json_field_array(json, key);
  for (size_t i = 0; i < n; i++) json_integer(json, numbers[i]);
  json_end_array(json);
}

static void print_captured(json_writer *json, const auale_histories *h) {
  json_field_array(json, "captured");
  for (uint32_t i = 0; i < h->slice->boards; i++) json_integer(json, h->before[i].slice != 0);
  json_end_array(json);
}

static void print_place(json_writer *json, int seeds, uint64_t index) {
  json_array(json, JSON_INTEGER(NULL, seeds), JSON_COUNT(NULL, index));
}

/* --- best play --- */

typedef struct {
  lines_move moves[LONGEST_END];
  int used;
} best_line;

static bool is_best(lines_slice *slice, uint32_t node, lines_move move, int worth) {
  const uint32_t next = lines_node_after(node, move);
  int after;
  if (slice->met[next]) return -slice->board[next / 2].pays == worth;
  return auale_lines_worth(slice, next, QUESTION_BUDGET, &after) && -after == worth;
}

/* Adds best moves of both sides up to an end or a repetition, at most `left` moves. Returns false if it finds
 * no such line. */
static bool finish_line(best_line *line, auale_lines *lines, int seeds, uint32_t node, int worth, int left) {
  lines_slice *slice = &lines->slice[seeds];
  const lines_board *board = &slice->board[node / 2];
  if (board->ended || slice->met[node]) return true;
  if (left == 0) return false;
  bool ended = false;
  slice->met[node] = true;
  for (int i = 0; i < board->moves && !ended; i++) {
    const lines_move move = board->move[i];
    const int fresh = lines->slice[seeds - move.captured].fresh[move.to];
    if (move.captured ? move.captured - fresh != worth : !is_best(slice, node, move, worth)) continue;
    line->moves[line->used++] = move;
    ended = finish_line(line, lines, seeds - move.captured, lines_node_after(node, move),
                        move.captured - worth, left - 1);
    if (!ended) line->used--;
  }
  slice->met[node] = false;
  return ended;
}

/* Prints the shortest line of best play to an end or a repetition, or an empty one if none is found. */
static void print_best_line(json_writer *json, auale_lines *lines, int seeds, uint32_t node, int worth) {
  best_line line = {.used = 0};
  bool ended = false;
  for (int longest = 0; longest <= LONGEST_END && !ended; longest++)
    ended = finish_line(&line, lines, seeds, node, worth, longest);
  json_field_array(json, "best");
  for (int i = 0; i < line.used; i++) {
    seeds -= line.moves[i].captured;
    print_place(json, seeds, line.moves[i].to);
  }
  json_end_array(json);
}

/* --- pairs --- */

static void print_history(json_writer *json, const auale_histories *h, const auale_history *history) {
  lines_slice *slice = h->slice;
  const game_place before = h->before[history->entry];
  uint32_t node = 2 * history->entry;
  json_begin_object(json);
  json_field_integer(json, "worth", history->worth);
  json_key(json, "before");
  print_place(json, (int)before.slice, before.index);
  json_field_array(json, "boards");
  print_place(json, slice->seeds, history->entry);
  for (int i = 0; i < history->moves; i++) {
    node = lines_node_after(node, slice->board[node / 2].move[history->move[i]]);
    print_place(json, slice->seeds, node / 2);
  }
  json_end_array(json);
  node = auale_history_set_marks(slice, history, true);
  print_best_line(json, h->lines, slice->seeds, node, history->worth);
  auale_history_set_marks(slice, history, false);
  json_end_object(json);
}

/* Returns the least difference of worths for which a pair is printed, one that can change the result of a
 * game, or 0 if no pair is printed. */
static int least_gap(const auale_lines *lines, int seeds) {
  int8_t pays = 0;
  const bool own_row = lines->game->repeated(lines->rules, 0, 0, 0, &pays);
  return seeds == 3 ? (own_row ? 4 : 3) : seeds == 2 && own_row ? 2 : 0;
}

static void print_pair(claim_tables *t, json_writer *json, auale_histories *h) {
  const int gap = least_gap(h->lines, h->slice->seeds);
  history_pair pair;
  bool found = false;
  if (gap == 0 ||
      CLAIM_CATCH(t->kept, auale_histories_find(h, gap, LONGEST_HISTORY, &pair, &found, &t->kept->message)))
    return;
  json_field_array(json, "pair");
  if (found) print_history(json, h, &pair.low);
  if (found) print_history(json, h, &pair.high);
  json_end_array(json);
}

static void print_slice(claim_tables *t, json_writer *json, auale_lines *lines, int seeds) {
  const lines_slice *s = &lines->slice[seeds];
  auale_histories h;
  if (CLAIM_CATCH(t->kept, auale_histories_open(lines, seeds, &h, &t->kept->message))) return;
  auale_histories_walk(&h, t->job->seeds ? HISTORY_EFFORT_LIMITED : HISTORY_EFFORT);
  json_begin_object(json);
  json_field_integer(json, "seeds", seeds);
  print_bytes(json, "fresh", s->fresh, s->boards);
  print_bytes(json, "least", s->least, s->boards);
  print_bytes(json, "most", s->most, s->boards);
  print_bytes(json, "low", h.low, s->boards);
  print_bytes(json, "high", h.high, s->boards);
  print_captured(json, &h);
  print_bytes(json, "reached", (const int8_t *)h.reached, s->boards);
  print_pair(t, json, &h);
  json_end_object(json);
  auale_histories_close(&h);
}

void figures_auale_histories(claim_tables *t, json_writer *json) {
  const int wanted = t->job->seeds, seeds = wanted && wanted < LINES_MOST_SEEDS ? wanted : LINES_MOST_SEEDS;
  auale_lines lines;
  if (CLAIM_CATCH(t->kept, auale_lines_open(t->game, t->rules, seeds, &lines, &t->kept->message))) return;
  json_field_array(json, "slices");
  for (int n = 1; n <= seeds && !t->kept->error; n++) print_slice(t, json, &lines, n);
  json_end_array(json);
  auale_lines_close(&lines);
}
