// Writes the value of a position in sentences, and all expectations of a game of dice.
import { html } from "./drawing.js";
import { percent, text } from "./language.js";
import { term } from "./term.js";
import { certified, colour_of, figure_of, seats_of, verdict } from "./values.js";

// texts: result.south result.north result.drawn result.south_over result.north_over result.drawn_over result.gain_south result.gain_north result.gain_even
// texts: quantity.win quantity.score quantity.turns quantity.rolls verdict.over_win verdict.over_draw verdict.over_loss

function sentence_of_end(over, side) {
  const key = over.colour && over.colour !== "unknown" ? `verdict.over_${over.colour}` : "verdict.over";
  return text(key, { side, move: over.name });
}

function sentences({ answer, over, kind, side, own }) {
  const end = text("verdict.ended");
  if (own) return [own.words, over ? sentence_of_end(over, side) : answer.history?.over ? text("verdict.repeated") : end];
  if (over) return [sentence_of_end(over, side)];
  const said = verdict(answer, kind, side);
  if (answer.moves.length === 0 && !answer.rolls?.length && !answer.history?.over) said.push(end);
  return said;
}

export function verdict_text(view) {
  return view.answer ? sentences(view).join(" ") : "";
}

export function quantity_name(name) {
  const [what, n] = name.split("-");
  return text(`quantity.${what}`, { n });
}

/** Draws what is to be expected from a position of a game of dice. */
export function show_quantities(host, answer) {
  const rows = Object.entries(answer.quantities).map(([name, bounds]) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, quantity_name(name)),
      html("td", { title: bounds ? `${bounds[0]} … ${bounds[1]}` : null }, certified(bounds, name)),
      html("td", { class: "measure" }, bounds && /^(win|score)/.test(name) ? html("meter", { min: 0, max: 1, value: bounds[0], "aria-label": percent(bounds[0]) }) : ""),
    ),
  );
  host.append(html("table", { class: "quantities" }, html("tbody", {}, rows)));
}

export function show_verdict(host, view) {
  if (!view?.answer) return;
  const { answer, over, kind } = view;
  const bounds = over ? null : (answer.history?.bounds ?? answer.bounds);
  const colour = view.own ? view.own.colour : over ? (over.colour ?? "unknown") : ((kind !== "chance" && answer.outcome) || colour_of(bounds, kind, seats_of(answer)));
  const figure = over || view.own ? null : figure_of(bounds, kind);
  const [first, ...others] = sentences(view);
  host.append(
    html(
      "div",
      { class: `verdict move best ${colour}` },
      figure && html("span", { class: "plate", "aria-hidden": "true" }, figure),
      html("p", {}, view.last && html("span", { id: "last_move" }, view.last), html("strong", {}, first), others.length > 0 ? ` ${others.join(" ")}` : "", kind !== "chance" && bounds && bounds[0] !== bounds[1] ? term("bounds", text("term.bounds_name")) : ""),
    ),
  );
}
