/* Computes estimates of a small network, and changes it by the slopes of its error. */
#include "analysis/learn/learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- parts of a block of weights or slopes --- */

static float *hidden_thresholds(const network *n, float *block) {
  return block + (size_t)n->inputs * n->hidden;
}

static float *output_weights(const network *n, float *block) {
  return hidden_thresholds(n, block) + n->hidden;
}

static float *output_threshold(const network *n, float *block) {
  return output_weights(n, block) + n->hidden;
}

/* Returns a number x, −1 ≤ x < 1. */
static double draw_signed(dice_random *from) {
  return (double)(int64_t)(dice_random_next(from) >> 11) * 0x1p-52 - 1;
}

/* Draws weights uniformly from ranges that shrink as a layer has more inputs, so that sums do not grow.
 * Thresholds begin as 0. */
tauler_error network_open(uint32_t inputs, uint32_t hidden, dice_random *from, network *out) {
  *out = (network){.inputs = inputs,
                   .hidden = hidden,
                   .used = (size_t)hidden * (inputs + 2) + 1,
                   .mean_power = 1,
                   .square_power = 1};
  if (!(out->weight = calloc(4 * out->used, sizeof *out->weight))) return TAULER_NO_MEMORY;
  out->slope = out->weight + out->used;
  out->mean = out->slope + out->used;
  out->square = out->mean + out->used;
  const double inner = sqrt(3.0 / inputs), outer = sqrt(3.0 / hidden) / 4;
  for (size_t i = 0; i < (size_t)inputs * hidden; i++) out->weight[i] = (float)(draw_signed(from) * inner);
  for (uint32_t i = 0; i < hidden; i++)
    output_weights(out, out->weight)[i] = (float)(draw_signed(from) * outer);
  return TAULER_OK;
}

void network_close(network *n) {
  free(n->weight);
  *n = (network){.inputs = 0};
}

/* --- estimates --- */

/* Splits x into a multiple of ln 2, whose power of two is exact, and a rest of at most half of ln 2. */
double network_exp(double x) {
  static const double log2_e = 1.4426950408889634, ln2_high = 0x1.62e42fee00000p-1,
                      ln2_low = 0x1.a39ef35793c76p-33;
  enum { TERMS = 13 };
  const double whole = floor(x * log2_e + 0.5);
  const double left = (x - whole * ln2_high) - whole * ln2_low;
  double sum = 1;
  for (int i = TERMS; i > 0; i--) sum = 1 + sum * left / i;
  return ldexp(sum, (int)whole);
}

static double logistic(double x) {
  static const double most = 500;
  return 1 / (1 + network_exp(-fmin(fmax(x, -most), most)));
}

/* Skips inputs of 0, since most inputs are 0. */
static void sum_hidden(const network *n, const float *input, float *hidden) {
  memcpy(hidden, hidden_thresholds(n, n->weight), n->hidden * sizeof *hidden);
  for (uint32_t i = 0; i < n->inputs; i++) {
    const float x = input[i], *weight = n->weight + (size_t)i * n->hidden;
    if (x == 0) continue;
    for (uint32_t j = 0; j < n->hidden; j++) hidden[j] += x * weight[j];
  }
}

/* Adds lane by lane, so that vectors do not change the order. */
static double sum_output(const network *n, const float *hidden) {
  const float *weight = output_weights(n, n->weight);
  float lane[NETWORK_LANES] = {0};
  for (uint32_t j = 0; j < n->hidden; j += NETWORK_LANES) {
    for (uint32_t k = 0; k < NETWORK_LANES; k++)
      lane[k] += (hidden[j + k] > 0 ? hidden[j + k] : 0) * weight[j + k];
  }
  double sum = *output_threshold(n, n->weight);
  for (int k = 0; k < NETWORK_LANES; k++) sum += (double)lane[k];
  return sum;
}

double network_ask(const network *n, const float *input) {
  float hidden[NETWORK_MOST_HIDDEN];
  sum_hidden(n, input, hidden);
  return logistic(sum_output(n, hidden));
}

/* --- learning --- */

void network_add_slopes(network *n, const float *input, double target, double share) {
  float hidden[NETWORK_MOST_HIDDEN], behind[NETWORK_MOST_HIDDEN];
  sum_hidden(n, input, hidden);
  const float off = (float)((logistic(sum_output(n, hidden)) - target) * share);
  const float *weight = output_weights(n, n->weight);
  float *slope = output_weights(n, n->slope), *own = hidden_thresholds(n, n->slope);
  *output_threshold(n, n->slope) += off;
  for (uint32_t j = 0; j < n->hidden; j++) {
    slope[j] += (hidden[j] > 0 ? hidden[j] : 0) * off;
    behind[j] = hidden[j] > 0 ? weight[j] * off : 0;
    own[j] += behind[j];
  }
  for (uint32_t i = 0; i < n->inputs; i++) {
    const float x = input[i];
    float *inner = n->slope + (size_t)i * n->hidden;
    if (x == 0) continue;
    for (uint32_t j = 0; j < n->hidden; j++) inner[j] += x * behind[j];
  }
}

/* The step is Adam of Kingma and Ba. */
void network_step(network *n, double rate) {
  static const float keep_mean = 0.9F, keep_square = 0.999F, least = 1e-8F;
  n->mean_power *= (double)keep_mean;
  n->square_power *= (double)keep_square;
  const float by = (float)(rate * sqrt(1 - n->square_power) / (1 - n->mean_power));
  for (size_t i = 0; i < n->used; i++) {
    const float slope = n->slope[i];
    n->mean[i] = keep_mean * n->mean[i] + (1 - keep_mean) * slope;
    n->square[i] = keep_square * n->square[i] + (1 - keep_square) * slope * slope;
    n->weight[i] -= by * n->mean[i] / (sqrtf(n->square[i]) + least);
    n->slope[i] = 0;
  }
}
