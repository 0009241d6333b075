// Keeps a player's choices in the browser: strength, animation, the direction of the board.

const REMEMBERED = "tauler.play";

const settings = { level: "perfect", animated: true };

try {
  Object.assign(settings, JSON.parse(localStorage.getItem(REMEMBERED) ?? "{}"));
} catch {
  // The browser has no settings, or none that can be read.
}

export const setting = (name) => settings[name];

export function set_setting(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(settings));
  } catch {
    // The choice holds until the page is left.
  }
}

/** True if moves are animated. */
export const is_animated = () => settings.animated && !matchMedia("(prefers-reduced-motion: reduce)").matches;
