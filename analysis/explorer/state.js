// Holds the state of the page, and derives data from it.
import { format_address, join_line } from "./address.js";
import { board_of } from "./boards.js";
import { text } from "./language.js";
import { kind_of, seats_of, shown_moves } from "./values.js";

/* set: {game, rules, cycles}; base: the position that the path begins with; path: [{name, position, colour}], of which the first `at` are
   played; play: {turn, level, seed, hint, reply} while a person plays against the tables, hint 0, 1 words or 2 the moves themselves; typed: a notation
   that was refused; turned: the board lies the other way round; train: {exercise, again, chosen, beside} while an exercise is shown, chosen null until it is
   answered; record: the text of the game that was opened or judged, else null; tab: the part beside the board that the reader chose. */
export const TABS = ["moves", "play", "train", "game", "stats"];

export const shown = {
  catalogue: null,
  set: null,
  base: null,
  path: [],
  at: 0,
  roll: null,
  answer: null,
  over: null,
  problem: null,
  draft: null,
  draft_problem: null,
  typed: null,
  line: null,
  searched: null,
  stats: null,
  slice: null,
  squares: null,
  play: null,
  train: null,
  record: null,
  turned: false,
  tab: TABS[0],
};

export const game_entry = () => shown.catalogue?.games.find((game) => game.name === shown.set?.game) ?? null;
export const set_entry = () => game_entry()?.rule_sets.find((set) => set.rules === shown.set.rules && set.cycles === shown.set.cycles) ?? null;
export const slices_now = () => set_entry()?.slices ?? [];
export const board_now = () => board_of(shown.set?.game);
export const history_counts = () => /^own-row/.test(shown.set?.cycles ?? "");
export const kind_now = () => kind_of(shown.set.game, shown.answer);

/** The position to ask for, with its line if the line counts. */
export function position_asked() {
  const played = shown.path.slice(0, shown.at);
  if (history_counts()) return join_line(shown.base, played.map((step) => step.name), board_now().separator);
  return played.at(-1)?.position ?? shown.base;
}

/* A move that ends the game leads to no position; the address then holds the position before it, and the move. */
export function position_in_address() {
  const last = shown.path[shown.at - 1];
  if (!last || last.position !== null || history_counts()) return position_asked();
  const before = shown.path[shown.at - 2]?.position ?? shown.base;
  return join_line(before, [last.name], board_now().separator);
}

/* A game is in the address with all its moves and the number of those that are played. */
export function current_address() {
  const { roll, record, base, path, at } = shown;
  const here = { ...shown.set, tab: shown.tab === TABS[0] ? null : shown.tab };
  if (record !== null) return format_address({ ...here, position: join_line(base, path.map((step) => step.name), board_now().separator), ply: at });
  return format_address({ ...here, position: position_in_address(), roll: shown.answer?.rolls?.length === 1 ? null : roll });
}

export function over_now() {
  const last = shown.path[shown.at - 1];
  return last && last.position === null ? last : null;
}

export function all_moves() {
  if (!shown.answer) return [];
  const how = { kind: kind_now(), seats: seats_of(shown.answer) };
  if (!shown.answer.rolls) return shown_moves(shown.answer.moves, how);
  return shown.answer.rolls.flatMap((roll) => shown_moves(roll.moves, { ...how, roll: roll.roll }));
}

export function moves_to_play() {
  const moves = all_moves();
  return shown.answer?.rolls ? moves.filter((move) => move.roll === shown.roll) : moves;
}

/** The position on the board; without an answer the requested one, as far as it is known. */
export function position_here() {
  if (shown.answer) return shown.answer.position;
  return (shown.at > 0 ? shown.path[shown.at - 1].position : shown.base) ?? "";
}

/** The state that the board draws; null if it is no position. */
export function state_now() {
  return shown.draft ?? board_now().parse(position_here());
}

export function board_side() {
  const state = state_now();
  return state ? board_now().side(state, text) : "";
}

/** The seats, the one below first. */
export const seats_now = () => board_now().seats(state_now(), text);

/** True if play has ended here. */
export function over_here() {
  const { over, answer } = shown;
  return Boolean(over || answer?.history?.over || (answer && answer.moves.length === 0 && !answer.rolls?.length));
}

/** True if the person who plays against the tables is to move. */
export const my_turn = () => shown.play !== null && shown.answer?.turn === shown.play.turn;

/** True if the page hides the values of moves from a person who must find them. */
export const veiled = () => shown.play !== null || shown.train?.chosen === null;

/** The table that holds the position; several names may share a table, so its digest identifies it too. */
export function slice_of_position() {
  const held = slices_now();
  const named = held.find((slice) => String(slice.slice) === shown.answer?.slice);
  return named ?? held.find((slice) => slice.table && slice.table === shown.answer?.table) ?? null;
}
