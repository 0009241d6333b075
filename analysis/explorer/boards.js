// The five boards, by the name of their game.
import auale from "./board_auale.js";
import doushouqi from "./board_doushouqi.js";
import oca from "./board_oca.js";
import oca_asesina from "./board_oca_asesina.js";
import phutball from "./board_phutball.js";

const BOARDS = [auale, doushouqi, phutball, oca, oca_asesina];

/** The board of a game, or null. */
export function board_of(game) {
  return BOARDS.find((board) => board.game === game) ?? null;
}
