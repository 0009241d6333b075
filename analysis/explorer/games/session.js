// Opens, judges and writes games, and keeps the tree of moves since the first position of the page.
import { set_named } from "../choices.js";
import { as_problem, begin_game, go_on_path, remember, waiting, walk_now } from "../going.js";
import { load_board } from "../boards.js";
import { choose_tab } from "../tabs.js";
import { draw_game } from "./draw.js";
import { text } from "../language.js";
import { said } from "../said.js";
import { ask_analyse, ServiceError, told_of } from "../service.js";
import { shown } from "../state.js";
import { plant, write_lines, write_record } from "./record.js";
import { first_ply, grow, judge_line, line_from, lines_of, new_node, way_to } from "./tree.js";

const MOST_BYTES = 65000;

/* The current game: {key, base, root, tags, ending, sides, end, problem: {words, lang}, written, others}. */
let game = null;

const key_now = () => JSON.stringify([shown.set, shown.base]);

function new_game(base) {
  return { key: null, base, root: new_node(null, null), tags: [], ending: "", sides: null, end: null, problem: null, written: null, others: [] };
}

/** The game of the path, with the moves of the path added. */
export function game_now() {
  const key = key_now();
  if (game?.key !== key) game = { ...new_game(shown.base), key };
  game.here = grow(game.root, shown.path.slice(0, shown.at));
  grow(game.root, shown.path);
  return game;
}

/** Goes to a node; the path keeps the line behind it. */
export function go_to_node(node) {
  if (waiting()) return null;
  const way = way_to(node);
  return go_on_path([...way, ...line_from(node)].map((one) => one.step), way.length);
}

/* Cuts the lines into requests that the server accepts. */
function lumps(base, lines) {
  const parts = [];
  let size = MOST_BYTES;
  for (const line of lines) {
    const length = new TextEncoder().encode(write_lines(base, [line])).length + 1;
    if (size + length > MOST_BYTES) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1).push(line);
    size += length;
  }
  return parts;
}

const is_main = (line) => line.every((node) => node === node.parent.children[0]);

function take_main(of, judged) {
  Object.assign(of, { sides: judged.sides, end: judged.end });
}

async function judge_lines(of, lines, set) {
  for (const lump of lumps(of.base, lines)) {
    const { games } = await ask_analyse(write_lines(of.base, lump), set);
    games.forEach((one, i) => {
      if (one.error) of.problem = said_of(one);
      else {
        judge_line(lump[i], one.judged);
        if (is_main(lump[i])) take_main(of, one.judged);
      }
    });
  }
}

const said_of = (refused) => said({ message: refused.message, told: told_of(refused) });

/* Shows an error beside the game and keeps everything else. */
async function try_with(of, work) {
  of.problem = null;
  of.busy = true;
  draw_game();
  try {
    await work();
  } catch (problem) {
    const found = as_problem(problem);
    of.problem = found.message ? said(found) : { words: text("problem.gone"), lang: null };
  }
  of.busy = false;
  draw_game();
  return of.problem === null;
}

/** Asks the server to judge every line of the game. The browser and the address keep it from then on. */
export async function judge_game() {
  const of = game_now();
  const mine = walk_now();
  if (!(await try_with(of, () => judge_lines(of, lines_of(of.root), shown.set))) || mine !== walk_now()) return;
  shown.record = write_record(of, shown.set);
  remember("same");
}

/** Asks the server for the game as a record with comments. */
export function write_game() {
  const of = game_now();
  return try_with(of, async () => {
    const [one] = (await ask_analyse(write_record(of, shown.set), { game: shown.set.game, rules: shown.set.rules, cycles: shown.set.cycles })).games;
    if (one.error) of.problem = said_of(one);
    else of.written = one.record.annotated;
  });
}

const named = ({ judged }) => judged.sides.map(({ side, player }) => player ?? side).join(" – ");

/* A record's own rules take precedence over those of the page. */
const rules_for = (words) => (/^\s*\[\s*(Rules|Variant|Cycles)\s/m.test(words) ? { game: shown.set.game } : { ...shown.set });

/** Opens a record or a list of moves; of several games it shows the first, and the others can be chosen. False if the text cannot be opened. */
export function open_game(words) {
  const before = game_now();
  const mine = walk_now();
  return try_with(before, async () => {
    const { games } = await ask_analyse(words, rules_for(words));
    const readable = games.filter((one) => !one.error);
    if (readable.length === 0) throw new ServiceError("bad", games[0].message, { told: told_of(games[0]) });
    if (mine !== walk_now()) return;
    await show_game(readable[0], readable);
  });
}

/* The tree of a game that the server has read. */
function tree_of({ judged, record }, set) {
  const opened = { ...new_game(judged.start), key: JSON.stringify([set, judged.start]), tags: judged.tags };
  opened.ending = plant(opened.root, record.items);
  const main = line_from(opened.root);
  judge_line(main, judged);
  for (const node of main) node.step.colour = node.judged.after;
  take_main(opened, judged);
  return opened;
}

async function judge_variations(of, set) {
  const rest = lines_of(of.root).slice(1);
  if (rest.length > 0) await try_with(of, () => judge_lines(of, rest, set));
}

/** Shows one of the opened games, at its first mistake if `ply` does not say how many moves are played. */
export async function show_game(chosen, all, { ply = null, how = "new" } = {}) {
  const { judged } = chosen;
  const set = set_named(shown.catalogue, { game: judged.game, rules: judged.rules, cycles: judged.cycles || null });
  await load_board(set.game);
  const opened = tree_of(chosen, set);
  const main = line_from(opened.root);
  opened.others = all.map((one) => ({ name: named(one), is_here: one === chosen, show: () => show_game(one, all) }));
  game = opened;
  choose_tab("game");
  scrollTo(0, 0);
  await begin_game(set, { base: judged.start, path: main.map((node) => node.step), at: Math.min(ply ?? first_ply(main), main.length), record: write_record(opened, set) }, how);
  await judge_variations(opened, set);
}

/** Opens the game of an address. False if the server cannot read it. */
export async function open_address(set, position, ply, how) {
  const mine = walk_now();
  const { games } = await ask_analyse(position, set).catch(() => ({ games: [] }));
  if (mine !== walk_now()) return true;
  if (games.length !== 1 || games[0].error) return false;
  await show_game(games[0], games, { ply, how });
  return true;
}

/** Reads the record that the browser has kept, for the line that is shown. */
export async function reopen_game() {
  const key = key_now();
  if (shown.record === null || (game?.key === key && game.sides)) return;
  const { games } = await ask_analyse(shown.record, { game: shown.set.game }).catch(() => ({ games: [] }));
  if (key !== key_now() || games.length !== 1 || games[0].error) return;
  game = { ...tree_of(games[0], shown.set), key };
  draw_game();
  await judge_variations(game, shown.set);
}
