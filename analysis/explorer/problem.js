// Shows errors as sentences, with their remedies.
import { html } from "./drawing.js";
import { decimal, plural, text } from "./language.js";
import { said } from "./said.js";

// texts: problem.damaged problem.bad_position problem.not_found problem.busy problem.gone problem.strange problem.bad_address problem.ranges problem.compresses problem.changed
const SENTENCES = {
  damaged: "problem.damaged",
  bad: "problem.bad_position",
  unknown: "problem.not_found",
  busy: "problem.busy",
  gone: "problem.gone",
  strange: "problem.strange",
  ranges: "problem.ranges",
  compresses: "problem.compresses",
  changed: "problem.changed",
  address: "problem.bad_address",
};

function sentence_of(problem, any_tables) {
  if (problem.kind === "missing") return text(any_tables ? "problem.no_tables_here" : "problem.no_tables_at_all");
  return text(SENTENCES[problem.kind]);
}

/* The server's message is exact; it is shown if it is the point, else it can be unfolded. */
function details(problem) {
  if (!problem.message) return null;
  const told = said(problem);
  const words = html("p", { class: "said", lang: told.lang }, told.words);
  if (problem.kind === "missing") return html("details", {}, html("summary", {}, text("problem.details")), words);
  return words;
}

/* Shows the depth and size of a search. */
function show_searched(host, { seconds, depth, nodes }) {
  const values = { seconds: decimal(seconds, 1), plies: plural("problem.plies", depth) };
  host.append(html("div", { class: "problem searched" }, html("p", {}, plural("problem.searched", nodes, values))));
}

export function show_problem(host, { problem, searched = null, any_tables, on_retry, on_begin, on_search = null }) {
  if (searched) show_searched(host, searched);
  if (!problem) return;
  const can_retry = ["gone", "busy", "damaged", "strange"].includes(problem.kind);
  const lost = !problem.answer && problem.kind !== "gone";
  host.append(
    html(
      "div",
      { class: `problem ${problem.kind}` },
      html("p", {}, sentence_of(problem, any_tables)),
      on_search && html("button", { type: "button", id: "search_here", click: on_search }, text("problem.search")),
      details(problem),
      can_retry && html("button", { type: "button", click: on_retry }, text("problem.retry")),
      lost && on_begin && html("button", { type: "button", click: on_begin }, text("problem.begin")),
    ),
  );
}
