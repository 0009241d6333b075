// Shows the rules of a game for players, in the page's language, from a file of headings, paragraphs, lists and `words of the program`.
import { html } from "./drawing.js";
import { language_now, text } from "./language.js";

/* `a` between backquotes is a word of the program. */
function with_words(line) {
  return line.split("`").map((part, i) => (i % 2 === 1 ? html("code", {}, part) : part));
}

/* The items of a list, each with its continuation lines. */
function items_of(block) {
  return block
    .split(/\n(?=- )/)
    .map((item) => html("li", {}, with_words(item.replace(/^- /, "").replace(/\n\s*/g, " "))));
}

function element_of(block) {
  const heading = /^(#+) (.*)$/.exec(block);
  if (heading) return html(heading[1].length === 1 ? "h3" : "h4", {}, heading[2]);
  if (block.startsWith("- ")) return html("ul", {}, items_of(block));
  return html("p", {}, with_words(block.replace(/\n/g, " ")));
}

async function load(game) {
  const response = await fetch(`explorer/rules/${encodeURIComponent(game)}.${language_now()}.md`);
  if (!response.ok) throw new Error(String(response.status));
  return (await response.text()).trim().split(/\n\n+/).map(element_of);
}

/** The folded rules; the page loads them when they are unfolded. */
export function rules_of(game) {
  const words = html("div", { class: "rules" });
  const folded = html("details", { class: "rules_of" }, html("summary", {}, text("page.rules_help")), words);
  folded.addEventListener("toggle", async () => {
    if (!folded.open || words.childElementCount > 0) return;
    try {
      words.replaceChildren(...(await load(game)));
    } catch {
      words.replaceChildren(html("p", {}, text("problem.gone")));
    }
  });
  return folded;
}
