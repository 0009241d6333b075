// Draws every part of the page from the data of state.js.
import { show_best_line } from "./best_line.js";
import { show_stats, slice_name } from "./chart.js";
import { set_named, show_choices, show_game_choice, show_games, title_of } from "./choices.js";
import { draw_dice, face } from "./dice.js";
import { show_edit } from "./edit.js";
import {
  begin_at,
  begin_with_example,
  change_draft,
  change_set,
  choose_roll,
  choose_slice,
  go_to,
  look_up,
  play,
  play_steps,
  retry,
  roll_and_play,
  search_here,
  show_line,
  start_editing,
  stop_editing,
  turn_board,
} from "./going.js";
import { draw_game, draw_path, draw_value, keep_in_view } from "./games/draw.js";
import { language_now, plural, put_texts, text } from "./language.js";
import { show_moves } from "./moves.js";
import { show_steps, show_turning } from "./path.js";
import { animate } from "./play/animation.js";
import { hint_words, own_result, show_invitation, show_play_dice, show_play_steps, show_status, status_words } from "./play/panel.js";
import { hint, roll_dice, start_playing, stop_playing, take_back } from "./play/session.js";
import { set_setting, setting } from "./play/settings.js";
import { show_problem } from "./problem.js";
import { last_move_words } from "./last_move.js";
import { keep_focus, page, redraw_part } from "./redraw.js";
import {
  all_moves,
  board_now,
  board_side,
  game_entry,
  kind_now,
  moves_to_play,
  my_turn,
  over_here,
  position_here,
  position_in_address,
  seats_now,
  shown,
  slice_of_position,
  slices_now,
  state_now,
  veiled,
} from "./state.js";
import { draw_tabs } from "./tabs.js";
import { mistakes, written_notebook } from "./train/notebook.js";
import { exercise_words, show_exercise, show_notebook, show_train_steps, show_training } from "./train/panel.js";
import {
  answer_exercise,
  empty_notebook,
  next_exercise,
  sets_beside,
  settle_wanted,
  show_exercise as open_exercise,
  stop_training,
  take_notebook,
  want,
  wanted as wanted_exercises,
} from "./train/session.js";
import { show_quantities, show_verdict, verdict_text } from "./verdict.js";
import { hidden_move, seats_of, shown_moves } from "./values.js";

let take_board_down = null;

export function spoken_position() {
  // A screen reader speaks the alert of a problem by itself.
  if (!shown.answer || !shown.set) return "";
  const state = state_now();
  if (shown.train && state) return [...exercise_words(exercise_view()), board_now().describe(state, text)].join(" ");
  const value = shown.play && !over_here() ? status_words(play_view()) : verdict_text(verdict_view());
  return state && !shown.over ? `${value} ${board_now().describe(state, text)}` : value;
}

function verdict_view() {
  const { answer, over, play, problem } = shown;
  const kind = kind_now();
  const own = play && answer && over_here() ? own_result({ answer, over, kind, turn: play.turn }) : null;
  return { answer, over, last: game_entry()?.dice && !over ? last_move_words() : "", kind, side: board_side(), held: problem === null, own };
}

/* All parts share one announcement, so that no part interrupts another. */
export function say(sentences) {
  page("announcement").textContent = sentences.filter((sentence) => sentence).join(" ");
}

/** Announces the words of a hint to a screen reader. */
export const say_hint = () => say([hint_words(play_view().moves, kind_now())]);

/** Announces the value of an answer to an exercise. */
export const say_exercise = () => say(exercise_words(exercise_view()));

function board_view(state) {
  const last = shown.path[shown.at - 1];
  const before = shown.path[shown.at - 2]?.position ?? shown.base;
  return {
    state,
    position: shown.draft ? board_now().format(state) : position_here(),
    moves: shown.draft || shown.over ? [] : moves_on_board(),
    previous: last && !shown.draft ? { move: last.name, position: before } : null,
    rules: shown.set.rules,
    cycles: shown.set.cycles,
    language: language_now(),
    text,
    plural,
    roll: shown.roll,
    board: shown.squares?.board ?? null,
    editing: shown.draft !== null,
    turned: shown.turned,
    on_move: play,
    on_edit: change_draft,
  };
}

/* A player does not see the values of moves until a hint shows them, and in an exercise until the answer is given. */
function moves_on_board() {
  const moves = moves_to_play();
  if (!veiled()) return moves;
  if (shown.play && !my_turn()) return [];
  return shown.play?.hint > 1 ? moves : moves.map(hidden_move).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/* A move that ends the game leads to no position; the board draws the end from the move. */
function state_to_draw() {
  if (shown.problem?.kind === "address") return null;
  const state = state_now();
  return (state && shown.over && board_now().after?.(state, shown.over.name)) || state;
}

function put_on_board(view) {
  if (typeof take_board_down === "function") take_board_down();
  page("board").replaceChildren();
  take_board_down = view ? board_now().draw(page("board"), view) : null;
}

function draw_board() {
  const state = state_to_draw();
  keep_focus(page("board"), () => put_on_board(state && board_view(state)));
  const notes = state && !shown.draft ? (board_now().notes?.(board_view(state)) ?? []) : [];
  redraw_part("notes", (host) => host.append(...notes));
}

/** Animates a move; the board takes no press meanwhile. */
export async function move_pictures(frames, is_wanted) {
  if (frames.length === 0) return;
  const had_focus = page("board").contains(document.activeElement);
  const view = { ...board_view(frames[0].state), moves: [], previous: null };
  page("main").classList.add("moving");
  await animate(page("board"), frames, (state) => put_on_board({ ...view, state }), is_wanted);
  page("main").classList.remove("moving");
  if (had_focus && !page("board").contains(document.activeElement)) page("board").focus({ preventScroll: true });
}

function draw_dice_part() {
  const rolls = shown.draft ? null : shown.answer?.rolls;
  if (veiled()) {
    const dice = { mine: shown.train !== null || my_turn(), over: over_here(), chosen: shown.roll, count: rolls?.length ?? 0, face, on_roll: roll_dice };
    return redraw_part("dice", (host) => rolls && show_play_dice(host, dice));
  }
  const view = rolls && {
    rolls: rolls.map((roll) => ({ ...roll, moves: shown_moves(roll.moves, { kind: "chance", seats: seats_of(shown.answer), roll: roll.roll }) })),
    chosen: shown.roll,
    on_roll: choose_roll,
    text,
    plural,
  };
  redraw_part("dice", (host) => view && draw_dice(host, view));
}

export function draw_line() {
  const possible = !shown.play && !shown.train && shown.answer && !shown.answer.rolls && !shown.over && !shown.draft && shown.answer.value !== undefined;
  page("line_section").hidden = !possible || shown.problem !== null;
  if (!page("line_section").hidden) {
    redraw_part("line", show_best_line, { line: shown.line, on_show: show_line, on_steps: (steps) => play_steps(with_ends(steps)) });
  }
}

/* Adds the answer before its last move to an ended game. */
function with_ends(steps) {
  return steps.map((step) => (step.position === null ? { ...step, before: { ...shown.answer, bounds: step.bounds } } : step));
}

function draw_quantities() {
  const { answer, over, draft } = shown;
  const known = !veiled() && !draft && !over && Boolean(answer?.quantities);
  page("expected_section").hidden = !known;
  if (known) redraw_part("expected", show_quantities, answer);
}

export function draw_stats() {
  page("stats_section").hidden = shown.play !== null || shown.train !== null || slices_now().length === 0;
  const here = slice_of_position()?.slice ?? null;
  const shared = here !== null && String(here) === shown.slice && shown.answer.slice !== shown.slice ? shown.answer.slice : null;
  redraw_part("stats", show_stats, { set: shown.set, slices: slices_now(), slice: shown.slice, stats: shown.stats, shared, on_slice: choose_slice });
}

const seat_name = (turn) => seats_now().find((seat) => seat.turn === turn)?.name ?? "";

/* The data of the parts that show a game against the tables. */
function play_view() {
  const { play: playing, answer, at } = shown;
  const rolls = answer?.rolls ?? [];
  return {
    mine: my_turn(),
    over: over_here(),
    turn: answer?.turn,
    name_of: seat_name,
    last: playing.reply || game_entry()?.dice ? last_move_words() : "",
    hint: playing.hint,
    moves: rolls.length > 0 && shown.roll === null ? [] : moves_to_play(),
    kind: kind_now(),
    searched: answer?.search ?? null,
    comes_back: shown.path.slice(0, at).filter((step) => step.position === position_here()).length > 1,
    to_roll: rolls.length > 1 && shown.roll === null,
    to_go_on: rolls.length === 1 && my_turn(),
    at,
    on_undo: take_back,
    on_hint: hint,
    on_go_on: () => play(moves_to_play()[0]),
    on_stop: stop_playing,
  };
}

function draw_verdict() {
  const { answer, draft, play, over, problem, train } = shown;
  const is_unknown = problem?.kind === "missing" && !play && !train && !over;
  if (!answer || draft || is_unknown) return redraw_part("verdict", show_verdict, null);
  if (shown.train) return redraw_part("verdict", show_exercise, exercise_view());
  if (play && !over_here()) return redraw_part("verdict", show_status, play_view());
  return redraw_part("verdict", show_verdict, verdict_view());
}

/* The choices for the next game; each game gets a new seed unless the player keeps one. */
const wanted = { turn: null, level: null, seed: null };

function draw_invitation() {
  const possible = !shown.play && !shown.train && !shown.draft && shown.answer && !over_here();
  page("play_section").hidden = !possible;
  if (!possible) return;
  const seats = seats_now();
  if (!seats.some(({ turn }) => turn === wanted.turn)) wanted.turn = shown.answer.turn;
  wanted.level ??= setting("level");
  wanted.seed ??= crypto.getRandomValues(new Uint32Array(1))[0] % 1000000;
  redraw_part("play", show_invitation, {
    seats,
    kind: kind_now(),
    wanted,
    animated: setting("animated"),
    on_change: (changes) => Object.assign(wanted, changes),
    on_animated: (animated) => set_setting("animated", animated),
    on_start: () => {
      start_playing(wanted);
      wanted.seed = null;
    },
  });
}

/* --- Exercises --- */

function exercise_view() {
  const { train, roll, answer } = shown;
  const on_open = { on_next: next_exercise, on_give_up: () => answer_exercise(""), on_stop: stop_training };
  return { train, roll, kind: answer ? kind_now() : null, bounds: answer?.history?.bounds ?? answer?.bounds ?? null, side: board_side(), moves: moves_to_play(), ...on_open };
}

/* The unfolded parts, and the message about a file. */
const unfolded_training = { more: false, notebook: false, said: null };

function notebook_view() {
  const { notebook, said } = unfolded_training;
  return {
    mistakes: mistakes(),
    words: written_notebook(),
    open: notebook,
    said,
    on_unfold: (open) => (unfolded_training.notebook = open),
    on_open: ({ game, rules, cycles, ...exercise }) => open_exercise({ game, rules, cycles }, exercise, true),
    on_import: (words) => {
      const taken = take_notebook(words);
      unfolded_training.said = taken === null ? text("notebook.none") : plural("notebook.taken", taken);
      draw_training();
    },
    on_clear: empty_notebook,
  };
}

function draw_training() {
  const possible = !shown.play && !shown.draft && slices_now().length > 0 && board_now().exercises !== false;
  page("train_section").hidden = !possible;
  if (!possible) return;
  settle_wanted();
  const view = {
    wanted: wanted_exercises,
    slices: slices_now().map(({ slice }) => [String(slice), slice_name(shown.set.game, slice)]),
    sets: sets_beside(),
    more: unfolded_training.more,
    on_more: (open) => (unfolded_training.more = open),
    on_want: want,
    on_next: next_exercise,
  };
  redraw_part("train", (host) => {
    if (!shown.train) show_training(host, view);
    show_notebook(host, notebook_view());
  });
}

function draw_steps() {
  const { draft, path, at, play: playing } = shown;
  const stepping = { path, at, on_go: go_to };
  const turn = board_now().turns && !draft ? { turned: shown.turned, on_turn: turn_board } : {};
  redraw_part("steps", (host) => {
    if (playing) show_play_steps(host, play_view());
    else if (shown.train) show_train_steps(host, exercise_view());
    else show_steps(host, draft ? null : { ...stepping, best: best_to_play(), on_roll: rolls_to_choose() ? roll_and_play : null, on_play: play });
    if (turn.on_turn) show_turning(host, turn);
  });
  draw_path(stepping);
}

function draw_moves() {
  const { answer, draft, over, problem } = shown;
  page("moves_section").hidden = draft !== null || veiled() || (problem !== null && answer === null);
  redraw_part("moves", show_moves, draft || over || veiled() ? null : { moves: all_moves(), answer, roll: shown.roll, kind: answer ? kind_now() : null, on_move: play });
}

function draw_problem() {
  const { problem, searched, set } = shown;
  const can_search = problem?.kind === "missing" && !shown.play && !game_entry()?.dice && set.cycles !== "own-row-any";
  redraw_part("problem", show_problem, {
    problem,
    searched,
    any_tables: slices_now().length > 0,
    on_retry: retry,
    on_begin: () => begin_with_example(first_of_game()),
    on_search: can_search ? search_here : null,
  });
}

function draw_edit() {
  const { answer, draft, problem } = shown;
  redraw_part("edit", show_edit, {
    editing: draft !== null,
    drafted: draft ? board_now().format(draft) : "",
    notation: shown.typed ?? (draft ? board_now().format(draft) : answer || problem?.kind === "bad" ? position_in_address() : ""),
    game: shown.set.game,
    problem: shown.draft_problem,
    on_start: start_editing,
    on_cancel: stop_editing,
    on_look_up: look_up,
  });
}

function draw_top() {
  const { catalogue, set } = shown;
  document.title = `${title_of(set)} · Tauler`;
  page("heading").textContent = title_of(set);
  const games = { catalogue, set, on_game: (game) => begin_with_example(set_named(catalogue, { game, rules: null, cycles: null })) };
  redraw_part("games", show_games, games);
  show_game_choice(page("game_choice"), games);
  const examples = board_now().examples(set.rules, slices_now());
  redraw_part("choices", show_choices, { catalogue, set, examples, position: shown.at === 0 ? shown.base : null, on_set: change_set, on_example: (position) => begin_at(shown.set, position) });
}

export function draw() {
  put_texts(document);
  page("aside").hidden = false;
  page("main").classList.toggle("editing", shown.draft !== null);
  page("main").classList.toggle("playing", shown.play !== null);
  page("main").classList.toggle("training", shown.train !== null);
  draw_top();
  draw_problem();
  draw_board();
  draw_dice_part();
  draw_verdict();
  draw_steps();
  draw_game();
  draw_invitation();
  draw_training();
  draw_moves();
  draw_line();
  draw_quantities();
  draw_stats();
  draw_edit();
  draw_tabs();
}

/** Draws again what depends on the width of the window and the part that is shown. */
export function draw_sized() {
  if (shown.stats?.found) draw_stats();
  if (shown.answer) draw_value();
  keep_in_view();
}

/** Draws the problem if no game is known yet. */
export function draw_beginning_problem(problem, on_retry) {
  page("main").setAttribute("aria-busy", "false");
  redraw_part("problem", show_problem, { problem, any_tables: true, on_retry, on_begin: null });
}

const best_to_play = () => (shown.over ? null : (moves_to_play()[0] ?? null));
const rolls_to_choose = () => !shown.over && shown.problem === null && shown.roll === null && (shown.answer?.rolls?.length ?? 0) > 1;

const first_of_game = () => set_named(shown.catalogue, { game: shown.set.game, rules: null, cycles: null });
