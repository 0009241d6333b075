#include "tests/support/probe_fixture.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/rules.h"

#include "base/durable_file.h"
#include "databases/streams.h"
#include "games/registry.h"

const char *const rules_names[RULES] = {"awari", "awari,grand-slam=captures", "abapa"};

naive_game *games[RULES];
static naive_forced *scores[RULES];
static naive_bounds *bounds[RULES];
family family_of(int number) {
  return (family){number % RULES, number >= RULES};
}

const char *cycles_of(family f) {
  return f.forced ? "forced" : "even";
}

/* For all groups of the suite, until its end. */
static void solve_all(void) {
  if (games[0]) return;
  for (int r = 0; r < RULES; r++) {
    games[r] = naive_game_new((naive_rules)r, OUTSIDE_SEEDS);
    scores[r] = naive_solve_even(games[r]);
    bounds[r] = naive_solve_forced(games[r]);
  }
}

tauler_worth naive_worth(family f, int seeds, int rank) {
  const naive_layer *layer = &games[f.rules]->layers[seeds];
  tauler_worth worth = {true, 0, 0, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
  if (f.forced) {
    worth.lower = naive_lower(layer, bounds[f.rules], rank);
    worth.upper = naive_upper(layer, bounds[f.rules], rank);
    worth.depth_lower = bounds[f.rules][seeds].depth_lower[rank];
    worth.depth_upper = bounds[f.rules][seeds].depth_upper[rank];
  } else {
    worth.lower = worth.upper = scores[f.rules][seeds].value[0][rank];
    /* A draw has no depth here, not even the empty board. */
    if (worth.lower != 0) worth.depth_lower = worth.depth_upper = scores[f.rules][seeds].depth[0][rank];
  }
  return worth;
}

/* The value of a move for the mover; its depth counts from the board before it. */
tauler_worth naive_move_worth(family f, int seeds, naive_edge edge) {
  const tauler_worth child = naive_worth(f, seeds - edge.captured, edge.child);
  tauler_worth worth = {true, edge.captured - child.upper, edge.captured - child.lower, child.depth_upper,
                        child.depth_lower};
  const double nothing = f.forced ? seeds : 0;
  if (edge.captured > 0) worth.depth_lower = worth.depth_upper = 0;
  worth.depth_lower = worth.lower == -nothing ? TAULER_NO_DEPTH : worth.depth_lower + 1;
  worth.depth_upper = worth.upper == nothing ? TAULER_NO_DEPTH : worth.depth_upper + 1;
  return worth;
}

naive_board board_at(const stream *s, uint64_t index) {
  game_position position;
  char text[GAME_TEXT_BYTES], *at = text;
  naive_board board;
  s->game->position_at(s->rules, (game_place){(uint32_t)s->seeds, index}, &position);
  s->game->print(s->rules, &position, text);
  for (int pit = 0; pit < 12; pit++, at++) board.pit[pit] = (unsigned char)strtol(at, &at, 10);
  return board;
}

/* The worth that a cell may be left out for. */
static bool best_converting(const stream *s, int rank, double *best) {
  const naive_layer *layer = &games[s->family.rules]->layers[s->seeds];
  bool any = layer->ended[rank];
  if (any) *best = layer->net[rank];
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    if (layer->edges[rank][e].captured == 0) continue;
    const tauler_worth worth = naive_move_worth(s->family, s->seeds, layer->edges[rank][e]);
    const double value = s->plane ? worth.upper : worth.lower;
    if (!any || value > *best) *best = value;
    any = true;
  }
  return any;
}

static tauler_error fill(void *user, uint64_t first, size_t count, void *stored, void *plain,
                         tauler_message *message) {
  const stream *s = user;
  for (size_t i = 0; i < count; i++) {
    const game_place place = {(uint32_t)s->seeds, first + i};
    const naive_board board = board_at(s, first + i);
    const int rank = naive_rank(&games[s->family.rules]->layers[s->seeds], &board);
    const tauler_worth worth = naive_worth(s->family, s->seeds, rank);
    const bool left_out = s->implied && s->game->lookup(s->rules, place) == LOOKUP_ALL;
    if (s->depths) {
      const int depth = s->plane ? worth.depth_upper : worth.depth_lower;
      const uint8_t cell = (uint8_t)(depth == TAULER_NO_DEPTH ? 0 : depth);
      ((uint8_t *)plain)[i] = cell;
      ((uint8_t *)stored)[i] = left_out ? UINT8_MAX : cell;
    } else {
      const double value = s->plane ? worth.upper : worth.lower;
      double best = 0;
      const bool implied = s->implied && best_converting(s, rank, &best) && best == value;
      ((int8_t *)plain)[i] = (int8_t)value;
      ((int8_t *)stored)[i] = left_out || implied ? INT8_MIN : (int8_t)value;
    }
  }
  return TAULER_OK;
}

void path_of(family f, int seeds, const char *name, table_header *header, char path[FOLDER_PATH_BYTES]) {
  *header = (table_header){.game = "auale", .index_version = game_index_version(game_find("auale"))};
  snprintf(header->rules, sizeof header->rules, "%s", rules_names[f.rules]);
  snprintf(header->cycles, sizeof header->cycles, "%s", cycles_of(f));
  snprintf(header->slice, sizeof header->slice, "%d", seeds);
  snprintf(header->stream, sizeof header->stream, "%s", name);
  ck_assert_int_eq(folder_table_path(folder, "", header, path, NULL), TAULER_OK);
}

static void write_stream(const stream *s, const char *name) {
  char path[FOLDER_PATH_BYTES], above[FOLDER_PATH_BYTES];
  table_header header;
  path_of(s->family, s->seeds, name, &header, path);
  header.positions = s->game->positions(s->rules, (uint32_t)s->seeds);
  header.cell = s->depths ? TABLE_U8 : TABLE_I8;
  header.coding = s->implied ? TABLE_IMPLIED : TABLE_PLAIN;
  if (s->implied) header.reserved = s->depths ? UINT8_MAX : INT8_MIN;
  snprintf(above, sizeof above, "%s", path);
  *strrchr(above, '/') = '\0';
  ck_assert_int_eq(durable_folder_create(above, hear()), TAULER_OK);
  const table_write_settings settings = {.level = 1, .frame_bytes = 1024, .threads = 1};
  MUST(table_write(path, &header, &settings, fill, (void *)s, NULL, hear()));
}

void write_slices(int number, build how, int most) {
  static const char *const names[2][3] = {{STREAM_VALUE, STREAM_LOWER, STREAM_UPPER},
                                          {STREAM_DEPTH, STREAM_DEPTH_LOWER, STREAM_DEPTH_UPPER}};
  stream s = {.game = game_find("auale"), .family = family_of(number), .implied = how != PLAIN};
  s.rules = suite_rules(s.game, rules_names[s.family.rules], cycles_of(s.family));
  for (s.seeds = 0; s.seeds <= most; s.seeds++) {
    for (int depths = 0; depths < (how == IMPLIED_WITH_DEPTHS ? 2 : 1); depths++) {
      for (s.plane = 0; s.plane < (s.family.forced ? 2 : 1); s.plane++) {
        s.depths = depths;
        write_stream(&s, names[depths][s.family.forced ? 1 + s.plane : 0]);
      }
    }
  }
}

void write_family(int number, build how) {
  write_slices(number, how, MAX_SEEDS);
}

tauler *db;

static void set_up(void) {
  make_folder();
  db = asked_folder();
}

tauler_tables *select_family(tauler *from, int number) {
  const family f = family_of(number);
  tauler_tables *tables;
  MUST(tauler_select(from, "auale", rules_names[f.rules], cycles_of(f), &tables, hear()));
  return tables;
}

void assert_worth(const char *what, const char *position, tauler_worth is, tauler_worth wanted,
                  bool with_depths) {
  if (!with_depths) wanted.depth_lower = wanted.depth_upper = TAULER_NO_DEPTH;
  ck_assert_msg(is.known && is.lower == wanted.lower && is.upper == wanted.upper,
                "%s of %s: %d [%g, %g], not [%g, %g]", what, position, is.known, is.lower, is.upper,
                wanted.lower, wanted.upper);
  ck_assert_msg(is.depth_lower == wanted.depth_lower && is.depth_upper == wanted.depth_upper,
                "%s of %s: depths %d, %d, not %d, %d", what, position, is.depth_lower, is.depth_upper,
                wanted.depth_lower, wanted.depth_upper);
}

tauler_answer *probe(tauler_tables *tables, const char *position) {
  return asked(tables, position, TAULER_OK);
}

void probe_fixture(suite_cases *suite) {
  FIXTURE_ONCE(solve_all, NULL);
  FIXTURE(set_up, NULL);
}
