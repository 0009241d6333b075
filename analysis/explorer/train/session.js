// Runs exercises: the next exercise, the answer, the same board under other rules.
import { set_named } from "../choices.js";
import { as_problem, begin_exercise, remember, show_position, waiting, walk_now } from "../going.js";
import { load_board } from "../boards.js";
import { text } from "../language.js";
import { draw, say_exercise, say } from "../page.js";
import { random_of } from "../play/opponent.js";
import { set_setting, setting } from "../play/settings.js";
import { page } from "../redraw.js";
import { said } from "../said.js";
import { ask_exercise, ask_position } from "../service.js";
import { game_entry, shown, slices_now } from "../state.js";
import { add_notebook, clear_notebook, due_of, note_answer } from "./notebook.js";

const TRIES = 12;
const SEEDS = 2 ** 32 - 1;
/* Exercises come from tables with at least this part of the largest table's positions; smaller ones hold few exercises. */
const SMALLEST = 1 / 50;

/** The choices for the next exercises; `beside` names a rule set, "" none; `number` counts the exercises of a series. */
export const wanted = { grade: null, slice: "", beside: null, unlike: false, seed: null, number: 0, problem: null };

const name_of = ({ rules, cycles }) => JSON.stringify([rules, cycles]);

/** Other rule sets of the game that have tables, by name. */
export function sets_beside() {
  const others = (game_entry()?.rule_sets ?? []).filter((one) => one.slices.length > 0 && name_of(one) !== name_of(shown.set));
  return others.map(({ rules, cycles }) => [name_of({ rules, cycles }), { game: shown.set.game, rules, cycles }]);
}

const set_beside = () => sets_beside().find(([name]) => name === wanted.beside)?.[1] ?? null;

/** Fits the choices to the rule set on the page; the default one stands beside it. */
export function settle_wanted() {
  wanted.grade ??= setting("grade") ?? 0;
  wanted.seed ??= crypto.getRandomValues(new Uint32Array(1))[0] % 1000000;
  if (!slices_now().some(({ slice }) => String(slice) === wanted.slice)) wanted.slice = "";
  const names = sets_beside().map(([name]) => name);
  if (wanted.beside !== "" && !names.includes(wanted.beside)) {
    const first = name_of(set_named(shown.catalogue, { game: shown.set.game, rules: null, cycles: null }));
    wanted.beside = names.includes(first) ? first : "";
  }
}

export function want(changes) {
  Object.assign(wanted, { number: 0, problem: null }, changes);
  if (changes.grade !== undefined) set_setting("grade", changes.grade);
  draw();
}

function slice_of_try(share) {
  if (wanted.slice !== "") return wanted.slice;
  const largest = Math.max(...slices_now().map(({ positions }) => positions));
  const drawn = slices_now().filter(({ positions }) => positions >= SMALLEST * largest);
  return String(drawn[Math.floor(share * drawn.length)].slice);
}

/* The same number of the series gives the same exercises. */
async function find_new() {
  const { seed, grade, unlike } = wanted;
  const other = unlike ? set_beside() : null;
  wanted.number += 1;
  for (let i = 0; i < TRIES; i++) {
    const share = (what) => random_of(seed, what, wanted.number, i);
    const asked = { slice: slice_of_try(share("slice")), seed: 1 + Math.floor(share("seed") * SEEDS), grade: grade || null, unlike: other && [other.rules, other.cycles].filter(Boolean).join("/") };
    try {
      const found = await ask_exercise(shown.set, asked, shown.catalogue.tables);
      if (found.position !== null) return found;
    } catch (problem) {
      if (as_problem(problem).kind !== "missing") throw problem;
    }
  }
  return null;
}

async function take_next() {
  const due = due_of(shown.set);
  return due ? { exercise: due, again: true } : { exercise: await find_new(), again: false };
}

/** Shows the next exercise: a mistake that is due, else a new one. */
export async function next_exercise() {
  if (waiting()) return;
  const mine = walk_now();
  const had_focus = page("train").contains(document.activeElement) || page("steps").contains(document.activeElement);
  page("main").setAttribute("aria-busy", "true");
  const found = await take_next().catch((problem) => ({ exercise: null, problem: as_problem(problem) }));
  if (mine !== walk_now()) return;
  page("main").setAttribute("aria-busy", "false");
  if (!found.exercise) return end_with(found.problem);
  await show_exercise(shown.set, found.exercise, found.again);
  if (had_focus) (page("board").querySelector('[role="button"]') ?? page("board")).focus();
}

function end_with(problem) {
  shown.train = null;
  const words = problem ? text("problem.gone") : text("train.none");
  wanted.problem = problem?.message ? said(problem) : { words, lang: null };
  remember("same");
  draw();
  say([wanted.problem.words]);
}

/** Shows an exercise, from the notebook or new. */
export async function show_exercise(set, exercise, again) {
  wanted.problem = null;
  await load_board(set.game);
  return begin_exercise(set, { exercise, again, chosen: null, beside: null });
}

/* Asks for the same board under other rules. */
async function look_beside() {
  const set = set_beside();
  if (!set) return null;
  const answer = await ask_position(set, shown.train.exercise.position, shown.catalogue.tables).catch(() => null);
  return answer && { set, answer };
}

/** Takes a person's answer, a move; "" if the person gives up. */
export async function answer_exercise(name) {
  if (waiting() || shown.train.chosen !== null) return;
  const mine = walk_now();
  note_answer(shown.set, shown.train.exercise, name);
  shown.train = { ...shown.train, chosen: name };
  const beside = await look_beside();
  if (mine !== walk_now()) return;
  shown.train.beside = beside;
  remember("same");
  draw();
  say_exercise();
  page("train_next")?.focus({ preventScroll: true });
}

export function stop_training() {
  shown.train = null;
  return show_position({ how: "same" });
}

/** Reads a notebook from a file. */
export function take_notebook(words) {
  let taken = null;
  try {
    taken = add_notebook(words);
  } catch {
    // The file is no notebook.
  }
  draw();
  return taken;
}

export function empty_notebook() {
  clear_notebook();
  draw();
}
