// Draws the list of moves, best first: each is a button with its value, its depth and notes.
import { html, move_class, set_strength } from "./drawing.js";
import { percent, text } from "./language.js";
import { term } from "./term.js";
import { figure_of, seats_of } from "./values.js";

// Longer lists scroll by themselves, so the parts below them stay within reach.
const MOST_UNFOLDED = 40;

function notes_of(move, kind) {
  const notes = [];
  if (move.repeats) notes.push(text("moves.repeats"));
  if (move.position === null) notes.push(text("moves.over"));
  else if (move.converts) notes.push(text(kind === "scores" ? "moves.converts" : "moves.converts_outcome"));
  if (move.best && !move.only) notes.push(text("moves.best"));
  return notes.join(", ");
}

function move_button(move, on_move) {
  const name = move.name === "pass" ? text("moves.pass") : move.name;
  return html("button", { type: "button", class: "play", "aria-label": move.label, "data-move": move.name, click: () => on_move(move) }, name);
}

/* The columns that some move has an entry for. */
function columns_of(moves, kind) {
  const some = (field) => moves.some((move) => move[field] !== null && move[field] !== undefined);
  return [
    some("history") && { title: text("moves.after_capture"), cell: (move) => figure_of(move.bounds, kind) },
    some("depth") && { title: [text("moves.depth"), term("plies", text("moves.depth"))], cell: (move) => move.depth ?? "" },
    some("stage") && { title: text("moves.stage"), cell: (move) => move.stage ?? "" },
  ].filter(Boolean);
}

function row(move, columns, kind, on_move) {
  const line = html(
    "tr",
    { class: move_class(move), "data-move": move.name, "data-roll": move.roll },
    html("th", { scope: "row" }, move_button(move, on_move)),
    html("td", {}, html("span", { class: "plate" }, move.figure)),
    columns.map((column) => html("td", { class: "number" }, column.cell(move))),
    html("td", { class: "notes" }, notes_of(move, kind)),
  );
  return set_strength(line, move);
}

/* Moves are grouped by roll; without dice there is one group without a name. */
function table_of(groups, kind, on_move) {
  const columns = columns_of(groups.flatMap((group) => group.moves), kind);
  const titles = [text("moves.move"), [text("moves.value"), term("value", text("moves.value"))], ...columns.map((column) => column.title), text("moves.notes")];
  const name_row = (name) => html("tr", { class: "group" }, html("th", { scope: "rowgroup", colspan: titles.length }, name));
  return html(
    "table",
    { class: "moves" },
    html("caption", { class: "visually_hidden" }, text("moves.title")),
    html("thead", {}, html("tr", {}, titles.map((title) => html("th", { scope: "col" }, title)))),
    groups.map(({ name, moves }) => html("tbody", {}, name && name_row(name), moves.map((move) => row(move, columns, kind, on_move)))),
  );
}

/* With dice a group for each roll, or for the chosen one alone. */
function groups_of({ moves, answer, roll }) {
  if (!answer.rolls) return [{ name: null, moves }];
  const weights = answer.rolls.reduce((sum, one) => sum + one.weight, 0);
  const rolls = answer.rolls.filter((one) => roll === null || one.roll === roll);
  return rolls.map((one) => {
    const name = one.roll === "pass" ? text("moves.pass") : text("moves.roll", { roll: one.roll });
    const chance = one.weight === weights ? "" : ` · ${text("moves.chance", { share: percent(one.weight / weights) })}`;
    return { name: `${name}${chance}`, moves: without_lone_best(moves.filter((move) => move.roll === one.roll)) };
  });
}

/* A lone move is not marked as the best. */
function without_lone_best(moves) {
  return moves.length > 1 ? moves : moves.map((move) => ({ ...move, only: true }));
}

/* Explains the colours. */
function legend({ answer, kind }) {
  const shares = kind === "chance";
  if (shares && seats_of(answer) < 2) return null;
  const entries = [
    ["win", "+", text(shares ? "moves.more_than_share" : "value.win")],
    ["draw", "=", text(shares ? "moves.even_share" : "value.draw")],
    ["loss", "−", text(shares ? "moves.less_than_share" : "value.loss")],
    ["unknown", "?", text("value.unknown")],
  ];
  return html(
    "ul",
    { class: "legend", "aria-label": text("moves.legend") },
    entries.map(([colour, symbol, words]) => html("li", { class: `move best ${colour}` }, html("span", { class: "plate", "aria-hidden": "true" }, shares && symbol !== "?" ? "%" : symbol), words)),
  );
}

export function show_moves(host, view) {
  if (!view?.answer || view.moves.length === 0) {
    host.append(html("p", { class: "quiet" }, text("moves.none")));
    return;
  }
  const table = table_of(groups_of(view), view.kind, view.on_move);
  host.append(view.moves.length > MOST_UNFOLDED ? html("div", { class: "long_list", role: "region", tabindex: "0", "aria-label": text("moves.title") }, table) : table);
  host.append(legend(view) ?? "");
}
