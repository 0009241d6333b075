// Reads positions of phutball and finds points and the stops of a jumping ball; it draws nothing.
// A state is {rows, columns, men: booleans from A1 on row by row, ball: a point's number or null, side: "O" or "E"}.

export const LETTERS = "ABCDEFGHJKLMNOPQRST";
export const MOST_ROWS = 170;
export const MOST_COLUMNS = LETTERS.length;

/* --- positions --- */

function parse_row(text) {
  if (!/^(x|o|[1-9]\d*)+$/.test(text)) return null;
  const points = [];
  for (const run of text.match(/x|o|\d+/g)) {
    if (/\d/.test(run)) points.push(...Array(Math.min(Number(run), MOST_COLUMNS + 1)).fill(""));
    else points.push(run);
  }
  return points;
}

export function parse(position) {
  const words = position.split(" ");
  if (words[1] !== "O" && words[1] !== "E") return null;
  if (words.length > 2 && words[2] !== "moves") return null;
  const rows = words[0].split("/").map(parse_row).reverse();
  if (rows.includes(null)) return null;
  const columns = rows[0].length;
  if (columns > MOST_COLUMNS || rows.length > MOST_ROWS || rows.some((row) => row.length !== columns)) return null;
  const points = rows.flat();
  const ball = points.indexOf("o");
  if (ball < 0 || points.lastIndexOf("o") !== ball) return null;
  return { rows: rows.length, columns, men: points.map((point) => point === "x"), ball, side: words[1] };
}

export function format(state) {
  const rows = [];
  for (let row = state.rows - 1; row >= 0; row--) {
    let text = "";
    for (let column = 0; column < state.columns; column++) {
      const point = row * state.columns + column;
      text += point === state.ball ? "o" : state.men[point] ? "x" : ".";
    }
    rows.push(text.replace(/\.+/g, (run) => run.length));
  }
  return `${rows.join("/")} ${state.side}`;
}

export function empty_board(rows, columns, side) {
  const middle = Math.floor(rows / 2) * columns + Math.floor(columns / 2);
  return { rows, columns, men: Array(rows * columns).fill(false), ball: middle, side };
}

// Changes the size of the board; the overlap of both boards keeps its men.
export function resize(state, rows, columns) {
  const next = { ...empty_board(rows, columns, state.side), ball: null };
  for (let row = 0; row < Math.min(rows, state.rows); row++) {
    for (let column = 0; column < Math.min(columns, state.columns); column++) {
      const from = row * state.columns + column;
      next.men[row * columns + column] = state.men[from];
      if (from === state.ball) next.ball = row * columns + column;
    }
  }
  return next;
}

export function put(state, point, what) {
  const men = [...state.men];
  men[point] = what === "man" && point !== state.ball && !state.men[point];
  const lifted = what === "eraser" && point === state.ball;
  return { ...state, men, ball: what === "ball" ? point : lifted ? null : state.ball };
}

/* --- places: {row, column} from 0, beyond the goal lines −1 and `rows` --- */

export const name_of = ({ row, column }) => `${LETTERS[column]}${row + 1}`;
export const place_of = (state, point) => ({ row: Math.floor(point / state.columns), column: point % state.columns });
export const is_on_board = (state, { row, column }) =>
  row >= 0 && row < state.rows && column >= 0 && column < state.columns;

// The name of a corner leaves out its side, which follows from the ball's last stop.
export function place_of_stop(state, stop, from) {
  if (!stop.startsWith("exit")) return { row: Number(stop.slice(1)) - 1, column: LETTERS.indexOf(stop[0]) };
  const row = stop === "exit+" ? state.rows : -1;
  const steps = Math.abs(row - from.row);
  return { row, column: from.column - steps < 0 ? -1 : state.columns };
}

export const stops_of = (move) => move.name.match(/exit[+-]|[A-HJ-T]\d+/g) ?? [];

export function path_places(state, stops) {
  const places = [];
  for (const stop of stops) places.push(place_of_stop(state, stop, places.at(-1)));
  return places;
}

// The points of the men that the ball has jumped.
export function jumped(state, places) {
  const points = new Set();
  for (let i = 1; i < places.length; i++) {
    const across = Math.sign(places[i].column - places[i - 1].column);
    const along = Math.sign(places[i].row - places[i - 1].row);
    let { row, column } = places[i - 1];
    for (row += along, column += across; row !== places[i].row || column !== places[i].column; ) {
      if (!is_on_board(state, { row, column })) break;
      points.add(row * state.columns + column);
      row += along;
      column += across;
    }
  }
  return points;
}

// The turns that begin with a path: the turn that ends there, and for each next stop the best turn through it.
export function turns_after(moves, path) {
  const on = new Map();
  let here = null;
  for (const move of moves) {
    const stops = stops_of(move);
    if (stops.length < 2 || path.some((stop, i) => stops[i] !== stop)) continue;
    if (stops.length === path.length) here = move;
    else if (!on.has(stops[path.length])) on.set(stops[path.length], move);
  }
  return { here, on };
}
