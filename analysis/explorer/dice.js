// Draws the choice of a roll: a die for each roll with its value under the best move, and a random roll.
import { html, move_class, set_strength, svg } from "./drawing.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** The face of a die. */
export function face(roll) {
  const pips = PIPS[roll];
  const inside = pips
    ? pips.map(([x, y]) => svg("circle", { class: "pip", cx: 20 + 9.5 * x, cy: 20 + 9.5 * y, r: 3.6 }))
    : svg("text", { x: 20, y: 21, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 17 }, roll);
  return svg("svg", { class: "die", viewBox: "0 0 40 40", "aria-hidden": "true" }, svg("rect", { x: 1.5, y: 1.5, width: 37, height: 37, rx: 8 }), inside);
}

/** A random roll, with the probabilities of the rules. */
export function random_roll(rolls) {
  const sum = rolls.reduce((whole, one) => whole + one.weight, 0);
  let left = (crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * sum;
  return (rolls.find((one) => (left -= one.weight) < 0) ?? rolls.at(-1)).roll;
}

function roll_button(one, { chosen, on_roll, text }) {
  const [best] = one.moves;
  const name = one.roll === "pass" ? text("moves.pass") : one.roll;
  const button = html(
    "button",
    {
      type: "button",
      class: `roll ${best ? move_class(best) : ""}`,
      "aria-pressed": String(one.roll === chosen),
      "aria-label": text("dice.face", { roll: name, value: best?.figure ?? "" }),
      "data-roll": one.roll,
      click: () => on_roll(one.roll),
    },
    one.roll === "pass" ? html("span", {}, name) : face(one.roll),
    best && html("span", { class: "plate" }, best.figure),
  );
  return best ? set_strength(button, best) : button;
}

export function draw_dice(host, view) {
  const { rolls, chosen, on_roll, text } = view;
  if (rolls.length === 0) return;
  host.append(
    html(
      "div",
      { class: "rolls", role: "group", "aria-label": text("dice.title") },
      rolls.map((one) => roll_button(one, view)),
      rolls.length > 1 && html("button", { type: "button", id: "roll_random", click: () => on_roll(random_roll(rolls)) }, text("dice.random")),
      rolls.length > 1 && html("button", { type: "button", id: "roll_all", disabled: chosen === null, click: () => on_roll(null) }, text("dice.all")),
    ),
  );
}
