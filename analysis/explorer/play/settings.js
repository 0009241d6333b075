// What a player has chosen, and the browser remembers: strength, animation, which way round the board lies.

const REMEMBERED = "tauler.play";

const settings = { level: "perfect", animated: true };

try {
  Object.assign(settings, JSON.parse(localStorage.getItem(REMEMBERED) ?? "{}"));
} catch {
  // Nothing is remembered, or nothing that can be read.
}

export const setting = (name) => settings[name];

export function set_setting(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(settings));
  } catch {
    // It holds until the page is left.
  }
}

/** Whether moves are shown on their way. */
export const is_animated = () => settings.animated && !matchMedia("(prefers-reduced-motion: reduce)").matches;
