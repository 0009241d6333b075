/* Finds the greatest capture of one move of aualé, by cases. */
#include "analysis/claims/auale/capture.h"

#include <string.h>

enum { CONTENTS = 5, NEVER = -1 };

typedef struct {
  int seeds; /* on the largest board */
  capture_records *out;
} search;

int capture_land(int origin, int sown, uint8_t row[ROW_PITS]) {
  int pit = origin, captured = 0;
  for (; sown > 0; sown--) {
    do { pit = (pit + 1) % CAPTURE_BOARD_PITS; } while (pit == origin);
    if (pit >= ROW_PITS) row[pit - ROW_PITS]++;
  }
  for (pit -= ROW_PITS; pit >= 0 && (row[pit] == 2 || row[pit] == 3); pit--) {
    captured += row[pit];
    row[pit] = 0;
  }
  return captured;
}

static bool leaves_none(int origin, int sown, const uint8_t row[ROW_PITS]) {
  uint8_t after[ROW_PITS];
  memcpy(after, row, sizeof after);
  capture_land(origin, sown, after);
  return row_seeds(after) == 0;
}

static void note_capture(capture_move *best, const capture_move *move) {
  if (move->captured > best->captured) *best = *move;
}

bool capture_is_better(const capture_move *move, const capture_move *than) {
  if (move->captured != than->captured) return move->captured > than->captured;
  if (move->seeds != than->seeds) return move->seeds < than->seeds;
  return move->open && !than->open;
}

static void record(capture_records *out, const capture_move *move) {
  note_capture(&out->by_seeds[move->seeds], move);
  if (move->open) note_capture(&out->open[move->seeds], move);
  if (capture_is_better(move, &out->by_sown[move->sown])) out->by_sown[move->sown] = *move;
}

/* Seeds that are left go to another own pit. */
static void record_with_rest(const search *s, capture_rules rules, capture_move move) {
  const int least = move.seeds, other = move.origin == 0;
  for (; move.seeds <= s->seeds; move.seeds++) {
    move.pits[other] = (uint8_t)(move.seeds - least);
    record(&s->out[rules], &move);
  }
}

/* content[pit][sum]: a content of the pit such that the own pits up to it, without the origin, hold `sum`
 * seeds and no move of them leaves the opponent a seed; NEVER if there is none. */
typedef struct {
  int8_t content[ROW_PITS][CAPTURE_MOST_SEEDS + 1];
} fillings;

static bool fills_before(const fillings *f, int pit, int sum) {
  return pit == 0 ? sum == 0 : f->content[pit - 1][sum] != NEVER;
}

static void find_fillings(const search *s, const capture_move *move, fillings *f) {
  const uint8_t *row = move->pits + ROW_PITS;
  const int most = s->seeds - move->seeds;
  memset(f, NEVER, sizeof *f);
  for (int pit = 0; pit < ROW_PITS; pit++) {
    for (int content = 0; content <= most; content++) {
      if (content && (pit == move->origin || !leaves_none(pit, content, row))) continue;
      for (int sum = content; sum <= most; sum++)
        if (fills_before(f, pit, sum - content)) f->content[pit][sum] = (int8_t)content;
    }
  }
}

static void record_only_moves(const search *s, const capture_move *move) {
  fillings f;
  find_fillings(s, move, &f);
  for (int rest = 0; rest <= s->seeds - move->seeds; rest++) {
    if (f.content[ROW_PITS - 1][rest] == NEVER) continue;
    capture_move filled = *move;
    filled.seeds += rest;
    for (int pit = ROW_PITS - 1, left = rest; pit >= 0; pit--) {
      const int content = f.content[pit][left];
      if (pit != move->origin) filled.pits[pit] = (uint8_t)content;
      left -= content;
    }
    record(&s->out[CAPTURE_AWARI], &filled);
  }
}

static void try_capture(const search *s, capture_move *move) {
  uint8_t after[ROW_PITS];
  memcpy(after, move->pits + ROW_PITS, sizeof after);
  move->captured = capture_land(move->origin, move->sown, after);
  if (move->captured == 0) return;
  move->slam = row_seeds(after) == 0;
  move->open = row_is_open(move->pits + ROW_PITS);
  record_with_rest(s, CAPTURE_AWARI_CAPTURES, *move);
  if (move->slam) {
    record_only_moves(s, move);
  } else {
    record_with_rest(s, CAPTURE_AWARI, *move);
    record_with_rest(s, CAPTURE_ABAPA, *move);
  }
}

static bool next_row(uint8_t row[ROW_PITS]) {
  for (int pit = 0; pit < ROW_PITS; pit++) {
    if (++row[pit] < CONTENTS) return true;
    row[pit] = 0;
  }
  return false;
}

void capture_search(int seeds, capture_records out[CAPTURE_RULES]) {
  const search s = {seeds, out};
  memset(out, 0, CAPTURE_RULES * sizeof *out);
  for (int origin = 0; origin < ROW_PITS; origin++) {
    for (int sown = 1; sown <= seeds; sown++) {
      uint8_t row[ROW_PITS] = {0};
      do {
        capture_move move = {.seeds = sown + (int)row_seeds(row), .sown = sown, .origin = origin};
        if (move.seeds > seeds) continue;
        move.pits[origin] = (uint8_t)sown;
        memcpy(move.pits + ROW_PITS, row, sizeof row);
        try_capture(&s, &move);
      } while (next_row(row));
    }
  }
}
