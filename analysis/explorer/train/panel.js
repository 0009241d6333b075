// Draws exercises: the choices before them, the question, the value of the answer, the notebook.
import { rules_name, title_of } from "../choices.js";
import { html, number_field } from "../drawing.js";
import { plural, text } from "../language.js";
import { term } from "../term.js";
import { signed, verdict, words_of } from "../values.js";
import { exercises_before, is_learnt } from "./notebook.js";

const MOST_SEEDS = 999999;
const MOST_LISTED = 100;

// texts: train.grade.0 train.grade.1 train.grade.2 train.grade.3

function choice(id, name, options, chosen, change) {
  const select = html("select", { id, change: () => change(select.value) }, options.map(([value, words]) => html("option", { value, selected: value === chosen }, words)));
  return html("label", {}, html("span", { class: "field_name" }, name), select);
}

function choices_beside({ wanted, sets, on_want }) {
  if (sets.length === 0) return [];
  const unlike = html("input", { type: "checkbox", id: "train_unlike", checked: wanted.unlike, disabled: wanted.beside === "", change: () => on_want({ unlike: unlike.checked }) });
  const options = [["", text("train.beside_none")], ...sets.map(([name, set]) => [name, rules_name(set)])];
  return [
    html("div", { class: "invitation" }, choice("train_beside", text("train.beside_choice"), options, wanted.beside, (beside) => on_want({ beside, unlike: wanted.unlike && beside !== "" }))),
    html("p", {}, html("label", { class: "checked" }, unlike, ` ${text("train.unlike")}`)),
  ];
}

/** Draws the choices before the exercises: difficulty, table, rules beside. */
export function show_training(host, view) {
  const { wanted, slices, on_want, on_next } = view;
  const grades = [0, 1, 2, 3].map((grade) => [String(grade), text(`train.grade.${grade}`)]);
  host.append(
    html("p", { class: "quiet" }, text("train.about")),
    html(
      "div",
      { class: "invitation" },
      choice("train_grade", text("train.grade"), grades, String(wanted.grade), (grade) => on_want({ grade: Number(grade) })),
      choice("train_slice", text("train.slice"), [["", text("train.all")], ...slices], wanted.slice, (slice) => on_want({ slice })),
      html("span", {}, term("slice", text("train.slice"), "_train")),
      html("button", { type: "button", id: "train_start", class: "primary", click: on_next }, text("train.start")),
    ),
    ...choices_beside(view),
    html(
      "details",
      { open: view.more, toggle: (event) => view.on_more(event.target.open) },
      html("summary", {}, text("play.more")),
      html("p", {}, number_field(text("train.seed"), wanted.seed, 0, MOST_SEEDS, (seed) => on_want({ seed }), { id: "train_seed" })),
      html("p", { class: "quiet" }, text("train.seed_hint")),
    ),
    html("p", { class: "said", role: "alert", id: "train_problem", lang: wanted.problem?.lang }, wanted.problem?.words ?? ""),
  );
}

/* --- The question and its answer --- */

const move_named = (moves, name) => moves.find((move) => move.name === name);

/* The task: the value to keep. */
function task(bounds, kind) {
  if (kind === "chance") return text("train.find.chance");
  if (!bounds) return text("train.find.unknown");
  const [lower, upper] = bounds;
  if (lower !== upper) return text("train.find.between", { lower: signed(lower), upper: signed(upper) });
  if (lower === 0) return text("train.find.draw");
  if (kind === "outcomes") return text("train.find.win");
  return text(lower > 0 ? "train.find.win_by" : "train.find.loss_by", { n: Math.abs(lower) });
}

function how_hard({ exercise, again }) {
  const words = [text(`train.grade.${exercise.grade}`)];
  if (exercise.plies) words.push(plural("train.plies", exercise.plies));
  if (again) words.push(text("train.again"));
  return `(${words.join("; ")})`;
}

const move_words = (name) => (name === "pass" ? text("moves.pass") : name);

function verdict_of({ train, moves, kind }) {
  const { exercise, chosen } = train;
  const words_for = (name) => words_of(move_named(moves, name)?.shown, kind);
  const values = { move: move_words(exercise.right), value: words_for(exercise.right) };
  if (chosen === exercise.right) return text("train.right", { ...values, other: move_words(exercise.natural), worse: words_for(exercise.natural) });
  if (chosen === "") return text("train.given_up", values);
  return text("train.wrong", { ...values, other: move_words(chosen), worse: words_for(chosen) });
}

function beside_words({ train, kind, side }) {
  if (!train.beside) return "";
  const { set, answer } = train.beside;
  const best = answer.moves.filter((move) => move.best).map((move) => move.move);
  return text("train.beside", { rules: rules_name(set), verdict: verdict(answer, kind, side)[0], moves: best.join(", ") });
}

/** The sentences about an exercise: the question, then the answer. */
export function exercise_words(view) {
  const { train, side, roll, kind, bounds } = view;
  if (train.chosen === null) return [text(roll === null ? "train.side" : "train.side_roll", { side, roll, task: task(bounds, kind) }), how_hard(train)];
  return [verdict_of(view), beside_words(view)].filter(Boolean);
}

export function show_exercise(host, view) {
  const { train, bounds, kind } = view;
  const [first, ...others] = exercise_words(view);
  const asked = kind !== "chance" && bounds && bounds[0] !== bounds[1] ? term("bounds", text("term.bounds_name")) : "";
  const mark = train.chosen === null ? "" : html("span", { class: "mark", "aria-hidden": "true" }, train.chosen === train.exercise.right ? "✓" : "✗");
  host.append(html("div", { class: "verdict move hidden" }, mark, html("p", {}, html("strong", { id: "train_words" }, first), asked, others.map((words) => html("span", { class: "more" }, words)))));
}

export function show_train_steps(host, { train, on_next, on_give_up, on_stop }) {
  const button = (id, words, press, more = {}) => html("button", { type: "button", class: "step", id, click: press, ...more }, words);
  host.append(
    train.chosen === null ? button("train_give_up", text("train.give_up"), on_give_up) : button("train_next", text("train.next"), on_next, { class: "step primary" }),
    button("train_stop", text("train.stop"), on_stop),
  );
}

/* --- The notebook --- */

function when_again(mistake) {
  if (is_learnt(mistake)) return text("notebook.learnt");
  const n = exercises_before(mistake);
  return n === 0 ? text("notebook.due") : plural("notebook.after", n);
}

function entry(mistake, on_open) {
  const { position, roll, chosen } = mistake;
  const said = text(chosen === "" ? "notebook.given_up" : "notebook.played", { move: move_words(chosen), right: move_words(mistake.right) });
  return html(
    "li",
    {},
    html("button", { type: "button", class: "position", click: () => on_open(mistake) }, `${title_of(mistake)}: ${position}${roll === null ? "" : ` · ${text("moves.roll", { roll })}`}`),
    html("span", { class: "quiet" }, ` ${said} ${when_again(mistake)}`),
  );
}

function notebook_files({ words, on_import, on_clear, any }) {
  const file = html("input", { type: "file", id: "notebook_file", accept: ".json,application/json", change: async () => file.files[0] && on_import(await file.files[0].text()) });
  const address = any ? URL.createObjectURL(new Blob([words], { type: "application/json" })) : null;
  return html(
    "div",
    { class: "row" },
    any && html("a", { href: address, download: "tauler-notebook.json", id: "notebook_save" }, text("notebook.save")),
    html("label", {}, `${text("notebook.load")} `, file),
    any && html("button", { type: "button", id: "notebook_clear", click: on_clear }, text("notebook.clear")),
  );
}

/** `view`: {mistakes, words, open, said, on_…}. */
export function show_notebook(host, view) {
  const { mistakes, on_open } = view;
  const unfolded = html(
    "details",
    { id: "notebook", open: view.open, toggle: () => view.on_unfold(unfolded.open) },
    html("summary", {}, plural("notebook.title", mistakes.length)),
    html("p", { class: "quiet" }, text("notebook.about")),
    mistakes.length > 0 && html("ul", { class: "mistakes" }, mistakes.slice(0, MOST_LISTED).map((one) => entry(one, on_open))),
    notebook_files({ ...view, any: mistakes.length > 0 }),
    html("p", { class: "said", role: "alert", id: "notebook_said" }, view.said ?? ""),
  );
  host.append(unfolded);
}
