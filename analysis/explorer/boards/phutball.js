// Draws the board of phutball: points, men, the ball, and beyond the goal lines the strips where it leaves the board.
// States are those of phutball_places.js; `out` is the place of a ball that has left the board.

import { badge, board_svg, html, move_class, number_field, set_strength, svg, svg_button } from "../drawing.js";
import { plates_note, with_plies } from "./figures.js";
import { empty_board, format, is_on_board, jumped, LETTERS, MOST_COLUMNS, MOST_ROWS, name_of, parse, path_places, place_of, place_of_stop, put, resize, stops_of, turns_after } from "./phutball_places.js";

// texts: phutball.example.start phutball.example.jumps phutball.example.path

const PITCH = 100;

// The selected tool of the palette: "man", "ball" or "eraser".
let selected = "man";

/* --- words --- */

const side_name = (side, text) => text(side === "O" ? "phutball.ohs" : "phutball.eks");

function describe(state, text) {
  const men = [];
  state.men.forEach((man, point) => {
    if (man) men.push(name_of(place_of(state, point)));
  });
  return text("phutball.describe", {
    side: side_name(state.side, text),
    rows: state.rows,
    columns: state.columns,
    ball: state.ball === null ? text("phutball.nowhere") : name_of(place_of(state, state.ball)),
    men: men.join(", ") || text("phutball.no_men"),
  });
}

/* --- the field: lengths in units of the view box --- */

// True if Eks sits below.
let turned = false;

// A narrow board gets room at its sides, so it does not grow taller than a screen. Letters keep their size on the page
// for any number of points.
function measure(state, rules) {
  const letters = Math.max(26, (state.columns + 2) * 4.1, (state.rows + 3) * 3.05);
  const side = rules.includes("corner=exit") ? PITCH : letters + 14;
  const height = (state.rows + 2) * PITCH + letters * 1.6;
  const board = (state.columns - 1) * PITCH;
  const width = Math.max(board + 2 * side + PITCH, 0.9 * height);
  const left = (width - board) / 2;
  return {
    width,
    height,
    letters,
    left,
    x: (column) => left + (turned ? state.columns - 1 - column : column) * PITCH,
    y: (row) => (turned ? row + 1.5 : state.rows - row + 0.5) * PITCH,
  };
}

function draw_strip(state, at, last, text, named) {
  const side = last ? "O" : "E";
  const y = last !== turned ? PITCH * 0.08 : (state.rows + 1) * PITCH;
  return svg(
    "g",
    { class: `strip of-${side}${side === state.side ? " to_move" : ""}` },
    svg("rect", { x: at.left - PITCH * 0.6, y, width: (state.columns + 0.2) * PITCH, height: PITCH * 0.92, rx: 16 }),
    named
      ? svg("text", { x: at.x((state.columns - 1) / 2), y: y + PITCH * 0.46, "font-size": at.letters }, text(last ? "phutball.goal_of_ohs" : "phutball.goal_of_eks"))
      : null,
  );
}

function draw_lines(state, at) {
  const lines = [];
  const right = at.left + (state.columns - 1) * PITCH;
  for (let row = 1; row < state.rows - 1; row++) lines.push(`M${at.left} ${at.y(row)} H${right}`);
  for (let column = 0; column < state.columns; column++) {
    lines.push(`M${at.x(column)} ${at.y(0)} V${at.y(state.rows - 1)}`);
  }
  const goal = (row, side) =>
    svg("path", { class: `goal of-${side}`, d: `M${at.left - 24} ${at.y(row)} H${right + 24}` });
  return [svg("path", { class: "lines", d: lines.join(" ") }), goal(0, "E"), goal(state.rows - 1, "O")];
}

function draw_names(state, at) {
  const size = { "font-size": at.letters };
  const rows = Array.from({ length: state.rows }, (_, row) =>
    svg("text", { ...size, x: at.left - PITCH * 0.62 - at.letters * 0.6, y: at.y(row) }, String(row + 1)),
  );
  const columns = Array.from({ length: state.columns }, (_, column) =>
    svg("text", { ...size, x: at.x(column), y: (state.rows + 2) * PITCH + at.letters * 0.8 }, LETTERS[column]),
  );
  return svg("g", { class: "names" }, rows, columns);
}

// While the ball may leave the board, the names of the goals are left out: they would be in its way.
function draw_field(state, at, text, jumping) {
  return svg(
    "g",
    { "aria-hidden": "true" },
    svg("rect", {
      class: "field",
      x: at.left - PITCH * 0.6,
      y: PITCH * 1.0,
      width: (state.columns + 0.2) * PITCH,
      height: state.rows * PITCH,
    }),
    draw_strip(state, at, true, text, !jumping),
    draw_strip(state, at, false, text, !jumping),
    draw_lines(state, at),
    draw_names(state, at),
  );
}

/* --- men, ball, places to press --- */

// Draws the ball at rest; a jump moves it.
const standing_ball = (at, { row, column }) => svg("g", { "aria-hidden": "true", "data-at": "ball" }, draw_ball(at.x(column), at.y(row)));

const draw_man = (x, y) => svg("circle", { class: "man", cx: x, cy: y, r: 37 });

const draw_ball = (x, y) => [
  svg("circle", { class: "ball", cx: x, cy: y, r: 40 }),
  svg("path", {
    class: "seam",
    d: `M${x} ${y - 17} L${x + 16} ${y - 5} L${x + 10} ${y + 14} L${x - 10} ${y + 14} L${x - 16} ${y - 5}Z
        M${x} ${y - 17} V${y - 38} M${x + 16} ${y - 5} L${x + 36} ${y - 12} M${x + 10} ${y + 14} L${x + 23} ${y + 31}
        M${x - 10} ${y + 14} L${x - 23} ${y + 31} M${x - 16} ${y - 5} L${x - 36} ${y - 12}`,
  }),
];

const whole_point = (x, y) =>
  svg("rect", { class: "whole", x: x - PITCH / 2, y: y - PITCH / 2, width: PITCH, height: PITCH, rx: 14 });

// Draws a point for a man, or a stop of the ball. A move of unknown value has no plate.
function draw_choice(place, move, at, { label, on_press, kind }) {
  const x = at.x(place.column);
  const y = at.y(place.row);
  const button = svg_button(
    { label, on_press, class: `choice ${kind} ${move_class(move)}`, "data-point": name_at(place), "data-move": move.name },
    whole_point(x, y),
    kind === "stop" ? svg("circle", { class: "landing", cx: x, cy: y, r: 38 }) : null,
    move.colour === "unknown" ? svg("circle", { class: "dot", cx: x, cy: y, r: 9 }) : badge(x, y, with_plies(move), Math.max(kind === "stop" ? 30 : 26, at.letters * 0.85)),
  );
  return set_strength(button, move);
}

const name_at = ({ row, column }) => `${LETTERS[column] ?? "exit"}${row + 1}`;

function draw_placements(state, view, at) {
  const buttons = [];
  for (const move of view.moves) {
    const stops = stops_of(move);
    if (stops.length !== 1) continue;
    const place = place_of_stop(state, stops[0]);
    buttons.push(draw_choice(place, move, at, { label: move.label, on_press: () => view.on_move(move), kind: "place" }));
  }
  return buttons;
}

function draw_stops(state, view, at, path, on, go_on) {
  const from = path_places(state, path).at(-1);
  return [...on].map(([stop, move]) => {
    const place = place_of_stop(state, stop, from);
    const label = view.text(is_on_board(state, place) ? "phutball.jump_to" : "phutball.leave_at", { stop, move: move.label });
    return draw_choice(place, move, at, { label, on_press: () => go_on(stop), kind: "stop" });
  });
}

function draw_path(at, places) {
  if (places.length < 2) return null;
  const d = places.map(({ row, column }, i) => `${i ? "L" : "M"}${at.x(column)} ${at.y(row)}`).join(" ");
  return svg("path", { class: "path", d, "aria-hidden": "true" });
}

function draw_men(state, at, gone) {
  const men = [];
  state.men.forEach((man, point) => {
    if (!man) return;
    const { row, column } = place_of(state, point);
    const drawn = draw_man(at.x(column), at.y(row));
    if (gone.has(point)) drawn.classList.add("gone");
    men.push(drawn);
  });
  return svg("g", { "aria-hidden": "true" }, men);
}

function draw_previous(view, at) {
  if (!view.previous) return null;
  const before = parse(view.previous.position);
  if (!before) return null;
  const places = path_places(before, stops_of({ name: view.previous.move }));
  const marks = places.map(({ row, column }) => svg("circle", { cx: at.x(column), cy: at.y(row), r: 47 }));
  return svg("g", { class: "previous", "aria-hidden": "true" }, draw_path(at, places), marks.at(-1));
}

// Draws the ball as a button: it begins a path, and finishes it at its end.
function draw_ball_button(state, view, at, path, turns, press) {
  const { row, column } = path ? path_places(state, path).at(-1) : place_of(state, state.ball);
  const x = at.x(column);
  const y = at.y(row);
  const label = !path
    ? view.text(turns.on.values().next().value.hidden ? "phutball.take_ball_plain" : "phutball.take_ball", { point: name_of({ row, column }), best: turns.on.values().next().value.label })
    : turns.here
      ? view.text("phutball.stop_here", { move: turns.here.label })
      : view.text("phutball.put_back");
  const best = path ? turns.here : turns.on.values().next().value;
  return svg_button(
    { label, on_press: press, class: `ball_button${path ? " moving" : ""}`, "data-point": "ball" },
    whole_point(x, y),
    draw_ball(x, y),
    best && best.colour !== "unknown" ? badge(x + 26, y - 36, with_plies(best), Math.max(27, at.letters * 0.85)) : null,
  );
}

function draw_play(state, view, at, path, act) {
  const ball = state.ball === null ? (state.out ?? null) : place_of(state, state.ball);
  const begin = ball && name_of(ball);
  const turns = ball ? turns_after(view.moves, path ?? [begin]) : { here: null, on: new Map() };
  const places = path ? path_places(state, path) : [];
  const jumps = path || turns.on.size > 0;
  return [
    path ? null : draw_previous(view, at),
    draw_men(state, at, jumped(state, places)),
    draw_path(at, places),
    ball && !jumps ? standing_ball(at, ball) : null,
    path ? draw_stops(state, view, at, path, turns.on, act.go_on) : draw_placements(state, view, at),
    jumps ? draw_ball_button(state, view, at, path, turns, act.press_ball(turns.here, begin)) : null,
  ];
}

function draw_set_up(state, view, at) {
  return state.men.map((man, point) => {
    const { row, column } = place_of(state, point);
    const x = at.x(column);
    const y = at.y(row);
    const what = point === state.ball ? "phutball.ball" : man ? "phutball.man" : "phutball.vacant";
    return svg_button(
      {
        label: `${name_of({ row, column })}: ${view.text(what)}`,
        on_press: () => view.on_edit(put(state, point, selected)),
        class: "point",
        "data-point": name_of({ row, column }),
      },
      whole_point(x, y),
      point === state.ball ? draw_ball(x, y) : man ? draw_man(x, y) : svg("circle", { class: "dot", cx: x, cy: y, r: 9 }),
    );
  });
}

/* --- beside the board --- */

function radio(name, value, checked, words, change) {
  return html("label", {}, html("input", { type: "radio", name, value, checked, change }), ` ${words}`);
}

function draw_palette(state, view) {
  const { text } = view;
  const tool = (what, key) =>
    radio("phutball-in-hand", what, selected === what, text(key), () => {
      selected = what;
    });
  const to_move = (side) =>
    radio("phutball-side", side, state.side === side, side_name(side, text), () => view.on_edit({ ...state, side }));
  const empty = empty_board(state.rows, state.columns, state.side);
  return html(
    "div",
    { class: "edit_tools phutball" },
    html(
      "fieldset",
      {},
      html("legend", {}, text("phutball.palette")),
      tool("man", "phutball.man"),
      tool("ball", "phutball.ball"),
      tool("eraser", "phutball.eraser"),
    ),
    html("fieldset", {}, html("legend", {}, text("phutball.to_move")), to_move("O"), to_move("E")),
    html(
      "fieldset",
      {},
      html("legend", {}, text("phutball.size")),
      number_field(text("phutball.rows"), state.rows, 3, MOST_ROWS, (rows) => view.on_edit(resize(state, rows, state.columns))),
      number_field(text("phutball.columns"), state.columns, 1, MOST_COLUMNS, (columns) => view.on_edit(resize(state, state.rows, columns))),
    ),
    html("p", { class: "row" }, html("button", { type: "button", click: () => view.on_edit(empty) }, text("phutball.clear"))),
  );
}

function draw_path_buttons(state, view, path, act) {
  const { here } = turns_after(view.moves, path);
  const buttons = [];
  if (here) {
    const words = view.text(here.hidden ? "phutball.finish_plain" : "phutball.finish", { move: here.name, figure: with_plies(here).figure });
    buttons.push(html("button", { type: "button", class: "finish", click: () => view.on_move(here) }, words));
  }
  buttons.push(html("button", { type: "button", class: "back", click: act.step_back }, view.text("phutball.back")));
  return html(
    "div",
    { class: "path_buttons" },
    html("p", {}, view.text(here ? "phutball.path_may_end" : "phutball.path_goes_on", { path: path.join("-") })),
    html("p", { class: "row" }, buttons),
  );
}

/* --- moves --- */

/* The position after a move, as far as it is on the board: a ball in a goal stands beyond its line. */
function after(state, name) {
  const places = path_places(state, stops_of({ name }));
  const gone = jumped(state, places);
  const men = state.men.map((man, point) => man && !gone.has(point));
  const side = state.side === "O" ? "E" : "O";
  const { row, column } = places.at(-1);
  if (places.length === 1) return { ...state, men: men.with(row * state.columns + column, true), side };
  return is_on_board(state, places.at(-1)) ? { ...state, men, ball: row * state.columns + column, side } : { ...state, men, ball: null, out: { row, column }, side };
}

/* A picture for each jump; the men that the ball has jumped are gone. */
function frames(state, name, rules) {
  const stops = stops_of({ name });
  const at = measure(state, rules);
  const places = path_places(state, stops);
  return places.slice(1).map((to, i) => {
    const from = places[i];
    const here = i === 0 ? state : after(state, stops.slice(0, i + 1).join("-"));
    return { state: here, slide: { of: '[data-at="ball"]', x: at.x(to.column) - at.x(from.column), y: at.y(to.row) - at.y(from.row) } };
  });
}

const seats = (_state, text) => ["O", "E"].map((side) => ({ turn: side, name: side_name(side, text) }));

/* --- the board --- */

function draw(host, view) {
  const { state } = view;
  turned = view.turned;
  const at = measure(state, view.rules);
  let path = null;

  const show = (focus) => {
    const board = board_svg(
      { width: at.width, height: at.height, label: view.text("phutball.board"), class: "board phutball" },
      draw_field(state, at, view.text, path !== null),
      view.editing ? draw_set_up(state, view, at) : draw_play(state, view, at, path, act),
    );
    board.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && path) act.give_up();
    });
    const beside = view.editing ? draw_palette(state, view) : path ? draw_path_buttons(state, view, path, act) : "";
    host.replaceChildren(board, beside);
    if (focus) host.querySelector('[data-point="ball"]')?.focus();
  };

  const set_path = (next) => {
    path = next;
    show(true);
  };

  const act = {
    go_on(stop) {
      const next = [...path, stop];
      const turns = turns_after(view.moves, next);
      if (turns.on.size === 0) view.on_move(turns.here);
      else set_path(next);
    },
    press_ball: (here, begin) => () => {
      if (!path) set_path([begin]);
      else if (here) view.on_move(here);
      else act.give_up();
    },
    step_back: () => set_path(path.length > 1 ? path.slice(0, -1) : null),
    give_up: () => set_path(null),
  };

  show(false);
}

function example_jumps(rows, columns) {
  const state = empty_board(rows, columns, "O");
  const above = state.ball + columns;
  if (above < (rows - 1) * columns) state.men[above] = true;
  const beside = state.ball - 1;
  if (state.ball % columns > 1) state.men[beside] = true;
  return format(state);
}

/* The ball in the middle of the second row, and men on every other point before it. */
function example_path(rows, columns) {
  const state = { ...empty_board(rows, columns, "O"), ball: columns + Math.floor(columns / 2) };
  for (let row = 1; row + 1 < rows; row += 2) state.men[row * columns + state.ball] = true;
  return format(state);
}

function examples(_rules, slices) {
  const held = slices.map(({ slice, positions }) => ({ size: /^(\d+)x(\d+)$/.exec(slice), positions })).filter(({ size }) => size);
  held.sort((a, b) => b.positions - a.positions);
  const [rows, columns] = held.length ? held[0].size.slice(1).map(Number) : [5, 3];
  return [
    { name: "phutball.example.jumps", position: example_jumps(rows, columns) },
    { name: "phutball.example.start", position: format(empty_board(rows, columns, "O")) },
    { name: "phutball.example.path", position: example_path(rows, columns) },
  ];
}

export default {
  game: "phutball",
  separator: " ",
  examples,
  parse,
  format,
  describe,
  side: (state, text) => side_name(state.side, text),
  seats,
  turns: true,
  after,
  frames,
  notes: (view) => [plates_note(view, "phutball.plates")],
  draw,
};
