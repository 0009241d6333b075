// Draws the line of moves so far: the buttons below the board, and a list in which a press goes back or forward.
import { html } from "./drawing.js";
import { text } from "./language.js";

/* A telephone shows an arrow without its words, and every page the sign that turns the board. */
function step_button(name, label, enabled, on_press, more = {}) {
  return html("button", { type: "button", class: "step", id: name, disabled: !enabled, click: on_press, ...more }, label);
}

const words = (key) => html("span", { class: "words" }, text(key));

export function show_steps(host, view) {
  if (!view) return;
  const { path, at, best, on_roll, on_go, on_play } = view;
  host.append(
    step_button("step_back", ["← ", words("path.back")], at > 0, () => on_go(at - 1)),
    step_button("step_forward", [words("path.forward"), " →"], at < path.length, () => on_go(at + 1)),
    on_roll
      ? step_button("step_best", text("path.roll_and_play"), true, on_roll)
      : step_button("step_best", text("path.play_best"), Boolean(best?.shown), () => on_play(best)),
  );
}

/** The button that turns the board round. */
export function show_turning(host, { turned, on_turn }) {
  host.append(step_button("turn_board", ["⇅ ", words("path.turn")], true, on_turn, { title: text("path.turn"), "aria-pressed": String(turned) }));
}

function place(label, is_here, on_press) {
  return html("li", {}, html("button", { type: "button", class: "place", "aria-current": is_here ? "step" : null, click: on_press }, label));
}

export function show_path(host, { path, at, on_go }) {
  const places = path.map((step, i) => place(step.name === "pass" ? text("moves.pass") : step.name, at === i + 1, () => on_go(i + 1)));
  host.append(html("ol", { class: "path", start: 0 }, place(text("path.start"), at === 0, () => on_go(0)), places));
}
