// Draws la oca asesina: several tokens of each player on the spiral; the player chooses a token for a roll.
// A state is {players: [[{square, colour}, …], …], letters, lost: [turns, …], culprits: [square or 0, …], seat: from 0,
// forced: a colour or null}. `letters`: squares bear the letter of their token's colour, a, b or c.

import { html, number_field } from "../drawing.js";
import { board_squares, draw_legend, draw_spiral, leap_line, small_token, square_words, way_words } from "./goose.js";

// texts: oca-asesina.example.choice oca-asesina.example.start

const COLOURS = "abc";
const MOST_SEATS = 6;
const MOST_TOKENS = 12;
const MOST_TURNS = 9;

// The selected token: it goes to the next pressed square.
let selected = { seat: 0, token: 0 };

/* --- positions --- */

function parse_player(text) {
  if (!/^\d+[abc]?(,\d+[abc]?)*$/.test(text)) return null;
  return text.split(",").map((token) => ({
    square: parseInt(token, 10),
    colour: /[abc]$/.test(token) ? COLOURS.indexOf(token.at(-1)) : 0,
  }));
}

function parse_lost(text) {
  const found = /^lost=(\d+(?:@\d+)?(?:,\d+(?:@\d+)?)*)$/.exec(text ?? "");
  return found ? found[1].split(",").map((one) => one.split("@").map(Number)) : null;
}

function parse(position) {
  const [tokens, lost_text, seat_text, forced_text, ...rest] = position.split(" ");
  const players = tokens.split("/").map(parse_player);
  const lost = parse_lost(lost_text);
  const seat = /^seat=(\d+)$/.exec(seat_text ?? "");
  const forced = forced_text === undefined ? [null, null] : /^forced(?:=([abc]))?$/.exec(forced_text);
  if (players.includes(null) || !lost || !seat || !forced || rest.length) return null;
  if (lost.length !== players.length || seat[1] < 1 || seat[1] > players.length) return null;
  return {
    players,
    letters: /\d[abc]/.test(tokens),
    lost: lost.map(([turns]) => turns),
    culprits: lost.map(([, square]) => square ?? 0),
    seat: Number(seat[1]) - 1,
    forced: forced_text === undefined ? null : COLOURS.indexOf(forced[1] ?? "a"),
  };
}

function format(state) {
  const letter = (colour) => (state.letters ? COLOURS[colour] : "");
  const players = state.players.map((tokens) =>
    [...tokens]
      .sort((a, b) => a.square - b.square || a.colour - b.colour)
      .map(({ square, colour }) => `${square}${letter(colour)}`)
      .join(","),
  );
  const lost = state.lost.map((turns, seat) => (state.culprits[seat] ? `${turns}@${state.culprits[seat]}` : String(turns)));
  const forced = state.forced === null ? "" : ` forced${state.letters ? `=${COLOURS[state.forced]}` : ""}`;
  return `${players.join("/")} lost=${lost.join(",")} seat=${state.seat + 1}${forced}`;
}

function flag(rules, name) {
  return new RegExp(`(?:^|,)${name}=([^,]*)`).exec(rules)?.[1] ?? null;
}

function begin(rules, seats, each) {
  const colours = Number(flag(rules, "colours") ?? 1);
  const tokens = Array.from({ length: each * colours }, (_, i) => ({ square: 0, colour: Math.floor(i / each) }));
  return {
    players: Array.from({ length: seats }, () => tokens),
    letters: colours > 1,
    lost: Array(seats).fill(0),
    culprits: Array(seats).fill(0),
    seat: 0,
    forced: null,
  };
}

/* --- words --- */

const player_name = (seat, text) => text("oca-asesina.player", { n: seat + 1 });

const side = (state, text) => text("oca-asesina.side", { n: state.seat + 1 });

function describe(state, text) {
  const players = state.players.map((tokens, seat) => {
    const squares = [...tokens].sort((a, b) => a.square - b.square).map(({ square, colour }) => `${square}${state.letters ? COLOURS[colour] : ""}`);
    const values = { player: player_name(seat, text), squares: squares.join(", "), lost: state.lost[seat] };
    return text(state.lost[seat] ? "oca-asesina.stands_lost" : "oca-asesina.stands", values);
  });
  const words = text("oca-asesina.describe", { side: side(state, text), players: players.join("; ") });
  return state.forced === null ? words : `${words} ${text("oca-asesina.is_forced")}`;
}

/* --- tokens and moves --- */

function heaps_of(state) {
  const heaps = new Map();
  state.players.forEach((tokens, seat) => {
    for (const { square, colour } of tokens) {
      const key = `${seat} ${colour} ${square}`;
      const heap = heaps.get(key) ?? { square, seat: seat + 1, colour, count: 0, to_roll: seat === state.seat };
      heaps.set(key, { ...heap, count: heap.count + 1 });
    }
  });
  return [...heaps.values()];
}

// Barriers: two tokens of one colour on a square of the track, if the rules let tokens interact.
function barriers_of(heaps, last, rules) {
  if (flag(rules, "interaction") === "off") return [];
  return heaps.filter(({ count, square }) => count === 2 && square > 0 && square < last);
}

// The wormholes before a token: the first barrier pairs with the second, the third with the fourth; a lone barrier bars the way.
function wormholes_before(moving, heaps, last, rules) {
  const squares = barriers_of(heaps, last, rules).map(({ square }) => square);
  const ahead = moving.square === last ? squares.sort((a, b) => b - a) : squares.filter((square) => square > moving.square).sort((a, b) => a - b);
  return ahead.flatMap((square, i) => (i % 2 ? [[Math.min(square, ahead[i - 1]), Math.max(square, ahead[i - 1])]] : []));
}

function move_parts(name) {
  const found = /^(\d+)([abc]?)-(\d+)$/.exec(name);
  if (!found) return null;
  return { from: Number(found[1]), colour: found[2] ? COLOURS.indexOf(found[2]) : 0, to: Number(found[3]) };
}

function is_moved_by(heap, parts, state) {
  return heap.seat === state.seat + 1 && heap.square === parts.from && heap.colour === parts.colour;
}

/* A square that sends the token on is a stop too. */
function went(_state, name, roll, words) {
  const parts = move_parts(name);
  if (!parts) return null;
  const reached = parts.from + Number(roll);
  const sent = reached !== parts.to && words.squares[reached]?.to === parts.to;
  return way_words(parts.from, sent ? [reached, parts.to] : [parts.to], words);
}

/* A picture of the token on each square of the roll; a leap from there ends the move. */
function frames(state, name, _rules, roll, last) {
  const parts = move_parts(name);
  const token = parts ? state.players[state.seat].findIndex(({ square, colour }) => square === parts.from && colour === parts.colour) : -1;
  if (token < 0 || parts.from + Number(roll) !== parts.to || parts.to > last) return [];
  return Array.from({ length: Number(roll) }, (_, i) => ({ state: move_token(state, { seat: state.seat, token }, parts.from + i + 1) }));
}

const seats = (state, text) => state.players.map((_, seat) => ({ turn: String(seat + 1), name: text("oca-asesina.side", { n: seat + 1 }) }));

const key_of = (heap) => `${heap.square} ${heap.colour}`;

function token_label(heap, move, view, wormholes) {
  const words = view.text("oca-asesina.pick", { square: `${heap.square}${view.state.letters ? COLOURS[heap.colour] : ""}`, move: move.label });
  return [words, ...wormholes.map(([from, onto]) => view.text("oca-asesina.wormhole", { from, to: onto }))].join(". ");
}

function draw_play(view, squares, chosen, choose) {
  const { state, text } = view;
  const last = squares.length - 1;
  const moves = view.moves.map((move) => ({ move, parts: move_parts(move.name) })).filter(({ parts }) => parts);
  const targets = [];
  const routes = [];
  const standing = heaps_of(state);
  const heaps = standing.map((heap) => {
    const found = moves.find(({ parts }) => is_moved_by(heap, parts, state));
    if (!found) return heap;
    const { move, parts } = found;
    const taken = chosen === key_of(heap);
    if (taken) {
      routes.push(parts);
      // A forced move that leaves its token in place has no other square to press.
      if (parts.to !== parts.from) targets.push({ square: parts.to, move, press: () => view.on_move(move) });
    }
    const press = taken && parts.to === parts.from ? () => view.on_move(move) : () => choose(taken ? null : key_of(heap));
    return { ...heap, move, chosen: taken, label: token_label(heap, move, view, wormholes_before(heap, standing, last, view.rules)), press };
  });
  const moving = heaps.find((heap) => heap.chosen);
  const wormholes = moving ? wormholes_before(moving, heaps, last, view.rules) : [];
  const before = chosen === null && view.previous && move_parts(view.previous.move);
  return draw_spiral({
    squares,
    text,
    label: text("oca-asesina.board"),
    game: "oca-asesina",
    heaps,
    targets,
    barriers: barriers_of(heaps, last, view.rules),
    wormholes,
    routes: (plan) => [
      before ? { d: leap_line(plan, before.from, before.to), kind: "previous" } : { d: "", kind: "previous" },
      ...routes.map(({ from, to }) => ({ d: leap_line(plan, from, to), kind: "walk" })),
    ],
  });
}

function draw_hint(view) {
  const words = view.text(flag(view.rules, "interaction") === "off" ? "oca-asesina.choose_alone" : "oca-asesina.choose");
  return html("p", { class: "quiet" }, words);
}

function draw_pass(view) {
  const move = view.moves.find(({ name }) => move_parts(name) === null);
  if (!move) return null;
  const button = html("button", { type: "button", "aria-label": move.label, "data-move": move.name, click: () => view.on_move(move) }, view.text("moves.pass"));
  return html("p", { class: "row" }, button);
}

/* --- set-up --- */

// Turns to lose that are set by hand name no token that lost them; the server asks in case of doubt.
function change(state, changes) {
  const next = { ...state, ...changes };
  if (changes.lost || changes.players) next.culprits = next.players.map(() => 0);
  return next;
}

function move_token(state, { seat, token }, square) {
  const players = state.players.map((tokens, i) => (i === seat ? tokens.map((one, j) => (j === token ? { ...one, square } : one)) : tokens));
  return change(state, { players });
}

function tokens_each(state) {
  return state.players[0].filter(({ colour }) => colour === 0).length;
}

function resize(state, rules, seats, each) {
  const next = begin(rules, seats, each);
  const players = next.players.map((tokens, seat) => {
    const left = [...(state.players[seat] ?? [])];
    return tokens.map((token) => {
      const at = left.findIndex(({ colour }) => colour === token.colour);
      return at < 0 ? token : left.splice(at, 1)[0];
    });
  });
  return { ...next, players, lost: next.lost.map((_, seat) => state.lost[seat] ?? 0), seat: Math.min(state.seat, seats - 1) };
}

function selected_now(state) {
  const seat = Math.min(selected.seat, state.players.length - 1);
  return { seat, token: Math.min(selected.token, state.players[seat].length - 1) };
}

function draw_set_up_board(view, squares) {
  const { state, text } = view;
  const chosen = selected_now(state);
  const press = {
    label: (square) => text("oca-asesina.put", { player: player_name(chosen.seat, text), square: square_words(squares, square, text) }),
    go: (square) => {
      selected = { ...chosen, token: (chosen.token + 1) % state.players[chosen.seat].length };
      view.on_edit(move_token(state, chosen, square));
    },
  };
  const heaps = heaps_of(state);
  return draw_spiral({
    squares,
    text,
    label: text("oca-asesina.board"),
    game: "oca-asesina",
    press,
    heaps,
    barriers: barriers_of(heaps, squares.length - 1, view.rules),
  });
}

function draw_token_field(view, squares, seat, token) {
  const { state, text } = view;
  const chosen = selected_now(state);
  const { square, colour } = state.players[seat][token];
  const words = text("oca-asesina.token", { player: player_name(seat, text), n: token + 1 });
  const choose = html("input", {
    type: "radio",
    name: "oca-asesina-in-hand",
    value: `${seat + 1}-${token + 1}`,
    checked: chosen.seat === seat && chosen.token === token,
    "aria-label": text("oca-asesina.take", { token: words }),
    change: () => {
      selected = { seat, token };
      view.on_edit({ ...state });
    },
  });
  const field = html("input", {
    type: "number",
    inputmode: "numeric",
    min: 0,
    max: squares.length - 1,
    value: square,
    "aria-label": words,
    change: () => {
      const wanted = Math.round(Number(field.value)) || 0;
      view.on_edit(move_token(state, { seat, token }, Math.min(squares.length - 1, Math.max(0, wanted))));
    },
  });
  return html("span", { class: "token_field" }, choose, small_token(seat + 1, colour), field);
}

function draw_player_fields(view, squares, seat) {
  const { state, text } = view;
  const lost = (turns) => view.on_edit(change(state, { lost: state.lost.map((one, i) => (i === seat ? turns : one)) }));
  return html(
    "fieldset",
    { class: "player" },
    html("legend", {}, player_name(seat, text)),
    state.players[seat].map((_, token) => draw_token_field(view, squares, seat, token)),
    number_field(text("oca-asesina.lost"), state.lost[seat], 0, MOST_TURNS, lost),
  );
}

function draw_forced(view) {
  const { state, text } = view;
  const colours = [...new Set(state.players[0].map(({ colour }) => colour))];
  const option = (value, words) => html("option", { value, selected: String(state.forced ?? "") === String(value) }, words);
  const select = html(
    "select",
    { change: () => view.on_edit({ ...state, forced: select.value === "" ? null : Number(select.value) }) },
    option("", text("oca-asesina.no")),
    colours.map((colour) => option(colour, state.letters ? text("oca-asesina.yes_colour", { colour: COLOURS[colour] }) : text("oca-asesina.yes"))),
  );
  return html("label", {}, `${text("oca-asesina.forced")} `, select);
}

function draw_set_up(view, squares) {
  const { state, text, rules } = view;
  const named = Number(flag(rules, "players") ?? 2);
  const seats = state.players.length;
  const each = tokens_each(state);
  const colours = Number(flag(rules, "colours") ?? 1);
  const option = (_, seat) => html("option", { value: seat, selected: seat === state.seat }, player_name(seat, text));
  const select = html("select", { change: () => view.on_edit({ ...state, seat: Number(select.value), forced: null }) }, state.players.map(option));
  return html(
    "div",
    { class: "edit_tools goose" },
    html("p", {}, text("oca-asesina.set_up")),
    named === 2
      ? number_field(text("oca-asesina.tokens"), each, 1, Math.floor(MOST_TOKENS / colours), (count) => view.on_edit(resize(state, rules, seats, count)))
      : null,
    named !== seats
      ? number_field(text("oca-asesina.players"), seats, 2, MOST_SEATS, (count) => view.on_edit(resize(state, rules, count, each)))
      : null,
    state.players.map((_, seat) => draw_player_fields(view, squares, seat)),
    html("label", {}, `${text("oca-asesina.to_roll")} `, select),
    draw_forced(view),
    html("p", { class: "row" }, html("button", { type: "button", click: () => view.on_edit(begin(rules, seats, each)) }, text("oca-asesina.begin"))),
  );
}

/* --- the board --- */

function draw(host, view) {
  const squares = board_squares(view);
  if (view.editing) {
    host.replaceChildren(draw_set_up_board(view, squares), draw_set_up(view, squares));
    return;
  }
  // A single move needs no choice.
  const only = view.moves.length === 1 ? move_parts(view.moves[0].name) : null;
  let chosen = only ? `${only.from} ${only.colour}` : null;
  const show = () => {
    const board = draw_play(view, squares, chosen, choose);
    board.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && chosen !== null) choose(null);
    });
    host.replaceChildren(...[board, draw_pass(view)].filter(Boolean));
  };
  const choose = (key) => {
    const [square] = (key ?? chosen).split(" ");
    chosen = key;
    show();
    const next = key === null ? `[data-token$="-${square}"]` : ".target";
    (host.querySelector(next) ?? host.querySelector('[role="button"]'))?.focus();
  };
  show();
}

/* --- examples --- */

// "2.0-1": two tokens of each player, none and one of them at home.
function most_tokens(slices) {
  return Math.max(1, ...slices.map(({ slice }) => parseInt(slice, 10) || 1));
}

function examples(rules, slices) {
  const seats = Number(flag(rules, "players") ?? 2);
  const board = flag(rules, "board");
  const length = board === null ? 63 : Number(/^(?:length-)?(\d+)/.exec(board)[1]);
  const each = seats > 2 ? 1 : Math.min(most_tokens(slices), 4);
  const start = { name: "oca-asesina.example.start", position: format(begin(rules, seats, each)) };
  if (seats > 2 || flag(rules, "colours") || length < 20 || flag(rules, "home")) return [start];
  const positions = {
    63: { 1: "12/30 lost=0,0 seat=1", 2: "0,5/12,63 lost=0,1 seat=1", 3: "11,11,20/15,15,63 lost=0,0 seat=1" },
    20: { 1: "5/11 lost=0,0 seat=1", 2: "2,9/5,11 lost=0,0 seat=1", 3: "2,5,5/9,11,11 lost=0,0 seat=1" },
  }[length];
  const shown = positions?.[Math.min(each, 3)];
  const choice = { name: "oca-asesina.example.choice", position: shown };
  if (!shown) return [start];
  return slices.length > 0 ? [choice, start] : [start, choice];
}

export default { game: "oca-asesina", separator: " ", examples, parse, format, describe, side, seats, frames, went, notes: (view) => [draw_hint(view), draw_legend(board_squares(view), view)], draw };
