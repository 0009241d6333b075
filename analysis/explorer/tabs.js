// Shows one part of the page at a time beside the board: a tab for each part that has something to show, walked by arrow keys.
import { page } from "./redraw.js";
import { shown, TABS } from "./state.js";

const LAST = { Home: 0, End: -1 };
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

const tab = (name) => page(`tab_${name}`);
const has_parts = (name) => page(`panel_${name}`).querySelector(":scope > section:not([hidden])") !== null;
const offered = () => TABS.filter(has_parts);

/** Shows the chosen part, or the first one if that has nothing to show here. */
export function draw_tabs() {
  const names = offered();
  const here = names.includes(shown.tab) ? shown.tab : names[0];
  page("tabs").hidden = names.length === 0;
  for (const name of TABS) {
    tab(name).hidden = !names.includes(name);
    tab(name).setAttribute("aria-selected", String(name === here));
    tab(name).tabIndex = name === here ? 0 : -1;
    page(`panel_${name}`).classList.toggle("chosen", name === here);
  }
}

export function choose_tab(name) {
  shown.tab = name;
  draw_tabs();
}

function walk(event) {
  const names = offered();
  const at = names.indexOf(event.target.id.replace("tab_", ""));
  const to = event.key in STEPS ? at + STEPS[event.key] : LAST[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  const name = names.at(to % names.length);
  choose_tab(name);
  tab(name).focus();
}

/** Makes the tabs answer to presses and keys, and calls `on_choose` then. */
export function start_tabs(on_choose) {
  for (const name of TABS) {
    tab(name).addEventListener("click", () => {
      choose_tab(name);
      on_choose();
    });
  }
  page("tabs").addEventListener("keydown", (event) => {
    walk(event);
    if (event.defaultPrevented) on_choose();
  });
}
