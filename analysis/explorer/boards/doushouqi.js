// Draws the board of dou shou qi: 7 × 9 squares with lakes, traps and dens, White below.
// A state is {squares: 63 letters or "", from a1 to g9 rank by rank, side: "w" or "b"}.

import { draw_head } from "./animals.js";
import { badge, board_svg, html, move_class, set_strength, svg, svg_button } from "../drawing.js";
import { plates_note, with_plies } from "./figures.js";

// texts: doushouqi.example.small doushouqi.example.three doushouqi.example.start

const FILES = 7;
const RANKS = 9;
const SIZE = 100;
const LEFT = 44;
const TOP = 10;
const START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";
const ANIMALS = "rcwdptle";
const DENS = { w: "d1", b: "d9" };
const TRAPS = { w: ["c1", "e1", "d2"], b: ["c9", "e9", "d8"] };
const LAKES = [
  { file: 1, rank: 3 },
  { file: 4, rank: 3 },
];
const ERASER = "";

// The selected animal of the palette; it stays selected from one square to the next.
let selected = "L";

/* --- positions --- */

const square_name = (square) => "abcdefg"[square % FILES] + (Math.floor(square / FILES) + 1);
const square_of = (name) => (Number(name[1]) - 1) * FILES + "abcdefg".indexOf(name[0]);
const side_of = (letter) => (letter === letter.toUpperCase() ? "w" : "b");

function parse_rank(text) {
  const squares = [];
  for (const c of text) {
    if (c >= "1" && c <= "7") squares.push(...Array(Number(c)).fill(""));
    else if (ANIMALS.includes(c.toLowerCase())) squares.push(c);
    else return null;
  }
  return squares.length === FILES ? squares : null;
}

function parse(position) {
  const words = position.split(" ");
  if (words[1] !== "w" && words[1] !== "b") return null;
  if (words.length > 2 && words[2] !== "moves") return null;
  const ranks = words[0].split("/").map(parse_rank).reverse();
  if (ranks.length !== RANKS || ranks.includes(null)) return null;
  return { squares: ranks.flat(), side: words[1] };
}

function format_rank(squares) {
  return squares
    .map((letter) => letter || " ")
    .join("")
    .replace(/ +/g, (run) => run.length);
}

function format(state) {
  const ranks = [];
  for (let rank = RANKS - 1; rank >= 0; rank--) {
    ranks.push(format_rank(state.squares.slice(rank * FILES, (rank + 1) * FILES)));
  }
  return `${ranks.join("/")} ${state.side}`;
}

// A side has one animal of each kind: an animal that is put down again leaves its old square.
function put(state, square, letter) {
  const squares = state.squares.map((other) => (letter && other === letter ? "" : other));
  squares[square] = letter;
  return { ...state, squares };
}

/* --- words --- */

// texts: doushouqi.r doushouqi.c doushouqi.w doushouqi.d doushouqi.p doushouqi.t doushouqi.l doushouqi.e
const animal_name = (letter, text) => text(`doushouqi.${letter.toLowerCase()}`);
const side_name = (side, text) => text(side === "w" ? "doushouqi.white" : "doushouqi.black");

function piece_name(letter, text) {
  const values = { animal: animal_name(letter, text) };
  return side_of(letter) === "w" ? text("doushouqi.white_piece", values) : text("doushouqi.black_piece", values);
}

function strength(letter, rules) {
  const swapped = rules.split(",").includes("wolf-over-dog") ? { w: 4, d: 3 } : {};
  return swapped[letter.toLowerCase()] ?? ANIMALS.indexOf(letter.toLowerCase()) + 1;
}

// Lists the strongest piece first, as the names of materials do.
function list_pieces(state, side, text) {
  const pieces = [];
  state.squares.forEach((letter, square) => {
    if (letter && side_of(letter) === side) pieces.push({ letter, square });
  });
  pieces.sort((a, b) => ANIMALS.indexOf(b.letter.toLowerCase()) - ANIMALS.indexOf(a.letter.toLowerCase()));
  const words = pieces.map(({ letter, square }) => `${animal_name(letter, text)} ${square_name(square)}`);
  return words.join(", ") || text("doushouqi.nobody");
}

function describe(state, text) {
  return text("doushouqi.describe", {
    side: side_name(state.side, text),
    white: list_pieces(state, "w", text),
    black: list_pieces(state, "b", text),
  });
}

/* --- the ground --- */

// True if Black sits below.
let turned = false;

const column_of = (file) => (turned ? FILES - 1 - file : file);
const row_of = (rank) => (turned ? rank : RANKS - 1 - rank);
const left_of = (square) => LEFT + column_of(square % FILES) * SIZE;
const top_of = (square) => TOP + row_of(Math.floor(square / FILES)) * SIZE;
const middle_of = (square) => ({ x: left_of(square) + SIZE / 2, y: top_of(square) + SIZE / 2 });

function draw_lake({ file, rank }) {
  const x = LEFT + file * SIZE;
  const y = TOP + (RANKS - rank - 3) * SIZE;
  const waves = [];
  for (let row = 0; row < 9; row++) {
    const shift = row % 2 ? 36 : 12;
    for (let wave = 0; wave < 3; wave++) {
      waves.push(`M${x + shift + wave * 60} ${y + 24 + row * 32} q9 -8 18 0 t18 0`);
    }
  }
  return svg(
    "g",
    {},
    svg("rect", { class: "lake", x: x + 3, y: y + 3, width: 2 * SIZE - 6, height: 3 * SIZE - 6, rx: 22 }),
    svg("path", { class: "waves", d: waves.filter((_, i) => !(i % 3 === 2 && Math.floor(i / 3) % 2)).join(" ") }),
  );
}

// Draws a trap as a pit under crossed poles.
function draw_trap(name, side) {
  const { x, y } = middle_of(square_of(name));
  const poles = [];
  for (const at of [-16, 0, 16]) poles.push(`M${at} -38 V38 M-38 ${at} H38`);
  return svg(
    "g",
    { class: `trap of-${side}`, transform: `translate(${x} ${y})` },
    svg("rect", { class: "pit", x: -32, y: -32, width: 64, height: 64, rx: 10 }),
    svg("path", { class: "poles", d: poles.join(" ") }),
  );
}

// Draws a den as the mouth of a cave in a hill.
function draw_den(name, side) {
  const { x, y } = middle_of(square_of(name));
  return svg(
    "g",
    { class: `den of-${side}`, transform: `translate(${x} ${y})` },
    svg("path", { class: "hill", d: "M-44 40 C-44 -8 -24 -40 0 -40 C24 -40 44 -8 44 40Z" }),
    svg("path", { class: "mouth", d: "M-23 40 V6 C-23 -22 23 -22 23 6 V40Z" }),
  );
}

function draw_lines() {
  const lines = [];
  for (let file = 1; file < FILES; file++) lines.push(`M${LEFT + file * SIZE} ${TOP} v${RANKS * SIZE}`);
  for (let rank = 1; rank < RANKS; rank++) lines.push(`M${LEFT} ${TOP + rank * SIZE} h${FILES * SIZE}`);
  return svg("path", { class: "lines", d: lines.join(" ") });
}

// Marks the edge of the board of the side to move.
function draw_turn(side) {
  const y = (side === "w") !== turned ? TOP + RANKS * SIZE : TOP;
  return svg("path", { class: "to_move", d: `M${LEFT + 14} ${y} H${LEFT + FILES * SIZE - 14}`, "aria-hidden": "true" });
}

function draw_names() {
  const names = [];
  for (let file = 0; file < FILES; file++) {
    names.push(svg("text", { x: LEFT + (column_of(file) + 0.5) * SIZE, y: TOP + RANKS * SIZE + 28 }, "abcdefg"[file]));
  }
  for (let rank = 0; rank < RANKS; rank++) {
    names.push(svg("text", { x: LEFT / 2 - 2, y: TOP + (row_of(rank) + 0.5) * SIZE }, String(rank + 1)));
  }
  return svg("g", { class: "names" }, names);
}

function draw_ground(rules) {
  const traps = ["w", "b"].flatMap((side) => TRAPS[side].map((name) => draw_trap(name, side)));
  return svg(
    "g",
    { "aria-hidden": "true" },
    svg("rect", { class: "land", x: LEFT, y: TOP, width: FILES * SIZE, height: RANKS * SIZE, rx: 14 }),
    rules.includes("lakes=plain") ? null : LAKES.map(draw_lake),
    draw_lines(),
    traps,
    draw_den(DENS.w, "w"),
    draw_den(DENS.b, "b"),
    draw_names(),
  );
}

/* --- pieces and squares --- */

function draw_piece(letter, rules) {
  return [
    svg("circle", { class: "disc", r: 43 }),
    svg("g", { transform: "translate(0 -11) scale(0.82)" }, draw_head(letter)),
    svg("text", { class: "letter", y: 28 }, `${letter}${strength(letter, rules)}`),
  ];
}

const piece_class = (letter) => `piece of-${side_of(letter)}`;

// Moves the parts of a square to its middle; later parts cover earlier ones.
function at_square(square, ...parts) {
  const { x, y } = middle_of(square);
  return svg("g", { transform: `translate(${x} ${y})` }, ...parts);
}

const whole_square = () =>
  svg("rect", { class: "whole", x: -SIZE / 2, y: -SIZE / 2, width: SIZE, height: SIZE, rx: 12 });

function draw_standing(square, letter, rules) {
  return svg("g", { class: piece_class(letter), "aria-hidden": "true", "data-at": square_name(square) }, at_square(square, draw_piece(letter, rules)));
}

const moves_from = (view, square) => view.moves.filter((move) => square_of(move.name) === square);

function draw_own(square, letter, moves, view, chosen, choose) {
  const best = moves[0];
  const label = view.text(best.hidden ? "doushouqi.pick_plain" : "doushouqi.pick", {
    piece: piece_name(letter, view.text),
    square: square_name(square),
    moves: view.plural("doushouqi.moves", moves.length),
    best: best.label,
  });
  const { x, y } = middle_of(square);
  return svg_button(
    {
      label,
      on_press: () => choose(chosen === square ? null : square),
      class: `${piece_class(letter)} own${chosen === square ? " chosen" : ""}`,
      "aria-pressed": String(chosen === square),
      "data-square": square_name(square),
    },
    at_square(square, whole_square(), draw_piece(letter, view.rules)),
    chosen === null && best.colour !== "unknown" ? badge(x + 28, y - 46, with_plies(best), 30) : null,
  );
}

function draw_target(move, letter, view) {
  const square = square_of(move.name.slice(2));
  const { x, y } = middle_of(square);
  const parts = letter
    ? [draw_piece(letter, view.rules), svg("circle", { class: "ring", r: 46 })]
    : [svg("circle", { class: "ring", r: 40 })];
  const label = letter
    ? view.text("doushouqi.capture", { piece: piece_name(letter, view.text), move: move.label })
    : move.label;
  const button = svg_button(
    {
      label,
      on_press: () => view.on_move(move),
      class: `target ${letter ? piece_class(letter) : ""} ${move_class(move)}`,
      "data-square": square_name(square),
      "data-move": move.name,
    },
    at_square(square, whole_square(), parts),
    move.colour === "unknown" ? null : badge(letter ? x + 28 : x, letter ? y - 46 : y, with_plies(move), 30),
  );
  return set_strength(button, move);
}

function draw_previous(previous) {
  if (!previous || !/^[a-g][1-9][a-g][1-9]$/.test(previous.move)) return null;
  const squares = [previous.move.slice(0, 2), previous.move.slice(2)].map(square_of);
  return svg("g", { class: "previous", "aria-hidden": "true" }, squares.map((one) => at_square(one, whole_square())));
}

// Buttons come last, so the mark of the focus lies above everything else.
function draw_play(view, chosen, choose) {
  const standing = [];
  const buttons = [];
  const targets = new Map(
    chosen === null ? [] : moves_from(view, chosen).map((move) => [square_of(move.name.slice(2)), move]),
  );
  view.state.squares.forEach((letter, square) => {
    const moves = moves_from(view, square);
    if (targets.has(square)) buttons.push(draw_target(targets.get(square), letter, view));
    else if (letter && moves.length) buttons.push(draw_own(square, letter, moves, view, chosen, choose));
    else if (letter) standing.push(draw_standing(square, letter, view.rules));
  });
  return [draw_previous(view.previous), standing, buttons];
}

function draw_set_up(view) {
  return view.state.squares.map((letter, square) => {
    const name = square_name(square);
    const what = letter ? piece_name(letter, view.text) : view.text("doushouqi.empty");
    return svg_button(
      {
        label: `${name}: ${what}`,
        on_press: () => {
          view.on_edit(put(view.state, square, letter === selected ? ERASER : selected));
        },
        class: `square ${letter ? piece_class(letter) : ""}`,
        "data-square": name,
      },
      at_square(square, whole_square(), letter ? draw_piece(letter, view.rules) : null),
    );
  });
}

/* --- beside the board --- */

function small_piece(letter, rules) {
  return svg(
    "svg",
    { viewBox: "-50 -50 100 100", class: `small_sign ${piece_class(letter)}`, "aria-hidden": "true" },
    draw_piece(letter, rules),
  );
}

function draw_legend(view) {
  const items = [...ANIMALS].reverse().map((letter) => {
    const name = `${animal_name(letter, view.text)} (${letter.toUpperCase()})`;
    return html("li", {}, small_piece(letter.toUpperCase(), view.rules), ` ${strength(letter, view.rules)} ${name}`);
  });
  return html(
    "details",
    { class: "board_legend doushouqi" },
    html("summary", {}, view.text("doushouqi.legend")),
    html("ul", {}, items),
    html("p", {}, view.text("doushouqi.legend_squares")),
  );
}

function palette_choice(letter, view) {
  const name = letter ? piece_name(letter, view.text) : view.text("doushouqi.eraser");
  const input = html("input", {
    type: "radio",
    name: "doushouqi-in-hand",
    value: letter || "eraser",
    checked: letter === selected,
    "aria-label": name,
    change: () => {
      selected = letter;
    },
  });
  const look = letter ? small_piece(letter, view.rules) : html("span", {}, name);
  return html("label", { class: letter ? "" : "eraser", title: name }, input, look);
}

function side_choice(side, view) {
  const input = html("input", {
    type: "radio",
    name: "doushouqi-side",
    value: side,
    checked: view.state.side === side,
    change: () => view.on_edit({ ...view.state, side }),
  });
  return html("label", {}, input, ` ${side_name(side, view.text)}`);
}

function draw_palette(view) {
  const { text } = view;
  const rows = [[...ANIMALS.toUpperCase()].reverse(), [...ANIMALS].reverse()];
  const button = (key, state) => html("button", { type: "button", click: () => view.on_edit(state) }, text(key));
  const empty = { squares: Array(FILES * RANKS).fill(""), side: view.state.side };
  return html(
    "div",
    { class: "edit_tools doushouqi" },
    html(
      "fieldset",
      { class: "palette" },
      html("legend", {}, text("doushouqi.palette")),
      rows.map((letters) => html("div", { class: "row" }, letters.map((letter) => palette_choice(letter, view)))),
      palette_choice(ERASER, view),
    ),
    html(
      "fieldset",
      {},
      html("legend", {}, text("doushouqi.to_move")),
      side_choice("w", view),
      side_choice("b", view),
    ),
    html(
      "p",
      { class: "row" },
      button("doushouqi.clear", empty),
      button("doushouqi.start", parse(START)),
    ),
  );
}

/* --- moves --- */

/* The position after a move; the side to move does not matter. */
function after(state, name) {
  const squares = [...state.squares];
  squares[square_of(name.slice(2))] = squares[square_of(name)];
  squares[square_of(name)] = "";
  return { squares, side: state.side === "w" ? "b" : "w" };
}

function frames(state, name) {
  const [from, to] = [name.slice(0, 2), name.slice(2)].map(square_of);
  return [{ state, slide: { of: `[data-at="${square_name(from)}"]`, x: left_of(to) - left_of(from), y: top_of(to) - top_of(from) } }];
}

const seats = (_state, text) => ["w", "b"].map((side) => ({ turn: side, name: side_name(side, text) }));

/* --- the board --- */

function draw(host, view) {
  turned = view.turned;
  let chosen = null;
  const show = () => {
    const board = board_svg(
      {
        width: LEFT + FILES * SIZE + 10,
        height: TOP + RANKS * SIZE + 44,
        label: view.text("doushouqi.board"),
        class: "board doushouqi",
      },
      draw_ground(view.rules),
      draw_turn(view.state.side),
      view.editing ? draw_set_up(view) : draw_play(view, chosen, choose),
    );
    board.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && chosen !== null) choose(null);
    });
    host.replaceChildren(board, ...(view.editing ? [draw_palette(view)] : []));
  };
  const choose = (square) => {
    const focus = square_name(square ?? chosen);
    chosen = square;
    show();
    host.querySelector(`[data-square="${focus}"]`)?.focus();
  };
  show();
}

function examples(rules, slices) {
  const most = Math.max(0, ...slices.map(({ slice }) => String(slice).length));
  const small = { name: "doushouqi.example.small", position: "7/7/7/1r5/7/7/2L4/7/7 w" };
  const three = { name: "doushouqi.example.three", position: "7/7/3e3/7/2r4/7/2E4/7/7 w" };
  const start = { name: "doushouqi.example.start", position: START };
  if (most === 0 && rules) return [start, small, three];
  return most >= 3 || most === 0 ? [small, three, start] : [small, start, three];
}

export default {
  game: "doushouqi",
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
  notes: (view) => [plates_note(view, "plates.outcomes"), draw_legend(view)],
  draw,
};
