/* A small network that says what a position is worth to the player who rolls: one hidden layer of rectified
 * sums, and a logistic one. Private to analysis/.
 *
 * Every figure is the same bit by bit on every processor with IEEE arithmetic: sums are in a fixed order,
 * nothing is contracted, and the exponential is written here. A network owns one block of numbers; one
 * thread changes it; between changes any number of threads ask it.
 */
#ifndef ANALYSIS_LEARN_NETWORK_H
#define ANALYSIS_LEARN_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/dice/dice_random.h"
#include "base/tauler_error.h"

enum { NETWORK_MOST_INPUTS = 128, NETWORK_MOST_HIDDEN = 256, NETWORK_LANES = 8 };

typedef struct {
  uint32_t inputs, hidden; /* hidden: a multiple of NETWORK_LANES */
  size_t used;             /* weights */
  float *weight;           /* [input][hidden], hidden's own, [hidden] of the output, the output's own */
  float *slope;            /* as many: summed up for the next step */
  float *mean;             /* running mean of the slopes (Adam) */
  float *square;           /* running mean of their squares */
  double mean_power;       /* power of the rate of `mean` */
  double square_power;     /* power of the rate of `square` */
} network;

/* Weights drawn at random. Errors: TAULER_NO_MEMORY. */
tauler_error network_open(uint32_t inputs, uint32_t hidden, dice_random *from, network *out);
void network_close(network *n);

/* 0 … 1. */
double network_ask(const network *n, const float *input);

/* Adds the slopes of −t log p − (1 − t) log(1 − p) for what is asked, p, and the target t, times `share`. */
void network_add_slopes(network *n, const float *input, double target, double share);

/* A step against the slopes that were added since the last one, which are forgotten. */
void network_step(network *n, double rate);

/* e^x, for −700 … 700: within 10^-14 of it, and the same everywhere. */
double network_exp(double x);

#endif
