/* Counts positions of la oca asesina in which a side cannot move, or play need not end. */
#include "analysis/claims/goose/asesina_stuck.h"

#include "analysis/slices/reached.h"
#include "games/oca_asesina/slices.h"
#include "games/oca_asesina/turn.h"

/* STORED is a further mark, which stored positions have. */
enum { STORED = 1 << STUCK_KINDS };
enum { STAYS = 1 << STUCK_BOTH | 1 << STUCK_SEAT_1 | 1 << STUCK_SEAT_2, NO_END = 1 << STUCK_NO_END };

/* OVER replaces the number of a position if the game is over, NONE if there is no move or number. */
#define OVER UINT32_MAX
#define NONE (UINT32_MAX - 1)

/* If there are more than MOST_FOLLOWED positions, at most LOOKS are examined and no moves are stored. If
 * there are more than MOST_POSITIONS, none is examined. */
enum { MOST_FOLLOWED = 6000000, LOOKS = 1000000, MOST_POSITIONS = 100000000 };

/* --- sides without a move --- */

static bool has_move(const asesina_stuck *s, const ase_position *position, int roll) {
  ase_moves list;
  ase_list_moves(s->t->rules, position, roll, &list);
  return list.move[0].token != ASE_NOWHERE;
}

/* True if the other side can move by some roll after all lost turns. */
static bool can_other_move(const asesina_stuck *s, const ase_position *position) {
  ase_position other = *position;
  other.seat = !position->seat;
  other.lost[0] = other.lost[1] = other.culprit[0] = other.culprit[1] = 0;
  for (int roll = 1; roll <= ASE_DIE; roll++)
    if (has_move(s, &other, roll)) return true;
  return false;
}

static stuck_kind find_stuck_kind(const asesina_stuck *s, const ase_position *position) {
  int waiting = 0, barred = 0;
  for (int i = 0; i < s->tokens; i++) {
    const int square = position->square[position->seat][i];
    if (square == ase_home(s->t->rules)) continue;
    if (s->t->rules->board.square[square].kind == GOOSE_LABYRINTH)
      waiting++;
    else
      barred++;
  }
  return barred == 0 ? STUCK_LABYRINTH : waiting == 0 ? STUCK_BARRIER : STUCK_MIXED;
}

/* True if a forced token makes no step from the last square, and so is home. */
static bool stays_home(const asesina_stuck *s, const ase_position *position, const ase_move *move) {
  return position->forced && move->to == ase_home(s->t->rules) && !move->roll_again && !move->landed[0];
}

static unsigned marks_of_moves(const asesina_stuck *s, const ase_position *position) {
  unsigned marks = 0;
  int passes = 0;
  for (int roll = 1; roll <= ASE_DIE; roll++) {
    ase_moves list;
    ase_list_moves(s->t->rules, position, roll, &list);
    passes += list.move[0].token == ASE_NOWHERE;
    if (stays_home(s, position, &list.move[0])) marks |= 1U << STUCK_FORCED;
  }
  if (passes > 0) marks |= 1U << STUCK_ROLL;
  if (passes < ASE_DIE) return marks;
  marks |= 1U << find_stuck_kind(s, position);
  const bool over = ase_has_finished(s->t->rules, position, 0) || ase_has_finished(s->t->rules, position, 1);
  if (!over && !can_other_move(s, position)) marks |= 1U << STUCK_NOBODY;
  return marks;
}

/* --- moves as edges --- */

/* Returns the number of the position after a move and the lost turns after it, OVER, or NONE after an
 * error. */
static uint32_t follow_move(const asesina_stuck *s, const ase_move *made) {
  ase_move at = *made;
  game_place place = {GAME_NO_SLICE, 0};
  while (!at.over && ase_must_pass(&at.next)) at = ase_pass(s->t->rules, &at.next);
  if (at.over) return OVER;
  claim_keep(s->t->kept, ase_find(s->t->rules, &at.next, &place));
  const uint64_t number = asesina_number(&s->at, place);
  if (number == ASESINA_NOWHERE) claim_keep(s->t->kept, TAULER_INTERNAL);
  return number == ASESINA_NOWHERE ? NONE : (uint32_t)number;
}

static void follow_moves(const asesina_stuck *s, const ase_position *position, uint32_t *edges) {
  for (int roll = 1; roll <= ASE_DIE; roll++, edges += s->tokens) {
    ase_moves list;
    ase_list_moves(s->t->rules, position, roll, &list);
    for (int i = 0; i < s->tokens; i++) edges[i] = i < list.used ? follow_move(s, &list.move[i]) : NONE;
  }
}

static uint32_t *edges_at(const asesina_stuck *s, uint64_t number) {
  return s->edges + number * (uint64_t)ASE_DIE * (uint64_t)s->tokens;
}

static void mark_position(asesina_stuck *s, uint64_t number) {
  ase_position position;
  bool there;
  claim_keep(s->t->kept, ase_read_place(s->t->rules, asesina_place(&s->at, number), &position, &there));
  if (s->t->kept->error || !there) return;
  s->marks[number] = (uint16_t)(STORED | marks_of_moves(s, &position));
  if (!s->edges) return;
  s->marks[number] |= STAYS | NO_END;
  follow_moves(s, &position, edges_at(s, number));
}

/* --- play without an end --- */

/* Returns the flags of STAYS that hold under a roll: a flag in `chooses` if one move keeps it, any other if
 * all moves do. *ends becomes true if a move can lead to an end. */
static unsigned find_stay_flags(const asesina_stuck *s, const uint32_t *edges, unsigned chooses, bool *ends) {
  unsigned some = 0, all = STAYS;
  for (int i = 0; i < s->tokens && edges[i] != NONE; i++) {
    const unsigned marks = edges[i] == OVER ? 0 : s->marks[edges[i]];
    some |= marks & STAYS;
    all &= marks;
    *ends = *ends || !(marks & NO_END);
  }
  return (some & chooses) | (all & ~chooses);
}

static bool remove_marks(asesina_stuck *s, uint64_t number, int seat) {
  const unsigned was = s->marks[number], chooses = 1U << STUCK_BOTH | 1U << (STUCK_SEAT_1 + seat);
  unsigned stays = was & STAYS;
  bool ends = false;
  if (!(was & (STAYS | NO_END))) return false;
  for (int roll = 0; roll < ASE_DIE; roll++)
    stays &= find_stay_flags(s, edges_at(s, number) + roll * s->tokens, chooses, &ends);
  const unsigned is = (was & ~(unsigned)(STAYS | NO_END)) | stays | (ends ? 0 : was & NO_END);
  s->marks[number] = (uint16_t)is;
  return is != was;
}

static void settle_slice(asesina_stuck *s, size_t slice) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint64_t number = s->at.first[slice]; number < s->at.first[slice + 1]; number++) {
      const game_place place = asesina_place(&s->at, number);
      if (s->marks[number] & STORED && remove_marks(s, number, ase_seat_at(s->t->rules, place)))
        changed = true;
    }
  }
}

/* --- counts --- */

static void count_position(stuck_count *in, unsigned marks) {
  in->positions++;
  for (int kind = 0; kind < STUCK_KINDS; kind++) in->of[kind] += marks >> kind & 1;
}

static void count_positions(asesina_stuck *s, const reached *reached) {
  for (uint64_t number = 0; number < asesina_positions(&s->at); number += s->stride) {
    const unsigned marks = s->marks[number];
    if (!(marks & STORED)) continue;
    const bool played = s->edges && reached_has(reached, asesina_place(&s->at, number));
    for (int kind = 0; kind < STUCK_KINDS; kind++) {
      const uint64_t before = played ? s->played.of[kind] : s->stored.of[kind];
      if (marks >> kind & 1 && before == 0) s->shown[kind] = number;
    }
    count_position(&s->stored, marks);
    if (played) count_position(&s->played, marks);
  }
}

/* --- open and close --- */

static bool allocate_stuck_arrays(asesina_stuck *s) {
  static const char what[] = "positions that are stuck";
  claim_error *out = s->t->kept;
  memory_budget *memory = s->t->job->memory;
  const uint64_t positions = asesina_positions(&s->at), moves = (uint64_t)ASE_DIE * (uint64_t)s->tokens;
  if (positions > MOST_POSITIONS) return false;
  if (positions > MOST_FOLLOWED) s->stride = (positions + LOOKS - 1) / LOOKS;
  CLAIM_CATCH(out,
              memory_allocate_array(memory, positions, sizeof *s->marks, what, &s->marks, &out->message));
  if (s->stride == 1)
    CLAIM_CATCH(out, memory_allocate_array(memory, positions * moves, sizeof *s->edges, what, &s->edges,
                                           &out->message));
  return !out->error;
}

static bool count_stored_and_played(asesina_stuck *s) {
  const claim_tables *t = s->t;
  reached found = {.used = 0};
  if (s->edges && !claim_tables_reach(t, &s->at.slices, &found)) return false;
  count_positions(s, &found);
  if (s->edges) reached_close(&found);
  return true;
}

bool asesina_stuck_open(asesina_stuck *s, claim_tables *t, int tokens) {
  *s = (asesina_stuck){.t = t, .tokens = tokens, .stride = 1};
  if (!asesina_table_open(&s->at, t, tokens) || !allocate_stuck_arrays(s)) return false;
  for (uint64_t number = 0; number < asesina_positions(&s->at) && !t->kept->error; number += s->stride)
    mark_position(s, number);
  if (t->kept->error) return false;
  for (size_t slice = 0; slice < s->at.slices.used && s->edges; slice++) settle_slice(s, slice);
  return count_stored_and_played(s);
}

void asesina_stuck_close(asesina_stuck *s) {
  memory_budget *memory = s->t->job->memory;
  memory_free(memory, s->edges);
  memory_free(memory, s->marks);
  asesina_table_close(&s->at);
}
