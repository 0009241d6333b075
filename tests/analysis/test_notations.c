/* Notations of other programs: what is written is read back, for ten thousand positions of random play, and
 * the moves in them; hand-made texts as those programs write them. */
#include "games/game_record.h"
#include "games/game_text.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { POSITIONS = 10000, LONGEST = 120 };

static const struct {
  const char *game, *rules, *start, *notation;
} written[] = {{"auale", "abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "playstrategy"},
               {"auale", "awari", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "openspiel"},
               {"doushouqi", "base", "startpos", "fen"},
               {"doushouqi", "base,clearings", "startpos", "red"},
               {"phutball", "base", "9/9/9/4o4/9/9/9 O", "lower-case"},
               {"phutball", "base,corner=exit", "11/11/11/5o5/11/11/11 O", "abstractplay"}};

typedef struct {
  const game *game;
  game_rules *rules;
  const game_notation *notation;
} writing;

static writing open_writing(const char *name, const char *rules, const char *notation) {
  writing w = {.game = game_called(name)};
  w.rules = suite_rules(w.game, rules, NULL);
  if (notation) MUST(game_notation_called(w.game, notation, &w.notation, NULL));
  return w;
}

static void expect_same(const writing *w, const game_position *position, const char *text) {
  game_position again;
  char own[GAME_TEXT_BYTES], read[GAME_TEXT_BYTES];
  MUST(game_text_parse(w->game, w->rules, text, &again, NULL, hear()));
  w->game->print(w->rules, position, own);
  w->game->print(w->rules, &again, read);
  ck_assert_str_eq(own, read);
}

/* A turn of phutball whose columns may be meant either way is refused for that reason. */
static bool is_ambiguous(const writing *w, const char *line) {
  game_position again;
  return game_text_parse(w->game, w->rules, line, &again, NULL, hear()) == TAULER_BAD_POSITION &&
         strstr(said.text, "if column j follows h");
}

static void expect_move(const writing *w, const game_position *position, const game_move *move) {
  char text[GAME_TEXT_BYTES], line[2 * GAME_TEXT_BYTES], name[256];
  if (move->over) return;
  ck_assert_uint_lt(2 * strlen(move->name) + GAME_NOTATION_MORE, sizeof name);
  w->notation->print(w->rules, position, text);
  w->notation->move(w->rules, position, move->name, name);
  snprintf(line, sizeof line, "%s moves %s", text, name);
  if (!is_ambiguous(w, line)) expect_same(w, &move->child, line);
}

CASE(what_is_written_is_read_back) {
  const writing w = open_writing(written[_i].game, written[_i].rules, written[_i].notation);
  if (!w.notation) abort();
  uint64_t state = 88172645463325252u;
  game_position position;
  int played = LONGEST;
  for (int i = 0; i < POSITIONS; i++, played++) {
    game_moves moves = {.used = 0};
    char text[GAME_TEXT_BYTES];
    if (played == LONGEST) {
      MUST(w.game->parse(w.rules, written[_i].start, &position, NULL));
      played = 0;
    }
    w.notation->print(w.rules, &position, text);
    expect_same(&w, &position, text);
    MUST(w.game->moves(w.rules, &position, &moves));
    const game_move *move = moves.used ? &moves.moves[draw_below(&state, moves.used)] : NULL;
    if (move) expect_move(&w, &position, move);
    if (!move || move->over) {
      played = LONGEST - 1;
    } else {
      position = move->child;
    }
    game_moves_free(&moves);
  }
}

static const struct {
  const char *game, *text, *canonical; /* NULL: refused, with this reason */
  const char *why;
} texts[] = {
    {"auale", "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", NULL},
    {"auale", "3,2S,1S,2S/1S,5 20 17 S 50", "1-0-0-0-0-0-2-1-2-0-0-0-20-17-S", NULL},
    {"auale", "2S,4,1S/1S,1S,3,1S 21 21 N 50 moves f2e2", "1-1-0-0-0-1-0-1-0-0-0-2-21-21-S", NULL},
    {"auale", "2S,4,1S/1S,1S,3,1S 21 21 N", "1-1-0-0-0-1-1-0-0-0-0-2-21-21-N", NULL},
    /* after the end each row counts for its side: it goes back on the board */
    {"auale", "6/1S,1S,4 24 24 N 50", "1-1-0-0-0-0-0-0-0-0-0-0-22-24-N", NULL},
    {"auale", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves c1 a2", "5-5-1-6-5-5-5-4-4-4-4-0-0-0-S", NULL},
    {"auale", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves c1a2", NULL, "falls on f2, write c1f2"},
    {"auale", "6/12S,5 18 18 S 1 moves a1b1", "0-2-1-1-1-1-1-1-1-1-1-1-18-18-N", NULL},
    {"auale", "1S,3/1S,5 0 0 S 1", NULL, "only 4 of 6"},
    {"auale", "7/6 0 0 S 1", NULL, "6 pits"},
    {"auale", "6/6 0 S 1", NULL, "two scores"},
    {"auale",
     "Player 1 score = 0 f e d c b a 0 4 4 4 4 5 5 5 1 6 5 5 A B C D E F Player 0 score = 0 [PLAYING]",
     "5-5-1-6-5-5-5-4-4-4-4-0-0-0-S", NULL},
    {"auale",
     "Player 1 score = 3 [PLAYING] f e d c b a 7 2 3 4 0 10 0 5 2 0 9 3 A B C D E F Player 0 score = 0",
     "0-5-2-0-9-3-10-0-4-3-2-7-0-3-N", NULL},
    {"auale", "Player 1 score = 3", NULL, "letters f e d c b a"},
    {"doushouqi", "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1",
     "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w", NULL},
    {"doushouqi", "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L r 0 1 moves c3-c2 a7xa6",
     "l5t/1d3c1/2p1w1e/r6/7/7/E3P1R/1CW2D1/T5L w", NULL},
    {"doushouqi", "l5t/1d3c1/m1j1w1e/7/7/7/E1W1J1M/1C3D1/T5L r 0 1 moves a3-a4 a7-a6",
     "l5t/1d3c1/2p1w1e/r6/7/E6/2W1P1R/1C3D1/T5L w", NULL},
    {"doushouqi", "7/7/7/1m5/1r5/7/2L4/7/7 r", NULL, "two animals of a kind"},
    {"doushouqi", "7/7/7/1m5/7/7/2L4/7/7 w - - - 0 1", NULL, "is not expected"},
    {"phutball", "3/1X1/1O1/3/3 e moves a1", "3/1x1/1o1/3/x2 O", NULL},
    {"phutball", "9/9/4o4/9/9 o moves i2", "9/9/4o4/8x/9 E", NULL},
    {"phutball", "9/9/4o4/9/9 o moves J2", "9/9/4o4/8x/9 E", NULL},
    {"phutball", "9/9/4o4/9/9 o moves I2 h1", "9/9/4o4/8x/7x1 O", NULL},
    {"phutball", "9/9/4o4/9/9 o moves j2", "9/9/4o4/8x/9 E", NULL}, /* the tenth column is off the board */
    {"phutball", "10/10/4o5/10/10 o moves j2", NULL, "if column j follows h"},
    {"phutball", "10/10/7ox1/10/10 o moves h3-j3", "10/10/9o/10/10 E", NULL},
};

CASE(texts_of_others_are_read) {
  const char *wanted = texts[_i].canonical;
  const writing w = open_writing(texts[_i].game, NULL, NULL);
  game_position position;
  char own[GAME_TEXT_BYTES];
  const tauler_error error = game_text_parse(w.game, w.rules, texts[_i].text, &position, NULL, hear());
  if (wanted) {
    ck_assert_msg(!error, "%s", said.text);
    w.game->print(w.rules, &position, own);
    ck_assert_str_eq(own, wanted);
  } else {
    REFUSED(TAULER_BAD_POSITION, texts[_i].why, error);
  }
}

SUITE("notations") {
  LOOP(what_is_written_is_read_back, ROWS(written));
  LOOP(texts_of_others_are_read, ROWS(texts));
}
