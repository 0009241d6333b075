// Errors as sentences, with what can be done about them.
import { html } from "./drawing.js";
import { text } from "./language.js";

// texts: problem.damaged problem.bad_position problem.not_found problem.busy problem.gone problem.strange problem.bad_address
const SENTENCES = {
  damaged: "problem.damaged",
  bad: "problem.bad_position",
  unknown: "problem.not_found",
  busy: "problem.busy",
  gone: "problem.gone",
  strange: "problem.strange",
  address: "problem.bad_address",
};

function sentence_of(problem, any_tables) {
  if (problem.kind === "missing") return text(any_tables ? "problem.no_tables_here" : "problem.no_tables_at_all");
  return text(SENTENCES[problem.kind]);
}

/* The server's own words are English and exact: where they are the point they stand there, elsewhere they can be unfolded. */
function details(problem) {
  if (!problem.message) return null;
  const words = html("p", { class: "said", lang: "en" }, problem.message);
  if (problem.kind === "missing") return html("details", {}, html("summary", {}, text("problem.details")), words);
  return words;
}

export function show_problem(host, { problem, any_tables, on_retry, on_begin }) {
  if (!problem) return;
  const can_retry = ["gone", "busy", "damaged", "strange"].includes(problem.kind);
  const lost = !problem.answer && problem.kind !== "gone";
  host.append(
    html(
      "div",
      { class: `problem ${problem.kind}` },
      html("p", {}, sentence_of(problem, any_tables)),
      details(problem),
      can_retry && html("button", { type: "button", click: on_retry }, text("problem.retry")),
      lost && on_begin && html("button", { type: "button", click: on_begin }, text("problem.begin")),
    ),
  );
}
