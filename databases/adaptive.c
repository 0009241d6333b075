/* Codes blocks of cells by binary decisions. Two adapting slots determine the probability of a decision. */
#include "databases/adaptive.h"

#include <stdlib.h>
#include <string.h>

/* Probabilities have 12 bits, and 16 bits in slots. The unit of logarithms of odds is 1/256. */
enum {
  ODDS = 2048, /* logarithms of odds are above −ODDS and below ODDS */
  ONE = 4096,  /* probability 1 */
  SLOT_SHIFT = 4,
  PRIOR_STEP = 64,
  EVEN_PRIOR = 32,
  LAST_PRIOR = 63,
  SEEN_OFTEN = 30, /* number of decisions above which a slot has a prior */
  RATES = 39,
  FIRST_RATE = 9,
  WEIGHT_SHIFT = 16,
  LEARN_SHIFT = 9,
  FIRST_WEIGHT = 29491,
  SECOND_WEIGHT = 42598,
  ZONES = 16,
  RAW = 255 /* in place of the size of a block: its cells are stored without a code */
};

/* The binary decisions that code a cell, in this order. Each kind has its own weights. */
typedef enum { IMPLIED, ZERO, NEGATIVE, ODD, SIZE, KINDS } decision;
enum { NODE_BITS = 10, ODD_NODE = 3, SIZE_NODE = 8 };

typedef enum { LEARN, ENCODE, DECODE } work;

typedef struct {
  uint32_t block; /* last block that used the slot */
  uint16_t chance;
  uint16_t used;
} slot;

struct adaptive_coder {
  int16_t odds_of[ONE];         /* logarithm of the odds of each probability */
  uint16_t chance_at[2 * ODDS]; /* [odds + ODDS] probability of these odds */
  uint16_t rates[RATES];
  slot slots[ADAPTIVE_CONTEXTS][ADAPTIVE_SLOTS];
  uint8_t classes[ADAPTIVE_BLOCK];
  uint32_t block;
  const adaptive_model *model;
  adaptive_count *counts;
  /* The members below belong to the block that is coded or decoded. */
  int32_t weights[KINDS][ADAPTIVE_CONTEXTS];
  uint32_t contexts[ADAPTIVE_CONTEXTS];
  uint32_t low, high, window; /* ends of the interval, and four bytes of the code, which lie between them */
  const uint8_t *in;
  size_t in_size, at;
  uint8_t out[RAW];
};

/* Fills the tables of odds and probabilities. Odds have 24 bits after the binary point, and each step
 * multiplies them by e^(1/256), about 1 + 16810027 · 2^−32. */
static void fill_tables(adaptive_coder *coder) {
  uint64_t odds = UINT64_C(1) << 24;
  for (int x = 0; x < ODDS; x++, odds += odds * 16810027 >> 32) {
    const uint64_t chance = ONE * odds / (odds + (UINT64_C(1) << 24));
    coder->chance_at[ODDS + x] = (uint16_t)chance;
    coder->chance_at[ODDS - x] = (uint16_t)(ONE - chance);
  }
  coder->chance_at[0] = coder->chance_at[1];
  int at = 1;
  for (int chance = 0; chance < ONE; chance++) {
    while (at < 2 * ODDS - 1 && coder->chance_at[at] < chance) at++;
    coder->odds_of[chance] = (int16_t)(at - ODDS);
  }
  for (int i = 0; i < RATES; i++) coder->rates[i] = (uint16_t)((1 << 16) / (FIRST_RATE + i));
}

adaptive_coder *adaptive_coder_new(void) {
  adaptive_coder *coder = calloc(1, sizeof *coder);
  if (coder) fill_tables(coder);
  return coder;
}

void adaptive_model_open(adaptive_model *model, const table_header *header) {
  *model = (adaptive_model){.positions = header->positions,
                            .is_signed = header->cell == TABLE_I8,
                            .is_implied = header->coding == TABLE_IMPLIED,
                            .common = (uint8_t)header->reserved,
                            .low = (int)header->counts[0].value,
                            .high = (int)header->counts[header->counts_used - 1].value};
}

/* --- decisions --- */

static inline slot *find_slot(adaptive_coder *c, int context, uint32_t at) {
  slot *s = &c->slots[context][at];
  if (s->block != c->block) {
    const int prior = c->model->priors[context * ADAPTIVE_SLOTS + (int)at];
    const int odds = prior ? (prior - EVEN_PRIOR) * PRIOR_STEP : 0;
    *s = (slot){c->block, (uint16_t)(c->chance_at[ODDS + odds] << SLOT_SHIFT), 0};
  }
  return s;
}

static inline void adapt_slot(const adaptive_coder *c, slot *s, bool bit) {
  const uint32_t rate = c->rates[s->used];
  if (bit)
    s->chance += (uint16_t)((UINT16_MAX - s->chance) * rate >> 16);
  else
    s->chance -= (uint16_t)(s->chance * rate >> 16);
  if (s->used < RATES - 1) s->used++;
}

static inline void put_byte(adaptive_coder *c, uint8_t byte) {
  if (c->at < RAW) c->out[c->at] = byte;
  c->at++;
}

static inline uint8_t get_byte(adaptive_coder *c) {
  const size_t at = c->at++;
  return at < c->in_size ? c->in[at] : 0;
}

/* Codes or decodes a bit, and returns it. Divides the interval in the ratio of the chance, keeps the part of
 * this bit, and shifts out the leading bytes that both ends of the interval share. */
static inline bool code_bit(adaptive_coder *c, work what, uint32_t chance, bool bit) {
  const uint32_t middle = c->low + ((c->high - c->low) >> 12) * chance;
  if (what == DECODE) bit = c->window <= middle;
  if (bit)
    c->high = middle;
  else
    c->low = middle + 1;
  while ((c->low ^ c->high) >> 24 == 0) {
    if (what == DECODE)
      c->window = c->window << 8 | get_byte(c);
    else
      put_byte(c, (uint8_t)(c->high >> 24));
    c->low <<= 8;
    c->high = c->high << 8 | UINT8_MAX;
  }
  return bit;
}

static inline bool code_decision(adaptive_coder *c, work what, decision kind, uint32_t node, bool bit) {
  uint32_t at[ADAPTIVE_CONTEXTS];
  for (int i = 0; i < ADAPTIVE_CONTEXTS; i++)
    at[i] = (c->contexts[i] << NODE_BITS | node) * UINT32_C(0x9E3779B1) >> 17;
  if (what == LEARN) {
    for (int i = 0; i < ADAPTIVE_CONTEXTS; i++) {
      adaptive_count *count = &c->counts[i * ADAPTIVE_SLOTS + (int)at[i]];
      count->all++;
      count->ones += bit;
    }
    return bit;
  }
  slot *const a = find_slot(c, 0, at[0]), *const b = find_slot(c, 1, at[1]);
  const int32_t odds_a = c->odds_of[a->chance >> SLOT_SHIFT], odds_b = c->odds_of[b->chance >> SLOT_SHIFT];
  int32_t *weights = c->weights[kind];
  int64_t odds = ((int64_t)odds_a * weights[0] + (int64_t)odds_b * weights[1]) >> WEIGHT_SHIFT;
  odds = odds >= ODDS ? ODDS - 1 : odds <= -ODDS ? 1 - ODDS : odds;
  const int32_t chance = c->chance_at[ODDS + odds];
  bit = code_bit(c, what, (uint32_t)chance, bit);
  const int32_t error = (bit ? ONE : 0) - chance;
  weights[0] += error * odds_a >> LEARN_SHIFT;
  weights[1] += error * odds_b >> LEARN_SHIFT;
  adapt_slot(c, a, bit);
  adapt_slot(c, b, bit);
  return bit;
}

/* --- cells --- */

/* Codes or decodes a cell. Returns its value, which may be out of range after decoding, or INT16_MAX if the
 * cell is implied. */
static inline int code_cell(adaptive_coder *c, work what, int value, bool implied) {
  const adaptive_model *model = c->model;
  const int most = -model->low > model->high ? -model->low : model->high, size = value < 0 ? -value : value;
  if (model->is_implied && code_decision(c, what, IMPLIED, 0, implied)) return INT16_MAX;
  if (code_decision(c, what, ZERO, 1, value == 0)) return 0;
  const bool negative = code_decision(c, what, NEGATIVE, 2, value < 0);
  const bool odd = code_decision(c, what, ODD, ODD_NODE + negative, size & 1);
  int found = odd ? 1 : 2;
  while (found + 2 <= most &&
         !code_decision(c, what, SIZE, SIZE_NODE + 2 * (uint32_t)found + negative, size == found))
    found += 2;
  return negative ? -found : found;
}

/* --- blocks --- */

static void begin_block(adaptive_coder *c, const adaptive_model *model) {
  if (++c->block == 0) { /* block numbers start again, so older slots must not match */
    memset(c->slots, 0, sizeof c->slots);
    c->block = 1;
  }
  c->model = model;
  for (int kind = 0; kind < KINDS; kind++) {
    c->weights[kind][0] = FIRST_WEIGHT;
    c->weights[kind][1] = SECOND_WEIGHT;
  }
  c->low = 0;
  c->high = UINT32_MAX;
  c->at = 0;
}

/* Codes or decodes the n cells of a block. Context 0 is the class of a cell and the zone of the slice in
 * which the block begins, context 1 the cell before and the last cell of the same class. Returns false if a
 * decoded cell is impossible. */
static inline bool code_cells(adaptive_coder *c, work what, uint64_t first, size_t n, uint8_t *cells) {
  const adaptive_model *m = c->model;
  const uint32_t zone = (uint32_t)(first * ZONES / m->positions);
  uint8_t last[UINT8_MAX + 1];
  memset(last, m->common, sizeof last);
  uint32_t before = m->common;
  for (size_t i = 0; i < n; i++) {
    const uint8_t class = c->classes[i], cell = what == DECODE ? 0 : cells[i];
    c->contexts[0] = zone << 8 | class;
    c->contexts[1] = (uint32_t)last[class] << 8 | before;
    const int value = m->is_signed ? (int8_t)cell : cell;
    const int found = code_cell(c, what, value, m->is_implied && cell == m->common);
    if (what == DECODE) {
      const bool implied = found == INT16_MAX;
      cells[i] = implied ? m->common : (uint8_t)found;
      if (!implied && (found < m->low || found > m->high || (m->is_implied && cells[i] == m->common)))
        return false;
    }
    before = last[class] = cells[i];
  }
  return true;
}

/* Ends the code with the fewest bytes that lie in the interval if zeros follow. Returns the code's size. */
static size_t end_code(adaptive_coder *c) {
  uint64_t value = c->low;
  for (int bits = 32; bits >= 0; bits -= 8) {
    const uint64_t unit = UINT64_C(1) << bits;
    value = (c->low + unit - 1) / unit * unit;
    if (value <= c->high) break;
  }
  for (int bits = 24; bits >= 0; bits -= 8) put_byte(c, (uint8_t)(value >> bits));
  while (c->at > 1 && c->at <= RAW && c->out[c->at - 1] == 0) c->at--;
  return c->at;
}

static bool are_all_common(const adaptive_model *model, size_t n, const uint8_t *cells) {
  for (size_t i = 0; i < n; i++)
    if (cells[i] != model->common) return false;
  return true;
}

static void find_classes(adaptive_coder *c, const table_classes *by, uint64_t first, size_t n) {
  if (by->find)
    by->find(by->of, first, n, c->classes);
  else
    memset(c->classes, 0, n);
}

/* Returns the size of the code: 0 if all cells are model->common, RAW if cells are stored without a code. */
static uint8_t encode_block(adaptive_coder *c, uint64_t first, size_t n, const uint8_t *cells, uint8_t *to) {
  if (are_all_common(c->model, n, cells)) return 0;
  code_cells(c, ENCODE, first, n, (uint8_t *)cells);
  const size_t size = end_code(c);
  if (size >= RAW || size >= n) {
    memcpy(to, cells, n);
    return RAW;
  }
  memcpy(to, c->out, size);
  return (uint8_t)size;
}

static bool decode_block(adaptive_coder *c, uint64_t first, size_t n, const uint8_t *from, uint8_t size,
                         uint8_t *cells) {
  if (size == RAW) {
    memcpy(cells, from, n);
    return true;
  }
  if (size == 0) {
    memset(cells, c->model->common, n);
    return true;
  }
  c->in = from;
  c->in_size = size;
  for (int i = 0; i < 4; i++) c->window = c->window << 8 | get_byte(c);
  return code_cells(c, DECODE, first, n, cells) && c->at >= size;
}

/* --- frames --- */

static size_t cells_of_block(size_t n, size_t block) {
  const size_t left = n - block * ADAPTIVE_BLOCK;
  return left < ADAPTIVE_BLOCK ? left : ADAPTIVE_BLOCK;
}

void adaptive_learn(adaptive_coder *coder, const adaptive_model *model, const table_classes *by,
                    uint64_t first, size_t n, const uint8_t *cells, adaptive_count counts[ADAPTIVE_PRIORS]) {
  coder->counts = counts;
  for (size_t block = 0; block < adaptive_blocks(n); block++) {
    const size_t at = block * ADAPTIVE_BLOCK, here = cells_of_block(n, block);
    begin_block(coder, model);
    if (are_all_common(model, here, cells + at)) continue;
    find_classes(coder, by, first + at, here);
    code_cells(coder, LEARN, first + at, here, (uint8_t *)cells + at);
  }
}

size_t adaptive_encode(adaptive_coder *coder, const adaptive_model *model, const table_classes *by,
                       uint64_t first, size_t n, const uint8_t *cells, uint8_t *payload) {
  size_t size = adaptive_blocks(n);
  for (size_t block = 0; block < adaptive_blocks(n); block++) {
    const size_t at = block * ADAPTIVE_BLOCK, here = cells_of_block(n, block);
    begin_block(coder, model);
    find_classes(coder, by, first + at, here);
    payload[block] = encode_block(coder, first + at, here, cells + at, payload + size);
    size += payload[block] == RAW ? here : payload[block];
  }
  return size;
}

bool adaptive_decode(adaptive_coder *coder, const adaptive_model *model, const table_classes *by,
                     uint64_t first, size_t n, const uint8_t *payload, size_t size, size_t block,
                     size_t blocks, uint8_t *cells) {
  const size_t all = adaptive_blocks(n);
  size_t from = all, end = all;
  if (size < all) return false;
  for (size_t i = 0; i < all; i++) {
    if (i == block) from = end;
    end += payload[i] == RAW ? cells_of_block(n, i) : payload[i];
  }
  if (end != size) return false;
  for (size_t i = block; i < block + blocks; i++) {
    const size_t here = cells_of_block(n, i);
    begin_block(coder, model);
    find_classes(coder, by, first + i * ADAPTIVE_BLOCK, here);
    if (!decode_block(coder, first + i * ADAPTIVE_BLOCK, here, payload + from, payload[i], cells))
      return false;
    from += payload[i] == RAW ? here : payload[i];
    cells += here;
  }
  return true;
}

/* --- priors --- */

void adaptive_set_priors(const adaptive_coder *coder, adaptive_model *model,
                         const adaptive_count counts[ADAPTIVE_PRIORS]) {
  for (size_t i = 0; i < ADAPTIVE_PRIORS; i++) {
    const uint64_t all = counts[i].all, ones = counts[i].ones;
    const int odds = coder->odds_of[ONE * (5 * ones + 2) / (5 * all + 4)];
    const int prior = (odds + ODDS + PRIOR_STEP / 2) / PRIOR_STEP;
    model->priors[i] = (uint8_t)(all <= SEEN_OFTEN    ? 0
                                 : prior < 1          ? 1
                                 : prior > LAST_PRIOR ? LAST_PRIOR
                                                      : prior);
  }
}

size_t adaptive_pack_priors(const adaptive_model *model, uint8_t bytes[ADAPTIVE_PACKED_MOST]) {
  size_t used = ADAPTIVE_PRIORS / 8;
  memset(bytes, 0, used);
  for (size_t i = 0; i < ADAPTIVE_PRIORS; i++) {
    if (!model->priors[i]) continue;
    bytes[i / 8] |= (uint8_t)(1u << i % 8);
    bytes[used++] = model->priors[i];
  }
  return used;
}

bool adaptive_unpack_priors(adaptive_model *model, const uint8_t *bytes, size_t n) {
  size_t used = ADAPTIVE_PRIORS / 8;
  for (size_t i = 0; n >= ADAPTIVE_PRIORS / 8 && i < ADAPTIVE_PRIORS; i++) {
    if (!(bytes[i / 8] >> i % 8 & 1)) continue;
    if (used >= n || bytes[used] < 1 || bytes[used] > LAST_PRIOR) return false;
    model->priors[i] = bytes[used++];
  }
  return used == n;
}
