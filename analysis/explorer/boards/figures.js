// Writes the figure on a move's plate in games of win, draw and loss, and what the figures are.
import { html } from "../drawing.js";

// texts: plates.outcomes plates.scores

/** The move with the plies to the end of the game on its plate: "+7"; none for a draw. */
export function with_plies(move) {
  return move.depth > 0 && (move.colour === "win" || move.colour === "loss") ? { ...move, figure: `${move.symbol}${move.depth}` } : move;
}

/** What the figures on the plates are, by the text of this key. */
export const plates_note = ({ text }, key) => html("p", { class: "quiet" }, text(key));
