// Draws the statistics of a table: a bar with the number of positions of each value, and the same figures as a table.
import { html, svg } from "./drawing.js";
import { language_now, percent, plural, text, whole_number } from "./language.js";
import { term } from "./term.js";
import { quantity_name } from "./verdict.js";
import { certified, signed } from "./values.js";

// texts: stats.slice.auale.one stats.slice.auale.other

const HEIGHT = 210;
const MARGIN = { left: 8, right: 8, top: 22, bottom: 26 };
const MOST_NAMED = 4;
const OPEN_PITCH = 58;
const OUTCOMES = { 1: "value.win", 0: "value.draw", "-1": "value.loss" };

// texts: doushouqi.r doushouqi.c doushouqi.w doushouqi.d doushouqi.p doushouqi.t doushouqi.l doushouqi.e

/* "Lr": lion – rat; of many pieces the letters alone. */
function material_name(slice) {
  const names = (letters) => [...letters].map((letter) => text(`doushouqi.${letter.toLowerCase()}`)).join(", ");
  const [, white, black] = /^([RCWDPTLE]*)([rcwdptle]*)$/.exec(slice) ?? [];
  if (white === undefined || slice.length > MOST_NAMED) return slice;
  return `${slice} (${names(white)} – ${names(black)})`;
}

/** The name of a table. */
export function slice_name(game, slice) {
  if (game === "auale") return plural("stats.slice.auale", Number(slice));
  return game === "doushouqi" ? material_name(String(slice)) : slice;
}

function colour_of_value(value) {
  if (value === null) return "unknown";
  return value > 0 ? "win" : value < 0 ? "loss" : "draw";
}

/* A position with two different bounds counts for the pair, not for either bound. */
function bars_of(found, is_scores) {
  return found.counts.map((entry) => {
    const lower = entry.lower ?? entry.value;
    const upper = entry.upper ?? entry.value;
    const exact = lower === upper;
    const name = is_scores ? (exact ? signed(lower) : `${signed(lower)}…${signed(upper)}`) : text(OUTCOMES[lower] ?? "stats.unknown");
    const colour = lower > 0 ? "win" : upper < 0 ? "loss" : exact ? colour_of_value(lower) : "unknown";
    return { lower, upper, exact, name, colour, count: entry.count };
  });
}

/* Values that no position has keep their place on the axis. */
function with_gaps(bars) {
  const lowest = Math.min(...bars.map((bar) => bar.lower));
  const highest = Math.max(...bars.map((bar) => bar.lower));
  return Array.from({ length: highest - lowest + 1 }, (_, i) => {
    const value = lowest + i;
    return bars.find((bar) => bar.lower === value) ?? { lower: value, upper: value, exact: true, name: signed(value), colour: colour_of_value(value), count: 0 };
  });
}

/* Exact values come first; then a bar for each pair of bounds, or one bar for all pairs if there are too many. */
function bars_to_draw(bars, is_scores, width) {
  const counted = bars.filter((bar) => bar.exact);
  const exact = is_scores && counted.length > 0 ? with_gaps(counted) : counted;
  const open = bars.filter((bar) => !bar.exact);
  if ((exact.length + open.length) * OPEN_PITCH <= width) return [...exact, ...open.map((bar) => ({ ...bar, lower: undefined }))];
  if (open.length === 0) return exact;
  return [...exact, { name: text("stats.unknown"), colour: "unknown", count: open.reduce((sum, bar) => sum + bar.count, 0) }];
}

/* Names have room every so often, counted from 0; the bar of open positions always has its own. */
function is_named(bars, i, every, middle) {
  if (bars[i].lower === undefined) return true;
  const beside_open = i + 1 < bars.length && bars[i + 1].lower === undefined;
  return (i - middle) % every === 0 && !(beside_open && every > 1);
}

function chart(bars, width, label) {
  const most = Math.max(...bars.map((bar) => bar.count), 1);
  const pitch = (width - MARGIN.left - MARGIN.right) / bars.length;
  const space = HEIGHT - MARGIN.top - MARGIN.bottom;
  const every = Math.max(1, Math.ceil((Math.max(...bars.map((bar) => bar.name.length)) * 7.5 + 6) / pitch));
  const middle = Math.max(bars.findIndex((bar) => bar.lower === 0), 0);
  const whole = bars.reduce((sum, bar) => sum + bar.count, 0);
  const drawn = bars.map((bar, i) => {
    const height = bar.count === 0 ? 0 : Math.max(1.5, (bar.count / most) * space);
    const x = MARGIN.left + i * pitch;
    const named = is_named(bars, i, every, middle);
    return svg(
      "g",
      { class: `bar move ${bar.colour}` },
      svg("title", {}, `${bar.name}: ${whole_number(bar.count)} (${percent(bar.count / whole)})`),
      svg("rect", { class: "plate", x: x + pitch * 0.1, y: HEIGHT - MARGIN.bottom - height, width: pitch * 0.8, height, rx: Math.min(3, pitch / 6) }),
      named && svg("text", { x: x + pitch / 2, y: HEIGHT - 8, "text-anchor": "middle" }, bar.name),
      bars.length <= 4 && svg("text", { x: x + pitch / 2, y: HEIGHT - MARGIN.bottom - height - 6, "text-anchor": "middle" }, percent(bar.count / whole)),
    );
  });
  const base = HEIGHT - MARGIN.bottom + 0.5;
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": label },
    drawn,
    svg("line", { class: "axis", x1: 0, x2: width, y1: base, y2: base }),
  );
}

function figures(bars, is_bounds) {
  const whole = bars.reduce((sum, bar) => sum + bar.count, 0);
  const titles = [is_bounds ? `${text("stats.lower")} … ${text("stats.upper")}` : text("stats.value"), text("stats.count"), text("stats.share")];
  return html(
    "details",
    {},
    html("summary", {}, text("stats.as_table")),
    html(
      "table",
      { class: "figures" },
      html("thead", {}, html("tr", {}, titles.map((title) => html("th", { scope: "col" }, title)))),
      html(
        "tbody",
        {},
        bars.map((bar) =>
          html(
            "tr",
            {},
            html("th", { scope: "row" }, bar.name),
            html("td", { class: "number" }, whole_number(bar.count)),
            html("td", { class: "number" }, percent(bar.count / whole, 2)),
          ),
        ),
      ),
    ),
  );
}

function expectations(found) {
  const rows = Object.entries(found.quantities).map(([name, bounds]) =>
    html("tr", {}, html("th", { scope: "row" }, quantity_name(name)), html("td", { class: "number" }, certified(bounds, name))),
  );
  return html("table", { class: "figures" }, html("caption", {}, text("stats.begin")), html("tbody", {}, rows));
}

/* A folder may hold thousands of tables, so their names are written once, not at each move. */
let written = { slices: null, language: null, select: null };

function select_of(set, slices) {
  if (written.slices !== slices || written.language !== language_now()) {
    const options = slices.map((one) => html("option", { value: String(one.slice) }, slice_name(set.game, one.slice)));
    written = { slices, language: language_now(), select: html("select", { id: "slice" }, options) };
  }
  return written.select;
}

function choice_of_slice({ set, slices, slice, on_slice }) {
  const select = select_of(set, slices);
  select.value = slice;
  select.onchange = () => on_slice(select.value);
  return html("div", { class: "row slice" }, html("label", {}, html("span", { class: "field_name" }, text("stats.slice")), select), term("slice", text("stats.slice")));
}

function show_counts(host, set, found) {
  const is_scores = set.game === "auale";
  const bars = bars_of(found, is_scores);
  if (bars.length === 0) return;
  const name = slice_name(set.game, found.slice);
  const label = text("stats.chart", { slice: name, lowest: bars[0].name, highest: bars.at(-1).name });
  const width = Math.max(240, Math.min(host.clientWidth || 320, 640));
  host.append(chart(bars_to_draw(bars, is_scores, width), width, label), figures(bars, bars.some((bar) => !bar.exact)));
}

export function show_stats(host, view) {
  const { set, slices, slice, stats, shared } = view;
  if (slices.length === 0) return;
  host.append(choice_of_slice(view));
  if (shared && set.game === "doushouqi") host.append(html("p", { class: "quiet" }, text("stats.shared", { slice, material: slice_name(set.game, shared) })));
  if (stats?.problem) {
    host.append(html("p", { class: "quiet" }, text("stats.none")));
    return;
  }
  const found = stats?.found;
  if (!found) return;
  if (found.positions) host.append(html("p", { class: "quiet" }, plural("stats.positions", found.positions)));
  if (found.counts) show_counts(host, set, found);
  if (found.quantities) host.append(expectations(found));
}
