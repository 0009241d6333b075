/* Prints the value of a position, the best move and a line of best play:
 *
 *   best_move FOLDER GAME RULES POSITION
 *   best_move tables doushouqi base '7/7/7/1r5/7/7/2L4/7/7 w'
 *
 * RULES may be "". Ends with 0, or with the exit code of the program tauler for the same error. */
#include <stdio.h>

#include <tauler.h>

/* Prints a number with its sign, but 0 without one. */
static void print_number(double number) {
  if (number == 0) {
    printf("0");
  } else {
    printf("%+g", number);
  }
}

static void print_worth(tauler_worth worth) {
  if (!worth.known) {
    printf("not known");
  } else if (worth.lower == worth.upper) {
    print_number(worth.lower);
  } else {
    print_number(worth.lower);
    printf(" to ");
    print_number(worth.upper);
  }
}

/* Prints the first move if tables say that it is the best one; in games of dice that of each roll. */
static void print_moves(const tauler_answer *answer) {
  if (answer->moves_used && answer->moves[0].best) printf("best move: %s\n", answer->moves[0].name);
  for (size_t i = 0; i < answer->rolls_used; i++) {
    const tauler_roll *roll = &answer->rolls[i];
    if (roll->moves[0].best) printf("best move if %s is rolled: %s\n", roll->name, roll->moves[0].name);
  }
}

static void print_answer(const tauler_answer *answer) {
  printf("%s\n%s to move: %s, value ", answer->drawing, answer->turn, tauler_category_name(answer->outcome));
  print_worth(answer->worth);
  if (answer->worth.known && answer->worth.depth_lower != TAULER_NO_DEPTH) {
    printf(", %s %d", answer->stages ? "stage" : "in plies", answer->worth.depth_lower);
  }
  printf("\n");
  print_moves(answer);
}

static void print_moves_of_line(const tauler_line *line) {
  static const char *const ends[] = {[TAULER_LINE_ENDED] = "and the game is over",
                                     [TAULER_LINE_REPEATS] = "and play repeats",
                                     [TAULER_LINE_UNKNOWN] = "and no table reaches further",
                                     [TAULER_LINE_CUT] = "and so on"};
  printf("best play, %zu moves: %s, %s\n", line->steps_used, line->moves, ends[line->end]);
}

static tauler_error print_best_move(tauler_tables *tables, const char *position, tauler_message *message) {
  tauler_answer *answer;
  tauler_line *line;
  tauler_error error = tauler_probe(tables, position, &answer, message);
  if (!answer) return error; /* If a table is missing, there is still an answer with the legal moves. */
  print_answer(answer);
  if (!error && !answer->dice) {
    error = tauler_play(tables, position, 200, &line, message);
    if (line) print_moves_of_line(line);
    tauler_line_free(line);
  }
  tauler_answer_free(answer);
  return error;
}

int main(int count, char **arguments) {
  tauler *db;
  tauler_tables *tables;
  tauler_message message;
  if (count != 5) {
    fprintf(stderr, "usage: %s FOLDER GAME RULES POSITION\n", arguments[0]);
    return tauler_exit_code(TAULER_BAD_USAGE);
  }
  const char *rules = arguments[3][0] ? arguments[3] : NULL;
  tauler_error error = tauler_open(arguments[1], NULL, &db, &message);
  if (!error) error = tauler_select(db, arguments[2], rules, NULL, &tables, &message);
  if (!error) error = print_best_move(tables, arguments[4], &message);
  if (error) fprintf(stderr, "%s: %s\n", tauler_error_name(error), message.text);
  tauler_close(db);
  return tauler_exit_code(error);
}
