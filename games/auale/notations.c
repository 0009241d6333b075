/* Reads and writes notations of other programs for aualé (PlayStrategy's FEN and squares, OpenSpiel's text),
 * and describes records of aualé. */
#include "games/auale/notations.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* --- names of squares --- */

int auale_square(const char *text) {
  if (text[0] < 'a' || text[0] > 'f' || (text[1] != '1' && text[1] != '2')) return -1;
  const int column = text[0] - 'a';
  return text[1] == '1' ? column : AUALE_PITS - 1 - column;
}

void auale_square_name(int pit, char name[3]) {
  const bool south = pit < ROW_PITS;
  name[0] = (char)('a' + (south ? pit : AUALE_PITS - 1 - pit));
  name[1] = south ? '1' : '2';
  name[2] = '\0';
}

int auale_last_pit(const auale_position *position, int pit) {
  const int seeds = position->pits[pit], laps = seeds ? (seeds - 1) / (AUALE_PITS - 1) : 0;
  return (pit + seeds + laps) % AUALE_PITS;
}

/* --- FEN --- */

/* Reads "2S" as one pit with two seeds, or "3" as three empty pits. */
static bool read_cell(game_text *in, uint8_t row[ROW_PITS], int *used) {
  int number;
  const size_t place = game_text_place(in);
  if (!game_text_take_number(in, AUALE_MAX_SEEDS, &number))
    return game_text_refuse(in, "character %zu: seeds, as 4S, or a number of empty pits must stand there",
                            place);
  if (game_text_take(in, "S")) {
    if (number > AUALE_MAX_SEEDS || *used == ROW_PITS)
      return game_text_refuse(in, "character %zu: a row has 6 pits of 0-48 seeds", place);
    row[(*used)++] = (uint8_t)number;
    return true;
  }
  if (number < 1 || *used + number > ROW_PITS)
    return game_text_refuse(in, "character %zu: a row has 6 pits, empty ones counted", place);
  *used += number;
  return true;
}

static bool read_row(game_text *in, uint8_t row[ROW_PITS]) {
  int used = 0;
  memset(row, 0, ROW_PITS);
  do {
    if (!read_cell(in, row, &used)) return false;
  } while (game_text_take(in, ","));
  return used == ROW_PITS || game_text_refuse(in, "a row has only %d of 6 pits", used);
}

static bool read_score(game_text *in, uint8_t *out) {
  int score;
  game_text_skip_blanks(in);
  if (!game_text_take_number(in, AUALE_MAX_SEEDS, &score) || score > AUALE_MAX_SEEDS)
    return game_text_refuse(in, "behind the rows stand two scores, 0-48");
  *out = (uint8_t)score;
  return true;
}

/* After the end of a game PlayStrategy adds each row to the score and leaves the seeds on the board. */
static void subtract_rows(auale_position *position) {
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < ROW_PITS; i++) {
      const uint8_t seeds = position->pits[side * ROW_PITS + i];
      position->stores[side] -= seeds < position->stores[side] ? seeds : position->stores[side];
    }
  }
}

bool auale_read_fen(game_text *in, auale_position *out) {
  uint8_t north[ROW_PITS];
  int move;
  if (!read_row(in, north)) return false;
  if (!game_text_take(in, "/"))
    return game_text_refuse(in, "character %zu: North's row ends with '/'", game_text_place(in));
  if (!read_row(in, out->pits) || !read_score(in, &out->stores[0]) || !read_score(in, &out->stores[1]))
    return false;
  for (int i = 0; i < ROW_PITS; i++) out->pits[AUALE_PITS - 1 - i] = north[i];
  if (!game_text_take_side(in, "SN", &out->side)) return false;
  out->has_stores = 1;
  if (out->stores[0] + out->stores[1] == AUALE_MAX_SEEDS) subtract_rows(out);
  game_text_skip_blanks(in);
  (void)game_text_take_number(in, 0, &move);
  return true;
}

static void print_row(const uint8_t *pits, int step, char text[GAME_TEXT_BYTES]) {
  int empty = 0;
  const char *between = "";
  for (int i = 0; i <= ROW_PITS; i++) {
    const uint8_t seeds = i < ROW_PITS ? pits[i * step] : 1;
    if (seeds == 0) {
      empty++;
      continue;
    }
    if (empty) text_add(text, GAME_TEXT_BYTES, "%s%d", between, empty);
    if (empty) between = ",";
    empty = 0;
    if (i < ROW_PITS) text_add(text, GAME_TEXT_BYTES, "%s%uS", between, seeds);
    between = ",";
  }
}

static void print_fen(const game_rules *rules, const game_position *game, char text[GAME_TEXT_BYTES]) {
  const auale_position p = auale_from_game(game);
  text[0] = '\0';
  print_row(p.pits + AUALE_PITS - 1, -1, text);
  text_add(text, GAME_TEXT_BYTES, "/");
  print_row(p.pits, 1, text);
  text_add(text, GAME_TEXT_BYTES, " %u %u %c 1", p.stores[0], p.stores[1], p.side ? 'N' : 'S');
}

static void print_squares(const game_rules *rules, const game_position *game, const char *name, char *text) {
  const auale_position p = auale_from_game(game);
  static const char pits[] = "ABCDEFabcdef";
  const int pit = (int)(strchr(pits, *name) - pits);
  auale_square_name(pit, text);
  auale_square_name(auale_last_pit(&p, pit), text + 2);
}

/* --- texts of OpenSpiel --- */

static bool take_words(game_text *in, const char *words) {
  for (size_t length; *words; words += length + (words[length] == ' ')) {
    char word[16];
    length = strcspn(words, " ");
    memcpy(word, words, length);
    word[length] = '\0';
    game_text_skip_blanks(in);
    if (!game_text_take_word(in, word)) return false;
  }
  return true;
}

/* Reads "Player 1 score = 7 [PLAYING]". [PLAYING] may be missing. */
static bool read_player(game_text *in, char player, uint8_t *score, bool *plays) {
  char words[] = "Player ? score =";
  *strchr(words, '?') = player;
  if (!take_words(in, words))
    return game_text_refuse(in, "character %zu: 'Player %c score =' must stand there", game_text_place(in),
                            player);
  if (!read_score(in, score)) return false;
  game_text_skip_blanks(in);
  *plays = game_text_take_word(in, "[PLAYING]");
  return true;
}

static bool read_drawn_row(game_text *in, uint8_t *pits, int step) {
  for (int i = 0; i < ROW_PITS; i++) {
    int seeds;
    game_text_skip_blanks(in);
    if (!game_text_take_number(in, AUALE_MAX_SEEDS, &seeds) || seeds > AUALE_MAX_SEEDS)
      return game_text_refuse(in, "character %zu: seeds in a pit, 0-48, must stand there",
                              game_text_place(in));
    pits[i * step] = (uint8_t)seeds;
  }
  return true;
}

bool auale_read_drawing(game_text *in, auale_position *out) {
  bool north = false, south = false;
  if (!read_player(in, '1', &out->stores[1], &north)) return false;
  if (!take_words(in, "f e d c b a")) return game_text_refuse(in, "the letters f e d c b a are missing");
  if (!read_drawn_row(in, out->pits + AUALE_PITS - 1, -1) || !read_drawn_row(in, out->pits, 1)) return false;
  if (!take_words(in, "A B C D E F")) return game_text_refuse(in, "the letters A B C D E F are missing");
  if (!read_player(in, '0', &out->stores[0], &south)) return false;
  if (north && south) return game_text_refuse(in, "both players are [PLAYING]");
  out->side = north;
  out->has_stores = 1;
  return true;
}

static void print_observation(const game_rules *rules, const game_position *game,
                              char text[GAME_TEXT_BYTES]) {
  const auale_position p = auale_from_game(game);
  text[0] = '\0';
  text_add(text, GAME_TEXT_BYTES, "%u | %u %u |", p.side, p.stores[0], p.stores[1]);
  for (int i = 0; i < AUALE_PITS; i++) text_add(text, GAME_TEXT_BYTES, " %u", p.pits[i]);
}

static void print_letter(const game_rules *rules, const game_position *game, const char *name, char *text) {
  memcpy(text, name, strlen(name) + 1);
}

const game_notation auale_notations[] = {
    {"playstrategy", "FEN and squares of PlayStrategy: 4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1, d1e2",
     print_fen, print_squares},
    {"openspiel", "OpenSpiel: 0 | 0 0 | 4 4 4 4 4 4 4 4 4 4 4 4, D", print_observation, print_letter},
    {NULL, NULL, NULL, NULL}};

/* --- records --- */

static bool compute_shares(const char *position, game_shares *out) {
  *out = (game_shares){.all = AUALE_MAX_SEEDS};
  for (int i = 0; i < AUALE_PITS + GAME_SIDES; i++) {
    char *end;
    const int n = (int)strtol(position, &end, 10);
    if (end == position || *end != '-') return false;
    if (i < AUALE_PITS) {
      out->row[i / ROW_PITS] += n;
    } else {
      out->store[i - AUALE_PITS] = n;
    }
    position = end + 1;
  }
  const int captured = out->store[0] + out->store[1];
  if (captured) out->all = out->row[0] + out->row[1] + captured;
  return true;
}

static const char *const tags[] = {"Variant", "South", "North", NULL};

static const game_variant variants[] = {{"Oware Abapa", "abapa"},
                                        {"Abapa", "abapa"},
                                        {"Awari", "awari"},
                                        {"awari,grand-slam=captures", "awari,grand-slam=captures"},
                                        {NULL, NULL}};

const game_record auale_record = {
    .tags = tags, .variants = variants, .letters = true, .shares = compute_shares};
