// Handles presses: goes to positions, sets them up, asks for lines and statistics. The address and the browser's history hold the state of the page:
// every move is an entry.
import { join_line, parse_address, split_line } from "./address.js";
import { board_of, load_board } from "./boards.js";
import { first_set, set_named } from "./choices.js";
import { random_roll } from "./dice.js";
import { open_address, reopen_game } from "./games/session.js";
import { text } from "./language.js";
import { move_words } from "./last_move.js";
import { draw, draw_line, draw_stats, move_pictures, say, spoken_position } from "./page.js";
import { play_one, reply } from "./play/session.js";
import { page } from "./redraw.js";
import { answer_exercise } from "./train/session.js";
import { ask_board, ask_line, ask_position, ask_search, ask_stats, ServiceError } from "./service.js";
import {
  all_moves,
  board_now,
  board_side,
  current_address,
  game_entry,
  history_counts,
  moves_to_play,
  over_now,
  position_asked,
  shown,
  slice_of_position,
  slices_now,
  state_now,
  TABS,
} from "./state.js";

const MOST_REMEMBERED = 1000;
const SEARCH_MS = 2000;

/* Each question notes its walk; the page drops an answer to an earlier walk. */
let walk = 0;

export const walk_now = () => walk;

/* While a question is under way, the page still shows the position before. */
export const waiting = () => page("main").getAttribute("aria-busy") === "true";

export function remember(how) {
  const { set, base, path, at, roll, play, train, record, turned, tab } = shown;
  const kept = { set, base, path, at, roll, play, train, record, turned, tab };
  history[how === "new" ? "pushState" : "replaceState"](kept, "", current_address());
}

/* --- Going somewhere --- */

/** Shows a position: asks for it, then draws. `how`: "new" for an entry of its own in the browser's history, "same" otherwise; `frames`: pictures of the
    move that leads there. */
export async function show_position({ how, announce = null, frames = [] }) {
  const mine = ++walk;
  shown.line = null;
  shown.problem = null;
  shown.searched = null;
  shown.typed = null;
  shown.over = over_now();
  if (how !== "restored") remember(how);
  page("main").setAttribute("aria-busy", "true");
  const moving = move_pictures(frames, () => mine === walk);
  if (shown.over) await take_end(mine);
  else await take_answer(mine);
  await moving;
  if (mine !== walk) return;
  settle_roll();
  if (shown.answer && !shown.over && how !== "restored") make_canonical();
  await take_squares(mine);
  if (mine !== walk) return;
  draw();
  page("main").setAttribute("aria-busy", "false");
  say([shown.play && (shown.play.reply || game_entry()?.dice) ? null : announce, spoken_position()]);
  follow_slice();
  reply();
}

async function take_answer(mine) {
  try {
    const answer = await ask_position(shown.set, position_asked(), shown.catalogue.tables);
    if (mine === walk) shown.answer = answer;
  } catch (problem) {
    if (mine !== walk) return;
    shown.problem = as_problem(problem);
    shown.answer = shown.problem.answer;
  }
}

/* An ended game is described by the position before its last move. */
async function take_end(mine) {
  const { over } = shown;
  if (!over.before) {
    shown.at -= 1;
    const before = position_asked();
    shown.at += 1;
    over.before = await ask_position(shown.set, before, shown.catalogue.tables).catch((problem) => as_problem(problem).answer);
  }
  if (mine === walk) shown.answer = over.before ? { ...over.before, moves: [], rolls: undefined } : null;
}

/** Searches a position above the tables for some seconds. */
export async function search_here() {
  const mine = walk;
  page("main").setAttribute("aria-busy", "true");
  try {
    const found = await ask_search(shown.set, position_asked(), { ms: SEARCH_MS });
    if (mine !== walk) return;
    Object.assign(shown, { answer: found, searched: found.search ?? null, problem: null });
  } catch (problem) {
    if (mine !== walk) return;
    shown.problem = as_problem(problem);
    shown.problem.answer ??= shown.answer;
  }
  page("main").setAttribute("aria-busy", "false");
  draw();
  say([spoken_position()]);
}

/* The page takes over the server's form of a text, and drops a line that does not count. */
function make_canonical() {
  if (history_counts()) return;
  const last = shown.path[shown.at - 1];
  if (last) last.position = shown.answer.position;
  else shown.base = shown.answer.position;
  remember("same");
}

async function take_squares(mine) {
  if (!game_entry()?.dice || shown.squares?.of === shown.set.rules) return;
  try {
    const board = await ask_board(shown.set, shown.catalogue.tables);
    if (mine === walk) shown.squares = { of: shown.set.rules, board };
  } catch {
    if (mine === walk) shown.squares = { of: shown.set.rules, board: null };
  }
}

/* Every error is shown as a sentence, also a fault of this page. */
export function as_problem(problem) {
  if (problem instanceof ServiceError) return problem;
  console.error(problem);
  return new ServiceError("strange", String(problem.message ?? problem));
}

/** Begins at a new position. */
export async function begin_at(set, position, how = "new", roll = null) {
  const mine = ++walk;
  await load_board(set.game);
  if (mine !== walk) return null;
  const { base, moves } = split_line(position, board_of(set.game).separator);
  const counts = /^own-row/.test(set.cycles ?? "");
  const path = counts ? moves.map((name) => ({ name, position: undefined })) : [];
  return begin({ set, base: counts ? base : position, path, at: path.length, roll }, how);
}

/* Clears the rest of the state. */
function begin(at_first, how) {
  Object.assign(shown, { play: null, train: null, record: null, draft: null, draft_problem: null, slice: null, stats: null, ...at_first });
  return show_position({ how });
}

export async function begin_with_example(set, how = "new") {
  await load_board(set.game);
  shown.set = set;
  const [first] = board_of(set.game).examples(set.rules, slices_now());
  return begin_at(set, first.position, how);
}

/* Browsers limit the size of an entry, so very long play loses its first moves if the line does not count. */
function add_to_path(steps) {
  shown.path = [...shown.path.slice(0, shown.at), ...steps];
  while (!history_counts() && shown.path.length > MOST_REMEMBERED) shown.base = shown.path.shift().position;
  shown.at = shown.path.length;
  shown.roll = null;
}

/** Plays a move, given by its name and roll; `how` as in show_position. */
export function add_step(chosen, how) {
  if (waiting()) return null;
  const move = all_moves().find(({ name, roll }) => name === chosen.name && roll === chosen.roll) ?? chosen;
  const step = { name: move.name, position: move.position, colour: move.colour, turn: shown.answer?.turn, roll: move.roll ?? null };
  if (move.position === null) step.before = shown.answer;
  const side = board_side();
  const state = state_now();
  const last = (shown.squares?.board?.squares.length ?? 0) - 1;
  const frames = (state && board_now().frames?.(state, move.name, shown.set.rules, move.roll, last)) || [];
  add_to_path([step]);
  return show_position({ how, frames, announce: move_words({ side, name: move.name, roll: step.roll, state }) });
}

/** Plays a pressed move. */
export function play(move) {
  if (shown.play) return play_one(move);
  if (shown.train?.chosen === null) return answer_exercise(move.name);
  shown.train = null;
  return add_step(move, "new");
}

/** Plays several moves of a line at once. */
export function play_steps(steps) {
  if (waiting()) return null;
  add_to_path(steps.map(({ move, position, colour, before }) => ({ name: move, position, colour, before })));
  return show_position({ how: "new" });
}

/** Shows another line from the same first position, with `at` moves played. */
export function go_on_path(path, at) {
  Object.assign(shown, { path, at, roll: null });
  return show_position({ how: "new" });
}

/** Shows a game {base, path, at, record}. */
export const begin_game = (set, game, how) => begin({ set, roll: null, ...game }, how);

/** Shows an exercise. */
export const begin_exercise = (set, train) => begin({ set, base: train.exercise.position, path: [], at: 0, roll: train.exercise.roll ?? null, train }, "new");

export function go_to(at) {
  if (at < 0 || at > shown.path.length || at === shown.at) return;
  shown.at = at;
  shown.roll = null;
  show_position({ how: "new" });
}

export function choose_roll(roll) {
  shown.roll = roll;
  remember("same");
  draw();
  if (roll !== null) say([text("dice.rolled", { roll })]);
}

/* A single roll needs no choice; a roll of the address that cannot come up here is dropped. */
function settle_roll() {
  const rolls = shown.answer?.rolls ?? [];
  if (rolls.length === 1) shown.roll = rolls[0].roll;
  else shown.roll = rolls.find((one) => String(one.roll) === String(shown.roll))?.roll ?? null;
}

/* Without a choice the dice decide, and the best move of the roll is played. */
export function roll_and_play() {
  shown.roll = random_roll(shown.answer.rolls);
  return play(moves_to_play()[0]);
}

export function turn_board() {
  shown.turned = !shown.turned;
  remember("same");
  draw();
}

/* --- Addresses --- */

export async function follow_address(how) {
  let wanted;
  try {
    wanted = parse_address(location.hash);
  } catch {
    return show_bad_address(location.hash);
  }
  shown.tab = TABS.includes(wanted?.tab) ? wanted.tab : TABS[0];
  if (wanted === null) return begin_with_example(first_set(shown.catalogue), how);
  if (!shown.catalogue.games.some((game) => game.name === wanted.game) || !(await load_board(wanted.game))) return show_bad_address(wanted.game);
  const set = set_named(shown.catalogue, wanted);
  if (wanted.position === null) return begin_with_example(set, how);
  if (wanted.ply !== null && (await open_address(set, wanted.position, wanted.ply, how))) return;
  await begin_at(set, wanted.position, how, wanted.roll);
  if (shown.problem?.kind === "bad") await try_last_move(set, wanted.position);
}

/* The address of an ended game holds the last position and the final move. */
async function try_last_move(set, position) {
  const { separator } = board_of(set.game);
  const { base, moves } = split_line(position, separator);
  if (moves.length === 0 || history_counts()) return;
  const refused = shown.problem;
  await begin_at(set, join_line(base, moves.slice(0, -1), separator), "same");
  const last = all_moves().find((move) => move.name === moves.at(-1) && move.position === null);
  if (last) {
    await play(last);
  } else {
    shown.problem = refused;
    draw();
  }
}

async function show_bad_address(what) {
  walk++;
  if (!shown.set) shown.set = first_set(shown.catalogue);
  await load_board(shown.set.game);
  shown.problem = new ServiceError("address", what);
  shown.answer = null;
  page("main").setAttribute("aria-busy", "false");
  draw();
}

export async function restore(kept) {
  if (!kept) return follow_address("same");
  await load_board(kept.set.game);
  Object.assign(shown, { set: kept.set, base: kept.base, path: kept.path, at: kept.at, roll: kept.roll, play: kept.play ?? null, train: kept.train ?? null, record: kept.record ?? null, turned: kept.turned ?? false, tab: kept.tab ?? TABS[0], draft: null, draft_problem: null });
  await show_position({ how: "restored" });
  return reopen_game();
}

/* --- Setting up by hand --- */

export function start_editing() {
  shown.play = null;
  shown.train = null;
  shown.draft = state_now() ?? board_now().parse(board_now().examples(shown.set.rules, slices_now()).at(-1).position);
  shown.draft_problem = null;
  shown.typed = null;
  draw();
  say([text("edit.editing")]);
}

export function change_draft(state) {
  shown.draft = state;
  shown.draft_problem = null;
  shown.typed = null;
  draw();
}

export function stop_editing() {
  shown.draft = null;
  shown.draft_problem = null;
  shown.typed = null;
  draw();
}

/* A refused position stays in the set-up, with the server's message. */
export async function look_up(position) {
  const mine = ++walk;
  try {
    await ask_position(shown.set, position, shown.catalogue.tables);
  } catch (problem) {
    if (mine !== walk) return;
    const said = as_problem(problem);
    if (said.answer === null) {
      Object.assign(shown, { draft_problem: said, typed: position });
      draw();
      page("notation")?.focus();
      return;
    }
  }
  if (mine === walk) await begin_at(shown.set, position);
  page("heading").focus();
}

/* --- Lines and statistics --- */

export async function show_line() {
  const mine = walk;
  try {
    const { line } = await ask_line(shown.set, position_asked(), shown.catalogue.tables);
    if (mine === walk) shown.line = line;
  } catch (problem) {
    if (mine === walk) shown.line = { problem: as_problem(problem) };
  }
  if (mine !== walk) return;
  draw_line();
  page("line").querySelector("button")?.focus();
}

function follow_slice() {
  if (shown.train) return;
  const here = slice_of_position()?.slice ?? null;
  const wanted = here !== null ? String(here) : (shown.slice ?? slices_now().at(-1)?.slice ?? null);
  if (wanted !== shown.slice || shown.stats?.of !== stats_name(wanted)) choose_slice(wanted);
}

const stats_name = (slice) => [shown.set.game, shown.set.rules, shown.set.cycles, slice].join("/");

export async function choose_slice(slice) {
  shown.slice = slice;
  const of = stats_name(slice);
  shown.stats = { of, found: null };
  if (slice === null) return draw_stats();
  try {
    const found = await ask_stats(shown.set, slice, shown.catalogue.tables);
    if (shown.stats?.of === of) shown.stats.found = found;
  } catch (problem) {
    if (shown.stats?.of === of) shown.stats.problem = as_problem(problem);
  }
  if (shown.stats?.of === of) draw_stats();
}

/* --- Other rules, another try --- */

/* Another rule set of the same game: the position stays, the line does not. */
export function change_set(set) {
  const position = shown.answer?.position;
  shown.set = set;
  return position ? begin_at(set, position) : begin_with_example(set);
}

export function retry() {
  return show_position({ how: "same" });
}
