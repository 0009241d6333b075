// Chooses the move of a player made of tables: a best move, or a slip of bounded size. The same seed, position and ply give the same choice.

export const LEVELS = ["perfect", "small", "middle", "large", "any"];

/* Scores: the most seeds that a move gives away. Outcomes: plies within which the player sees a win or a loss. Dice: the share that a move gives away. */
const SLIPS = {
  scores: { small: 2, middle: 4, large: 8 },
  outcomes: { small: 8, middle: 4, large: 2 },
  chance: { small: 0.01, middle: 0.05, large: 0.15 },
};

/** The largest slip of a level; null for a level that never slips or slips without a bound. */
export const slip_of = (kind, level) => SLIPS[kind][level] ?? null;

/** A number from 0 to 1, without 1, that depends on the arguments alone (FNV-1a with the finish of MurmurHash3). */
export function random_of(...of) {
  let hash = 0x811c9dc5;
  for (const letter of of.join("/")) hash = Math.imul(hash ^ letter.codePointAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

const middle = (bounds) => (bounds[0] + bounds[1]) / 2;

/** The best known moves; all moves if no value is known. */
export function best_of(moves) {
  const best = moves.filter((move) => move.best);
  if (best.length > 0) return best;
  const [first] = moves;
  if (!first?.shown) return moves;
  return moves.filter(({ shown, converts }) => shown && shown[0] === first.shown[0] && shown[1] === first.shown[1] && converts === first.converts);
}

/* The result of a move for a player who sees so many plies: 1 a win, −1 a loss, 0 neither. */
function seen(move, plies) {
  if (!move.shown || (move.depth !== null && move.depth > plies)) return 0;
  return move.shown[0] > 0 ? 1 : move.shown[1] < 0 ? -1 : 0;
}

function as_seen(moves, plies) {
  const most = Math.max(...moves.map((move) => seen(move, plies)));
  const good = moves.filter((move) => seen(move, plies) === most);
  const soonest = Math.min(...good.map((move) => move.depth ?? 0));
  return most === 1 ? good.filter((move) => (move.depth ?? 0) === soonest) : good;
}

/** The moves, best first, that are equally good to a level. */
export function choices(moves, kind, level) {
  const slip = slip_of(kind, level);
  if (level === "any") return moves;
  if (slip === null || !moves[0]?.shown) return best_of(moves);
  if (kind === "outcomes") return as_seen(moves, slip);
  const close = moves.filter((move) => move.shown && middle(moves[0].shown) - middle(move.shown) <= slip);
  return close.length > 0 ? close : moves;
}

/** Picks a move by a number from 0 to 1. */
export function choose(moves, kind, level, share) {
  const possible = choices(moves, kind, level);
  return possible[Math.floor(share * possible.length)];
}
