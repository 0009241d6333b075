/* auale-awari-in-abapa: what it costs in abapa to play the moves that awari's tables call best. */

#include "analysis/claims/auale/compare.h"
#include "analysis/claims/auale/followed.h"
#include "analysis/claims/claim.h"
#include "analysis/claims/reference.h"

enum { DECIMALS = 4, SLOW_SEEDS = 8, FOLLOWED_SEEDS = 9, FORCED = PAIR_RULES, SETS };

typedef struct {
  uint64_t choices, all, some, none, surely, winner, slams, illegal;
  double lost; /* seeds, a move picked evenly among those that awari calls best */
  int greatest;
} layer_counts;

/* How much a board loses by a move of a pit. */
typedef struct {
  bool found;
  game_place place;
  int loss;
  game_place to;
} loss;

/* The seeds lost until the game ends, by the number of seeds on the board. */
typedef struct {
  double mean;
  uint64_t results;
  int most;
} followed_loss;

typedef struct {
  claim_base c;
  uint32_t layer; /* that is counted */
  int followed_seeds;
  layer_counts layers[AUALE_MOST_SEEDS + 1], total;
  uint64_t wrong;       /* tables that disagree with the moves, followers who do better than best */
  loss first, greatest; /* of boards with few seeds */
  followed_loss followed[FOLLOWED_WAYS][AUALE_MOST_SEEDS + 1];
} findings;

/* --- one move --- */

/* A board and the moves that awari calls best on it. */
typedef struct {
  int best[PAIR_RULES]; /* what the best move is worth under each rule set */
  int legal, good;      /* those moves: legal in abapa, best in abapa */
  int lost, greatest;   /* seeds, by those that are legal */
  bool surely;          /* each is worse than another move, whatever endless play is worth */
  bool loses_winner;    /* each has another result */
  bool slams;           /* abapa's best moves are all illegal in awari */
  game_place to;        /* by one that loses most */
} board_loss;

static void weigh_pit(const findings *f, game_place place, const auale_pit *pit, board_loss *b) {
  const claim_layer *forced = f->c.t[FORCED].layers;
  if (!pit->legal[PAIR_ABAPA]) return;
  const game_place to = pit->to[PAIR_ABAPA];
  const int worth = auale_pair_worth(f->c.t, pit, PAIR_ABAPA);
  const int lost = b->best[PAIR_ABAPA] - worth;
  if (lost == 0 && pit->legal[PAIR_AWARI]) b->slams = false;
  if (!pit->legal[PAIR_AWARI] || auale_pair_worth(f->c.t, pit, PAIR_AWARI) < b->best[PAIR_AWARI]) return;
  const int most = pit->gain[PAIR_ABAPA] - forced[to.slice].lower[to.index];
  b->legal++;
  b->good += lost == 0;
  b->lost += lost;
  b->surely = b->surely && most < forced[place.slice].lower[place.index];
  b->loses_winner = b->loses_winner && auale_sign(worth) != auale_sign(b->best[PAIR_ABAPA]);
  if (lost < b->greatest) return;
  b->greatest = lost;
  b->to = to;
}

static void note_loss(findings *f, game_place place, const board_loss *b) {
  const loss found = {true, place, b->greatest, b->to};
  if (place.slice > SLOW_SEEDS || b->good > 0) return;
  if (!f->first.found) f->first = found;
  if (!f->greatest.found || found.loss > f->greatest.loss) f->greatest = found;
}

static tauler_error count_board(void *user, uint64_t index, const auale_pair *pair) {
  findings *f = user;
  const game_place place = {f->layer, index};
  layer_counts *c = &f->layers[place.slice];
  board_loss b = {.surely = true, .loses_winner = true, .slams = true};
  if (pair->legal[PAIR_ABAPA] == 0) return TAULER_OK;
  for (int rules = 0; rules < PAIR_RULES; rules++) {
    b.best[rules] = auale_pair_best(f->c.t, pair, rules);
    f->wrong += b.best[rules] != f->c.t[rules].layers[place.slice].lower[index];
  }
  if (pair->legal[PAIR_ABAPA] < 2) return TAULER_OK;
  for (int k = 0; k < pair->used; k++) weigh_pit(f, place, &pair->pits[k], &b);
  c->choices++;
  c->slams += b.slams;
  c->illegal += b.legal == 0;
  if (b.legal == 0) return TAULER_OK;
  c->all += b.good == b.legal;
  c->some += b.good > 0 && b.good < b.legal;
  c->none += b.good == 0;
  c->surely += b.surely;
  c->winner += b.loses_winner;
  c->lost += (double)b.lost / b.legal;
  if (b.greatest > c->greatest) c->greatest = b.greatest;
  note_loss(f, place, &b);
  return TAULER_OK;
}

static void count_layer(findings *f, int n) {
  report *out = f->c.out;
  layer_counts *c = &f->layers[n], *total = &f->total;
  f->layer = (uint32_t)n;
  if (REPORT_CATCH(out, auale_pairs_visit(f->c.t, f->layer, count_board, f, &out->message))) return;
  total->choices += c->choices;
  total->all += c->all;
  total->none += c->none;
  total->surely += c->surely;
  total->lost += c->lost;
  if (c->greatest > total->greatest) total->greatest = c->greatest;
}

static void add_moves(const findings *f) {
  report_table_begin(f->c.out, "moves");
  for (int n = 1; n <= f->c.limit; n++) {
    const layer_counts *c = &f->layers[n];
    if (c->choices == 0) continue;
    REPORT_ADD(f->c.out, fig_number(n), fig_count(c->choices), fig_count(c->all), fig_count(c->some),
               fig_count(c->none), fig_share(c->none, c->choices, DECIMALS), fig_count(c->surely),
               fig_count(c->winner), fig_count(c->slams), fig_count(c->illegal),
               fig_mean(c->lost / (double)c->choices, DECIMALS), fig_number(c->greatest));
  }
}

/* --- the rest of the game --- */

static void compare_layer(findings *f, followed_loss *found, int n, const auale_followed *followed) {
  const claim_layer *best = &f->c.t[PAIR_ABAPA].layers[n];
  double lost = 0;
  for (uint64_t i = 0; i < best->boards; i++) {
    const int less = best->lower[i] - followed->moves[n][i];
    lost += less;
    f->wrong += less < 0;
    found->results += auale_sign(best->lower[i]) != auale_sign(followed->moves[n][i]);
    if (less > found->most) found->most = less;
  }
  found->mean = lost / (double)best->boards;
}

static void follow(findings *f) {
  report *out = f->c.out;
  auale_depths depths;
  f->followed_seeds = f->c.limit < FOLLOWED_SEEDS ? f->c.limit : FOLLOWED_SEEDS;
  auale_depths_read(&f->c.t[PAIR_AWARI], f->followed_seeds, &depths);
  for (int ties = 0; ties < FOLLOWED_WAYS && !out->error; ties++) {
    auale_followed followed;
    REPORT_CATCH(out, auale_followed_solve(f->c.t, &depths, f->followed_seeds, (auale_ties)ties, &followed,
                                           &out->message));
    for (int n = 1; n <= f->followed_seeds && !out->error; n++)
      compare_layer(f, &f->followed[ties][n], n, &followed);
    auale_followed_free(&followed);
  }
  auale_depths_free(&depths);
}

static void add_followed(const findings *f) {
  report_table_begin(f->c.out, "followed");
  for (int n = 1; n <= f->followed_seeds; n++) {
    const uint64_t boards = f->c.t[PAIR_ABAPA].layers[n].boards;
    REPORT_ADD(f->c.out, fig_number(n), fig_count(boards));
    for (int ties = 0; ties < FOLLOWED_WAYS; ties++) {
      const followed_loss *found = &f->followed[ties][n];
      REPORT_ADD(f->c.out, fig_mean(found->mean, DECIMALS), fig_number(found->most),
                 fig_share(found->results, boards, DECIMALS));
    }
  }
}

/* --- witnesses --- */

/* Adds the move that leads to a board as a step. Its name, and what it gains; 0: there is none. */
static char show_move(const claim_tables *t, const game_position *from, game_place to, int *gain) {
  game_moves moves;
  char name = '\0';
  claim_moves(t, from, &moves);
  for (size_t k = 0; k < moves.used && !name; k++) {
    game_place place;
    if (!t->game->locate(t->rules, &moves.moves[k].child, &place) || place.slice != to.slice ||
        place.index != to.index)
      continue;
    name = moves.moves[k].name[0];
    *gain = moves.moves[k].gain;
    report_add_step(t->out, t->game->turn(t->rules, from), moves.moves[k].name,
                    claim_print(t, &moves.moves[k].child).text, "best in awari");
  }
  game_moves_free(&moves);
  return name;
}

/* Values of both rule sets by the moves alone: of the board, and of the move. */
static void recheck(const findings *f, const loss *shown, char name, int gain) {
  const game_place at = shown->place, to = shown->to;
  report *out = f->c.out;
  int board[PAIR_RULES], move[PAIR_RULES];
  for (int rules = 0; rules < PAIR_RULES; rules++) {
    const claim_tables *t = &f->c.t[rules];
    reference_scores slow;
    if (REPORT_CATCH(
            out, reference_scores_solve(t->game, t->rules, at.slice, REFERENCE_VALUES, &slow, &out->message)))
      return;
    board[rules] = slow.value[at.slice][at.index];
    move[rules] = gain - slow.value[to.slice][to.index];
    reference_scores_free(&slow);
  }
  report_add_recheck(out, "plain iteration", true,
                     board[PAIR_ABAPA] - move[PAIR_ABAPA] == shown->loss &&
                         board[PAIR_AWARI] == move[PAIR_AWARI],
                     "All boards of up to %u seeds solved under both rule sets by the moves of the rules "
                     "alone: the value of %c in awari is %d, that of the board; in abapa it is %d, and that "
                     "of the board %d.",
                     at.slice, name, move[PAIR_AWARI], move[PAIR_ABAPA], board[PAIR_ABAPA]);
}

static void show(const findings *f, const loss *shown, const char *what) {
  const claim_tables *t = &f->c.t[PAIR_ABAPA];
  int gain = 0;
  if (!shown->found) return;
  const game_position board = claim_position_at(t, shown->place);
  CLAIM_SHOW(t, &board, "witness", fig_text(what), fig_number(shown->place.slice), fig_number(shown->loss));
  const char name = show_move(t, &board, shown->to, &gain);
  if (name) recheck(f, shown, name, gain);
}

static void judge(const findings *f) {
  const layer_counts *c = &f->total;
  const int n = f->followed_seeds;
  if (f->wrong || !report_is_sound(f->c.out)) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails", fig_count(f->wrong));
    return;
  }
  if (c->none == 0) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
    return;
  }
  REPORT_VERDICT(f->c.out, VERDICT_HOLDS_FOR, "holds-for", fig_count(c->choices), fig_number(f->c.limit),
                 fig_share(c->all, c->choices, 3), fig_count(c->none), fig_share(c->none, c->choices, 3),
                 fig_count(c->surely), fig_mean(c->lost / (double)c->choices, 4), fig_number(c->greatest),
                 fig_number(n), fig_mean(f->followed[FOLLOWED_WELL][n].mean, 4),
                 fig_mean(f->followed[FOLLOWED_BADLY][n].mean, 4),
                 fig_mean(f->followed[FOLLOWED_IN_TIME][n].mean, 4));
}

static void examine(void *user) {
  findings *f = user;
  for (int n = 1; n <= f->c.limit; n++) count_layer(f, n);
  follow(f);
  if (f->c.out->error) return;
  add_moves(f);
  add_followed(f);
  show(f, &f->first, "The smallest board on which no best move of awari is best in abapa");
  show(f, &f->greatest, "The greatest loss by one such move with few seeds");
  judge(f);
}

const claim_code claim_code_awari_in_abapa = {sizeof(findings), examine, NULL};
