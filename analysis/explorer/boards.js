// Loads the board of a game, boards/GAME.js with _ for a hyphen, when the page shows the game. Boards that hold the name of their game are loaded at the
// beginning.
import { add_texts, has_text } from "./language.js";

const boards = new Map();

/** Loads a game's board once; null if the game has none. */
export async function load_board(game) {
  if (boards.has(game)) return boards.get(game);
  try {
    const { default: board } = await import(`./boards/${game.replaceAll("-", "_")}.js`);
    if (board.texts) add_texts(board.texts);
    boards.set(game, board);
    return board;
  } catch {
    return null;
  }
}

/** The games that have a board, out of these names. */
export async function with_boards(games) {
  const named = await Promise.all(games.map(async (game) => has_text(`game.${game}`) || (await load_board(game)) !== null));
  return games.filter((_, i) => named[i]);
}

/** The board of a game if it is loaded, else null. */
export function board_of(game) {
  return boards.get(game) ?? null;
}
