// Shows a line of best play on request; a press on a step goes there.
import { html, move_class } from "./drawing.js";
import { text } from "./language.js";
import { said } from "./said.js";

const MOST_SHOWN = 200;

// texts: line.ended line.repeats line.untabled
const ENDS = { ended: "line.ended", repeats: "line.repeats", unknown: "line.untabled" };

function colour_of_step({ bounds }) {
  if (!bounds) return "unknown";
  if (bounds[0] > 0) return "win";
  if (bounds[1] < 0) return "loss";
  return bounds[0] === bounds[1] ? "draw" : "unknown";
}

function show_steps(host, line, on_steps) {
  const steps = line.steps.slice(0, MOST_SHOWN);
  if (steps.length === 0) {
    host.append(html("p", { class: "quiet" }, text("line.none")));
    return;
  }
  const items = steps.map((step, i) => {
    const colour = colour_of_step(step);
    const last = i + 1 === steps.length && line.end === "repeats";
    const button = html("button", { type: "button", class: "place", click: () => on_steps(steps.slice(0, i + 1).map((one) => ({ ...one, colour: colour_of_step(one) }))) }, step.move);
    return html("li", { class: `${move_class({ colour, best: false })}${last ? " repeats" : ""}` }, button);
  });
  host.append(html("ol", { class: "path line" }, items));
  if (line.rule === "lower bound") host.append(html("p", { class: "quiet" }, text("line.bounds")));
  const cut = steps.length < line.steps.length;
  const end = cut ? text("line.cut") : ENDS[line.end] ? text(ENDS[line.end]) : "";
  host.append(html("p", { class: "quiet" }, end));
}

export function show_best_line(host, { line, on_show, on_steps }) {
  if (line?.problem) {
    const told = said(line.problem);
    host.append(html("p", { class: "quiet", lang: told.lang }, told.words || text("problem.gone")));
  } else if (line) {
    show_steps(host, line, on_steps);
  } else {
    host.append(html("button", { type: "button", id: "show_line", click: on_show }, text("line.show")));
  }
}
