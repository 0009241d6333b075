// What happens when something is pressed, and who is told. What is shown lives in the address and in the browser's history: every move is an entry.
import { join_line, parse_address, split_line } from "./address.js";
import { show_best_line } from "./best_line.js";
import { board_of, load_boards } from "./boards.js";
import { show_stats } from "./chart.js";
import { first_set, set_named, show_choices, show_games, title_of } from "./choices.js";
import { draw_dice, random_roll } from "./dice.js";
import { show_edit } from "./edit.js";
import { choose_language, language_now, plural, put_texts, text, use_first_language } from "./language.js";
import { show_moves } from "./moves.js";
import { show_path, show_steps } from "./path.js";
import { show_problem } from "./problem.js";
import { ask_board, ask_catalogue, ask_line, ask_position, ask_stats, ServiceError } from "./service.js";
import {
  all_moves,
  board_now,
  board_side,
  current_address,
  game_entry,
  history_counts,
  kind_now,
  moves_to_play,
  over_now,
  position_asked,
  position_here,
  position_in_address,
  shown,
  slices_now,
  state_now,
} from "./state.js";
import { show_verdict, verdict_text } from "./verdict.js";
import { seats_of, shown_moves } from "./worth.js";

const MOST_REMEMBERED = 400;

const page = (id) => document.getElementById(id);

/* Answers that come after the page has moved on are dropped: each question remembers which walk it belongs to. */
let walk = 0;
let take_board_down = null;

/* While a question is under way, what stands there belongs to the position before. */
const waiting = () => page("main").getAttribute("aria-busy") === "true";

function remember(how) {
  const { set, base, path, at, roll } = shown;
  const kept = { set, base, path, at, roll };
  history[how === "new" ? "pushState" : "replaceState"](kept, "", current_address());
}

/* --- Going somewhere --- */

/** Shows a position: asks for it, then draws. `how`: "new" for an entry of its own in the browser's history, "same" otherwise. */
async function show_position({ how, announce = null }) {
  const mine = ++walk;
  shown.line = null;
  shown.problem = null;
  shown.over = over_now();
  if (how !== "restored") remember(how);
  if (shown.over) {
    shown.answer = { ...shown.over.before, moves: [], rolls: undefined };
  } else {
    page("main").setAttribute("aria-busy", "true");
    await take_answer(mine);
    if (mine !== walk) return;
  }
  settle_roll();
  if (shown.answer && !shown.over && how !== "restored") make_canonical();
  await take_squares(mine);
  if (mine !== walk) return;
  draw();
  page("main").setAttribute("aria-busy", "false");
  say([announce, spoken_position()]);
  follow_slice();
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

/* Texts that the server reads and writes otherwise become its own; a line that does not count is left behind. */
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

/* Anything thrown is shown as a sentence; what is no answer of the server is a fault of this page, and shown too. */
function as_problem(problem) {
  if (problem instanceof ServiceError) return problem;
  console.error(problem);
  return new ServiceError("strange", String(problem.message ?? problem));
}

/** A whole new beginning. */
function begin_at(set, position, how = "new", roll = null) {
  const { base, moves } = split_line(position, board_of(set.game).separator);
  const counts = /^own-row/.test(set.cycles ?? "");
  Object.assign(shown, { set, roll, draft: null, draft_problem: null, slice: null, stats: null });
  shown.base = counts ? base : position;
  shown.path = counts ? moves.map((name) => ({ name, position: undefined })) : [];
  shown.at = shown.path.length;
  return show_position({ how });
}

function begin_with_example(set, how = "new") {
  shown.set = set;
  const [first] = board_of(set.game).examples(set.rules, slices_now());
  return begin_at(set, first.position, how);
}

/* What browsers remember of an entry has its limits: of very long play the first moves are forgotten, where the line does not count. */
function add_to_path(steps) {
  shown.path = [...shown.path.slice(0, shown.at), ...steps];
  while (!history_counts() && shown.path.length > MOST_REMEMBERED) shown.base = shown.path.shift().position;
  shown.at = shown.path.length;
  shown.roll = null;
}

function play(move, before = []) {
  if (waiting()) return null;
  const step = { name: move.name, position: move.position, colour: move.colour };
  if (move.position === null) step.before = shown.answer;
  const side = board_side();
  add_to_path([step]);
  return show_position({ how: "new", announce: [...before, text("path.played", { side, move: move.name })].join(" ") });
}

/** Plays several moves of a line at once. */
function play_steps(steps) {
  if (waiting()) return null;
  add_to_path(steps.map(({ move, position, colour, before }) => ({ name: move, position, colour, before })));
  return show_position({ how: "new" });
}

function go_to(at) {
  if (at < 0 || at > shown.path.length || at === shown.at) return;
  shown.at = at;
  shown.roll = null;
  show_position({ how: "new" });
}

function choose_roll(roll) {
  shown.roll = roll;
  remember("same");
  draw();
  if (roll !== null) say([text("dice.rolled", { roll })]);
}

/* A roll that is the only one needs no choice; one that an address names and that cannot come up here is none. */
function settle_roll() {
  const rolls = shown.answer?.rolls ?? [];
  if (rolls.length === 1) shown.roll = rolls[0].roll;
  else shown.roll = rolls.find((one) => String(one.roll) === String(shown.roll))?.roll ?? null;
}

/* Without a choice the dice decide, and the roll is played as well as it can be. */
function roll_and_play() {
  shown.roll = random_roll(shown.answer.rolls);
  return play(moves_to_play()[0], [text("dice.rolled", { roll: shown.roll })]);
}

/* --- Addresses --- */

async function follow_address(how) {
  let wanted;
  try {
    wanted = parse_address(location.hash);
  } catch {
    return show_bad_address(location.hash);
  }
  if (wanted === null) return begin_with_example(first_set(shown.catalogue), how);
  if (!board_of(wanted.game)) return show_bad_address(wanted.game);
  const set = set_named(shown.catalogue, wanted);
  if (wanted.position === null) return begin_with_example(set, how);
  await begin_at(set, wanted.position, how, wanted.roll);
  if (shown.problem?.kind === "bad") await try_last_move(set, wanted.position);
}

/* The address of an ended game is the last position and the move that ended it. */
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

function show_bad_address(what) {
  walk++;
  if (!shown.set) shown.set = first_set(shown.catalogue);
  shown.problem = new ServiceError("address", what);
  shown.answer = null;
  page("main").setAttribute("aria-busy", "false");
  draw();
}

function restore(kept) {
  if (!kept) return follow_address("same");
  Object.assign(shown, { set: kept.set, base: kept.base, path: kept.path, at: kept.at, roll: kept.roll, draft: null, draft_problem: null });
  return show_position({ how: "restored" });
}

/* --- Setting up by hand --- */

function start_editing() {
  shown.draft = state_now() ?? board_now().parse(board_now().examples(shown.set.rules, slices_now()).at(-1).position);
  shown.draft_problem = null;
  draw();
  say([text("edit.editing")]);
}

function change_draft(state) {
  shown.draft = state;
  shown.draft_problem = null;
  draw();
}

function stop_editing() {
  shown.draft = null;
  shown.draft_problem = null;
  draw();
}

/* A refused position stays where it is being set up, with what the server says of it. */
async function look_up(position) {
  const mine = ++walk;
  try {
    await ask_position(shown.set, position, shown.catalogue.tables);
  } catch (problem) {
    if (mine !== walk) return;
    const said = as_problem(problem);
    if (said.answer === null) {
      shown.draft_problem = said;
      draw();
      page("notation")?.focus();
      return;
    }
  }
  if (mine === walk) await begin_at(shown.set, position);
  page("heading").focus();
}

/* --- Lines and statistics --- */

async function show_line() {
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

/* The table that the position is in; several names may share one, so that it is known by its digest too. */
function slice_of_position() {
  const held = slices_now();
  const named = held.find((slice) => String(slice.slice) === shown.answer?.slice);
  return named ?? held.find((slice) => slice.table && slice.table === shown.answer?.table) ?? null;
}

function follow_slice() {
  const here = slice_of_position()?.slice ?? null;
  const wanted = here !== null ? String(here) : (shown.slice ?? slices_now().at(-1)?.slice ?? null);
  if (wanted !== shown.slice || shown.stats?.of !== stats_name(wanted)) choose_slice(wanted);
}

const stats_name = (slice) => [shown.set.game, shown.set.rules, shown.set.cycles, slice].join("/");

async function choose_slice(slice) {
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

/* --- Drawing --- */

function spoken_position() {
  // Of a problem the alert itself is told.
  if (!shown.answer || !shown.set) return "";
  const state = state_now();
  const value = verdict_text(verdict_view());
  return state && !shown.over ? `${value} ${board_now().describe(state, text)}` : value;
}

const verdict_view = () => ({ answer: shown.answer, over: shown.over, kind: kind_now(), side: board_side(), held: shown.problem === null });

/* The announcement is one for all, so that parts do not talk across each other. */
function say(sentences) {
  page("announcement").textContent = sentences.filter((sentence) => sentence).join(" ");
}

function board_view(state) {
  const last = shown.path[shown.at - 1];
  const before = shown.path[shown.at - 2]?.position ?? shown.base;
  return {
    state,
    position: shown.draft ? board_now().format(state) : position_here(),
    moves: shown.draft || shown.over ? [] : moves_to_play(),
    previous: last && !shown.draft ? { move: last.name, position: before } : null,
    rules: shown.set.rules,
    cycles: shown.set.cycles,
    language: language_now(),
    text,
    plural,
    roll: shown.roll,
    board: shown.squares?.board ?? null,
    editing: shown.draft !== null,
    on_move: play,
    on_edit: change_draft,
  };
}

/* What had the focus is drawn anew: the focus goes to what stands in its place, or at least into the same part. */
function keep_focus(host, redraw) {
  const inside = host.contains(document.activeElement) && document.activeElement !== host;
  const buttons = () => [...host.querySelectorAll('button, [role="button"], input, select, a[href]')];
  const label = inside ? document.activeElement.getAttribute("aria-label") : null;
  const place = inside ? buttons().indexOf(document.activeElement) : -1;
  redraw();
  if (!inside) return;
  const now = buttons();
  const same = now.find((element) => label !== null && element.getAttribute("aria-label") === label);
  const next = same ?? (shown.draft ? now[place] : host.querySelector(".best:is(button, [role='button'])")) ?? now[0];
  (next ?? page("heading")).focus({ preventScroll: true });
}

function redraw_part(id, show, view) {
  const host = page(id);
  keep_focus(host, () => {
    host.replaceChildren();
    show(host, view);
  });
}

function draw_board() {
  const state = shown.problem?.kind === "address" ? null : state_now();
  keep_focus(page("board"), () => {
    if (typeof take_board_down === "function") take_board_down();
    page("board").replaceChildren();
    take_board_down = state ? board_now().draw(page("board"), board_view(state)) : null;
  });
}

function draw_dice_part() {
  const rolls = shown.draft ? null : shown.answer?.rolls;
  const view = rolls && {
    rolls: rolls.map((roll) => ({ ...roll, moves: shown_moves(roll.moves, { kind: "chance", seats: seats_of(shown.answer), roll: roll.roll }) })),
    chosen: shown.roll,
    on_roll: choose_roll,
    text,
    plural,
  };
  redraw_part("dice", (host) => view && draw_dice(host, view));
}

function draw_line() {
  const possible = shown.answer && !shown.answer.rolls && !shown.over && !shown.draft && shown.answer.value !== undefined;
  page("line_section").hidden = !possible || shown.problem !== null;
  if (!page("line_section").hidden) {
    redraw_part("line", show_best_line, { line: shown.line, on_show: show_line, on_steps: (steps) => play_steps(with_ends(steps)) });
  }
}

/* The answer that an ended game is told from. */
function with_ends(steps) {
  return steps.map((step) => (step.position === null ? { ...step, before: { ...shown.answer, bounds: step.bounds } } : step));
}

function draw_stats() {
  page("stats_section").hidden = slices_now().length === 0;
  const here = slice_of_position()?.slice ?? null;
  const shared = here !== null && String(here) === shown.slice && shown.answer.slice !== shown.slice ? shown.answer.slice : null;
  redraw_part("stats", show_stats, { set: shown.set, slices: slices_now(), slice: shown.slice, stats: shown.stats, shared, on_slice: choose_slice });
}

function draw() {
  const { catalogue, set, answer, problem, draft } = shown;
  put_texts(document);
  page("path_section").hidden = draft !== null;
  page("moves_section").hidden = draft !== null || (problem !== null && answer === null);
  page("main").classList.toggle("editing", draft !== null);
  document.title = `${title_of(set)} · Tauler`;
  page("heading").textContent = title_of(set);
  redraw_part("games", show_games, { catalogue, set, on_game: (game) => begin_with_example(set_named(catalogue, { game, rules: null, cycles: null })) });
  const examples = board_now().examples(set.rules, slices_now());
  redraw_part("choices", show_choices, {
    catalogue,
    set,
    examples,
    on_set: change_set,
    on_example: (position) => begin_at(shown.set, position),
  });
  redraw_part("problem", show_problem, { problem, any_tables: slices_now().length > 0, on_retry: retry, on_begin: () => begin_with_example(first_of_game()) });
  draw_board();
  draw_dice_part();
  redraw_part("verdict", show_verdict, answer && !draft ? verdict_view() : null);
  const stepping = { path: shown.path, at: shown.at, on_go: go_to };
  redraw_part("steps", show_steps, draft ? null : { ...stepping, best: best_to_play(), on_roll: rolls_to_choose() ? roll_and_play : null, on_play: play });
  redraw_part("path", show_path, stepping);
  redraw_part("moves", show_moves, draft || shown.over ? null : { moves: all_moves(), answer, roll: shown.roll, kind: answer ? kind_now() : null, on_move: play });
  draw_line();
  draw_stats();
  redraw_part("edit", show_edit, {
    editing: draft !== null,
    notation: draft ? board_now().format(draft) : answer || problem?.kind === "bad" ? position_in_address() : "",
    help: game_entry()?.notation ?? "",
    rules_help: game_entry()?.rules_help ?? "",
    problem: shown.draft_problem,
    on_start: start_editing,
    on_cancel: stop_editing,
    on_look_up: look_up,
  });
}

const best_to_play = () => (shown.over ? null : (moves_to_play()[0] ?? null));
const rolls_to_choose = () => !shown.over && shown.problem === null && shown.roll === null && (shown.answer?.rolls?.length ?? 0) > 1;

const first_of_game = () => set_named(shown.catalogue, { game: shown.set.game, rules: null, cycles: null });

/* Another rule set of the same game: the position stays, the line does not. */
function change_set(set) {
  const position = shown.answer?.position;
  shown.set = set;
  return position ? begin_at(set, position) : begin_with_example(set);
}

function retry() {
  if (!shown.catalogue) return start();
  return show_position({ how: "same" });
}

/* --- Keys, language, beginning --- */

const STEPS = { ArrowLeft: () => shown.at - 1, ArrowRight: () => shown.at + 1 };

function step_by_key(event) {
  const step = STEPS[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  if (event.target.closest("input, select, textarea, svg") || shown.draft) return;
  event.preventDefault();
  go_to(step());
}

function change_language(event) {
  choose_language(event.target.value);
  if (shown.catalogue) draw();
  else put_texts(document);
}

function skip_to_board(event) {
  event.preventDefault();
  (page("board").querySelector('[role="button"]') ?? page("board")).focus();
}

/* The games that have a board here; those without cycles name none. */
function with_plain_sets(catalogue) {
  const plain = (set) => ({ ...set, cycles: set.cycles || null });
  const games = catalogue.games.filter((game) => board_of(game.name) !== null);
  return { ...catalogue, games: games.map((game) => ({ ...game, rule_sets: game.rule_sets.map(plain) })) };
}

async function start() {
  try {
    const asked = await ask_catalogue();
    await load_boards(asked.games.map((game) => game.name));
    shown.catalogue = with_plain_sets(asked);
  } catch (problem) {
    page("main").setAttribute("aria-busy", "false");
    redraw_part("problem", show_problem, { problem: as_problem(problem), any_tables: true, on_retry: start, on_begin: null });
    return;
  }
  await (history.state ? restore(history.state) : follow_address("same"));
}

use_first_language();
page("language").value = language_now();
put_texts(document);
page("language").addEventListener("change", change_language);
page("skip").addEventListener("click", skip_to_board);
document.addEventListener("keydown", step_by_key);
window.addEventListener("popstate", (event) => shown.catalogue && restore(event.state));
window.addEventListener("resize", () => shown.stats?.found && draw_stats());
start();
