// Draws the game of Oca: one token each on the spiral; the dice decide.
// A state is {players: [{square, lost}, …], seat: from 0}.

import { html, number_field } from "../drawing.js";
import { board_squares, draw_legend, draw_spiral, leap_line, small_token, square_words, walk_line, way_words } from "./goose.js";

// texts: oca.example.middle oca.example.start oca.example.well oca.example.three

const MOST_PLAYERS = 4;
const MOST_TURNS = 9;

// The selected player: the next pressed square gets its token.
let selected = 0;

/* --- positions --- */

function parse(position) {
  const found = /^oca:(\d+(?:~\d+)?(?:,\d+(?:~\d+)?)*)\/(\d+)$/.exec(position.split(" ")[0]);
  if (!found) return null;
  const players = found[1].split(",").map((text) => {
    const [square, lost] = text.split("~").map(Number);
    return { square, lost: lost ?? 0 };
  });
  const seat = Number(found[2]) - 1;
  return players.length <= MOST_PLAYERS && seat >= 0 && seat < players.length ? { players, seat } : null;
}

function format(state) {
  const players = state.players.map(({ square, lost }) => (lost ? `${square}~${lost}` : String(square)));
  return `oca:${players.join(",")}/${state.seat + 1}`;
}

function change_player(state, player, change) {
  return { ...state, players: state.players.map((one, i) => (i === player ? { ...one, ...change } : one)) };
}

function set_number(state, count, square) {
  const players = Array.from({ length: count }, (_, i) => state.players[i] ?? { square, lost: 0 });
  return { players, seat: Math.min(state.seat, count - 1) };
}

const start_square = (rules) => (rules.split(",").includes("start=1") ? 1 : 0);

/* --- words --- */

const side = (state, text) => text("oca.side", { n: state.seat + 1 });

function describe(state, text) {
  const players = state.players.map(({ square, lost }, i) => {
    const values = { player: text("oca.player", { n: i + 1 }), square, lost };
    return lost ? text("oca.stands_lost", values) : text("oca.stands", values);
  });
  return text("oca.describe", { side: side(state, text), players: players.join(", ") });
}

/* --- moves --- */

const squares_of = (name) => (/^\d+(-\d+)*$/.test(name) ? name.split("-").map(Number) : []);

const between = (from, onto) => {
  const step = Math.sign(onto - from);
  return Array.from({ length: Math.abs(onto - from) + 1 }, (_, i) => from + i * step);
};

// The route of a move: first the walk, which may turn back at the last square, then leaps.
function routes_of(name, roll, last) {
  const squares = squares_of(name);
  if (squares.length < 2) return () => [];
  const [from, reached] = squares;
  const turns_back = roll !== null && from + Number(roll) > last;
  const walked = turns_back ? [...between(from, last), ...between(last, reached).slice(1)] : between(from, reached);
  return (plan) => [
    { d: walk_line(plan, walked), kind: "walk" },
    ...squares.slice(2).map((square, i) => ({ d: leap_line(plan, squares[i + 1], square), kind: "leap" })),
  ];
}

/* A picture of the token on each square of the walk, then after each leap. */
function frames(state, name, _rules, roll, last) {
  const squares = squares_of(name);
  if (squares.length < 2) return [];
  const [from, reached] = squares;
  const walked = roll !== null && from + Number(roll) > last ? [...between(from, last), ...between(last, reached).slice(1)] : between(from, reached);
  return [...walked.slice(1), ...squares.slice(2)].map((square) => ({ state: change_player(state, state.seat, { square }) }));
}

function went(_state, name, _roll, words) {
  const [from, ...stops] = squares_of(name);
  return stops.length > 0 ? way_words(from, stops, words) : null;
}

const seats = (state, text) => state.players.map((_, seat) => ({ turn: String(seat + 1), name: text("oca.side", { n: seat + 1 }) }));

function routes_of_previous(previous) {
  const squares = previous ? squares_of(previous.move) : [];
  return (plan) => squares.slice(1).map((square, i) => ({ d: leap_line(plan, squares[i], square), kind: "previous" }));
}

function draw_play(view, squares) {
  const { state, text } = view;
  const move = view.moves[0];
  const last = squares.length - 1;
  const reached = move ? squares_of(move.name) : [];
  const press = move ? () => view.on_move(move) : null;
  const heaps = state.players.map(({ square }, seat) => ({
    square,
    seat: seat + 1,
    colour: 0,
    count: 1,
    to_roll: seat === state.seat,
    ...(seat === state.seat && move ? { press, move, label: move.label, chosen: reached.length > 1 } : {}),
  }));
  const ahead = move ? routes_of(move.name, view.roll, last) : routes_of_previous(view.previous);
  return draw_spiral({
    squares,
    text,
    label: text("oca.board"),
    game: "oca",
    heaps,
    targets: reached.length > 1 ? [{ square: reached.at(-1), move, press }] : [],
    routes: ahead,
  });
}

function draw_hint(view) {
  if (view.moves.length > 0) return "";
  return html("p", { class: "quiet" }, view.text("oca.choose"));
}

/* --- set-up --- */

function draw_set_up_board(view, squares) {
  const { state, text } = view;
  const player = Math.min(selected, state.players.length - 1);
  const press = {
    label: (square) => text("oca.put", { player: text("oca.player", { n: player + 1 }), square: square_words(squares, square, text) }),
    go: (square) => view.on_edit(change_player(state, player, { square, lost: 0 })),
  };
  const heaps = state.players.map(({ square }, seat) => ({ square, seat: seat + 1, colour: 0, count: 1, to_roll: seat === state.seat }));
  return draw_spiral({ squares, text, label: text("oca.board"), game: "oca", press, heaps });
}

function draw_player_fields(view, squares, player) {
  const { state, text } = view;
  const { square, lost } = state.players[player];
  const choose = html("input", {
    type: "radio",
    name: "oca-in-hand",
    value: player + 1,
    checked: player === Math.min(selected, state.players.length - 1),
    "aria-label": text("oca.take", { n: player + 1 }),
    change: () => {
      selected = player;
      view.on_edit({ ...state });
    },
  });
  const edit = (change) => view.on_edit(change_player(state, player, change));
  return html(
    "fieldset",
    { class: "player" },
    html("legend", {}, html("label", {}, choose, " ", small_token(player + 1), ` ${text("oca.player", { n: player + 1 })}`)),
    number_field(text("oca.square"), square, 0, squares.length - 1, (value) => edit({ square: value })),
    number_field(text("oca.lost"), lost, 0, MOST_TURNS, (value) => edit({ lost: value })),
  );
}

function draw_set_up(view, squares) {
  const { state, text } = view;
  const seats = state.players.map((_, seat) => html("option", { value: seat, selected: seat === state.seat }, text("oca.player", { n: seat + 1 })));
  const select = html("select", { change: () => view.on_edit({ ...state, seat: Number(select.value) }) }, seats);
  const start = start_square(view.rules);
  const begin = { players: state.players.map(() => ({ square: start, lost: 0 })), seat: 0 };
  return html(
    "div",
    { class: "edit_tools goose" },
    html("p", {}, text("oca.set_up")),
    number_field(text("oca.players"), state.players.length, 1, MOST_PLAYERS, (count) => view.on_edit(set_number(state, count, start))),
    state.players.map((_, player) => draw_player_fields(view, squares, player)),
    html("label", {}, `${text("oca.to_roll")} `, select),
    html("p", { class: "row" }, html("button", { type: "button", click: () => view.on_edit(begin) }, text("oca.begin"))),
  );
}

/* --- the board --- */

function draw(host, view) {
  const squares = board_squares(view);
  if (view.editing) host.replaceChildren(draw_set_up_board(view, squares), draw_set_up(view, squares));
  else host.replaceChildren(draw_play(view, squares));
}

function examples(rules, slices) {
  const start = start_square(rules);
  const players = Math.max(0, ...slices.filter(({ slice }) => slice !== "1").map(({ slice }) => Number(slice)));
  const begin = { name: "oca.example.start", position: `oca:${start},${start}/1` };
  const middle = { name: "oca.example.middle", position: "oca:12,19~2/1" };
  const well = { name: "oca.example.well", position: "oca:31,25/2" };
  const three = { name: "oca.example.three", position: "oca:38,45,20/1" };
  if (/board=/.test(rules)) return [begin];
  if (slices.length === 0) return [begin, middle, well];
  return players > 2 ? [middle, begin, well, three] : [middle, begin, well];
}

export default { game: "oca", separator: " ", exercises: false, examples, parse, format, describe, side, seats, frames, went, notes: (view) => [draw_hint(view), draw_legend(board_squares(view), view)], draw };
