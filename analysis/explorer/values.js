// Turns the values of an answer into a colour, a symbol, a short figure or words.
import { decimal, percent, plural, text } from "./language.js";

const MINUS = "−";
const PALEST = 0.45;
const SCORES_APART = 10;
const PLIES_APART = 24;
const SHARES_APART = 0.15;

const SYMBOLS = { win: "+", draw: "=", loss: MINUS, unknown: "?" };

/** The kind of a game's values. */
export function kind_of(game, answer) {
  if (answer.rolls || answer.quantities) return "chance";
  return game === "auale" ? "scores" : "outcomes";
}

/** The number of players who share the win. */
export function seats_of(answer) {
  const seats = Object.keys(answer.quantities ?? {}).filter((name) => /^(win|score)-\d+$/.test(name));
  return Math.max(seats.length, 1);
}

/** A number with a true minus and its sign. */
export function signed(number) {
  if (number === 0) return "0";
  return number > 0 ? `+${number}` : `${MINUS}${-number}`;
}

/* With dice: more than an equal share, less, or as much; shares count as equal if they show the same percentage to one decimal.
   A single player gets no colour. */
function colour_of_share([lower, upper], seats) {
  if (seats < 2) return "unknown";
  const shown = (share) => Math.round(1000 * share);
  if (shown(lower) > shown(1 / seats)) return "win";
  if (shown(upper) < shown(1 / seats)) return "loss";
  return shown(lower) === shown(upper) ? "draw" : "unknown";
}

export function colour_of(bounds, kind, seats = 2) {
  if (!bounds) return "unknown";
  if (kind === "chance") return colour_of_share(bounds, seats);
  if (bounds[0] > 0) return "win";
  if (bounds[1] < 0) return "loss";
  return bounds[0] === bounds[1] ? "draw" : "unknown";
}

/** Short, for a plate on the board. */
export function figure_of(bounds, kind) {
  if (!bounds) return SYMBOLS.unknown;
  if (kind === "chance") return percent((bounds[0] + bounds[1]) / 2);
  if (kind === "scores") {
    return bounds[0] === bounds[1] ? signed(bounds[0]) : `${signed(bounds[0])}…${signed(bounds[1])}`;
  }
  return SYMBOLS[colour_of(bounds, kind)];
}

/** In words, within a sentence. */
export function words_of(bounds, kind) {
  if (!bounds) return text("value.unknown");
  const [lower, upper] = bounds;
  if (kind === "chance") return text("value.share", { share: percent((lower + upper) / 2, 2) });
  if (lower !== upper) return text("value.between", { lower: signed(lower), upper: signed(upper) });
  if (lower === 0) return text("value.draw");
  if (kind === "scores") return text(lower > 0 ? "value.win_by" : "value.loss_by", { n: Math.abs(lower) });
  return text(lower > 0 ? "value.win" : "value.loss");
}

/** The depth in words; empty if it is unknown. */
export function depth_words({ depth, stage }, kind) {
  if (stage !== null && stage !== undefined) return text("depth.stage", { n: stage });
  if (depth === null || depth === undefined) return "";
  if (Array.isArray(depth)) return "";
  return plural(kind === "scores" ? "depth.gain" : "depth.end", depth);
}

/* One number for the distance from the best move: the middle of the bounds; at equal values a later loss or a sooner win is better. */
function distance(best, move, kind) {
  if (!best.shown || !move.shown) return 0;
  const middle = (bounds) => (bounds[0] + bounds[1]) / 2;
  const behind = middle(best.shown) - middle(move.shown);
  if (kind === "chance") return behind / SHARES_APART;
  if (kind === "scores") return behind / SCORES_APART;
  if (behind > 0) return 0.5 + behind / 4;
  return Math.abs((move.depth ?? 0) - (best.depth ?? 0)) / PLIES_APART;
}

function strength(best, move, kind) {
  const behind = Math.min(Math.max(distance(best, move, kind), 0), 1);
  return Number((1 - (1 - PALEST) * behind).toFixed(2));
}

function label_of(move, kind) {
  const name = move.name === "pass" ? text("moves.pass") : move.name;
  const parts = [text("moves.label", { move: name, value: words_of(move.shown, kind) }), depth_words(move, kind)];
  if (move.converts) parts.push(text(kind === "scores" ? "moves.converts" : "moves.converts_outcome"));
  return parts.filter((part) => part !== "").join(", ");
}

/** The moves of an answer, or of one roll of it, as boards and lists show them. With a history a move has its value after that history. */
export function shown_moves(moves, { kind, seats = 2, roll = null }) {
  const shown = moves.map((move) => ({ ...move, name: move.move, roll, shown: move.history ?? move.bounds }));
  const best = shown[0];
  return shown.map((move) => {
    const colour = move.outcome ?? colour_of(move.shown, kind, seats);
    return {
      ...move,
      colour,
      symbol: SYMBOLS[colour],
      strength: strength(best, move, kind),
      figure: figure_of(move.shown, kind),
      label: label_of(move, kind),
    };
  });
}

/** A move without its value, for a player who must not know it. */
export function hidden_move(move) {
  return { ...move, hidden: true, colour: "unknown", strength: 1, symbol: "", figure: "", label: move.name, best: false, depth: null };
}

/** The sentences about a position. `names`: {side}, the side to move. */
export function verdict(answer, kind, side) {
  const sentences = [];
  const history = answer.history;
  const bounds = history ? history.bounds : answer.bounds;
  sentences.push(answer.final ? result_of(answer, bounds) : verdict_of(bounds, kind, side));
  if (history?.over) sentences.push(text("verdict.repeated"));
  if (history && !history.over && answer.bounds) {
    sentences.push(text("verdict.history_bounds", { value: words_of(answer.bounds, kind) }));
  }
  if (history === null && "stage" in answer) sentences.push(text("verdict.fresh"));
  const far = depth_words(answer, kind);
  if (far !== "" && !history && answer.depth !== 0) sentences.push(`${far[0].toUpperCase()}${far.slice(1)}.`);
  return sentences;
}

/* The result of the whole game by best play, and what is still to be gained. */
function result_of({ final, turn, moves, history }, [value]) {
  const [south, north] = final;
  const over = moves.length === 0 && !history?.over ? "_over" : "";
  const winner = south === north ? "drawn" : south > north ? "south" : "north";
  const result = text(`result.${winner}${over}`, { more: Math.max(south, north), less: Math.min(south, north) });
  if (over) return result;
  const gains = value === 0 ? "even" : value > 0 === (turn === "S") ? "south" : "north";
  return text("result.rest", { result, rest: text(`result.gain_${gains}`, { n: Math.abs(value) }) });
}

function verdict_of(bounds, kind, side) {
  if (kind === "chance") {
    if (!bounds) return text("verdict.roll_unknown", { side });
    return text("verdict.share", { side, share: percent((bounds[0] + bounds[1]) / 2, 2) });
  }
  if (!bounds) return text("verdict.unknown", { side });
  const [lower, upper] = bounds;
  if (lower !== upper) return text("verdict.between", { side, lower: signed(lower), upper: signed(upper) });
  if (lower === 0) return text("verdict.draw", { side });
  if (kind === "scores") return text(lower > 0 ? "verdict.win_by" : "verdict.loss_by", { side, n: Math.abs(lower) });
  return text(lower > 0 ? "verdict.win" : "verdict.loss", { side });
}

/** A certified number: one figure if both bounds round to it, else both bounds. */
export function certified(bounds, name) {
  if (!bounds) return text("value.unknown");
  const written = bounds.map((bound) => (/^(win|score)/.test(name) ? percent(bound, 3) : decimal(bound, 3)));
  return written[0] === written[1] ? written[0] : written.join(" … ");
}
