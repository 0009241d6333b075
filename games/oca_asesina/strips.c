/* Makes strips for slices of two players (games/game_strips.h). */
#include "games/oca_asesina/chance.h"

#include <stdlib.h>
#include <string.h>

#include "games/oca_asesina/layout.h"
#include "games/oca_asesina/slices.h"
#include "games/oca_asesina/turn.h"

enum { SEATS = 2 };

_Static_assert(ASE_DIE *ASE_MOST_TOKENS <= STRIP_PLAYS, "the plays of an arrangement must fit");
_Static_assert((int)PLAY_KINDS <= (int)STRIP_KINDS, "kinds must fit");
_Static_assert((int)PLAY_END + (int)GOOSE_MOST_TURNS < (int)PLAY_KINDS,
               "all turns that a square costs must have a kind");
_Static_assert(1 + GOOSE_MOST_TURNS <= STRIP_PLANES, "all turns that a player can have to lose need a plane");

/* The arrays of one section. `passed` is used only while arrangements are put in order. */
typedef struct {
  arena arena;
  uint64_t *play_first; /* as in strip_section */
  strip_play *play;
  uint32_t *order, *passed, *stage_first, *sent_back;
  uint8_t *square, *odd;
  uint8_t *wanted[STRIP_PLANES];
} section_arrays;

typedef struct {
  strip_tables shown; /* first, so that a pointer to it is a pointer to own_tables */
  section_arrays arrays[STRIP_SECTIONS];
} own_tables;

typedef struct {
  const game_rules *rules;
  const ase_arrangements *mine, *theirs;
  section_arrays *arrays;
  const ase_layout *layout;
  int seat, other;
  strip_section *section;
  /* the mover's arrangements with one more token at home. NULL if the game is over then, and in a plan */
  const ase_arrangements *after;
  uint64_t plays; /* plays listed so far */
} maker;

/* --- plays ---
 *
 * A play depends on the mover's arrangement and on the squares that the other player fills with two tokens.
 * Lone tokens of the other player block no move; a play notes the squares from which it sends a lone token
 * back. So there is a list of plays for each fill of the other's arrangements, each of the mover's
 * arrangements and each roll.
 */

/* The mover has seat 0. Tokens of the other player that fill squares stand on them, and the rest of its
 * tokens are on the start or home. */
static ase_position make_position(const maker *m, uint32_t row, uint32_t fill) {
  const ase_arrangement *arrangement = &m->mine->list[row],
                        *full = &m->theirs->list[m->theirs->fill_first[fill]];
  ase_position position = {.seats = 2, .tokens = (uint8_t)m->mine->tokens, .forced = arrangement->forced};
  memcpy(position.square[0], arrangement->square, sizeof arrangement->square);
  memcpy(position.square[1], full->square, sizeof full->square);
  return position;
}

static strip_play make_play(const maker *m, const ase_move *move) {
  const ase_position *next = &move->next;
  ase_arrangement arrangement = {.forced = move->roll_again ? next->forced : 0};
  memcpy(arrangement.square, next->square[0], sizeof arrangement.square);
  strip_play play = {.sent = {move->landed[0], move->landed[1]}};
  if (move->roll_again) {
    play.kind = PLAY_AGAIN;
  } else if (ase_tokens_home(m->rules, next, 0) > m->mine->home) {
    play.kind = PLAY_HOME;
  } else {
    play.kind = (uint8_t)(PLAY_END + next->lost[0]);
  }
  const ase_arrangements *arrangements = play.kind == PLAY_HOME ? m->after : m->mine;
  play.mover = arrangements ? ase_arrangements_find(m->rules, arrangements, &arrangement) : 0;
  return play;
}

static void list_row_plays(maker *m, uint32_t row, uint32_t fill, uint64_t *first) {
  const ase_position position = make_position(m, row, fill);
  for (int roll = 0; roll < ASE_DIE; roll++) {
    ase_moves moves;
    first[roll] = m->plays;
    ase_list_moves(m->rules, &position, roll + 1, &moves);
    for (int i = 0; i < moves.used; i++) m->arrays->play[m->plays++] = make_play(m, &moves.move[i]);
  }
}

/* True if the mover's tokens leave the squares of the fill free. Otherwise plays are not needed. */
static bool can_stand(const maker *m, uint32_t row, uint32_t fill) {
  const ase_position position = make_position(m, row, fill);
  const strip_squares *own = &m->mine->occupied[row];
  for (int i = 0; i < ase_tokens(m->rules, &position); i++) {
    const int square = position.square[1][i];
    if (square < ase_home(m->rules) && own->bits[square / 64] >> square % 64 & 1) return false;
  }
  return true;
}

static uint64_t count_lists(const maker *m) {
  return (uint64_t)m->theirs->fills * m->mine->all * ASE_DIE;
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

static uint64_t most_plays_of_all(const maker *m) {
  uint64_t most = 0;
  for (uint32_t row = 0; row < m->mine->all; row++)
    most += most_plays(m->rules, m->mine, &m->mine->list[row]);
  return most * m->theirs->fills * ASE_DIE;
}

static tauler_error list_plays(maker *m) {
  const uint64_t most = most_plays_of_all(m);
  uint64_t *first = m->arrays->play_first = malloc((count_lists(m) + 1) * sizeof *first);
  strip_play *play = m->arrays->play = malloc((most ? most : 1) * sizeof *play);
  if (!first || !play) return TAULER_NO_MEMORY;
  for (uint32_t fill = 0; fill < m->theirs->fills; fill++) {
    for (uint32_t row = 0; row < m->mine->all; row++, first += ASE_DIE) {
      for (int roll = 0; roll < ASE_DIE; roll++) first[roll] = m->plays;
      if (can_stand(m, row, fill)) list_row_plays(m, row, fill, first);
    }
  }
  *first = m->plays;
  play = realloc(m->arrays->play, (m->plays ? m->plays : 1) * sizeof *play);
  if (play) m->arrays->play = play;
  return TAULER_OK;
}

/* --- places of values --- */

static strip_source rows_source(const ase_layout *layout, int seat, int plane) {
  const ase_arrangements *mine = layout->arrangements[seat], *theirs = layout->arrangements[1 - seat];
  return (strip_source){.way = STRIP_ROWS,
                        .slice = layout->slice,
                        .first_cell = ase_layout_index(layout, seat, plane, 0),
                        .pairs = &layout->pairs[seat],
                        .mover_strip = mine->strip_of,
                        .mover_first = mine->strip_first,
                        .other_strip = theirs->strip_of,
                        .other_first = theirs->strip_first,
                        .mover_strips = mine->strips};
}

static strip_source turned_source(const ase_layout *layout, int seat, int plane) {
  strip_source source = rows_source(layout, seat, 0);
  source.way = STRIP_TURNED;
  source.first_cell = ase_layout_index(layout, 1 - seat, plane, 0);
  source.pairs = &layout->pairs[1 - seat];
  source.mover_strips = layout->arrangements[seat]->free_strips;
  return source;
}

static strip_source constant_source(double score) {
  return (strip_source){.way = STRIP_CONSTANT, .constant = score};
}

static uint8_t add_source(maker *m, strip_source source) {
  strip_section *section = m->section;
  for (int i = 0; i < section->sources; i++) {
    const strip_source *there = &section->source[i];
    if (there->way == source.way && there->slice == source.slice && there->first_cell == source.first_cell &&
        there->constant == source.constant)
      return (uint8_t)i;
  }
  section->source[section->sources] = source;
  return (uint8_t)section->sources++;
}

/* Returns the source after a turn in which the mover lost `mine` turns while the other player has `theirs` to
 * lose. Both pass in turn until one has none left. */
static strip_source source_after(const maker *m, int mine, int theirs) {
  if (theirs <= mine) return turned_source(m->layout, m->seat, mine - theirs);
  return rows_source(m->layout, m->seat, theirs - mine - 1);
}

static bool finishes_if_home(const maker *m) {
  const int all = m->mine->tokens * m->rules->flags.colours;
  return all - (m->layout->home[m->seat] + 1) <= (m->rules->flags.home_one_left ? 1 : 0);
}

/* Sets *out to the layout of the slice with one more token of the mover at home, or to NULL if the game is
 * over. */
static tauler_error find_layout_after(const maker *m, const ase_layout **out) {
  ase_slice slice = {.tokens = m->layout->tokens,
                     .home = {(uint8_t)m->layout->home[0], (uint8_t)m->layout->home[1]}};
  slice.home[m->seat]++;
  *out = NULL;
  const uint32_t number = m->layout->last_turn ? GAME_NO_SLICE : ase_slice_number(m->rules, &slice);
  return number == GAME_NO_SLICE ? TAULER_OK : ase_layout_of(m->rules, number, out);
}

static strip_source source_at_home(const maker *m, const ase_layout *after, int theirs) {
  if (m->layout->last_turn) return constant_source(finishes_if_home(m) ? 0.5 : 1);
  if (after && !finishes_if_home(m)) {
    return theirs ? rows_source(after, m->seat, theirs - 1) : turned_source(after, m->seat, 0);
  }
  if (m->seat == 1) return constant_source(0);
  return after && theirs == 0 ? turned_source(after, m->seat, 0) : constant_source(1);
}

static void set_sources(maker *m, const ase_layout *after) {
  strip_section *section = m->section;
  for (int plane = 0; plane < section->planes; plane++) add_source(m, rows_source(m->layout, m->seat, plane));
  for (int theirs = 0; theirs < section->planes; theirs++) {
    section->leads[theirs][PLAY_AGAIN] = (uint8_t)theirs;
    section->leads[theirs][PLAY_HOME] = add_source(m, source_at_home(m, after, theirs));
    for (int mine = 0; mine < STRIP_KINDS - PLAY_END; mine++) {
      const strip_source source = m->layout->last_turn      ? constant_source(1)
                                  : mine >= section->planes ? constant_source(0)
                                                            : source_after(m, mine, theirs);
      section->leads[theirs][PLAY_END + mine] = add_source(m, source);
    }
  }
}

/* --- the tables --- */

enum { MOST_PROGRESS = ASE_MOST_TOKENS * GOOSE_LONGEST };

static int enemy_tokens(const maker *m) {
  return m->theirs->tokens * m->rules->flags.colours;
}

static void list_section_arrays(arena *a, void *of) {
  const maker *m = of;
  section_arrays *arrays = m->arrays;
  const uint64_t rows = m->mine->all, tokens = (uint64_t)m->theirs->free * (unsigned)enemy_tokens(m);
  arrays->order = arena_allocate(a, rows, sizeof *arrays->order);
  arrays->passed = arena_allocate(a, MOST_PROGRESS + 2, sizeof *arrays->passed);
  arrays->stage_first = arena_allocate(a, m->theirs->free_strips + UINT64_C(1), sizeof *arrays->stage_first);
  arrays->square = arena_allocate(a, tokens, 1);
  arrays->sent_back = arena_allocate(a, tokens, sizeof *arrays->sent_back);
  arrays->odd = arena_allocate(a, m->theirs->fills * rows, 1);
  for (int plane = 1; plane <= ase_most_turns(m->rules); plane++)
    arrays->wanted[plane] = arena_allocate(a, m->mine->free_strips, 1);
}

static int progress_of(const ase_arrangement *arrangement) {
  int progress = 0;
  for (int i = 0; i < ASE_MOST_TOKENS; i++) progress += arrangement->square[i];
  return progress;
}

static void set_order(maker *m) {
  const ase_arrangements *mine = m->mine;
  uint32_t *order = m->arrays->order, *passed = m->arrays->passed;
  for (uint32_t i = 0; i < mine->all; i++) passed[MOST_PROGRESS - progress_of(&mine->list[i]) + 1]++;
  for (int i = 0; i <= MOST_PROGRESS; i++) passed[i + 1] += passed[i];
  for (uint32_t i = 0; i < mine->all; i++) order[passed[MOST_PROGRESS - progress_of(&mine->list[i])]++] = i;
  m->section->order = order;
}

/* Makes a stage of the strips with equally many tokens on the start. A capture leads to an earlier stage. */
static void set_stages(maker *m) {
  const ase_arrangements *theirs = m->theirs;
  uint32_t *first = m->arrays->stage_first;
  for (uint32_t i = 0; i < theirs->free_strips; i++) {
    if (i == 0 || theirs->strip_zeros[i] != theirs->strip_zeros[i - 1]) first[m->section->stages++] = i;
  }
  first[m->section->stages] = theirs->free_strips;
  m->section->stage_first = first;
}

static uint32_t lane_after_capture(const maker *m, uint32_t lane, int token) {
  const int tokens = m->theirs->tokens, first = token / tokens * tokens;
  ase_arrangement arrangement = m->theirs->list[lane];
  for (int i = token; i > first; i--) arrangement.square[i] = arrangement.square[i - 1];
  arrangement.square[first] = 0;
  return ase_arrangements_find(m->rules, m->theirs, &arrangement);
}

static void set_tokens(maker *m) {
  const ase_arrangements *theirs = m->theirs;
  const int tokens = enemy_tokens(m), home = ase_home(m->rules);
  for (uint32_t lane = 0; lane < theirs->free; lane++) {
    for (int i = 0; i < tokens; i++) {
      const uint64_t at = (uint64_t)lane * (unsigned)tokens + (unsigned)i;
      const uint8_t square = theirs->list[lane].square[i];
      const bool stands = square > 0 && square < home && !m->rules->flags.no_interaction;
      m->arrays->square[at] = stands ? square : 0;
      m->arrays->sent_back[at] = stands ? lane_after_capture(m, lane, i) : lane;
    }
  }
  m->section->tokens = tokens;
  m->section->square = m->arrays->square;
  m->section->sent_back = m->arrays->sent_back;
}

/* Marks, for each plane with turns to lose, the mover's strips to which plays lead. Few plays lose turns, so
 * few strips of these planes are read. */
static void mark_wanted_strips(maker *m) {
  strip_section *section = m->section;
  for (uint64_t i = 0; i < m->plays; i++) {
    const strip_play *play = &m->arrays->play[i];
    for (int plane = 1; plane < section->planes && play->kind >= PLAY_END + plane; plane++)
      m->arrays->wanted[plane][m->mine->strip_of[play->mover]] = 1;
  }
  for (int i = 0; i < section->sources; i++) {
    strip_source *source = &section->source[i];
    for (int plane = 1; plane < section->planes; plane++) {
      const bool is_it = source->way == STRIP_TURNED && source->slice == m->layout->slice &&
                         source->first_cell == ase_layout_index(m->layout, m->other, plane, 0);
      if (is_it) source->wanted = m->arrays->wanted[plane];
    }
  }
}

static bool plays_differ(const section_arrays *of, uint64_t a, uint64_t b) {
  const uint64_t n = of->play_first[a + 1] - of->play_first[a];
  if (of->play_first[b + 1] - of->play_first[b] != n) return true;
  return memcmp(&of->play[of->play_first[a]], &of->play[of->play_first[b]], n * sizeof *of->play) != 0;
}

/* Marks the rolls under which the full squares of a fill change the plays. */
static void mark_odd_rolls(maker *m) {
  const uint64_t rows = m->mine->all, n = m->theirs->fills * rows;
  uint8_t *odd = m->arrays->odd;
  for (uint64_t i = 0; i < n; i++) {
    for (uint64_t roll = 0; roll < ASE_DIE; roll++)
      odd[i] |= (uint8_t)(plays_differ(m->arrays, i % rows * ASE_DIE + roll, i * ASE_DIE + roll) << roll);
  }
  m->section->odd = odd;
}

static tauler_error make_section(maker *m) {
  const ase_layout *after;
  strip_section *section = m->section;
  *section = (strip_section){.aim = m->seat == 0 ? 1 : -1,
                             .planes = m->layout->planes,
                             .rolls = ASE_DIE,
                             .rows = m->mine->all,
                             .row_strip = m->mine->strip_of,
                             .row_first = m->mine->strip_first,
                             .lane_first = m->theirs->strip_first,
                             .fill = m->theirs->fill_of};
  tauler_error error = find_layout_after(m, &after);
  if (!error) error = arena_fill(&m->arrays->arena, NULL, "strips", list_section_arrays, m, NULL);
  if (!error && after) m->after = after->arrangements[m->seat];
  if (!error) error = list_plays(m);
  if (error) return error;
  set_sources(m, after);
  set_order(m);
  set_stages(m);
  set_tokens(m);
  mark_wanted_strips(m);
  mark_odd_rolls(m);
  section->play_first = m->arrays->play_first;
  section->play = m->arrays->play;
  return TAULER_OK;
}

/* --- members of game_strips --- */

static void close_strips(strip_tables *tables) {
  own_tables *own = (own_tables *)tables;
  for (int i = 0; i < STRIP_SECTIONS; i++) {
    free(own->arrays[i].play_first);
    free(own->arrays[i].play);
    arena_close(&own->arrays[i].arena);
  }
  free(own);
}

static tauler_error open_strips(const game_rules *rules, uint32_t slice, strip_tables **out) {
  const ase_layout *layout;
  tauler_error error = ase_layout_of(rules, slice, &layout);
  own_tables *own = error ? NULL : calloc(1, sizeof *own);
  if (!error && !own) error = TAULER_NO_MEMORY;
  for (int seat = 0; seat < SEATS && !error; seat++) {
    if (!layout->rolls[seat]) continue;
    const int i = own->shown.sections++;
    maker m = {.rules = rules,
               .mine = layout->arrangements[seat],
               .theirs = layout->arrangements[1 - seat],
               .arrays = &own->arrays[i],
               .layout = layout,
               .seat = seat,
               .other = 1 - seat,
               .section = &own->shown.section[i]};
    error = make_section(&m);
  }
  if (error && own) close_strips(&own->shown);
  *out = error ? NULL : &own->shown;
  return error;
}

static bool strips_serve(const game_rules *rules, uint32_t slice) {
  ase_slice about;
  return rules->flags.players == 2 && !rules->flags.lost_turns_die && ase_slice_open(rules, slice, &about);
}

/* --- memory of the tables --- */

/* Arrangements by seat and by whether one more token is at home. None has more than MOST_ARRANGEMENTS. */
typedef struct {
  ase_arrangements *list[SEATS][2];
} arrangements_planned;

enum {
  MOST_ARRANGEMENTS = 1 << 20 /* limit that keeps plans quick */
};

static bool plan_arrangements(const game_rules *rules, const ase_slice *slice, arrangements_planned *out) {
  const int all = slice->tokens * rules->flags.colours;
  *out = (arrangements_planned){{{NULL}}};
  for (int seat = 0; seat < SEATS; seat++) {
    for (int more = 0; more < 2 && slice->home[seat] + more <= all; more++) {
      const int home = slice->home[seat] + more;
      if (ase_arrangements_count(rules, slice->tokens, home) >= MOST_ARRANGEMENTS ||
          ase_arrangements_open(rules, slice->tokens, home, &out->list[seat][more]))
        return false;
    }
  }
  return true;
}

static void close_arrangements(arrangements_planned *arrangements) {
  for (int seat = 0; seat < SEATS; seat++)
    for (int more = 0; more < 2; more++) ase_arrangements_close(arrangements->list[seat][more]);
}

static uint64_t pairs_bytes(const ase_arrangements *rows, const ase_arrangements *lanes) {
  return ((uint64_t)rows->strips * lanes->free_strips + 1) * sizeof(strip_tile);
}

static uint64_t section_bytes(const game_rules *rules, const ase_arrangements *mine,
                              const ase_arrangements *theirs) {
  section_arrays arrays;
  maker planned = {rules, mine, theirs, .arrays = &arrays};
  return arena_bytes(list_section_arrays, &planned) + (count_lists(&planned) + 1) * sizeof(uint64_t) +
         most_plays_of_all(&planned) * sizeof(strip_play);
}

/* Returns the bytes of a seat's section, its layout, and the layout after a token got home. */
static uint64_t seat_bytes(const game_rules *rules, const arrangements_planned *arrangements, int seat) {
  const ase_arrangements *mine = arrangements->list[seat][0], *theirs = arrangements->list[1 - seat][0];
  const ase_arrangements *after = arrangements->list[seat][1];
  uint64_t bytes = sizeof(ase_layout) + pairs_bytes(mine, theirs) + section_bytes(rules, mine, theirs);
  if (after) bytes += sizeof(ase_layout) + pairs_bytes(after, theirs) + pairs_bytes(theirs, after);
  return bytes;
}

/* Returns a bound on the rows of all sources of a section: its own planes, its turned planes, those after a
 * token got home, and constants. */
static uint64_t most_source_rows(const game_rules *rules, const arrangements_planned *arrangements) {
  enum { MOST_CONSTANTS = 3 };
  const uint64_t planes = (uint64_t)ase_most_turns(rules) + 1;
  uint32_t most = 1;
  for (int seat = 0; seat < SEATS; seat++) {
    for (int more = 0; more < 2; more++) {
      const ase_arrangements *of = arrangements->list[seat][more];
      if (of && of->all > most) most = of->all;
    }
  }
  return (3 * planes + MOST_CONSTANTS) * most;
}

static uint64_t strips_bytes(const game_rules *rules, uint32_t slice, uint64_t *source_rows) {
  ase_slice about;
  arrangements_planned arrangements;
  *source_rows = 0;
  if (!ase_slice_open(rules, slice, &about)) return 0;
  uint64_t bytes = UINT64_MAX / 4;
  if (plan_arrangements(rules, &about, &arrangements)) {
    bytes = sizeof(own_tables) + ARRANGEMENTS_COUNT_BYTES;
    for (int i = 0; i < SEATS * 2; i++)
      if (arrangements.list[i / 2][i % 2]) bytes += ase_arrangements_bytes(arrangements.list[i / 2][i % 2]);
    for (int seat = about.first_to_roll; seat < SEATS; seat++)
      bytes += seat_bytes(rules, &arrangements, seat);
    *source_rows = most_source_rows(rules, &arrangements);
  }
  close_arrangements(&arrangements);
  return bytes;
}

const game_strips ase_strips = {
    .serve = strips_serve, .bytes = strips_bytes, .open = open_strips, .close = close_strips};
