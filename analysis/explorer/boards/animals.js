// Draws the heads of the eight animals of dou shou qi around 0,0 within ±32, in two colours: parts of class
// `ink` have the colour of the figure, parts of class `cut` that of the token beneath it.

import { svg } from "../drawing.js";

const ink = (tag, attributes) => svg(tag, { class: "ink", ...attributes });
const cut = (tag, attributes) => svg(tag, { class: "cut", ...attributes });
const ink_line = (d) => svg("path", { class: "ink-line", d });
const cut_line = (d) => svg("path", { class: "cut-line", d });

// Draws a part on the left and its mirror image on the right.
const both = (make) => [make(), svg("g", { transform: "scale(-1 1)" }, make())];

const eyes = (x, y, r) => both(() => cut("circle", { cx: -x, cy: y, r }));

const muzzle = () => [
  cut("ellipse", { cx: 0, cy: 14, rx: 11, ry: 8 }),
  ink("path", { d: "M-5 9 Q0 6.5 5 9 Q3 13 0 13.5 Q-3 13 -5 9Z" }),
  ink_line("M0 13 V17 M-5 18.5 Q-2 20 0 17 Q2 20 5 18.5"),
];

const big_cat = (marks) => [
  ...both(() => ink("circle", { cx: -18, cy: -19, r: 8.5 })),
  ...both(() => cut("circle", { cx: -18, cy: -19, r: 4 })),
  ink("path", { d: "M-25 0 C-25 -32 25 -32 25 0 C25 18 14 27 0 27 C-14 27 -25 18 -25 0Z" }),
  ...marks,
  ...eyes(10, -2, 3.2),
  ...muzzle(),
];

const heads = {
  r: () => [
    ...both(() => ink("circle", { cx: -19, cy: -13, r: 12 })),
    ...both(() => cut("circle", { cx: -19, cy: -13, r: 6.5 })),
    ink("path", { d: "M-17 -3 C-17 -21 17 -21 17 -3 C17 9 7 21 0 27 C-7 21 -17 9 -17 -3Z" }),
    ...both(() => ink_line("M-5 19 L-25 13 M-5 21 L-24 23")),
    ...eyes(7, -2, 3),
    cut("circle", { cx: 0, cy: 22, r: 3 }),
  ],
  c: () => [
    ink("path", { d: "M-24 -29 L-10 -17 Q0 -20 10 -17 L24 -29 L25 1 C25 17 14 25 0 25 C-14 25 -25 17 -25 1Z" }),
    ...both(() => cut("path", { d: "M-20 -20 L-13 -14 L-19.5 -9Z" })),
    ...both(() => cut("path", { d: "M-16 0 Q-10 -6 -5 1 Q-11 5 -16 0Z" })),
    cut("path", { d: "M-4 8 H4 L0 12.5Z" }),
    cut_line("M0 12 V15 M-6 17 Q-2 19 0 15 Q2 19 6 17"),
    ...both(() => ink_line("M-20 9 L-33 6 M-20 13 L-33 16")),
  ],
  w: () => [
    ink("path", {
      d: "M-22 -31 L-8 -17 H8 L22 -31 L23 -8 L31 8 L18 11 L7 27 Q0 30 -7 27 L-18 11 L-31 8 L-23 -8Z",
    }),
    ...both(() => cut("path", { d: "M-19 -22 L-12 -15 L-18 -10Z" })),
    ...both(() => cut("path", { d: "M-16 -3 L-5 2 L-13 4Z" })),
    ...both(() => cut_line("M-18 11 Q-9 10 -6 20")),
    cut("path", { d: "M-5 20 Q0 17.5 5 20 L0 25.5Z" }),
  ],
  d: () => [
    ink("path", { d: "M-17 -18 Q0 -28 17 -18 L18 6 C17 21 9 27 0 27 C-9 27 -17 21 -18 6Z" }),
    ...both(() => svg("path", { class: "ink edged", d: "M-13 -22 C-29 -28 -38 -8 -29 12 C-20 14 -18 0 -13 -10Z" })),
    ...eyes(8, -4, 3.2),
    ...muzzle(),
  ],
  p: () =>
    big_cat([
      ...[-13, 0, 13].map((x) => cut("circle", { cx: x, cy: -15 + Math.abs(x) / 8, r: 2.8 })),
      ...[-6.5, 6.5].map((x) => cut("circle", { cx: x, cy: -9, r: 2.4 })),
      ...both(() => cut("circle", { cx: -19, cy: 4, r: 2.4 })),
      ...both(() => cut("circle", { cx: -17, cy: 12, r: 2.4 })),
    ]),
  t: () =>
    big_cat([
      cut("path", { d: "M-2.5 -24 H2.5 L0 -9Z" }),
      ...both(() => cut("path", { d: "M-11 -21 L-6.5 -22.5 L-5 -11Z" })),
      ...both(() => cut("path", { d: "M-25.5 -3 V3 L-15 3Z" })),
      ...both(() => cut("path", { d: "M-24 8 L-22 13 L-14 9.5Z" })),
    ]),
  l: () => [
    ink("path", { d: mane() }),
    cut("path", { d: "M-18 -2 C-18 -22 18 -22 18 -2 C18 14 9 21 0 21 C-9 21 -18 14 -18 -2Z" }),
    ...both(() => ink("circle", { cx: -8, cy: -4, r: 3 })),
    ink("path", { d: "M-6 5 Q0 2 6 5 Q4 10 0 11 Q-4 10 -6 5Z" }),
    ink_line("M0 10 V14 M-6 16 Q-2 17.5 0 14 Q2 17.5 6 16"),
  ],
  e: () => [
    ...both(() => ink("path", { d: "M-11 -19 C-30 -32 -40 -6 -30 11 C-25 17 -17 13 -13 6Z" })),
    svg("path", {
      class: "ink edged",
      d: "M-14 -15 C-12 -27 12 -27 14 -15 L13 2 Q12 8 7 10 L6.5 22 Q8 25 12 23 L13 28 Q2 33 -2 24 L-7 10 Q-12 8 -13 2Z",
    }),
    ...eyes(7, -8, 2.8),
    ...both(() => svg("path", { class: "ink edged", d: "M-9 9 Q-14 13 -19 23 Q-9 20 -5.5 13Z" })),
    cut_line("M-4 13 H4.5 M-3 18 H4.5"),
  ],
};

function mane() {
  const tips = 14;
  const at = (radius, turn) => {
    const angle = (2 * Math.PI * turn) / tips;
    return `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`;
  };
  let d = `M${at(25, 0)}`;
  for (let tip = 0; tip < tips; tip++) d += ` Q${at(37, tip + 0.5)} ${at(25, tip + 1)}`;
  return `${d}Z`;
}

export function draw_head(letter) {
  return svg("g", { class: "animal", "aria-hidden": "true" }, ...heads[letter.toLowerCase()]());
}
