/* Asks the shared library alone, started by test_asking.py: ask_library FOLDER GAME RULES CYCLES, "" being
 * the default; positions come line by line on standard input. It writes everything of an answer that `tauler
 * probe --json` prints, and a little more, from the structs of tauler.h and from nothing else.
 *
 * Lines of fields with tabs between them, the first being the key; a position's lines end with `end`:
 *
 *   ask TEXT                      as it was read
 *   error NAME                    of tauler_error_name; "ok" after none. Only after "ok" and "table missing"
 *                                 is there an answer, else `end` comes next
 *   game NAME
 *   rules TEXT
 *   cycles TEXT                   may be empty, as all texts
 *   position TEXT
 *   turn TEXT
 *   slice NAME
 *   number N                      slice_number
 *   index N                       "none": TAULER_NO_INDEX
 *   ended BOOL                    true or false
 *   category NAME
 *   outcome NAME
 *   lead N
 *   worth WORTH
 *   stages BOOL
 *   table DIGESTS                 "none": NULL
 *   history MET BOOL WORTH        met, over, worth; only if the rule counts; "history none" if none is given
 *   final A B                     only of positions with stores; "final none" if it is not exact
 *   move NAME POSITION SLICE WORTH CHILD OUTCOME OVER CONVERTS BEST REPEATS AFTER
 *   quantity NAME BOUNDS          BOUNDS: "LOWER UPPER", or "unknown"
 *   seats N                       of dice alone
 *   roll NAME WEIGHT              the moves under it follow
 *   end
 *
 * WORTH, CHILD, AFTER: "LOWER UPPER DEPTH_LOWER DEPTH_UPPER" with single spaces, a depth being "none" where
 * there is none; or "unknown". Numbers are as %.17g writes them, and so read back exactly. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/tauler.h"

typedef struct {
  char text[96];
} field;

static field write_depth(int depth) {
  field f;
  if (depth == TAULER_NO_DEPTH) {
    snprintf(f.text, sizeof f.text, "none");
  } else {
    snprintf(f.text, sizeof f.text, "%d", depth);
  }
  return f;
}

static field write_worth(tauler_worth worth) {
  field f = {"unknown"};
  if (worth.known) {
    snprintf(f.text, sizeof f.text, "%.17g %.17g %.10s %.10s", worth.lower, worth.upper,
             write_depth(worth.depth_lower).text, write_depth(worth.depth_upper).text);
  }
  return f;
}

static const char *write_bool(bool is) {
  return is ? "true" : "false";
}

static void print_moves(const tauler_move *moves, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const tauler_move *m = &moves[i];
    printf("move\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", m->name, m->position, m->slice,
           write_worth(m->worth).text, write_worth(m->child).text, tauler_category_name(m->outcome),
           write_bool(m->over), write_bool(m->converts), write_bool(m->best), write_bool(m->repeats),
           write_worth(m->after_line).text);
  }
}

static void print_dice(const tauler_answer *answer) {
  for (size_t i = 0; i < answer->quantities_used; i++) {
    const tauler_quantity *q = &answer->quantities[i];
    if (q->known) {
      printf("quantity\t%s\t%.17g %.17g\n", q->name, q->lower, q->upper);
    } else {
      printf("quantity\t%s\tunknown\n", q->name);
    }
  }
  printf("seats\t%zu\n", answer->seats);
  for (size_t i = 0; i < answer->rolls_used; i++) {
    const tauler_roll *roll = &answer->rolls[i];
    printf("roll\t%s\t%" PRIu32 "\n", roll->name, roll->weight);
    print_moves(roll->moves, roll->moves_used);
  }
}

static void print_history(const tauler_history *history) {
  if (!history->counts) return;
  if (history->given) {
    printf("history\t%zu\t%s\t%s\n", history->met, write_bool(history->over),
           write_worth(history->worth).text);
  } else {
    printf("history\tnone\n");
  }
}

static void print_answer(const tauler_answer *answer) {
  printf("game\t%s\nrules\t%s\ncycles\t%s\nposition\t%s\nturn\t%s\nslice\t%s\n", answer->game, answer->rules,
         answer->cycles, answer->position, answer->turn, answer->slice);
  printf("number\t%" PRIu32 "\n", answer->slice_number);
  if (answer->index == TAULER_NO_INDEX) {
    printf("index\tnone\n");
  } else {
    printf("index\t%" PRIu64 "\n", answer->index);
  }
  printf("ended\t%s\ncategory\t%s\noutcome\t%s\nlead\t%.17g\nworth\t%s\nstages\t%s\ntable\t%s\n",
         write_bool(answer->ended), tauler_category_name(answer->category),
         tauler_category_name(answer->outcome), answer->lead, write_worth(answer->worth).text,
         write_bool(answer->stages), answer->table ? answer->table : "none");
  print_history(&answer->history);
  if (answer->has_final) {
    printf("final\t%.17g\t%.17g\n", answer->final[0], answer->final[1]);
  } else if (answer->has_stores) {
    printf("final\tnone\n");
  }
  print_moves(answer->moves, answer->moves_used);
  if (answer->dice) print_dice(answer);
}

static void ask(tauler_tables *tables, const char *position) {
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, position, &answer, NULL);
  printf("ask\t%s\nerror\t%s\n", position, error ? tauler_error_name(error) : "ok");
  if (answer) print_answer(answer);
  printf("end\n");
  tauler_answer_free(answer);
}

int main(int count, char **arguments) {
  tauler *db;
  tauler_tables *tables;
  tauler_message message = {""};
  if (count != 5) {
    fprintf(stderr, "usage: %s FOLDER GAME RULES CYCLES < POSITIONS\n", arguments[0]);
    return 64;
  }
  const char *rules = arguments[3][0] ? arguments[3] : NULL;
  tauler_error error = tauler_open(arguments[1], NULL, &db, &message);
  if (!error) error = tauler_select(db, arguments[2], rules, arguments[4], &tables, &message);
  if (error) {
    fprintf(stderr, "ask_library: %s: %s\n", tauler_error_name(error), message.text);
    tauler_close(db);
    return 1;
  }
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    line[strcspn(line, "\n")] = '\0';
    ask(tables, line);
  }
  free(line);
  tauler_close(db);
  return fflush(stdout) ? 1 : 0;
}
