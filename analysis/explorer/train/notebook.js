// Keeps the notebook of mistakes in the browser: a mistake comes again after 1, 3 and 7 other exercises, and is learnt after a right answer each time.

const REMEMBERED = "tauler.notebook";
const VERSION = 1;
const AFTER = [1, 3, 7];
const MOST = 500;

/* count: exercises that were answered; mistakes, newest first: {game, rules, cycles, position, roll, right, natural, grade, plies, chosen, stage, due}. */
let notebook = { version: VERSION, count: 0, mistakes: [] };

const is_text = (one, most = 600) => typeof one === "string" && one.length <= most;
const is_whole = (one, most = Number.MAX_SAFE_INTEGER) => Number.isInteger(one) && one >= 0 && one <= most;
const or_null = (is) => (one) => one === null || is(one);

const FIELDS = {
  game: is_text,
  rules: is_text,
  cycles: or_null(is_text),
  position: is_text,
  roll: or_null((one) => is_text(one) || is_whole(one)),
  right: is_text,
  natural: is_text,
  grade: (one) => is_whole(one, 3),
  plies: or_null(is_whole),
  chosen: is_text,
  stage: (one) => is_whole(one, AFTER.length),
  due: is_whole,
};

/* The known fields of a mistake; null if one is missing or wrong. */
function read_mistake(given) {
  const read = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, given?.[name] ?? null]));
  return Object.entries(FIELDS).every(([name, is]) => is(read[name])) ? read : null;
}

function read_notebook(words) {
  const given = JSON.parse(words);
  if (given?.version !== VERSION || !is_whole(given.count) || !Array.isArray(given.mistakes)) throw new SyntaxError("no notebook");
  const mistakes = given.mistakes.map(read_mistake);
  if (mistakes.includes(null)) throw new SyntaxError("no mistake");
  return { version: VERSION, count: given.count, mistakes };
}

try {
  const kept = localStorage.getItem(REMEMBERED);
  if (kept !== null) notebook = read_notebook(kept);
} catch {
  // The browser has no notebook, or none that can be read.
}

function keep() {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(notebook));
  } catch {
    // The notebook holds until the page is left.
  }
}

const name_of = ({ game, rules, cycles, position, roll }) => JSON.stringify([game, rules, cycles, position, roll]);

export const mistakes = () => notebook.mistakes;
export const is_learnt = ({ stage }) => stage >= AFTER.length;

/** The number of exercises before this one comes again. */
export const exercises_before = ({ due }) => Math.max(0, due - notebook.count);

/** The mistake of a rule set that has waited longest; null if none is due. */
export function due_of(set) {
  const due = notebook.mistakes.filter((one) => one.game === set.game && one.rules === set.rules && one.cycles === set.cycles && !is_learnt(one) && exercises_before(one) === 0);
  return due.reduce((first, one) => (first && first.due <= one.due ? first : one), null);
}

/** Notes an answer; a right answer is noted only for a known mistake. `chosen` is "" if the person gave up. */
export function note_answer(set, exercise, chosen) {
  notebook.count += 1;
  const noted = read_mistake({ ...exercise, ...set, chosen, stage: 0, due: notebook.count + AFTER[0] });
  const known = notebook.mistakes.find((one) => name_of(one) === name_of(noted));
  if (chosen !== exercise.right) {
    notebook.mistakes = [noted, ...notebook.mistakes.filter((one) => one !== known)].slice(0, MOST);
  } else if (known && !is_learnt(known) && exercises_before(known) === 0) {
    known.stage += 1;
    known.due = notebook.count + (AFTER[known.stage] ?? 0);
  }
  keep();
}

export const written_notebook = () => JSON.stringify(notebook, null, 1);

/** Adds the mistakes of a notebook file; known mistakes stay. Throws if the file is no notebook. */
export function add_notebook(words) {
  const { count, mistakes: added } = read_notebook(words);
  const known = new Set(notebook.mistakes.map(name_of));
  const moved = added.filter((one) => !known.has(name_of(one))).map((one) => ({ ...one, due: notebook.count + Math.max(0, one.due - count) }));
  notebook.mistakes = [...notebook.mistakes, ...moved].slice(0, MOST);
  keep();
  return moved.length;
}

export function clear_notebook() {
  notebook = { version: VERSION, count: 0, mistakes: [] };
  keep();
}
