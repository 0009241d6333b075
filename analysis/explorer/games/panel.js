// Draws a game: its moves as a tree with marks, the value over the game, the losses of each side, opening and writing records.
import { html } from "../drawing.js";
import { plural, text } from "../language.js";
import { draw_graph } from "./graph.js";
import { mark_of, way_to } from "./tree.js";

const given_words = ([least, most]) => (least === most ? String(least) : text("game.at_least", { n: least }));

function label_of(node) {
  const { judged, step } = node;
  const mark = mark_of(node);
  if (!judged || mark === "") return null;
  const values = { move: `${step.name}${mark}`, n: given_words(judged.given_away ?? [0, null]), best: (judged.best.moves ?? []).slice(0, 3).join(", ") };
  return text(mark === "??" ? "game.changed" : "game.gave_away", values);
}

function place(node, here, on_node) {
  const mark = mark_of(node);
  const label = label_of(node);
  const button = html(
    "button",
    { type: "button", class: `place${mark === "??" ? " grave" : mark ? " mistake" : ""}`, "aria-current": node === here ? "step" : null, "aria-label": label, title: label, click: () => on_node(node) },
    `${node.step?.name ?? text("path.start")}${mark}`,
  );
  return [number_of(node), button];
}

/* The number of a move stands before the move of the side that begins, and before a variation. */
function number_of(node) {
  const ply = way_to(node).length - 1;
  const begins = node.parent && node !== node.parent.children[0];
  if (ply < 0 || (ply % 2 === 1 && !begins)) return "";
  return html("span", { class: "move_number", "aria-hidden": "true" }, `${Math.floor(ply / 2) + 1}${ply % 2 === 1 ? "…" : "."}`);
}

/* Draws a line: its moves, each followed by its variations. */
function line_items(first, here, on_node) {
  const items = [];
  for (let node = first; node; node = node.children[0]) {
    items.push(html("li", {}, place(node, here, on_node)));
    if (node !== node.parent.children[0]) continue;
    for (const other of node.parent.children.slice(1)) {
      items.push(html("li", { class: "variation" }, html("ol", { class: "path", "aria-label": text("game.variation") }, line_items(other, here, on_node))));
    }
  }
  return items;
}

export function show_tree(host, { game, on_node }) {
  const first = game.root.children[0];
  host.append(html("ol", { class: "path" }, html("li", {}, place(game.root, game.here, on_node)), first ? line_items(first, game.here, on_node) : ""));
}

/* The mistakes of the main line before and behind the ply that is shown, and what the last move gave away. */
function mistakes_part({ game, line, at, on_node }) {
  const marked = line.map((node, i) => ({ node, ply: i + 1 })).filter(({ node }) => mark_of(node) !== "");
  const before = marked.filter(({ ply }) => ply < at).at(-1);
  const behind = marked.find(({ ply }) => ply > at);
  const here = marked.findIndex(({ node }) => node === game.here);
  const button = (id, words, to) => html("button", { type: "button", id, disabled: !to, click: () => on_node(to.node) }, words);
  const told = here >= 0 ? text("game.mistake_of", { n: here + 1, all: marked.length }) : plural("game.mistakes", marked.length);
  return [
    html("div", { class: "row mistakes_row" }, button("mistake_back", `← ${text("game.mistake")}`, before), button("mistake_forward", `${text("game.mistake")} →`, behind), html("span", { class: "quiet" }, told)),
    html("p", { id: "game_move" }, label_of(game.here) ?? ""),
  ];
}

/** `view`: {game, line: the main line, graph: how of draw_graph, at: the ply that is shown, on_node}. */
export function show_graph_part(host, view) {
  if (!view.game.sides) return;
  host.append(...draw_graph(view.game, view.graph), ...mistakes_part(view));
}

/* Moves that are known by bounds alone are in no sum, but are counted. */
function side_words({ side, player, moves, judged, bounded, given_away, worst }, main) {
  const name = player && player !== side ? `${player} (${side})` : side;
  const sentences = [given_away ? text("game.side", { side: name, exact: judged - bounded, moves, n: given_words(given_away) }) : text("game.side_unknown", { side: name, moves })];
  if (worst) sentences.push(text("game.side_most", { worst: main[worst - 1] }));
  if (bounded > 0) sentences.push(plural("game.side_bounded", bounded));
  return sentences.join(" ");
}

function opening({ busy, words, on_open, on_words }) {
  const field = html("textarea", { id: "game_text", rows: 5, spellcheck: "false", autocapitalize: "off", autocomplete: "off", input: () => on_words(field.value) }, words);
  const file = html("input", { type: "file", id: "game_file", accept: ".ogn,.pgn,.txt,text/plain", change: async () => file.files[0] && on_open(await file.files[0].text()) });
  const form = html(
    "form",
    { class: "opening" },
    html("label", { for: "game_text" }, text("game.paste")),
    field,
    html("div", { class: "row" }, html("button", { type: "submit", id: "game_open", disabled: busy }, text("game.open")), html("label", {}, `${text("game.file")} `, file)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim() !== "") on_open(field.value);
  });
  return form;
}

function written({ text: words, name }) {
  const file = URL.createObjectURL(new Blob([words], { type: "text/plain" }));
  return html(
    "div",
    { class: "written" },
    html("label", { for: "game_written" }, text("game.written")),
    html("textarea", { id: "game_written", rows: 8, readonly: true }, words),
    html("a", { href: file, download: name, id: "game_save" }, text("game.save")),
  );
}

/** `view`: {game, main: names of the main line, open: whether the form is unfolded, on_…}. */
export function show_game_part(host, view) {
  const { game, main, on_judge, on_write, on_unfold } = view;
  const several = game.others.length > 1;
  const unfolded = html("details", { open: view.open, toggle: () => on_unfold(unfolded.open) }, html("summary", {}, text("game.open_title")), opening({ busy: game.busy, words: view.words, on_open: view.on_open, on_words: view.on_words }));
  host.append(
    several ? html("div", { class: "row", role: "group", "aria-label": text("game.games") }, game.others.map(({ name, is_here, show }) => html("button", { type: "button", "aria-pressed": String(is_here), click: show }, name))) : "",
    game.sides ? html("ul", { class: "sides quiet" }, game.sides.map((side) => html("li", {}, side_words(side, main)))) : "",
    main.length > 0
      ? html(
          "div",
          { class: "row" },
          html("button", { type: "button", id: "game_judge", disabled: game.busy, click: on_judge }, text("game.judge")),
          html("button", { type: "button", id: "game_write", disabled: game.busy, click: on_write }, text("game.write")),
        )
      : "",
    html("p", { class: "said", role: "alert", id: "game_problem", lang: game.problem?.lang }, game.problem?.words ?? ""),
    game.written ? written({ text: game.written, name: "tauler-game.ogn" }) : "",
    unfolded,
  );
}
