// Makes elements of HTML and SVG, and the parts that all boards share: buttons in a drawing, arrow keys between them, plates with a move's figure.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of HTML; an attribute that is a function listens to the event of that name. */
export function html(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of SVG, likewise. */
export function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/* The spoken name includes the text in the drawing, since some people press buttons by voice. */
function with_written_words(button, label) {
  const texts = [...button.querySelectorAll("text")].filter((one) => one.textContent !== "");
  texts.forEach((one, i) => {
    const part = [...button.children].find((child) => child.contains(one));
    (part === one || !part.contains(texts[i - 1] ?? null) ? part : one).before(" ");
  });
  button.prepend(svg("title", {}, label), " ");
  if (texts.length > 0) button.setAttribute("aria-label", `${label}. ${texts.map((one) => one.textContent).join(" ")}`);
  return button;
}

/** A button in a drawing, pressed by a click, Enter or space. */
export function svg_button({ label, on_press, ...attributes }, ...children) {
  const pressed_by_key = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    on_press(event);
  };
  const button = svg("g", { role: "button", tabindex: "0", "aria-label": label, ...attributes, click: on_press, keydown: pressed_by_key }, ...children);
  return with_written_words(button, label);
}

/** The drawing itself. An arrow key moves the focus to the nearest button in its direction. */
export function board_svg({ width, height, label, ...attributes }, ...children) {
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label, ...attributes }, ...children);
  drawing.addEventListener("keydown", walk_among_buttons);
  return drawing;
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

function walk_among_buttons(event) {
  const way = WAYS[event.key];
  const here = event.target.closest?.('[role="button"]');
  if (!way || !here || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const [x, y] = middle(here);
  let nearest = null;
  let least = Infinity;
  for (const other of event.currentTarget.querySelectorAll('[role="button"]')) {
    if (other === here) continue;
    const [to_x, to_y] = middle(other);
    const along = (to_x - x) * way[0] + (to_y - y) * way[1];
    const aside = Math.abs((to_x - x) * way[1]) + Math.abs((to_y - y) * way[0]);
    if (along <= 1) continue;
    if (along + 2 * aside < least) {
      least = along + 2 * aside;
      nearest = other;
    }
  }
  nearest?.focus();
}

/** The classes of an element that stands for a move. */
export function move_class(move) {
  return `move ${move.hidden ? "hidden" : move.colour}${move.best ? " best" : ""}`;
}

/** Sets the strength of the move's colour: 1 for the best. */
export function set_strength(element, move) {
  element.style.setProperty("--strength", String(move.strength));
  return element;
}

/* The width of a figure's letters in units of their size: dots of bounds and the per cent sign are wide. */
const letters_width = (figure) => [...figure].reduce((sum, letter) => sum + (/[…%]/.test(letter) ? 1 : /[\s.,]/.test(letter) ? 0.4 : 0.72), 0);

/** The width and height of the plate with a move's figure. */
export function badge_size(move, size) {
  return { width: Math.max(2, letters_width(move.figure) + 0.6) * size, height: size * 1.6 };
}

/** The plate with a move's figure, its middle at x, y; no plate if the value is hidden. */
export function badge(x, y, move, size) {
  if (move.hidden) return svg("g", { "aria-hidden": "true" });
  const { width, height } = badge_size(move, size);
  const plate = svg(
    "g",
    { class: `badge ${move_class(move)}`, "aria-hidden": "true" },
    svg("rect", { class: "plate", x: x - width / 2, y: y - height / 2, width, height, rx: size * 0.5 }),
    svg("text", { x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, move.figure),
  );
  return set_strength(plate, move);
}

/** A labelled number field that reports whole numbers within its bounds. */
export function number_field(words, value, least, most, on_number, attributes = {}) {
  const input = html("input", {
    type: "number",
    inputmode: "numeric",
    min: least,
    max: most,
    value,
    ...attributes,
    change: () => {
      const wanted = Math.round(Number(input.value));
      on_number(Math.min(most, Math.max(least, Number.isFinite(wanted) ? wanted : value)));
    },
  });
  return html("label", {}, `${words} `, input);
}
