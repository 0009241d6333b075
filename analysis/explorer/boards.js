// The boards of the games: that of GAME is boards/GAME.js, with _ for a hyphen. It may bring its own texts.
import { add_texts } from "./language.js";

const boards = new Map();

/** Loads the boards of these games; a game without one is left out. */
export async function load_boards(games) {
  const load = async (game) => {
    const { default: board } = await import(`./boards/${game.replaceAll("-", "_")}.js`);
    if (board.texts) add_texts(board.texts);
    boards.set(game, board);
  };
  await Promise.allSettled(games.map(load));
}

/** The board of a game, or null. */
export function board_of(game) {
  return boards.get(game) ?? null;
}
