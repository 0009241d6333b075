// The boards of the games: that of GAME is boards/GAME.js, with _ for a hyphen. One is loaded when its game is shown; one whose game only it can name at
// the beginning.
import { add_texts, has_text } from "./language.js";

const boards = new Map();

/** Loads a game's board, unless it is there; null where there is none. */
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

/** Those of the games that have a board. */
export async function with_boards(games) {
  const named = await Promise.all(games.map(async (game) => has_text(`game.${game}`) || (await load_board(game)) !== null));
  return games.filter((_, i) => named[i]);
}

/** The board of a game that is loaded, else null. */
export function board_of(game) {
  return boards.get(game) ?? null;
}
