// Draws the part of the page that has the game that is played or was opened: its graph, its moves, records.
import { kind_now, board_now, game_entry, seats_now, shown } from "../state.js";
import { show_path } from "../path.js";
import { redraw_part, page } from "../redraw.js";
import { show_game_part, show_graph_part, show_tree } from "./panel.js";
import { game_now, go_to_node, judge_game, open_game, write_game } from "./session.js";
import { line_from } from "./tree.js";

/* The state of the form that opens a game, and the text in it. */
let unfolded = false;
let words_to_open = "";

const has_no_game = () => shown.play !== null || shown.train !== null || shown.draft !== null || Boolean(game_entry()?.dice) || !shown.answer;

/** Scrolls the list of moves so that the move that is shown is in view. */
export function keep_in_view() {
  const host = page("path");
  const here = host.querySelector("[aria-current]");
  if (!here) return;
  const above = here.getBoundingClientRect().top - host.getBoundingClientRect().top;
  const below = above + here.offsetHeight - host.clientHeight;
  if (above < 0) host.scrollTop += above;
  else if (below > 0) host.scrollTop += below;
}

/** Draws the line of moves where no game can be judged. */
export function draw_path(stepping) {
  page("path_section").hidden = shown.draft !== null || shown.train !== null;
  if (has_no_game()) redraw_part("path", show_path, stepping);
  keep_in_view();
}

function graph_view(game, line) {
  const [first] = seats_now();
  const on_main = line.slice(0, shown.at).every((node, i) => node.step.name === shown.path[i]?.name);
  return {
    width: Math.max(300, Math.min(560, page("path_section").clientWidth || 480)),
    first: first.turn,
    side: first.name,
    lead: (position) => board_now().lead?.(board_now().parse(position)) ?? 0,
    outcomes: kind_now() === "outcomes",
    at: on_main ? shown.at : null,
    on_go: (ply) => go_to_node(ply === 0 ? game.root : line[ply - 1]),
  };
}

/** Draws the value over the game, as wide as its part of the page. */
export function draw_value() {
  if (has_no_game()) return redraw_part("graph", () => null);
  const game = game_now();
  const line = line_from(game.root);
  return redraw_part("graph", show_graph_part, { game, line, graph: graph_view(game, line), at: shown.at, on_node: go_to_node });
}

/** Draws the game that was played or opened: its graph, the losses of each side, records. */
export function draw_game() {
  page("game").hidden = has_no_game();
  draw_value();
  if (page("game").hidden) return redraw_part("game", () => null);
  const game = game_now();
  const line = line_from(game.root);
  redraw_part("path", show_tree, { game, on_node: go_to_node });
  keep_in_view();
  return redraw_part("game", show_game_part, {
    game,
    main: line.map((node, i) => `${Math.floor(i / 2) + 1}. ${node.step.name}`),
    open: unfolded,
    on_unfold: (open) => (unfolded = open),
    words: words_to_open,
    on_words: (words) => (words_to_open = words),
    on_open: async (words) => {
      unfolded = !(await open_game(words));
      if (!unfolded) words_to_open = "";
      draw_game();
    },
    on_judge: judge_game,
    on_write: write_game,
  });
}
