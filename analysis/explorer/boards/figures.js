// Writes the figure on a move's plate in games of win, draw and loss.

/** The move with the plies to the end of the game on its plate: "+7"; none for a draw. */
export function with_plies(move) {
  return move.depth > 0 && (move.colour === "win" || move.colour === "loss") ? { ...move, figure: `${move.symbol}${move.depth}` } : move;
}
