// Runs a game of a person against the tables: turns, the tables' moves, hints, taking back.
import { add_step, choose_roll, go_to, remember, show_position, waiting, walk_now } from "../going.js";
import { draw, say_hint } from "../page.js";
import { text } from "../language.js";
import { ask_search } from "../service.js";
import { all_moves, board_now, history_counts, kind_now, moves_to_play, my_turn, over_here, position_asked, position_here, shown, state_now } from "../state.js";
import { pause } from "./animation.js";
import { choose, random_of } from "./opponent.js";
import { is_animated, set_setting } from "./settings.js";

/* The budget of a search for a reply. The bound on positions makes the answer the same every time; the bound on time ends a slow search. */
const BUDGET = { positions: 200000, ms: 2000 };
const BEFORE_REPLY = 350;

const share_of = (what) => random_of(shown.play.seed, what, position_here(), shown.at);

/** A roll from the game's seed, with the probabilities of the rules. */
function seeded_roll() {
  const { rolls } = shown.answer;
  let left = share_of("roll") * rolls.reduce((sum, one) => sum + one.weight, 0);
  return (rolls.find((one) => (left -= one.weight) < 0) ?? rolls.at(-1)).roll;
}

/** Begins a game at the position on the page. */
export function start_playing({ turn, level, seed }) {
  if (waiting() || !shown.answer) return;
  set_setting("level", level);
  if (!history_counts()) Object.assign(shown, { base: position_asked(), path: [], at: 0 });
  shown.play = { turn, level, seed, hint: 0, reply: null };
  shown.record = null;
  shown.turned = sits_above(turn);
  show_position({ how: "new" });
}

/* True if this side sits above; the player's side belongs below. */
const sits_above = (turn) => Boolean(board_now().turns) && board_now().seats(state_now(), text)[1].turn === turn;

export function stop_playing() {
  shown.play = null;
  remember("same");
  draw();
}

/** Goes back to the person's turn before this one. */
export function take_back() {
  const turns = shown.path.slice(0, shown.at).map((step) => step.turn ?? null);
  const last = turns.lastIndexOf(shown.play.turn);
  const to = last >= 0 ? last : shown.at - 1;
  if (to < 0) return;
  shown.path = shown.path.slice(0, to);
  shown.play = { ...shown.play, hint: 0, reply: null };
  go_to(to);
}

/* Searches if no table holds the moves; null if no search is possible. */
async function look_further() {
  if (kind_now() === "chance" || all_moves().every((move) => move.shown)) return null;
  try {
    return await ask_search(shown.set, position_asked(), BUDGET);
  } catch {
    return null;
  }
}

async function know_more() {
  const mine = walk_now();
  const found = await look_further();
  if (mine !== walk_now()) return false;
  if (found) {
    shown.answer = found;
    shown.problem = null;
  }
  return true;
}

/** Shows words about the moves first, and the moves themselves at the second request. */
export async function hint() {
  if (waiting() || !my_turn()) return;
  if (!(await know_more()) || !shown.play) return;
  shown.play = { ...shown.play, hint: Math.min(shown.play.hint + 1, 2) };
  draw();
  say_hint();
}

/** Throws the person's dice; a single legal move is played at once. */
export async function roll_dice() {
  if (waiting() || !my_turn()) return;
  choose_roll(seeded_roll());
  const [move, ...others] = moves_to_play();
  if (!move || others.length > 0) return;
  const mine = walk_now();
  await pause(is_animated() ? BEFORE_REPLY : 0);
  if (mine === walk_now()) play_one(move);
}

/* Plays a move of either side: the person's move makes an entry in the browser's history, and the reply joins that entry. */
export function play_one(move) {
  const own = my_turn();
  const roll = shown.answer.rolls ? shown.roll : null;
  const reply = own ? null : { turn: shown.answer.turn, move: move.name, roll };
  shown.play = { ...shown.play, hint: 0, reply };
  return add_step(move, own ? "new" : "same");
}

/** Plays the tables' move if it is their turn. */
export async function reply() {
  if (!shown.play || !shown.answer || over_here() || my_turn()) return;
  const mine = walk_now();
  await pause(is_animated() ? BEFORE_REPLY : 0);
  if (mine !== walk_now() || !(await know_more()) || !shown.play || waiting()) return;
  if (shown.answer.rolls) shown.roll = seeded_roll();
  const move = choose(moves_to_play(), kind_now(), shown.play.level, share_of("move"));
  if (move) play_one(move);
}
