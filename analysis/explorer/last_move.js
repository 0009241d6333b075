// Says the last move of the line; in a game of dice also the roll, and what the squares do on which it came.
import { plural, text } from "./language.js";
import { board_now, seats_now, shown } from "./state.js";

/** The sentence about a move {name, roll} of a side; `state` is the position before it. */
export function move_words({ side, name, roll, state }) {
  if (name === "pass") return text("path.lost", { side });
  const squares = shown.squares?.board?.squares ?? null;
  const { way = name, effects = [] } = (roll !== null && squares && board_now().went?.(state, name, roll, { squares, text, plural })) || {};
  if (roll === null) return text("path.played", { side, move: name });
  return [text("path.rolled", { side, roll, move: way }), ...effects].join(" ");
}

/** The sentence about the last move; empty at the start of a line. */
export function last_move_words() {
  const step = shown.path[shown.at - 1];
  const before = shown.path[shown.at - 2]?.position ?? shown.base;
  const state = step && before && board_now().parse(before);
  if (!state) return "";
  const side = seats_now().find(({ turn }) => turn === step.turn)?.name ?? board_now().side(state, text);
  return move_words({ side, name: step.name, roll: step.roll ?? null, state });
}
