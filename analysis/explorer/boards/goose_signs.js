// Draws the signs of the squares of a board of the goose around 0,0 within ±30: parts of class `ink`, and parts of class
// `cut` in the colour of the ground beneath them.

import { svg } from "../drawing.js";

const ink = (d) => svg("path", { class: "ink", d });
const cut = (d) => svg("path", { class: "cut", d });
const line = (d) => svg("path", { class: "ink-line", d });
const dot = (cx, cy, r, name = "ink") => svg("circle", { class: name, cx, cy, r });

const goose = () => [
  ink(
    "M-7 -20 C-7 -27 4 -28 6 -21 L15 -18 L6 -15 C5 -9 0 -6 2 0 C8 -3 20 -4 29 -10 C29 6 22 20 4 20 " +
      "C-12 20 -18 10 -13 0 C-10 -6 -5 -10 -7 -20Z",
  ),
  dot(0, -20, 2, "cut"),
  svg("path", { class: "cut-line", d: "M4 6 C12 6 18 3 22 0" }),
  line("M0 20 V27 M-4 28 H4 M9 19 V26 M5 27 H13"),
];

const bridge = () => [
  ink("M-29 14 V4 C-16 -14 16 -14 29 4 V14 H20 C18 0 8 -2 0 -2 C-8 -2 -18 0 -20 14Z"),
  line("M-27 -1 V-11 M-14 -10 V-19 M0 -13 V-22 M14 -10 V-19 M27 -1 V-11 M-27 -10 C-14 -24 14 -24 27 -10"),
  line("M-12 20 q4 -4 8 0 t8 0 t8 0"),
];

const dice = () => [
  svg("rect", { class: "ink", x: -22, y: -22, width: 44, height: 44, rx: 9 }),
  ...[-11, 0, 11].map((at) => dot(at, at, 4.4, "cut")),
  ...[-11, 11].map((at) => dot(at, -at, 4.4, "cut")),
];

const inn = () => [
  ink("M-27 -4 L0 -25 L27 -4 V0 H21 V24 H-21 V0 H-27Z"),
  cut("M-7 24 V8 Q0 2 7 8 V24Z"),
  cut("M-15 2 H-9 V8 H-15Z M9 2 H15 V8 H9Z"),
  ink("M14 -22 H20 V-10 L14 -15Z"),
];

const well = () => [
  ink("M-24 -10 L0 -27 L24 -10 V-7 H-24Z"),
  line("M-17 -8 V8 M17 -8 V8 M0 -8 V0"),
  ink("M-5 0 H5 L4 8 H-4Z"),
  ink("M-24 9 H24 V25 H-24Z"),
  svg("path", { class: "cut-line", d: "M-24 17 H24 M-12 9 V17 M12 9 V17 M0 17 V25 M-20 17 V25 M20 17 V25" }),
];

const labyrinth = () => [
  line("M0 26 V17 M-8 26 H-26 V-26 H26 V26 H8 M-17 17 V-17 H17 V17 H0 M-17 17 H-9 M-8 8 V-8 H8 V8 M-8 8 H0"),
];

const prison = () => [
  ink("M-25 -25 H25 V25 H-25Z"),
  cut("M-19 -19 H-12 V19 H-19Z M-8.5 -19 H-2 V19 H-8.5Z M2 -19 H8.5 V19 H2Z M12 -19 H19 V19 H12Z"),
  ink("M-25 -3 H25 V3 H-25Z"),
];

const death = () => [
  ink("M-23 -6 C-23 -34 23 -34 23 -6 C23 4 17 8 13 10 V22 H-13 V10 C-17 8 -23 4 -23 -6Z"),
  dot(-9, -5, 6, "cut"),
  dot(9, -5, 6, "cut"),
  cut("M0 3 L4 10 H-4Z"),
  svg("path", { class: "cut-line", d: "M-5 14 V22 M5 14 V22" }),
];

const signs = { goose, bridge, dice, inn, well, labyrinth, prison, death, end: goose };

/** The sign of a kind of square, in a <g>; null for those without. */
export function draw_sign(kind, transform) {
  if (!signs[kind]) return null;
  return svg("g", { class: `sign ${kind}`, transform, "aria-hidden": "true" }, signs[kind]());
}
