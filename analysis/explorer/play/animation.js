// Animates a move: shows the board's pictures of it one after the other; a piece slides within its picture.
import { is_animated } from "./settings.js";

const LONGEST = 1100;
const PICTURE = 170;
const SLIDE = 280;

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

function slide_in(host, { of, x, y }, duration) {
  const piece = host.querySelector(of);
  piece?.animate([{ transform: "translate(0, 0)" }, { transform: `translate(${x}px, ${y}px)` }], { duration, easing: "ease-in-out", fill: "forwards" });
}

/** Shows the pictures; `show` draws one, `is_wanted` is false once the page shows something else. */
export async function animate(host, frames, show, is_wanted) {
  if (!is_animated()) return;
  const whole = frames.reduce((sum, frame) => sum + (frame.slide ? SLIDE : PICTURE), 0);
  const pace = Math.min(1, LONGEST / whole);
  for (const frame of frames) {
    if (!is_wanted()) return;
    const duration = pace * (frame.slide ? SLIDE : PICTURE);
    show(frame.state);
    if (frame.slide) slide_in(host, frame.slide, duration);
    await pause(duration);
  }
}
