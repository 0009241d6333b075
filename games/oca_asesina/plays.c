/* Lists the plays of every arrangement of la oca asesina under every roll. */
#include "games/oca_asesina/plays.h"

#include <stdlib.h>
#include <string.h>

#include "games/oca_asesina/turn.h"

_Static_assert(ASE_DIE *ASE_MOST_TOKENS <= STRIP_PLAYS, "the plays of an arrangement must fit");
_Static_assert((int)PLAY_KINDS <= (int)STRIP_KINDS, "kinds must fit");
_Static_assert((int)PLAY_END + (int)GOOSE_MOST_TURNS < (int)PLAY_KINDS,
               "all turns that a square costs must have a kind");

enum { MOVER, OTHER };

typedef struct {
  const game_rules *rules;
  const ase_arrangements *mover, *home, *other;
  uint64_t used;
  ase_plays *out;
} lister;

/* Tokens of the other player that fill squares stand on them. Its other tokens are on the start or home. */
static ase_position make_position(const lister *l, uint32_t row, uint32_t fill) {
  const ase_arrangement *arrangement = &l->mover->list[row],
                        *full = &l->other->list[l->other->fill_first[fill]];
  ase_position position = {.seats = 2, .tokens = (uint8_t)l->mover->tokens, .forced = arrangement->forced};
  memcpy(position.square[MOVER], arrangement->square, sizeof arrangement->square);
  memcpy(position.square[OTHER], full->square, sizeof full->square);
  return position;
}

static strip_play make_play(const lister *l, const ase_move *move) {
  const ase_position *next = &move->next;
  ase_arrangement arrangement = {.forced = move->roll_again ? next->forced : 0};
  memcpy(arrangement.square, next->square[MOVER], sizeof arrangement.square);
  strip_play play = {.sent = {move->landed[0], move->landed[1]}};
  if (move->roll_again) {
    play.kind = PLAY_AGAIN;
  } else if (ase_tokens_home(l->rules, next, MOVER) > l->mover->home) {
    play.kind = PLAY_HOME;
  } else {
    play.kind = (uint8_t)(PLAY_END + next->lost[MOVER]);
  }
  const ase_arrangements *arrangements = play.kind == PLAY_HOME ? l->home : l->mover;
  play.mover = arrangements ? ase_arrangements_find(l->rules, arrangements, &arrangement) : 0;
  return play;
}

static void list_rolls(lister *l, uint32_t row, uint32_t fill, uint64_t *first) {
  const ase_position position = make_position(l, row, fill);
  for (int roll = 0; roll < ASE_DIE; roll++) {
    ase_moves moves;
    first[roll] = l->used;
    ase_list_moves(l->rules, &position, roll + 1, &moves);
    for (int i = 0; i < moves.used; i++) l->out->play[l->used++] = make_play(l, &moves.move[i]);
  }
}

/* True if the mover's tokens leave the squares of the fill free. Otherwise plays are not needed. */
static bool can_stand(const lister *l, uint32_t row, uint32_t fill) {
  const ase_position position = make_position(l, row, fill);
  const strip_squares *own = &l->mover->occupied[row];
  for (int i = 0; i < ase_tokens(l->rules, &position); i++) {
    const int square = position.square[OTHER][i];
    if (square < ase_home(l->rules) && own->bits[square / 64] >> square % 64 & 1) return false;
  }
  return true;
}

uint64_t ase_plays_lists(const ase_arrangements *mover, const ase_arrangements *other) {
  return (uint64_t)other->fills * mover->all * ASE_DIE;
}

/* Returns the largest number of plays under one roll: one for each colour and square with tokens that may
 * move, or 1 if a forced token moves or no token can. */
static uint64_t most_plays(const game_rules *rules, const ase_arrangements *arrangements,
                           const ase_arrangement *arrangement) {
  uint64_t most = 0;
  for (int i = 0; i < arrangements->tokens * rules->flags.colours; i++) {
    const bool equals_one_before =
        i % arrangements->tokens > 0 && arrangement->square[i] == arrangement->square[i - 1];
    most += arrangement->square[i] != ase_home(rules) && !equals_one_before;
  }
  return arrangement->forced || most == 0 ? 1 : most;
}

static uint64_t most_plays_of_all(const game_rules *rules, const ase_arrangements *mover,
                                  const ase_arrangements *other) {
  uint64_t most = 0;
  for (uint32_t row = 0; row < mover->all; row++) most += most_plays(rules, mover, &mover->list[row]);
  return most * other->fills * ASE_DIE;
}

uint64_t ase_plays_bytes(const game_rules *rules, const ase_arrangements *mover,
                         const ase_arrangements *other) {
  return (ase_plays_lists(mover, other) + 1) * sizeof(uint64_t) +
         most_plays_of_all(rules, mover, other) * sizeof(strip_play);
}

static void trim_plays(lister *l) {
  strip_play *trimmed = realloc(l->out->play, (l->used ? l->used : 1) * sizeof *trimmed);
  if (trimmed) l->out->play = trimmed;
}

tauler_error ase_plays_open(const game_rules *rules, const ase_arrangements *mover,
                            const ase_arrangements *home, const ase_arrangements *other, ase_plays *out) {
  lister l = {.rules = rules, .mover = mover, .home = home, .other = other, .out = out};
  const uint64_t most = most_plays_of_all(rules, mover, other);
  *out = (ase_plays){malloc((ase_plays_lists(mover, other) + 1) * sizeof *out->first),
                     malloc((most ? most : 1) * sizeof *out->play)};
  if (!out->first || !out->play) {
    ase_plays_close(out);
    return TAULER_NO_MEMORY;
  }
  uint64_t *first = out->first;
  for (uint32_t fill = 0; fill < other->fills; fill++) {
    for (uint32_t row = 0; row < mover->all; row++, first += ASE_DIE) {
      for (int roll = 0; roll < ASE_DIE; roll++) first[roll] = l.used;
      if (can_stand(&l, row, fill)) list_rolls(&l, row, fill, first);
    }
  }
  *first = l.used;
  trim_plays(&l);
  return TAULER_OK;
}

void ase_plays_close(ase_plays *plays) {
  free(plays->first);
  free(plays->play);
  *plays = (ase_plays){NULL, NULL};
}
