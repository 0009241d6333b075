// Starts the page and handles the events of the whole page: keys, the language, the browser's history.
import { with_boards } from "./boards.js";
import { as_problem, follow_address, go_to, remember, restore } from "./going.js";
import { choose_language, language_now, put_texts, use_first_language } from "./language.js";
import { draw, draw_beginning_problem, draw_sized } from "./page.js";
import { take_back } from "./play/session.js";
import { page } from "./redraw.js";
import { ask_catalogue } from "./service.js";
import { shown } from "./state.js";
import { start_tabs } from "./tabs.js";

const STEPS = { ArrowLeft: () => shown.at - 1, ArrowRight: () => shown.at + 1 };

function step_by_key(event) {
  const step = STEPS[event.key];
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  if (event.target.closest("input, select, textarea, svg") || shown.draft) return;
  event.preventDefault();
  if (!shown.play) go_to(step());
  else if (event.key === "ArrowLeft") take_back();
}

async function change_language(event) {
  await choose_language(event.target.value);
  if (shown.catalogue) draw();
  else put_texts(document);
}

function skip_to_board(event) {
  event.preventDefault();
  (page("board").querySelector('[role="button"]') ?? page("board")).focus();
}

/* The games of the catalogue that have a board here; `cycles` is null for a game without cycles. */
function with_plain_sets(catalogue, names) {
  const plain = (set) => ({ ...set, cycles: set.cycles || null });
  const games = catalogue.games.filter((game) => names.includes(game.name));
  return { ...catalogue, games: games.map((game) => ({ ...game, rule_sets: game.rule_sets.map(plain) })) };
}

/* A bad address stays, so that it can be mended. */
function keep_tab() {
  if (shown.problem?.kind !== "address") remember("same");
  draw_sized();
}

async function start() {
  try {
    const asked = await ask_catalogue();
    shown.catalogue = with_plain_sets(asked, await with_boards(asked.games.map((game) => game.name)));
  } catch (problem) {
    draw_beginning_problem(as_problem(problem), start);
    return;
  }
  await (history.state ? restore(history.state) : follow_address("same"));
}

await use_first_language();
page("language").value = language_now();
put_texts(document);
page("language").addEventListener("change", change_language);
page("skip").addEventListener("click", skip_to_board);
document.addEventListener("keydown", step_by_key);
window.addEventListener("popstate", (event) => shown.catalogue && restore(event.state));
window.addEventListener("resize", draw_sized);
start_tabs(keep_tab);
start();
