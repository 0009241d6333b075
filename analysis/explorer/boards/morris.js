// Draws the board of three men's morris: nine points, the lines between them, and three men a side.
// A state is {men: "w", "b" or "" from a1 on rank by rank, side: "w" or "b"}.

import { badge, board_svg, html, move_class, set_strength, svg, svg_button } from "../drawing.js";
import { plates_note, with_plies } from "./figures.js";

// texts: game.morris
const TEXTS = {
  "en": {
    "game.morris": "Three men’s morris",
    "morris.board": "Board of three men’s morris",
    "morris.w": "White",
    "morris.b": "Black",
    "morris.vacant": "vacant",
    "morris.none": "none",
    "morris.describe": "{side} to move. White men: {white}. Black men: {black}.",
    "morris.take": "Man on {point}: move. Best, {best}",
    "morris.take_plain": "Man on {point}: move",
    "morris.put_back": "Put the man on {point} back",
    "morris.hint": "Press a point: vacant, white, black.",
    "morris.example.start": "Start of the game",
    "morris.example.centre": "The first man in the centre",
    "morris.example.moving": "All men on the board"
  },
  "es": {
    "game.morris": "Tres en raya con tres fichas",
    "morris.board": "Tablero del tres en raya con tres fichas",
    "morris.w": "Blancas",
    "morris.b": "Negras",
    "morris.vacant": "libre",
    "morris.none": "ninguna",
    "morris.describe": "Juegan {side}. Fichas blancas: {white}. Fichas negras: {black}.",
    "morris.take": "Ficha en {point}: mover. La mejor, {best}",
    "morris.take_plain": "Ficha en {point}: mover",
    "morris.put_back": "Dejar la ficha en {point}",
    "morris.hint": "Pulsa un punto: libre, blanca, negra.",
    "morris.example.start": "Inicio de la partida",
    "morris.example.centre": "La primera ficha en el centro",
    "morris.example.moving": "Todas las fichas en el tablero"
  },
  "ca": {
    "game.morris": "Tres en ratlla amb tres fitxes",
    "morris.board": "Tauler del tres en ratlla amb tres fitxes",
    "morris.w": "Blanques",
    "morris.b": "Negres",
    "morris.vacant": "lliure",
    "morris.none": "cap",
    "morris.describe": "Juguen {side}. Fitxes blanques: {white}. Fitxes negres: {black}.",
    "morris.take": "Fitxa a {point}: mou. La millor, {best}",
    "morris.take_plain": "Fitxa a {point}: mou",
    "morris.put_back": "Deixa la fitxa a {point}",
    "morris.hint": "Prem un punt: lliure, blanca, negra.",
    "morris.example.start": "Inici de la partida",
    "morris.example.centre": "La primera fitxa al centre",
    "morris.example.moving": "Totes les fitxes al tauler"
  }
};

const WIDTH = 480;
const HEIGHT = 400;
const PITCH = 120;
const RADIUS = 27;

// True if Black sits below.
let turned = false;

const points = Array.from({ length: 9 }, (_, point) => point);
const name_of = (point) => "abc"[point % 3] + (1 + Math.floor(point / 3));
const x_of = (point) => WIDTH / 2 + (turned ? -PITCH : PITCH) * ((point % 3) - 1);
const y_of = (point) => 185 - (turned ? -PITCH : PITCH) * (Math.floor(point / 3) - 1);

/* --- positions --- */

function parse(position) {
  const found = /^([wb123]+)\/([wb123]+)\/([wb123]+) ([wb])( moves.*)?$/.exec(position);
  if (!found) return null;
  const ranks = found.slice(1, 4).map((rank) => [...rank].flatMap((one) => (/\d/.test(one) ? Array(Number(one)).fill("") : [one])));
  if (ranks.some((rank) => rank.length !== 3)) return null;
  return { men: ranks.reverse().flat(), side: found[4] };
}

function format(state) {
  const rank = (first) => state.men.slice(first, first + 3).map((man) => man || ".").join("").replace(/\.+/g, (run) => run.length);
  return `${rank(6)}/${rank(3)}/${rank(0)} ${state.side}`;
}

const men_of = (state, side) => points.filter((point) => state.men[point] === side);
const side_name = (side, text) => text(side === "w" ? "morris.w" : "morris.b");

function describe(state, text) {
  const list = (side) => men_of(state, side).map(name_of).join(", ") || text("morris.none");
  return text("morris.describe", { side: side_name(state.side, text), white: list("w"), black: list("b") });
}

/* --- the drawing --- */

function draw_lines(rules) {
  const line = (from, to) => `M${x_of(from)} ${y_of(from)} L${x_of(to)} ${y_of(to)}`;
  const straight = [[0, 2], [3, 5], [6, 8], [0, 6], [1, 7], [2, 8]];
  const all = rules.includes("diagonals=no") ? straight : [...straight, [0, 8], [6, 2]];
  return svg("path", { d: all.map(([from, to]) => line(from, to)).join(" "), stroke: "currentColor", "stroke-width": 3, "stroke-opacity": 0.5, fill: "none" });
}

function draw_names() {
  const word = (x, y, name) => svg("text", { x, y, fill: "currentColor", "font-size": 22, "text-anchor": "middle", "dominant-baseline": "central" }, name);
  return svg("g", { "aria-hidden": "true" }, [0, 1, 2].map((file) => word(x_of(file), HEIGHT - 24, "abc"[file])), [0, 3, 6].map((point) => word(WIDTH / 2 - PITCH - 75, y_of(point), 1 + point / 3)));
}

const area = (point) => svg("circle", { class: "area", cx: x_of(point), cy: y_of(point), r: 46, fill: "transparent" });
const dot = (point) => svg("circle", { cx: x_of(point), cy: y_of(point), r: 7, fill: "currentColor" });

function draw_man(point, side, strong) {
  const fill = side === "w" ? "#ffffff" : "#1c1c1c";
  return svg("circle", { cx: x_of(point), cy: y_of(point), r: RADIUS, fill, stroke: strong ? "#c4521a" : "#808080", "stroke-width": strong ? 7 : 4 });
}

function draw_target(view, move, point) {
  const button = svg_button(
    { label: move.label, on_press: () => view.on_move(move), class: `target ${move_class(move)}`, "data-move": move.name },
    area(point),
    dot(point),
    badge(x_of(point), y_of(point) - 4, with_plies(move), 27),
  );
  return set_strength(button, move);
}

/* A man that may move: the player presses the man, then its new point. */
function draw_own_man(view, point, moves, chosen, choose) {
  const best = moves[0];
  const label = view.text(chosen ? "morris.put_back" : best.hidden ? "morris.take_plain" : "morris.take", { point: name_of(point), best: best.label });
  return svg_button(
    { label, on_press: () => choose(chosen ? null : point), class: "man", "data-point": name_of(point), "aria-pressed": String(chosen) },
    area(point),
    draw_man(point, view.state.side, chosen),
    chosen ? null : set_strength(svg("g", { class: move_class(best) }, badge(x_of(point) + 30, y_of(point) - 34, with_plies(best), 24)), best),
  );
}

function draw_play(view, chosen, choose) {
  const from = (point) => view.moves.filter((move) => move.name.length === 4 && move.name.startsWith(name_of(point)));
  const to = (point) => view.moves.find((move) => move.name === (chosen === null ? "" : name_of(chosen)) + name_of(point));
  return points.map((point) => {
    const man = view.state.men[point];
    const moves = man === view.state.side ? from(point) : [];
    if (moves.length > 0) return draw_own_man(view, point, moves, chosen === point, choose);
    if (man) return svg("g", { "aria-hidden": "true", "data-at": name_of(point) }, draw_man(point, man, false));
    const move = to(point);
    return move ? draw_target(view, move, point) : dot(point);
  });
}

function draw_set_up(view) {
  const { state, text } = view;
  const after = { "": "w", w: "b", b: "" };
  return points.map((point) => {
    const man = state.men[point];
    const men = state.men.map((one, other) => (other === point ? after[man] : one));
    const label = `${name_of(point)}: ${man ? side_name(man, text) : text("morris.vacant")}`;
    return svg_button({ label, on_press: () => view.on_edit({ ...state, men }), "data-point": name_of(point) }, area(point), man ? draw_man(point, man, false) : dot(point));
  });
}

function edit_tools(view) {
  const { state, text } = view;
  const choose = (side) =>
    html("label", {}, html("input", { type: "radio", name: "morris_side", checked: state.side === side, change: () => view.on_edit({ ...state, side }) }), ` ${side_name(side, text)}`);
  return html("div", { class: "edit_tools" }, html("p", {}, text("morris.hint")), html("fieldset", {}, html("legend", {}, text("edit.to_move")), choose("w"), choose("b")));
}

/* The position after a move; the side to move does not matter. */
function after(state, name) {
  const [to, from] = [name.slice(-2), name.slice(0, -2)].map((one) => points.find((point) => name_of(point) === one));
  return { ...state, men: state.men.map((man, point) => (point === to ? state.side : point === from ? "" : man)), side: state.side === "w" ? "b" : "w" };
}

function frames(state, name) {
  if (name.length !== 4) return [];
  const [from, to] = [name.slice(0, 2), name.slice(2)].map((one) => points.find((point) => name_of(point) === one));
  return [{ state, slide: { of: `[data-at="${name_of(from)}"]`, x: x_of(to) - x_of(from), y: y_of(to) - y_of(from) } }];
}

const seats = (_state, text) => ["w", "b"].map((side) => ({ turn: side, name: side_name(side, text) }));

function draw(host, view) {
  turned = view.turned;
  const show = (chosen, focus) => {
    const drawn = view.editing ? draw_set_up(view) : draw_play(view, chosen, (point) => show(point, point ?? chosen));
    const board = board_svg({ width: WIDTH, height: HEIGHT, label: view.text("morris.board"), class: "board morris" }, draw_lines(view.rules), draw_names(), drawn);
    host.replaceChildren(board, ...(view.editing ? [edit_tools(view)] : []));
    if (focus !== null) host.querySelector(`[data-point="${name_of(focus)}"]`)?.focus();
  };
  show(null, null);
}

const examples = () => [
  { name: "morris.example.centre", position: "3/1w1/3 b" },
  { name: "morris.example.start", position: "3/3/3 w" },
  { name: "morris.example.moving", position: "w2/bww/b1b w" },
];

export default { game: "morris", texts: TEXTS, separator: " ", examples, parse, format, describe, side: (state, text) => side_name(state.side, text), seats, turns: true, after, frames, notes: (view) => [plates_note(view, "plates.outcomes")], draw };
