// Lays out a board of the goose as a spiral: square 1 is below on the left; the spiral goes round the right side and
// inward; the last square is a garden in the middle; the start is in the corner below. It computes lengths and draws nothing.

export const SPIRAL_SIZE = 1000;

const CENTRE = SPIRAL_SIZE / 2;
const OUTER = 492;
const GARDEN = 118;
const BEGINNING = (Math.PI * 2) / 3; // as angles of SVG go, clockwise from the right
const TALL = 1.3; // a cell's width across the spiral, in units of its length along it
const STEPS = 8;

const point = (radius, angle) => ({ x: CENTRE + radius * Math.cos(angle), y: CENTRE + radius * Math.sin(angle) });

// The middle line winds down from `from` to `to` by `pitch` a turn; its length is about the mean radius times the
// angle. So the pitch that gives `cells` cells of the wanted shape follows from a quadratic equation; putting
// the pitch into the radii twice is enough.
function find_pitch(cells) {
  let pitch = 100;
  for (let round = 0; round < 20; round++) {
    const from = OUTER - pitch / 2;
    const to = GARDEN + pitch / 2;
    pitch = Math.sqrt((TALL * Math.PI * Math.max(from * from - to * to, 1)) / cells);
    pitch = Math.min(pitch, (OUTER - GARDEN) * 0.8);
  }
  return pitch;
}

function walk(cells, pitch) {
  const fall = pitch / (2 * Math.PI);
  const from = OUTER - pitch / 2;
  const to = GARDEN + pitch / 2;
  const turn = Math.max((from - to) / fall, 0.1);
  const radius = (angle) => from - fall * angle;
  const along = (angle) => from * angle - (fall * angle * angle) / 2;
  const length = along(turn);
  const angles = [];
  for (let cell = 0; cell <= cells; cell++) {
    const wanted = (length * cell) / cells;
    angles.push((from - Math.sqrt(Math.max(from * from - 2 * fall * wanted, 0))) / fall);
  }
  return { angles, radius };
}

const at = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function outline(radius, pitch, from, to) {
  const edge = (shift, a, b) =>
    Array.from({ length: STEPS + 1 }, (_, step) => {
      const angle = a + ((b - a) * step) / STEPS;
      return at(point(radius(angle) + shift, BEGINNING - angle));
    });
  return `M${[...edge(pitch / 2, from, to), ...edge(-pitch / 2, to, from)].join(" L")}Z`;
}

/**
 * The places of the squares 0 … length: {squares: [{x, y, outward: {x, y}, outline, number: {x, y}}], pitch, along, garden, top}.
 * `outward` points away from the middle; start and garden have an `x`, `y` and no outline. `pitch` and `along` are a cell's
 * width and length, `garden` a radius, and above `top` there is nothing.
 */
export function lay_out(length) {
  const cells = length - 1;
  const pitch = find_pitch(cells);
  const { angles, radius } = walk(cells, pitch);
  const start = { x: 88, y: SPIRAL_SIZE - 66, outward: { x: 0, y: 1 } };
  const garden = { x: CENTRE, y: CENTRE, outward: { x: 0, y: -1 } };
  const squares = [start];
  for (let cell = 0; cell < cells; cell++) {
    const middle = (angles[cell] + angles[cell + 1]) / 2;
    const angle = BEGINNING - middle;
    squares.push({
      ...point(radius(middle), angle),
      outward: { x: Math.cos(angle), y: Math.sin(angle) },
      outline: outline(radius, pitch, angles[cell], angles[cell + 1]),
      number: point(radius(middle) + pitch * 0.28, angle),
    });
  }
  squares.push(garden);
  const top = CENTRE - radius(BEGINNING + Math.PI / 2) - pitch / 2 - 12;
  return { squares, pitch, along: radius(0) * (angles[1] - angles[0]), garden: GARDEN, top };
}
