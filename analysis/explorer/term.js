// Draws a "?" beside a term; a press on it shows one sentence that explains the term.
import { html } from "./drawing.js";
import { text } from "./language.js";

// texts: term.value term.plies term.bounds term.slice

/** The button and the sentence of a term; `place` makes its name the only one on the page. */
export function term(name, words, place = "") {
  const id = `term_${name}${place}`;
  return [
    " ",
    html("button", { type: "button", class: "term", popovertarget: id, "aria-label": text("term.ask", { term: words }) }, "?"),
    html("span", { id, popover: "auto", class: "term_words" }, text(`term.${name}`)),
  ];
}
