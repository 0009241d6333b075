/* Answers with an exercise: a position in which the player has to find the only right move. */
#include "analysis/print/print.h"
#include "analysis/serve/api_parts.h"

static void set_exercise(const tauler_tables *tables, const api_call *call, const exercise *found,
                         api_response *out) {
  const game *g = tables->game;
  const tauler_answer *answer = found->answer;
  json_writer json;
  json_open_buffer(&json);
  json_begin_object(&json);
  json_fields(&json, JSON_TEXT("game", g->name), JSON_TEXT("rules", g->rules_text(tables->rules)),
              JSON_TEXT("cycles", g->cycles_text(tables->rules)), JSON_TEXT("slice", call->slice),
              JSON_COUNT("seed", call->seed), JSON_COUNT("looked", found->looked),
              JSON_TEXT("position", answer ? answer->position : NULL));
  if (answer) {
    if (found->roll) json_fields(&json, dice_roll_field(found->roll));
    json_fields(&json, JSON_TEXT("right", found->right->name), JSON_TEXT("natural", found->natural->name),
                JSON_INTEGER("grade", found->grade),
                json_or_null(found->plies != EXERCISE_NO_PLIES, JSON_INTEGER("plies", found->plies)));
  }
  json_end_object(&json);
  api_set_json(out, 200, &json, API_ASK_AGAIN);
}

void api_answer_exercise(tauler_tables *tables, tauler_tables *unlike, const api_call *call,
                         api_response *out) {
  tauler_message message;
  exercise found = {.answer = NULL};
  exercise_wanted wanted = {.seed = call->seed, .grade = (int)call->grade, .unlike = unlike};
  tauler_error error = tauler_find_slice(tables, call->slice, &wanted.slice, &wanted.positions, &message);
  if (!error) error = exercise_find(tables, &wanted, &found, &message);
  if (error) {
    api_set_failure(out, error, &message, NULL);
  } else {
    set_exercise(tables, call, &found, out);
  }
  tauler_answer_free(found.answer);
}
