// Draws the value over a game, with axes and a legend: a line for known values, a band between bounds, a gap for unknown values.
import { html, svg } from "../drawing.js";
import { text } from "../language.js";
import { signed } from "../values.js";
import { line_from, mark_of } from "./tree.js";

const HEIGHT = 150;
const MARGIN = { left: 44, right: 8, top: 10, bottom: 24 };
const NUMBER_WIDTH = 30;

/* The bounds before every move of a line and at its end, for the side that sits below at first. */
function values_of({ root, end }, { first, lead }) {
  const line = line_from(root);
  const points = line.map(({ judged }) => {
    if (!judged) return null;
    const bounds = judged.history?.judges ? judged.history.best : judged.best.bounds;
    return bounds && seen_from(bounds, judged.turn === first, lead(judged.position));
  });
  const last = line.at(-1);
  if (!last?.judged) return points;
  if (end?.bounds && end.position) points.push(seen_from(end.bounds, last.judged.turn !== first, lead(end.position)));
  else if (last.judged.bounds) points.push(seen_from(last.judged.bounds, last.judged.turn === first, lead(last.judged.position)));
  return points;
}

const seen_from = ([lower, upper], is_first, ahead) => (is_first ? [lower + ahead, upper + ahead] : [ahead - upper, ahead - lower]);

function band(points, x, y) {
  const paths = [];
  for (let i = 0; i < points.length; i++) {
    if (!points[i]) continue;
    let j = i;
    while (points[j + 1]) j++;
    const part = points.slice(i, j + 1);
    const up = part.map(([, upper], k) => `${x(i + k)} ${y(upper)}`);
    const down = part.map(([lower], k) => `${x(i + k)} ${y(lower)}`).reverse();
    paths.push(`M${[...up, ...down].join(" L")}Z`);
    i = j;
  }
  return paths.join(" ");
}

function axis(most, y, width, outcomes) {
  const names = outcomes ? [[1, text("game.won")], [0, text("game.drawn")], [-1, text("game.lost")]] : [most, 0, -most].map((value) => [value, signed(value)]);
  return names.map(([value, name]) => [
    svg("line", { class: value === 0 ? "axis zero" : "axis", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) }),
    svg("text", { x: MARGIN.left - 6, y: y(value), "text-anchor": "end", "dominant-baseline": "central" }, name),
  ]);
}

/* The numbers of moves below the graph, so far apart that each has room. */
function numbers(plies, x, width) {
  const moves = Math.ceil(plies / 2);
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => (moves / step) * NUMBER_WIDTH <= width) ?? moves;
  const shown = Array.from({ length: moves }, (_, i) => i + 1).filter((move) => move === 1 || move % every === 0);
  return shown.map((move) => [
    svg("line", { class: "tick", x1: x(2 * move - 1), x2: x(2 * move - 1), y1: HEIGHT - MARGIN.bottom, y2: HEIGHT - MARGIN.bottom + 4 }),
    svg("text", { class: "move_number", x: x(2 * move - 1), y: HEIGHT - 6, "text-anchor": "middle" }, String(move)),
  ]);
}

/* What the graph shows, with the marks that are on it. */
function legend({ side, outcomes }, marks, is_open) {
  const entry = (name, words) => html("li", {}, html("span", { class: `key ${name}`, "aria-hidden": "true" }), words);
  return html(
    "ul",
    { class: "legend graph_legend" },
    entry("value", text(outcomes ? "game.legend_outcome" : "game.legend_lead", { side })),
    is_open && entry("open", text("game.legend_band")),
    marks.includes("?") && entry("mistake", text("game.legend_mistake")),
    marks.includes("??") && entry("grave", text("game.legend_grave")),
  );
}

function mistakes_on(marked, points, x, y) {
  const known = marked.filter(([, i]) => points[i + 1]);
  return known.map(([mark, i]) => svg("circle", { class: mark === "??" ? "mistake grave" : "mistake", cx: x(i + 1), cy: y((points[i + 1][0] + points[i + 1][1]) / 2), r: mark === "??" ? 5 : 3.5 }));
}

/** The graph and its legend. `how`: {width, first: turn of the side it is drawn for, side: its name, lead: position → its lead in captures, outcomes,
 * at: ply or null, on_go}. */
export function draw_graph(game, how) {
  const points = values_of(game, how);
  if (!points.some(Boolean)) return [];
  const known = points.filter(Boolean).flat();
  const most = how.outcomes ? 1 : Math.max(2, ...known.map(Math.abs));
  const plies = Math.max(points.length - 1, 1);
  const room = how.width - MARGIN.left - MARGIN.right;
  const x = (ply) => (MARGIN.left + (ply / plies) * room).toFixed(1);
  const y = (value) => (MARGIN.top + ((most - value) / (2 * most)) * (HEIGHT - MARGIN.top - MARGIN.bottom)).toFixed(1);
  const marked = line_from(game.root).map((node, i) => [mark_of(node), i]).filter(([mark]) => mark !== "");
  const drawing = svg(
    "svg",
    { class: "chart graph", viewBox: `0 0 ${how.width} ${HEIGHT}`, role: "img", "aria-label": text("game.graph", { side: how.side, plies, marked: marked.length }) },
    axis(most, y, how.width, how.outcomes),
    numbers(plies, x, room),
    svg("path", { class: "band", d: band(points, x, y) }),
    how.at !== null && svg("line", { class: "here", x1: x(how.at), x2: x(how.at), y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }),
    mistakes_on(marked, points, x, y),
  );
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * how.width - MARGIN.left;
    how.on_go(Math.min(plies, Math.max(0, Math.round((share / room) * plies))));
  });
  const is_open = points.some((point) => point && point[0] !== point[1]);
  return [drawing, legend(how, marked.map(([mark]) => mark), is_open)];
}
