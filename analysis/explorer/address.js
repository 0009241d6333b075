// Reads and writes the address of a position: #GAME/RULES/CYCLES/POSITION, with `_` for a space and `-` if a game has no cycles. A line of moves follows
// the position, as the server reads it: `…-S_moves_FfBe`; the chosen roll follows: `…/1&roll=4`, or of a game the number of moves that are played:
// `…_moves_FfBe&ply=2`; then the part beside the board, if it is not the moves: `…&tab=play`.

const NO_CYCLES = "-";
const LINE = " moves ";
const MORE = /(&(roll|ply|tab)=[^&]*)+$/;

/* Browsers and messengers keep these characters in an address, so people can read a position there. */
function encode(part) {
  return encodeURIComponent(part).replace(/%(2C|3A|3D|2F|40|7E|2B)/g, decodeURIComponent);
}

/** {game, rules, cycles, position, roll, ply, tab} → the part of the address after the page's own. */
export function format_address({ game, rules, cycles, position, roll = null, ply = null, tab = null }) {
  const parts = [game, rules, cycles ?? NO_CYCLES].map(encode);
  const more = Object.entries({ roll, ply, tab }).filter(([, value]) => value !== null).map(([name, value]) => `&${name}=${encode(String(value))}`);
  return `#${parts.join("/")}/${encode(position.replaceAll(" ", "_"))}${more.join("")}`;
}

/** Reads such an address; null for an empty one, null for a part that is left out. Throws URIError if it cannot be decoded. */
export function parse_address(hash) {
  const [written = ""] = MORE.exec(hash) ?? [];
  const { roll, ply, tab } = Object.fromEntries([...written.matchAll(/&(\w+)=([^&]*)/g)].map(([, name, value]) => [name, value]));
  const whole = hash.replace(/^#/, "").replace(MORE, "");
  if (whole === "") return null;
  const [game, rules = "", cycles = "", ...rest] = whole.split("/");
  const position = decodeURIComponent(rest.join("/")).replaceAll("_", " ").trim();
  return {
    game: decodeURIComponent(game),
    rules: decodeURIComponent(rules) || null,
    cycles: cycles === "" || cycles === NO_CYCLES ? null : decodeURIComponent(cycles),
    position: position === "" ? null : position,
    roll: roll ? decodeURIComponent(roll) : null,
    ply: /^\d{1,6}$/.test(ply) ? Number(ply) : null,
    tab: tab ?? null,
  };
}

/** Splits a position from the moves behind it. */
export function split_line(position, separator) {
  const at = position.indexOf(LINE);
  if (at < 0) return { base: position, moves: [] };
  const line = position.slice(at + LINE.length).trim();
  const moves = separator === "" ? [...line.replace(/\s/g, "")] : line.split(/\s+/);
  return { base: position.slice(0, at), moves: moves.filter((move) => move !== "") };
}

export function join_line(base, moves, separator) {
  return moves.length > 0 ? `${base}${LINE}${moves.join(separator)}` : base;
}
