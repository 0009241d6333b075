/* The slow definition of Dou Shou Qi, written from the rules text alone: moves, results, positions as text.
 */
#ifndef NAIVE_DOUSHOUQI_H
#define NAIVE_DOUSHOUQI_H

#include <stdbool.h>

enum {
  NAIVE_DSQ_SQUARES = 63, /* a1, b1 ... g1, a2 ... g9 */
  NAIVE_DSQ_MOST_MOVES = 100,
  NAIVE_DSQ_TEXT_BYTES = 80,
  NAIVE_DSQ_RULES_BYTES = 200
};

/* A piece is one of these, negative if Black's; 0 is an empty square. */
enum {
  NAIVE_RAT = 1,
  NAIVE_CAT,
  NAIVE_WOLF,
  NAIVE_DOG,
  NAIVE_LEOPARD,
  NAIVE_TIGER,
  NAIVE_LION,
  NAIVE_ELEPHANT
};

typedef enum { NAIVE_LEOPARD_NARROW, NAIVE_LEOPARD_WIDE, NAIVE_LEOPARD_NONE } naive_dsq_leopard;
typedef enum { NAIVE_LAKES_WATER, NAIVE_LAKES_PLAIN, NAIVE_LAKES_DRINK } naive_dsq_lakes;

/* All zero: the base rules. */
typedef struct {
  bool wolf_over_dog;
  naive_dsq_leopard leopard;
  bool clearings;
  naive_dsq_lakes lakes;
  bool drinkers_block;
  bool jump_block_path;
  bool elephant_takes_rat;
  bool rat_shore_liacs;
  bool stalemate_loss;
} naive_dsq_rules;

extern const naive_dsq_rules naive_dsq_base, naive_dsq_liacs;

/* Fills the i-th combination of flags that contradicts nothing, i from 0; false beyond the last. */
bool naive_dsq_combination(int i, naive_dsq_rules *rules);

/* As on the command line: "base", "base,leopard=wide,clearings". */
void naive_dsq_rules_text(const naive_dsq_rules *rules, char text[NAIVE_DSQ_RULES_BYTES]);

typedef struct {
  signed char piece[NAIVE_DSQ_SQUARES];
  bool black_moves;
} naive_dsq_board;

typedef struct {
  int from, to;
} naive_dsq_move;

/* Whether a stored position may have the animal (1 ... 8) there. */
bool naive_dsq_may_stand(const naive_dsq_rules *rules, int animal, int square);

/* 1 if White has won, -1 if Black has, 0 if nobody has. */
int naive_dsq_winner(const naive_dsq_board *board);

/* Legal moves of a board that nobody has won; returns how many. */
int naive_dsq_moves(const naive_dsq_rules *rules, const naive_dsq_board *board,
                    naive_dsq_move moves[NAIVE_DSQ_MOST_MOVES]);
naive_dsq_board naive_dsq_after(const naive_dsq_board *board, naive_dsq_move move);
void naive_dsq_move_name(naive_dsq_move move, char name[5]);

/* Positions after so many plies, each as often as there are ways to it. */
long naive_dsq_count(const naive_dsq_rules *rules, const naive_dsq_board *board, int plies);

/* "7/7/7/1r5/7/7/2L4/7/7 w". False if the text is no board. */
bool naive_dsq_read(const char *text, naive_dsq_board *board);
void naive_dsq_write(const naive_dsq_board *board, char text[NAIVE_DSQ_TEXT_BYTES]);

#endif
