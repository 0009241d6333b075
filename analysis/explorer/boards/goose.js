// Draws the board that both games of the goose share: the spiral with its signs, the tokens, the moves.

import { badge, badge_size, board_svg, html, move_class, set_strength, svg, svg_button } from "../drawing.js";
import { draw_sign } from "./goose_signs.js";
import { lay_out, SPIRAL_SIZE } from "./spiral.js";

// texts: goose.kind.goose goose.kind.bridge goose.kind.dice goose.kind.inn goose.kind.well goose.kind.labyrinth
// texts: goose.kind.prison goose.kind.death goose.kind.end goose.kind.start

const TOKEN = 29;
const NUMBER = 34; // 11 pixels on a telephone
const SHAPES = ["a", "b", "c"];
const FARTHEST_PLATE = 80;

// The enlargement of the board and its scroll position; both stay from drawing to drawing.
const zoom = { large: false, left: 0, top: 0 };

/* --- squares --- */

/** The board of the rules; until it is loaded, as many plain squares as the rules name. */
export function board_squares(view) {
  if (view.board) return view.board.squares;
  const [, named] = /board=(?:length-)?(\d+)/.exec(view.rules) ?? [null, "63"];
  return Array.from({ length: Number(named) + 1 }, (_, square) => ({
    square,
    kind: square === 0 ? "start" : square === Number(named) ? "end" : "plain",
  }));
}

const kind_name = (kind, text) => (kind === "plain" ? "" : text(`goose.kind.${kind}`));

/** "19 (inn)" */
export function square_words(squares, square, text) {
  const name = kind_name(squares[square]?.kind ?? "plain", text);
  return name ? `${square} (${name})` : String(square);
}

function draw_cell(square, place, plan, press) {
  const content = [
    svg("path", { class: "cell", d: place.outline }),
    draw_sign(square.kind, `translate(${place.x - place.outward.x * plan.pitch * 0.21} ${place.y - place.outward.y * plan.pitch * 0.21}) scale(${place.sign})`),
    svg("text", { class: "number", x: place.number.x, y: place.number.y, "font-size": NUMBER }, String(square.square)),
  ];
  return as_square(square, press, content);
}

function as_square(square, press, content) {
  const name = `square ${square.kind}`;
  if (!press) return svg("g", { class: name, "aria-hidden": "true" }, content);
  return svg_button({ label: press.label(square.square), class: name, "data-square": square.square, on_press: () => press.go(square.square) }, content);
}

function draw_start(square, place, press, text) {
  return as_square(square, press, [
    svg("rect", { class: "cell", x: 8, y: SPIRAL_SIZE - 150, width: 196, height: 142, rx: 26 }),
    svg("text", { class: "number", x: 30, y: SPIRAL_SIZE - 120, "font-size": NUMBER }, "0"),
    svg("text", { class: "word", x: 120, y: SPIRAL_SIZE - 120, "font-size": NUMBER }, text("goose.kind.start")),
  ]);
}

function draw_garden(square, place, plan, press) {
  const petals = Array.from({ length: 16 }, (_, i) => {
    const angle = (i * Math.PI) / 8;
    return svg("circle", { class: "petal", cx: place.x + 98 * Math.cos(angle), cy: place.y + 98 * Math.sin(angle), r: i % 2 ? 7 : 10 });
  });
  return as_square(square, press, [
    svg("circle", { class: "cell", cx: place.x, cy: place.y, r: plan.garden }),
    petals,
    draw_sign("end", `translate(${place.x} ${place.y - 24}) scale(1.35)`),
    svg("text", { class: "number", x: place.x, y: place.y - 78, "font-size": NUMBER }, String(square.square)),
  ]);
}

/* --- tokens --- */

function outline_of(colour, radius) {
  if (colour === 1) return svg("rect", { class: "disc", x: -radius * 0.88, y: -radius * 0.88, width: radius * 1.76, height: radius * 1.76, rx: 7 });
  if (colour === 2) return svg("path", { class: "disc", d: `M0 ${-radius * 1.15} L${radius * 1.15} 0 L0 ${radius * 1.15} L${-radius * 1.15} 0Z` });
  return svg("circle", { class: "disc", r: radius });
}

/** A token around 0,0: its player's number on its player's colour, in the shape of its own colour. */
export function draw_token(seat, colour = 0, radius = TOKEN) {
  return svg(
    "g",
    { class: `token seat-${seat}` },
    outline_of(colour, radius),
    svg("text", { "font-size": Math.max(NUMBER, radius * 1.2) }, String(seat)),
  );
}

/** A token for a list or a label, as an image of its own. */
export function small_token(seat, colour = 0) {
  return svg("svg", { viewBox: "-34 -34 68 68", class: "small_sign goose", "aria-hidden": "true" }, draw_token(seat, colour));
}

// The places of the heaps of a square: side by side along the spiral, in several rows if necessary; at the start and
// in the garden in rows of four.
function spots(count, place, plan) {
  const apart = TOKEN * 1.6;
  if (!place.outline) {
    const across = Math.min(count, place.y > SPIRAL_SIZE / 2 + 10 ? 3 : 4);
    return Array.from({ length: count }, (_, i) => ({
      x: place.x + ((i % across) - (across - 1) / 2) * TOKEN * 2.1,
      y: place.y + (place.y > SPIRAL_SIZE / 2 + 10 ? 2 : 48) + (Math.floor(i / across) - (Math.ceil(count / across) - 1) / 2) * TOKEN * 1.8,
    }));
  }
  const rows = count > 2 ? 2 : 1;
  const columns = Math.ceil(count / rows);
  const inward = plan.pitch * 0.23;
  return Array.from({ length: count }, (_, i) => {
    const along = ((i % columns) - (columns - 1) / 2) * Math.min(apart, plan.along / columns);
    const deep = inward + (Math.floor(i / columns) - (rows - 1) / 2) * apart * 0.9;
    return {
      x: place.x - place.outward.x * deep + place.outward.y * along,
      y: place.y - place.outward.y * deep - place.outward.x * along,
    };
  });
}

// Draws equal tokens on a square as one heap: two tokens side by side, more tokens as one with their number.
function draw_heap(heap, spot, place) {
  const pair = heap.count === 2 && place.outline;
  const drawn = pair ? [-0.42, 0.42] : [0];
  const discs = drawn.map((shift) => {
    const x = spot.x + place.outward.y * shift * TOKEN * 2;
    const y = spot.y - place.outward.x * shift * TOKEN * 2;
    return svg("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, draw_token(heap.seat, heap.colour));
  });
  return discs;
}

// Writes the number of tokens of a heap below it, and above all other tokens.
function draw_count({ heap, spot, place }) {
  if (heap.count < 2 || (heap.count === 2 && place.outline)) return null;
  return svg("text", { class: "times", x: spot.x, y: spot.y + TOKEN * 1.9, "font-size": NUMBER, "aria-hidden": "true" }, `×${heap.count}`);
}

function draw_heap_with_buttons({ heap, spot, place }, room) {
  const parts = draw_heap(heap, spot, place);
  const turning = heap.to_roll ? svg("circle", { class: "to_roll", cx: spot.x, cy: spot.y, r: TOKEN + 6 }) : null;
  if (!heap.press) return svg("g", { class: "heap", "aria-hidden": "true" }, turning, parts);
  const button = svg_button(
    {
      label: heap.label,
      on_press: heap.press,
      class: `heap ${heap.move ? move_class(heap.move) : ""}${heap.chosen ? " chosen" : ""}`,
      "aria-pressed": heap.chosen === undefined ? null : String(heap.chosen),
      "data-token": `${heap.seat}${SHAPES[heap.colour]}-${heap.square}`,
    },
    svg("circle", { class: "reach", cx: spot.x, cy: spot.y, r: TOKEN + 14 }),
    turning,
    parts,
    heap.move && !heap.chosen && heap.move.colour !== "unknown" ? room_for_plate(spot, heap.move, place, room) : null,
  );
  return heap.move ? set_strength(button, heap.move) : button;
}

function place_heaps(heaps, plan) {
  const by_square = new Map();
  for (const heap of heaps) by_square.set(heap.square, [...(by_square.get(heap.square) ?? []), heap]);
  const placed = [];
  for (const [square, here] of by_square) {
    const place = plan.squares[square];
    if (!place) continue;
    spots(here.length, place, plan).forEach((spot, i) => placed.push({ heap: here[i], spot, place }));
  }
  return placed;
}

/* --- moves --- */

const overlap = (one, other) => Math.abs(one.x - other.x) < (one.width + other.width) / 2 && Math.abs(one.y - other.y) < (one.height + other.height) / 2;

/* The nearest place where a plate hides neither the square's number nor tokens nor other plates, and the fewest other numbers. */
function room_for_plate({ x, y }, move, place, { plan, taken }) {
  const size = badge_size(move, NUMBER);
  const number = (square) => ({ ...square.number, width: NUMBER * 1.4, height: NUMBER * 0.9 });
  const numbers = plan.squares.filter((square) => square.number).map(number);
  const own = place.number ? [number(place)] : [];
  const spots = Array.from({ length: 16 * (FARTHEST_PLATE / 4) }, (_, i) => {
    const far = 4 * Math.floor(i / 16);
    const angle = (i % 16) * (Math.PI / 8);
    const plate = { x: x + far * Math.cos(angle), y: y + far * Math.sin(angle), ...size };
    const hidden = (boxes) => boxes.filter((box) => overlap(plate, box)).length;
    const outside = Math.max(0, plate.x + size.width / 2 - SPIRAL_SIZE, size.width / 2 - plate.x);
    return { ...plate, cost: far + 10 * outside + 30 * hidden(numbers) + 200 * hidden(taken) + 1000 * hidden(own) };
  });
  const best = spots.reduce((least, spot) => (spot.cost < least.cost ? spot : least));
  taken.push(best);
  return badge(best.x, best.y, move, NUMBER);
}

const to = (place, first) => `${first ? "M" : "L"}${place.x.toFixed(1)} ${place.y.toFixed(1)}`;

/** A line through the middles of squares, as a token walks. */
export function walk_line(plan, squares) {
  const places = squares.map((square) => plan.squares[square]).filter(Boolean);
  return places.length > 1 ? places.map((place, i) => to(place, i === 0)).join(" ") : "";
}

/** A bow from one square to another, bent towards the middle of the board. */
export function leap_line(plan, from, onto) {
  const a = plan.squares[from];
  const b = plan.squares[onto];
  if (!a || !b || from === onto) return "";
  const middle = SPIRAL_SIZE / 2;
  const bend = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const far = Math.hypot(b.x - a.x, b.y - a.y) > 260 ? 0.16 : 0.06;
  bend.x += (middle - bend.x) * far * 2;
  bend.y += (middle - bend.y) * far * 2;
  return `${to(a, true)} Q${bend.x.toFixed(1)} ${bend.y.toFixed(1)} ${b.x.toFixed(1)} ${b.y.toFixed(1)}`;
}

/* Strikes out the squares of a wormhole, and draws a tube across them. */
function draw_wormhole(from, onto, plan) {
  const inside = plan.squares.slice(from, onto + 1).filter((place) => place.outline);
  return svg(
    "g",
    { class: "wormhole", "data-wormhole": `${from}-${onto}`, "aria-hidden": "true" },
    inside.map((place) => svg("path", { class: "gone", d: place.outline })),
    svg("path", { class: "tube", d: leap_line(plan, from, onto) }),
  );
}

function draw_route(route) {
  return route.d ? svg("path", { class: `route ${route.kind}`, d: route.d, "aria-hidden": "true" }) : null;
}

function draw_target(target, room) {
  const place = room.plan.squares[target.square];
  const mark = place.outline
    ? svg("path", { class: "ring", d: place.outline })
    : svg("circle", { class: "ring", cx: place.x, cy: place.y, r: 62 });
  const button = svg_button(
    {
      label: target.move.label,
      on_press: target.press,
      class: `target ${move_class(target.move)}`,
      "data-square": target.square,
      "data-move": target.move.name,
    },
    mark,
    target.move.colour === "unknown" ? null : room_for_plate(place, target.move, place, room),
  );
  return set_strength(button, target.move);
}

/* --- the board --- */

/**
 * The drawing and the button that enlarges it. `press` = {label(square), go(square)} makes all squares buttons; `heaps` are
 * {square, seat, colour, count}, with `to_roll`, and if they can be pressed `label`, `press`, `move`, `chosen`;
 * `targets` are {square, move, press}; `routes(plan)` are {d, kind}; `barriers` squares with their seats; `wormholes`
 * pairs [from, to] of squares between which there are none.
 */
export function draw_spiral({ squares, label, text, game, press, heaps, targets = [], routes = () => [], barriers = [], wormholes = [] }) {
  const plan = lay_out(squares.length - 1);
  for (const place of plan.squares) place.sign = Math.min(plan.pitch / 114, plan.along / 88) * 0.82;
  const last = squares.length - 1;
  const placed = place_heaps(heaps, plan);
  // Places that plates must avoid: first tokens, then other plates.
  const room = { plan, taken: placed.map(({ spot }) => ({ ...spot, width: TOKEN * 1.8, height: TOKEN * 1.8 })) };
  const board = board_svg(
    { width: SPIRAL_SIZE, height: SPIRAL_SIZE, label, class: `board goose ${game}` },
    svg("circle", { class: "meadow", cx: SPIRAL_SIZE / 2, cy: SPIRAL_SIZE / 2, r: plan.garden + plan.pitch * 0.98, "aria-hidden": "true" }),
    draw_start(squares[0], plan.squares[0], press, text),
    squares.slice(1, last).map((square) => draw_cell(square, plan.squares[square.square], plan, press)),
    draw_garden(squares[last], plan.squares[last], plan, press),
    barriers.map(({ square, seat }) =>
      plan.squares[square]?.outline
        ? svg("path", { class: `barrier seat-${seat}`, d: plan.squares[square].outline, "aria-hidden": "true" })
        : null,
    ),
    wormholes.map(([from, onto]) => draw_wormhole(from, onto, plan)),
    routes(plan).map(draw_route),
    placed.map((one) => draw_heap_with_buttons(one, room)),
    placed.map(draw_count),
    targets.map((target) => draw_target(target, room)),
  );
  board.setAttribute("viewBox", `0 ${plan.top} ${SPIRAL_SIZE} ${SPIRAL_SIZE - plan.top}`);
  return enlargeable(board, text);
}

// Scrolls the player to move into the middle of the frame.
function show_whose_turn(frame) {
  const here = frame.querySelector(".target, .to_roll")?.getBoundingClientRect();
  const room = frame.getBoundingClientRect();
  if (!here) return;
  frame.scrollBy(here.left + here.width / 2 - room.left - room.width / 2, here.top + here.height / 2 - room.top - room.height / 2);
}

function enlargeable(board, text) {
  const frame = html("div", { class: "frame" }, board);
  const set_size = () => {
    frame.classList.toggle("large", zoom.large);
    for (const [name, value] of Object.entries({ tabindex: "0", role: "region", "aria-label": text("goose.scroller") })) {
      if (zoom.large) frame.setAttribute(name, value);
      else frame.removeAttribute(name);
    }
    button.textContent = text(zoom.large ? "goose.smaller" : "goose.larger");
    button.setAttribute("aria-pressed", String(zoom.large));
  };
  const button = html("button", {
    type: "button",
    class: "zoom",
    click: () => {
      zoom.large = !zoom.large;
      set_size();
      show_whose_turn(frame);
    },
  });
  frame.addEventListener("scroll", () => {
    zoom.left = frame.scrollLeft;
    zoom.top = frame.scrollTop;
  });
  set_size();
  requestAnimationFrame(() => frame.scrollTo(zoom.left, zoom.top));
  return html("div", { class: "goose_board" }, frame, html("p", { class: "row" }, button));
}

/* --- beside the board --- */

/* The effect of the last goose before the end, if the rules differ from "on to the end". */
function last_goose_words(squares, rules, text) {
  const [, named] = /(?:^|,)goose-59=(stay|bounce)(?:,|$)/.exec(rules) ?? [];
  const last = squares.findLast(({ kind }) => kind === "goose");
  if (!named || !last) return "";
  return ` ${text(named === "stay" ? "goose.does.last_stays" : "goose.does.last_bounces", { square: last.square, end: squares.length - 1 })}`;
}

/* texts: goose.does.next goose.does.other goose.does.to goose.does.turns goose.does.waits goose.does.end */
function effect_words(square, text, plural) {
  if (square.kind === "end") return text("goose.does.end");
  if (square.kind === "goose") return text("goose.does.next");
  if (square.kind === "bridge" || square.kind === "dice") return text("goose.does.other");
  if (square.waits) return text("goose.does.waits");
  if (square.turns) return plural("goose.does.turns", square.turns);
  return text("goose.does.to", { square: square.to });
}

/** The way of a token over the squares of its stops, and what they do. */
export function way_words(from, stops, { squares, text, plural }) {
  const named = stops.map((stop, i) => text(i === 0 ? "goose.went" : "goose.went_on", { from, square: square_words(squares, stop, text) }));
  const kinds = new Map(stops.map((stop) => [squares[stop].kind, squares[stop]]));
  const effects = [...kinds].filter(([kind, square]) => kind !== "plain" && kind !== "start" && !(kind === "goose" && !square.to));
  return { way: named.join(", "), effects: effects.map(([kind, square]) => `${capital(kind_name(kind, text))}: ${effect_words(square, text, plural)}`) };
}

const capital = (words) => words.charAt(0).toLocaleUpperCase() + words.slice(1);

/** The effects of the squares, folded. */
export function draw_legend(squares, { text, plural, rules = "" }) {
  const kinds = new Map();
  for (const square of squares) {
    if (square.kind === "plain" || square.kind === "start") continue;
    kinds.set(square.kind, [...(kinds.get(square.kind) ?? []), square]);
  }
  const items = [...kinds].map(([kind, here]) =>
    html(
      "li",
      { class: `square ${kind}` },
      svg("svg", { viewBox: "-36 -36 72 72", class: "small_sign", "aria-hidden": "true" }, svg("rect", { class: "cell", x: -36, y: -36, width: 72, height: 72, rx: 12 }), draw_sign(kind)),
      html("span", {}, html("b", {}, text(`goose.kind.${kind}`)), ` ${here.map((one) => one.square).join(", ")}: ${effect_words(here[0], text, plural)}${kind === "goose" ? last_goose_words(squares, rules, text) : ""}`),
    ),
  );
  return html("details", { class: "board_legend goose" }, html("summary", {}, text("goose.legend")), html("ul", {}, items));
}
