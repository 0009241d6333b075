// Draws the board of aualé: two rows of six pits, two stores, and every seed.
import { badge, board_svg, html, move_class, set_strength, svg, svg_button } from "../drawing.js";
import { plates_note } from "./figures.js";

// texts: auale.example.start auale.example.endgame auale.example.few

const LETTERS = "ABCDEFabcdef";
const MOST_SEEDS = 48;
const MOST_DRAWN = 24;

const START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
const EXAMPLES = [
  { seeds: 9, name: "auale.example.endgame", position: "0-0-1-0-2-1-1-0-0-3-0-1-20-19-S" },
  { seeds: 8, name: "auale.example.endgame", position: "0-0-1-0-2-1-1-0-0-3-0-0-20-20-S" },
  { seeds: 4, name: "auale.example.few", position: "0-0-1-0-1-1-1-0-0-0-0-0-22-22-S" },
  { seeds: 2, name: "auale.example.few", position: "1-0-0-0-0-0-0-0-0-0-0-1-23-23-S" },
];

function examples(_rules, slices) {
  const held = Math.max(-1, ...slices.map((slice) => Number(slice.slice)));
  const start = { name: "auale.example.start", position: START };
  const shown = EXAMPLES.find((example) => example.seeds <= held);
  if (held >= MOST_SEEDS || !shown) return [start];
  return [shown, start];
}

function parse(position) {
  const fields = position.split("-");
  if (fields.length !== 15 || !/^[SN]$/.test(fields[14])) return null;
  const numbers = fields.slice(0, 14).map((field) => (/^\d{1,2}$/.test(field) ? Number(field) : NaN));
  if (numbers.some((number) => !(number <= MOST_SEEDS))) return null;
  return { pits: numbers.slice(0, 12), stores: numbers.slice(12), south: fields[14] === "S" };
}

function format(state) {
  return [...state.pits, ...state.stores, state.south ? "S" : "N"].join("-");
}

function side(state, text) {
  return text(state.south ? "auale.south" : "auale.north");
}

const seats = (_state, text) => [
  { turn: "S", name: text("auale.south") },
  { turn: "N", name: text("auale.north") },
];

function row(state, from, text) {
  const filled = [];
  for (let pit = from; pit < from + 6; pit++) {
    if (state.pits[pit] > 0) filled.push(`${LETTERS[pit]} ${state.pits[pit]}`);
  }
  return filled.length > 0 ? filled.join(", ") : text("auale.empty_row");
}

function describe(state, text) {
  return text("auale.describe", {
    side: side(state, text),
    south: row(state, 0, text),
    north: row(state, 6, text),
    south_store: state.stores[0],
    north_store: state.stores[1],
  });
}

/* --- Drawing: all lengths in units of the view box --- */

const WIDTH = 760;
const HEIGHT = 402;
const PIT = 40;
const PITCH = 90;
const FIRST_PIT_X = (WIDTH - 5 * PITCH) / 2;
const BOARD = { x: 8, y: 50, width: WIDTH - 16, height: 302 };
const ROWS = {
  south: { pits: 276, count: 220, letter: 333, badge: 378 },
  north: { pits: 126, count: 182, letter: 69, badge: 24 },
};
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

// True if North sits below.
let turned = false;

function place_of(pit) {
  const below = pit < 6 !== turned;
  const column = pit % 6;
  return { x: FIRST_PIT_X + PITCH * (below ? column : 5 - column), row: below ? ROWS.south : ROWS.north };
}

/* Seeds lie in a spiral, each turned a little. Equal numbers of seeds get equal drawings. */
function seeds_in_pit(x, y, count) {
  const drawn = Math.min(count, MOST_DRAWN);
  const reach = drawn > 12 ? 7 : 10;
  const size = drawn > 12 ? 6.2 : 8.4;
  return Array.from({ length: drawn }, (_, i) => {
    const angle = i * GOLDEN_ANGLE;
    const distance = drawn === 1 ? 0 : reach * Math.sqrt(i + 0.35);
    return seed(x + distance * Math.cos(angle), y + distance * Math.sin(angle), size, i);
  });
}

function seeds_in_store(x, top, count) {
  return Array.from({ length: Math.min(count, MOST_SEEDS) }, (_, i) => {
    const column = i % 4;
    const line = Math.floor(i / 4);
    return seed(x + (column - 1.5) * 14 + (line % 2 ? 2 : -2), top + line * 13, 5.6, i);
  });
}

function seed(x, y, size, turn) {
  return svg("ellipse", {
    class: `seed shade${turn % 3}`,
    cx: x.toFixed(1),
    cy: y.toFixed(1),
    rx: size,
    ry: size * 0.8,
    transform: `rotate(${(turn * 47) % 180} ${x.toFixed(1)} ${y.toFixed(1)})`,
  });
}

function bowl(pit, count) {
  const { x, row: at } = place_of(pit);
  return [
    svg("circle", { class: "bowl", cx: x, cy: at.pits, r: PIT }),
    svg("g", { "aria-hidden": "true" }, seeds_in_pit(x, at.pits, count)),
    svg("text", { class: count > 0 ? "count" : "count none", x, y: at.count, "aria-hidden": "true" }, count),
  ];
}

function letter(pit) {
  const { x, row: at } = place_of(pit);
  return svg("text", { class: "letter", x, y: at.letter, "aria-hidden": "true" }, LETTERS[pit]);
}

function store(state, south, text) {
  const below = south !== turned;
  const x = below ? WIDTH - 63 : 63;
  const at = below ? ROWS.south : ROWS.north;
  const count = state.stores[south ? 0 : 1];
  return svg(
    "g",
    { class: "store", "aria-hidden": "true" },
    svg("rect", { class: "bowl", x: x - 36, y: 86, width: 72, height: 230, rx: 34 }),
    svg("text", { class: "count", x, y: 116 }, count),
    seeds_in_store(x, 146, count),
    svg("text", { class: "owner", x, y: at.letter }, text(south ? "auale.south" : "auale.north")),
  );
}

/* Marks the rim of the board beside the row of the side to move. */
function turn_mark(state) {
  const y = state.south !== turned ? BOARD.y + BOARD.height : BOARD.y;
  return svg("line", { class: "to_move", x1: FIRST_PIT_X - PIT, x2: WIDTH - FIRST_PIT_X + PIT, y1: y, y2: y });
}

function pit_to_play(state, pit, move, view) {
  const { x, row: at } = place_of(pit);
  const button = svg_button(
    { label: move.label, class: `pit ${move_class(move)}`, on_press: () => view.on_move(move), "data-move": move.name },
    svg("rect", { class: "reach", x: x - PITCH / 2, y: Math.min(at.pits, at.badge) - 22, width: PITCH, height: Math.abs(at.badge - at.pits) + 44 + PIT / 2 }),
    bowl(pit, state.pits[pit]),
    svg("circle", { class: "ring", cx: x, cy: at.pits, r: PIT + 1 }),
    letter(pit),
    badge(x, at.badge, move, 26),
  );
  return set_strength(button, move);
}

function pit_to_fill(state, pit, view) {
  const pits = state.pits.map((count, other) => (other === pit ? Math.min(count + 1, MOST_SEEDS) : count));
  const label = view.text("auale.add_seed", { pit: LETTERS[pit], n: state.pits[pit] });
  return svg_button(
    { label, class: "pit editable", on_press: () => view.on_edit({ ...state, pits }), "data-pit": LETTERS[pit] },
    bowl(pit, state.pits[pit]),
    svg("circle", { class: "ring", cx: place_of(pit).x, cy: place_of(pit).row.pits, r: PIT + 1 }),
    letter(pit),
  );
}

function pit_at_rest(state, pit, view) {
  const played = view.previous?.move === LETTERS[pit];
  return svg("g", { class: `pit${played ? " played" : ""}`, "aria-hidden": "true" }, bowl(pit, state.pits[pit]), letter(pit));
}

function drawing(state, view) {
  const pits = Array.from({ length: 12 }, (_, pit) => {
    if (view.editing) return pit_to_fill(state, pit, view);
    const move = view.moves.find((one) => one.name === LETTERS[pit]);
    return move ? pit_to_play(state, pit, move, view) : pit_at_rest(state, pit, view);
  });
  return board_svg(
    { width: WIDTH, height: HEIGHT, label: view.text("auale.board"), class: "auale" },
    svg("rect", { class: "board", ...BOARD, rx: 34 }),
    svg("line", { class: "groove", x1: FIRST_PIT_X - PIT, x2: WIDTH - FIRST_PIT_X + PIT, y1: 201, y2: 201 }),
    turn_mark(state),
    store(state, false, view.text),
    store(state, true, view.text),
    pits,
  );
}

/* --- Sowing --- */

/* A picture for each seed that falls; captured seeds lie in the store at the end of the move. */
function frames(state, name) {
  const from = LETTERS.indexOf(name);
  if (from < 0) return [];
  const pits = [...state.pits];
  const shown = [];
  let pit = from;
  for (let hand = pits.splice(from, 1, 0)[0]; hand > 0; hand--) {
    do pit = (pit + 1) % 12;
    while (pit === from);
    pits[pit]++;
    shown.push({ state: { ...state, pits: [...pits] } });
  }
  return shown;
}

/* --- Setting up by hand --- */

function number_field(label, value, on_number) {
  const field = html("input", { type: "number", min: 0, max: MOST_SEEDS, inputmode: "numeric", value, "aria-label": label });
  field.addEventListener("change", () => {
    const number = Math.trunc(Number(field.value));
    on_number(Math.min(Math.max(number || 0, 0), MOST_SEEDS));
  });
  return field;
}

function pit_field(state, pit, view) {
  const label = view.text("auale.seeds_in", { pit: LETTERS[pit] });
  const field = number_field(label, state.pits[pit], (number) => {
    view.on_edit({ ...state, pits: state.pits.map((count, other) => (other === pit ? number : count)) });
  });
  return html("span", { class: "pit_field" }, html("span", { "aria-hidden": "true" }, LETTERS[pit]), field);
}

function store_field(state, which, view) {
  const label = view.text(which === 0 ? "auale.store_of_south" : "auale.store_of_north");
  const field = number_field(label, state.stores[which], (number) => {
    view.on_edit({ ...state, stores: state.stores.map((count, other) => (other === which ? number : count)) });
  });
  return html("span", { class: "pit_field" }, html("span", { "aria-hidden": "true" }, label), field);
}

function side_field(state, view) {
  const choose = (south) =>
    html(
      "label",
      {},
      html("input", {
        type: "radio",
        name: "auale_side",
        checked: state.south === south,
        change: () => view.on_edit({ ...state, south }),
      }),
      view.text(south ? "auale.south" : "auale.north"),
    );
  return html("fieldset", { class: "sides" }, html("legend", {}, view.text("edit.to_move")), choose(true), choose(false));
}

function edit_tools(state, view) {
  const fields = (pits) => html("div", { class: "pit_fields" }, pits.map((pit) => pit_field(state, pit, view)));
  return html(
    "div",
    { class: "edit_tools auale_tools" },
    html("p", {}, view.text("auale.edit_hint")),
    fields([11, 10, 9, 8, 7, 6]),
    fields([0, 1, 2, 3, 4, 5]),
    html("div", { class: "store_fields" }, store_field(state, 0, view), store_field(state, 1, view)),
    side_field(state, view),
  );
}

function draw(host, view) {
  turned = view.turned;
  host.append(drawing(view.state, view));
  if (view.editing) host.append(edit_tools(view.state, view));
}

export default { game: "auale", separator: "", examples, parse, format, describe, side, seats, lead: ({ stores }) => stores[0] - stores[1], turns: true, frames, notes: (view) => [plates_note(view, "plates.scores")], draw };
